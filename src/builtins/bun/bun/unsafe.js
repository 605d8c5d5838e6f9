// @internal
// bun:bun/unsafe -- Bun.unsafe (Bun: bun.d.ts).
const { ERR_INVALID_ARG_TYPE } = require("internal/errors");

let level = 0; // of gcAggressionLevel: a wish that this engine does not need

/** Bytes as a string: Latin-1 text, or the units of a Uint16Array. Unlike in Bun it is a copy. */
exports.arrayBufferToString = function arrayBufferToString(buffer) {
  const isView = ArrayBuffer.isView(buffer);
  if (!isView && !(buffer instanceof ArrayBuffer) && !(buffer instanceof SharedArrayBuffer)) {
    throw new ERR_INVALID_ARG_TYPE("buffer", ["ArrayBuffer", "Uint8Array", "Uint16Array"], buffer);
  }
  const bytes = isView
    ? Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : Buffer.from(buffer);
  return bytes.toString(buffer instanceof Uint16Array ? "utf16le" : "latin1");
};

exports.gcAggressionLevel = function gcAggressionLevel(next) {
  const before = level;
  if (next === 0 || next === 1 || next === 2) level = next;
  return before;
};

exports.mimallocDump = function mimallocDump() {
  throw new Error("not implemented: Bun.unsafe.mimallocDump");
};
