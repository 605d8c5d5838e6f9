// @internal
// node:_http_server/slow -- requests on sockets that the native server does not have: those of
// tls.Server, of emit('connection', stream), and of servers that share a handle.

const parser = require("internal/http_parser");
const { nextTick } = require("internal/tick");
const common = require("node:_http_common");
const { kSource, kSocket: kInSocket } = require("node:_http_incoming");

const kRaw = Buffer.from("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", "latin1");
const kStatus = {
  __proto__: null,
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};
const WAITING_MAX = 1000; // answers that were begun behind one that is not finished
const kKeeps = 1;
const kUpgrade = 2;
const kExpects = 32;
const kNoHost = 64;

/** What a broken request is answered with. */
exports.answerError = function answerError(socket, error) {
  const message = socket._httpMessage;
  if (socket.writable && !message?._headerSent) {
    const status = kStatus[error?.code];
    socket.write(status === undefined ? kRaw :
      Buffer.from(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, "latin1"));
  }
  if (socket._handle?.isRaw === false) {
    socket._handle.end();
    // One listener is ours.
    if (socket.listenerCount("error") > 1) socket.emit("error", error);
  } else socket.destroySoon?.() ?? socket.destroy(error);
};

/** Sockets that have had an answer and wait for the next request. */
const idle = new WeakSet();

exports.isIdle = function isIdle(socket) {
  return idle.has(socket) && !socket._httpMessage;
};

class Connection {
  constructor(server, socket) {
    this.server = server;
    this.socket = socket;
    /** The request that is being read. */
    this.req = null;
    /** Requests whose answers are not finished, and the answers that wait for their turn. */
    this.incoming = [];
    this.waiting = [];
    this.isPaused = false;
    this.timer = undefined;
    this.isOver = false;
    this.hasBody = false;
    const size = server.maxHeaderSize ?? require("node:http").maxHeaderSize;
    this.parser = parser.create(false, size, !!server.insecureHTTPParser);
    this.onData = (bytes) => this.#onData(bytes);
    this.onEnd = () => this.#onEnd();
    this.onClose = () => this.#onClose();
    this.onError = (error) => this.#onError(error);
    this.onDrain = () => this.#onDrain();
    this.onTimeout = () => this.#onTimeout();
    socket.on("data", this.onData);
    socket.on("end", this.onEnd);
    socket.on("close", this.onClose);
    socket.on("error", this.onError);
    socket.on("drain", this.onDrain);
    if (server.timeout) socket.setTimeout?.(server.timeout);
    socket.on("timeout", this.onTimeout);
  }

  detach() {
    const { socket } = this;
    this.isOver = true;
    clearTimeout(this.timer);
    for (const [event, fn] of [
      ["data", this.onData], ["end", this.onEnd], ["close", this.onClose],
      ["error", this.onError], ["drain", this.onDrain], ["timeout", this.onTimeout],
    ]) socket.removeListener(event, fn);
    this.server.slowSockets?.delete(socket);
  }

  // ---- For IncomingMessage

  rawHeaders() {
    return this.list;
  }

  read() {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.socket.resume();
    this.work();
  }

  destroy(message, error) {
    if (!this.socket.destroyed) this.socket.destroy(error);
  }

  // ---- Requests

  #onData(bytes) {
    parser.feed(this.parser, bytes);
    this.work();
    this.#watch();
  }

  /** Of a message that has begun, the rest must come in time. */
  #watch() {
    if (this.isOver || parser.isIdle(this.parser)) {
      clearTimeout(this.timer);
      this.timer = undefined;
      return;
    }
    const { headersTimeout, requestTimeout } = this.server;
    const isHead = this.req === null || this.req.complete;
    const ms = (isHead && headersTimeout) || requestTimeout;
    if (this.timer !== undefined || !ms) return;
    this.timer = setTimeout(() => this.#onLate(), ms).unref();
  }

  #onLate() {
    this.timer = undefined;
    if (this.isOver) return;
    this.#fail(new (require("internal/errors").ERR_HTTP_REQUEST_TIMEOUT)());
  }

  work() {
    while (!this.isOver && !this.isPaused) {
      // Nobody reads the answers: no more requests until that changes.
      if (this.socket.writableNeedDrain || this.waiting.length >= WAITING_MAX) return;
      const event = parser.next(this.parser, 0);
      if (event === undefined) return;
      if (typeof event === "number") {
        this.#fail(common.parseError(event, 0, Buffer.alloc(0)));
        return;
      }
      if (event[0] === 1) this.#onHead(event);
      else if (event[0] === 2) this.#onBody(event[1]);
      else this.#onComplete(event[1]);
    }
  }

  #fail(error) {
    const { server, socket } = this;
    this.isOver = true;
    if (server.listenerCount("clientError") > 0) server.emit("clientError", error, socket);
    else exports.answerError(socket, error);
  }

  #onBody(data) {
    if (this.req === null || this.req.destroyed) return;
    if (!this.req.push(Buffer.from(data.buffer, 0, data.byteLength))) {
      this.isPaused = true;
      this.socket.pause();
    }
  }

  #onComplete(trailers) {
    const { req } = this;
    if (req === null) return;
    if (trailers !== undefined) req.rawTrailers = trailers;
    req.complete = true;
    req.push(null);
  }

  #onHead([, minor, method, target, list, flags]) {
    const { server, socket } = this;
    const { IncomingMessage, ServerResponse } = server[server.kClasses];
    this.list = list;
    const req = new IncomingMessage(socket);
    req[kInSocket] = socket;
    req[kSource] = this;
    req.rawHeaders = list;
    req.method = method;
    req.url = target;
    req.httpVersionMajor = 1;
    req.httpVersionMinor = minor;
    req.httpVersion = `1.${minor}`;
    if (server.joinDuplicateHeaders) req.joinDuplicateHeaders = true;
    this.req = req;
    idle.delete(socket);
    req.upgrade = false;
    if (((flags & kUpgrade) !== 0 || method === "CONNECT") && this.#upgrade(req)) return;
    const res = new ServerResponse(req, server.responseOptions);
    this.incoming.push(req);
    res.shouldKeepAlive = (flags & kKeeps) !== 0;
    res._keepAliveTimeout = server.keepAliveTimeout;
    if (socket._httpMessage || this.waiting.length > 0) this.waiting.push(res);
    else res.assignSocket(socket);
    res.once("finish", () => this.#onFinish(req, res));
    if (this.#isTooMany(req, res)) return;
    this.#dispatch(req, res, flags);
  }

  /** Counts requests if that is limited; true: this one is refused. */
  #isTooMany(req, res) {
    const { server, socket } = this;
    const max = server.maxRequestsPerSocket;
    if (!(max > 0)) return false;
    socket.requestCount = (socket.requestCount ?? 0) + 1;
    res._maxRequestsPerSocket = max;
    res.maxRequestsOnConnectionReached = socket.requestCount >= max;
    if (socket.requestCount <= max) return false;
    server.emit("dropRequest", req, socket);
    res.writeHead(503);
    res.end();
    return true;
  }

  #dispatch(req, res, flags) {
    const { server } = this;
    const isNew = req.httpVersionMinor === 1;
    if ((flags & kNoHost) !== 0 && isNew && server.requireHostHeader !== false) {
      res.writeHead(400, ["Connection", "close"]);
      res.end();
      return;
    }
    if ((flags & kExpects) !== 0 && req.httpVersionMinor === 1) {
      res._expect_continue = true;
      if (server.listenerCount("checkContinue") > 0) {
        server.emit("checkContinue", req, res);
        return;
      }
      res.writeContinue();
    } else if (req.headers.expect !== undefined && req.httpVersionMinor === 1) {
      if (server.listenerCount("checkExpectation") > 0) server.emit("checkExpectation", req, res);
      else {
        res.writeHead(417);
        res.end();
      }
      return;
    }
    server.emit("request", req, res);
  }

  #upgrade(req) {
    const { server, socket } = this;
    const event = require("node:_http_server/upgrade").upgradeEvent(server, req);
    if (event === undefined) return false;
    if (server.listenerCount(event) === 0) {
      socket.destroy();
      return true;
    }
    req.upgrade = true;
    req.complete = true;
    const rest = parser.rest(this.parser);
    this.detach();
    socket.readableFlowing = null;
    server.emit(event, req, socket, Buffer.from(rest.buffer, 0, rest.byteLength));
    return true;
  }

  #onFinish(req, res) {
    const { socket, server } = this;
    if (!req._consumed) req._dump();
    this.incoming.splice(this.incoming.indexOf(req), 1);
    res.detachSocket(socket);
    const next = res._last ? undefined : this.waiting.shift();
    if (next === undefined) idle.add(socket);
    else next.assignSocket(socket);
    nextTick(() => {
      res.destroyed = true;
      if (res._closed) return;
      res._closed = true;
      res.emit("close");
    });
    if (res._last) {
      if (typeof socket.destroySoon === "function") socket.destroySoon();
      else socket.end();
      return;
    }
    if (next === undefined && server.keepAliveTimeout && typeof socket.setTimeout === "function") {
      socket.setTimeout(server.keepAliveTimeout + (server.keepAliveTimeoutBuffer ?? 0));
    }
    nextTick(() => {
      if (this.isPaused) this.read();
      else this.work();
    });
  }

  // ---- The socket

  #onEnd() {
    const { socket, server } = this;
    const rc = parser.finish(this.parser);
    if (rc < 0) {
      this.#fail(common.parseError(rc, 0, Buffer.alloc(0)));
      return;
    }
    if (server.httpAllowHalfOpen) {
      const last = this.waiting.at(-1) ?? socket._httpMessage;
      if (last) last._last = true;
      else socket.end();
      return;
    }
    this.#abort();
    socket.end();
  }

  #abort() {
    const { incoming } = this;
    if (incoming.length === 0) return;
    const { ConnResetException } = require("internal/errors/system");
    for (const req of incoming.splice(0)) {
      if (!req.complete || !req.readableEnded) req.destroy(new ConnResetException("aborted"));
    }
  }

  #onClose() {
    this.isOver = true;
    clearTimeout(this.timer);
    this.server.slowSockets?.delete(this.socket);
    this.#abort();
  }

  #onError(error) {
    const { server, socket } = this;
    socket.removeListener("error", this.onError);
    socket.on("error", () => {});
    if (server.listenerCount("clientError") > 0) server.emit("clientError", error, socket);
    else exports.answerError(socket, error);
  }

  #onDrain() {
    const { kNeedDrain } = require("node:_http_outgoing");
    const res = this.socket._httpMessage;
    if (res?.[kNeedDrain]) {
      res[kNeedDrain] = false;
      res.emit("drain");
    }
    this.work();
  }

  #onTimeout() {
    const { req, socket, server } = this;
    const res = socket._httpMessage;
    const a = req !== null && !req.complete && req.emit("timeout", socket);
    const b = Boolean(res) && res.emit("timeout", socket);
    const c = server.emit("timeout", socket);
    if (!a && !b && !c) socket.destroy();
  }
}

exports.connectionListener = function connectionListener(server, socket) {
  server.slowSockets ??= new Set();
  server.slowSockets.add(socket);
  socket.server ??= server;
  new Connection(server, socket); // lives as long as its listeners
};
