// node:http2/stream -- Http2Stream (Node: http2, "Class: Http2Stream").
// @internal
const { Duplex } = require("node:stream");
const errors = require("internal/errors");
const { validateFunction, validateInteger } = require("internal/validators");
const shared = require("node:http2/shared");
const { headText, assertNoPseudo, objectOfList } = require("node:http2/headers");
const {
  kState, kSession, kTimeout, kUpdateTimer, kMaybeDestroy, kLink, kInit, kRequest, kResponse,
  kProxySocket, kSentHeaders, kStrict, kReady, kClosed, kHeadersSent, kHead, kAborted,
  kHasTrailers, kServerType, kClientType, codeName, nghttpError, assertIsObject, publish,
  callTimeout,
} = shared;

const { clearTimeout } = globalThis;
const NO_ERROR = 0;
const INTERNAL_ERROR = 2;
const CANCEL = 8;
const MAX_UINT32 = 2 ** 32 - 1;
/** How a close is told to the peer. */
const kNoReset = 0;
const kReset = 1;
const kForceReset = 2;

const isLatin1 = (encoding) => encoding === "latin1" || encoding === "binary";
const isText = (encoding) => !encoding || encoding === "utf8" || encoding === "utf-8" ||
  isLatin1(encoding);

function sideOf(session) {
  return session[kState].type === kClientType ? "client" : "server";
}

// ---- Closing

function closeStream(stream, code, how) {
  const state = stream[kState];
  const side = sideOf(stream[kSession]);
  state.flags |= kClosed;
  state.rstCode = code;
  if (stream[kTimeout] !== null) clearTimeout(stream[kTimeout]);
  stream[kTimeout] = null;
  if (stream.listenerCount("timeout") > 0) stream.removeAllListeners("timeout");
  const isEnding = stream._writableState.ending;
  if (!isEnding) {
    if (!stream.aborted) {
      state.flags |= kAborted;
      stream.emit("aborted");
    }
    stream.end();
  }
  if (how !== kNoReset) {
    const finish = () => resetStream(stream, code);
    if (!isEnding || stream.writableFinished || code !== NO_ERROR || how === kForceReset) finish();
    else stream.once("finish", finish);
  }
  publish(`${side}.stream.close`, () => ({ stream }));
}

/** Streams without an id tell the peer once they have one. */
function resetStream(stream, code) {
  const reset = () => {
    const link = stream[kSession]?.[kLink];
    const { id } = stream;
    // What was written before goes out before.
    link?.whenReceived(() => {
      link.flush();
      link.stream("reset", id, code);
    });
  };
  if (!stream.pending) {
    reset();
    return;
  }
  stream.push(null);
  stream.once("ready", reset);
}

// ---- Writing

function finishWrite(stream, error) {
  const state = stream[kState];
  const callback = state.writeCallback;
  if (callback === null) return;
  state.writeCallback = null;
  const { written } = state;
  state.written = 0;
  state.writeQueueSize -= written;
  if (stream[kSession] !== undefined) stream[kSession][kState].writeQueueSize -= written;
  callback(error);
}

function shutdown(stream) {
  const state = stream[kState];
  if (state.isShutDown) return;
  state.isShutDown = true;
  stream[kSession]?.[kLink]?.end(state.id);
}

function writeChunk(stream, chunk, encoding) {
  const link = stream[kSession][kLink];
  if (typeof chunk !== "string") return link.write(stream.id, chunk, false);
  if (isText(encoding)) return link.write(stream.id, chunk, isLatin1(encoding));
  const { Buffer } = require("node:buffer");
  return link.write(stream.id, Buffer.from(chunk, encoding), false);
}

function write(stream, chunks, callback) {
  if (stream.pending) {
    stream.once("ready", () => write(stream, chunks, callback));
    return;
  }
  if (stream.destroyed) return;
  stream[kUpdateTimer]();
  if (!stream.headersSent) stream.proceed();
  if (stream.destroyed) return;
  const state = stream[kState];
  state.writeCallback = callback;
  if (stream[kSession].type === kClientType) {
    const writev = chunks.isOne !== true;
    const isBytes = writev && chunks.every(({ chunk }) => typeof chunk !== "string");
    const data = isBytes ? chunks.map(({ chunk }) => chunk) : chunks;
    publish("client.stream.bodyChunkSent", () => (writev ?
      { stream, writev, data, encoding: "" } :
      { stream, writev, data: chunks[0].chunk, encoding: chunks[0].encoding }));
  }
  let n = 0;
  for (const { chunk, encoding } of chunks) n += Math.max(0, writeChunk(stream, chunk, encoding));
  state.written = n;
  state.writeQueueSize += n;
  stream[kSession][kState].writeQueueSize += n;
  if ((state.flags & kHasTrailers) === 0) {
    stream[kSession][kLink]?.ending.push(stream);
  }
}

// ---- Streams

class Http2Stream extends Duplex {
  constructor(session, options) {
    super({ ...options, allowHalfOpen: true, decodeStrings: false, autoDestroy: false });
    // What is written before there is an id waits.
    this.cork();
    this[kSession] = session;
    session[kState].pendingStreams.add(this);
    // Whether anybody has read must be known.
    this._readableState.readingMore = true;
    this[kTimeout] = null;
    this[kState] = {
      didRead: false, flags: 0, rstCode: NO_ERROR, writeQueueSize: 0, bytesAtTimeout: -1,
      trailersReady: false, endAfterHeaders: false, writeCallback: null, written: 0,
      isShutDown: false, id: undefined, sentTrailers: undefined,
      sentInfo: undefined, raw: undefined, resource: null, file: null,
    };
    this[kRequest] = undefined;
    this[kResponse] = undefined;
    this[kProxySocket] = null;
    this[kSentHeaders] = undefined;
    this.on("pause", onPause);
  }

  [kUpdateTimer]() {
    if (this.destroyed) return;
    if (this[kTimeout] !== null) this[kTimeout].refresh();
    this[kSession]?.[kUpdateTimer]();
  }

  [kInit](id) {
    const state = this[kState];
    const sessionState = this[kSession][kState];
    state.flags |= kReady;
    sessionState.pendingStreams.delete(this);
    sessionState.streams.set(id, this);
    state.id = id;
    this.uncork();
    this.emit("ready");
  }

  get bufferSize() {
    return this[kState].writeQueueSize + this.writableLength;
  }

  get endAfterHeaders() {
    return this[kState].endAfterHeaders;
  }

  get sentHeaders() {
    const { raw } = this[kState];
    if (this[kSentHeaders] === undefined && raw !== undefined) {
      this[kSentHeaders] = objectOfList(raw);
    }
    return this[kSentHeaders];
  }

  get sentTrailers() {
    return this[kState].sentTrailers;
  }

  get sentInfoHeaders() {
    return this[kState].sentInfo;
  }

  get pending() {
    return this[kState].id === undefined;
  }

  get id() {
    return this[kState].id;
  }

  get session() {
    return this[kSession];
  }

  _onTimeout() {
    callTimeout(this, this[kSession]?.[kLink]);
  }

  get headersSent() {
    return (this[kState].flags & kHeadersSent) !== 0;
  }

  get aborted() {
    return (this[kState].flags & kAborted) !== 0;
  }

  get headRequest() {
    return (this[kState].flags & kHead) !== 0;
  }

  get rstCode() {
    return this[kState].rstCode;
  }

  get closed() {
    return (this[kState].flags & kClosed) !== 0;
  }

  get state() {
    if (this.destroyed || this.id === undefined) return {};
    const at = this[kSession][kLink]?.stream("streamState", this.id);
    if (!Array.isArray(at)) return {};
    return {
      state: at[0], weight: at[1], sumDependencyWeight: at[2], localClose: at[3],
      remoteClose: at[4], localWindowSize: at[5],
    };
  }

  _write(chunk, encoding, callback) {
    const chunks = [{ chunk, encoding }];
    chunks.isOne = true;
    write(this, chunks, callback);
  }

  _writev(chunks, callback) {
    write(this, chunks, callback);
  }

  /** Before frames are made: the last write says that it is the last. */
  checkEnd() {
    const { ending, buffered, bufferedIndex } = this._writableState;
    if (!ending || buffered.length > bufferedIndex || this.destroyed) return;
    if ((this[kState].flags & kHasTrailers) === 0) shutdown(this);
  }

  /** The native half has put what was written into frames. */
  onWrote() {
    if (this[kState].file !== null) this[kState].file.wrote();
    else finishWrite(this, null);
  }

  _final(callback) {
    if (this.pending) {
      this.once("ready", () => this._final(callback));
      return;
    }
    shutdown(this);
    this.once("finish", () => this[kMaybeDestroy]());
    callback();
    if (this[kSession] !== undefined && this[kSession].type === kClientType) {
      publish("client.stream.bodySent", () => ({ stream: this }));
    }
  }

  _read() {
    if (this.destroyed) {
      this.push(null);
      return;
    }
    if (!this[kState].didRead) {
      this._readableState.readingMore = false;
      this[kState].didRead = true;
    }
    if (this.pending) this.once("ready", onResume);
    else onResume.call(this);
  }

  /** Does nothing any more, as in Node 24. */
  priority() {
    warnPriority();
    if (this.destroyed) throw new errors.ERR_HTTP2_INVALID_STREAM();
  }

  sendTrailers(given) {
    const state = this[kState];
    if (this.destroyed || this.closed) throw new errors.ERR_HTTP2_INVALID_STREAM();
    if (state.sentTrailers) throw new errors.ERR_HTTP2_TRAILERS_ALREADY_SENT();
    if (!state.trailersReady) throw new errors.ERR_HTTP2_TRAILERS_NOT_READY();
    assertIsObject(given, "headers");
    const headers = Object.assign({ __proto__: null }, given);
    this[kUpdateTimer]();
    const text = headText(headers, assertNoPseudo, this[kSession][kStrict]);
    state.sentTrailers = headers;
    // Not while the library is at work.
    setImmediate(() => finishTrailers(this, text));
  }

  close(code = NO_ERROR, callback) {
    validateInteger(code, "code", 0, MAX_UINT32);
    if (callback !== undefined) validateFunction(callback, "callback");
    if (this.closed) return;
    if (callback !== undefined) this.once("close", callback);
    closeStream(this, code, kReset);
  }

  /** The library has closed it: by a reset, or because both sides have ended. */
  onNativeClose(code) {
    if (!this.closed) closeStream(this, code, kNoReset);
    this[kState].file?.stop();
    if (!this.readable || code !== NO_ERROR) {
      this.destroy();
      return;
    }
    this.on("end", () => this[kMaybeDestroy]());
    this.push(null);
    const isUnread = this[kSession].type === kServerType && !this[kState].didRead &&
      this.readableFlowing === null;
    if (isUnread) this.resume();
    else this.read(0);
  }

  _destroy(error, callback) {
    const session = this[kSession];
    const state = this[kState];
    const { id } = state;
    const code = destroyCode(this, session[kState], error);
    if (!this.closed) closeStream(this, code, id === undefined ? kNoReset : kForceReset);
    this.push(null);
    state.file?.stop();
    if (id !== undefined) {
      const link = session[kLink];
      link?.whenReceived(() => link.forget(id));
      session[kState].streams.delete(id);
    } else session[kState].pendingStreams.delete(this);
    session[kState].writeQueueSize -= state.writeQueueSize;
    state.writeQueueSize = state.written = 0;
    let reported = error;
    if ((error === null || error === undefined) && code !== NO_ERROR && code !== CANCEL) {
      reported = new errors.ERR_HTTP2_STREAM_ERROR(codeName(code));
    }
    this[kSession] = undefined;
    if (session.closed) setImmediate(() => session[kMaybeDestroy]());
    if (reported) {
      publish(`${sideOf(session)}.stream.error`, () => ({ stream: this, error: reported }));
    }
    const { writeCallback } = state;
    state.writeCallback = null;
    if (writeCallback !== null) writeCallback(reported);
    callback(reported);
  }

  /** Closed on both sides and read to the end; or answered, and nobody reads the request. */
  [kMaybeDestroy](code = NO_ERROR) {
    if (code !== NO_ERROR) {
      this.destroy();
      return;
    }
    if (!this.writableFinished) return;
    if (!this.readable && this.closed) {
      this.destroy();
      return;
    }
    const state = this[kState];
    const isUnread = this.headersSent && this[kSession]?.type === kServerType &&
      (state.flags & kHasTrailers) === 0 && !state.didRead && this.readableFlowing === null;
    // Later: pushed streams are announced first.
    if (isUnread) setImmediate(() => this.close());
  }

  [Symbol.for("nodejs.util.inspect.custom")](depth) {
    if (typeof depth === "number" && depth < 0) return this;
    const shown = {
      id: this.id || "<pending>", closed: this.closed, destroyed: this.destroyed,
      state: this.state, readableState: this._readableState, writableState: this._writableState,
    };
    return `Http2Stream ${require("node:util").format(shown)}`;
  }
}

Object.defineProperty(Http2Stream.prototype, "setTimeout", {
  configurable: true, enumerable: true, writable: true, value: shared.setTimeout,
});

function onPause() {
  if (!this.destroyed && !this.pending) this[kSession][kLink]?.read(this.id, false);
}

function onResume() {
  if (!this.destroyed) this[kSession][kLink]?.read(this.id, true);
}

/** What it is closed with when nobody has closed it. */
function destroyCode(stream, sessionState, error) {
  const sessionCode = sessionState.goawayCode || sessionState.destroyCode;
  if (error === null || error === undefined) return stream.closed ? stream.rstCode : sessionCode;
  if (sessionCode) return sessionCode;
  return error instanceof errors.AbortError ? CANCEL : INTERNAL_ERROR;
}

function finishTrailers(stream, text) {
  if (stream.destroyed) return;
  stream[kState].flags &= ~kHasTrailers;
  const rc = stream[kSession][kLink].stream("headers", stream.id, text, true);
  if (rc < 0) stream.destroy(nghttpError(rc));
  else stream[kMaybeDestroy]();
}

let warnedPriority = false;

function warnPriority() {
  if (warnedPriority) return;
  warnedPriority = true;
  process.emitWarning(
    "http2Stream.priority is longer supported after priority signalling was deprecated in RFC 9113",
    "DeprecationWarning", "DEP0194",
  );
}

exports.Http2Stream = Http2Stream;
