// @internal
// node:crypto/args -- bytes from arguments, and errors from what the native halves return.
const errors = require("internal/errors");
const { isAnyArrayBuffer, isArrayBufferView } = require("node:util/types");

const kViews = ["ArrayBuffer", "Buffer", "TypedArray", "DataView"];

/** Bytes of a string (in `encoding`), an ArrayBuffer or a view. */
exports.toBytes = function toBytes(value, name, encoding = undefined, types = undefined) {
  if (typeof value === "string") {
    return encoding === undefined || encoding === "utf8" || encoding === "buffer"
      ? require("node:buffer").Buffer.from(value)
      : require("node:buffer").Buffer.from(value, encoding);
  }
  if (isArrayBufferView(value)) return value;
  if (isAnyArrayBuffer(value)) return new Uint8Array(value);
  throw new errors.ERR_INVALID_ARG_TYPE(name, types ?? ["string", ...kViews], value);
};

/** A Buffer over all of an ArrayBuffer. */
exports.toBuffer = (buffer) => require("node:buffer").Buffer.from(buffer);

/** A Buffer over the same bytes as a Uint8Array. */
exports.asBuffer = (bytes) =>
  require("node:buffer").Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The error of a failure [message, library, reason, code, stack]. */
exports.failureError = function failureError([message, library, reason, code, stack]) {
  const error = new Error(message);
  if (stack?.length > 0) error.opensslErrorStack = stack;
  if (library !== undefined) error.library = library;
  if (reason !== undefined) error.reason = reason;
  if (code !== undefined) error.code = code;
  return error;
};

/** Throws what a native half says went wrong, else gives its result. */
exports.check = function check(result) {
  if (Array.isArray(result)) throw exports.failureError(result);
  return result;
};

/** Keys may come as KeyObject or CryptoKey of secrets. */
exports.secretBytes = function secretBytes(key, name, encoding = undefined) {
  const bytes = require("node:crypto/keys").secretOf(key);
  if (bytes !== undefined) return bytes;
  const types = [
    "ArrayBuffer", "Buffer", "TypedArray", "DataView", "string", "KeyObject", "CryptoKey",
  ];
  return exports.toBytes(key, name, encoding, types);
};

/** The bytes of a number or BigInt, most significant first. */
exports.bytesOfInteger = function bytesOfInteger(n) {
  const hex = n.toString(16);
  return require("node:buffer").Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex");
};
