// @internal
// node:buffer/bytes -- the methods of Buffer.prototype that copy, compare, search, fill and swap.
//
// native: copy(source, target, targetStart, sourceStart, count) -> copied;
//   compare(a, b[, startOfA, endOfA, startOfB, endOfB]) -> -1, 0, 1;
//   indexOf(bytes, needle, offset, isForward, encoding); indexOfByte(bytes, byte, offset,
//   isForward);
//   fill(bytes, pattern, start, end, encoding) -> 0, -1 (empty pattern), -2 (no such place);
//   gather(target, ...sources) -> bytes of all, or -1 - the index of what has no bytes;
//   unfilled(size) -> ArrayBuffer; swap(bytes, width); callerIsPackage()
const errors = require("internal/errors");
const { validateInteger, validateNumber, validateString } = require("internal/validators");
const text = require("node:buffer/text");

const { isView } = ArrayBuffer;
const U8 = Uint8Array;
const protoOfViews = Object.getPrototypeOf(Uint8Array.prototype);
const tagOf = Object.getOwnPropertyDescriptor(protoOfViews, Symbol.toStringTag).get;
const fillView = protoOfViews.fill;

/** The longest buffer of this engine. */
const kMaxLength = 2 ** 32;
/** From this many bytes on swapping is left to the native half. */
const SWAP_IN_SCRIPT_MAX = 128;

function isUint8Array(value) {
  return isView(value) && tagOf.call(value) === "Uint8Array";
}

function throwNotUint8Array(value, name) {
  throw new errors.ERR_INVALID_ARG_TYPE(name, ["Buffer", "Uint8Array"], value);
}

/** The first test is quick; what only pretends is found by the native half. */
function requireUint8Array(value, name) {
  if (!(value instanceof U8) && !isUint8Array(value)) throwNotUint8Array(value, name);
}

function validateOffset(value, name, max = kMaxLength) {
  validateInteger(value, name, 0, max);
}

// ---- Copying ------------------------------------------------------------------------------------

/** As the language does it for indices; what is no number counts as `otherwise`. */
function toInteger(value, otherwise) {
  const n = +value;
  if (n !== n) return otherwise;
  if (n >= Number.MIN_SAFE_INTEGER && n <= Number.MAX_SAFE_INTEGER) return Math.trunc(n);
  return otherwise;
}

function outOfRange(name, range, value) {
  return new errors.ERR_OUT_OF_RANGE(name, range, value);
}

function copy(target, targetStart, sourceStart, sourceEnd) {
  if (!(this instanceof U8) && !isView(this)) throwNotUint8Array(this, "source");
  if (!(target instanceof U8) && !isView(target)) throwNotUint8Array(target, "target");
  let at = 0;
  let from = 0;
  let end = this.byteLength;
  if (targetStart !== undefined) {
    at = toInteger(targetStart, 0);
    if (at < 0) throw outOfRange("targetStart", ">= 0", at);
  }
  if (sourceStart !== undefined) {
    from = toInteger(sourceStart, 0);
    if (from < 0 || from > this.byteLength) {
      throw outOfRange("sourceStart", `>= 0 && <= ${this.byteLength}`, from);
    }
  }
  if (sourceEnd !== undefined) {
    end = toInteger(sourceEnd, 0);
    if (end < 0) throw outOfRange("sourceEnd", ">= 0", end);
  }
  if (from >= end) return 0;
  const n = native.copy(this, target, at, from, end - from);
  if (n < 0) throwNotUint8Array(target, "target");
  return n;
}

// ---- Comparing ----------------------------------------------------------------------------------

/** Of all their bytes; `name` is that of `b`. */
function order(a, b, name) {
  const result = native.compare(a, b);
  if (result === undefined) throwNotUint8Array(b, name);
  return result;
}

function compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
  requireUint8Array(target, "target");
  if (arguments.length === 1) return order(this, target, "target");
  if (targetStart === undefined) targetStart = 0;
  else validateOffset(targetStart, "targetStart");
  if (targetEnd === undefined) targetEnd = target.length;
  else validateOffset(targetEnd, "targetEnd", target.length);
  if (sourceStart === undefined) sourceStart = 0;
  else validateOffset(sourceStart, "sourceStart");
  if (sourceEnd === undefined) sourceEnd = this.length;
  else validateOffset(sourceEnd, "sourceEnd", this.length);
  if (sourceStart >= sourceEnd) return targetStart >= targetEnd ? 0 : -1;
  if (targetStart >= targetEnd) return 1;
  return native.compare(this, target, sourceStart, sourceEnd, targetStart, targetEnd);
}

function equals(otherBuffer) {
  requireUint8Array(otherBuffer, "otherBuffer");
  if (this === otherBuffer) return true;
  if (this.byteLength !== otherBuffer.byteLength) return false;
  return order(this, otherBuffer, "otherBuffer") === 0;
}

function compareTwo(buf1, buf2) {
  requireUint8Array(buf1, "buf1");
  requireUint8Array(buf2, "buf2");
  return order(buf1, buf2, "buf2");
}

// ---- Searching ----------------------------------------------------------------------------------

function badNeedle(value) {
  return new errors.ERR_INVALID_ARG_TYPE(
    "value", ["number", "string", "Buffer", "Uint8Array"], value,
  );
}

function throwNotView(buf) {
  throw new errors.ERR_INVALID_ARG_TYPE("buffer", ["Buffer", "TypedArray", "DataView"], buf);
}

function find(buf, value, byteOffset, encoding, isForward) {
  if (!(buf instanceof U8) && !isView(buf)) throwNotView(buf);
  if (typeof byteOffset === "string") {
    encoding = byteOffset;
    byteOffset = undefined;
  }
  let offset = +byteOffset;
  if (offset !== offset) offset = isForward ? 0 : buf.byteLength;
  let found;
  if (typeof value === "number") {
    found = native.indexOfByte(buf, value >>> 0, offset, isForward);
  } else {
    const id = encoding === undefined ? text.UTF8 : text.idOf(encoding);
    if (typeof value !== "string") {
      if (!(value instanceof U8) && !isUint8Array(value)) throw badNeedle(value);
    } else if (id === text.UNKNOWN) {
      throw new errors.ERR_UNKNOWN_ENCODING(encoding);
    }
    found = native.indexOf(buf, value, offset, isForward, id);
  }
  if (found === undefined) throwNotView(buf);
  return found;
}

// ---- Filling ------------------------------------------------------------------------------------

/** The byte that a text of at most one character stands for, or -1. */
function byteOf(value, id) {
  if (value.length === 0) return 0;
  if (value.length > 1) return -1;
  const code = value.charCodeAt(0);
  if (id === text.LATIN1) return code & 0xff;
  return id === text.UTF8 && code < 128 ? code : -1;
}

function fillEncoding(encoding) {
  const id = text.optionalIdOf(encoding);
  if (id === text.UNKNOWN) {
    validateString(encoding, "encoding");
    throw new errors.ERR_UNKNOWN_ENCODING(encoding);
  }
  return id;
}

function fillWith(buf, value, start, end, id) {
  if (typeof value === "number") {
    if (start > end || end > buf.byteLength) throw new errors.ERR_BUFFER_OUT_OF_BOUNDS();
    fillView.call(buf, value, start, end);
    return;
  }
  const result = native.fill(buf, value, start, end, id);
  if (result === -1) throw new errors.ERR_INVALID_ARG_VALUE("value", value);
  if (result < 0) throw new errors.ERR_BUFFER_OUT_OF_BOUNDS();
}

/** Fills buf[start] to buf[end - 1] with a text, bytes, or the low byte of a number. */
function fill(buf, value, start, end, encoding) {
  let id = text.UTF8;
  if (typeof value === "string") {
    if (start === undefined || typeof start === "string") {
      encoding = start;
      start = undefined;
    } else if (typeof end === "string") {
      encoding = end;
      end = undefined;
    }
    id = fillEncoding(encoding);
    const byte = byteOf(value, id);
    if (byte >= 0) value = byte;
  }
  if (start === undefined) {
    start = 0;
    end = buf.length;
  } else {
    validateOffset(start, "offset");
    if (end === undefined) end = buf.length;
    else validateOffset(end, "end", buf.length);
  }
  if (start >= end) return buf;
  if (typeof value === "number") value &= 0xff;
  else if (typeof value !== "string" && !isView(value)) value = +value & 0xff;
  fillWith(buf, value, start, end, id);
  return buf;
}

// ---- Swapping -----------------------------------------------------------------------------------

function swap(buf, width) {
  const size = buf.length;
  if (size % width !== 0) throw new errors.ERR_INVALID_BUFFER_SIZE(`${width * 8}-bits`);
  if (size >= SWAP_IN_SCRIPT_MAX) {
    native.swap(buf, width);
    return buf;
  }
  for (let i = 0; i < size; i += width) {
    for (let a = i, b = i + width - 1; a < b; a++, b--) {
      const byte = buf[a];
      buf[a] = buf[b];
      buf[b] = byte;
    }
  }
  return buf;
}

const methods = {
  copy,
  compare,
  equals,
  fill(value, offset, end, encoding) {
    return fill(this, value, offset, end, encoding);
  },
  indexOf(value, byteOffset, encoding) {
    return find(this, value, byteOffset, encoding, true);
  },
  lastIndexOf: function lastIndexOf(value, byteOffset, encoding) {
    return find(this, value, byteOffset, encoding, false);
  },
  includes(value, byteOffset, encoding) {
    return find(this, value, byteOffset, encoding, true) !== -1;
  },
  swap16() {
    return swap(this, 2);
  },
  swap32() {
    return swap(this, 4);
  },
  swap64() {
    return swap(this, 8);
  },
};

exports.defineByteMethods = (proto) => Object.assign(proto, methods);
exports.copyBytes = native.copy;
exports.gather = native.gather;
exports.unfilled = native.unfilled;
exports.callerIsPackage = native.callerIsPackage;
Object.assign(exports, {
  kMaxLength, isUint8Array, requireUint8Array, validateOffset, validateNumber, compareTwo, fill,
});
