// @internal
// node:net/socket -- net.Socket: a Duplex over a Handle of internal/sockets (Node: net.Socket).
const { Duplex } = require("internal/streams/duplex");
const { nextTick } = require("internal/tick");
const { Handle } = require("internal/sockets");
const errors = require("internal/errors");
const { errnoException } = require("internal/errors/system");
const { validateAbortSignal, validateFunction, validateNumber, validateObject, validateInt32 } =
  require("internal/validators");
const { normalizeArgs, normalized } = require("node:net/args");

const kBytesRead = Symbol("kBytesRead");
const kBytesWritten = Symbol("kBytesWritten");
const kTimeout = Symbol("timeout");
const kOnread = Symbol("onread");
const kNoDelay = Symbol("noDelay");
const kKeepAlive = Symbol("keepAlive");
const kKeepAliveDelay = Symbol("keepAliveDelay");
const kTos = Symbol("typeOfService");
const kFinal = Symbol("final");
const TIMEOUT_MAX = 2 ** 31 - 1;
const noop = () => {};

let bufferProto;

/** Bytes from C are plain arrays; programs expect Buffers. */
function asBuffer(bytes) {
  bufferProto ??= require("node:buffer").Buffer.prototype;
  return Object.setPrototypeOf(bytes, bufferProto);
}

function checkOptions(options) {
  const modes = ["objectMode", "readableObjectMode", "writableObjectMode"];
  for (let i = 0; i < modes.length; i++) {
    const name = modes[i];
    if (options[name]) {
      throw new errors.ERR_INVALID_ARG_VALUE(`options.${name}`, options[name], "is not supported");
    }
  }
  if (options.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, "options.keepAliveInitialDelay");
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
  validateAbortSignal(options.signal, "options.signal");
}

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  if (typeof options === "number") options = { fd: options };
  else options = { ...options };
  checkOptions(options);

  this.connecting = false;
  this._hadError = false;
  this._parent = null;
  this._host = null;
  this._pendingData = null;
  this._pendingEncoding = "";
  this[kTimeout] = null;
  this[kOnread] = null;
  this[kBytesRead] = 0;
  this[kBytesWritten] = 0;
  this._handle = null;

  options.allowHalfOpen = Boolean(options.allowHalfOpen);
  // 'close' is emitted by the handle's closing.
  options.emitClose = false;
  options.autoDestroy = true;
  options.decodeStrings = false;
  const { signal } = options;
  options.signal = undefined;
  Duplex.call(this, options);

  this[kNoDelay] = Boolean(options.noDelay);
  this[kKeepAlive] = Boolean(options.keepAlive);
  this[kKeepAliveDelay] = ~~(options.keepAliveInitialDelay / 1000);
  this[kTos] = undefined;
  this.server = null;
  this._server = null;
  this.on("end", onReadableStreamEnd);
  takeHandle(this, options);
  takeOnread(this, options.onread);
  startReading(this, options);
  if (signal !== undefined) abortBy(this, signal);
}
Object.setPrototypeOf(Socket.prototype, Duplex.prototype);
Object.setPrototypeOf(Socket, Duplex);

function takeHandle(socket, options) {
  if (options.handle) {
    socket._handle = options.handle;
    socket._handle.owner = socket;
  } else if (options.fd !== undefined) {
    const { fd } = options;
    validateInt32(fd, "fd", 0);
    const handle = new Handle("Pipe", socket);
    const rc = handle.open(fd);
    if (rc !== 0) throw errnoException(rc, "open");
    socket._handle = handle;
  }
}

function takeOnread(socket, onread) {
  if (onread === null || typeof onread !== "object") return;
  const isBytes = (x) => x instanceof Uint8Array;
  if (!(isBytes(onread.buffer) || typeof onread.buffer === "function")) return;
  if (typeof onread.callback !== "function") return;
  const make = typeof onread.buffer === "function" ? onread.buffer : null;
  socket[kOnread] = { callback: onread.callback, make, buffer: make ? make() : onread.buffer };
}

function startReading(socket, options) {
  if (!socket._handle || options.readable === false) return;
  if (options.pauseOnCreate) {
    socket._handle.reading = false;
    socket._handle.readStop();
    socket.readableFlowing = false;
  } else if (!options.manualStart) {
    socket.read(0);
  }
}

function abortBy(socket, signal) {
  const abort = () => socket.destroy(new errors.AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) nextTick(abort);
  else require("internal/util/abort_listener").onAbort(signal, abort);
}

// ---- Events of the handle

Socket.prototype.onOpen = function onOpen(handle) {
  require("node:net/connect").afterConnect(this, handle, 0);
};

Socket.prototype.onData = function onData(bytes, handle) {
  if (this.destroyed) return;
  this._unrefTimer();
  if (this[kOnread] !== null) {
    fillOnread(this, this[kOnread], bytes);
  } else if (!this.push(asBuffer(bytes)) && this._handle === handle) {
    handle.readStop();
  }
};

function fillOnread(socket, onread, bytes) {
  for (let at = 0; at < bytes.length; ) {
    const target = onread.buffer;
    const n = Math.min(target.length, bytes.length - at);
    if (n === 0) return;
    target.set(bytes.subarray(at, at + n));
    at += n;
    const result = onread.callback(n, target);
    if (onread.make !== null) onread.buffer = onread.make();
    if (result === false && socket._handle) socket._handle.readStop();
  }
}

Socket.prototype.onEnd = function onEnd(handle) {
  if (this.destroyed) return;
  handle.reading = false;
  if (this._readableState.endEmitted) {
    if (this.writableFinished || this._writableState.finished) this.destroy();
    return;
  }
  this.push(null);
  this.read(0);
};

Socket.prototype.onFinish = function onFinish() {
  const callback = this[kFinal];
  this[kFinal] = null;
  callback?.();
};

Socket.prototype.onError = function onError(error, handle) {
  if (this.connecting) {
    require("node:net/connect").afterConnect(this, handle, error);
    return;
  }
  const syscall = handle.waiting !== null || this[kFinal] ? "write" : "read";
  const err = typeof error === "number" ? errnoException(error, syscall) : error;
  const waiting = handle.waiting;
  handle.waiting = null;
  if (waiting !== null) waiting(err);
  const final = this[kFinal];
  this[kFinal] = null;
  final?.(err);
  this.destroy(err);
};

Socket.prototype.onClose = function onClose(handle) {
  handle.isClosed = true;
  const done = handle.closed;
  if (done !== undefined) done();
};

Socket.prototype.onTls = noop;

// ---- The stream

function onReadableStreamEnd() {
  if (!this.allowHalfOpen) this.write = writeAfterFIN;
}

function writeAfterFIN(chunk, encoding, callback) {
  if (!this.writableEnded) return Duplex.prototype.write.call(this, chunk, encoding, callback);
  if (typeof encoding === "function") callback = encoding;
  const err = errors.genericNodeError("This socket has been ended by the other party", {
    code: "EPIPE",
  });
  if (typeof callback === "function") nextTick(callback, err);
  this.destroy(err);
  return false;
}

Socket.prototype._read = function _read() {
  if (this.connecting || !this._handle) {
    this.once("connect", () => this._read());
  } else if (!this._handle.reading) {
    this._handle.readStart();
  }
};

Socket.prototype.pause = function pause() {
  if (this[kOnread] !== null && !this.connecting && this._handle?.reading) this._handle.readStop();
  return Duplex.prototype.pause.call(this);
};

Socket.prototype.resume = function resume() {
  if (this[kOnread] !== null && !this.connecting && this._handle && !this._handle.reading) {
    this._handle.readStart();
  }
  return Duplex.prototype.resume.call(this);
};

Socket.prototype.read = function read(n) {
  if (this[kOnread] !== null && !this.connecting && this._handle && !this._handle.reading) {
    this._handle.readStart();
  }
  return Duplex.prototype.read.call(this, n);
};

const isLatin1 = (encoding) => encoding === "latin1" || encoding === "binary";

function isPlainText(encoding) {
  return encoding === "utf8" || encoding === "utf-8" || !encoding || isLatin1(encoding);
}

/** Writes as far as there is room; `callback` comes when there is some again. */
function writeTo(socket, chunk, encoding, callback) {
  const handle = socket._handle;
  if (!handle) {
    callback(new errors.ERR_SOCKET_CLOSED());
    return;
  }
  if (handle.isClosed) {
    callback(errnoException(-9, "write"));
    return;
  }
  socket._unrefTimer();
  let data = chunk;
  if (typeof chunk === "string" && !isPlainText(encoding)) {
    data = require("node:buffer").Buffer.from(chunk, encoding);
  }
  const done = (err) => {
    if (!err) socket._unrefTimer();
    callback(err ?? null);
  };
  if (handle.write(data, isLatin1(encoding), done)) callback(null);
}

/** `action` once connected; `callback` with an error when it is closed before. */
function whenConnected(socket, action, callback) {
  const onClose = () => callback(new errors.ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
  socket.once("connect", function connect() {
    socket.off("close", onClose);
    action();
  });
  socket.once("close", onClose);
}

Socket.prototype._write = function _write(chunk, encoding, callback) {
  if (this.connecting) {
    this._pendingData = chunk;
    this._pendingEncoding = encoding;
    whenConnected(this, () => this._write(chunk, encoding, callback), callback);
    return;
  }
  this._pendingData = null;
  this._pendingEncoding = "";
  writeTo(this, chunk, encoding, callback);
};

Socket.prototype._writev = function _writev(chunks, callback) {
  if (this.connecting) {
    this._pendingData = chunks;
    whenConnected(this, () => this._writev(chunks, callback), callback);
    return;
  }
  this._pendingData = null;
  const last = chunks.length - 1;
  for (let i = 0; i < last && this._handle; i++) {
    writeTo(this, chunks[i].chunk, chunks[i].encoding, noop);
  }
  writeTo(this, chunks[last].chunk, chunks[last].encoding, callback);
};

Socket.prototype._final = function _final(callback) {
  if (this.connecting) {
    this.once("connect", () => this._final(callback));
    return;
  }
  if (!this._handle) {
    callback();
    return;
  }
  this[kFinal] = callback;
  if (!this._handle.end()) return;
  this[kFinal] = null;
  callback();
};

Socket.prototype.end = function end(data, encoding, callback) {
  Duplex.prototype.end.call(this, data, encoding, callback);
  return this;
};

Socket.prototype.destroySoon = function destroySoon() {
  if (this.writable) this.end();
  if (this.writableFinished) this.destroy();
  else this.once("finish", this.destroy);
};

Socket.prototype.resetAndDestroy = function resetAndDestroy() {
  if (!this._handle) {
    this.destroy(new errors.ERR_SOCKET_CLOSED());
    return this;
  }
  if (this._handle.kind !== "TCP") throw new errors.ERR_INVALID_HANDLE_TYPE();
  this.resetAndClosing = true;
  if (this.connecting) this.once("connect", () => this.destroy());
  else this.destroy();
  return this;
};

Socket.prototype._destroy = function _destroy(error, callback) {
  this.connecting = false;
  for (let s = this; s; s = s._parent) clearTimeout(s[kTimeout]);
  const handle = this._handle;
  if (handle) {
    this._handle = null;
    callback(error);
    closeHandle(this, handle, Boolean(error));
  } else {
    callback(error);
    nextTick(emitCloseNT, this);
  }
  if (!this._server) return;
  this._server._connections--;
  this._server._emitCloseIfDrained?.();
};

function emitCloseNT(socket) {
  socket.emit("close", false);
}

function closeHandle(socket, handle, hadError) {
  keepCounts(socket, handle);
  const closed = () => socket.emit("close", hadError);
  if (handle.isClosed && handle.id === 0) {
    nextTick(closed);
    return;
  }
  handle.closed = closed;
  if (socket.resetAndClosing) handle.reset();
  else if (!handle.close() && handle.id === 0) nextTick(closed);
}

function keepCounts(socket, handle) {
  socket[kBytesRead] = handle.bytesRead;
  socket[kBytesWritten] = handle.bytesWritten;
}

// ---- Time-outs

/** Milliseconds that a timer can wait. */
function timerDuration(ms) {
  validateNumber(ms, "msecs");
  if (ms < 0 || !Number.isFinite(ms)) {
    throw new errors.ERR_OUT_OF_RANGE("msecs", "a non-negative finite number", ms);
  }
  if (ms <= TIMEOUT_MAX) return ms;
  process.emitWarning(
    `${ms} does not fit into a 32-bit signed integer.` +
      `\nTimer duration was truncated to ${TIMEOUT_MAX}.`,
    "TimeoutOverflowWarning",
  );
  return TIMEOUT_MAX;
}

Socket.prototype.setTimeout = function (ms, callback) {
  if (this.destroyed) return this;
  this.timeout = ms;
  const delay = timerDuration(ms);
  clearTimeout(this[kTimeout]);
  if (callback !== undefined) validateFunction(callback, "callback");
  if (delay === 0) {
    if (callback !== undefined) this.removeListener("timeout", callback);
  } else {
    this[kTimeout] = setTimeout(() => this._onTimeout(), delay);
    this[kTimeout].unref();
    if (callback !== undefined) this.once("timeout", callback);
  }
  return this;
};

Socket.prototype._onTimeout = function _onTimeout() {
  const handle = this._handle;
  // A write that the other side takes, however slowly, is no silence.
  if (handle && this._lastQueueSize > 0 && handle.writeQueueSize !== this._lastQueueSize) {
    this._lastQueueSize = handle.writeQueueSize;
    this._unrefTimer();
    return;
  }
  this._lastQueueSize = handle?.writeQueueSize ?? 0;
  this.emit("timeout");
};

Socket.prototype._unrefTimer = function _unrefTimer() {
  for (let s = this; s; s = s._parent) {
    if (s[kTimeout]) s[kTimeout].refresh();
  }
};

// ---- Options

Socket.prototype.setNoDelay = function setNoDelay(enable) {
  const on = enable === undefined ? true : Boolean(enable);
  if (this._handle && !this.connecting && this._handle.setNoDelay && on !== this[kNoDelay]) {
    this._handle.setNoDelay(on);
  }
  this[kNoDelay] = on;
  return this;
};

Socket.prototype.setKeepAlive = function setKeepAlive(enable, initialDelayMs) {
  const on = Boolean(enable);
  const delay = ~~(initialDelayMs / 1000);
  const isNew = on !== this[kKeepAlive] || (on && this[kKeepAliveDelay] !== delay);
  if (this._handle && !this.connecting && this._handle.setKeepAlive && isNew) {
    this._handle.setKeepAlive(on, delay);
  }
  this[kKeepAlive] = on;
  this[kKeepAliveDelay] = delay;
  return this;
};

Socket.prototype.setTypeOfService = function setTypeOfService(tos) {
  if (Number.isNaN(tos)) throw new errors.ERR_INVALID_ARG_TYPE("tos", "number", tos);
  validateInt32(tos, "tos", 0, 255);
  this[kTos] = tos;
  if (!this._handle || this.connecting) return this;
  const rc = this._handle.setTypeOfService(tos);
  if (rc < 0) throw errnoException(rc, "setTypeOfService");
  return this;
};

Socket.prototype.getTypeOfService = function getTypeOfService() {
  if (!this._handle || this.connecting) return this[kTos] ?? 0;
  const rc = this._handle.getTypeOfService();
  if (rc < 0) throw errnoException(rc, "getTypeOfService");
  return rc;
};

/** What was set before there was a connection. */
Socket.prototype._applyOptions = function _applyOptions() {
  const handle = this._handle;
  if (this[kNoDelay]) handle.setNoDelay(true);
  if (this[kKeepAlive]) handle.setKeepAlive(true, this[kKeepAliveDelay]);
  if (this[kTos] !== undefined) handle.setTypeOfService(this[kTos]);
};

Socket.prototype.ref = function ref() {
  if (!this._handle) this.once("connect", this.ref);
  else this._handle.ref();
  return this;
};

Socket.prototype.unref = function unref() {
  if (!this._handle) this.once("connect", this.unref);
  else this._handle.unref();
  return this;
};

// ---- Addresses and counts

Socket.prototype.address = function address() {
  return this._getsockname();
};

Socket.prototype._getpeername = function _getpeername() {
  if (!this._handle || this.connecting) return this._peername || {};
  if (this._peername === undefined) {
    const name = this._handle.getpeername();
    if (typeof name === "number") return {};
    this._peername = name;
  }
  return this._peername;
};

Socket.prototype._getsockname = function _getsockname() {
  if (!this._handle) return this._sockname || {};
  if (!this._sockname) {
    const name = this._handle.getsockname();
    if (typeof name === "number") return {};
    this._sockname = name;
  }
  return this._sockname;
};

function getter(name, get, enumerable = true) {
  Object.defineProperty(Socket.prototype, name, {
    __proto__: null, configurable: false, enumerable, get,
  });
}

const isTcp = (socket) => socket._handle?.kind !== "Pipe";
const peer = (name) => function () {
  return isTcp(this) ? this._getpeername()[name] : undefined;
};
const local = (name) => function () {
  return isTcp(this) ? this._getsockname()[name] : undefined;
};
getter("remoteAddress", peer("address"));
getter("remoteFamily", peer("family"));
getter("remotePort", peer("port"));
getter("localAddress", local("address"));
getter("localPort", local("port"));
getter("localFamily", local("family"));
getter("_bytesDispatched", function () {
  return this._handle ? this._handle.bytesWritten : this[kBytesWritten];
});
getter("_connecting", function () {
  return this.connecting;
}, false);
getter("pending", function () {
  return !this._handle || this.connecting;
}, false);
getter("bytesRead", function () {
  return this._handle ? this._handle.bytesRead : this[kBytesRead];
});
getter("bufferSize", function () {
  return this._handle ? this.writableLength : undefined;
}, false);
getter("readyState", function () {
  if (this.connecting) return "opening";
  if (this.readable && this.writable) return "open";
  if (this.readable) return "readOnly";
  return this.writable ? "writeOnly" : "closed";
}, false);
getter("bytesWritten", function () {
  const sizeOf = (chunk, encoding) =>
    typeof chunk === "string"
      ? require("node:buffer").Buffer.byteLength(chunk, encoding)
      : chunk.length;
  let bytes = this._bytesDispatched;
  const data = this._pendingData;
  const waiting = this._writableState?.getBuffer();
  if (!waiting) return undefined;
  for (const el of waiting) bytes += sizeOf(el.chunk, el.encoding);
  if (Array.isArray(data)) {
    for (const el of data) bytes += sizeOf(el.chunk, el.encoding);
  } else if (data) {
    bytes += sizeOf(data, this._pendingEncoding);
  }
  return bytes;
});

// ---- Connecting

Socket.prototype.connect = function connect(...args) {
  const list = Array.isArray(args[0]) && args[0][normalized] ? args[0] : normalizeArgs(args);
  require("node:net/connect").connect(this, list[0], list[1]);
  return this;
};

function connect(...args) {
  const list = normalizeArgs(args);
  const options = list[0];
  validateObject(options, "options");
  const socket = new Socket(options);
  if (options.timeout) socket.setTimeout(options.timeout);
  return socket.connect(list);
}

exports.Socket = Socket;
exports.connect = connect;
exports.asBuffer = asBuffer;
exports.kTimeout = kTimeout;
