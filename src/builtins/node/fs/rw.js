// @internal
// node:fs/rw -- read and write by descriptor, in three forms.
const binding = require("node:fs/binding");
const args = require("node:fs/args");
const { validateInteger, validateObject } = require("internal/validators");

const { isView } = ArrayBuffer;
const kNoOptions = { __proto__: null };

/** [bytes, offset, length, position] from the many ways to say it. */
function readRange(buffer, offsetOrOptions, length, position, isPositional) {
  args.checkView(buffer);
  let offset = offsetOrOptions;
  let size = length;
  let at = position;
  if (!isPositional || (offset !== null && typeof offset === "object")) {
    if (offset !== undefined) validateObject(offset, "options", { nullable: true });
    ({
      offset = 0,
      length: size = buffer.byteLength - offset,
      position: at = null,
    } = offset ?? kNoOptions);
  }
  if (offset === undefined || offset === null) offset = 0;
  else validateInteger(offset, "offset", 0);
  size |= 0;
  if (size === 0) return [buffer, 0, 0, -1];
  if (buffer.byteLength === 0) {
    const { ERR_INVALID_ARG_VALUE } = require("internal/errors");
    throw new ERR_INVALID_ARG_VALUE("buffer", buffer, "is empty and cannot be written");
  }
  args.checkReadRange(offset, size, buffer.byteLength);
  return [buffer, offset, size, args.toPosition(at, size)];
}

exports.readSync = function readSync(fd, buffer, offsetOrOptions, length, position) {
  const file = args.toFd(fd);
  const r = readRange(buffer, offsetOrOptions, length, position, arguments.length > 3);
  return r[2] === 0 ? 0 : binding.read(undefined, file, r[0], r[1], r[2], r[3]);
};

/** What read() may be called with: the callback is the last one. */
function readForm(list) {
  const { 0: buffer, 1: offset, 2: length, 3: position } = list;
  const isShort = list.length <= 1;
  if (isShort && (buffer === undefined || buffer === null || !isView(buffer))) {
    const { Buffer } = require("node:buffer");
    const options = buffer ?? kNoOptions;
    validateObject(options, "options");
    return readRange(options.buffer ?? Buffer.alloc(16384), options, undefined, undefined, false);
  }
  return readRange(buffer, offset, length, position, list.length > 2);
}

function splitCallback(list) {
  const last = list.length - 1;
  return [args.toCallback(list[last]), list.slice(0, last)];
}

exports.read = function read(fd, buffer, offsetOrOptions, length, position, callback) {
  const file = args.toFd(fd);
  const { 0: done, 1: rest } = splitCallback(Array.prototype.slice.call(arguments, 1));
  void [buffer, offsetOrOptions, length, position, callback];
  const r = readForm(rest);
  if (r[2] === 0) {
    require("internal/tick").nextTick(() => done(null, 0, r[0]));
    return;
  }
  binding.read((error, n) => done(error, n || 0, r[0]), file, r[0], r[1], r[2], r[3]);
};

/** [bytes, offset, length, position] of what is to be written. */
function writeRange(buffer, offsetOrOptions, length, position) {
  if (!isView(buffer)) return writeText(buffer, offsetOrOptions, length);
  let offset = offsetOrOptions;
  let size = length;
  let at = position;
  if (typeof offset === "object" && offset !== null) {
    ({
      offset = 0,
      length: size = buffer.byteLength - offset,
      position: at = null,
    } = offset);
  }
  if (offset === undefined || offset === null) offset = 0;
  else validateInteger(offset, "offset", 0);
  if (typeof size !== "number") size = buffer.byteLength - offset;
  args.checkWriteRange(offset, size, buffer.byteLength);
  return [buffer, offset, size, typeof at === "number" || typeof at === "bigint" ? at : -1];
}

function writeText(text, position, encoding) {
  if (typeof text !== "string") {
    const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
    throw new ERR_INVALID_ARG_TYPE("buffer", ["string", "Buffer", "TypedArray", "DataView"], text);
  }
  const { Buffer } = require("node:buffer");
  const at = typeof position === "number" || typeof position === "bigint" ? position : -1;
  const bytes = Buffer.from(text, encoding ?? "utf8");
  return [bytes, 0, bytes.byteLength, at];
}

exports.writeSync = function writeSync(fd, buffer, offsetOrOptions, length, position) {
  const file = args.toFd(fd);
  const r = writeRange(buffer, offsetOrOptions, length, position);
  return binding.write(undefined, file, r[0], r[1], r[2], r[3]);
};

exports.write = function write(fd, buffer, offsetOrOptions, length, position, callback) {
  const file = args.toFd(fd);
  const list = Array.prototype.slice.call(arguments, 1);
  void [offsetOrOptions, length, position, callback];
  const at = list.findLastIndex((value, i) => i > 0 && typeof value === "function");
  const done = args.toCallback(at < 0 ? list[4] : list[at]);
  const r = Reflect.apply(writeRange, undefined, list.slice(0, at));
  binding.write((error, n) => done(error, n || 0, buffer), file, r[0], r[1], r[2], r[3]);
};

// ---- Several buffers ----------------------------------------------------------------------------

const positionOf = (position) => (typeof position === "number" ? position : -1);

function makeVectored(operation, name) {
  const sync = {
    [`${name}Sync`](fd, buffers, position) {
      const file = args.toFd(fd);
      args.checkViews(buffers);
      if (buffers.length === 0) return 0;
      return binding[operation](undefined, file, buffers, positionOf(position));
    },
  }[`${name}Sync`];
  const later = {
    [name](fd, buffers, position, callback) {
      const file = args.toFd(fd);
      args.checkViews(buffers);
      const done = args.toCallback(callback ?? position);
      if (buffers.length === 0) {
        require("internal/tick").nextTick(() => done(null, 0, buffers));
        return;
      }
      binding[operation](
        (error, n) => done(error, n || 0, buffers), file, buffers, positionOf(position),
      );
    },
  }[name];
  exports[`${name}Sync`] = sync;
  exports[name] = later;
}
makeVectored("readv", "readv");
makeVectored("writev", "writev");

exports.readForm = readForm;
exports.writeRange = writeRange;
