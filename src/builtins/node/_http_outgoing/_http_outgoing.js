// node:_http_outgoing -- OutgoingMessage: what a server answers and a client asks.
//
// The head is text that _storeHeader makes; where it goes is one of two: a connection of the native
// server (`kConn`: sid and id), which frames chunks itself and takes head, body and end in one call
// if
// it can; or a socket, where this file writes chunks.

const EventEmitter = require("node:events");
const { Stream } = require("internal/streams/legacy");
const { getDefaultHighWaterMark } = require("internal/streams/high_water_mark");
const { nextTick } = require("internal/tick");
const errors = require("internal/errors");
const common = require("node:_http_common");
const fields = require("node:_http_outgoing/fields");

const kConn = Symbol("kConn");
const kHeaders = Symbol("kOutHeaders");
const kCorked = Symbol("corked");
const kNeedDrain = Symbol("kNeedDrain");
const kErrored = Symbol("errored");
const kBytesWritten = Symbol("kBytesWritten");
const kChunks = Symbol("kChunks");
const kUniqueHeaders = Symbol("kUniqueHeaders");
const kMark = Symbol("kHighWaterMark");
const kRejects = Symbol("kRejectNonStandardBodyWrites");

const kFinish = "finish";

const kNotAscii = /[^\x00-\x7f]/;

function OutgoingMessage(options) {
  Stream.call(this);
  this[kMark] = options?.highWaterMark ?? getDefaultHighWaterMark();
  this[kRejects] = options?.rejectNonStandardBodyWrites ?? false;
  this[kConn] = null;
  this[kHeaders] = null;
  this[kCorked] = 0;
  this[kChunks] = null;
  this[kBytesWritten] = 0;
  this[kErrored] = null;
  this[kNeedDrain] = false;
  this[kUniqueHeaders] = null;
  this.outputData = null;
  this.outputSize = 0;
  this.writable = true;
  this.destroyed = false;
  this._last = false;
  this.chunkedEncoding = false;
  this.shouldKeepAlive = true;
  this.maxRequestsOnConnectionReached = false;
  this._defaultKeepAlive = true;
  this.useChunkedEncodingByDefault = true;
  this.sendDate = false;
  this._removedConnection = false;
  this._removedContLen = false;
  this._removedTE = false;
  this.strictContentLength = false;
  this._contentLength = null;
  this._hasBody = true;
  this._trailer = "";
  this.finished = false;
  this._headerSent = false;
  this._closed = false;
  this._header = null;
  this._keepAliveTimeout = 0;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

const proto = OutgoingMessage.prototype;

function accessor(name, get, set) {
  Object.defineProperty(proto, name, { __proto__: null, configurable: true, get, set });
}

const kSocket = Symbol("kSocket");
accessor("socket", function socket() {
  if (this[kSocket] === undefined) this[kSocket] = this[kConn]?.socket() ?? null;
  return this[kSocket];
}, function setSocket(value) {
  this[kSocket] = value;
});
accessor("connection", function connection() {
  return this.socket;
}, function setConnection(value) {
  this.socket = value;
});
accessor("errored", function errored() {
  return this[kErrored];
});
accessor("closed", function closed() {
  return this._closed;
});
accessor("headersSent", function headersSent() {
  return !!this._header;
});
Object.defineProperty(proto, "headersSent", { enumerable: true });
accessor("writableFinished", function writableFinished() {
  if (!this.finished || this.outputSize !== 0) return false;
  if (this[kConn] !== null) return true;
  return !this[kSocket] || this[kSocket].writableLength === 0;
});
accessor("writableObjectMode", () => false);
accessor("writableEnded", function writableEnded() {
  return this.finished;
});
accessor("writableNeedDrain", function writableNeedDrain() {
  return !this.destroyed && !this.finished && this[kNeedDrain];
});
accessor("writableLength", function writableLength() {
  return this.outputSize + (this[kChunks]?.size ?? 0) +
    (this[kConn] === null ? this[kSocket]?.writableLength ?? 0 : 0);
});
accessor("writableHighWaterMark", function writableHighWaterMark() {
  return this[kSocket] ? this[kSocket].writableHighWaterMark : this[kMark];
});
accessor("writableCorked", function writableCorked() {
  return this[kCorked];
});
accessor("_headers", function headers() {
  return this.getHeaders();
}, function setHeaders(value) {
  this[kHeaders] = null;
  for (const name of Object.keys(value ?? {})) this.setHeader(name, value[name]);
});

proto.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on("timeout", callback);
  const { socket } = this;
  if (socket) socket.setTimeout(msecs);
  else this.once("socket", (s) => s.setTimeout(msecs));
  return this;
};

proto.cork = function cork() {
  this[kCorked]++;
  this[kSocket]?.cork?.();
};

proto.uncork = function uncork() {
  if (this[kCorked] > 0) this[kCorked]--;
  this[kSocket]?.uncork?.();
  if (this[kCorked] > 0 || this[kChunks] === null) return;
  const { list, callbacks } = this[kChunks];
  this[kChunks] = null;
  sendChunk(this, Buffer.concat(list), (error) => {
    for (const fn of callbacks) fn(error);
  });
};

proto.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this[kErrored] = error;
  const conn = this[kConn];
  if (conn !== null) conn.destroy(this, error);
  else if (this[kSocket]) this[kSocket].destroy(error);
  else this.once("socket", (socket) => socket.destroy(error));
  return this;
};

// ---- Bytes to where they go

/** The body's bytes behind the head, as they are. */
proto._send = function _send(data, encoding, callback, byteLength) {
  if (!this._headerSent) {
    const header = this._header ?? "";
    this._headerSent = true;
    const isText = typeof data === "string" && (!encoding || encoding === "utf8" ||
      encoding === "latin1" || encoding === "utf-8");
    const isLatin1 = encoding === "latin1" || data === "";
    // Head and text go out as one piece where one encoding does for both.
    if (!isText || (!isLatin1 && kNotAscii.test(header))) {
      this._writeRaw(header, "latin1", null);
      return this._writeRaw(data, encoding, callback, byteLength);
    }
    data = header + data;
    if (isLatin1) encoding = "latin1";
  }
  return this._writeRaw(data, encoding, callback, byteLength);
};

proto._writeRaw = function _writeRaw(data, encoding, callback, size) {
  const socket = this[kSocket];
  if (socket?.destroyed) return false;
  if (typeof encoding === "function") {
    callback = encoding;
    encoding = null;
  }
  if (socket && socket._httpMessage === this && socket.writable) {
    if (this.outputData !== null && this.outputData.length > 0) this._flushOutput(socket);
    return socket.write(data, encoding, callback);
  }
  this.outputData ??= [];
  this.outputData.push({ data, encoding, callback });
  this.outputSize += data.length;
  this._onPendingData(data.length);
  return this.outputSize < this[kMark];
};

proto._onPendingData = function _onPendingData() {};

proto._flush = function _flush() {
  const socket = this[kSocket];
  if (!socket?.writable) return;
  const isDrained = this._flushOutput(socket);
  if (this.finished) this._finish();
  else if (isDrained && this[kNeedDrain]) {
    this[kNeedDrain] = false;
    this.emit("drain");
  }
};

proto._flushOutput = function _flushOutput(socket) {
  const list = this.outputData;
  if (list === null || list.length === 0) return true;
  let result = true;
  this.outputData = null;
  socket.cork();
  for (const { data, encoding, callback } of list) result = socket.write(data, encoding, callback);
  socket.uncork();
  this._onPendingData(-this.outputSize);
  this.outputSize = 0;
  return result;
};

// ---- write and end

function toChunk(self, chunk, encoding) {
  if (typeof chunk === "string") return Buffer.from(chunk, encoding ?? "utf8");
  return chunk;
}

/** A part of the body (not empty). */
function sendChunk(self, chunk, callback, encoding) {
  const conn = self[kConn];
  if (conn !== null) {
    if (!self._headerSent) {
      self._headerSent = true;
      conn.sendHead(self._header, self.chunkedEncoding, !self._last, !self._hasBody);
    }
    const ok = conn.write(toNative(chunk, encoding));
    if (callback) nextTick(callback, null);
    if (!ok) self[kNeedDrain] = true;
    return ok;
  }
  if (!self.chunkedEncoding) {
    const ok = self._send(chunk, encoding, callback);
    if (!ok) self[kNeedDrain] = true;
    return ok;
  }
  const bytes = toChunk(self, chunk, encoding);
  const head = `${bytes.length.toString(16)}\r\n`;
  self._send(head, "latin1", null);
  self._send(bytes, null, null);
  const ok = self._send("\r\n", "latin1", callback);
  if (!ok) self[kNeedDrain] = true;
  return ok;
}

/** What the native half can take: UTF-8 text or bytes. */
function toNative(chunk, encoding) {
  if (typeof chunk !== "string" || !encoding || encoding === "utf8" || encoding === "utf-8") {
    return chunk;
  }
  return Buffer.from(chunk, encoding);
}

function fail(self, error, callback) {
  nextTick(() => {
    if (callback) callback(error);
    if (!self.destroyed) {
      self.emit("error", error);
    }
  });
}

/** ERR_STREAM_WRITE_AFTER_END, ERR_STREAM_DESTROYED or null. */
function refusal(self) {
  if (self.finished) return new errors.ERR_STREAM_WRITE_AFTER_END();
  if (self.destroyed) return new errors.ERR_STREAM_DESTROYED("write");
  return null;
}

function checkChunk(chunk) {
  if (chunk === null) throw new errors.ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) {
    throw new errors.ERR_INVALID_ARG_TYPE("chunk", ["string", "Buffer", "Uint8Array"], chunk);
  }
}

function lengthOf(chunk, encoding) {
  return typeof chunk === "string" ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

function checkLength(self, isEnd) {
  const { _contentLength: expected } = self;
  const n = self[kBytesWritten];
  if (!self.strictContentLength || expected === null || self._removedContLen) return null;
  if (n > expected || (isEnd && n !== expected)) {
    return new errors.ERR_HTTP_CONTENT_LENGTH_MISMATCH(n, expected);
  }
  return null;
}

proto.write = function write(chunk, encoding, callback) {
  if (typeof encoding === "function") {
    callback = encoding;
    encoding = null;
  }
  const ok = writeChunk(this, chunk, encoding, callback);
  if (!ok) this[kNeedDrain] = true;
  return ok;
};

function writeChunk(self, chunk, encoding, callback) {
  checkChunk(chunk);
  const error = refusal(self);
  if (error !== null) {
    fail(self, error, callback);
    return false;
  }
  if (self.strictContentLength) {
    const length = lengthOf(chunk, encoding);
    self[kBytesWritten] += length;
    const mismatch = checkLength(self, false);
    if (mismatch !== null) {
      self[kBytesWritten] -= length;
      throw mismatch;
    }
  }
  if (!self._header) self._implicitHeader();
  if (!self._hasBody) {
    if (self[kRejects]) throw new errors.ERR_HTTP_BODY_NOT_ALLOWED();
    if (callback) nextTick(callback);
    return true;
  }
  if (chunk.length === 0) {
    if (callback) nextTick(callback, null);
    if (!self._headerSent && self[kConn] === null) self._send("", "latin1", null);
    return true;
  }
  if (self.chunkedEncoding && self[kCorked] > 0) return holdChunk(self, chunk, encoding, callback);
  return sendChunk(self, chunk, callback, encoding);
}

/** Chunks that are written while corked become one. */
function holdChunk(self, chunk, encoding, callback) {
  self[kChunks] ??= { list: [], callbacks: [], size: 0 };
  const held = self[kChunks];
  const bytes = toChunk(self, chunk, encoding);
  held.list.push(bytes);
  held.size += bytes.length;
  if (callback) held.callbacks.push(callback);
  return held.size < self[kMark];
}

proto.addTrailers = function addTrailers(headers) {
  const isArray = Array.isArray(headers);
  for (const key of isArray ? headers.keys() : Object.keys(headers)) {
    const field = isArray ? headers[key][0] : key;
    const value = isArray ? headers[key][1] : headers[key];
    fields.validateHeaderName(field, "Trailer name");
    for (const item of Array.isArray(value) ? value : [value]) {
      if (common._checkInvalidHeaderChar(item)) {
        throw new errors.ERR_INVALID_CHAR("trailer content", field);
      }
      this._trailer += `${field}: ${item}\r\n`;
    }
  }
};

proto.end = function end(chunk, encoding, callback) {
  if (typeof chunk === "function") {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === "function") {
    callback = encoding;
    encoding = null;
  }
  if (chunk !== undefined && chunk !== null) {
    if (this.finished) {
      const error = new errors.ERR_STREAM_WRITE_AFTER_END();
      fail(this, error, typeof callback === "function" ? callback : undefined);
      return this;
    }
    checkChunk(chunk);
    if (this[kSocket]) this[kSocket].cork?.();
    prepareEnd(this, chunk, encoding);
    if (endNative(this, chunk, encoding, callback)) return this;
    if (this[kChunks] !== null || chunk.length > 0) writeChunk(this, chunk, encoding, undefined);
  } else if (this.finished) {
    return endAgain(this, callback);
  } else if (!this._header) {
    if (this[kSocket]) this[kSocket].cork?.();
    this._contentLength = 0;
    this._implicitHeader();
    if (endNative(this, null, null, callback)) return this;
  }
  finishEnd(this, callback);
  return this;
};

function endAgain(self, callback) {
  if (typeof callback !== "function") return self;
  const isOver = self.writableFinished && (self[kConn] !== null || self._wasFinished);
  if (!isOver) self.once(kFinish, callback);
  else callback(new errors.ERR_STREAM_ALREADY_FINISHED("end"));
  return self;
}

/** The head, now that the whole body is known. */
function prepareEnd(self, chunk, encoding) {
  if (self.strictContentLength) {
    self[kBytesWritten] += lengthOf(chunk, encoding);
    const mismatch = checkLength(self, true);
    self[kBytesWritten] -= lengthOf(chunk, encoding);
    if (mismatch !== null) throw mismatch;
  }
  if (self._header) return;
  self._contentLength = lengthOf(chunk, encoding);
  self._implicitHeader();
}

/** Head, body and end at once, when nothing was sent and the length is known. */
function endNative(self, chunk, encoding, callback) {
  const conn = self[kConn];
  if (conn === null || self._headerSent || self.chunkedEncoding || self[kChunks] !== null ||
    self.strictContentLength || self._trailer !== "" || self.destroyed) return false;
  if (typeof callback === "function") self.once(kFinish, callback);
  self._headerSent = true;
  self.finished = true;
  const body = self._hasBody ? toNative(chunk, encoding) : null;
  conn.respond(self._header, !self._last, !self._hasBody, body);
  nextTick(finished, self);
  return true;
}

function finished(self) {
  self._wasFinished = true;
  self[kConn].onFinished(self);
  self.emit("prefinish");
  self.emit(kFinish);
}

function finishEnd(self, callback) {
  if (typeof callback === "function") self.once(kFinish, callback);
  const mismatch = checkLength(self, true);
  if (mismatch !== null) throw mismatch;
  if (self[kCorked] > 0) {
    self[kCorked] = 1;
    self.uncork();
  }
  const conn = self[kConn];
  if (conn !== null) {
    if (!self._headerSent) {
      self._headerSent = true;
      conn.sendHead(self._header, self.chunkedEncoding, !self._last, !self._hasBody);
    }
    conn.end(self._trailer);
    self.finished = true;
    nextTick(finished, self);
    return;
  }
  const done = () => {
    self._wasFinished = true;
    self.emit(kFinish);
  };
  if (self._hasBody && self.chunkedEncoding) {
    self._send(`0\r\n${self._trailer}\r\n`, "latin1", done);
  } else if (!self._headerSent || self.writableLength || self[kSocket]) {
    self._send("", "latin1", done);
  } else nextTick(done);
  const socket = self[kSocket];
  if (socket) {
    const state = socket._writableState;
    if (state) state.corked = Math.min(state.corked, 1);
    socket.uncork?.();
  }
  self.finished = true;
  if ((self.outputData === null || self.outputData.length === 0) && socket?._httpMessage === self) {
    self._finish();
  }
}

proto._finish = function _finish() {
  this.emit("prefinish");
};

proto.flushHeaders = function flushHeaders() {
  if (!this._header) this._implicitHeader();
  const conn = this[kConn];
  if (conn === null) {
    this._send("", "latin1", null);
    return;
  }
  if (this._headerSent) return;
  this._headerSent = true;
  conn.sendHead(this._header, this.chunkedEncoding, !this._last, !this._hasBody);
  conn.flush();
};

proto._implicitHeader = function _implicitHeader() {
  throw new errors.ERR_METHOD_NOT_IMPLEMENTED("_implicitHeader()");
};

proto.pipe = function pipe() {
  this.emit("error", new errors.ERR_STREAM_CANNOT_PIPE());
};

proto[EventEmitter.captureRejectionSymbol] = function onRejection(error) {
  this.destroy(error);
};

proto[Symbol.asyncDispose] = async function asyncDispose() {
  if (!this.destroyed) this.destroy(this.finished ? null : new (require("internal/errors")
    .AbortError)());
  const { eos } = require("internal/streams/end_of_stream");
  await new Promise((resolve) => eos(this, () => resolve(null)));
};

fields.install(OutgoingMessage, { kHeaders, kUniqueHeaders });

exports.OutgoingMessage = OutgoingMessage;
exports.kConn = kConn;
exports.kHeaders = kHeaders;
exports.kSocket = kSocket;
exports.kErrored = kErrored;
exports.kNeedDrain = kNeedDrain;
exports.kUniqueHeaders = kUniqueHeaders;
exports.kHighWaterMark = kMark;
exports.validateHeaderName = fields.validateHeaderName;
exports.validateHeaderValue = fields.validateHeaderValue;
exports.parseUniqueHeadersOption = fields.parseUniqueHeadersOption;
