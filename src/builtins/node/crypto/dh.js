// @internal
// node:crypto/dh (Node: doc/api/crypto) -- DiffieHellman, DiffieHellmanGroup, ECDH, getCurves.
const errors = require("internal/errors");
const validators = require("internal/validators");
const { asBuffer, bytesOfInteger, check, toBytes } = require("node:crypto/args");
const { isAnyArrayBuffer, isArrayBufferView } = require("node:util/types");

const kState = Symbol("kState");
const GENERATOR = 2;
const BITS_MIN = 512;

const encode = (bytes, encoding) => {
  const buffer = asBuffer(bytes);
  return encoding && encoding !== "buffer" ? buffer.toString(encoding) : buffer;
};

function operationFailed(text) {
  return new errors.ERR_CRYPTO_OPERATION_FAILED(text);
}

// ---- Numbers ------------------------------------------------------------------------------------

function invalidParameters() {
  const error = new TypeError("Invalid DH parameters");
  error.code = "ERR_INVALID_ARG_VALUE";
  return error;
}

/** [bytes of the generator, its number when it was given as one] */
function takeGenerator(generator, encoding) {
  if (!generator) return Uint8Array.of(GENERATOR);
  if (typeof generator === "number") {
    validators.validateInt32(generator, "generator");
    if (generator < 2) throw opensslError("bad generator", "BAD_GENERATOR");
    return bytesOfInteger(generator);
  }
  if (typeof generator === "string") {
    const bytes = toBytes(generator, "generator", encoding);
    return checkGenerator(bytes);
  }
  if (!isArrayBufferView(generator) && !isAnyArrayBuffer(generator)) {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "generator", ["number", "string", "ArrayBuffer", "Buffer", "TypedArray", "DataView"],
      generator,
    );
  }
  return checkGenerator(toBytes(generator, "generator"));
}

function checkGenerator(bytes) {
  const value = asBuffer(bytes);
  const isTooSmall = value.every((byte, i) => byte === 0 || (i === value.length - 1 && byte < 2));
  if (isTooSmall) throw opensslError("bad generator", "BAD_GENERATOR");
  return bytes;
}

function opensslError(reason, code) {
  const error = new Error(`error:05000065:Diffie-Hellman routines::${reason}`);
  error.library = "Diffie-Hellman routines";
  error.reason = reason;
  error.code = `ERR_OSSL_DH_${code}`;
  return error;
}

function initialise(self, prime, generator) {
  self[kState] = { prime, generator, publicKey: undefined, privateKey: undefined };
  Object.defineProperty(self, "verifyError", {
    configurable: true,
    enumerable: true,
    get: () => native.check(prime, generator),
  });
}

function DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding) {
  if (!(this instanceof DiffieHellman)) {
    return new DiffieHellman(sizeOrKey, keyEncoding, generator, genEncoding);
  }
  const isBytes = isArrayBufferView(sizeOrKey) || isAnyArrayBuffer(sizeOrKey);
  if (typeof sizeOrKey !== "number" && typeof sizeOrKey !== "string" && !isBytes) {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "sizeOrKey",
      ["number", "string", "ArrayBuffer", "Buffer", "TypedArray", "DataView"],
      sizeOrKey,
    );
  }
  if (typeof sizeOrKey === "number") validators.validateInt32(sizeOrKey, "sizeOrKey");
  const { Buffer } = require("node:buffer");
  if (keyEncoding && !Buffer.isEncoding(keyEncoding) && keyEncoding !== "buffer") {
    genEncoding = generator;
    generator = keyEncoding;
    keyEncoding = undefined;
  }
  const g = takeGenerator(generator, genEncoding);
  if (typeof sizeOrKey === "number") {
    if (sizeOrKey < 2) throw opensslError("modulus too small", "MODULUS_TOO_SMALL");
    if (sizeOrKey < BITS_MIN || typeof (generator ?? 2) !== "number") throw invalidParameters();
    initialise(this, check(native.safePrime(sizeOrKey, generator || GENERATOR)), g);
  } else {
    const prime = toBytes(sizeOrKey, "sizeOrKey", keyEncoding);
    initialise(this, asBuffer(new Uint8Array(asBuffer(prime))), g);
  }
  return undefined;
}

function DiffieHellmanGroup(name) {
  if (!(this instanceof DiffieHellmanGroup)) return new DiffieHellmanGroup(name);
  initialise(this, exports.primeOfGroup(name), Uint8Array.of(GENERATOR));
  return undefined;
}

exports.primeOfGroup = function primeOfGroup(name) {
  const prime = native.group(String(name).toLowerCase());
  if (prime === undefined) throw new errors.ERR_CRYPTO_UNKNOWN_DH_GROUP();
  return prime;
};

function generateKeys(encoding) {
  const state = this[kState];
  state.privateKey ??= check(native.randomBelow(state.prime));
  state.publicKey = check(native.modPow(state.generator, state.privateKey, state.prime));
  return encode(state.publicKey, encoding);
}

function computeSecret(key, inEncoding, outEncoding) {
  const state = this[kState];
  const theirs = toBytes(key, "key", inEncoding);
  const order = native.compare(theirs, state.prime);
  if (order !== 0) {
    const text = order < 0 ? "Supplied key is too small" : "Supplied key is too large";
    const error = new RangeError(text);
    error.code = "ERR_CRYPTO_INVALID_KEYLEN";
    throw error;
  }
  if (state.privateKey === undefined) throw operationFailed("No private key was set");
  return encode(check(native.modPow(theirs, state.privateKey, state.prime)), outEncoding);
}

function getter(member, what) {
  return function (encoding) {
    const value = this[kState][member];
    if (value === undefined) {
      const error = new Error(`No ${what} key - did you forget to generate one?`);
      error.code = "ERR_CRYPTO_INVALID_STATE";
      throw error;
    }
    return encode(new Uint8Array(asBuffer(value)), encoding);
  };
}

function setter(member) {
  return function (key, encoding) {
    const bytes = toBytes(key, "key", encoding);
    this[kState][member] = new Uint8Array(asBuffer(bytes));
    return this;
  };
}

const shared = {
  generateKeys,
  computeSecret,
  getPrime: getter("prime", "prime"),
  getGenerator: getter("generator", "generator"),
  getPublicKey: getter("publicKey", "public"),
  getPrivateKey: getter("privateKey", "private"),
};
Object.assign(DiffieHellmanGroup.prototype, shared);
Object.assign(DiffieHellman.prototype, shared, {
  setPublicKey: setter("publicKey"),
  setPrivateKey: setter("privateKey"),
});

// ---- Curves -------------------------------------------------------------------------------------

const kForms = { __proto__: null, compressed: 2, uncompressed: 4, hybrid: 6 };

function formOf(format) {
  if (!format) return kForms.uncompressed;
  const form = typeof format === "string" ? kForms[format] : undefined;
  if (form === undefined) throw new errors.ERR_CRYPTO_ECDH_INVALID_FORMAT(format);
  return form;
}

/** A plain function, as in Node: `crypto.ECDH("P-256")` works without `new`. */
function ECDH(curve) {
  if (!(this instanceof ECDH)) return new ECDH(curve);
  validators.validateString(curve, "curve");
  if (!native.isCurve(curve)) throw new errors.ERR_CRYPTO_INVALID_CURVE();
  this[kState] = { curve, privateKey: undefined, publicKey: undefined };
  return undefined;
}

ECDH.convertKey = function convertKey(key, curve, inEncoding, outEncoding, format) {
  if (typeof key !== "string" && !isArrayBufferView(key) && !isAnyArrayBuffer(key)) {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "key", ["string", "ArrayBuffer", "Buffer", "TypedArray", "DataView"], key,
    );
  }
  validators.validateString(curve, "curve");
  const bytes = toBytes(key, "key", inEncoding || undefined);
  const form = formOf(format);
  if (!native.isCurve(curve)) throw new errors.ERR_CRYPTO_INVALID_CURVE();
  const point = native.curvePoint(curve, bytes, form);
  if (point === undefined) throw operationFailed("Failed to convert Buffer to EC_POINT");
  return encode(point, outEncoding);
};

ECDH.prototype.generateKeys = function generateKeys(encoding, format) {
  const state = this[kState];
  state.privateKey = check(native.curvePrivate(state.curve));
  state.publicKey = native.curvePublic(state.curve, state.privateKey, kForms.uncompressed);
  return this.getPublicKey(encoding, format);
};

ECDH.prototype.computeSecret = function computeSecret(key, inEncoding, outEncoding) {
  const state = this[kState];
  const bytes = toBytes(key, "key", inEncoding);
  if (state.privateKey === undefined) throw new errors.ERR_CRYPTO_INVALID_KEYPAIR();
  const secret = native.curveSecret(state.curve, state.privateKey, bytes);
  if (secret === undefined) throw new errors.ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY();
  return encode(secret, outEncoding);
};

ECDH.prototype.getPrivateKey = function getPrivateKey(encoding) {
  const { privateKey } = this[kState];
  if (privateKey === undefined) throw operationFailed("Failed to get ECDH private key");
  return encode(new Uint8Array(privateKey), encoding);
};

ECDH.prototype.getPublicKey = function getPublicKey(encoding, format) {
  const { curve, publicKey } = this[kState];
  const form = formOf(format);
  if (publicKey === undefined) throw operationFailed("Failed to get ECDH public key");
  return encode(native.curvePoint(curve, publicKey, form), encoding);
};

ECDH.prototype.setPrivateKey = function setPrivateKey(key, encoding) {
  const state = this[kState];
  const bytes = toBytes(key, "key", encoding);
  const point = native.curvePublic(state.curve, bytes, kForms.uncompressed);
  if (point === undefined) throw operationFailed("Private key is not valid for specified curve.");
  state.privateKey = new Uint8Array(asBuffer(bytes));
  state.publicKey = point;
  return this;
};

ECDH.prototype.setPublicKey = function setPublicKey(key, encoding) {
  const state = this[kState];
  const point = native.curvePoint(
    state.curve, toBytes(key, "key", encoding), kForms.uncompressed,
  );
  if (point === undefined) throw operationFailed("Failed to convert Buffer to EC_POINT");
  state.publicKey = point;
  return this;
};

exports.getCurves = function getCurves() {
  return native.curves().split("\n").sort();
};

exports.DiffieHellman = DiffieHellman;
exports.DiffieHellmanGroup = DiffieHellmanGroup;
exports.ECDH = ECDH;
