// @internal
// node:crypto/sign (Node: doc/api/crypto) -- Sign, Verify, sign(), verify(), RSA encryption and
// diffieHellman().
const errors = require("internal/errors");
const keys = require("node:crypto/keys");
const validators = require("internal/validators");
const { asBuffer, check, failureError, toBytes } = require("node:crypto/args");
const constants = require("node:crypto/constants");
const { isArrayBufferView } = require("node:util/types");
const { Writable } = require("node:stream");

const kUnknownDigest = 1;
const kHash = Symbol("kHash");
const kDigest = Symbol("kDigest");

// ---- Options ------------------------------------------------------------------------------------

function intOption(name, options) {
  const value = options?.[name];
  if (value === undefined) return undefined;
  if (value === value >> 0) return value;
  throw new errors.ERR_INVALID_ARG_VALUE(`options.${name}`, value);
}

function isFixedForm(options) {
  const encoding = options?.dsaEncoding;
  if (encoding === undefined || encoding === "der") return false;
  if (encoding === "ieee-p1363") return true;
  throw new errors.ERR_INVALID_ARG_VALUE("options.dsaEncoding", encoding);
}

const settingsOf = (key) => [
  intOption("padding", key), intOption("saltLength", key), isFixedForm(key),
];

function throwDigest(name) {
  throw new errors.ERR_CRYPTO_INVALID_DIGEST(name);
}

// ---- Sign, Verify -------------------------------------------------------------------------------

function initialise(self, algorithm, options) {
  validators.validateString(algorithm, "algorithm");
  const { digestOf, Hash } = require("node:crypto/hash");
  if (digestOf(algorithm) === undefined) throw new errors.ERR_CRYPTO_INVALID_DIGEST();
  self[kDigest] = algorithm;
  self[kHash] = new Hash(algorithm);
  Reflect.apply(Writable, self, [options]);
}

function Sign(algorithm, options) {
  if (!(this instanceof Sign)) return new Sign(algorithm, options);
  initialise(this, algorithm, options);
  return undefined;
}
Object.setPrototypeOf(Sign.prototype, Writable.prototype);
Object.setPrototypeOf(Sign, Writable);

Sign.prototype._write = function _write(chunk, encoding, callback) {
  this.update(chunk, encoding);
  callback();
};

Sign.prototype.update = function update(data, encoding) {
  if (typeof data !== "string" && !isArrayBufferView(data)) {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "data", ["string", "Buffer", "TypedArray", "DataView"], data,
    );
  }
  this[kHash].update(data, encoding);
  return this;
};

Sign.prototype.sign = function sign(options, encoding) {
  if (!options) throw new errors.ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const handle = keys.privateHandle(options, "privateKey");
  const settings = settingsOf(options);
  const digest = this[kHash].digest();
  const result = asBuffer(check(native.sign(handle, this[kDigest], digest, ...settings, true)));
  return encoding && encoding !== "buffer" ? result.toString(encoding) : result;
};

function Verify(algorithm, options) {
  if (!(this instanceof Verify)) return new Verify(algorithm, options);
  initialise(this, algorithm, options);
  return undefined;
}
Object.setPrototypeOf(Verify.prototype, Writable.prototype);
Object.setPrototypeOf(Verify, Writable);
Verify.prototype._write = Sign.prototype._write;
Verify.prototype.update = Sign.prototype.update;

Verify.prototype.verify = function verify(options, signature, encoding) {
  const handle = keys.publicHandle(options, "key");
  const settings = settingsOf(options);
  const bytes = toBytes(signature, "signature", encoding);
  const digest = this[kHash].digest();
  return check(native.verify(handle, this[kDigest], digest, ...settings, true, bytes));
};

// ---- In one call --------------------------------------------------------------------------------

function finish(run, callback) {
  if (callback === undefined) return run();
  let result;
  let failure = null;
  try {
    result = run();
  } catch (error) {
    failure = error;
  }
  setImmediate(() => (failure ? callback(failure) : callback(null, result)));
  return undefined;
}

function oneShotArguments(algorithm, callback) {
  if (algorithm !== null && algorithm !== undefined) {
    validators.validateString(algorithm, "algorithm");
  }
  if (callback !== undefined) validators.validateFunction(callback, "callback");
}

const kViews = ["ArrayBuffer", "Buffer", "TypedArray", "DataView"];
const dataBytes = (data, name) => {
  if (typeof data === "string") throw new errors.ERR_INVALID_ARG_TYPE(name, kViews, data);
  return toBytes(data, name, undefined, kViews);
};

exports.sign = function sign(algorithm, data, key, callback) {
  oneShotArguments(algorithm, callback);
  const bytes = dataBytes(data, "data");
  if (!key) throw new errors.ERR_CRYPTO_SIGN_KEY_REQUIRED();
  const settings = settingsOf(key);
  const handle = keys.privateHandle(key);
  return finish(() => {
    const result = native.sign(handle, algorithm, bytes, ...settings, false);
    if (result === kUnknownDigest) throwDigest(algorithm);
    return asBuffer(check(result));
  }, callback);
};

exports.verify = function verify(algorithm, data, key, signature, callback) {
  oneShotArguments(algorithm, callback);
  const bytes = dataBytes(data, "data");
  const settings = settingsOf(key);
  const sig = dataBytes(signature, "signature");
  const handle = keys.publicHandle(key);
  return finish(() => {
    const result = native.verify(handle, algorithm, bytes, ...settings, false, sig);
    if (result === kUnknownDigest) throwDigest(algorithm);
    return check(result);
  }, callback);
};

// ---- RSA ----------------------------------------------------------------------------------------

function defineCrypt(name, operation, isPrivate, defaultPadding) {
  exports[name] = {
    [name](options, buffer) {
      const take = isPrivate ? keys.privateHandle : keys.publicHandle;
      const handle = take(options);
      const { oaepHash, oaepLabel, encoding } = Object(options);
      const padding = Object(options).padding ?? defaultPadding;
      if (oaepHash !== undefined) validators.validateString(oaepHash, "key.oaepHash");
      const label = oaepLabel === undefined
        ? undefined : toBytes(oaepLabel, "key.oaepLabel", encoding);
      const data = toBytes(buffer, "buffer", encoding);
      const result = native.crypt(operation, handle, data, padding, oaepHash, label);
      if (result === kUnknownDigest) {
        throw failureError(["error:03000098:digital envelope routines::invalid digest",
          "digital envelope routines", "invalid digest", "ERR_OSSL_EVP_INVALID_DIGEST"]);
      }
      return asBuffer(check(result));
    },
  }[name];
}

defineCrypt("publicEncrypt", 0, false, constants.RSA_PKCS1_OAEP_PADDING);
defineCrypt("privateDecrypt", 1, true, constants.RSA_PKCS1_OAEP_PADDING);
defineCrypt("privateEncrypt", 2, true, constants.RSA_PKCS1_PADDING);
defineCrypt("publicDecrypt", 3, false, constants.RSA_PKCS1_PADDING);

// ---- Two keys -----------------------------------------------------------------------------------

function keyOfPair(options, name, isFine) {
  const key = options[name];
  if (!keys.isKeyObject(key)) throw new errors.ERR_INVALID_ARG_VALUE(`options.${name}`, key);
  if (!isFine(key.type)) {
    const expected = name === "privateKey" ? "private" : "private or public";
    throw new errors.ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE(key.type, expected);
  }
  return key;
}

exports.diffieHellman = function diffieHellman(options, callback) {
  validators.validateObject(options, "options");
  if (callback !== undefined) validators.validateFunction(callback, "callback");
  const ours = keyOfPair(options, "privateKey", (type) => type === "private");
  const theirs = keyOfPair(options, "publicKey", (type) => type !== "secret");
  const a = ours.asymmetricKeyType;
  const b = theirs.asymmetricKeyType;
  if (a !== b || !["dh", "ec", "x448", "x25519"].includes(a)) {
    throw new errors.ERR_CRYPTO_INCOMPATIBLE_KEY(
      "key types for Diffie-Hellman", `${a} and ${b}`,
    );
  }
  return finish(
    () => asBuffer(check(native.derive(keys.handleOf(ours), keys.handleOf(theirs)))), callback,
  );
};

exports.Sign = Sign;
exports.Verify = Verify;
// For web/crypto.
exports.native = native;
