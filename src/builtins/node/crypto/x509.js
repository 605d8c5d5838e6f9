// @internal
// node:crypto/x509 (Node: doc/api/crypto, X509Certificate, Certificate)
const errors = require("internal/errors");
const validators = require("internal/validators");
const { asBuffer, check, toBytes } = require("node:crypto/args");
const { isArrayBufferView } = require("node:util/types");
const { kClone } = require("web/structured_clone/clone_key");

const inspectSymbol = Symbol.for("nodejs.util.inspect.custom");

// The order of enum Field of the native half.
const fields = {};
[
  "subject", "issuer", "subjectAltName", "infoAccess", "validFrom", "validTo", "validFromMs",
  "validToMs", "fingerprint", "fingerprint256", "fingerprint512", "keyUsage", "serialNumber",
  "signatureAlgorithm", "signatureAlgorithmOid", "raw", "publicKey", "pem", "ca", "legacy",
].forEach((name, i) => (fields[name] = i));
const kHost = 0;
const kEmail = 1;
const kIP = 2;

// X509_CHECK_FLAG_*
const kAlwaysSubject = 0x1;
const kNoWildcards = 0x2;
const kNoPartialWildcards = 0x4;
const kMultiLabelWildcards = 0x8;
const kSingleLabelSubdomains = 0x10;
const kNeverSubject = 0x20;

function takeBoolean(options, name, fallback) {
  const value = options[name];
  if (value === undefined) return fallback;
  validators.validateBoolean(value, `options.${name}`);
  return value;
}

function takeFlags(options) {
  if (options === undefined) return 0;
  validators.validateObject(options, "options");
  const { subject = "default" } = options;
  validators.validateString(subject, "options.subject");
  let flags = 0;
  if (subject === "always") flags |= kAlwaysSubject;
  else if (subject === "never") flags |= kNeverSubject;
  else if (subject !== "default") {
    throw new errors.ERR_INVALID_ARG_VALUE("options.subject", subject);
  }
  if (!takeBoolean(options, "wildcards", true)) flags |= kNoWildcards;
  if (!takeBoolean(options, "partialWildcards", true)) flags |= kNoPartialWildcards;
  if (takeBoolean(options, "multiLabelWildcards", false)) flags |= kMultiLabelWildcards;
  if (takeBoolean(options, "singleLabelSubdomains", false)) flags |= kSingleLabelSubdomains;
  return flags;
}

function answer(result) {
  if (result !== false) return result;
  const error = new TypeError("Invalid name");
  error.code = "ERR_INVALID_ARG_VALUE";
  throw error;
}

/** The native key of a KeyObject of that type. */
function keyHandle(pkey, type) {
  const { handleOf, isKeyObject } = require("node:crypto/keys");
  if (!isKeyObject(pkey)) throw new errors.ERR_INVALID_ARG_TYPE("pkey", "KeyObject", pkey);
  if (pkey.type !== type) throw new errors.ERR_INVALID_ARG_VALUE("pkey", pkey);
  return handleOf(pkey);
}

function shapeLegacy(parts) {
  if (parts.pubkey !== undefined) parts.pubkey = asBuffer(parts.pubkey);
  parts.raw = asBuffer(parts.raw);
  return parts;
}

// What OpenSSL counts in an int.
const kSizeMax = 2 ** 31 - 1;

let isX509Certificate;
let setIssuer;

class X509Certificate {
  #handle;
  #issuer;
  #known = { __proto__: null };

  constructor(buffer) {
    if (typeof buffer !== "string" && !isArrayBufferView(buffer)) {
      throw new errors.ERR_INVALID_ARG_TYPE(
        "buffer", ["string", "Buffer", "TypedArray", "DataView"], buffer,
      );
    }
    this.#handle = check(native.parse(buffer));
  }

  static #self(self) {
    if (isX509Certificate(self)) return self.#handle;
    throw new errors.ERR_INVALID_THIS("X509Certificate");
  }

  /** A member, made once; `convert` shapes what the native half has. */
  static #get(self, name, convert = (value) => value) {
    const handle = X509Certificate.#self(self);
    const known = self.#known;
    if (!(name in known)) known[name] = convert(native.get(handle, fields[name]));
    return known[name];
  }

  get subject() {
    return X509Certificate.#get(this, "subject");
  }

  get subjectAltName() {
    return X509Certificate.#get(this, "subjectAltName");
  }

  get issuer() {
    return X509Certificate.#get(this, "issuer");
  }

  get issuerCertificate() {
    X509Certificate.#self(this);
    return this.#issuer;
  }

  get infoAccess() {
    return X509Certificate.#get(this, "infoAccess");
  }

  get validFrom() {
    return X509Certificate.#get(this, "validFrom");
  }

  get validTo() {
    return X509Certificate.#get(this, "validTo");
  }

  get validFromDate() {
    return X509Certificate.#get(this, "validFromMs", (ms) => new Date(ms));
  }

  get validToDate() {
    return X509Certificate.#get(this, "validToMs", (ms) => new Date(ms));
  }

  get fingerprint() {
    return X509Certificate.#get(this, "fingerprint");
  }

  get fingerprint256() {
    return X509Certificate.#get(this, "fingerprint256");
  }

  get fingerprint512() {
    return X509Certificate.#get(this, "fingerprint512");
  }

  get keyUsage() {
    return X509Certificate.#get(this, "keyUsage");
  }

  get serialNumber() {
    return X509Certificate.#get(this, "serialNumber");
  }

  get signatureAlgorithm() {
    return X509Certificate.#get(this, "signatureAlgorithm");
  }

  get signatureAlgorithmOid() {
    return X509Certificate.#get(this, "signatureAlgorithmOid");
  }

  get raw() {
    return X509Certificate.#get(this, "raw", (bytes) => asBuffer(check(bytes)));
  }

  get publicKey() {
    return X509Certificate.#get(this, "publicKey", (handle) =>
      new (require("node:crypto/keys").PublicKeyObject)(check(handle)));
  }

  toString() {
    return X509Certificate.#get(this, "pem");
  }

  // There is no standard form in JSON; PEM is the one that can be read again.
  toJSON() {
    return this.toString();
  }

  get ca() {
    return X509Certificate.#get(this, "ca");
  }

  checkHost(name, options) {
    const handle = X509Certificate.#self(this);
    validators.validateString(name, "name");
    return answer(native.check(handle, kHost, name, takeFlags(options)));
  }

  checkEmail(email, options) {
    const handle = X509Certificate.#self(this);
    validators.validateString(email, "email");
    return answer(native.check(handle, kEmail, email, takeFlags(options)));
  }

  checkIP(ip, options) {
    const handle = X509Certificate.#self(this);
    validators.validateString(ip, "ip");
    return answer(native.check(handle, kIP, ip, takeFlags(options)));
  }

  checkIssued(otherCert) {
    const handle = X509Certificate.#self(this);
    if (!isX509Certificate(otherCert)) {
      throw new errors.ERR_INVALID_ARG_TYPE("otherCert", "X509Certificate", otherCert);
    }
    return native.issued(handle, otherCert.#handle);
  }

  checkPrivateKey(pkey) {
    const handle = X509Certificate.#self(this);
    return native.fits(handle, keyHandle(pkey, "private"));
  }

  verify(pkey) {
    const handle = X509Certificate.#self(this);
    return native.verify(handle, keyHandle(pkey, "public"));
  }

  toLegacyObject() {
    return X509Certificate.#get(this, "legacy", shapeLegacy);
  }

  [inspectSymbol](depth, options) {
    if (depth < 0) return this;
    const shown = {};
    for (let i = 0, all = [
      "subject", "subjectAltName", "issuer", "infoAccess", "validFrom", "validTo", "validFromDate",
      "validToDate", "fingerprint", "fingerprint256", "fingerprint512", "keyUsage",
      "serialNumber", "signatureAlgorithm", "signatureAlgorithmOid",
    ]; i < all.length; i++) {
      const name = all[i];
      shown[name] = this[name];
    }
    const depthLeft = options.depth == null ? null : options.depth - 1;
    const text = require("node:util").inspect(shown, { ...options, depth: depthLeft });
    return `X509Certificate ${text}`;
  }

  [kClone]() {
    return ["X509Certificate", this.raw];
  }

  static {
    isX509Certificate = (value) =>
      typeof value === "object" && value !== null && #handle in value;
    setIssuer = (cert, issuer) => (cert.#issuer = issuer);
  }
}

exports.cloning = { make: (raw) => new X509Certificate(raw) };

/** Certificates in DER, each signed by the next: the first, which knows its issuers. */
exports.chainOf = function chainOf(list) {
  const chain = list.map((raw) => new X509Certificate(raw));
  for (let i = 0; i + 1 < chain.length; i++) setIssuer(chain[i], chain[i + 1]);
  return chain[0];
};

// ---- SPKAC --------------------------------------------------------------------------------------

function spkacBytes(spkac, encoding) {
  const bytes = toBytes(spkac, "spkac", encoding);
  if (bytes.byteLength <= kSizeMax) return bytes;
  const error = new RangeError("spkac is too large");
  error.code = "ERR_OUT_OF_RANGE";
  throw error;
}

function verifySpkac(spkac, encoding) {
  return native.verifySpkac(spkacBytes(spkac, encoding)) ?? false;
}

function exportPublicKey(spkac, encoding) {
  const pem = native.spkacKey(spkacBytes(spkac, encoding));
  return pem === undefined ? "" : require("node:buffer").Buffer.from(pem);
}

function exportChallenge(spkac, encoding) {
  const challenge = native.spkacChallenge(spkacBytes(spkac, encoding));
  return challenge === undefined ? "" : asBuffer(challenge);
}

function Certificate() {
  if (new.target === undefined) return new Certificate();
  return undefined;
}
for (let i = 0, all = [Certificate.prototype, Certificate]; i < all.length; i++) {
  const target = all[i];
  const isStatic = target === Certificate;
  const methods = isStatic ? { exportChallenge, exportPublicKey, verifySpkac }
    : { verifySpkac, exportPublicKey, exportChallenge };
  Object.assign(target, methods);
}

exports.Certificate = Certificate;
exports.X509Certificate = X509Certificate;
exports.isX509Certificate = isX509Certificate;
