// @internal
// node:tls/identity -- is a certificate made out for a host?  (Node: tls.checkServerIdentity,
// RFC 6125.)
const errors = require("internal/errors");
const { isIP } = require("node:net/addresses");

const unfqdn = (host) => host.replace(/[.]$/, "");
const lower = (s) => s.replace(/[A-Z]/g, (c) => c.toLowerCase());
const split = (host) => lower(unfqdn(host)).split(".");

/** One name of the certificate against the parts of the host. */
function matches(hostParts, pattern, allowWildcard) {
  if (!pattern) return false;
  const parts = split(pattern);
  if (hostParts.length !== parts.length || parts.includes("")) return false;
  if (parts.some((part) => /[^\x21-\x7f]/.test(part))) return false;
  for (let i = hostParts.length - 1; i > 0; i--) {
    if (hostParts[i] !== parts[i]) return false;
  }
  const [hostLabel] = hostParts;
  const [label] = parts;
  const pieces = label.split("*", 3);
  if (pieces.length === 1 || label.includes("xn--")) return hostLabel === label;
  if (!allowWildcard || pieces.length > 2 || parts.length <= 2) return false;
  const [prefix, suffix] = pieces;
  return (
    prefix.length + suffix.length <= hostLabel.length &&
    hostLabel.startsWith(prefix) &&
    hostLabel.endsWith(suffix)
  );
}

// As JSON has it.
const kQuoted = /^"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/;

/** Splits at ", " outside of quotes. */
function splitAltNames(text) {
  const result = [];
  let current = "";
  let at = 0;
  while (at !== text.length) {
    const next = text.slice(at).search(/[",]/);
    if (next === -1) {
      current += text.slice(at);
      break;
    }
    current += text.slice(at, at + next);
    at += next;
    if (text[at] === ",") {
      result.push(current);
      current = "";
      at += text[at + 1] === " " ? 2 : 1;
      continue;
    }
    const quoted = kQuoted.exec(text.slice(at));
    if (quoted === null) throw new errors.ERR_TLS_CERT_ALTNAME_FORMAT();
    current += JSON.parse(quoted[0]);
    at += quoted[0].length;
  }
  result.push(current);
  return result;
}

function canonical(ip) {
  if (isIP(ip) !== 6) return isIP(ip) === 4 ? ip : undefined;
  const { SocketAddress } = require("node:net/addresses");
  return new SocketAddress({ address: ip.split("%")[0], family: "ipv6" }).address;
}

function namesOf(altNames) {
  const dnsNames = [];
  const ips = [];
  const list = altNames ? (altNames.includes('"') ? splitAltNames(altNames)
    : altNames.split(", ")) : [];
  for (const name of list) {
    if (name.startsWith("DNS:")) dnsNames.push(name.slice(4));
    else if (name.startsWith("IP Address:")) ips.push(canonical(name.slice(11)));
  }
  return { dnsNames, ips };
}

/** undefined, or the error. */
function checkServerIdentity(host, cert) {
  const { subject, subjectaltname: altNames } = cert;
  const hostname = `${host}`;
  const { dnsNames, ips } = namesOf(altNames);
  let isValid = false;
  let reason = "Unknown reason";
  const bare = unfqdn(hostname);
  if (isIP(bare)) {
    isValid = ips.includes(canonical(bare));
    if (!isValid) reason = `IP: ${bare} is not in the cert's list: ${ips.join(", ")}`;
  } else if (dnsNames.length > 0 || subject?.CN) {
    const parts = split(hostname);
    if (dnsNames.length > 0) {
      isValid = dnsNames.some((name) => matches(parts, name, true));
      if (!isValid) reason = `Host: ${bare}. is not in the cert's altnames: ${altNames}`;
    } else {
      const { CN } = subject;
      isValid = Array.isArray(CN) ? CN.some((name) => matches(parts, name, true))
        : matches(parts, CN, true);
      if (!isValid) reason = `Host: ${bare}. is not cert's CN: ${CN}`;
    }
  } else {
    reason = "Cert does not contain a DNS name";
  }
  if (isValid) return undefined;
  const error = new errors.ERR_TLS_CERT_ALTNAME_INVALID(reason, host, cert);
  error.reason = reason;
  error.host = host;
  error.cert = cert;
  return error;
}

exports.checkServerIdentity = checkServerIdentity;
