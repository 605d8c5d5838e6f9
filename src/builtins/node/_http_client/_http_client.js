// node:_http_client -- ClientRequest (Node: lib/_http_client.js).

const net = require("node:net");
const errors = require("internal/errors");
const { nextTick } = require("internal/tick");
const { validateBoolean, validateInteger } = require("internal/validators");
const common = require("node:_http_common");
const outgoing = require("node:_http_outgoing");
const agents = require("node:_http_agent");
const { OutgoingMessage, kHeaders, kUniqueHeaders, kErrored } = outgoing;

const kBadPath = /[^\u0021-\u00ff]/;
const kPath = Symbol("kPath");
const kBare = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]);

/** (url?, options?, callback?) -> [options, callback] */
function readArguments(input, options, callback) {
  if (typeof input === "string") input = require("node:url").urlToHttpOptions(new URL(input));
  else if (require("web/url").isURL(input)) input = require("node:url").urlToHttpOptions(input);
  else {
    callback = options;
    options = input;
    input = null;
  }
  if (typeof options === "function") return [input || {}, options];
  return [Object.assign(input || {}, options), callback];
}

function takeAgent(self, options) {
  let { agent } = options;
  const defaultAgent = options._defaultAgent || agents.globalAgent;
  if (agent === false) agent = new defaultAgent.constructor();
  else if (agent === null || agent === undefined) {
    if (typeof options.createConnection !== "function") agent = defaultAgent;
  } else if (typeof agent.addRequest !== "function") {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "options.agent", ["Agent-like Object", "undefined", "false"], agent,
    );
  }
  self.agent = agent;
  const protocol = options.protocol || defaultAgent.protocol;
  const expected = self.agent?.protocol ?? defaultAgent.protocol;
  if (options.path && kBadPath.test(String(options.path))) {
    throw new errors.ERR_UNESCAPED_CHARACTERS("Request path");
  }
  if (protocol !== expected) throw new errors.ERR_INVALID_PROTOCOL(protocol, expected);
  return defaultAgent;
}

function validateHost(host, name) {
  if (host !== null && host !== undefined && typeof host !== "string") {
    throw new errors.ERR_INVALID_ARG_TYPE(`options.${name}`, ["string", "undefined", "null"], host);
  }
  return host;
}

function takeMethod(self, { method }) {
  if (method !== null && method !== undefined && typeof method !== "string") {
    throw new errors.ERR_INVALID_ARG_TYPE("options.method", "string", method);
  }
  if (method && !common._checkIsHttpToken(method)) {
    throw new errors.ERR_INVALID_HTTP_TOKEN("Method", method);
  }
  self.method = method ? method.toUpperCase() : "GET";
  self.useChunkedEncodingByDefault = !kBare.has(self.method);
}

function takeParserOptions(self, options) {
  const { maxHeaderSize, insecureHTTPParser, joinDuplicateHeaders } = options;
  if (maxHeaderSize !== undefined) validateInteger(maxHeaderSize, "maxHeaderSize", 0);
  self.maxHeaderSize = maxHeaderSize;
  if (insecureHTTPParser !== undefined) {
    validateBoolean(insecureHTTPParser, "options.insecureHTTPParser");
  }
  self.insecureHTTPParser = insecureHTTPParser;
  if (joinDuplicateHeaders !== undefined) {
    validateBoolean(joinDuplicateHeaders, "options.joinDuplicateHeaders");
  }
  self.joinDuplicateHeaders = joinDuplicateHeaders;
  self[kUniqueHeaders] = outgoing.parseUniqueHeadersOption(options.uniqueHeaders);
}

function hostHeader(host, port, defaultPort) {
  // An IPv6 address needs brackets.
  const at = host.indexOf(":");
  const isV6 = at >= 0 && host.includes(":", at + 1) && !host.startsWith("[");
  const text = isV6 ? `[${host}]` : host;
  return port && +port !== defaultPort ? `${text}:${port}` : text;
}

function storeHeaders(self, options, host, port, defaultPort) {
  const { headers } = options;
  const { setHost, setDefaultHeaders } = options;
  const wantsHost = host && (setHost === undefined ? setDefaultHeaders !== false : !!setHost);
  if (setDefaultHeaders === false) {
    self._removedConnection = self._removedContLen = self._removedTE = true;
  }
  if (!Array.isArray(headers)) {
    if (headers) for (const key of Object.keys(headers)) self.setHeader(key, headers[key]);
    if (wantsHost && !self.getHeader("host")) {
      self.setHeader("Host", hostHeader(host, port, defaultPort));
    }
    if (options.auth && !self.getHeader("Authorization")) {
      self.setHeader("Authorization", `Basic ${Buffer.from(options.auth).toString("base64")}`);
    }
    if (self.getHeader("expect")) storeHead(self, self[kHeaders]);
    return;
  }
  // Raw headers go out as they are.
  storeHead(self, headers);
}

function storeHead(self, headers) {
  if (self._header) throw new errors.ERR_HTTP_HEADERS_SENT("render");
  self._storeHeader(`${self.method} ${self.path} HTTP/1.1\r\n`, headers);
}

function ClientRequest(input, options, callback) {
  if (!(this instanceof ClientRequest)) return new ClientRequest(input, options, callback);
  OutgoingMessage.call(this);
  [options, callback] = readArguments(input, options, callback);
  const defaultAgent = takeAgent(this, options);
  const defaultPort = options.defaultPort || this.agent?.defaultPort;
  const port = options.port = options.port || defaultPort || 80;
  const host = options.host = validateHost(options.hostname, "hostname") ||
    validateHost(options.host, "host") || "localhost";
  this.socketPath = options.socketPath;
  if (options.timeout !== undefined) {
    this.timeout = common.getTimerDuration(options.timeout, "timeout");
  }
  const { signal } = options;
  if (signal) abortBy(this, signal);
  takeMethod(this, options);
  takeParserOptions(this, options);
  this.path = options.path || "/";
  if (callback) this.once("response", callback);
  this._ended = false;
  this.res = null;
  this.aborted = false;
  this.timeoutCb = null;
  this.upgradeOrConnect = false;
  this.parser = null;
  this.maxHeadersCount = null;
  this.reusedSocket = false;
  this.host = host;
  this.protocol = options.protocol || defaultAgent.protocol;
  if (this.agent) {
    // Without a pool, a socket is good for one request, unless their number is limited.
    this.shouldKeepAlive = this.agent.keepAlive || Number.isFinite(this.agent.maxSockets);
  } else {
    this._last = true;
    this.shouldKeepAlive = false;
  }
  storeHeaders(this, options, host, port, defaultPort);
  startConnecting(this, options);
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

function abortBy(self, signal) {
  require("internal/validators").validateAbortSignal(signal, "options.signal");
  const abort = () => self.destroy(new errors.AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    abort();
    return;
  }
  signal.addEventListener("abort", abort, { once: true });
  self.once("close", () => signal.removeEventListener("abort", abort));
}

function startConnecting(self, options) {
  if (options.signal) options = { ...options, signal: undefined };
  if (options.socketPath) options = { ...options, path: options.socketPath };
  else if (!self.agent) options = { ...options, path: undefined };
  if (self.agent) {
    self.agent.addRequest(self, options);
    return;
  }
  if (typeof options.createConnection !== "function") {
    self.onSocket(net.createConnection(options));
    return;
  }
  let isCalled = false;
  const done = (error, socket) => {
    if (isCalled) return;
    isCalled = true;
    self.onSocket(socket ?? null, error);
  };
  try {
    const socket = options.createConnection(options, done);
    if (socket) done(null, socket);
  } catch (error) {
    done(error);
  }
}

Object.defineProperty(ClientRequest.prototype, "path", {
  configurable: true,
  enumerable: true,
  get() {
    return this[kPath];
  },
  set(value) {
    const path = String(value);
    if (kBadPath.test(path)) throw new errors.ERR_UNESCAPED_CHARACTERS("Request path");
    this[kPath] = path;
  },
});

ClientRequest.prototype._finish = function _finish() {
  OutgoingMessage.prototype._finish.call(this);
};

ClientRequest.prototype._implicitHeader = function _implicitHeader() {
  storeHead(this, this[kHeaders]);
};

ClientRequest.prototype.abort = function abort() {
  if (this.aborted) return;
  this.aborted = true;
  nextTick(() => this.emit("abort"));
  this.destroy();
};

ClientRequest.prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  // Bytes that wait for a reader would keep the socket from closing.
  this.res?._dump();
  this[kErrored] = error;
  this.socket?.destroy(error);
  return this;
};

ClientRequest.prototype.onSocket = function onSocket(socket, error) {
  nextTick(onSocketNT, this, socket, error);
};

function onSocketNT(req, socket, error) {
  if (!req.destroyed && !error) {
    require("node:_http_client/response").attach(req, socket);
    return;
  }
  req.destroyed = true;
  const given = error ?? req[kErrored];
  // It was not used: the pool may have it.
  const isFree = socket && !error && req.agent && !socket.destroyed;
  if (!socket || isFree) {
    endUnsent(req, given);
    if (isFree) socket.emit("free");
    return;
  }
  // Nobody else hears of what happens to it.
  const { finished } = require("node:stream");
  finished(socket.destroy(given), (why) => {
    const isOwn = why && why.code !== "ERR_STREAM_PREMATURE_CLOSE";
    endUnsent(req, isOwn ? why : given);
  });
}

/** The end of a request that never had its socket. */
function endUnsent(req, given) {
  if (!req._isEnded) {
    req._isEnded = true;
    let reason = given;
    if (!reason && !req.aborted) {
      const { ConnResetException } = require("internal/errors/system");
      reason = new ConnResetException("socket hang up");
    }
    if (reason) {
      req[kErrored] = reason;
      req.emit("error", reason);
    }
    req._closed = true;
    req.emit("close");
  }
}

ClientRequest.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (this._ended) return this;
  this.timeout = common.getTimerDuration(msecs, "msecs");
  if (callback) this.once("timeout", callback);
  const { socket } = this;
  if (socket) setSocketTimeout(this, socket);
  else this.once("socket", (s) => setSocketTimeout(this, s));
  return this;
};

function setSocketTimeout(req, socket) {
  require("node:_http_client/response").listenTimeout(req, socket);
  if (socket.connecting) socket.once("connect", () => socket.setTimeout(req.timeout));
  else socket.setTimeout(req.timeout);
}

/** Calls a method of the socket once it is connected. */
function deferToConnect(self, method, args) {
  const onSocket = (socket) => {
    if (!socket.connecting) socket[method](...args);
    else socket.once("connect", () => socket[method](...args));
  };
  if (self.socket) onSocket(self.socket);
  else self.once("socket", onSocket);
}

ClientRequest.prototype.setNoDelay = function setNoDelay(on) {
  deferToConnect(this, "setNoDelay", [on]);
};

ClientRequest.prototype.setSocketKeepAlive = function setSocketKeepAlive(on, delay) {
  deferToConnect(this, "setKeepAlive", [on, delay]);
};

ClientRequest.prototype.clearTimeout = function clearTimeout(callback) {
  this.setTimeout(0, callback);
};

exports.ClientRequest = ClientRequest;
