// @internal
// node:crypto/keygen (Node: doc/api/crypto) -- generateKeyPair, generatePrime, checkPrime.
const errors = require("internal/errors");
const { inContext } = require("internal/tick");
const keys = require("node:crypto/keys");
const validators = require("internal/validators");
const { bytesOfInteger, check, failureError, toBuffer } = require("node:crypto/args");
const { isAnyArrayBuffer, isArrayBufferView } = require("node:util/types");

const kinds = { __proto__: null, rsa: 0, "rsa-pss": 1, dsa: 2, ec: 3, dh: 4, ed25519: 5, ed448: 5,
  x25519: 5, x448: 5 };
const EXPONENT = 0x10001;
const INT_MAX = 2 ** 31 - 1;
const kUnknownCurve = 1;
const kUnknownDigest = 8;

function optionalString(options, name) {
  const value = options[name];
  if (value !== undefined) validators.validateString(value, `options.${name}`);
  return value;
}

function optionalInt32(options, name) {
  const value = options[name];
  if (value !== undefined) validators.validateInt32(value, `options.${name}`, 0);
  return value;
}

function rsaArguments(type, options) {
  const { modulusLength } = options;
  validators.validateUint32(modulusLength, "options.modulusLength");
  const { publicExponent = EXPONENT } = options;
  validators.validateUint32(publicExponent, "options.publicExponent");
  const args = { bits: modulusLength, number: bytesOfInteger(publicExponent) };
  if (type === "rsa") return args;
  args.salt = optionalInt32(options, "saltLength");
  args.digest = optionalString(options, "hashAlgorithm") ?? optionalString(options, "hash");
  args.mgf1 = optionalString(options, "mgf1HashAlgorithm") ?? optionalString(options, "mgf1Hash");
  return args;
}

function dhArguments(options) {
  const { group, prime, primeLength, generator } = options;
  const pair = (a, b) => new errors.ERR_INCOMPATIBLE_OPTION_PAIR(a, b);
  if (group !== undefined && group !== null) {
    for (let i = 0, all = ["prime", "primeLength", "generator"]; i < all.length; i++) {
      const name = all[i];
      if (options[name] !== undefined && options[name] !== null) throw pair("group", name);
    }
    validators.validateString(group, "options.group");
    const number = require("node:crypto/dh").primeOfGroup(group);
    return { number, generator: 2 };
  }
  if (prime !== undefined && prime !== null) {
    if (primeLength !== undefined && primeLength !== null) throw pair("prime", "primeLength");
    if (!isArrayBufferView(prime) && !isAnyArrayBuffer(prime)) {
      throw new errors.ERR_INVALID_ARG_TYPE(
        "options.prime", ["Buffer", "TypedArray", "ArrayBuffer"], prime,
      );
    }
  } else if (primeLength === undefined || primeLength === null) {
    throw new errors.ERR_MISSING_OPTION(
      "At least one of the group, prime, or primeLength options",
    );
  } else {
    validators.validateInt32(primeLength, "options.primeLength", 0);
  }
  if (generator !== undefined) validators.validateInt32(generator, "options.generator", 0);
  return { number: prime ?? undefined, bits: primeLength ?? undefined, generator: generator ?? 2 };
}

function argumentsOf(type, options) {
  switch (type) {
    case "rsa":
    case "rsa-pss":
      return rsaArguments(type, options);
    case "dsa":
      validators.validateUint32(options.modulusLength, "options.modulusLength");
      return { bits: options.modulusLength, divisor: optionalInt32(options, "divisorLength") };
    case "ec": {
      validators.validateString(options.namedCurve, "options.namedCurve");
      const { paramEncoding } = options;
      if (paramEncoding !== undefined && paramEncoding !== null) {
        if (paramEncoding !== "named" && paramEncoding !== "explicit") {
          throw new errors.ERR_INVALID_ARG_VALUE("options.paramEncoding", paramEncoding);
        }
      }
      return { name: options.namedCurve, isExplicit: paramEncoding === "explicit" };
    }
    case "dh":
      return dhArguments(options);
    default:
      return { name: type.toUpperCase() };
  }
}

/** What is made of a private key's handle: KeyObjects, or texts in the forms asked for. */
function encoder(type, options) {
  const { publicKeyEncoding, privateKeyEncoding } = options ?? {};
  const isJwk = (encoding) => encoding?.format === "jwk";
  const form = (encoding, name, take) => {
    if (encoding === undefined || encoding === null || isJwk(encoding)) return undefined;
    if (typeof encoding !== "object") {
      throw new errors.ERR_INVALID_ARG_VALUE(`options.${name}`, encoding);
    }
    return take(encoding, name, type);
  };
  const publicForm = form(publicKeyEncoding, "publicKeyEncoding", keys.publicForm);
  const privateForm = form(privateKeyEncoding, "privateKeyEncoding", keys.privateForm);
  return (handle) => {
    const publicObject = new keys.PublicKeyObject(handle);
    const privateObject = new keys.PrivateKeyObject(handle);
    const convert = (object, encoding, text, write) => {
      if (isJwk(encoding)) return object.export({ format: "jwk" });
      return text === undefined ? object : write(handle, text);
    };
    return {
      publicKey: convert(publicObject, publicKeyEncoding, publicForm, keys.exportPublic),
      privateKey: convert(privateObject, privateKeyEncoding, privateForm, keys.exportPrivate),
    };
  };
}

function start(type, options, callback) {
  validators.validateString(type, "type");
  const kind = kinds[type];
  if (kind === undefined) {
    throw new errors.ERR_INVALID_ARG_VALUE("type", type, "must be a supported key type");
  }
  if (kind !== 5) validators.validateObject(options, "options");
  const encode = encoder(type, options);
  const a = argumentsOf(type, options);
  const result = native.keys(
    kind, a.name, a.bits, a.number, a.divisor, a.salt, a.generator, a.isExplicit, a.digest, a.mgf1,
    callback && inContext((handle) => callback(handle, encode)),
  );
  if (result === kUnknownCurve) throw new errors.ERR_CRYPTO_INVALID_CURVE();
  if (typeof result === "number") {
    const name = result === kUnknownDigest ? a.digest : a.mgf1;
    if (result === kUnknownDigest) throw new errors.ERR_CRYPTO_INVALID_DIGEST(name);
    throw new errors.ERR_CRYPTO_INVALID_DIGEST(`MGF1 ${name}`);
  }
  return [result, encode];
}

exports.generateKeyPairSync = function generateKeyPairSync(type, options) {
  const { 0: handle, 1: encode } = start(type, options, undefined);
  return encode(check(handle));
};

exports.generateKeyPair = function generateKeyPair(type, options, callback) {
  if (typeof options === "function") {
    callback = options;
    options = undefined;
  }
  validators.validateFunction(callback, "callback");
  start(type, options, (handle, encode) => {
    if (Array.isArray(handle)) return callback(failureError(handle));
    let pair;
    try {
      pair = encode(handle);
    } catch (error) {
      return callback(error);
    }
    return callback(null, pair.publicKey, pair.privateKey);
  });
};
Object.defineProperty(exports.generateKeyPair, Symbol.for("nodejs.util.promisify.custom"), {
  value: (type, options) =>
    new Promise((resolve, reject) => {
      exports.generateKeyPair(type, options, (error, publicKey, privateKey) => {
        if (error) reject(error);
        else resolve({ publicKey, privateKey });
      });
    }),
});

// ---- Primes -------------------------------------------------------------------------------------

function bigintBytes(value, name) {
  if (typeof value !== "bigint") return value;
  if (value < 0n) throw new errors.ERR_OUT_OF_RANGE(name, ">= 0", value);
  return bytesOfInteger(value);
}

function primeBytes(value, name) {
  const bytes = bigintBytes(value, name);
  if (isArrayBufferView(bytes) || isAnyArrayBuffer(bytes)) return bytes;
  throw new errors.ERR_INVALID_ARG_TYPE(
    name, ["ArrayBuffer", "TypedArray", "Buffer", "DataView", "bigint"], value,
  );
}

/** The arguments of native.prime() but the last, and what is made of its result. */
function primeArguments(size, options) {
  validators.validateInt32(size, "size", 1);
  validators.validateObject(options, "options");
  const { safe = false, bigint = false } = options;
  validators.validateBoolean(safe, "options.safe");
  validators.validateBoolean(bigint, "options.bigint");
  let { add, rem } = options;
  if (add !== undefined) add = primeBytes(add, "options.add");
  if (rem !== undefined) rem = primeBytes(rem, "options.rem");
  checkPrimeShape(size, add, rem);
  const convert = (bytes) =>
    bigint ? BigInt(`0x${toBuffer(bytes.buffer).toString("hex")}`) : bytes.buffer;
  return { args: [size, safe, add, rem], convert };
}

const bitsOf = (bytes) => {
  const view = new Uint8Array(bytes.buffer ?? bytes, bytes.byteOffset ?? 0, bytes.byteLength);
  const text = require("node:buffer").Buffer.from(view).toString("hex");
  return BigInt(`0x${text || "0"}`);
};

function rangeError(message) {
  const error = new RangeError(message);
  error.code = "ERR_OUT_OF_RANGE";
  return error;
}

function checkPrimeShape(size, add, rem) {
  if (add === undefined) return;
  const step = bitsOf(add);
  if (step.toString(2).length > size) {
    throw rangeError("invalid options.add");
  }
  if (rem !== undefined && step <= bitsOf(rem)) {
    throw rangeError("invalid options.rem");
  }
}

exports.generatePrime = function generatePrime(size, options, callback) {
  if (typeof options === "function") {
    callback = options;
    options = {};
  }
  validators.validateFunction(callback, "callback");
  const { args, convert } = primeArguments(size, options);
  native.prime(...args, inContext((result) => {
    if (Array.isArray(result)) callback(failureError(result));
    else callback(undefined, convert(result));
  }));
};

exports.generatePrimeSync = function generatePrimeSync(size, options = {}) {
  const { args, convert } = primeArguments(size, options);
  return convert(check(native.prime(...args, undefined)));
};

function checkArguments(candidate, options) {
  const bytes = primeBytes(candidate, "candidate");
  validators.validateObject(options, "options");
  const { checks = 0 } = options;
  validators.validateInt32(checks, "options.checks", 0, INT_MAX);
  return bytes;
}

exports.checkPrime = function checkPrime(candidate, options = {}, callback) {
  if (typeof options === "function") {
    callback = options;
    options = {};
  }
  const bytes = checkArguments(candidate, options);
  validators.validateFunction(callback, "callback");
  native.checkPrime(bytes, inContext((result) => {
    if (Array.isArray(result)) callback(failureError(result));
    else callback(undefined, result);
  }));
};

exports.checkPrimeSync = function checkPrimeSync(candidate, options = {}) {
  return check(native.checkPrime(checkArguments(candidate, options), undefined));
};
