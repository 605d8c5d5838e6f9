// internal/streams/destroy -- construct, destroy and the way of an error, for both halves of a
// stream (Node: stream, "destroy"). A stream has `_readableState`, `_writableState` or both; what
// happens to one happens to the other.

const { AbortError, aggregateTwoErrors } = require("internal/errors");
const { nextTick } = require("internal/tick");
const {
  kIsDestroyed, isDestroyed, isFinished, isServerRequest, isRequest,
} = require("internal/streams/predicates");

const kDestroy = Symbol("kDestroy");
const kConstruct = Symbol("kConstruct");

function noteError(err, w, r) {
  if (!err) return;
  // Reading the stack now keeps it from holding on to the frames.
  err.stack; // eslint-disable-line no-unused-expressions
  if (w && !w.errored) w.errored = err;
  if (r && !r.errored) r.errored = err;
}

function emitErrorNT(self, err) {
  const w = self._writableState;
  const r = self._readableState;
  if (w?.errorEmitted || r?.errorEmitted) return;
  if (w) w.errorEmitted = true;
  if (r) r.errorEmitted = true;
  self.emit("error", err);
}

function emitCloseNT(self) {
  const w = self._writableState;
  const r = self._readableState;
  if (w) w.closeEmitted = true;
  if (r) r.closeEmitted = true;
  if (w?.emitClose || r?.emitClose) self.emit("close");
}

function emitErrorCloseNT(self, err) {
  emitErrorNT(self, err);
  emitCloseNT(self);
}

function runDestroy(self, err, cb) {
  let isDone = false;
  const onDestroy = (error) => {
    if (isDone) return;
    isDone = true;
    const w = self._writableState;
    const r = self._readableState;
    noteError(error, w, r);
    if (w) w.closed = true;
    if (r) r.closed = true;
    if (typeof cb === "function") cb(error);
    if (error) nextTick(emitErrorCloseNT, self, error);
    else nextTick(emitCloseNT, self);
  };
  try {
    self._destroy(err || null, onDestroy);
  } catch (error) {
    onDestroy(error);
  }
}

/** Method `destroy(err, cb)` of all streams. */
function destroy(err, cb) {
  const r = this._readableState;
  const w = this._writableState;
  if (w?.destroyed || r?.destroyed) {
    if (typeof cb === "function") cb();
    return this;
  }
  noteError(err, w, r);
  if (w) w.destroyed = true;
  if (r) r.destroyed = true;
  if ((w || r).constructed) {
    runDestroy(this, err, cb);
  } else {
    this.once(kDestroy, (error) => runDestroy(this, aggregateTwoErrors(error, err), cb));
  }
  return this;
}

/** Makes a destroyed stream usable again (sockets that reconnect). */
function undestroy() {
  const r = this._readableState;
  const w = this._writableState;
  for (let i = 0, all = [r, w]; i < all.length; i++) {
    const state = all[i];
    if (!state) continue;
    state.constructed = true;
    state.closed = false;
    state.closeEmitted = false;
    state.destroyed = false;
    state.errored = null;
    state.errorEmitted = false;
  }
  if (r) {
    r.reading = false;
    r.ended = r.readable === false;
    r.endEmitted = r.readable === false;
  }
  if (w) {
    w.finalCalled = false;
    w.prefinished = false;
    w.ended = w.ending = w.finished = w.writable === false;
  }
}

/** An error inside the stream: destroys it, or only says so where autoDestroy is off. */
function errorOrDestroy(stream, err, isSync) {
  const r = stream._readableState;
  const w = stream._writableState;
  if (w?.destroyed || r?.destroyed) return;
  if (r?.autoDestroy || w?.autoDestroy) {
    stream.destroy(err);
  } else if (err) {
    noteError(err, w, r);
    if (isSync) nextTick(emitErrorNT, stream, err);
    else emitErrorNT(stream, err);
  }
}

function runConstruct(stream) {
  let isDone = false;
  const onConstruct = (err) => {
    if (isDone) {
      const { ERR_MULTIPLE_CALLBACK } = require("internal/errors");
      errorOrDestroy(stream, err ?? new ERR_MULTIPLE_CALLBACK());
      return;
    }
    isDone = true;
    const r = stream._readableState;
    const w = stream._writableState;
    if (r) r.constructed = true;
    if (w) w.constructed = true;
    if ((w || r).destroyed) stream.emit(kDestroy, err);
    else if (err) errorOrDestroy(stream, err, true);
    else stream.emit(kConstruct);
  };
  try {
    stream._construct((err) => nextTick(onConstruct, err));
  } catch (err) {
    nextTick(onConstruct, err);
  }
}

/** Runs `_construct` in the next tick, if there is one; `cb` when it has succeeded. */
function construct(stream, cb) {
  if (typeof stream._construct !== "function") return;
  const r = stream._readableState;
  const w = stream._writableState;
  if (r) r.constructed = false;
  if (w) w.constructed = false;
  stream.once(kConstruct, cb);
  if (stream.listenerCount(kConstruct) === 1) nextTick(runConstruct, stream);
}

function emitCloseLegacy(stream) {
  stream.emit("close");
}

function emitErrorCloseLegacy(stream, err) {
  stream.emit("error", err);
  nextTick(emitCloseLegacy, stream);
}

/** Destroys whatever kind of stream it is, with an AbortError when it had not finished. */
function destroyer(stream, err) {
  if (!stream || isDestroyed(stream)) return;
  const error = !err && !isFinished(stream) ? new AbortError() : err;
  if (isServerRequest(stream)) {
    stream.socket = null;
    stream.destroy(error);
  } else if (isRequest(stream)) {
    stream.abort();
  } else if (isRequest(stream.req)) {
    stream.req.abort();
  } else if (typeof stream.destroy === "function") {
    stream.destroy(error);
  } else if (typeof stream.close === "function") {
    stream.close();
  } else if (error) {
    nextTick(emitErrorCloseLegacy, stream, error);
  } else {
    nextTick(emitCloseLegacy, stream);
  }
  if (!stream.destroyed) stream[kIsDestroyed] = true;
}

Object.assign(exports, { construct, destroy, undestroy, errorOrDestroy, destroyer });
