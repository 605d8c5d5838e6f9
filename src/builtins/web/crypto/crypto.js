// @global crypto Crypto
// web/crypto -- the crypto global: random numbers and UUIDs (https://w3c.github.io/webcrypto).
//
// native: fill(view); equal(a, b).

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");

const { fill } = native;
const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { isView } = ArrayBuffer;

const kTypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const tagOf = getOwnPropertyDescriptor(kTypedArrayPrototype, Symbol.toStringTag).get;
const byteLengthOf = getOwnPropertyDescriptor(kTypedArrayPrototype, "byteLength").get;

const kIntegerArrays = {
  __proto__: null,
  Int8Array: true, Uint8Array: true, Uint8ClampedArray: true, Int16Array: true,
  Uint16Array: true, Int32Array: true, Uint32Array: true, BigInt64Array: true,
  BigUint64Array: true,
};
const QUOTA = 65536;

// Random bytes for UUIDs are fetched for this many at once.
const POOL_UUIDS = 128;
const UUID_SIZE = 16;
let pool;
let poolAt = 0;
let hex;

function takeBytes(isFresh) {
  if (isFresh) {
    const bytes = new Uint8Array(UUID_SIZE);
    fill(bytes);
    return { bytes, at: 0 };
  }
  if (pool === undefined || poolAt === POOL_UUIDS * UUID_SIZE) {
    pool ??= new Uint8Array(POOL_UUIDS * UUID_SIZE);
    fill(pool);
    poolAt = 0;
  }
  const at = poolAt;
  poolAt += UUID_SIZE;
  return { bytes: pool, at };
}

/** Version 4, variant 1 (RFC 9562). The bytes are wiped: nobody can read a UUID twice. */
function makeUUID(isFresh) {
  hex ??= Array.from({ length: 256 }, (_, i) => (i + 256).toString(16).slice(1));
  const { bytes: b, at } = takeBytes(isFresh);
  const six = (b[at + 6] & 0x0f) | 0x40;
  const eight = (b[at + 8] & 0x3f) | 0x80;
  const text =
    `${hex[b[at]]}${hex[b[at + 1]]}${hex[b[at + 2]]}${hex[b[at + 3]]}-` +
    `${hex[b[at + 4]]}${hex[b[at + 5]]}-${hex[six]}${hex[b[at + 7]]}-` +
    `${hex[eight]}${hex[b[at + 9]]}-${hex[b[at + 10]]}${hex[b[at + 11]]}` +
    `${hex[b[at + 12]]}${hex[b[at + 13]]}${hex[b[at + 14]]}${hex[b[at + 15]]}`;
  b.fill(0, at, at + UUID_SIZE);
  return text;
}

function toBytes(value, name) {
  if (isView(value)) return value;
  if (Object.prototype.toString.call(value) === "[object ArrayBuffer]") {
    return new Uint8Array(value);
  }
  const types = ["ArrayBuffer", "Buffer", "TypedArray", "DataView"];
  throw new errors.ERR_INVALID_ARG_TYPE(name, types, value);
}

const kToken = Symbol("make");

class Crypto {
  #isCrypto = true;

  constructor(token = undefined) {
    if (token !== kToken) throw new errors.ERR_ILLEGAL_CONSTRUCTOR();
  }

  static #check(value) {
    if (typeof value !== "object" || value === null || !(#isCrypto in value)) {
      throw new errors.ERR_INVALID_THIS("Crypto");
    }
  }

  get subtle() {
    Crypto.#check(this);
    return require("web/crypto/subtle").subtle;
  }

  getRandomValues(array) {
    Crypto.#check(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("array");
    const isObject = typeof array === "object" && array !== null;
    if (!isObject || kIntegerArrays[tagOf.call(array)] !== true) {
      const { DOMException } = require("web/exception");
      throw new DOMException(
        "The data argument must be an integer-type TypedArray", "TypeMismatchError",
      );
    }
    if (byteLengthOf.call(array) > QUOTA) {
      const { DOMException } = require("web/exception");
      throw new DOMException("The requested length exceeds 65,536 bytes", "QuotaExceededError");
    }
    fill(array);
    return array;
  }

  randomUUID(options = undefined) {
    Crypto.#check(this);
    return makeUUID(options?.disableEntropyCache === true);
  }

  timingSafeEqual(buf1, buf2) {
    Crypto.#check(this);
    const a = toBytes(buf1, "buf1");
    const b = toBytes(buf2, "buf2");
    if (a.byteLength !== b.byteLength) throw new errors.ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
    return native.equal(a, b);
  }
}

exports.Crypto = defineInterface(Crypto);
exports.crypto = new Crypto(kToken);
exports.makeUUID = makeUUID;
/** Random bytes for all of a view; and equality in constant time of two views of one length. */
exports.fill = fill;
exports.equal = native.equal;
exports.toCryptoKey = (...args) => require("web/crypto/subtle").toCryptoKey(...args);
