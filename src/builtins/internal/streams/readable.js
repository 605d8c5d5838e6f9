// internal/streams/readable -- Readable (Node: stream.Readable): what fills the buffer and what
// empties it. Pipes and flowing are in readable_flow, the rest of the methods in readable_more.
const { nextTick } = require("internal/tick");
const { Buffer } = require("node:buffer");
const { Stream } = require("internal/streams/legacy");
const { ReadableState, store, take } = require("internal/streams/readable_state");
const destroyImpl = require("internal/streams/destroy");
const { errorOrDestroy } = destroyImpl;

const kHighWaterMarkMax = 0x40000000;

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  this._events ??= {
    __proto__: null, close: undefined, error: undefined, data: undefined, end: undefined,
    readable: undefined,
  };
  Stream.call(this, options);
  this._readableState = new ReadableState(options, false);
  if (options) {
    if (typeof options.read === "function") this._read = options.read;
    if (typeof options.destroy === "function") this._destroy = options.destroy;
    if (typeof options.construct === "function") this._construct = options.construct;
    if (options.signal) {
      require("internal/streams/add_abort_signal").attach(options.signal, this);
    }
  }
  if (typeof this._construct === "function") {
    destroyImpl.construct(this, () => {
      if (this._readableState.needReadable) maybeReadMore(this, this._readableState);
    });
  }
  return undefined;
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);

Readable.prototype.destroy = destroyImpl.destroy;
Readable.prototype._undestroy = destroyImpl.undestroy;
Readable.prototype._destroy = function _destroy(err, cb) {
  cb(err);
};
Readable.prototype[Symbol.for("nodejs.rejection")] = function onRejection(err) {
  this.destroy(err);
};
Readable.prototype._read = function _read() {
  const { ERR_METHOD_NOT_IMPLEMENTED } = require("internal/errors");
  throw new ERR_METHOD_NOT_IMPLEMENTED("_read()");
};

// ---- Filling -----------------------------------------------------------------------------------

const canPushMore = (state) =>
  !state.ended && (state.length < state.highWaterMark || state.length === 0);

function badChunk(stream, chunk) {
  const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
  const types = ["string", "Buffer", "TypedArray", "DataView"];
  errorOrDestroy(stream, new ERR_INVALID_ARG_TYPE("chunk", types, chunk));
  return false;
}

const bufferOf = (view) => Buffer.from(view.buffer, view.byteOffset, view.byteLength);

function addChunk(stream, state, chunk, isFront) {
  if (
    state.flowing && state.length === 0 && !state.sync && stream.listenerCount("data") > 0
  ) {
    if (state.multiAwaitDrain) state.awaitDrainWriters.clear();
    else state.awaitDrainWriters = null;
    state.dataEmitted = true;
    stream.emit("data", chunk);
  } else {
    store(state, chunk, isFront);
    if (state.needReadable) emitReadable(stream);
  }
  maybeReadMore(stream, state);
}

function pushNothing(stream, state) {
  state.reading = false;
  maybeReadMore(stream, state);
  return canPushMore(state);
}

function pushValue(stream, state, chunk, encoding) {
  if (state.ended) {
    const { ERR_STREAM_PUSH_AFTER_EOF } = require("internal/errors");
    errorOrDestroy(stream, new ERR_STREAM_PUSH_AFTER_EOF());
    return false;
  }
  if (state.destroyed || state.errored) return false;
  state.reading = false;
  let data = chunk;
  if (state.decoder !== null && !encoding) {
    data = state.decoder.write(chunk);
    if (data.length === 0 && !state.objectMode) {
      maybeReadMore(stream, state);
      return canPushMore(state);
    }
  }
  addChunk(stream, state, data, false);
  return canPushMore(state);
}

function pushBytes(stream, state, chunk, encoding) {
  if (chunk instanceof Uint8Array && chunk instanceof Buffer) {
    if (chunk.length === 0) return pushNothing(stream, state);
    return pushValue(stream, state, chunk, "");
  }
  if (chunk === null) {
    state.reading = false;
    onEofChunk(stream, state);
    return false;
  }
  let data = chunk;
  let given = encoding;
  if (typeof chunk === "string") {
    given = encoding || state.defaultEncoding;
    if (state.encoding !== given) {
      data = Buffer.from(chunk, given);
      if (state.encoding) data = data.toString(state.encoding);
      else given = "";
    }
  } else if (ArrayBuffer.isView(chunk)) {
    data = bufferOf(chunk);
    given = "";
  } else if (chunk !== undefined) {
    return badChunk(stream, chunk);
  }
  if (!data || data.length <= 0) return pushNothing(stream, state);
  return pushValue(stream, state, data, given);
}

/** push(chunk[, encoding]): adds to the end of the buffer; null ends it. May more be pushed? */
Readable.prototype.push = function push(chunk, encoding) {
  const state = this._readableState;
  if (!state.objectMode) return pushBytes(this, state, chunk, encoding);
  if (chunk !== null) return pushValue(this, state, chunk, encoding);
  state.reading = false;
  onEofChunk(this, state);
  return false;
};

/** unshift(chunk[, encoding]): puts something that was read back in front. */
Readable.prototype.unshift = function unshift(chunk, encoding) {
  const state = this._readableState;
  let data = chunk;
  if (chunk === null) {
    state.reading = false;
    onEofChunk(this, state);
    return false;
  }
  if (!state.objectMode) {
    if (typeof chunk === "string") {
      const given = encoding || state.defaultEncoding;
      if (state.encoding !== given) {
        data = Buffer.from(chunk, given);
        if (state.encoding) data = data.toString(state.encoding);
      }
    } else if (ArrayBuffer.isView(chunk)) {
      if (!(chunk instanceof Buffer)) data = bufferOf(chunk);
    } else if (chunk !== undefined) {
      return badChunk(this, chunk);
    }
    if (!(data && data.length > 0)) return canPushMore(state);
  }
  if (state.endEmitted) {
    const { ERR_STREAM_UNSHIFT_AFTER_END_EVENT } = require("internal/errors");
    errorOrDestroy(this, new ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
  } else if (state.destroyed || state.errored) {
    return false;
  } else {
    addChunk(this, state, data, true);
  }
  return canPushMore(state);
};

function onEofChunk(stream, state) {
  if (state.ended) return;
  if (state.decoder !== null) {
    const rest = state.decoder.end();
    if (rest && rest.length > 0) store(state, rest, false);
  }
  state.ended = true;
  if (state.sync) {
    // _read is on the stack: whoever called read() must get its result first.
    emitReadable(stream);
  } else {
    state.needReadable = false;
    state.emittedReadable = true;
    emitReadableNT(stream);
  }
}

// ---- Asking for more ---------------------------------------------------------------------------

function emitReadable(stream) {
  const state = stream._readableState;
  state.needReadable = false;
  if (state.emittedReadable) return;
  state.emittedReadable = true;
  nextTick(emitReadableNT, stream);
}

function emitReadableNT(stream) {
  const state = stream._readableState;
  if (!state.destroyed && !state.errored && (state.length > 0 || state.ended)) {
    stream.emit("readable");
    state.emittedReadable = false;
  }
  state.needReadable = !state.flowing && !state.ended && state.length <= state.highWaterMark;
  flow(stream);
}

/** Hands out what there is while data flows. */
function flow(stream) {
  const state = stream._readableState;
  while (state.flowing && stream.read() !== null);
}

function maybeReadMore(stream, state) {
  if (state.readingMore || !state.constructed) return;
  state.readingMore = true;
  nextTick(maybeReadMoreNT, stream, state);
}

/** Reads ahead until the mark is reached, as long as each read brings something at once. */
function maybeReadMoreNT(stream, state) {
  while (
    !state.reading && !state.ended &&
    (state.length < state.highWaterMark || (state.flowing && state.length === 0))
  ) {
    const before = state.length;
    stream.read(0);
    if (state.length === before) break;
  }
  state.readingMore = false;
}

// ---- Emptying ----------------------------------------------------------------------------------

function raiseHighWaterMark(n) {
  if (n > kHighWaterMarkMax) {
    const { ERR_OUT_OF_RANGE } = require("internal/errors");
    throw new ERR_OUT_OF_RANGE("size", "<= 1GiB", n);
  }
  return n <= 1 ? 1 : 2 ** Math.ceil(Math.log2(n));
}

function howMuchToRead(n, state) {
  if (n <= 0 || (state.length === 0 && state.ended)) return 0;
  if (state.objectMode) return 1;
  if (n !== n) {
    // Without a size: all there is, or chunk by chunk while data flows.
    if (state.flowing && state.length > 0) return state.buffer[state.bufferIndex].length;
    return state.length;
  }
  if (n <= state.length) return n;
  return state.ended ? state.length : 0;
}

function callRead(stream, state) {
  state.reading = true;
  state.sync = true;
  if (state.length === 0) state.needReadable = true;
  try {
    stream._read(state.highWaterMark);
  } catch (err) {
    errorOrDestroy(stream, err);
  }
  state.sync = false;
}

/** Is there nothing to give, so that read(0) or a read at the end only says so? */
function isAnsweredAtOnce(stream, state, n) {
  if (n !== 0 || !state.needReadable) return false;
  const isFull =
    state.highWaterMark !== 0 ? state.length >= state.highWaterMark : state.length > 0;
  if (!isFull && !state.ended) return false;
  if (state.length === 0 && state.ended) endReadable(stream);
  else emitReadable(stream);
  return true;
}

function shouldRead(state, n) {
  if (state.ended || state.reading || state.destroyed || state.errored || !state.constructed) {
    return false;
  }
  return state.needReadable || state.length === 0 || state.length - n < state.highWaterMark;
}

function integerSize(n) {
  if (n === undefined) return NaN;
  return Number.isInteger(n) ? n : Number.parseInt(n, 10);
}

/** read([n]): n bytes, all there is or one object; null when there is not as much. */
Readable.prototype.read = function read(size) {
  const state = this._readableState;
  const asked = integerSize(size);
  if (asked > state.highWaterMark) state.highWaterMark = raiseHighWaterMark(asked);
  if (asked !== 0) state.emittedReadable = false;
  if (isAnsweredAtOnce(this, state, asked)) return null;
  let n = howMuchToRead(asked, state);
  if (n === 0 && state.ended) {
    if (state.length === 0) endReadable(this);
    return null;
  }
  if (shouldRead(state, n)) {
    callRead(this, state);
    // Something came at once.
    if (!state.reading) n = howMuchToRead(asked, state);
  }
  const ret = n > 0 ? take(state, n) : null;
  if (ret === null) {
    if (state.length <= state.highWaterMark) state.needReadable = true;
    n = 0;
  } else {
    state.length -= n;
    if (state.multiAwaitDrain) state.awaitDrainWriters.clear();
    else state.awaitDrainWriters = null;
  }
  if (state.length === 0) {
    if (!state.ended) state.needReadable = true;
    if (asked !== n && state.ended) endReadable(this);
  }
  if (ret !== null && !state.errorEmitted && !state.closeEmitted) {
    state.dataEmitted = true;
    this.emit("data", ret);
  }
  return ret;
};

// ---- The end -----------------------------------------------------------------------------------

function endReadable(stream) {
  const state = stream._readableState;
  if (state.endEmitted) return;
  state.ended = true;
  nextTick(endReadableNT, state, stream);
}

function endWritableNT(stream) {
  if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end();
}

function endReadableNT(state, stream) {
  if (state.errored || state.closeEmitted || state.endEmitted || state.length > 0) return;
  state.endEmitted = true;
  stream.emit("end");
  if (stream.writable && stream.allowHalfOpen === false) {
    nextTick(endWritableNT, stream);
  } else if (state.autoDestroy) {
    const w = stream._writableState;
    // A duplex goes when its other half has finished as well.
    if (!w || (w.autoDestroy && (w.finished || w.writable === false))) stream.destroy();
  }
}

exports.Readable = Readable;
exports.maybeReadMore = maybeReadMore;
exports.emitReadable = emitReadable;
exports.flow = flow;
require("internal/streams/readable_flow");
require("internal/streams/readable_more");
