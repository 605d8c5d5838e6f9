// @internal
// node:buffer/write -- the methods of Buffer.prototype that write numbers.
//
// As in Node the value is checked first, then the place; bytes are written only when all is well.
const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
const {
  boundsError, rangeError, bytes, floats, doubles, view,
} = require("node:buffer/bounds");

function badOffset(offset) {
  throw new ERR_INVALID_ARG_TYPE("offset", "number", offset);
}

/** Are there `size` bytes at the offset? */
function checkPlace(buf, offset, size) {
  if (typeof offset !== "number") badOffset(offset);
  if (buf[offset] === undefined || buf[offset + size - 1] === undefined) {
    boundsError(offset, buf.length - size);
  }
}

function write8(buf, value, offset, min, max) {
  value = +value;
  if (offset === undefined) offset = 0;
  else if (typeof offset !== "number") badOffset(offset);
  if (value > max || value < min) rangeError(value, min, max, 1);
  if (buf[offset] === undefined) boundsError(offset, buf.length - 1);
  buf[offset] = value;
  return offset + 1;
}

function write16LE(buf, value, offset, min, max) {
  value = +value;
  if (offset === undefined) offset = 0;
  if (value > max || value < min) rangeError(value, min, max, 2);
  checkPlace(buf, offset, 2);
  buf[offset] = value;
  buf[offset + 1] = value >>> 8;
  return offset + 2;
}

function write16BE(buf, value, offset, min, max) {
  value = +value;
  if (offset === undefined) offset = 0;
  if (value > max || value < min) rangeError(value, min, max, 2);
  checkPlace(buf, offset, 2);
  buf[offset] = value >>> 8;
  buf[offset + 1] = value;
  return offset + 2;
}

function write32LE(buf, value, offset, min, max) {
  value = +value;
  if (offset === undefined) offset = 0;
  if (value > max || value < min) rangeError(value, min, max, 4);
  checkPlace(buf, offset, 4);
  buf[offset] = value;
  buf[offset + 1] = value >>> 8;
  buf[offset + 2] = value >>> 16;
  buf[offset + 3] = value >>> 24;
  return offset + 4;
}

function write32BE(buf, value, offset, min, max) {
  value = +value;
  if (offset === undefined) offset = 0;
  if (value > max || value < min) rangeError(value, min, max, 4);
  checkPlace(buf, offset, 4);
  buf[offset] = value >>> 24;
  buf[offset + 1] = value >>> 16;
  buf[offset + 2] = value >>> 8;
  buf[offset + 3] = value;
  return offset + 4;
}

/** The shared bytes, in order or reversed. */
function store4LE(buf, offset) {
  buf[offset] = bytes[0];
  buf[offset + 1] = bytes[1];
  buf[offset + 2] = bytes[2];
  buf[offset + 3] = bytes[3];
  return offset + 4;
}

function store4BE(buf, offset) {
  buf[offset] = bytes[3];
  buf[offset + 1] = bytes[2];
  buf[offset + 2] = bytes[1];
  buf[offset + 3] = bytes[0];
  return offset + 4;
}

function store8LE(buf, offset) {
  buf[offset] = bytes[0];
  buf[offset + 1] = bytes[1];
  buf[offset + 2] = bytes[2];
  buf[offset + 3] = bytes[3];
  buf[offset + 4] = bytes[4];
  buf[offset + 5] = bytes[5];
  buf[offset + 6] = bytes[6];
  buf[offset + 7] = bytes[7];
  return offset + 8;
}

function store8BE(buf, offset) {
  buf[offset] = bytes[7];
  buf[offset + 1] = bytes[6];
  buf[offset + 2] = bytes[5];
  buf[offset + 3] = bytes[4];
  buf[offset + 4] = bytes[3];
  buf[offset + 5] = bytes[2];
  buf[offset + 6] = bytes[1];
  buf[offset + 7] = bytes[0];
  return offset + 8;
}

function loadFloat(buf, value, offset) {
  value = +value;
  checkPlace(buf, offset, 4);
  floats[0] = value;
}

function loadDouble(buf, value, offset) {
  value = +value;
  checkPlace(buf, offset, 8);
  doubles[0] = value;
}

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;
const MAX_UINT64 = 2n ** 64n - 1n;

function notBigInt(value) {
  throw new ERR_INVALID_ARG_TYPE("value", "bigint", value);
}

/** Into the shared bytes. The view's method is much quicker than storing in a BigInt64Array. */
function loadBigInt(buf, value, offset) {
  if (typeof value !== "bigint") notBigInt(value);
  if (value > MAX_INT64 || value < MIN_INT64) rangeError(value, MIN_INT64, MAX_INT64, 8);
  checkPlace(buf, offset, 8);
  view.setBigInt64(0, value, true);
}

function loadBigUint(buf, value, offset) {
  if (typeof value !== "bigint") notBigInt(value);
  if (value > MAX_UINT64 || value < 0n) rangeError(value, 0n, MAX_UINT64, 8);
  checkPlace(buf, offset, 8);
  view.setBigUint64(0, value, true);
}

/** Checks for integers of 1 to 6 bytes. */
function checkSized(buf, value, offset, byteLength, isSigned) {
  if (typeof byteLength !== "number" || !(byteLength >= 1 && byteLength <= 6) ||
      Math.floor(byteLength) !== byteLength) {
    boundsError(byteLength, 6, "byteLength");
  }
  const limit = 2 ** (8 * byteLength - (isSigned ? 1 : 0));
  const min = isSigned ? -limit : 0;
  if (value > limit - 1 || value < min) rangeError(value, min, limit - 1, byteLength);
  checkPlace(buf, offset, byteLength);
}

function writeSizedLE(buf, value, offset, byteLength, isSigned) {
  value = +value;
  checkSized(buf, value, offset, byteLength, isSigned);
  for (let i = 0; i < byteLength; i++) {
    buf[offset + i] = value;
    value = Math.floor(value / 256);
  }
  return offset + byteLength;
}

function writeSizedBE(buf, value, offset, byteLength, isSigned) {
  value = +value;
  checkSized(buf, value, offset, byteLength, isSigned);
  for (let i = byteLength - 1; i >= 0; i--) {
    buf[offset + i] = value;
    value = Math.floor(value / 256);
  }
  return offset + byteLength;
}

const methods = {
  writeBigUInt64LE(value, offset = 0) {
    loadBigUint(this, value, offset);
    return store8LE(this, offset);
  },
  writeBigUInt64BE(value, offset = 0) {
    loadBigUint(this, value, offset);
    return store8BE(this, offset);
  },
  writeBigInt64LE(value, offset = 0) {
    loadBigInt(this, value, offset);
    return store8LE(this, offset);
  },
  writeBigInt64BE(value, offset = 0) {
    loadBigInt(this, value, offset);
    return store8BE(this, offset);
  },
  writeUIntLE(value, offset, byteLength) {
    return writeSizedLE(this, value, offset, byteLength, false);
  },
  writeUIntBE(value, offset, byteLength) {
    return writeSizedBE(this, value, offset, byteLength, false);
  },
  writeIntLE(value, offset, byteLength) {
    return writeSizedLE(this, value, offset, byteLength, true);
  },
  writeIntBE(value, offset, byteLength) {
    return writeSizedBE(this, value, offset, byteLength, true);
  },
  writeUInt8(value, offset) {
    return write8(this, value, offset, 0, 0xff);
  },
  writeInt8(value, offset) {
    return write8(this, value, offset, -0x80, 0x7f);
  },
  writeUInt16LE(value, offset) {
    return write16LE(this, value, offset, 0, 0xffff);
  },
  writeUInt16BE(value, offset) {
    return write16BE(this, value, offset, 0, 0xffff);
  },
  writeInt16LE(value, offset) {
    return write16LE(this, value, offset, -0x8000, 0x7fff);
  },
  writeInt16BE(value, offset) {
    return write16BE(this, value, offset, -0x8000, 0x7fff);
  },
  writeUInt32LE(value, offset) {
    return write32LE(this, value, offset, 0, 0xffffffff);
  },
  writeUInt32BE(value, offset) {
    return write32BE(this, value, offset, 0, 0xffffffff);
  },
  writeInt32LE(value, offset) {
    return write32LE(this, value, offset, -0x80000000, 0x7fffffff);
  },
  writeInt32BE(value, offset) {
    return write32BE(this, value, offset, -0x80000000, 0x7fffffff);
  },
  writeFloatLE(value, offset = 0) {
    loadFloat(this, value, offset);
    return store4LE(this, offset);
  },
  writeFloatBE(value, offset = 0) {
    loadFloat(this, value, offset);
    return store4BE(this, offset);
  },
  writeDoubleLE(value, offset = 0) {
    loadDouble(this, value, offset);
    return store8LE(this, offset);
  },
  writeDoubleBE(value, offset = 0) {
    loadDouble(this, value, offset);
    return store8BE(this, offset);
  },
};

/** Adds the methods and their aliases with "Uint". */
exports.defineWriteMethods = function defineWriteMethods(proto) {
  for (let i = 0, all = Object.keys(methods); i < all.length; i++) {
    const name = all[i];
    proto[name] = methods[name];
    if (name.includes("UInt")) proto[name.replace("UInt", "Uint")] = methods[name];
  }
};
