// @internal
// bun:csrf -- Bun.CSRF: tokens that prove where a form comes from.
//
// A token is time (8 bytes, ms), nonce (16), lifetime (8, ms), and an HMAC of these and of the
// session.
const errors = require("internal/errors");

const DAY_MS = 24 * 3600 * 1000;
const HEAD = 32;
const HASHES = {
  "blake2b256": "blake2b256", "blake2b512": "blake2b512", "sha256": "sha256", "sha384": "sha384",
  "sha512": "sha512", "sha512-256": "sha512-256",
};

const wrongType = (text) => errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", text);

let ownSecret; // of programs that give none

function secretOf(secret) {
  if (secret === undefined) {
    ownSecret ??= Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
    return ownSecret;
  }
  if (typeof secret !== "string") throw wrongType("secret must be a string");
  if (secret === "") throw wrongType("Secret must be a non-empty string");
  return secret;
}

function checkText(value, name, group) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrongType(`${group}.${name} must be a string`);
  if (value === "") throw wrongType(`${name} must be a non-empty string`);
  return value;
}

function checkTime(value, name, group) {
  const { validateInteger } = require("internal/validators");
  const full = `${group}.${name}`;
  if (typeof value !== "number") throw new errors.ERR_INVALID_ARG_TYPE(full, "number", value);
  validateInteger(value, full, 0, Number.MAX_SAFE_INTEGER);
  return value;
}

function readOptions(options, group) {
  const given = typeof options === "object" && options !== null ? options : {};
  const { encoding = "base64url", algorithm = "sha256" } = given;
  if (!["base64", "base64url", "hex"].includes(encoding)) {
    throw wrongType("Invalid format: must be 'base64', 'base64url', or 'hex'");
  }
  const hash = Object.hasOwn(HASHES, algorithm) ? HASHES[algorithm] : undefined;
  if (hash === undefined) throw wrongType("Algorithm not supported");
  return { given, encoding, hash, sessionId: checkText(given.sessionId, "sessionId", group) };
}

function macOf(hash, secret, head, sessionId) {
  const hasher = new (require("bun:crypto").CryptoHasher)(hash, secret);
  hasher.update(head);
  if (sessionId !== undefined) hasher.update(sessionId);
  return hasher.digest();
}

function generate(secret, options) {
  const key = secretOf(secret);
  const { given, encoding, hash, sessionId } = readOptions(options, "CSRFGenerateOptions");
  const { expiresIn = DAY_MS } = given;
  const head = Buffer.alloc(HEAD);
  head.writeBigUInt64BE(BigInt(Date.now()), 0);
  crypto.getRandomValues(head.subarray(8, 24));
  head.writeBigUInt64BE(BigInt(checkTime(expiresIn, "expiresIn", "CSRFGenerateOptions")), 24);
  return Buffer.concat([head, macOf(hash, key, head, sessionId)]).toString(encoding);
}

function isWellFormed(token, encoding) {
  if (encoding === "hex") return /^(?:[0-9a-fA-F]{2})+$/.test(token);
  return (encoding === "base64" ? /^[A-Za-z0-9+/]+={0,2}$/ : /^[A-Za-z0-9_-]+$/).test(token);
}

function isFresh(head, maxAge) {
  const age = Date.now() - Number(head.readBigUInt64BE(0));
  const lifetime = Number(head.readBigUInt64BE(24));
  return (lifetime === 0 || age <= lifetime) && (maxAge === 0 || age <= maxAge);
}

function verify(token, options) {
  if (typeof token !== "string") throw wrongType("token must be a string");
  if (token === "") throw wrongType("Token must be a non-empty string");
  const { given, encoding, hash, sessionId } = readOptions(options, "CSRFVerifyOptions");
  const key = secretOf(given.secret);
  const { maxAge = DAY_MS } = given;
  checkTime(maxAge, "maxAge", "CSRFVerifyOptions");
  if (!isWellFormed(token, encoding)) return false;
  const bytes = Buffer.from(token, encoding);
  const head = bytes.subarray(0, HEAD);
  if (head.length < HEAD) return false;
  const mac = macOf(hash, key, head, sessionId);
  const sent = bytes.subarray(HEAD);
  if (sent.length !== mac.length) return false;
  return require("node:crypto").timingSafeEqual(sent, mac) && isFresh(head, maxAge);
}

exports.CSRF = { generate, verify };
