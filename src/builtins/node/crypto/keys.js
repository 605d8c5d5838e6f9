// @internal
// node:crypto/keys (Node: doc/api/crypto, KeyObject) -- secret keys.
const errors = require("internal/errors");
const validators = require("internal/validators");
const { toBytes } = require("node:crypto/args");

const kToken = Symbol("kToken");

/** A key; `type` says which kind.  Made by createSecretKey() and the like only. */
class KeyObject {
  #type;
  #bytes;

  constructor(token, type, bytes) {
    if (token !== kToken) {
      if (token !== "secret" && token !== "public" && token !== "private") {
        throw new errors.ERR_INVALID_ARG_VALUE("type", token);
      }
      throw new errors.ERR_INVALID_ARG_TYPE("handle", "object", type);
    }
    this.#type = type;
    this.#bytes = bytes;
  }

  static isSecret(value) {
    return typeof value === "object" && value !== null && #bytes in value;
  }

  /** The bytes of a secret key; not a copy. */
  static bytesOf(key) {
    return key.#bytes;
  }

  get type() {
    return this.#type;
  }

  get symmetricKeySize() {
    return this.#bytes.byteLength;
  }

  equals(otherKeyObject) {
    if (!isSecret(otherKeyObject)) {
      throw new errors.ERR_INVALID_ARG_TYPE("otherKeyObject", "KeyObject", otherKeyObject);
    }
    const a = this.#bytes;
    const b = otherKeyObject.#bytes;
    if (a.byteLength !== b.byteLength) return false;
    return require("node:crypto/kdf").timingSafeEqual(a, b);
  }

  export(options) {
    if (options !== undefined) validators.validateObject(options, "options");
    const format = options?.format;
    if (format !== undefined) validators.validateOneOf(format, "options.format", ["buffer", "jwk"]);
    const { Buffer } = require("node:buffer");
    const copy = Buffer.from(this.#bytes);
    return format === "jwk" ? { kty: "oct", k: copy.toString("base64url") } : copy;
  }

  get [Symbol.toStringTag]() {
    return "KeyObject";
  }
}

const { isSecret, bytesOf } = KeyObject;
delete KeyObject.isSecret;
delete KeyObject.bytesOf;

/** The bytes of a KeyObject of a secret, or undefined for anything else. */
exports.secretOf = function secretOf(key) {
  return isSecret(key) ? bytesOf(key) : undefined;
};

exports.createSecretKey = function createSecretKey(key, encoding) {
  const bytes = toBytes(key, "key", encoding);
  const copy = new Uint8Array(bytes.byteLength);
  copy.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return new KeyObject(kToken, "secret", copy);
};

function keyBits(type, options) {
  validators.validateString(type, "type");
  validators.validateObject(options, "options");
  if (type !== "hmac" && type !== "aes") {
    throw new errors.ERR_INVALID_ARG_VALUE("type", type, "must be a supported key type");
  }
  const { length } = options;
  if (type === "aes") validators.validateOneOf(length, "options.length", [128, 192, 256]);
  else validators.validateInteger(length, "options.length", 8, 2 ** 31 - 1);
  return length;
}

exports.generateKeySync = function generateKeySync(type, options) {
  const bytes = require("node:crypto/kdf").randomBytes(Math.floor(keyBits(type, options) / 8));
  return exports.createSecretKey(bytes);
};

exports.generateKey = function generateKey(type, options, callback) {
  const size = Math.floor(keyBits(type, options) / 8);
  validators.validateFunction(callback, "callback");
  require("node:crypto/kdf").randomBytes(size, (error, bytes) => {
    if (error) callback(error);
    else callback(null, exports.createSecretKey(bytes));
  });
};

exports.KeyObject = KeyObject;
