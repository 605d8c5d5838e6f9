// @internal
// node:_http_server/exchange -- one request on the native server and its answer: where
// IncomingMessage reads from and OutgoingMessage writes to.

const host = require("internal/http_host");
const answer = require("internal/http_host/http_answer");

const { kNeedDrain } = require("node:_http_outgoing");
const { nextTick } = require("internal/tick");
const http = host.native;

const kChunked = 1;
const kKeepsAlive = 2;
const kNoBody = 4;

class Exchange {
  constructor(native, id, raw, info) {
    this.native = native; // NativeServer
    this.id = id;
    this.raw = raw;
    this.hasBody = (info & host.kInfo.HAS_BODY) !== 0;
    this.req = null;
    this.res = null;
    this.isWaiting = false;
    this.isOver = false;
    this.isAborted = false;
    this.isTakenOver = false;
  }

  // ---- For IncomingMessage

  rawHeaders() {
    return http.headers(this.raw, true);
  }

  socket() {
    return this.native.socketOf(this);
  }

  read(req) {
    if (!this.hasBody) {
      req.complete = true;
      req.push(null);
      return;
    }
    this.pull();
  }

  pull() {
    const { req } = this;
    while (!this.isAborted && !req.destroyed) {
      const data = http.read(this.native.sid, this.id);
      if (data === undefined) {
        if (!this.isWaiting) this.native.exchanges.set(this.id, this);
        this.isWaiting = true;
        return;
      }
      if (data === null) {
        this.hasBody = false;
        req.complete = true;
        const list = http.trailers(this.native.sid, this.id);
        if (list.length > 0) req.rawTrailers = list;
        req.push(null);
        return;
      }
      if (!req.push(Buffer.from(data.buffer, data.byteOffset, data.byteLength))) return;
    }
  }

  /** A message is destroyed: so is its connection, unless all is over. */
  destroy(message, error) {
    if (this.isAborted) return;
    if (!this.isOver || this.hasBody) {
      this.socket().destroy(message === this.res ? error : undefined);
    }
  }

  // ---- For OutgoingMessage

  #flags(isChunked, keepsAlive, hasNoBody) {
    return (isChunked ? kChunked : 0) | (keepsAlive ? kKeepsAlive : 0) | (hasNoBody ? kNoBody : 0);
  }

  sendHead(text, isChunked, keepsAlive, hasNoBody) {
    answer.headRaw(this.native.sid, this.id, text, this.#flags(isChunked, keepsAlive, hasNoBody));
    this.native.exchanges.set(this.id, this);
  }

  write(data) {
    return answer.write(this.native.sid, this.id, data) <= 0;
  }

  inform(text) {
    answer.raw(this.native.sid, this.id, text);
  }

  /** Once, where the client waits for it: reading the body would send it, too. */
  sendContinue(text) {
    if (!answer.sendContinue(this.native.sid, this.id)) this.inform(text);
  }

  flush() {
    answer.raw(this.native.sid, this.id, null);
  }

  respond(text, keepsAlive, hasNoBody, body) {
    answer.respondRaw(
      this.native.sid, this.id, text, this.#flags(false, keepsAlive, hasNoBody), body,
    );
  }

  end(trailer) {
    answer.end(this.native.sid, this.id, trailer);
  }

  // ---- Events

  onDrain() {
    const { res } = this;
    if (res === null || !res[kNeedDrain]) return;
    res[kNeedDrain] = false;
    if (!res.destroyed && !res.finished) res.emit("drain");
  }

  onBody() {
    this.isWaiting = false;
    this.pull();
  }

  /** The connection is gone before the answer was finished. */
  onAbort(rc) {
    if (this.isAborted) return;
    this.isAborted = true;
    this.native.exchanges.delete(this.id);
    const { req, res } = this;
    if (req !== null && !req.destroyed) {
      const { ConnResetException } = require("internal/errors/system");
      if (!req.complete || !req.readableEnded) req.destroy(new ConnResetException("aborted"));
    }
    if (res !== null) closeResponse(res);
    void rc;
  }

  /** All of the answer was handed over. */
  onFinished(res) {
    if (this.isOver) return;
    this.isOver = true;
    const { req, native } = this;
    if (native.exchanges.size > 0 && !this.isWaiting) native.exchanges.delete(this.id);
    if (!req._consumed && !req.destroyed) {
      if (this.hasBody || req.listenerCount("end") > 0 || req.listenerCount("close") > 0) {
        req._dump();
      } else req.complete = true;
    }
    nextTick(emitClose, res);
  }
}

function emitClose(res) {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  res.emit("close");
}

function closeResponse(res) {
  if (res._closed) return;
  res.destroyed = true;
  res._closed = true;
  res.emit("close");
}

exports.Exchange = Exchange;
