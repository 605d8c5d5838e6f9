// @internal
// node:crypto/hash (Node: doc/api/crypto, Hash, Hmac, crypto.hash)
const errors = require("internal/errors");
const LazyTransform = require("node:crypto/lazy_transform");
const validators = require("internal/validators");
const { asBuffer, check, failureError, secretBytes } = require("node:crypto/args");
const { isArrayBufferView } = require("node:util/types");

const kHandle = Symbol("kHandle");
const kState = Symbol("kState");
const NO_LENGTH = -1;
const BYTES = -1;
// What the native half writes itself.
const textKinds = { __proto__: null, hex: 0, base64: 1, base64url: 2 };

const digests = new Map();

/** The native digest of that name, or undefined. */
function digestOf(name) {
  let digest = digests.get(name);
  if (digest === undefined) {
    digest = native.fetch(name);
    if (digest !== undefined) digests.set(name, digest);
  }
  return digest;
}
exports.digestOf = digestOf;

/** Bytes or text of a result: `kind` is what the native half was asked for. */
function encode(result, encoding, kind) {
  if (kind !== BYTES) return result;
  const buffer = asBuffer(result);
  return encoding && encoding !== "buffer" ? buffer.toString(encoding) : buffer;
}

/** Buffer.prototype.toString takes unknown encodings for bytes, so does digest(). */
function checkedEncoding(encoding) {
  if (!encoding || encoding === "buffer") return undefined;
  const { Buffer } = require("node:buffer");
  const name = String(encoding);
  return Buffer.isEncoding(name) ? name.toLowerCase() : undefined;
}

function checkData(data) {
  if (typeof data !== "string" && !isArrayBufferView(data)) {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "data", ["string", "Buffer", "TypedArray", "DataView"], data,
    );
  }
}

/** Text in another encoding than UTF-8 becomes bytes first. */
function dataOf(data, encoding) {
  if (typeof data !== "string" || encoding === undefined) return data;
  if (encoding === "utf8" || encoding === "utf-8" || encoding === "buffer") return data;
  if (encoding === "hex" && data.length % 2 !== 0) {
    throw new errors.ERR_INVALID_ARG_VALUE(
      "encoding", encoding, `is invalid for data of length ${data.length}`,
    );
  }
  return require("node:buffer").Buffer.from(data, encoding);
}

function takeLength(options) {
  const length = options?.outputLength;
  if (length === undefined || length === null) return NO_LENGTH;
  validators.validateUint32(length, "options.outputLength");
  return length;
}

function Hash(algorithm, options) {
  if (new.target === undefined) return new Hash(algorithm, options);
  const isCopy = algorithm?.[kHandle] !== undefined;
  if (!isCopy) validators.validateString(algorithm, "algorithm");
  const length = takeLength(options);
  if (isCopy) {
    this[kHandle] = check(native.copy(algorithm[kHandle], length));
  } else {
    const digest = digestOf(algorithm);
    if (digest === undefined) throw new Error("Digest method not supported");
    this[kHandle] = check(native.create(digest, length));
  }
  this[kState] = false;
  Reflect.apply(LazyTransform, this, [options]);
  return undefined;
}
Object.setPrototypeOf(Hash.prototype, LazyTransform.prototype);
Object.setPrototypeOf(Hash, LazyTransform);

Hash.prototype.copy = function copy(options) {
  if (this[kState]) throw new errors.ERR_CRYPTO_HASH_FINALIZED();
  return new Hash(this, options);
};

Hash.prototype._transform = function _transform(chunk, encoding, callback) {
  native.update(this[kHandle], dataOf(chunk, encoding));
  callback();
};

Hash.prototype._flush = function _flush(callback) {
  // Unlike digest() this does not end the hash: it may be asked for its digest afterwards.
  this.push(asBuffer(check(native.digest(this[kHandle], BYTES))));
  callback();
};

Hash.prototype.update = function update(data, encoding) {
  if (this[kState]) throw new errors.ERR_CRYPTO_HASH_FINALIZED();
  checkData(data);
  if (!native.update(this[kHandle], dataOf(data, encoding))) {
    throw new errors.ERR_CRYPTO_HASH_UPDATE_FAILED();
  }
  return this;
};

Hash.prototype.digest = function digest(outputEncoding) {
  if (this[kState]) throw new errors.ERR_CRYPTO_HASH_FINALIZED();
  this[kState] = true;
  const encoding = checkedEncoding(outputEncoding);
  const kind = textKinds[encoding] ?? BYTES;
  return encode(check(native.digest(this[kHandle], kind)), encoding, kind);
};

let isWarned = false;

function warnOnce() {
  if (isWarned) return;
  isWarned = true;
  process.emitWarning("crypto.Hmac constructor is deprecated.", "DeprecationWarning", "DEP0181");
}

function Hmac(hmac, key, options) {
  if (new.target === undefined) {
    warnOnce();
    return new Hmac(hmac, key, options);
  }
  validators.validateString(hmac, "hmac");
  const encoding = options?.encoding;
  const bytes = secretBytes(key, "key", encoding);
  const digest = digestOf(hmac);
  if (digest === undefined) throw new errors.ERR_CRYPTO_INVALID_DIGEST(hmac);
  this[kHandle] = check(native.createHmac(digest, bytes));
  this[kState] = false;
  Reflect.apply(LazyTransform, this, [options]);
  return undefined;
}
Object.setPrototypeOf(Hmac.prototype, LazyTransform.prototype);
Object.setPrototypeOf(Hmac, LazyTransform);
Hmac.prototype.update = Hash.prototype.update;
Hmac.prototype._flush = Hash.prototype._flush;
Hmac.prototype._transform = Hash.prototype._transform;

/** A second digest() of an Hmac is empty, unlike that of a Hash. */
Hmac.prototype.digest = function digest(outputEncoding) {
  const encoding = checkedEncoding(outputEncoding);
  if (this[kState]) return encoding === undefined ? require("node:buffer").Buffer.alloc(0) : "";
  this[kState] = true;
  const kind = textKinds[encoding] ?? BYTES;
  return encode(check(native.digest(this[kHandle], kind)), encoding, kind);
};

/** crypto.hash(): one call, no object. */
exports.hash = function hash(algorithm, input, options) {
  validators.validateString(algorithm, "algorithm");
  if (typeof input !== "string" && !isArrayBufferView(input)) {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "input", ["Buffer", "TypedArray", "DataView", "string"], input,
    );
  }
  const isOptions = typeof options === "object" && options !== null;
  const settings = isOptions ? options : { outputEncoding: options };
  const { outputEncoding = "hex" } = settings;
  validators.validateString(outputEncoding, "outputEncoding");
  const isBuffer = outputEncoding.toLowerCase() === "buffer";
  const encoding = isBuffer ? undefined : checkedEncoding(outputEncoding);
  if (!isBuffer && encoding === undefined) {
    throw new errors.ERR_INVALID_ARG_VALUE("outputEncoding", outputEncoding);
  }
  const digest = digestOf(algorithm);
  if (digest === undefined) throw new Error(`Digest method ${algorithm} is not supported`);
  const kind = textKinds[encoding] ?? BYTES;
  const result = native.whole(digest, input, kind, takeLength(settings));
  if (Array.isArray(result)) throw failureError(result);
  return encode(result, encoding, kind);
};

/** Names of all digests, as Node lists them. */
exports.getHashes = function getHashes() {
  const names = native.names().split("\n").filter((name) => digestOf(name) !== undefined);
  const known = new Set(names.map((name) => (/^(?:RSA-|id-)|With/.test(name) ? name
    : name.toLowerCase())));
  return [...known].sort();
};

exports.Hash = Hash;
exports.Hmac = Hmac;
