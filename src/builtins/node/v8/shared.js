// @internal
// node:v8/shared -- what both directions know.

class DataCloneError extends Error {
  constructor(message) {
    super(message);
    const { DOMException } = require("web/exception");
    return new DOMException(message, "DataCloneError");
  }
}
exports.DataCloneError = DataCloneError;

/** Views as hosts' objects: by place in this list. */
exports.viewTypes = () => [
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
  Float32Array, Float64Array, DataView, Buffer, BigInt64Array, BigUint64Array, Float16Array,
];
exports.BUFFER_TYPE = 10;
