// @internal
// node:buffer/bounds -- what reading and writing numbers share: errors, and eight bytes that are
// seen as every kind of number. The machine is little-endian.
const { ERR_BUFFER_OUT_OF_BOUNDS, ERR_OUT_OF_RANGE } = require("internal/errors");
const { validateNumber } = require("internal/validators");

/**
 * Throws what is wrong with an offset, or with another number of which `type` is the name: not an
 * integer, a buffer that is too small for any, or not within [0, length].
 */
exports.boundsError = function boundsError(value, length, type) {
  if (Math.floor(value) !== value) {
    validateNumber(value, type);
    throw new ERR_OUT_OF_RANGE(type || "offset", "an integer", value);
  }
  if (length < 0) throw new ERR_BUFFER_OUT_OF_BOUNDS();
  throw new ERR_OUT_OF_RANGE(type || "offset", `>= ${type ? 1 : 0} and <= ${length}`, value);
};

/** Throws for a value beyond what `byteLength` bytes hold. */
exports.rangeError = function rangeError(value, min, max, byteLength) {
  const n = typeof min === "bigint" ? "n" : "";
  let range;
  if (byteLength <= 4) {
    range = `>= ${min}${n} and <= ${max}${n}`;
  } else if (min === 0 || min === 0n) {
    range = `>= 0${n} and < 2${n} ** ${byteLength * 8}${n}`;
  } else {
    const exponent = `${byteLength * 8 - 1}${n}`;
    range = `>= -(2${n} ** ${exponent}) and < 2${n} ** ${exponent}`;
  }
  throw new ERR_OUT_OF_RANGE("value", range, value);
};

const bytes = new Uint8Array(8);
exports.bytes = bytes;
exports.words = new Uint32Array(bytes.buffer);
exports.floats = new Float32Array(bytes.buffer);
exports.view = new DataView(bytes.buffer);
exports.doubles = new Float64Array(bytes.buffer);
exports.bigInts = new BigInt64Array(bytes.buffer);
exports.bigUints = new BigUint64Array(bytes.buffer);
