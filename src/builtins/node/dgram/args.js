// @internal
// node:dgram/args -- what may be sent: buffers, views, strings, lists of them.
const errors = require("internal/errors");

const kinds = ["Buffer", "TypedArray", "DataView", "string"];

function toBuffer(value) {
  return require("node:buffer").Buffer.from(value);
}

function checkBuffer(buffer) {
  if (typeof buffer === "string") return toBuffer(buffer);
  if (!ArrayBuffer.isView(buffer)) throw new errors.ERR_INVALID_ARG_TYPE("buffer", kinds, buffer);
  return buffer;
}

function sliceBuffer(value, offset, length) {
  const buffer = checkBuffer(value);
  offset >>>= 0;
  length >>>= 0;
  if (offset > buffer.byteLength) throw new errors.ERR_BUFFER_OUT_OF_BOUNDS("offset");
  if (offset + length > buffer.byteLength) throw new errors.ERR_BUFFER_OUT_OF_BOUNDS("length");
  const { Buffer } = require("node:buffer");
  return Buffer.from(buffer.buffer, buffer.byteOffset + offset, length);
}

/** A copy of the list with strings as bytes, or null. */
function fixBufferList(list) {
  const result = [];
  for (const item of list) {
    if (typeof item === "string") result.push(toBuffer(item));
    else if (ArrayBuffer.isView(item)) result.push(item);
    else return null;
  }
  return result;
}

exports.checkBuffer = checkBuffer;
exports.sliceBuffer = sliceBuffer;
exports.fixBufferList = fixBufferList;
