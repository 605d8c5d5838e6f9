// @internal
// node:buffer/read -- the methods of Buffer.prototype that read numbers.
//
// Elements are read by index: an index that is no valid place gives undefined, whatever is wrong
// with it, so one comparison finds all errors and the rest is for boundsError to tell.
const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
const {
  boundsError, floats, doubles, words, bigInts, bigUints,
} = require("node:buffer/bounds");


function badOffset(offset) {
  throw new ERR_INVALID_ARG_TYPE("offset", "number", offset);
}

/** Reads the two words of eight bytes into the shared array; swapped when big-endian. */
function loadLE(buf, offset) {
  if (offset === undefined) offset = 0;
  else if (typeof offset !== "number") badOffset(offset);
  const first = buf[offset];
  const last = buf[offset + 7];
  if (first === undefined || last === undefined) boundsError(offset, buf.length - 8);
  words[0] = first | (buf[offset + 1] << 8) | (buf[offset + 2] << 16) | (buf[offset + 3] << 24);
  words[1] = buf[offset + 4] | (buf[offset + 5] << 8) | (buf[offset + 6] << 16) | (last << 24);
}

function loadBE(buf, offset) {
  if (offset === undefined) offset = 0;
  else if (typeof offset !== "number") badOffset(offset);
  const first = buf[offset];
  const last = buf[offset + 7];
  if (first === undefined || last === undefined) boundsError(offset, buf.length - 8);
  words[1] = (first << 24) | (buf[offset + 1] << 16) | (buf[offset + 2] << 8) | buf[offset + 3];
  words[0] = (buf[offset + 4] << 24) | (buf[offset + 5] << 16) | (buf[offset + 6] << 8) | last;
}

function int16LE(buf, offset) {
  if (offset === undefined) offset = 0;
  else if (typeof offset !== "number") badOffset(offset);
  const first = buf[offset];
  const last = buf[offset + 1];
  if (first === undefined || last === undefined) boundsError(offset, buf.length - 2);
  return first | (last << 8);
}

function int16BE(buf, offset) {
  if (offset === undefined) offset = 0;
  else if (typeof offset !== "number") badOffset(offset);
  const first = buf[offset];
  const last = buf[offset + 1];
  if (first === undefined || last === undefined) boundsError(offset, buf.length - 2);
  return (first << 8) | last;
}

function int32LE(buf, offset) {
  if (offset === undefined) offset = 0;
  else if (typeof offset !== "number") badOffset(offset);
  const first = buf[offset];
  const last = buf[offset + 3];
  if (first === undefined || last === undefined) boundsError(offset, buf.length - 4);
  return first | (buf[offset + 1] << 8) | (buf[offset + 2] << 16) | (last << 24);
}

function int32BE(buf, offset) {
  if (offset === undefined) offset = 0;
  else if (typeof offset !== "number") badOffset(offset);
  const first = buf[offset];
  const last = buf[offset + 3];
  if (first === undefined || last === undefined) boundsError(offset, buf.length - 4);
  return (first << 24) | (buf[offset + 1] << 16) | (buf[offset + 2] << 8) | last;
}

function checkSize(offset, byteLength) {
  if (offset === undefined) badOffset(offset);
  if (byteLength === 1 || byteLength === 2 || byteLength === 3 || byteLength === 4 ||
      byteLength === 5 || byteLength === 6) {
    if (typeof offset !== "number") badOffset(offset);
    return;
  }
  boundsError(byteLength, 6, "byteLength");
}

/** An unsigned integer of 1 to 6 bytes. */
function uintLE(buf, offset, byteLength) {
  checkSize(offset, byteLength);
  const first = buf[offset];
  const last = buf[offset + byteLength - 1];
  if (first === undefined || last === undefined) boundsError(offset, buf.length - byteLength);
  let value = 0;
  for (let i = byteLength - 1; i >= 0; i--) value = value * 256 + buf[offset + i];
  return value;
}

function uintBE(buf, offset, byteLength) {
  checkSize(offset, byteLength);
  const first = buf[offset];
  const last = buf[offset + byteLength - 1];
  if (first === undefined || last === undefined) boundsError(offset, buf.length - byteLength);
  let value = 0;
  for (let i = 0; i < byteLength; i++) value = value * 256 + buf[offset + i];
  return value;
}

/** The same bits as a signed number. */
function toSigned(value, byteLength) {
  const limit = 2 ** (8 * byteLength - 1);
  return value >= limit ? value - 2 * limit : value;
}

function byteAt(buf, offset) {
  if (offset === undefined) offset = 0;
  else if (typeof offset !== "number") badOffset(offset);
  const value = buf[offset];
  if (value === undefined) boundsError(offset, buf.length - 1);
  return value;
}

const methods = {
  readBigUInt64LE(offset) {
    loadLE(this, offset);
    return bigUints[0];
  },
  readBigUInt64BE(offset) {
    loadBE(this, offset);
    return bigUints[0];
  },
  readBigInt64LE(offset) {
    loadLE(this, offset);
    return bigInts[0];
  },
  readBigInt64BE(offset) {
    loadBE(this, offset);
    return bigInts[0];
  },
  readUIntLE(offset, byteLength) {
    return uintLE(this, offset, byteLength);
  },
  readUIntBE(offset, byteLength) {
    return uintBE(this, offset, byteLength);
  },
  readIntLE(offset, byteLength) {
    return toSigned(uintLE(this, offset, byteLength), byteLength);
  },
  readIntBE(offset, byteLength) {
    return toSigned(uintBE(this, offset, byteLength), byteLength);
  },
  readUInt8(offset) {
    return byteAt(this, offset);
  },
  readInt8(offset) {
    return (byteAt(this, offset) << 24) >> 24;
  },
  readUInt16LE(offset) {
    return int16LE(this, offset);
  },
  readUInt16BE(offset) {
    return int16BE(this, offset);
  },
  readInt16LE(offset) {
    return (int16LE(this, offset) << 16) >> 16;
  },
  readInt16BE(offset) {
    return (int16BE(this, offset) << 16) >> 16;
  },
  readUInt32LE(offset) {
    return int32LE(this, offset) >>> 0;
  },
  readUInt32BE(offset) {
    return int32BE(this, offset) >>> 0;
  },
  readInt32LE(offset) {
    return int32LE(this, offset);
  },
  readInt32BE(offset) {
    return int32BE(this, offset);
  },
  readFloatLE(offset) {
    words[0] = int32LE(this, offset);
    return floats[0];
  },
  readFloatBE(offset) {
    words[0] = int32BE(this, offset);
    return floats[0];
  },
  readDoubleLE(offset) {
    loadLE(this, offset);
    return doubles[0];
  },
  readDoubleBE(offset) {
    loadBE(this, offset);
    return doubles[0];
  },
};

/** Adds the methods and their aliases with "Uint". */
exports.defineReadMethods = function defineReadMethods(proto) {
  for (let i = 0, all = Object.keys(methods); i < all.length; i++) {
    const name = all[i];
    proto[name] = methods[name];
    if (name.includes("UInt")) proto[name.replace("UInt", "Uint")] = methods[name];
  }
};
