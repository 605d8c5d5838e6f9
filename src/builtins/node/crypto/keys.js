// @internal
// node:crypto/keys (Node: doc/api/crypto, KeyObject, createPrivateKey, createPublicKey,
// createSecretKey, generateKey)
const errors = require("internal/errors");
const validators = require("internal/validators");
const { asBuffer, check, toBytes } = require("node:crypto/args");
const { isAnyArrayBuffer, isArrayBufferView } = require("node:util/types");
const { kClone } = require("web/structured_clone/clone_key");

const kToken = Symbol("kToken");
const formats = { __proto__: null, pem: 0, der: 1 };
const types = { __proto__: null, pkcs1: 0, pkcs8: 1, spki: 2, sec1: 3 };

let handleOf;

class KeyObject {
  #type;
  #handle;

  constructor(token, type, handle) {
    if (token !== kToken) {
      if (token !== "secret" && token !== "public" && token !== "private") {
        throw new errors.ERR_INVALID_ARG_VALUE("type", token);
      }
      throw new errors.ERR_INVALID_ARG_TYPE("handle", "object", type);
    }
    this.#type = type;
    this.#handle = handle;
  }

  static from(key) {
    const inner = require("web/crypto/crypto_key").keyObjectOf(key);
    if (inner === undefined) throw new errors.ERR_INVALID_ARG_TYPE("key", "CryptoKey", key);
    return inner;
  }

  get type() {
    return this.#type;
  }

  toCryptoKey(...args) {
    return require("web/crypto").toCryptoKey(this, ...args);
  }

  [kClone]() {
    return ["KeyObject", { type: this.#type, handle: this.#handle }];
  }

  equals(otherKeyObject) {
    if (!isKeyObject(otherKeyObject)) {
      throw new errors.ERR_INVALID_ARG_TYPE("otherKeyObject", "KeyObject", otherKeyObject);
    }
    if (this.#type !== otherKeyObject.type) return false;
    const a = this.#handle;
    const b = handleOf(otherKeyObject);
    if (this.#type !== "secret") return native.equal(a, b);
    if (a.byteLength !== b.byteLength) return false;
    return require("node:crypto/kdf").timingSafeEqual(a, b);
  }

  static {
    handleOf = (key) =>
      typeof key === "object" && key !== null && #handle in key ? key.#handle : undefined;
  }
}
Object.defineProperty(KeyObject.prototype, Symbol.toStringTag, {
  value: "KeyObject", configurable: true,
});
const isKeyObject = (value) => handleOf(value) !== undefined;

class SecretKeyObject extends KeyObject {
  constructor(bytes) {
    super(kToken, "secret", bytes);
  }

  get symmetricKeySize() {
    return handleOf(this).byteLength;
  }

  export(options) {
    if (options !== undefined) validators.validateObject(options, "options");
    const format = options?.format;
    if (format !== undefined) validators.validateOneOf(format, "options.format", ["buffer", "jwk"]);
    const copy = require("node:buffer").Buffer.from(handleOf(this));
    return format === "jwk" ? { kty: "oct", k: copy.toString("base64url") } : copy;
  }
}

class AsymmetricKeyObject extends KeyObject {
  get asymmetricKeyType() {
    return native.type(handleOf(this));
  }

  get asymmetricKeyDetails() {
    return detailsOf(handleOf(this), this.asymmetricKeyType);
  }
}

function detailsOf(handle, type) {
  const { 0: bits, 1: exponent, 2: curve, 3: divisor, 4: digest, 5: mgf1, 6: salt } =
    native.details(handle);
  const lower = (name) => name?.toLowerCase().replace(/^sha2-/, "sha").replace("-", "");
  switch (type) {
    case "rsa":
    case "rsa-pss": {
      const details = {
        modulusLength: bits,
        publicExponent: BigInt(`0x${asBuffer(exponent).toString("hex")}`),
      };
      if (type === "rsa-pss" && digest !== undefined) {
        details.hashAlgorithm = lower(digest);
        details.mgf1HashAlgorithm = lower(mgf1);
        details.saltLength = salt;
      }
      return details;
    }
    case "dsa":
      return { modulusLength: bits, divisorLength: divisor };
    case "ec":
      return { namedCurve: curve };
    default:
      return {};
  }
}

class PublicKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super(kToken, "public", handle);
  }

  export(options) {
    if (options?.format === "jwk") return toJwk(this, false);
    return exportPublic(handleOf(this), publicForm(options, "options", this.asymmetricKeyType));
  }
}

class PrivateKeyObject extends AsymmetricKeyObject {
  constructor(handle) {
    super(kToken, "private", handle);
  }

  export(options) {
    if (options?.format === "jwk") {
      if (options.passphrase !== undefined) {
        throw new errors.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS("jwk", "does not support encryption");
      }
      return toJwk(this, true);
    }
    return exportPrivate(handleOf(this), privateForm(options, "options", this.asymmetricKeyType));
  }
}

// ---- Encodings ----------------------------------------------------------------------------------

const propertyError = (name, value) => new errors.ERR_INVALID_ARG_VALUE(name, value);

function takeFormat(value, fallback, name) {
  if (value === undefined && fallback !== undefined) return fallback;
  if (formats[value] === undefined) throw propertyError(name, value);
  return value;
}

function takeType(value, isRequired, keyType, isPublic, name) {
  if (value === undefined && !isRequired) return keyType === undefined ? value : undefined;
  const allowed = isPublic ? ["pkcs1", "spki"] : ["pkcs1", "pkcs8", "sec1"];
  if (isPublic === undefined) allowed.push("spki");
  if (!allowed.includes(value)) throw propertyError(name, value);
  const incompatible = (text) => new errors.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(value, text);
  if (value === "pkcs1" && keyType !== undefined && keyType !== "rsa") {
    throw incompatible("can only be used for RSA keys");
  }
  if (value === "sec1" && keyType !== undefined && keyType !== "ec") {
    throw incompatible("can only be used for EC keys");
  }
  return value;
}

/** The form that a key is to be written in: { format, type }. */
function publicForm(encoding, name, keyType) {
  validators.validateObject(encoding, name);
  const format = takeFormat(encoding.format, undefined, `${name}.format`);
  return { format, type: takeType(encoding.type, true, keyType, true, `${name}.type`) };
}
exports.publicForm = publicForm;

function privateForm(encoding, name, keyType) {
  validators.validateObject(encoding, name);
  const format = takeFormat(encoding.format, undefined, `${name}.format`);
  const type = takeType(encoding.type, true, keyType, false, `${name}.type`);
  const { cipher, passphrase } = encoding;
  if (cipher !== undefined && cipher !== null) {
    if (typeof cipher !== "string") throw propertyError(`${name}.cipher`, cipher);
    if (format === "der" && type !== "pkcs8") {
      throw new errors.ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS(type, "does not support encryption");
    }
    return { format, type, cipher, passphrase: takePassphrase(passphrase, name, true) };
  }
  if (passphrase !== undefined) throw propertyError(`${name}.cipher`, cipher);
  return { format, type };
}
exports.privateForm = privateForm;

function takePassphrase(passphrase, name, isRequired) {
  if ((passphrase === undefined || passphrase === null) && !isRequired) return undefined;
  const isFine = typeof passphrase === "string" || isArrayBufferView(passphrase) ||
    isAnyArrayBuffer(passphrase);
  if (!isFine) throw propertyError(`${name}.passphrase`, passphrase);
  return toBytes(passphrase, `${name}.passphrase`);
}

const written = (result) => (typeof result === "string" ? result : asBuffer(check(result)));

function exportPublic(handle, { format, type }) {
  return written(native.write(false, handle, formats[format], types[type], undefined, undefined));
}
exports.exportPublic = exportPublic;

function exportPrivate(handle, { format, type, cipher, passphrase }) {
  const result = native.write(true, handle, formats[format], types[type], cipher, passphrase);
  if (result === false) throw new errors.ERR_CRYPTO_UNKNOWN_CIPHER();
  return written(result);
}
exports.exportPrivate = exportPrivate;

// ---- JWK ----------------------------------------------------------------------------------------

const rsaNames = ["n", "e", "d", "p", "q", "dp", "dq", "qi"];
const curveNames = [
  ["P-256", "prime256v1"], ["P-384", "secp384r1"], ["P-521", "secp521r1"],
  ["secp256k1", "secp256k1"],
];
const rawNames = { __proto__: null, ed25519: "Ed25519", ed448: "Ed448", x25519: "X25519",
  x448: "X448" };

function toJwk(key, isPrivate) {
  const type = key.asymmetricKeyType;
  const text = (bytes) => asBuffer(bytes).toString("base64url");
  if (type === "rsa") {
    const parts = native.parts(isPrivate, handleOf(key));
    const jwk = { kty: "RSA" };
    parts.forEach((part, i) => (jwk[rsaNames[i]] = text(part)));
    return jwk;
  }
  if (type === "ec") {
    const { namedCurve } = key.asymmetricKeyDetails;
    const found = curveNames.find(({ 1: name }) => name === namedCurve);
    if (found === undefined) {
      throw new errors.ERR_CRYPTO_JWK_UNSUPPORTED_CURVE(namedCurve);
    }
    const { 0: x, 1: y, 2: d } = native.parts(isPrivate, handleOf(key));
    const jwk = { kty: "EC", x: text(x), y: text(y), crv: found[0] };
    if (isPrivate) jwk.d = text(d);
    return jwk;
  }
  const crv = rawNames[type];
  if (crv === undefined) throw new errors.ERR_CRYPTO_JWK_UNSUPPORTED_KEY_TYPE();
  const { 0: x, 1: d } = native.parts(isPrivate, handleOf(key));
  const jwk = { kty: "OKP", crv, x: text(x) };
  if (isPrivate) jwk.d = text(d);
  return jwk;
}

function member(jwk, name) {
  validators.validateString(jwk[name], `key.${name}`);
  return require("node:buffer").Buffer.from(jwk[name], "base64url");
}

function rsaFromJwk(jwk, isPrivate) {
  const names = isPrivate ? rsaNames : rsaNames.slice(0, 2);
  return native.fromRsa(...names.map((name) => member(jwk, name)));
}

function ecFromJwk(jwk, isPrivate) {
  const found = curveNames.find(({ 0: name }) => name === jwk.crv);
  if (found === undefined) throw new errors.ERR_INVALID_ARG_VALUE("key.crv", jwk.crv);
  const { Buffer } = require("node:buffer");
  const point = Buffer.concat([Buffer.from([4]), member(jwk, "x"), member(jwk, "y")]);
  return native.fromEc(found[1], point, isPrivate ? member(jwk, "d") : undefined);
}

function okpFromJwk(jwk, isPrivate) {
  validators.validateOneOf(jwk.crv, "key.crv", Object.values(rawNames));
  const x = member(jwk, "x");
  return native.fromRaw(isPrivate, jwk.crv.toUpperCase(), isPrivate ? member(jwk, "d") : x);
}

/** The handle of a JWK; a private one is good for its public key too. */
function fromJwk(jwk, isPrivateWanted) {
  validators.validateObject(jwk, "key.key");
  const makers = { __proto__: null, RSA: rsaFromJwk, EC: ecFromJwk, OKP: okpFromJwk };
  const make = makers[jwk.kty];
  if (make === undefined) {
    throw new errors.ERR_CRYPTO_INVALID_JWK(`${jwk.kty} is not a supported JWK key type`);
  }
  const isPrivate = isPrivateWanted || jwk.d !== undefined;
  const handle = make(jwk, isPrivate);
  if (!Array.isArray(handle)) return handle;
  const kind = jwk.kty === "OKP" ? "OKP" : jwk.kty;
  throw new errors.ERR_CRYPTO_INVALID_JWK(`Invalid JWK ${kind} key`);
}

// ---- Reading ------------------------------------------------------------------------------------

const isBytes = (value) => isArrayBufferView(value) || isAnyArrayBuffer(value);

/** The KeyObject that a CryptoKey stands for, or the value itself. */
const unwrapKey = (key) =>
  (typeof key === "object" && !isKeyObject(key)
    ? (require("web/crypto/crypto_key").keyObjectOf(key) ?? key)
    : key);

function keyTypeError(name, key, hasKeyObject) {
  const expected = ["string", "ArrayBuffer", "Buffer", "TypedArray", "DataView"];
  if (hasKeyObject) expected.push("KeyObject", "CryptoKey");
  return new errors.ERR_INVALID_ARG_TYPE(name, expected, key);
}

/** { data, format, type, passphrase } of a text or an object that holds one. */
function readForm(key, isPrivate, hasKeyObject, name) {
  if (typeof key === "string" || isBytes(key)) {
    return { data: toBytes(key, name), format: "pem" };
  }
  if (typeof key !== "object" || key === null) throw keyTypeError(name, key, hasKeyObject);
  const { key: data, encoding, format } = key;
  if (format === "jwk") return { jwk: data };
  if (typeof data !== "string" && !isBytes(data)) {
    if (data === undefined) throw keyTypeError(name, key, hasKeyObject);
    throw keyTypeError(`${name}.key`, data, hasKeyObject);
  }
  const shape = takeFormat(format, "pem", `${name}.format`);
  const type = shape === "der" || key.type !== undefined
    ? takeType(key.type, shape === "der", undefined, isPrivate ? false : undefined, `${name}.type`)
    : undefined;
  const passphrase = takePassphrase(key.passphrase, name, false);
  return { data: toBytes(data, `${name}.key`, encoding), format: shape, type, passphrase };
}

/** For PEM what Node passes on of OpenSSL. */
function missingPassphrase(format) {
  if (format !== "pem") return new errors.ERR_MISSING_PASSPHRASE();
  const reason = "interrupted or cancelled";
  const library = "common libcrypto routines";
  const text = `error:07880109:${library}::${reason}`;
  return Object.assign(new Error(text), {
    opensslErrorStack: ["error:04800068:PEM routines::bad password read", text],
    library,
    reason,
    code: "ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED",
  });
}

function parse(form, isPrivate) {
  if (form.jwk !== undefined) return fromJwk(form.jwk, isPrivate);
  const handle = native.parse(
    isPrivate, form.data, formats[form.format], types[form.type] ?? -1, form.passphrase,
  );
  if (handle === null) throw missingPassphrase(form.format);
  return check(handle);
}

function wrongType(actual, expected) {
  return new errors.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(actual, expected);
}

/** The handle of a private key that is a KeyObject, a CryptoKey, or a text of one. */
exports.privateHandle = function privateHandle(key, name = "key") {
  const plain = unwrapKey(key);
  const inner = isKeyObject(plain) ? plain : unwrapKey(plain?.key);
  if (isKeyObject(inner)) {
    if (inner.type !== "private") throw wrongType(inner.type, "private");
    return handleOf(inner);
  }
  return parse(readForm(plain, true, true, name), true);
};

/** The same for a public key, or a private one that has it. */
exports.publicHandle = function publicHandle(key, name = "key") {
  const plain = unwrapKey(key);
  const inner = isKeyObject(plain) ? plain : unwrapKey(plain?.key);
  if (isKeyObject(inner)) {
    if (inner.type === "secret") throw wrongType(inner.type, "private or public");
    return handleOf(inner);
  }
  return parse(readForm(plain, false, true, name), false);
};

exports.createPrivateKey = function createPrivateKey(key) {
  return new PrivateKeyObject(parse(readForm(key, true, false, "key"), true));
};

exports.createPublicKey = function createPublicKey(key) {
  const inner = isKeyObject(unwrapKey(key)) ? unwrapKey(key) : unwrapKey(key?.key);
  if (isKeyObject(inner)) {
    if (inner.type !== "private") throw wrongType(inner.type, "private");
    return new PublicKeyObject(handleOf(inner));
  }
  return new PublicKeyObject(parse(readForm(key, false, false, "key"), false));
};

// ---- Clones -------------------------------------------------------------------------------------

const kDer = { __proto__: null, public: types.spki, private: types.pkcs8 };

/** Of a handle, which belongs to a thread, the bytes that it stands for. */
function packKey({ type, handle }) {
  if (type === "secret") return { type, bytes: handle };
  const bytes = native.write(
    type === "private", handle, formats.der, kDer[type], undefined, undefined,
  );
  return { type, bytes: check(bytes) };
}

function unpackKey({ type, bytes }) {
  if (type === "secret") return { type, handle: bytes };
  const handle = native.parse(type === "private", bytes, formats.der, kDer[type], undefined);
  return { type, handle: check(handle) };
}

function cloneKey({ type, handle }) {
  if (type === "secret") return new SecretKeyObject(handle);
  return type === "private" ? new PrivateKeyObject(handle) : new PublicKeyObject(handle);
}

exports.cloning = { make: cloneKey, pack: packKey, unpack: unpackKey };

// ---- Secrets ------------------------------------------------------------------------------------

/** The bytes of a KeyObject of a secret, or undefined for what is no KeyObject. */
exports.secretOf = function secretOf(value) {
  const key = unwrapKey(value);
  if (!isKeyObject(key)) return undefined;
  if (key.type !== "secret") throw wrongType(key.type, "secret");
  return handleOf(key);
};

exports.createSecretKey = function createSecretKey(key, encoding) {
  const bytes = toBytes(key, "key", encoding);
  const copy = new Uint8Array(bytes.byteLength);
  copy.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return new SecretKeyObject(copy);
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

// For web/crypto.
exports.native = native;
exports.fromJwk = fromJwk;
exports.handleOf = handleOf;
exports.isKeyObject = isKeyObject;
exports.typeOfHandle = (handle) => native.type(handle);
exports.KeyObject = KeyObject;
exports.PublicKeyObject = PublicKeyObject;
exports.PrivateKeyObject = PrivateKeyObject;
exports.SecretKeyObject = SecretKeyObject;
