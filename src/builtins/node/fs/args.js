// @internal
// node:fs/args -- checks and conversions of arguments (Node: lib/internal/fs/utils).
const errors = require("internal/errors");
const validators = require("internal/validators");

const { isView } = ArrayBuffer;
const kMaxLength = 2 ** 31 - 1;

// ---- Paths --------------------------------------------------------------------------------------

const isURL = (value) =>
  Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);

/** A string without NUL or a Uint8Array. */
exports.toPath = function toPath(value, name = "path") {
  const isUrl = typeof value === "object" && isURL(value);
  const path = isUrl ? require("node:url").fileURLToPath(value) : value;
  if (typeof path === "string") {
    if (!path.includes("\0")) return path;
  } else if (path instanceof Uint8Array) {
    if (!path.includes(0)) return path;
  } else {
    throw new errors.ERR_INVALID_ARG_TYPE(name, ["string", "Buffer", "URL"], value);
  }
  throw new errors.ERR_INVALID_ARG_VALUE(
    name, path, "must be a string, Uint8Array, or URL without null bytes",
  );
};

exports.toFd = function toFd(fd) {
  validators.validateInt32(fd, "fd", 0);
  return fd + 0;
};

// ---- Modes, flags, times ------------------------------------------------------------------------

const O = { RDWR: 2, WRONLY: 1, CREAT: 64, EXCL: 128, TRUNC: 512, APPEND: 1024, SYNC: 1052672 };

const kFlags = {
  __proto__: null,
  r: 0,
  rs: O.SYNC,
  sr: O.SYNC,
  "r+": O.RDWR,
  "rs+": O.RDWR | O.SYNC,
  "sr+": O.RDWR | O.SYNC,
  w: O.TRUNC | O.CREAT | O.WRONLY,
  wx: O.TRUNC | O.CREAT | O.WRONLY | O.EXCL,
  xw: O.TRUNC | O.CREAT | O.WRONLY | O.EXCL,
  "w+": O.TRUNC | O.CREAT | O.RDWR,
  "wx+": O.TRUNC | O.CREAT | O.RDWR | O.EXCL,
  "xw+": O.TRUNC | O.CREAT | O.RDWR | O.EXCL,
  a: O.APPEND | O.CREAT | O.WRONLY,
  ax: O.APPEND | O.CREAT | O.WRONLY | O.EXCL,
  xa: O.APPEND | O.CREAT | O.WRONLY | O.EXCL,
  as: O.APPEND | O.CREAT | O.WRONLY | O.SYNC,
  sa: O.APPEND | O.CREAT | O.WRONLY | O.SYNC,
  "a+": O.APPEND | O.CREAT | O.RDWR,
  "ax+": O.APPEND | O.CREAT | O.RDWR | O.EXCL,
  "xa+": O.APPEND | O.CREAT | O.RDWR | O.EXCL,
  "as+": O.APPEND | O.CREAT | O.RDWR | O.SYNC,
  "sa+": O.APPEND | O.CREAT | O.RDWR | O.SYNC,
};

exports.toFlags = function toFlags(flags, name = "flags") {
  if (typeof flags === "number") {
    validators.validateInt32(flags, name);
    return flags;
  }
  if (flags === undefined || flags === null) return 0;
  const number = kFlags[flags];
  if (number === undefined) throw new errors.ERR_INVALID_ARG_VALUE(name, flags);
  return number;
};

exports.toMode = function toMode(value, name, otherwise) {
  const mode = value ?? otherwise;
  if (typeof mode === "string") {
    if (!/^[0-7]+$/.test(mode)) {
      throw new errors.ERR_INVALID_ARG_VALUE(
        name, value, "must be a 32-bit unsigned integer or an octal string",
      );
    }
    return Number.parseInt(mode, 8);
  }
  validators.validateUint32(mode, name);
  return mode;
};

/** The mode of access() and copyFile(): bits 0 to 7. */
exports.toBits = function toBits(mode) {
  if (mode === undefined || mode === null) return 0;
  validators.validateInteger(mode, "mode", 0, 7);
  return mode;
};

exports.toSeconds = function toSeconds(time, name = "time") {
  // eslint-disable-next-line eqeqeq -- "12" is a time, "a" is none
  if (typeof time === "string" && +time == time) return +time;
  if (Number.isFinite(time)) return time < 0 ? Date.now() / 1000 : time;
  if (time instanceof Date) return time.getTime() / 1000;
  throw new errors.ERR_INVALID_ARG_TYPE(name, ["Date", "Time in seconds"], time);
};

exports.toId = function toId(id, name) {
  validators.validateInteger(id, name, -1, 4294967295);
  return id;
};

// ---- Options ------------------------------------------------------------------------------------

function checkEncoding(encoding) {
  if (!encoding || encoding === "buffer" || encoding === "utf8") return;
  const { Buffer } = require("node:buffer");
  if (Buffer.isEncoding(encoding)) return;
  throw new errors.ERR_INVALID_ARG_VALUE("encoding", encoding, "is invalid encoding");
}

const kNoOptions = Object.freeze({ __proto__: null });

/** An object of options: a string is an encoding. */
exports.toOptions = function toOptions(options, otherwise = kNoOptions) {
  if (options === undefined || options === null || typeof options === "function") return otherwise;
  let result = options;
  if (typeof options === "string") result = { __proto__: otherwise, encoding: options };
  else if (typeof options !== "object") {
    throw new errors.ERR_INVALID_ARG_TYPE("options", ["string", "Object"], options);
  }
  checkEncoding(result.encoding);
  if (result.signal !== undefined) validators.validateAbortSignal(result.signal, "options.signal");
  return result;
};

exports.checkSignal = function checkSignal(signal) {
  if (signal?.aborted) throw new errors.AbortError(undefined, { cause: signal.reason });
};

// ---- Bytes --------------------------------------------------------------------------------------

exports.checkView = function checkView(value, name = "buffer") {
  if (isView(value)) return;
  throw new errors.ERR_INVALID_ARG_TYPE(name, ["Buffer", "TypedArray", "DataView"], value);
};

exports.checkViews = function checkViews(list) {
  if (!Array.isArray(list) || !list.every(isView)) {
    throw new errors.ERR_INVALID_ARG_TYPE("buffers", "ArrayBufferView[]", list);
  }
};

exports.checkReadRange = function checkReadRange(offset, length, size) {
  if (offset < 0) throw new errors.ERR_OUT_OF_RANGE("offset", ">= 0", offset);
  if (length < 0) throw new errors.ERR_OUT_OF_RANGE("length", ">= 0", length);
  if (offset + length > size) {
    throw new errors.ERR_OUT_OF_RANGE("length", `<= ${size - offset}`, length);
  }
};

exports.checkWriteRange = function checkWriteRange(offset, length, size) {
  if (offset > size) throw new errors.ERR_OUT_OF_RANGE("offset", `<= ${size}`, offset);
  if (length > size - offset) {
    throw new errors.ERR_OUT_OF_RANGE("length", `<= ${size - offset}`, length);
  }
  if (length < 0) throw new errors.ERR_OUT_OF_RANGE("length", ">= 0", length);
  validators.validateInt32(length, "length", 0, kMaxLength);
};

/** -1 for "where the file is". */
exports.toPosition = function toPosition(position, length) {
  if (position === undefined || position === null) return -1;
  if (typeof position === "number") {
    validators.validateInteger(position, "position", -1);
    return position;
  }
  if (typeof position !== "bigint") {
    throw new errors.ERR_INVALID_ARG_TYPE("position", ["integer", "bigint"], position);
  }
  const max = 2n ** 63n - 1n - BigInt(length);
  if (position < -1n || position > max) {
    throw new errors.ERR_OUT_OF_RANGE("position", `>= -1 && <= ${max}`, position);
  }
  return position;
};

const isBuffer = (v) => v instanceof ArrayBuffer || v instanceof SharedArrayBuffer;

/** What writeFile may be given: bytes, or a string in some encoding. */
exports.toData = function toData(data, encoding, name = "data") {
  if (isView(data)) return data;
  if (isBuffer(data)) return new Uint8Array(data); // Bun takes them, too
  if (typeof data !== "string") {
    const types = ["string", "Buffer", "TypedArray", "DataView"];
    throw new errors.ERR_INVALID_ARG_TYPE(name, types, data);
  }
  if (!encoding || encoding === "utf8" || encoding === "utf-8") return data;
  return require("node:buffer").Buffer.from(data, encoding);
};

/** A Buffer over the same bytes. */
exports.toBuffer = function toBuffer(bytes) {
  return require("node:buffer").Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
};

/** A name that came as bytes when `isBytes(encoding)`, as a string otherwise. */
exports.isBytes = (encoding) =>
  encoding !== undefined && encoding !== null && encoding !== "utf8" && encoding !== "utf-8";
exports.toName = function toName(value, encoding) {
  if (typeof value === "string" || value === undefined) return value;
  const buffer = exports.toBuffer(value);
  return encoding === "buffer" ? buffer : buffer.toString(encoding);
};

exports.toCallback = function toCallback(callback) {
  validators.validateFunction(callback, "cb");
  return require("internal/tick").inContext(callback);
};
