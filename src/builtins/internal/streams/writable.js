// internal/streams/writable -- Writable (Node: stream.Writable).
const { nextTick } = require("internal/tick");
const { Buffer } = require("node:buffer");
const errors = require("internal/errors");
const { Stream } = require("internal/streams/legacy");
const { WritableState, resetBuffer } = require("internal/streams/writable_state");
const destroyImpl = require("internal/streams/destroy");
const { errorOrDestroy } = destroyImpl;

/** Written chunks are given back once there are so many, and more than what is left. */
const kCompactAt = 256;

const nop = () => {};
const isInstance = Function.prototype[Symbol.hasInstance];

function Writable(options) {
  if (!(this instanceof Writable)) return new Writable(options);
  this._events ??= {
    __proto__: null, close: undefined, error: undefined, prefinish: undefined,
    finish: undefined, drain: undefined,
  };
  Stream.call(this, options);
  this._writableState = new WritableState(options, this, false);
  this._writableState.onwrite = (err) => onwrite(this, err);
  if (options) takeOptions(this, options);
  if (typeof this._construct === "function") {
    destroyImpl.construct(this, () => {
      const state = this._writableState;
      if (!state.writing) clearBuffer(this, state);
      finishMaybe(this, state);
    });
  }
  return undefined;
}
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);
const { prototype } = Writable;

function takeOptions(stream, options) {
  if (typeof options.write === "function") stream._write = options.write;
  if (typeof options.writev === "function") stream._writev = options.writev;
  if (typeof options.destroy === "function") stream._destroy = options.destroy;
  if (typeof options.final === "function") stream._final = options.final;
  if (typeof options.construct === "function") stream._construct = options.construct;
  if (options.signal) {
    require("internal/streams/add_abort_signal").attach(options.signal, stream);
  }
}

// Duplexes are Writables too, although they inherit from Readable.
Object.defineProperty(Writable, Symbol.hasInstance, {
  __proto__: null,
  value(object) {
    if (isInstance.call(this, object)) return true;
    return this === Writable && !!object && object._writableState instanceof WritableState;
  },
});

prototype.pipe = function pipe() {
  errorOrDestroy(this, new errors.ERR_STREAM_CANNOT_PIPE());
};

// ---- Writing -----------------------------------------------------------------------------------

function checkEncoding(encoding) {
  if (encoding !== "buffer" && !Buffer.isEncoding(encoding)) {
    throw new errors.ERR_UNKNOWN_ENCODING(encoding);
  }
}

function badChunk(chunk) {
  const types = ["string", "Buffer", "TypedArray", "DataView"];
  return new errors.ERR_INVALID_ARG_TYPE("chunk", types, chunk);
}

function refuse(stream, err, callback) {
  nextTick(callback, err);
  errorOrDestroy(stream, err, true);
  return err;
}

/** May more be written?  Or the error that it failed with. */
function writeChunk(stream, chunk, encoding, callback) {
  const state = stream._writableState;
  let data = chunk;
  let given = encoding;
  if (given === undefined || given === null || given === "") given = state.defaultEncoding;
  else checkEncoding(given);
  if (chunk === null) throw new errors.ERR_STREAM_NULL_VALUES();
  if (!state.objectMode) {
    if (typeof chunk === "string") {
      if (state.decodeStrings) {
        data = Buffer.from(chunk, given);
        given = "buffer";
      }
    } else if (chunk instanceof Buffer) {
      given = "buffer";
    } else if (ArrayBuffer.isView(chunk)) {
      data = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      given = "buffer";
    } else {
      throw badChunk(chunk);
    }
  }
  if (state.ending) return refuse(stream, new errors.ERR_STREAM_WRITE_AFTER_END(), callback);
  if (state.destroyed) {
    return refuse(stream, new errors.ERR_STREAM_DESTROYED("write"), callback);
  }
  state.pendingcb++;
  return writeOrBuffer(stream, state, data, given, callback);
}

function writeOrBuffer(stream, state, chunk, encoding, callback) {
  const len = state.objectMode ? 1 : chunk.length;
  state.length += len;
  // _write may change the length: look before it.
  const isBelow = state.length < state.highWaterMark || state.length === 0;
  if (!isBelow) state.needDrain = true;
  if (state.writing || state.corked || state.errored || !state.constructed) {
    state.buffered.push({ chunk, encoding, callback });
    if (encoding !== "buffer") state.allBuffers = false;
    if (callback !== nop) state.allNoop = false;
  } else {
    state.writelen = len;
    state.writecb = callback;
    state.writing = true;
    state.sync = true;
    stream._write(chunk, encoding, state.onwrite);
    state.sync = false;
  }
  return isBelow && !state.errored && !state.destroyed;
}

/** write(chunk[, encoding][, callback]): false means wait for 'drain'. */
prototype.write = function write(chunk, encoding, callback) {
  if (typeof encoding === "function") return writeChunk(this, chunk, null, encoding) === true;
  const cb = typeof callback === "function" ? callback : nop;
  return writeChunk(this, chunk, encoding, cb) === true;
};

prototype._write = function _write(chunk, encoding, callback) {
  if (!this._writev) throw new errors.ERR_METHOD_NOT_IMPLEMENTED("_write()");
  this._writev([{ chunk, encoding }], callback);
};
prototype._writev = null;

function doWrite(stream, state, isMany, len, { chunk, encoding, callback }) {
  state.writelen = len;
  state.writecb = callback;
  state.writing = true;
  state.sync = true;
  if (state.destroyed) state.onwrite(new errors.ERR_STREAM_DESTROYED("write"));
  else if (isMany) stream._writev(chunk, state.onwrite);
  else stream._write(chunk, encoding, state.onwrite);
  state.sync = false;
}

function onwriteError(stream, state, err, callback) {
  state.pendingcb--;
  callback(err);
  errorBuffer(state);
  errorOrDestroy(stream, err);
}

/** The callback that _write and _writev get. */
function onwrite(stream, err) {
  const state = stream._writableState;
  const { sync, writecb } = state;
  if (typeof writecb !== "function") {
    errorOrDestroy(stream, new errors.ERR_MULTIPLE_CALLBACK());
    return;
  }
  state.writing = false;
  state.writecb = null;
  state.length -= state.writelen;
  state.writelen = 0;
  if (err) {
    err.stack; // eslint-disable-line no-unused-expressions
    if (!state.errored) state.errored = err;
    const r = stream._readableState;
    if (r && !r.errored) r.errored = err;
    if (sync) nextTick(onwriteError, stream, state, err, writecb);
    else onwriteError(stream, state, err, writecb);
    return;
  }
  if (state.buffered.length > state.bufferedIndex) clearBuffer(stream, state);
  if (sync) afterSyncWrite(stream, state, writecb);
  else afterWrite(stream, state, 1, writecb);
}

/** Callbacks of writes that were done at once come in the next tick, several in one. */
function afterSyncWrite(stream, state, callback) {
  if (callback === nop) {
    const needsTick = (state.needDrain && state.length === 0) || state.destroyed;
    if (!state.isTickPending && needsTick) {
      state.isTickPending = true;
      nextTick(afterWriteNT, stream, state);
    } else {
      state.pendingcb--;
      if (state.ending) finishMaybe(stream, state, true);
    }
    return;
  }
  const info = state.afterWriteTickInfo;
  if (info !== null && info.callback === callback) {
    info.count++;
    return;
  }
  state.afterWriteTickInfo = { count: 1, callback };
  state.isTickPending = true;
  nextTick(afterWriteInfoNT, stream, state.afterWriteTickInfo);
}

function afterWriteNT(stream, state) {
  state.isTickPending = false;
  afterWrite(stream, state, 1, nop);
}

function afterWriteInfoNT(stream, info) {
  const state = stream._writableState;
  state.isTickPending = false;
  if (state.afterWriteTickInfo === info) state.afterWriteTickInfo = null;
  afterWrite(stream, state, info.count, info.callback);
}

function afterWrite(stream, state, count, callback) {
  if (state.needDrain && state.length === 0 && !state.ending && !state.destroyed) {
    state.needDrain = false;
    stream.emit("drain");
  }
  for (let i = 0; i < count; i++) {
    state.pendingcb--;
    callback(null);
  }
  if (state.destroyed) errorBuffer(state);
  finishMaybe(stream, state);
}

/** Tells everybody who waits that it will not happen. */
function errorBuffer(state) {
  if (state.writing) return;
  for (let i = state.bufferedIndex; i < state.buffered.length; i++) {
    const { chunk, callback } = state.buffered[i];
    state.length -= state.objectMode ? 1 : chunk.length;
    callback(state.errored ?? new errors.ERR_STREAM_DESTROYED("write"));
  }
  callFinished(state, state.errored ?? new errors.ERR_STREAM_DESTROYED("end"));
  resetBuffer(state);
}

function writeMany(stream, state, from) {
  const { buffered } = state;
  state.pendingcb -= buffered.length - from - 1;
  const callback = state.allNoop
    ? nop
    : (err) => {
        for (let i = from; i < buffered.length; i++) buffered[i].callback(err);
      };
  const chunks = state.allNoop && from === 0 ? buffered : buffered.slice(from);
  chunks.allBuffers = state.allBuffers;
  doWrite(stream, state, true, state.length, { chunk: chunks, encoding: "", callback });
  resetBuffer(state);
}

function clearBuffer(stream, state) {
  if (state.corked || state.bufferProcessing || state.destroyed || !state.constructed) return;
  const { buffered, bufferedIndex, objectMode } = state;
  const count = buffered.length - bufferedIndex;
  if (count === 0) return;
  state.bufferProcessing = true;
  if (count > 1 && stream._writev) {
    writeMany(stream, state, bufferedIndex);
  } else {
    let i = bufferedIndex;
    do {
      const entry = buffered[i];
      buffered[i++] = null;
      doWrite(stream, state, false, objectMode ? 1 : entry.chunk.length, entry);
    } while (i < buffered.length && !state.writing);
    if (i === buffered.length) {
      resetBuffer(state);
    } else if (i > kCompactAt && i * 2 > buffered.length) {
      buffered.splice(0, i);
      state.bufferedIndex = 0;
    } else {
      state.bufferedIndex = i;
    }
  }
  state.bufferProcessing = false;
}

// ---- Finishing ---------------------------------------------------------------------------------

/** end([chunk][, encoding][, callback]) */
prototype.end = function end(chunk, encoding, callback) {
  if (typeof chunk === "function") return this.end(null, null, chunk);
  if (typeof encoding === "function") return this.end(chunk, null, encoding);
  const state = this._writableState;
  let err;
  if (chunk !== null && chunk !== undefined) {
    const result = writeChunk(this, chunk, encoding, nop);
    if (result instanceof Error) err = result;
  }
  if (state.corked) {
    state.corked = 1;
    this.uncork();
  }
  if (!err) {
    if (!state.errored && !state.ending) {
      state.ending = true;
      finishMaybe(this, state, true);
      state.ended = true;
    } else if (state.finished) {
      err = new errors.ERR_STREAM_ALREADY_FINISHED("end");
    } else if (state.destroyed) {
      err = new errors.ERR_STREAM_DESTROYED("end");
    }
  }
  if (typeof callback === "function") {
    if (err) nextTick(callback, err);
    else if (state.errored) nextTick(callback, state.errored);
    else if (state.finished) nextTick(callback, null);
    else state.onFinished.push(callback);
  }
  return this;
};

function needFinish(state) {
  return (
    state.ending && !state.destroyed && state.constructed && state.length === 0 &&
    !state.errored && state.buffered.length === 0 && !state.finished && !state.writing &&
    !state.errorEmitted && !state.closeEmitted
  );
}

function callFinished(state, err) {
  if (state.onFinished.length === 0) return;
  for (const callback of state.onFinished.splice(0)) callback(err);
}

function callFinal(stream, state) {
  let isDone = false;
  const onFinish = (err) => {
    if (isDone) {
      errorOrDestroy(stream, err ?? new errors.ERR_MULTIPLE_CALLBACK());
      return;
    }
    isDone = true;
    state.pendingcb--;
    if (err) {
      callFinished(state, err);
      errorOrDestroy(stream, err, state.sync);
    } else if (needFinish(state)) {
      state.prefinished = true;
      stream.emit("prefinish");
      // Promises of what ran before come first.
      state.pendingcb++;
      nextTick(finish, stream, state);
    }
  };
  state.sync = true;
  state.pendingcb++;
  try {
    stream._final(onFinish);
  } catch (err) {
    onFinish(err);
  }
  state.sync = false;
}

function prefinish(stream, state) {
  if (state.prefinished || state.finalCalled) return;
  if (typeof stream._final === "function" && !state.destroyed) {
    state.finalCalled = true;
    callFinal(stream, state);
  } else {
    state.prefinished = true;
    stream.emit("prefinish");
  }
}

function finishIfStillNT(stream, state) {
  if (needFinish(state)) finish(stream, state);
  else state.pendingcb--;
}

function finishMaybe(stream, state, isSync) {
  if (!needFinish(state)) return;
  prefinish(stream, state);
  if (state.pendingcb !== 0) return;
  if (isSync) {
    state.pendingcb++;
    nextTick(finishIfStillNT, stream, state);
  } else if (needFinish(state)) {
    state.pendingcb++;
    finish(stream, state);
  }
}

function finish(stream, state) {
  state.pendingcb--;
  state.finished = true;
  callFinished(state, null);
  stream.emit("finish");
  if (!state.autoDestroy) return;
  const r = stream._readableState;
  // A duplex goes when its other half has ended as well.
  if (!r || (r.autoDestroy && (r.endEmitted || r.readable === false))) stream.destroy();
}

prototype.destroy = function destroy(err, cb) {
  const state = this._writableState;
  const hasWaiting = state.bufferedIndex < state.buffered.length || state.onFinished.length > 0;
  if (!state.destroyed && hasWaiting) nextTick(errorBuffer, state);
  destroyImpl.destroy.call(this, err, cb);
  return this;
};

Object.assign(exports, { Writable, clearBuffer, finishMaybe, onwrite, takeOptions });
require("internal/streams/writable_more");
