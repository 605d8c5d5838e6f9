// internal/stdio -- process.stdin, stdout and stderr, and what node:tty is made of.
//
// Writing is synchronous for files, terminals and pipes, so nothing is lost at exit. Reading is the
// loop's; while nobody reads, the stream does not keep the program alive.
//
// native: write(fd, string | bytes) throws EPIPE and the like; kind(fd) "tty" | "file" | "pipe" |
// "none"; windowSize(fd) -> [columns, rows]; readStart(fd, onData(bytes | null, error));
// readStop(fd); readRef(fd, bool); readClose(fd); setRawMode(fd, bool)
const { Readable } = require("internal/streams/readable");
const { Writable } = require("internal/streams/writable");
const { nextTick } = require("internal/tick");

exports.native = native;

// ---- Writing -----------------------------------------------------------------------------------

/** A Writable whose writes are done when they return. */
function SyncWritable(fd, options) {
  if (!(this instanceof SyncWritable)) return new SyncWritable(fd, options);
  Writable.call(this, { decodeStrings: false, autoDestroy: true, ...options });
  this.fd = fd;
  return undefined;
}
Object.setPrototypeOf(SyncWritable.prototype, Writable.prototype);
Object.setPrototypeOf(SyncWritable, Writable);

const isUtf8 = (encoding) => encoding === "utf8" || encoding === "utf-8";

SyncWritable.prototype._write = function _write(chunk, encoding, callback) {
  let data = chunk;
  if (typeof chunk === "string" && !isUtf8(encoding)) {
    data = require("node:buffer").Buffer.from(chunk, encoding);
  }
  try {
    native.write(this.fd, data);
  } catch (error) {
    callback(error);
    return;
  }
  callback();
};
exports.SyncWritable = SyncWritable;

/** The program's standard streams cannot really be closed: they come back. */
function destroyNothing(err, callback) {
  callback(err);
  this._undestroy();
  if (!this._writableState.emitClose) nextTick(() => this.emit("close"));
}

function writableOf(fd, kind) {
  if (kind === "tty") {
    const { WriteStream } = require("node:tty");
    return new WriteStream(fd);
  }
  if (kind === "none") {
    const write = (chunk, encoding, callback) => callback();
    const stream = new Writable({ write });
    stream.fd = fd;
    return stream;
  }
  return new SyncWritable(fd);
}

/** process.stdout and process.stderr */
exports.makeWritable = function makeWritable(fd) {
  const kind = native.kind(fd);
  const stream = writableOf(fd, kind);
  stream._type = kind === "file" ? "fs" : kind;
  stream._isStdio = true;
  stream.destroySoon = stream.destroy;
  stream._destroy = destroyNothing;
  return stream;
};

// ---- Reading -----------------------------------------------------------------------------------

/** A Readable over a descriptor that the loop receives from. */
function FdReadable(fd, options) {
  if (!(this instanceof FdReadable)) return new FdReadable(fd, options);
  Readable.call(this, { ...options });
  this.fd = fd;
  this.isReceiving = false;
  return undefined;
}
Object.setPrototypeOf(FdReadable.prototype, Readable.prototype);
Object.setPrototypeOf(FdReadable, Readable);

function onData(stream, bytes, error) {
  if (bytes === null) {
    stream.isReceiving = false;
    if (error) stream.destroy(error);
    else stream.push(null);
    return;
  }
  const { Buffer } = require("node:buffer");
  stream.bytesRead = (stream.bytesRead ?? 0) + bytes.length;
  const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!stream.push(chunk)) stopReceiving(stream);
}

function stopReceiving(stream) {
  if (!stream.isReceiving) return;
  stream.isReceiving = false;
  native.readStop(stream.fd);
}

FdReadable.prototype._read = function _read() {
  if (this.isReceiving) return;
  const state = this._readableState;
  if (state.isPausedByUser === true && !state.readableListening) {
    // Nobody wants it now, and reading ahead would keep the program alive.
    state.reading = false;
    return;
  }
  this.isReceiving = true;
  try {
    native.readStart(this.fd, (bytes, error) => onData(this, bytes, error));
  } catch (error) {
    this.isReceiving = false;
    this.destroy(error);
  }
};

/** A paused stream does not wait for input, so that the program may end. */
FdReadable.prototype.pause = function pause() {
  Readable.prototype.pause.call(this);
  if (this.isReceiving) {
    stopReceiving(this);
    this._readableState.reading = false;
  }
  return this;
};

FdReadable.prototype._destroy = function _destroy(err, callback) {
  this.isReceiving = false;
  native.readClose(this.fd);
  callback(err);
};

FdReadable.prototype.ref = function ref() {
  native.readRef(this.fd, true);
  return this;
};

FdReadable.prototype.unref = function unref() {
  native.readRef(this.fd, false);
  return this;
};
exports.FdReadable = FdReadable;

/** process.stdin */
exports.makeReadable = function makeReadable(fd) {
  const kind = native.kind(fd);
  if (kind === "tty") {
    const { ReadStream } = require("node:tty");
    return new ReadStream(fd);
  }
  if (kind === "none") {
    const stream = new Readable({ read() {} });
    stream.push(null);
    stream.fd = fd;
    return stream;
  }
  return new FdReadable(fd);
};
