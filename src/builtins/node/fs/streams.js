// @internal
// node:fs/streams -- ReadStream and WriteStream (Node: fs.ReadStream, fs.WriteStream) and what
// FileHandle has of streams.
//
// The functions that do the work are those of node:fs as they are when the stream is made (programs
// replace them), those of the option `fs`, or a FileHandle's.
const errors = require("internal/errors");
const {
  validateAbortSignal, validateBoolean, validateFunction, validateInteger,
} = require("internal/validators");
const { nextTick } = require("internal/tick");
const { Readable } = require("internal/streams/readable");
const { Writable } = require("internal/streams/writable");
const { errorOrDestroy } = require("internal/streams/destroy");
const { eos } = require("internal/streams/end_of_stream");
const { toPath } = require("node:fs/args");

const kFs = Symbol("kFs");
const kHandle = Symbol("kHandle");
const kIsBusy = Symbol("kIsPerformingIO");
const kIoDone = Symbol("kIoDone");
const kRetriesMax = 5;

const publicFs = () => require("node:fs");

// ---- Options -----------------------------------------------------------------------------------

function toOptions(options) {
  if (options === undefined || options === null || typeof options === "function") return {};
  if (typeof options === "string") return { encoding: options };
  if (typeof options !== "object") {
    throw new errors.ERR_INVALID_ARG_TYPE("options", ["string", "Object"], options);
  }
  const copy = {};
  // With what they inherit.
  for (const key in options) copy[key] = options[key];
  return copy;
}

function checkEncoding(encoding) {
  if (!encoding || encoding === "buffer") return;
  if (!require("node:buffer").Buffer.isEncoding(encoding)) {
    throw new errors.ERR_INVALID_ARG_VALUE("encoding", encoding, "is invalid encoding");
  }
}

/** The functions of a FileHandle in the form of those of node:fs. */
function handleFs(handle) {
  const after = (promise, cb, parts) => {
    promise.then((r) => cb(null, ...parts(r)), (err) => cb(err));
  };
  return {
    open: (path, flags, mode, cb) => cb(new errors.ERR_METHOD_NOT_IMPLEMENTED("open()")),
    close: (fd, cb) => {
      handle.close().then(() => cb(), cb);
    },
    fsync: (fd, cb) => {
      handle.sync().then(() => cb(), cb);
    },
    read: (fd, buf, offset, length, pos, cb) =>
      after(handle.read(buf, offset, length, pos), cb, (r) => [r.bytesRead, r.buffer]),
    write: (fd, buf, offset, length, pos, cb) =>
      after(handle.write(buf, offset, length, pos), cb, (r) => [r.bytesWritten, r.buffer]),
    writev: (fd, buffers, pos, cb) =>
      after(handle.writev(buffers, pos), cb, (r) => [r.bytesWritten, r.buffers]),
  };
}

/** Takes the descriptor that the options give. */
function importFd(stream, options) {
  const { fd } = options;
  if (typeof fd === "number") {
    validateInteger(fd, "fd", 0, 2147483647);
    stream[kFs] = options.fs || publicFs();
    return fd;
  }
  if (typeof fd === "object" && fd !== null && typeof fd.fd === "number" && fd.readLines) {
    if (options.fs) throw new errors.ERR_METHOD_NOT_IMPLEMENTED("FileHandle with fs");
    validateAbortSignal(options.signal, "options.signal");
    stream[kHandle] = fd;
    stream[kFs] = handleFs(fd);
    fd.on("close", () => stream.close());
    return fd.fd;
  }
  throw new errors.ERR_INVALID_ARG_TYPE("options.fd", ["number", "FileHandle"], fd);
}

function importPath(stream, path, options, flags) {
  stream.fd = null;
  stream[kFs] = options.fs || publicFs();
  validateFunction(stream[kFs].open, "options.fs.open");
  stream.path = path instanceof URL ? toPath(path) : path;
  stream.flags = options.flags === undefined ? flags : options.flags;
  stream.mode = options.mode === undefined ? 0o666 : options.mode;
  toPath(stream.path);
}

// ---- Opening and closing -----------------------------------------------------------------------

function openNow() {
  // Kept for programs that replace it; see construct.
}

function construct(callback) {
  if (typeof this.fd === "number") {
    callback();
    return;
  }
  if (this.open !== openNow) {
    constructByOpen(this, callback);
    return;
  }
  this[kFs].open(this.path, this.flags, this.mode, (err, fd) => {
    if (err) {
      callback(err);
      return;
    }
    this.fd = fd;
    callback();
    this.emit("open", fd);
    this.emit("ready");
  });
}

/** A program has put an open() of its own in place: it tells by 'open' or 'error'. */
function constructByOpen(stream, callback) {
  const { emit } = stream;
  stream.emit = function (...args) {
    if (args[0] === "open") {
      this.emit = emit;
      callback();
      return Reflect.apply(emit, this, args);
    }
    if (args[0] === "error") {
      this.emit = emit;
      callback(args[1]);
      return true;
    }
    return Reflect.apply(emit, this, args);
  };
  stream.open();
}

function closeFd(stream, err, cb) {
  stream[kFs].close(stream.fd, (closeError) => cb(closeError || err));
  stream.fd = null;
}

function close(stream, err, cb) {
  if (!stream.fd) {
    cb(err);
  } else if (stream.flush) {
    stream[kFs].fsync(stream.fd, (flushError) => closeFd(stream, err || flushError, cb));
  } else {
    closeFd(stream, err, cb);
  }
}

/** Closes when no operation is under way. */
function destroy(err, cb) {
  if (this[kIsBusy]) this.once(kIoDone, (ioError) => close(this, err || ioError, cb));
  else close(this, err, cb);
}

// ---- Reading -----------------------------------------------------------------------------------

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, options);
  const given = toOptions(options);
  checkEncoding(given.encoding);
  given.highWaterMark ??= 64 * 1024;
  if (given.fd === undefined || given.fd === null) importPath(this, path, given, "r");
  else this.fd = importFd(this, given);
  given.autoDestroy = given.autoClose === undefined ? true : given.autoClose;
  validateFunction(this[kFs].read, "options.fs.read");
  if (given.autoDestroy) validateFunction(this[kFs].close, "options.fs.close");
  this.start = given.start;
  this.end = given.end ?? Infinity;
  this.pos = undefined;
  this.bytesRead = 0;
  this[kIsBusy] = false;
  checkRange(this);
  Readable.call(this, given);
  if (given.encoding) this.setEncoding(given.encoding);
  return undefined;
}
Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(ReadStream, Readable);

function checkRange(stream) {
  const { start, end } = stream;
  if (start !== undefined) {
    validateInteger(start, "start", 0);
    stream.pos = start;
  }
  if (end === Infinity) return;
  validateInteger(end, "end", 0);
  if (start !== undefined && start > end) {
    throw new errors.ERR_OUT_OF_RANGE("start", `<= "end" (here: ${end})`, start);
  }
}

ReadStream.prototype.open = openNow;
ReadStream.prototype._construct = construct;

ReadStream.prototype._read = function _read(n) {
  const { pos, end } = this;
  const size = Math.min(end - (pos !== undefined ? pos : this.bytesRead) + 1, n);
  if (size <= 0) {
    this.push(null);
    return;
  }
  const buf = require("node:buffer").Buffer.allocUnsafeSlow(size);
  this[kIsBusy] = true;
  this[kFs].read(this.fd, buf, 0, size, pos, (err, bytesRead, buffer) => {
    this[kIsBusy] = false;
    // Whoever destroyed the stream meanwhile waits for this.
    if (this.destroyed) this.emit(kIoDone, err);
    else if (err) errorOrDestroy(this, err);
    else gotBytes(this, bytesRead, buffer);
  });
};

function gotBytes(stream, bytesRead, buffer) {
  if (bytesRead <= 0) {
    stream.push(null);
    return;
  }
  if (stream.pos !== undefined) stream.pos += bytesRead;
  stream.bytesRead += bytesRead;
  if (bytesRead === buffer.length) {
    stream.push(buffer);
    return;
  }
  // A copy, so that a few bytes do not hold on to much memory.
  stream.push(require("node:buffer").Buffer.from(buffer.subarray(0, bytesRead)));
}

ReadStream.prototype._destroy = destroy;
ReadStream.prototype.close = function (callback) {
  if (typeof callback === "function") eos(this, callback);
  this.destroy();
};

// ---- Writing -----------------------------------------------------------------------------------

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  const given = toOptions(options);
  checkEncoding(given.encoding);
  given.decodeStrings = true;
  if (given.fd === undefined || given.fd === null) importPath(this, path, given, "w");
  else this.fd = importFd(this, given);
  given.autoDestroy = given.autoClose === undefined ? true : given.autoClose;
  checkWriteFs(this[kFs], given.autoDestroy);
  if (given.flush !== undefined && given.flush !== null) {
    validateBoolean(given.flush, "options.flush");
  }
  this.flush = given.flush || false;
  this.start = given.start;
  this.pos = undefined;
  this.bytesWritten = 0;
  this[kIsBusy] = false;
  // What the functions cannot do, the stream must not try.
  if (!this[kFs].write) this._write = null;
  if (!this[kFs].writev) this._writev = null;
  if (this.start !== undefined) {
    validateInteger(this.start, "start", 0);
    this.pos = this.start;
  }
  Writable.call(this, given);
  if (given.encoding) this.setDefaultEncoding(given.encoding);
  return undefined;
}
Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(WriteStream, Writable);

function checkWriteFs(fs, autoDestroy) {
  if (!fs.write && !fs.writev) {
    throw new errors.ERR_INVALID_ARG_TYPE("options.fs.write", "function", fs.write);
  }
  if (fs.write) validateFunction(fs.write, "options.fs.write");
  if (fs.writev) validateFunction(fs.writev, "options.fs.writev");
  if (autoDestroy) validateFunction(fs.close, "options.fs.close");
}

WriteStream.prototype.open = openNow;
WriteStream.prototype._construct = construct;

/**
 * After one write of `job` ({ rest, size, pos, retries }): the next by `again(written)`, until
 * everything is there.
 */
function afterWrite(stream, job, name, err, n, again, cb) {
  const isAgain = err?.code === "EAGAIN";
  const written = isAgain ? 0 : n;
  if (stream.destroyed || (err && !isAgain)) {
    cb((isAgain ? null : err) || new errors.ERR_STREAM_DESTROYED(name));
    return;
  }
  stream.bytesWritten += written;
  job.retries = written ? 0 : job.retries + 1;
  job.size -= written;
  if (job.pos !== undefined) job.pos += written;
  if (job.retries > kRetriesMax) cb(new Error(`${name} failed`));
  else if (job.size > 0) again(written);
  else cb();
}

function writeAll(stream, job, cb) {
  stream[kFs].write(stream.fd, job.rest, 0, job.size, job.pos, (err, n, buffer) => {
    const again = (written) => {
      job.rest = buffer.subarray(written);
      writeAll(stream, job, cb);
    };
    afterWrite(stream, job, "write", err, n, again, cb);
  });
}

function start(stream, data, size, write, cb) {
  stream[kIsBusy] = true;
  const job = { rest: data, size, pos: stream.pos, retries: 0 };
  write(stream, job, (err) => {
    stream[kIsBusy] = false;
    cb(err);
    if (stream.destroyed) stream.emit(kIoDone, err);
  });
  if (stream.pos !== undefined) stream.pos += size;
}

WriteStream.prototype._write = function _write(data, encoding, cb) {
  start(this, data, data.length, writeAll, cb);
};

/** The buffers behind the first n bytes. */
function skip(buffers, n) {
  let rest = n;
  let i = 0;
  while (i < buffers.length && rest >= buffers[i].byteLength) rest -= buffers[i++].byteLength;
  const left = buffers.slice(i);
  if (rest > 0) left[0] = left[0].subarray(rest);
  return left;
}

function writevAll(stream, job, cb) {
  stream[kFs].writev(stream.fd, job.rest, job.pos ?? null, (err, n, buffers) => {
    const again = (written) => {
      job.rest = skip(buffers, written);
      writevAll(stream, job, cb);
    };
    afterWrite(stream, job, "writev", err, n, again, cb);
  });
}

WriteStream.prototype._writev = function _writev(data, cb) {
  const chunks = data.map(({ chunk }) => chunk);
  let size = 0;
  for (const chunk of chunks) size += chunk.length;
  start(this, chunks, size, writevAll, cb);
};

WriteStream.prototype._destroy = destroy;

WriteStream.prototype.close = function (callback) {
  if (callback) {
    if (this.closed) {
      nextTick(callback);
      return;
    }
    this.on("close", callback);
  }
  // Without autoClose nobody destroys the stream at its end.
  if (!this.autoClose) this.on("finish", this.destroy);
  this.end();
};
WriteStream.prototype.destroySoon = WriteStream.prototype.end;

// ---- Accessors ---------------------------------------------------------------------------------

const kStates = [[ReadStream, "_readableState"], [WriteStream, "_writableState"]];
for (let i = 0; i < kStates.length; i++) {
  const { 0: Class, 1: key } = kStates[i];
  Object.defineProperties(Class.prototype, {
    autoClose: {
      __proto__: null,
      enumerable: false,
      configurable: true,
      get() {
        return this[key].autoDestroy;
      },
      set(value) {
        this[key].autoDestroy = value;
      },
    },
    pending: {
      __proto__: null,
      configurable: true,
      get() {
        return this.fd === null;
      },
    },
  });
}

exports.createReadStream = function createReadStream(path, options) {
  return new ReadStream(path, options);
};
exports.createWriteStream = function createWriteStream(path, options) {
  return new WriteStream(path, options);
};
exports.ReadStream = ReadStream;
exports.WriteStream = WriteStream;
exports.FileReadStream = ReadStream;
exports.FileWriteStream = WriteStream;

// ---- FileHandle --------------------------------------------------------------------------------

/** FileHandle.readLines() */
exports.readLines = function readLines(handle, options) {
  const { createInterface } = require("node:readline");
  const input = handle.createReadStream(options);
  return createInterface({ input, crlfDelay: Infinity });
};

class HandleSource {
  constructor(handle, { autoClose }) {
    this.handle = handle;
    this.autoClose = autoClose;
  }

  pull(sink) {
    const bytes = new Uint8Array(64 * 1024);
    this.handle.read(bytes, 0, bytes.length, null).then(
      ({ bytesRead }) => {
        if (bytesRead > 0) {
          sink.push(bytesRead === bytes.length ? bytes : bytes.slice(0, bytesRead));
          return;
        }
        sink.close();
        this.end();
      },
      (err) => {
        sink.error(err);
        this.end();
      },
    );
  }

  cancel() {
    return this.end();
  }

  end() {
    return this.autoClose ? this.handle.close() : undefined;
  }
}

const webStreams = new WeakSet();

/** FileHandle.readableWebStream() */
exports.readableWebStream = function readableWebStream(handle, options = {}) {
  if (handle.fd === -1) throw new errors.ERR_INVALID_STATE("The FileHandle is closed");
  if (webStreams.has(handle)) throw new errors.ERR_INVALID_STATE("The FileHandle is locked");
  const { autoClose = false } = options;
  validateBoolean(autoClose, "options.autoClose");
  if (options.type !== undefined && options.type !== "bytes") {
    process.emitWarning(
      'A non-"bytes" options.type has no effect. A byte-oriented steam is always created.',
      "ExperimentalWarning",
    );
  }
  webStreams.add(handle);
  const { makeSink } = require("web/streams/source");
  const sink = makeSink(new HandleSource(handle, { autoClose }));
  handle.once("close", () => sink.close());
  return sink.rs.stream;
};
