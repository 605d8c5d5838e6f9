// web/streams/reader -- ReadableStreamDefaultReader and ReadableStreamBYOBReader (Streams Standard,
// 4.4 and 4.5).
const core = require("web/streams/core");
const { resolved, rejected, seal } = require("web/streams/promises");
const {
  invalidThis, invalidState, rejectThis, typeError, toDictionary, toCount,
} = require("web/streams/checks");
const { defineInterface } = require("internal/webidl/interface");

const kMake = Symbol("make");
const kInspect = Symbol.for("nodejs.util.inspect.custom");

/** A read request with a promise, which is only made when the answer does not come at once. */
class PromiseRead {
  constructor() {
    // 0 nothing yet, 1 fulfilled, 2 rejected
    this.state = 0;
    this.result = undefined;
    this.resolve = null;
    this.reject = null;
  }

  settle(result) {
    this.state = 1;
    if (this.resolve !== null) this.resolve(result);
    else this.result = result;
  }

  chunk(value) {
    this.settle({ value, done: false });
  }

  close(value) {
    this.settle({ value, done: true });
  }

  error(reason) {
    this.state = 2;
    if (this.reject !== null) this.reject(reason);
    else this.result = reason;
  }

  promise() {
    if (this.state === 1) return resolved(this.result);
    if (this.state === 2) return rejected(this.result);
    return new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

seal(PromiseRead);

const released = () => rejected(invalidState("The reader is not bound to a stream"));

/** The state of a stream argument. */
function toStream(value) {
  const rs = require("web/streams/readable").stateOf(value);
  if (rs !== undefined) return rs;
  const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
  throw new ERR_INVALID_ARG_TYPE("stream", "ReadableStream", value);
}

function acquireReader(rs) {
  const reader = new core.ReaderState(false);
  core.attachReader(reader, rs);
  return reader;
}

function acquireByobReader(rs) {
  const { ByteController } = require("web/streams/byte_controller");
  if (core.isLocked(rs)) throw invalidState("ReadableStream is locked");
  if (!(rs.controller instanceof ByteController)) {
    const { ERR_INVALID_ARG_VALUE } = require("internal/errors");
    throw new ERR_INVALID_ARG_VALUE("stream", rs.stream, "must be a byte stream");
  }
  const reader = new core.ReaderState(true);
  core.attachReader(reader, rs);
  return reader;
}

class ReadableStreamDefaultReader {
  #state;

  constructor(stream, internal = undefined) {
    const isOwn = stream === kMake;
    this.#state = isOwn ? internal : acquireReader(toStream(stream));
    this.#state.reader = this;
  }

  static #isOne(value) {
    return typeof value === "object" && value !== null && #state in value;
  }

  get closed() {
    if (!ReadableStreamDefaultReader.#isOne(this)) {
      return rejectThis("ReadableStreamDefaultReader");
    }
    return this.#state.closed.get();
  }

  cancel(reason = undefined) {
    if (!ReadableStreamDefaultReader.#isOne(this)) {
      return rejectThis("ReadableStreamDefaultReader");
    }
    const { rs } = this.#state;
    return rs === null ? released() : core.cancelStream(rs, reason);
  }

  read() {
    if (!ReadableStreamDefaultReader.#isOne(this)) {
      return rejectThis("ReadableStreamDefaultReader");
    }
    const state = this.#state;
    if (state.rs === null) return released();
    const request = new PromiseRead();
    core.readFrom(state, request);
    return request.promise();
  }

  releaseLock() {
    if (!ReadableStreamDefaultReader.#isOne(this)) {
      throw invalidThis("ReadableStreamDefaultReader");
    }
    core.releaseReader(this.#state);
  }

  /** Bun: { value: all chunks that are there, size, done }, at once when there are any. */
  readMany() {
    if (!ReadableStreamDefaultReader.#isOne(this)) {
      throw invalidThis("ReadableStreamDefaultReader");
    }
    const state = this.#state;
    if (state.rs === null) throw invalidState("The reader is not bound to a stream");
    return require("web/streams/read_many").readMany(state);
  }

  [kInspect](depth, options, inspect) {
    return require("web/streams/inspect").inspectReader(this, this.#state, options, inspect);
  }
}

function checkView(view) {
  if (!ArrayBuffer.isView(view)) {
    const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
    throw new ERR_INVALID_ARG_TYPE("view", ["Buffer", "TypedArray", "DataView"], view);
  }
  if (view.byteLength === 0 || view.buffer.byteLength === 0) {
    const isDetached = view.buffer.detached;
    throw invalidState(isDetached ? "The view's buffer is detached" : "The view must not be empty");
  }
}

/** The option `min` of read, in elements. */
function toMinimum(view, options) {
  const dict = toDictionary(options, "options");
  const min = dict.min === undefined ? 1 : toCount(dict.min, "options.min");
  if (min === 0) throw typeError("options.min must be greater than 0", "ERR_INVALID_ARG_VALUE");
  const most = view instanceof DataView ? view.byteLength : view.length;
  if (min <= most) return min;
  const { makeCoded } = require("internal/errors");
  throw makeCoded("RangeError", "ERR_INVALID_ARG_VALUE", "options.min is more than the view holds");
}

class ReadableStreamBYOBReader {
  #state;

  constructor(stream, internal = undefined) {
    const isOwn = stream === kMake;
    this.#state = isOwn ? internal : acquireByobReader(toStream(stream));
    this.#state.reader = this;
  }

  static #isOne(value) {
    return typeof value === "object" && value !== null && #state in value;
  }

  get closed() {
    if (!ReadableStreamBYOBReader.#isOne(this)) return rejectThis("ReadableStreamBYOBReader");
    return this.#state.closed.get();
  }

  cancel(reason = undefined) {
    if (!ReadableStreamBYOBReader.#isOne(this)) return rejectThis("ReadableStreamBYOBReader");
    const { rs } = this.#state;
    return rs === null ? released() : core.cancelStream(rs, reason);
  }

  read(view, options = {}) {
    if (!ReadableStreamBYOBReader.#isOne(this)) return rejectThis("ReadableStreamBYOBReader");
    const state = this.#state;
    let min;
    try {
      checkView(view);
      min = toMinimum(view, options);
    } catch (error) {
      return rejected(error);
    }
    if (state.rs === null) return released();
    const request = new PromiseRead();
    readInto(state, view, min, request);
    return request.promise();
  }

  releaseLock() {
    if (!ReadableStreamBYOBReader.#isOne(this)) throw invalidThis("ReadableStreamBYOBReader");
    core.releaseReader(this.#state);
  }

  [kInspect](depth, options, inspect) {
    return require("web/streams/inspect").inspectReader(this, this.#state, options, inspect);
  }
}

/** ReadableStreamBYOBReaderRead */
function readInto(state, view, min, request) {
  const { rs } = state;
  rs.isDisturbed = true;
  if (rs.state === core.ERRORED) request.error(rs.storedError);
  else rs.controller.pullInto(view, min, request);
}

defineInterface(ReadableStreamDefaultReader);
defineInterface(ReadableStreamBYOBReader);
Object.defineProperty(ReadableStreamDefaultReader, "length", { value: 1 });
Object.defineProperty(ReadableStreamBYOBReader, "length", { value: 1 });
Object.defineProperty(ReadableStreamDefaultReader.prototype, "readMany", { enumerable: false });

Object.assign(exports, {
  ReadableStreamDefaultReader, ReadableStreamBYOBReader, PromiseRead, acquireReader,
  acquireByobReader, readInto,
});
exports.makeReader = (rs) => new ReadableStreamDefaultReader(kMake, acquireReader(rs));
exports.makeByobReader = (rs) => new ReadableStreamBYOBReader(kMake, acquireByobReader(rs));
