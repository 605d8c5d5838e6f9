// @internal
// node:_http_client/response -- a request that has its socket: parsing the answer, and what becomes
// of
// the socket afterwards.

const parser = require("internal/http_parser");
const { nextTick } = require("internal/tick");
const common = require("node:_http_common");
const { kMethods } = require("internal/http_host");
const { IncomingMessage, kSource, kSocket: kInSocket } = require("node:_http_incoming");
const { kErrored, kNeedDrain } = require("node:_http_outgoing");

const kKeeps = 1;
const kHead = 1;
const kBody = 2;
const kLink = Symbol("kLink");
const INVALID_CONSTANT = -8; // http/http_error.def

/** One request on one socket. */
class Link {
  constructor(req, socket) {
    this.req = req;
    this.socket = socket;
    this.res = null;
    this.isDone = false;
    this.isPaused = false;
    this.keeps = false;
    this.packet = null; // what came last
    const size = req.maxHeaderSize ?? require("node:http").maxHeaderSize;
    this.parser = parser.create(true, size, !!req.insecureHTTPParser);
    this.method = Math.max(0, kMethods.indexOf(req.method));
    this.onData = (bytes) => this.#onData(bytes);
    this.onEnd = () => this.#onEnd();
    this.onError = (error) => this.#onError(error);
    this.onClose = () => this.#onClose();
    this.onDrain = () => this.#onDrain();
    socket.on("data", this.onData);
    socket.on("end", this.onEnd);
    socket.on("error", this.onError);
    socket.on("close", this.onClose);
    socket.on("drain", this.onDrain);
  }

  detach() {
    const { socket } = this;
    socket.removeListener("data", this.onData);
    socket.removeListener("end", this.onEnd);
    socket.removeListener("error", this.onError);
    socket.removeListener("close", this.onClose);
    socket.removeListener("drain", this.onDrain);
  }

  // ---- For IncomingMessage

  rawHeaders() {
    return this.list;
  }

  read() {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.#work();
    if (!this.isPaused && !this.isDone) this.socket.resume();
  }

  destroy(message, error) {
    if (!this.isDone && !this.socket.destroyed) this.socket.destroy(error);
  }

  // ---- The answer

  #onData(bytes) {
    this.packet = bytes;
    parser.feed(this.parser, bytes);
    this.#work();
  }

  #work() {
    while (!this.isDone && !this.isPaused) {
      const event = parser.next(this.parser, this.method);
      if (event === undefined) return;
      if (typeof event === "number") {
        this.#fail(event);
        return;
      }
      if (event[0] === kHead) this.#onHead(event);
      else if (event[0] === kBody) {
        const data = event[1];
        if (!this.res.push(Buffer.from(data.buffer, 0, data.byteLength))) {
          this.isPaused = true;
          this.socket.pause();
        }
      } else if (this.res !== null) this.#onComplete(event[1]);
    }
  }

  #fail(rc) {
    const { req, socket } = this;
    const packet = this.packet ?? Buffer.alloc(0);
    const left = parser.rest(this.parser).byteLength;
    const error = common.parseError(rc, Math.max(0, packet.length - left), packet);
    this.isDone = true;
    this.detach();
    socket.on("error", () => {});
    socket.destroy();
    req.socket._hadError = true;
    if (this.res !== null && !this.res.complete) this.res.destroy(error);
    emitErrorEvent(req, error);
    emitClose(req);
  }

  #onHead([, minor, status, reason, list, flags]) {
    const { req, socket } = this;
    this.list = list;
    if (status >= 100 && status < 200 && status !== 101) {
      this.#onInformation(status, reason, list, minor);
      return;
    }
    const res = new IncomingMessage(socket);
    res[kInSocket] = socket;
    res[kSource] = this;
    if (req.joinDuplicateHeaders) res.joinDuplicateHeaders = true;
    res.httpVersionMajor = 1;
    res.httpVersionMinor = minor;
    res.httpVersion = `1.${minor}`;
    res.statusCode = status;
    res.statusMessage = reason;
    res.rawHeaders = list;
    res.req = req;
    this.res = req.res = res;
    this.keeps = (flags & kKeeps) !== 0;
    if (req.shouldKeepAlive && !this.keeps) req.shouldKeepAlive = false;
    const isConnect = req.method === "CONNECT";
    if (isConnect || status === 101) {
      this.#onUpgrade(res, isConnect ? "connect" : "upgrade");
      return;
    }
    res.upgrade = false;
    if (req.timeoutCb) socket.on("timeout", onResponseTimeout);
    res.once("end", () => this.#onResponseEnd());
    if (!req.finished || !req.writableFinished) req.once("finish", () => this.#onFinish());
    const had = req.emit("response", res);
    if (req.aborted || !had) res._dump();
    if (req.method === "HEAD") parser.skipBody(this.parser);
  }

  #onInformation(status, reason, list, minor) {
    const { req } = this;
    if (status === 100) req.emit("continue");
    const info = new IncomingMessage();
    info.rawHeaders = list;
    req.emit("information", {
      statusCode: status, statusMessage: reason, httpVersion: `1.${minor}`, httpVersionMajor: 1,
      httpVersionMinor: minor, headers: info.headers, rawHeaders: list,
    });
  }

  #onUpgrade(res, event) {
    const { req, socket } = this;
    const rest = parser.rest(this.parser);
    const head = Buffer.from(rest.buffer, 0, rest.byteLength);
    this.isDone = true;
    this.detach();
    req.upgradeOrConnect = true;
    res.upgrade = true;
    res.complete = true;
    socket._httpMessage = null;
    unlistenTimeout(req, socket);
    if (req.listenerCount(event) === 0) {
      req.destroyed = true;
      socket.destroy();
      emitClose(req);
      return;
    }
    socket.readableFlowing = null;
    req.agent && socket.emit("agentRemove");
    req.emit(event, res, socket, head);
    req.destroyed = true;
    emitClose(req);
  }

  #onComplete(trailers) {
    const { res, socket } = this;
    this.isDone = true;
    if (trailers !== undefined) res.rawTrailers = trailers;
    res.complete = true;
    socket.removeListener("data", this.onData);
    socket.removeListener("end", this.onEnd);
    res.push(null);
    const left = parser.rest(this.parser);
    if (left.byteLength === 0 || !this.keeps || !this.req.shouldKeepAlive) return;
    this.#onLeft(Buffer.from(left).latin1Slice());
  }

  /** Bytes behind the answer: another that nobody has asked for, or no answer at all. */
  #onLeft(left) {
    if (left.startsWith("HTTP/") || "HTTP/".startsWith(left)) this.socket.destroy();
    else this.#fail(INVALID_CONSTANT);
  }

  /** The reader has everything. */
  #onResponseEnd() {
    const { req, res, socket } = this;
    if (!res.complete) return;
    unlistenTimeout(req, socket);
    req._ended = true;
    if (!req.shouldKeepAlive) {
      if (!socket.writable) return;
      if (typeof socket.destroySoon === "function") socket.destroySoon();
      else socket.end();
    } else if (req.writableFinished && !res.aborted) this.#keep();
  }

  #onFinish() {
    if (this.req.shouldKeepAlive && this.req._ended) this.#keep();
  }

  #keep() {
    const { req, socket } = this;
    this.detach();
    req.destroyed = true;
    nextTick(() => {
      emitClose(req);
      socket.emit("free");
    });
  }

  // ---- The socket

  #onEnd() {
    const { req, socket } = this;
    if (this.isDone) return;
    const rc = parser.finish(this.parser);
    if (rc === 1 && this.res !== null) {
      req.shouldKeepAlive = false;
      this.#onComplete();
      return;
    }
    if (this.res === null && !req[kErrored]) {
      req._hadError = true;
      const { ConnResetException } = require("internal/errors/system");
      emitErrorEvent(req, new ConnResetException("socket hang up"));
    }
    socket.end();
  }

  #onError(error) {
    const { req, socket } = this;
    req._hadError = true;
    emitErrorEvent(req, error);
    socket.removeListener("data", this.onData);
    socket.removeListener("end", this.onEnd);
    socket.destroy();
  }

  #onClose() {
    const { req, res } = this;
    this.isDone = true;
    this.detach();
    req.destroyed = true;
    req.outputData = [];
    if (res !== null) {
      if (!res.complete) {
        const { ConnResetException } = require("internal/errors/system");
        res.destroy(new ConnResetException("aborted"));
      }
      emitClose(req);
      if (!res.aborted && res.readable) res.push(null);
    } else {
      if (!req._hadError) {
        req._hadError = true;
        const { ConnResetException } = require("internal/errors/system");
        emitErrorEvent(req, req[kErrored] ?? new ConnResetException("socket hang up"));
      }
      emitClose(req);
    }
  }

  #onDrain() {
    const { req } = this;
    if (req.finished || !req[kNeedDrain]) return;
    req[kNeedDrain] = false;
    req.emit("drain");
  }
}

function emitErrorEvent(req, error) {
  req.outputData = [];
  req[kErrored] ??= error;
  req.emit("error", error);
}

function emitClose(req) {
  if (req._closed) return;
  req._closed = true;
  req.emit("close");
}

function onResponseTimeout() {
  this._httpMessage?.res?.emit("timeout");
}

function onRequestTimeout() {
  this._httpMessage?.emit("timeout");
}

/** The request has got this socket. */
exports.attach = function attach(req, socket) {
  req.socket = socket;
  req[kLink] = new Link(req, socket);
  socket._httpMessage = req;
  req.parser = req[kLink];
  if (req.timeout !== undefined || req.agent?.options?.timeout) {
    exports.listenTimeout(req, socket);
  }
  req.emit("socket", socket);
  req._flush();
};

exports.listenTimeout = function listenTimeout(req, socket) {
  if (req.timeoutCb) return;
  req.timeoutCb = onRequestTimeout;
  socket.once("timeout", req.timeoutCb);
};

function unlistenTimeout(req, socket) {
  socket.removeListener("timeout", onResponseTimeout);
  if (!req.timeoutCb) return;
  socket.removeListener("timeout", req.timeoutCb);
  req.timeoutCb = null;
  req.timeout !== undefined && socket.setTimeout(0);
}
