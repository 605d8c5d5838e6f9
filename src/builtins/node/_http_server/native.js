// @internal
// node:_http_server/native -- the native server below an http.Server: it accepts on the descriptor
// of the net.Server's handle, and its requests become IncomingMessage and ServerResponse.

const host = require("internal/http_host");
const answer = require("internal/http_host/http_answer");
const { ConnHandle } = require("internal/http_host/http_sock");
const { kSource, kSocket: kInSocket } = require("node:_http_incoming");
const { kConn, kSocket } = require("node:_http_outgoing");
const { Exchange } = require("node:_http_server/exchange");
const { kEvents, kInfo, kMethods, kOptions } = host;
const http = host.native;

const kHandle = Symbol("kHandle");
const INVALID_METHOD = -6; // http/http_error.def

class NativeServer {
  constructor(server) {
    this.server = server;
    this.sid = http.open(
      (id, raw, info, length) => this.#onRequest(id, raw, info, length),
      (id, event, value) => this.#onEvent(id, event, value),
    );
    /** Requests that wait for something, by id. */
    this.exchanges = new Map();
    /** Sockets that a program has asked for, by the life of the connection. */
    this.sockets = new Map();
    this.counts = null;
    for (const name of ["NO_DATE", "EXPECT", "BAD", "TIMEOUT", "FROM_CONNECT", "AHEAD"]) {
      http.set(this.sid, kOptions[name], 1);
    }
    this.update();
  }

  /** Takes over what changed in the server's properties. */
  update() {
    const { server, sid } = this;
    const keep = server.keepAliveTimeout;
    http.set(sid, kOptions.IDLE, keep > 0 ? keep + (server.keepAliveTimeoutBuffer ?? 0) : 0);
    http.set(sid, kOptions.HEAD_MS, server.headersTimeout || server.requestTimeout);
    http.set(sid, kOptions.REQUEST, server.requestTimeout);
    http.set(sid, kOptions.BUSY, server.timeout);
    http.set(sid, kOptions.HEAD_SIZE, server.maxHeaderSize ?? require("node:http").maxHeaderSize);
    http.set(sid, kOptions.FIELDS, server.maxHeadersCount > 0 ? 2 ** 31 : 2 ** 31);
    http.set(sid, kOptions.HALF_OPEN, +!!server.httpAllowHalfOpen);
    http.set(sid, kOptions.LENIENT, +!!server.insecureHTTPParser);
    http.set(sid, kOptions.CONNECT, +(server.listenerCount("connection") > 1 ||
      server.maxConnections > 0));
  }

  listen(fd) {
    return http.listenFd(this.sid, fd);
  }

  count() {
    return Math.floor(http.counts(this.sid) / 16777216);
  }

  // ---- Sockets

  /** The net.Socket of a connection, made when it is first asked for. */
  socketByLife(life) {
    let socket = this.sockets.get(life);
    if (socket !== undefined) return socket;
    const { Socket } = require("node:net");
    const handle = new ConnHandle(this.sid, life);
    socket = new Socket({
      handle, allowHalfOpen: true, manualStart: true, noDelay: true,
      highWaterMark: this.server.highWaterMark,
    });
    socket.setTimeout = setSocketTimeout;
    socket.setEncoding = refuseEncoding;
    socket[kHandle] = handle; // a socket that is destroyed has no _handle any more
    socket.server = this.server;
    socket._paused = false;
    socket.on("error", onSocketError);
    handle.onForgotten = () => this.sockets.delete(life);
    this.sockets.set(life, socket);
    return socket;
  }

  socketOf(exchange) {
    const life = http.life(this.sid, exchange.id);
    if (life === undefined) return deadSocket();
    const socket = this.socketByLife(life);
    if (!exchange.isOver && exchange.res !== null) {
      socket._httpMessage = exchange.res;
    }
    socket.exchange = exchange;
    return socket;
  }

  // ---- Requests

  #onRequest(id, raw, info, length) {
    const { server } = this;
    const exchange = new Exchange(this, id, raw, info);
    const { IncomingMessage, ServerResponse } = server[server.kClasses];
    const req = new IncomingMessage();
    req[kInSocket] = null;
    req[kSource] = exchange;
    const method = kMethods[info & kInfo.METHOD];
    const isNew = (info & kInfo.HTTP_11) !== 0;
    req.method = method;
    req.url = raw.slice(method.length + 1, method.length + 1 + length);
    req.httpVersionMajor = 1;
    req.httpVersionMinor = isNew ? 1 : 0;
    req.httpVersion = isNew ? "1.1" : "1.0";
    req.upgrade = false;
    if (server.joinDuplicateHeaders) req.joinDuplicateHeaders = true;
    exchange.req = req;
    if ((info & kInfo.UPGRADE) !== 0 && this.#upgrade(exchange)) return;
    const res = new ServerResponse(req, server.responseOptions);
    res[kConn] = exchange;
    res[kSocket] = undefined;
    exchange.res = res;
    res.shouldKeepAlive = (info & kInfo.KEEP_ALIVE) !== 0;
    res._keepAliveTimeout = server.keepAliveTimeout;
    if (server.maxRequestsPerSocket > 0) this.#countRequest(exchange, res);
    this.exchanges.set(id, exchange);
    if (info >= host.kInfo.EXPECTS && this.#special(exchange, info, req, res)) return;
    server.emit("request", req, res);
  }

  /** Expectations and missing Host; true: the request is dealt with. */
  #special(exchange, info, req, res) {
    const { server } = this;
    if ((info & kInfo.NO_HOST) !== 0 && server.requireHostHeader !== false) {
      res.writeHead(400, ["Connection", "close"]);
      res.end();
      return true;
    }
    if ((info & kInfo.EXPECTS) !== 0) {
      res._expect_continue = true;
      if (server.listenerCount("checkContinue") > 0) {
        server.emit("checkContinue", req, res);
        return true;
      }
      res.writeContinue();
      return false;
    }
    if ((info & kInfo.EXPECTS_OTHER) !== 0 && req.httpVersionMinor === 1) {
      if (server.listenerCount("checkExpectation") > 0) {
        server.emit("checkExpectation", req, res);
      } else {
        res.writeHead(417);
        res.end();
      }
      return true;
    }
    return false;
  }

  #countRequest(exchange, res) {
    const { server } = this;
    const socket = this.socketOf(exchange);
    socket.requestCount = (socket.requestCount ?? 0) + 1;
    res._maxRequestsPerSocket = server.maxRequestsPerSocket;
    if (socket.requestCount >= server.maxRequestsPerSocket) {
      res.maxRequestsOnConnectionReached = true;
    }
  }

  /** Hands the connection to a listener of 'upgrade' or 'connect'. */
  #upgrade(exchange) {
    const { server } = this;
    const { req } = exchange;
    const event = require("node:_http_server/upgrade").upgradeEvent(server, req);
    if (event === undefined) return false;
    if (server.listenerCount(event) === 0) {
      exchange.socket().destroy();
      return true;
    }
    req.upgrade = true;
    const socket = exchange.socket();
    const handle = socket._handle;
    const rest = answer.takeOver(this.sid, exchange.id);
    handle.isRaw = true;
    handle.readStop();
    exchange.isOver = true;
    exchange.hasBody = false;
    exchange.isTakenOver = true;
    socket.removeListener("error", onSocketError);
    socket.readableFlowing = null;
    socket._readableState.flowing = null;
    const head = Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength);
    server.emit(event, req, socket, head);
    if (!socket.destroyed) socket.read(0);
    return true;
  }

  // ---- Events

  #onEvent(id, event, value) {
    switch (event) {
      case kEvents.BODY: this.exchanges.get(id)?.onBody(); break;
      case kEvents.ABORT: this.exchanges.get(id)?.onAbort(value); break;
      case kEvents.DRAIN: this.#onDrain(id); break;
      case kEvents.RAW: this.#onRaw(id, value); break;
      case kEvents.CLOSE: this.#onClose(id); break;
      case kEvents.BAD: this.#onBad(id, value[0], value[1]); break;
      case kEvents.TIMEOUT: this.#onTimeout(id, value); break;
      case kEvents.CONNECT: this.#onConnect(id); break;
      case kEvents.AHEAD: this.#onAhead(id); break;
      case kEvents.STOPPED: this.server._onNativeStopped(); break;
      default: break;
    }
  }

  #onDrain(id) {
    const exchange = this.exchanges.get(id);
    if (exchange !== undefined) exchange.onDrain();
    else this.sockets.get(id)?._handle?.drained();
  }

  #onRaw(life, bytes) {
    const socket = this.sockets.get(life);
    const handle = socket?._handle;
    if (!handle) return;
    if (bytes === null) socket.onEnd(handle);
    else {
      handle.bytesRead += bytes.length;
      socket.onData(bytes, handle);
    }
  }

  #onClose(life) {
    const socket = this.sockets.get(life);
    if (socket === undefined) return;
    const handle = socket[kHandle];
    this.sockets.delete(life);
    handle.isClosed = true;
    handle.id = 0;
    // Destroyed before: it has waited for this. Else it is told that its connection is gone.
    if (handle.closed !== undefined) handle.closed();
    else socket.destroy();
  }

  #onBad(life, rc, bytes) {
    const { server } = this;
    const ETIMEDOUT = -110;
    let error;
    if (rc === ETIMEDOUT) error = new (require("internal/errors").ERR_HTTP_REQUEST_TIMEOUT)();
    else {
      const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const common = require("node:_http_common");
      error = common.parseError(rc, rc === INVALID_METHOD ? 1 : raw.length, raw);
    }
    const socket = this.socketByLife(life);
    if (server.listenerCount("clientError") > 0) {
      server.emit("clientError", error, socket);
      return;
    }
    require("node:_http_server/slow").answerError(socket, error);
  }

  #onTimeout(life, id) {
    const exchange = this.exchanges.get(id);
    const socket = this.socketByLife(life);
    const isReading = exchange?.hasBody && !exchange.req.complete;
    const isHandled = [isReading ? exchange.req : undefined, exchange?.res, this.server]
      .map((target) => target?.emit("timeout", socket)).some((x) => x === true);
    if (!isHandled) socket.destroy();
    socket.emit("timeout");
  }

  /** More requests have come than one: they are all told at once, which only the slow way does. */
  #onAhead(life) {
    const socket = this.socketByLife(life);
    socket._handle.isRaw = true;
    socket.removeListener("error", onSocketError);
    require("node:_http_server/slow").connectionListener(this.server, socket);
  }

  #onConnect(life) {
    const { server } = this;
    const socket = this.socketByLife(life);
    if (server.maxConnections > 0 && this.count() > server.maxConnections) {
      const { remoteAddress, remotePort, remoteFamily, localAddress, localPort } = socket;
      socket.destroy();
      server.emit("drop", {
        localAddress, localPort, localFamily: remoteFamily, remoteAddress, remotePort, remoteFamily,
      });
      return;
    }
    socket.isNative = true;
    server.emit("connection", socket);
  }
}

/** What comes on a connection is bytes (RFC 9112, section 2.2), until it is handed over. */
function refuseEncoding(encoding) {
  if (this._handle?.isRaw) {
    return require("node:net").Socket.prototype.setEncoding.call(this, encoding);
  }
  throw new (require("internal/errors").ERR_HTTP_SOCKET_ENCODING)();
}

/** The native half watches the connection; what was taken over has the timer of net.Socket. */
function setSocketTimeout(ms, callback) {
  const handle = this._handle;
  if (!handle || handle.isRaw) {
    const { Socket } = require("node:net");
    return Socket.prototype.setTimeout.call(this, ms, callback);
  }
  const delay = require("node:_http_common").getTimerDuration(ms, "msecs");
  if (callback !== undefined) {
    require("internal/validators").validateFunction(callback, "callback");
    if (delay === 0) this.removeListener("timeout", callback);
    else this.once("timeout", callback);
  }
  this.timeout = delay;
  handle.setTimeout(delay);
  return this;
}

/** A connection that is gone. */
function deadSocket() {
  const { Socket } = require("node:net");
  const socket = new Socket();
  socket.destroy();
  return socket;
}

/** Errors of connections are told to the messages. */
function onSocketError() {}

exports.NativeServer = NativeServer;
