// @internal
// node:tls/roots -- the certificates of the authorities that are trusted, as PEM.
const { validateOneOf } = require("internal/validators");

const bundles = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"];
const pattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function certificatesIn(path) {
  try {
    return require("node:fs").readFileSync(path, "latin1").match(pattern) ?? [];
  } catch {
    return [];
  }
}

let system;

function systemCertificates() {
  if (system !== undefined) return system;
  system = [];
  const paths = process.env.SSL_CERT_FILE ? [process.env.SSL_CERT_FILE] : bundles;
  for (const path of paths) {
    system = certificatesIn(path);
    if (system.length > 0) break;
  }
  return system;
}

function extraCertificates() {
  const path = process.env.NODE_EXTRA_CA_CERTS;
  return path ? certificatesIn(path) : [];
}

function getCACertificates(type) {
  validateOneOf(type, "type", ["default", "system", "bundled", "extra"]);
  const { defaults } = require("node:tls/context");
  switch (type) {
    case "default":
      return Object.freeze(defaults.ca ?? [...systemCertificates(), ...extraCertificates()]);
    case "extra":
      return Object.freeze(extraCertificates());
    default:
      return Object.freeze([...systemCertificates()]);
  }
}

exports.systemCertificates = systemCertificates;
exports.getCACertificates = getCACertificates;
