// @internal
// node:crypto/kdf (Node: doc/api/crypto) -- pbkdf2, scrypt, hkdf, random bytes and numbers,
// timingSafeEqual.
const errors = require("internal/errors");
const { inContext } = require("internal/tick");
const validators = require("internal/validators");
const { equal, fill } = require("web/crypto");
const { failureError, secretBytes, toBuffer, toBytes } = require("node:crypto/args");
const { isAnyArrayBuffer, isArrayBufferView } = require("node:util/types");

const INT_MAX = 2 ** 31 - 1;
const kBufferTypes = ["string", "ArrayBuffer", "Buffer", "TypedArray", "DataView"];

const bytesOf = (value, name) => toBytes(value, name, undefined, kBufferTypes);

// ---- PBKDF2 -------------------------------------------------------------------------------------

function pbkdf2Arguments(password, salt, iterations, keylen, digest) {
  validators.validateString(digest, "digest");
  const secret = secretBytes(password, "password");
  const saltBytes = bytesOf(salt, "salt");
  validators.validateInteger(iterations, "iterations", 1, INT_MAX);
  validators.validateInteger(keylen, "keylen", 0, INT_MAX);
  return [secret, saltBytes, iterations, keylen, digest];
}

exports.pbkdf2 = function pbkdf2(password, salt, iterations, keylen, digest, callback) {
  if (typeof digest === "function") {
    callback = digest;
    digest = undefined;
  }
  const args = pbkdf2Arguments(password, salt, iterations, keylen, digest);
  validators.validateFunction(callback, "callback");
  const started = native.pbkdf2(...args, later(toBuffer, callback));
  if (started === false) throw new errors.ERR_CRYPTO_INVALID_DIGEST(digest);
};

exports.pbkdf2Sync = function pbkdf2Sync(password, salt, iterations, keylen, digest) {
  const args = pbkdf2Arguments(password, salt, iterations, keylen, digest);
  const result = native.pbkdf2(...args, undefined);
  if (result === false) throw new errors.ERR_CRYPTO_INVALID_DIGEST(digest);
  return unwrap(result, toBuffer);
};

/** What a native calls with its result. */
function later(convert, callback) {
  return inContext((result) => {
    if (Array.isArray(result)) callback(failureError(result));
    else callback(null, convert(result));
  });
}

function unwrap(result, convert) {
  if (Array.isArray(result)) throw failureError(result);
  return convert(result);
}

// ---- scrypt -------------------------------------------------------------------------------------

const SCRYPT_DEFAULTS = { N: 16384, r: 8, p: 1, maxmem: 32 << 20 };

/** The option under one of its two names. */
function pick(options, short, long) {
  const hasLong = options[long] !== undefined;
  if (options[short] !== undefined && hasLong) {
    throw new errors.ERR_INCOMPATIBLE_OPTION_PAIR(`"options.${short}"`, `"options.${long}"`);
  }
  const value = hasLong ? options[long] : options[short];
  return [hasLong ? long : short, value];
}

function scryptNumbers(options) {
  const numbers = { ...SCRYPT_DEFAULTS };
  if (options && options !== SCRYPT_DEFAULTS) {
    const aliases = [["N", "cost"], ["r", "blockSize"], ["p", "parallelization"]];
    for (let i = 0; i < aliases.length; i++) {
      const { 0: short, 1: long } = aliases[i];
      const { 0: name, 1: value } = pick(options, short, long);
      if (value === undefined) continue;
      validators.validateUint32(value, name);
      numbers[short] = value;
    }
    if (options.maxmem !== undefined) {
      numbers.maxmem = options.maxmem;
      validators.validateInteger(numbers.maxmem, "maxmem", 0);
    }
    for (let i = 0, all = ["N", "r", "p", "maxmem"]; i < all.length; i++) {
      const short = all[i];
      numbers[short] ||= SCRYPT_DEFAULTS[short];
    }
  }
  return [numbers.N, numbers.r, numbers.p, numbers.maxmem];
}

function scryptArguments(password, salt, keylen, options) {
  const secret = secretBytes(password, "password");
  const saltBytes = bytesOf(salt, "salt");
  validators.validateInteger(keylen, "keylen", 0, INT_MAX);
  const numbers = scryptNumbers(options);
  const failure = native.scryptCheck(...numbers);
  if (failure !== undefined) throw new errors.ERR_CRYPTO_INVALID_SCRYPT_PARAMS(failure[0]);
  return [secret, saltBytes, keylen, ...numbers];
}

exports.scrypt = function scrypt(password, salt, keylen, options, callback = options) {
  if (callback === options) options = SCRYPT_DEFAULTS;
  const args = scryptArguments(password, salt, keylen, options);
  validators.validateFunction(callback, "callback");
  native.scrypt(...args, later(toBuffer, callback));
};

exports.scryptSync = function scryptSync(password, salt, keylen, options = SCRYPT_DEFAULTS) {
  const args = scryptArguments(password, salt, keylen, options);
  return unwrap(native.scrypt(...args, undefined), toBuffer);
};

// ---- HKDF ---------------------------------------------------------------------------------------

function hkdfArguments(digest, key, salt, info, keylen) {
  validators.validateString(digest, "digest");
  const secret = secretBytes(key, "ikm");
  const saltBytes = bytesOf(salt, "salt");
  const infoBytes = bytesOf(info, "info");
  validators.validateInteger(keylen, "length", 0, INT_MAX);
  if (infoBytes.byteLength > 1024) {
    throw new errors.ERR_OUT_OF_RANGE(
      "info", "must not contain more than 1024 bytes", infoBytes.byteLength,
    );
  }
  return [digest, secret, saltBytes, infoBytes, keylen];
}

function checkHkdf(result, digest) {
  if (result === false) throw new errors.ERR_CRYPTO_INVALID_DIGEST(digest);
  if (result === true) throw new errors.ERR_CRYPTO_INVALID_KEYLEN();
  return result;
}

exports.hkdf = function hkdf(digest, key, salt, info, length, callback) {
  const args = hkdfArguments(digest, key, salt, info, length);
  validators.validateFunction(callback, "callback");
  checkHkdf(native.hkdf(...args, later((b) => b, callback)), digest);
};

exports.hkdfSync = function hkdfSync(digest, key, salt, info, length) {
  const args = hkdfArguments(digest, key, salt, info, length);
  return unwrap(checkHkdf(native.hkdf(...args, undefined), digest), (buffer) => buffer);
};

// ---- Random -------------------------------------------------------------------------------------

// Small requests are answered from here: most ask for 16 or 32 bytes.
const POOL_SIZE = 8192;
const POOL_ITEM_MAX = 256;
let pool;
let poolAt = 0;

function smallRandom(size) {
  const { Buffer } = require("node:buffer");
  if (pool === undefined || poolAt + size > POOL_SIZE) {
    pool ??= new Uint8Array(POOL_SIZE);
    fill(pool);
    poolAt = 0;
  }
  const bytes = Buffer.allocUnsafe(size);
  bytes.set(pool.subarray(poolAt, poolAt + size));
  pool.fill(0, poolAt, poolAt + size);
  poolAt += size;
  return bytes;
}

exports.randomBytes = function randomBytes(size, callback) {
  validators.validateNumber(size, "size", 0, INT_MAX);
  size = Math.trunc(size);
  if (callback !== undefined) validators.validateFunction(callback, "callback");
  if (callback === undefined) {
    return size <= POOL_ITEM_MAX ? smallRandom(size) : toBuffer(native.random(size, undefined));
  }
  native.random(size, later(toBuffer, callback));
  return undefined;
};

function checkSize(size, elementSize, offset, length) {
  validators.validateNumber(size, "size");
  size *= elementSize;
  if (Number.isNaN(size) || size > INT_MAX || size < 0) {
    throw new errors.ERR_OUT_OF_RANGE("size", `>= 0 && <= ${INT_MAX}`, size);
  }
  if (size + offset > length) {
    throw new errors.ERR_OUT_OF_RANGE("size + offset", `<= ${length}`, size + offset);
  }
  return size;
}

function checkOffset(offset, elementSize, length) {
  validators.validateNumber(offset, "offset");
  offset *= elementSize;
  const max = Math.min(length, INT_MAX);
  if (Number.isNaN(offset) || offset > max || offset < 0) {
    throw new errors.ERR_OUT_OF_RANGE("offset", `>= 0 && <= ${max}`, offset);
  }
  return offset;
}

function checkFillable(buffer) {
  if (!isAnyArrayBuffer(buffer) && !isArrayBufferView(buffer)) {
    throw new errors.ERR_INVALID_ARG_TYPE("buf", ["ArrayBuffer", "ArrayBufferView"], buffer);
  }
}

/** [offset, size] in bytes. */
function fillRange(buffer, offset, size) {
  const elementSize = buffer.BYTES_PER_ELEMENT || 1;
  const start = checkOffset(offset, elementSize, buffer.byteLength);
  if (size === undefined) return [start, buffer.byteLength - start];
  return [start, checkSize(size, elementSize, start, buffer.byteLength)];
}

/** `length` bytes of a buffer or view from `start`. */
function rangeOf(buffer, start, length) {
  const isView = isArrayBufferView(buffer);
  return isView
    ? new Uint8Array(buffer.buffer, buffer.byteOffset + start, length)
    : new Uint8Array(buffer, start, length);
}

exports.randomFillSync = function randomFillSync(buffer, offset = 0, size = undefined) {
  checkFillable(buffer);
  fill(rangeOf(buffer, ...fillRange(buffer, offset, size)));
  return buffer;
};

exports.randomFill = function randomFill(buffer, offset, size, callback) {
  checkFillable(buffer);
  if (typeof offset === "function") {
    callback = offset;
    offset = 0;
    size = undefined;
  } else if (typeof size === "function") {
    callback = size;
    size = undefined;
  } else {
    validators.validateFunction(callback, "callback");
  }
  const { 0: start, 1: length } = fillRange(buffer, offset, size);
  native.random(length, inContext((result) => {
    rangeOf(buffer, start, length).set(new Uint8Array(result));
    callback(null, buffer);
  }));
};

const RANDOM_MAX = 2 ** 48 - 1;
const CACHE_BYTES = 6 * 1024;
let cache;
let cacheAt = CACHE_BYTES;

/** 48 random bits. */
function random48() {
  if (cacheAt === CACHE_BYTES) {
    cache ??= require("node:buffer").Buffer.alloc(CACHE_BYTES);
    fill(cache);
    cacheAt = 0;
  }
  const value = cache.readUIntBE(cacheAt, 6);
  cacheAt += 6;
  return value;
}

exports.randomInt = function randomInt(min, max, callback) {
  const hasNoMin = max === undefined || typeof max === "function";
  if (hasNoMin) {
    callback = max;
    max = min;
    min = 0;
  }
  if (callback !== undefined) validators.validateFunction(callback, "callback");
  if (!Number.isSafeInteger(min)) {
    throw new errors.ERR_INVALID_ARG_TYPE("min", "a safe integer", min);
  }
  if (!Number.isSafeInteger(max)) {
    throw new errors.ERR_INVALID_ARG_TYPE("max", "a safe integer", max);
  }
  if (max <= min) {
    throw new errors.ERR_OUT_OF_RANGE(
      "max", `greater than the value of "min" (${min})`, max,
    );
  }
  const range = max - min;
  if (!(range <= RANDOM_MAX)) {
    throw new errors.ERR_OUT_OF_RANGE(hasNoMin ? "max" : "max - min", `<= ${RANDOM_MAX}`, range);
  }
  // Numbers above the last whole multiple of the range would favour the small ones.
  const limit = RANDOM_MAX - (RANDOM_MAX % range);
  let value;
  do value = random48(); while (value >= limit);
  const result = (value % range) + min;
  if (callback === undefined) return result;
  process.nextTick(callback, undefined, result);
  return undefined;
};

// ---- Comparing ----------------------------------------------------------------------------------

exports.timingSafeEqual = function timingSafeEqual(buf1, buf2) {
  for (let i = 0, all = [["buf1", buf1], ["buf2", buf2]]; i < all.length; i++) {
    const { 0: name, 1: value } = all[i];
    if (!isAnyArrayBuffer(value) && !isArrayBufferView(value)) {
      throw new errors.ERR_INVALID_ARG_TYPE(
        name, ["ArrayBuffer", "Buffer", "TypedArray", "DataView"], value,
      );
    }
  }
  if (buf1.byteLength !== buf2.byteLength) {
    throw new errors.ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
  }
  return equal(buf1, buf2);
};
