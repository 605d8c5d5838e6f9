// internal/streams/readable_state -- the state of a readable half and its buffer.
//
// `buffer` is an array whose elements before `bufferIndex` have been taken; names and meaning of
// the fields are Node's, since programs read them.
const { getHighWaterMark, getDefaultEncoding } = require("internal/streams/high_water_mark");

/** Taken elements are given back once there are so many, and more than what is left. */
const kCompactAt = 1024;

class ReadableState {
  constructor(options, isDuplex) {
    this.objectMode = !!(options?.objectMode || (isDuplex && options?.readableObjectMode));
    this.highWaterMark = getHighWaterMark(this, options, "readableHighWaterMark", isDuplex);
    this.buffer = [];
    this.bufferIndex = 0;
    this.length = 0;
    this.pipes = [];
    // null: nobody has asked for data; false: paused; true: data flows.
    this.flowing = null;
    this.ended = false;
    this.endEmitted = false;
    this.reading = false;
    this.constructed = true;
    // Is _read (or the constructor) on the stack?
    this.sync = true;
    this.needReadable = false;
    this.emittedReadable = false;
    this.readableListening = false;
    this.resumeScheduled = false;
    this.isPausedByUser = null;
    this.errorEmitted = false;
    this.emitClose = options?.emitClose !== false;
    this.autoDestroy = options?.autoDestroy !== false;
    this.destroyed = false;
    this.errored = null;
    this.closed = false;
    this.closeEmitted = false;
    this.defaultEncoding = getDefaultEncoding(options);
    this.awaitDrainWriters = null;
    this.multiAwaitDrain = false;
    this.readingMore = false;
    this.dataEmitted = false;
    this.decoder = null;
    this.encoding = null;
    this.readable = undefined;
    if (options?.encoding) {
      const { StringDecoder } = require("node:string_decoder");
      this.decoder = new StringDecoder(options.encoding);
      this.encoding = options.encoding;
    }
  }

  get pipesCount() {
    return this.pipes.length;
  }

  get paused() {
    return this.isPausedByUser === true;
  }

  set paused(value) {
    this.isPausedByUser = !!value;
  }
}

/** As push does it: at the end, or at the front for unshift. */
function store(state, chunk, isFront) {
  state.length += state.objectMode ? 1 : chunk.length;
  if (!isFront) state.buffer.push(chunk);
  else if (state.bufferIndex > 0) state.buffer[--state.bufferIndex] = chunk;
  else state.buffer.unshift(chunk);
}

function compact(state) {
  const { buffer, bufferIndex } = state;
  if (bufferIndex === buffer.length) {
    buffer.length = 0;
    state.bufferIndex = 0;
  } else if (bufferIndex > kCompactAt && bufferIndex * 2 > buffer.length) {
    buffer.splice(0, bufferIndex);
    state.bufferIndex = 0;
  }
}

function takeFirst(state) {
  const chunk = state.buffer[state.bufferIndex];
  state.buffer[state.bufferIndex++] = null;
  compact(state);
  return chunk;
}

function takeAll(state) {
  const { buffer, bufferIndex } = state;
  const count = buffer.length - bufferIndex;
  let all;
  if (state.decoder !== null) {
    all = "";
    for (let i = bufferIndex; i < buffer.length; i++) all += buffer[i];
  } else {
    const { Buffer } = require("node:buffer");
    if (count === 0) all = Buffer.alloc(0);
    else all = Buffer.concat(bufferIndex === 0 ? buffer : buffer.slice(bufferIndex), state.length);
  }
  buffer.length = 0;
  state.bufferIndex = 0;
  return all;
}

/** Part of a chunk, without a copy. */
const part = (chunk, from, to) =>
  typeof chunk === "string" ? chunk.slice(from, to) : chunk.subarray(from, to);

/** n bytes or characters from several chunks. */
function takeSome(state, n) {
  const { buffer } = state;
  const parts = [];
  let i = state.bufferIndex;
  let rest = n;
  while (rest > 0) {
    const chunk = buffer[i];
    if (rest < chunk.length) {
      parts.push(part(chunk, 0, rest));
      buffer[i] = part(chunk, rest);
      break;
    }
    parts.push(chunk);
    rest -= chunk.length;
    buffer[i++] = null;
  }
  state.bufferIndex = i;
  compact(state);
  if (state.decoder !== null) return parts.join("");
  return require("node:buffer").Buffer.concat(parts, n);
}

/** Takes n out of the buffer; null when it is empty. `length` is not touched. */
function take(state, n) {
  if (state.length === 0) return null;
  const { buffer, bufferIndex } = state;
  if (state.objectMode) return takeFirst(state);
  const first = buffer[bufferIndex];
  if (!n || n >= state.length) {
    return buffer.length - bufferIndex === 1 ? takeFirst(state) : takeAll(state);
  }
  if (n === first.length) return takeFirst(state);
  if (n > first.length) return takeSome(state, n);
  buffer[bufferIndex] = part(first, n);
  return part(first, 0, n);
}

Object.assign(exports, { ReadableState, store, take });
