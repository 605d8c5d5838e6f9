// @internal
// node:crypto/cipher (Node: doc/api/crypto, Cipheriv, Decipheriv, getCipherInfo)
const errors = require("internal/errors");
const LazyTransform = require("node:crypto/lazy_transform");
const validators = require("internal/validators");
const { asBuffer, failureError, secretBytes, toBytes } = require("node:crypto/args");
const { isArrayBufferView } = require("node:util/types");

const kHandle = Symbol("kHandle");
const kDecoder = Symbol("kDecoder");
const NO_LENGTH = -1;

// The refusals of the native half, by number.
const kBadTagLength = 3;
const kTagLengthNeeded = 4;
const refusals = [
  () => new errors.ERR_CRYPTO_UNKNOWN_CIPHER(),
  () => new errors.ERR_CRYPTO_INVALID_KEYLEN(),
  () => new errors.ERR_CRYPTO_INVALID_IV(),
  (n) => new errors.ERR_CRYPTO_INVALID_AUTH_TAG(`Invalid authentication tag length: ${n}`),
  (name) => new errors.ERR_CRYPTO_INVALID_AUTH_TAG(`authTagLength required for ${name}`),
  () => invalidState(),
  () => new Error("Unsupported state or unable to authenticate data"),
  () => new errors.ERR_MISSING_ARGS("options.plaintextLength"),
  () => new errors.ERR_CRYPTO_INVALID_MESSAGELEN(),
];

function invalidState() {
  const error = new Error("Invalid state");
  error.code = "ERR_CRYPTO_INVALID_STATE";
  return error;
}

function check(result, detail) {
  if (typeof result === "number") throw refusals[result](detail);
  if (Array.isArray(result)) throw failureError(result);
  return result;
}

function takeTagLength(options) {
  const length = options?.authTagLength;
  if (length === undefined || length === null) return NO_LENGTH;
  if (typeof length !== "number" || length >>> 0 !== length || length > 2 ** 31 - 1) {
    throw new errors.ERR_INVALID_ARG_VALUE("options.authTagLength", length);
  }
  return length;
}

function createHandle(isEncrypt, cipher, key, iv, options) {
  validators.validateString(cipher, "cipher");
  const keyBytes = secretBytes(key, "key", options?.encoding);
  const ivBytes = iv === null ? null : toBytes(iv, "iv");
  const tagLength = takeTagLength(options);
  const result = native.create(isEncrypt, cipher, keyBytes, ivBytes, tagLength);
  if (result === kBadTagLength) throw refusals[result](tagLength);
  return check(result, result === kTagLengthNeeded ? cipher : undefined);
}

/** Text of a chunk; a decoder keeps characters together that the chunks cut. */
function toText(self, bytes, encoding, isLast) {
  const { StringDecoder } = require("node:string_decoder");
  const decoder = new StringDecoder(encoding);
  if (self[kDecoder] === undefined) {
    self[kDecoder] = decoder;
  } else if (self[kDecoder].encoding !== decoder.encoding) {
    throw new errors.ERR_INTERNAL_ASSERTION("Cannot change encoding");
  }
  return isLast ? self[kDecoder].end(bytes) : self[kDecoder].write(bytes);
}

function defineCipher(name, isEncrypt) {
  const Cipher = {
    [name]: function (cipher, key, iv, options) {
      if (!(this instanceof Cipher)) return new Cipher(cipher, key, iv, options);
      this[kHandle] = createHandle(isEncrypt, cipher, key, iv, options);
      Reflect.apply(LazyTransform, this, [options]);
      return undefined;
    },
  }[name];
  Object.setPrototypeOf(Cipher.prototype, LazyTransform.prototype);
  Object.setPrototypeOf(Cipher, LazyTransform);
  Object.assign(Cipher.prototype, {
    _transform, _flush, update, final, setAutoPadding, getAuthTag, setAuthTag, setAAD,
  });
  if (isEncrypt) delete Cipher.prototype.setAuthTag;
  else delete Cipher.prototype.getAuthTag;
  exports[name] = Cipher;
}

function _transform(chunk, encoding, callback) {
  this.push(this.update(chunk, encoding));
  callback();
}

function _flush(callback) {
  try {
    this.push(this.final());
  } catch (error) {
    callback(error);
    return;
  }
  callback();
}

function update(data, inputEncoding, outputEncoding) {
  if (typeof data !== "string" && !isArrayBufferView(data)) {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "data", ["string", "Buffer", "TypedArray", "DataView"], data,
    );
  }
  const bytes = typeof data === "string" ? toBytes(data, "data", inputEncoding) : data;
  const result = asBuffer(check(native.update(this[kHandle], bytes)));
  if (outputEncoding && outputEncoding !== "buffer") {
    return toText(this, result, outputEncoding, false);
  }
  return result;
}

function final(outputEncoding) {
  const result = asBuffer(check(native.final(this[kHandle])));
  if (outputEncoding && outputEncoding !== "buffer") {
    return toText(this, result, outputEncoding, true);
  }
  return result;
}

function setAutoPadding(autoPadding) {
  if (!native.setPadding(this[kHandle], autoPadding === undefined || Boolean(autoPadding))) {
    throw new errors.ERR_CRYPTO_INVALID_STATE("setAutoPadding");
  }
  return this;
}

function getAuthTag() {
  const result = native.getTag(this[kHandle]);
  if (typeof result === "number") throw new errors.ERR_CRYPTO_INVALID_STATE("getAuthTag");
  return asBuffer(result);
}

function setAuthTag(tag, encoding) {
  const bytes = toBytes(tag, "buffer", encoding);
  const result = native.setTag(this[kHandle], bytes);
  if (result === kBadTagLength) throw refusals[kBadTagLength](bytes.byteLength);
  if (typeof result === "number") throw new errors.ERR_CRYPTO_INVALID_STATE("setAuthTag");
  return this;
}

function setAAD(buffer, options) {
  const bytes = toBytes(buffer, "aadbuf", options?.encoding);
  let length = options?.plaintextLength;
  if (length === undefined) length = NO_LENGTH;
  else validators.validateInteger(length, "options.plaintextLength", 0, 2 ** 31 - 1);
  const result = native.setAad(this[kHandle], bytes, length);
  if (result === 7 || result === 8) throw refusals[result]();
  if (typeof result === "number") throw new errors.ERR_CRYPTO_INVALID_STATE("setAAD");
  return this;
}

defineCipher("Cipheriv", true);
defineCipher("Decipheriv", false);

exports.getCiphers = function getCiphers() {
  const lower = native.names().split("\n").map((name) => name.toLowerCase());
  return [...new Set(lower)].sort();
};

exports.getCipherInfo = function getCipherInfo(nameOrNid, options) {
  if (typeof nameOrNid !== "string" && typeof nameOrNid !== "number") {
    throw new errors.ERR_INVALID_ARG_TYPE("nameOrNid", ["string", "number"], nameOrNid);
  }
  if (typeof nameOrNid === "number") validators.validateInt32(nameOrNid, "nameOrNid");
  if (options !== undefined) validators.validateObject(options, "options");
  const { keyLength, ivLength } = options ?? {};
  if (keyLength !== undefined) validators.validateInt32(keyLength, "options.keyLength");
  if (ivLength !== undefined) validators.validateInt32(ivLength, "options.ivLength");
  if (keyLength < 0 || ivLength < 0) return undefined;
  const found = native.info(nameOrNid, keyLength ?? NO_LENGTH, ivLength ?? NO_LENGTH);
  if (found === undefined) return undefined;
  const { 0: mode, 1: name, 2: nid, 3: blockSize, 4: iv, 5: key } = found;
  const info = { mode, name: name.toLowerCase(), nid };
  if (mode !== "stream") info.blockSize = blockSize;
  if (iv !== 0) info.ivLength = iv;
  info.keyLength = key;
  return info;
};
