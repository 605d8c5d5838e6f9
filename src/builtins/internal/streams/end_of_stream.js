// internal/streams/end_of_stream -- finished(stream[, options], callback) (Node: stream.finished).
//
// `eos` returns a function that takes the listeners away again. The cases in which the stream has
// ended already, or will not emit 'close', are decided at the end of `start`.
const { AbortError, ERR_INVALID_ARG_TYPE, ERR_STREAM_PREMATURE_CLOSE } =
  require("internal/errors");
const { nextTick } = require("internal/tick");
const validators = require("internal/validators");
const is = require("internal/streams/predicates");

const nop = () => {};

class Watch {
  constructor(stream, options, callback) {
    this.stream = stream;
    this.options = options;
    this.callback = callback;
    this.readable = options.readable ?? is.isReadableNodeStream(stream);
    this.writable = options.writable ?? is.isWritableNodeStream(stream);
    this.willEmitClose =
      is.willEmitClose(stream) && is.isReadableNodeStream(stream) === this.readable &&
      is.isWritableNodeStream(stream) === this.writable;
    this.isWritableFinished = is.isWritableFinished(stream, false);
    this.isReadableFinished = is.isReadableFinished(stream, false);
    this.isClosed = is.isClosed(stream);
    this.bonds = [];
  }

  done(...args) {
    const { callback } = this;
    this.callback = nop;
    callback.apply(this.stream, args);
  }

  on(name, fn) {
    this.stream.on(name, fn);
    this.bonds.push(name, fn);
  }

  onFinish() {
    const { stream } = this;
    this.isWritableFinished = true;
    // Destroyed by somebody who will not wait for 'close'.
    if (stream.destroyed) this.willEmitClose = false;
    if (this.willEmitClose && (!stream.readable || this.readable)) return;
    if (!this.readable || this.isReadableFinished) this.done();
  }

  onEnd() {
    const { stream } = this;
    this.isReadableFinished = true;
    if (stream.destroyed) this.willEmitClose = false;
    if (this.willEmitClose && (!stream.writable || this.writable)) return;
    if (!this.writable || this.isWritableFinished) this.done();
  }

  /** Says the error that the stream has kept, if any. */
  saysError() {
    const err = is.isWritableErrored(this.stream) || is.isReadableErrored(this.stream);
    if (!err || typeof err === "boolean") return false;
    this.done(err);
    return true;
  }

  onClose() {
    const { stream } = this;
    this.isClosed = true;
    if (this.saysError()) return;
    const isReadCut =
      this.readable && !this.isReadableFinished && is.isReadableNodeStream(stream, true) &&
      !is.isReadableFinished(stream, false);
    const isWriteCut =
      this.writable && !this.isWritableFinished && !is.isWritableFinished(stream, false);
    if (isReadCut || isWriteCut) this.done(new ERR_STREAM_PREMATURE_CLOSE());
    else this.done();
  }

  onClosed() {
    this.isClosed = true;
    if (!this.saysError()) this.done();
  }

  listen() {
    const { stream } = this;
    const onFinish = () => this.onFinish();
    const onClose = () => this.onClose();
    if (is.isRequest(stream)) {
      this.on("complete", onFinish);
      if (!this.willEmitClose) this.on("abort", onClose);
      const onRequest = () => {
        this.request = [stream.req, onFinish];
        stream.req.on("finish", onFinish);
      };
      if (stream.req) onRequest();
      else this.on("request", onRequest);
    } else if (this.writable && !stream._writableState) {
      const onLegacyFinish = () => {
        if (!stream.writable) this.onFinish();
      };
      this.on("end", onLegacyFinish);
      this.on("close", onLegacyFinish);
    }
    // http's messages know 'aborted'.
    if (!this.willEmitClose && typeof stream.aborted === "boolean") this.on("aborted", onClose);
    this.on("end", () => this.onEnd());
    this.on("finish", onFinish);
    if (this.options.error !== false) this.on("error", (err) => this.done(err));
    this.on("close", onClose);
  }

  isOverAlready() {
    const { stream } = this;
    const w = stream._writableState;
    const r = stream._readableState;
    if (w?.errorEmitted || r?.errorEmitted) return !this.willEmitClose;
    if (
      !this.readable && (!this.willEmitClose || is.isReadable(stream)) &&
      (this.isWritableFinished || is.isWritable(stream) === false) &&
      (!w || w.pendingcb === undefined || w.pendingcb === 0)
    ) {
      return true;
    }
    if (
      !this.writable && (!this.willEmitClose || is.isWritable(stream)) &&
      (this.isReadableFinished || is.isReadable(stream) === false)
    ) {
      return true;
    }
    return !!(r && stream.req && stream.aborted);
  }

  start() {
    this.listen();
    if (this.isClosed) nextTick(() => this.onClose());
    else if (this.isOverAlready()) nextTick(() => this.onClosed());
    const { signal } = this.options;
    if (signal && !this.isClosed) this.watchSignal(signal);
  }

  watchSignal(signal) {
    const abort = () => {
      const { callback } = this;
      this.stop();
      callback.call(this.stream, new AbortError(undefined, { cause: signal.reason }));
    };
    if (signal.aborted) {
      nextTick(abort);
      return;
    }
    const undo = require("internal/streams/add_abort_signal").onAbort(signal, abort);
    const { callback } = this;
    this.callback = (...args) => {
      undo();
      callback.apply(this.stream, args);
    };
  }

  stop() {
    this.callback = nop;
    const { stream, bonds } = this;
    for (let i = 0; i < bonds.length; i += 2) stream.removeListener(bonds[i], bonds[i + 1]);
    if (this.request) this.request[0].removeListener("finish", this.request[1]);
  }
}

/** Web streams carry a promise of their end. */
function eosWeb(stream, options, callback) {
  let isAborted = false;
  let abort = nop;
  if (options.signal) {
    const { signal } = options;
    abort = () => {
      isAborted = true;
      callback.call(stream, new AbortError(undefined, { cause: signal.reason }));
    };
    if (signal.aborted) {
      nextTick(abort);
    } else {
      const undo = require("internal/streams/add_abort_signal").onAbort(signal, abort);
      abort = undo;
    }
  }
  const done = (...args) => {
    if (isAborted) return;
    if (options.signal && !options.signal.aborted) abort();
    nextTick(() => callback.apply(stream, args));
  };
  stream[is.kIsClosedPromise].promise.then(done, done);
  return nop;
}

function eos(stream, options, callback) {
  if (arguments.length === 2) return eos(stream, undefined, options);
  const given = options ?? {};
  if (options !== undefined && options !== null) validators.validateObject(options, "options");
  validators.validateFunction(callback, "callback");
  validators.validateAbortSignal(given.signal, "options.signal");
  if (is.isReadableStream(stream) || is.isWritableStream(stream)) {
    return eosWeb(stream, given, callback);
  }
  if (!is.isNodeStream(stream)) {
    const types = ["ReadableStream", "WritableStream", "Stream"];
    throw new ERR_INVALID_ARG_TYPE("stream", types, stream);
  }
  const watch = new Watch(stream, given, callback);
  watch.start();
  return () => watch.stop();
}

exports.eos = eos;

/** stream/promises.finished */
exports.finished = function finished(stream, options) {
  const given = options ?? {};
  if (given.cleanup !== undefined) validators.validateBoolean(given.cleanup, "cleanup");
  return new Promise((resolve, reject) => {
    const stop = eos(stream, given, (err) => {
      if (given.cleanup) stop();
      if (err) reject(err);
      else resolve();
    });
  });
};
