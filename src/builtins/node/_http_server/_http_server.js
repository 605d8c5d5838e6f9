// node:_http_server -- http.Server and ServerResponse (Node: lib/_http_server.js).
//
// A server that listens lets the native half accept and parse (node:_http_server/native);
// connections
// that come in another way, by emit('connection'), go through node:_http_server/slow.

const net = require("node:net");
const errors = require("internal/errors");
const { nextTick } = require("internal/tick");
const {
  validateBoolean, validateInteger, validateObject, validateFunction,
} = require("internal/validators");
const { IncomingMessage } = require("node:_http_incoming");
const outgoing = require("node:_http_outgoing");
const common = require("node:_http_common");
const { OutgoingMessage, kConn, kHeaders, kUniqueHeaders } = outgoing;
const { STATUS_CODES } = require("node:_http_server/status");

const kClasses = Symbol("kClasses");
const kHandle = Symbol("kHandle");
const kNative = Symbol("kNative");
const kConnectionsCheckingInterval = Symbol("http.server.connectionsCheckingInterval");

// ---- ServerResponse

function ServerResponse(req, options) {
  OutgoingMessage.call(this, options);
  if (req.method === "HEAD") this._hasBody = false;
  this.req = req;
  this.sendDate = true;
  this._sent100 = false;
  this._expect_continue = false;
  if (req.httpVersionMajor < 1 || req.httpVersionMinor < 1) {
    this.useChunkedEncodingByDefault = common.chunkExpression.test(req.headers.te);
    this.shouldKeepAlive = false;
  }
}
Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);
ServerResponse.prototype.statusCode = 200;
ServerResponse.prototype.statusMessage = undefined;

ServerResponse.prototype._finish = function _finish() {
  OutgoingMessage.prototype._finish.call(this);
};

function onServerResponseClose() {
  const message = this._httpMessage;
  if (!message) return;
  message.destroyed = true;
  message._closed = true;
  message.emit("close");
}

ServerResponse.prototype.assignSocket = function assignSocket(socket) {
  if (socket._httpMessage) throw new errors.ERR_HTTP_SOCKET_ASSIGNED();
  socket._httpMessage = this;
  socket.on("close", onServerResponseClose);
  this.socket = socket;
  this.emit("socket", socket);
  this._flush();
};

ServerResponse.prototype.detachSocket = function detachSocket(socket) {
  socket.removeListener("close", onServerResponseClose);
  socket._httpMessage = null;
  this.socket = null;
};

/** An informational answer, in front of the real one. */
function writeInformation(self, text, callback) {
  const conn = self[kConn];
  if (conn !== null) {
    conn.inform(text);
    if (callback) nextTick(callback);
  } else self._writeRaw(text, "latin1", callback);
}

ServerResponse.prototype.writeContinue = function writeContinue(callback) {
  const conn = this[kConn];
  const text = "HTTP/1.1 100 Continue\r\n\r\n";
  if (conn === null) this._writeRaw(text, "latin1", callback);
  else {
    conn.sendContinue(text);
    if (callback) nextTick(callback);
  }
  this._sent100 = true;
};

ServerResponse.prototype.writeProcessing = function writeProcessing(callback) {
  writeInformation(this, "HTTP/1.1 102 Processing\r\n\r\n", callback);
};

ServerResponse.prototype.writeEarlyHints = function writeEarlyHints(hints, callback) {
  validateObject(hints, "hints");
  const { validateLinkHeaderValue } = require("node:_http_server/links");
  if (hints.link === null || hints.link === undefined) return;
  const link = validateLinkHeaderValue(hints.link);
  if (link.length === 0) return;
  let text = `HTTP/1.1 103 Early Hints\r\nLink: ${link}\r\n`;
  for (const key of Object.keys(hints)) {
    if (key === "link") continue;
    outgoing.validateHeaderName(key);
    outgoing.validateHeaderValue(key, hints[key]);
    text += `${key}: ${hints[key]}\r\n`;
  }
  writeInformation(this, `${text}\r\n`, callback);
};

ServerResponse.prototype._implicitHeader = function _implicitHeader() {
  this.writeHead(this.statusCode);
};

ServerResponse.prototype.writeHead = function writeHead(statusCode, reason, obj) {
  if (this._header) throw new errors.ERR_HTTP_HEADERS_SENT("write");
  const original = statusCode;
  statusCode |= 0;
  if (statusCode < 100 || statusCode > 999) throw new errors.ERR_HTTP_INVALID_STATUS_CODE(original);
  if (typeof reason === "string") this.statusMessage = reason;
  else {
    this.statusMessage ||= STATUS_CODES[statusCode] || "unknown";
    obj ??= reason;
  }
  this.statusCode = statusCode;
  const headers = mergeHeaders(this, obj);
  if (common._checkInvalidHeaderChar(this.statusMessage)) {
    throw new errors.ERR_INVALID_CHAR("statusMessage");
  }
  if (statusCode === 204 || statusCode === 304 || (statusCode >= 100 && statusCode <= 199)) {
    this._hasBody = false;
  }
  // A client that waits for 100 Continue and gets another answer may not send its body.
  if (this._expect_continue && !this._sent100) this.shouldKeepAlive = false;
  this._storeHeader(`HTTP/1.1 ${statusCode} ${this.statusMessage}\r\n`, headers);
  return this;
};

ServerResponse.prototype.writeHeader = ServerResponse.prototype.writeHead;

/** What setHeader() and writeHead() have said together. */
function mergeHeaders(self, obj) {
  if (self[kHeaders] === null) {
    if (Array.isArray(obj) && obj.length > 0 && !Array.isArray(obj[0]) && obj.length % 2 !== 0) {
      throw new errors.ERR_INVALID_ARG_VALUE("headers", obj);
    }
    return obj;
  }
  if (Array.isArray(obj)) {
    const pairs = obj.length > 0 && Array.isArray(obj[0]) ? obj.flat() : obj;
    if (pairs.length % 2 !== 0) throw new errors.ERR_INVALID_ARG_VALUE("headers", obj);
    for (let i = 0; i < pairs.length; i += 2) self.removeHeader(`${pairs[i]}`);
    for (let i = 0; i < pairs.length; i += 2) {
      if (pairs[i]) self.appendHeader(pairs[i], pairs[i + 1]);
    }
  } else if (obj) {
    for (const key of Object.keys(obj)) if (key) self.setHeader(key, obj[key]);
  }
  return self[kHeaders];
}

// ---- Server

function storeHTTPOptions(options) {
  this[kClasses] = {
    IncomingMessage: options.IncomingMessage || IncomingMessage,
    ServerResponse: options.ServerResponse || ServerResponse,
  };
  const { maxHeaderSize, insecureHTTPParser, requestTimeout, headersTimeout } = options;
  if (maxHeaderSize !== undefined) validateInteger(maxHeaderSize, "maxHeaderSize", 0);
  this.maxHeaderSize = maxHeaderSize;
  if (insecureHTTPParser !== undefined) {
    validateBoolean(insecureHTTPParser, "options.insecureHTTPParser");
  }
  this.insecureHTTPParser = insecureHTTPParser;
  if (requestTimeout !== undefined) validateInteger(requestTimeout, "requestTimeout", 0);
  this.requestTimeout = requestTimeout ?? 300_000;
  if (headersTimeout !== undefined) validateInteger(headersTimeout, "headersTimeout", 0);
  this.headersTimeout = headersTimeout ?? Math.min(60_000, this.requestTimeout);
  if (this.requestTimeout > 0 && this.headersTimeout > 0 &&
    this.headersTimeout > this.requestTimeout) {
    throw new errors.ERR_OUT_OF_RANGE("headersTimeout", "<= requestTimeout", headersTimeout);
  }
  storeMore(this, options);
}

function storeMore(self, options) {
  const { keepAliveTimeout, keepAliveTimeoutBuffer, connectionsCheckingInterval } = options;
  if (keepAliveTimeout !== undefined) validateInteger(keepAliveTimeout, "keepAliveTimeout", 0);
  self.keepAliveTimeout = keepAliveTimeout ?? 5000;
  self.keepAliveTimeoutBuffer = keepAliveTimeoutBuffer >= 0 ? keepAliveTimeoutBuffer : 1000;
  if (connectionsCheckingInterval !== undefined) {
    validateInteger(connectionsCheckingInterval, "connectionsCheckingInterval", 0);
  }
  self.connectionsCheckingInterval = connectionsCheckingInterval ?? 30_000;
  // One timer of the native half watches; this says whether it still does.
  self[kConnectionsCheckingInterval] = { _destroyed: false };
  const { requireHostHeader, joinDuplicateHeaders, rejectNonStandardBodyWrites } = options;
  if (requireHostHeader !== undefined) {
    validateBoolean(requireHostHeader, "options.requireHostHeader");
  }
  self.requireHostHeader = requireHostHeader ?? true;
  if (joinDuplicateHeaders !== undefined) {
    validateBoolean(joinDuplicateHeaders, "options.joinDuplicateHeaders");
  }
  self.joinDuplicateHeaders = joinDuplicateHeaders;
  if (rejectNonStandardBodyWrites !== undefined) {
    validateBoolean(rejectNonStandardBodyWrites, "options.rejectNonStandardBodyWrites");
  }
  self.rejectNonStandardBodyWrites = rejectNonStandardBodyWrites ?? false;
  const { shouldUpgradeCallback } = options;
  if (shouldUpgradeCallback !== undefined) {
    validateFunction(shouldUpgradeCallback, "options.shouldUpgradeCallback");
    self.shouldUpgradeCallback = shouldUpgradeCallback;
  }
  self[kUniqueHeaders] = outgoing.parseUniqueHeadersOption(options.uniqueHeaders);
  self.responseOptions = options.highWaterMark === undefined && !self.rejectNonStandardBodyWrites ?
    undefined :
    {
      highWaterMark: options.highWaterMark,
      rejectNonStandardBodyWrites: self.rejectNonStandardBodyWrites,
    };
}

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  if (typeof options === "function") {
    requestListener = options;
    options = {};
  } else if (options === null || options === undefined) options = {};
  else validateObject(options, "options");
  this[kHandle] = null;
  this[kNative] = null;
  storeHTTPOptions.call(this, options);
  net.Server.call(this, {
    allowHalfOpen: true, noDelay: options.noDelay ?? true, keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay, highWaterMark: options.highWaterMark,
  });
  if (requestListener) this.on("request", requestListener);
  this.httpAllowHalfOpen = false;
  this.on("connection", connectionListener);
  this.timeout = 0;
  this.maxHeadersCount = null;
  this.maxRequestsPerSocket = 0;
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);
Server.prototype.kClasses = kClasses;
/** The handle listens but leaves connections to the native server (internal/sockets). */
Server.prototype._listenFlags = 16;

/** A connection that the native half does not know. */
function connectionListener(socket) {
  if (socket.isNative) return;
  require("node:_http_server/slow").connectionListener(this, socket);
}

// net.Server sets _handle when it listens: the native half takes the descriptor over.
Object.defineProperty(Server.prototype, "_handle", {
  configurable: true,
  get() {
    return this[kHandle];
  },
  set(handle) {
    const old = this[kHandle];
    this[kHandle] = handle;
    if (handle !== null && handle !== old && !this.isSlow) startNative(this, handle);
  },
});

function startNative(server, handle) {
  const fd = handle.fd;
  if (!(fd >= 0)) return;
  const { NativeServer } = require("node:_http_server/native");
  handle.pauseAccept(true);
  const native = new NativeServer(server);
  server[kNative] = native;
  if (native.listen(fd) < 0) {
    server[kNative] = null;
    handle.pauseAccept(false);
  }
}

// What a program may set while the server runs.
for (const name of [
  "keepAliveTimeout", "headersTimeout", "requestTimeout", "timeout", "maxHeaderSize",
  "maxHeadersCount", "insecureHTTPParser", "keepAliveTimeoutBuffer", "httpAllowHalfOpen",
]) {
  const key = Symbol(name);
  Object.defineProperty(Server.prototype, name, {
    configurable: true,
    enumerable: true,
    get() {
      return this[key];
    },
    set(value) {
      this[key] = value;
      this[kNative]?.update();
    },
  });
}

// As in Bun the callback is told where it listens: null, host, port.
Server.prototype.listen = function listen(...args) {
  const callback = args.at(-1);
  if (typeof callback === "function") {
    args[args.length - 1] = function onListening() {
      const { address, port } = Object(this.address());
      const host = address === "::" || address === "0.0.0.0" ? "localhost" : address;
      return callback.call(this, null, host, port);
    };
  }
  return net.Server.prototype.listen.apply(this, args);
};

Server.prototype.on = function on(event, listener) {
  net.Server.prototype.on.call(this, event, listener);
  if (event === "connection") this[kNative]?.update();
  return this;
};
Server.prototype.addListener = Server.prototype.on;

Server.prototype.setTimeout = function setTimeout(msecs, callback) {
  this.timeout = msecs;
  if (callback) this.on("timeout", callback);
  return this;
};

Server.prototype.close = function close(...args) {
  const native = this[kNative];
  const wasListening = this[kHandle] !== null;
  this[kConnectionsCheckingInterval]._destroyed = true;
  if (native !== null && wasListening) {
    const { native: http } = require("internal/http_host");
    this._isNativeOpen = true;
    this[kNative] = null;
    this._closing = native;
    http.stop(native.sid, false);
  } else if (wasListening || this.slowSockets) this.closeIdleConnections();
  return Reflect.apply(net.Server.prototype.close, this, args);
};

Server.prototype._onNativeStopped = function _onNativeStopped() {
  this._isNativeOpen = false;
  this._closing = undefined;
  this._emitCloseIfDrained();
};

Server.prototype._emitCloseIfDrained = function _emitCloseIfDrained() {
  if (this._isNativeOpen) return;
  net.Server.prototype._emitCloseIfDrained.call(this);
};

Server.prototype.closeAllConnections = function closeAllConnections() {
  const native = this[kNative] ?? this._closing;
  if (native) require("internal/http_host").native.closeAll(native.sid);
  for (const socket of [...this.slowSockets ?? []]) socket.destroy();
};

Server.prototype.closeIdleConnections = function closeIdleConnections() {
  const native = this[kNative] ?? this._closing;
  if (native) require("internal/http_host").native.closeIdle(native.sid);
  if (this.slowSockets === undefined) return;
  const { isIdle } = require("node:_http_server/slow");
  for (const socket of [...this.slowSockets]) if (isIdle(socket)) socket.destroy();
};

Server.prototype.getConnections = function getConnections(callback) {
  const native = this[kNative] ?? this._closing;
  if (!native) return net.Server.prototype.getConnections.call(this, callback);
  nextTick(callback, null, native.count() + this._connections);
  return this;
};

for (const name of ["ref", "unref"]) {
  Server.prototype[name] = function refOrUnref() {
    net.Server.prototype[name].call(this);
    const native = this[kNative];
    if (native) require("internal/http_host").native.ref(native.sid, name === "ref");
    return this;
  };
}

Server.prototype[Symbol.asyncDispose] = async function asyncDispose() {
  await new Promise((resolve, reject) => {
    this.close((error) => (error ? reject(error) : resolve()));
  });
};

const { captureRejectionSymbol } = require("node:events");
Server.prototype[captureRejectionSymbol] = function onRejection(error, event, ...args) {
  if (event !== "request") {
    net.Server.prototype[captureRejectionSymbol].call(this, error, event, ...args);
    return;
  }
  const [, res] = args;
  if (!res.headersSent && !res.writableEnded) {
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    res.statusCode = 500;
    res.end(STATUS_CODES[500]);
  } else res.destroy();
};

function httpServerPreClose(server) {
  server.closeIdleConnections();
}

exports.STATUS_CODES = STATUS_CODES;
exports.Server = Server;
exports.ServerResponse = ServerResponse;
exports.storeHTTPOptions = storeHTTPOptions;
exports.kClasses = kClasses;
exports.kConnectionsCheckingInterval = kConnectionsCheckingInterval;
exports.httpServerPreClose = httpServerPreClose;
exports._connectionListener = function _connectionListener(socket) {
  require("node:_http_server/slow").connectionListener(this, socket);
};
exports.setupConnectionsTracking = () => {};
