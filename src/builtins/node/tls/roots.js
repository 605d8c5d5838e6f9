// @internal
// node:tls/roots -- the certificates of the authorities that are trusted, as PEM.
const errors = require("internal/errors");
const { validateOneOf, validateString } = require("internal/validators");

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
  return path ? certificatesIn(path).map((pem) => `${pem}\n`) : [];
}

const made = { __proto__: null };

function make(type) {
  const { defaults } = require("node:tls/context");
  switch (type) {
    case "default":
      return defaults.ca ?? [...systemCertificates(), ...extraCertificates()];
    case "extra":
      return extraCertificates();
    default:
      return [...new Set(systemCertificates())];
  }
}

/** The same frozen array each time. */
function getCACertificates(type) {
  validateString(type, "type");
  validateOneOf(type, "type", ["default", "system", "bundled", "extra"]);
  made[type] ??= Object.freeze(make(type));
  return made[type];
}

function setDefaultCACertificates(certs) {
  if (!Array.isArray(certs)) throw new errors.ERR_INVALID_ARG_TYPE("certs", "Array", certs);
  const list = certs.map((cert, i) => {
    if (typeof cert === "string") return cert;
    if (ArrayBuffer.isView(cert)) {
      return require("node:buffer").Buffer.from(
        cert.buffer, cert.byteOffset, cert.byteLength).toString("latin1");
    }
    throw new errors.ERR_INVALID_ARG_TYPE(`certs[${i}]`, ["string", "ArrayBufferView"], cert);
  });
  const found = new Set();
  for (const text of list) for (const pem of text.match(pattern) ?? []) found.add(pem);
  if (list.length > 0 && found.size === 0) {
    throw errors.genericNodeError("No valid certificates found in the provided array", {
      code: "ERR_CRYPTO_OPERATION_FAILED",
    });
  }
  require("node:tls/context").defaults.ca = [...found];
  made.default = undefined;
}

exports.systemCertificates = systemCertificates;
exports.getCACertificates = getCACertificates;
exports.setDefaultCACertificates = setDefaultCACertificates;
