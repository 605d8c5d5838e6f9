// @global ReadableStream
// web/streams/readable -- ReadableStream (Streams Standard, 4.2).
const core = require("web/streams/core");
const { rejected, setHandled } = require("web/streams/promises");
const checks = require("web/streams/checks");
const { DefaultController, UserSource } = require("web/streams/default_controller");
const { defineInterface } = require("internal/webidl/interface");

const { invalidState, invalidThis, isObject, memberFunction, rejectThis, typeError } = checks;
const kMake = Symbol("make");
const kInspect = Symbol.for("nodejs.util.inspect.custom");

let stateOf;

/** UnderlyingSource, its members read in the order of their names. */
function toSource(source) {
  const dict = source === undefined || source === null ? {} : source;
  const size = dict.autoAllocateChunkSize;
  const out = {
    size: size === undefined ? undefined : checks.toCount(size, "autoAllocateChunkSize"),
    cancel: memberFunction(dict, "cancel"),
    pull: memberFunction(dict, "pull"),
    start: memberFunction(dict, "start"),
    type: dict.type,
  };
  if (out.type === undefined) return out;
  out.type = `${out.type}`;
  if (out.type !== "bytes" && out.type !== "direct") {
    const text =
      `'${out.type}' is not a valid underlying source 'type'; ` +
      'expected "bytes", "direct", or undefined';
    throw typeError(text, "ERR_INVALID_ARG_VALUE");
  }
  return out;
}

function setUpDefault(rs, given, source, strategy) {
  const highWaterMark = checks.extractMark(strategy, 1);
  const controller = new DefaultController(rs, null, highWaterMark, strategy.size);
  controller.source = new UserSource(given, source.pull, source.cancel, controller);
  if (source.start === undefined) controller.start(undefined);
  else controller.start(Reflect.apply(source.start, given, [controller.public]));
}

function setUpBytes(rs, given, source, strategy) {
  const { ByteController } = require("web/streams/byte_controller");
  if (strategy.size !== undefined) {
    const { makeCoded } = require("internal/errors");
    throw makeCoded(
      "RangeError", "ERR_INVALID_ARG_VALUE", "A byte stream cannot have a strategy with a size",
    );
  }
  const highWaterMark = checks.extractMark(strategy, 0);
  if (source.size === 0) {
    throw typeError("autoAllocateChunkSize must be greater than 0", "ERR_INVALID_ARG_VALUE");
  }
  const controller = new ByteController(rs, null, highWaterMark, source.size);
  controller.source = new UserSource(given, source.pull, source.cancel, controller);
  if (source.start === undefined) controller.start(undefined);
  else controller.start(Reflect.apply(source.start, given, [controller.public]));
}

/** StreamPipeOptions, its members read in the order of their names. */
function toPipeOptions(options) {
  const dict = checks.toDictionary(options, "options");
  const preventAbort = !!dict.preventAbort;
  const preventCancel = !!dict.preventCancel;
  const preventClose = !!dict.preventClose;
  const { signal } = dict;
  if (signal !== undefined && !require("web/abort").isAbortSignal(signal)) {
    const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
    throw new ERR_INVALID_ARG_TYPE("options.signal", "AbortSignal", signal);
  }
  return { preventAbort, preventCancel, preventClose, signal };
}

function toWritable(value, name) {
  const ws = require("web/streams/writable").stateOf(value);
  if (ws !== undefined) return ws;
  const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
  throw new ERR_INVALID_ARG_TYPE(name, "WritableStream", value);
}

class ReadableStream {
  #rs;

  constructor(underlyingSource = undefined, strategy = {}) {
    if (underlyingSource === kMake) {
      this.#rs = strategy;
      strategy.stream = this;
      return;
    }
    if (underlyingSource !== undefined && !isObject(underlyingSource)) {
      const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
      throw new ERR_INVALID_ARG_TYPE("source", "Object", underlyingSource);
    }
    const given = checks.toStrategy(strategy);
    const source = toSource(underlyingSource);
    const rs = new core.ReadableState();
    rs.stream = this;
    this.#rs = rs;
    if (source.type === "bytes") setUpBytes(rs, underlyingSource, source, given);
    else if (source.type === "direct") {
      require("web/streams/direct").setUp(rs, underlyingSource, source, given);
    } else setUpDefault(rs, underlyingSource, source, given);
  }

  static from(asyncIterable) {
    return require("web/streams/from").from(asyncIterable);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#rs in value)) {
      throw invalidThis("ReadableStream");
    }
    return value.#rs;
  }

  static {
    stateOf = (value) =>
      typeof value === "object" && value !== null && #rs in value ? value.#rs : undefined;
  }

  get locked() {
    return core.isLocked(ReadableStream.#of(this));
  }

  cancel(reason = undefined) {
    const rs = stateOf(this);
    if (rs === undefined) return rejectThis("ReadableStream");
    if (core.isLocked(rs)) return rejected(invalidState("ReadableStream is locked"));
    return core.cancelStream(rs, reason);
  }

  getReader(options = {}) {
    const rs = ReadableStream.#of(this);
    const { mode } = checks.toDictionary(options, "options");
    const { makeReader, makeByobReader } = require("web/streams/reader");
    if (mode === undefined) return makeReader(rs);
    if (`${mode}` === "byob") return makeByobReader(rs);
    const { ERR_INVALID_ARG_VALUE } = require("internal/errors");
    throw new ERR_INVALID_ARG_VALUE("options.mode", mode);
  }

  pipeThrough(transform, options = {}) {
    const rs = ReadableStream.#of(this);
    if (!isObject(transform)) {
      const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
      throw new ERR_INVALID_ARG_TYPE("transform", "Object", transform);
    }
    const { readable } = transform;
    if (stateOf(readable) === undefined) {
      const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
      throw new ERR_INVALID_ARG_TYPE("transform.readable", "ReadableStream", readable);
    }
    const ws = toWritable(transform.writable, "transform.writable");
    const given = toPipeOptions(options);
    if (core.isLocked(rs)) throw invalidState("The ReadableStream is locked");
    if (ws.writer !== null) throw invalidState("The WritableStream is locked");
    setHandled(require("web/streams/pipe").pipeTo(rs, ws, given));
    return readable;
  }

  pipeTo(destination, options = {}) {
    const rs = stateOf(this);
    if (rs === undefined) return rejectThis("ReadableStream");
    let ws;
    let given;
    try {
      ws = toWritable(destination, "destination");
      given = toPipeOptions(options);
    } catch (error) {
      return rejected(error);
    }
    if (core.isLocked(rs)) return rejected(invalidState("The ReadableStream is locked"));
    if (ws.writer !== null) return rejected(invalidState("The WritableStream is locked"));
    return require("web/streams/pipe").pipeTo(rs, ws, given);
  }

  tee() {
    const rs = ReadableStream.#of(this);
    return require("web/streams/tee").tee(rs);
  }

  values(options = {}) {
    const rs = ReadableStream.#of(this);
    const dict = checks.toDictionary(options, "options");
    const preventCancel = !!dict.preventCancel;
    return require("web/streams/iterate").iterate(rs, preventCancel);
  }

  blob() {
    return consume(this, "blob");
  }

  bytes() {
    return consume(this, "bytes");
  }

  json() {
    return consume(this, "json");
  }

  text() {
    return consume(this, "text");
  }

  get [Symbol.for("nodejs.stream.disturbed")]() {
    return stateOf(this)?.isDisturbed;
  }

  get [Symbol.for("nodejs.stream.errored")]() {
    return stateOf(this)?.state === core.ERRORED;
  }

  get [Symbol.for("nodejs.stream.readable")]() {
    return stateOf(this)?.state === core.READABLE;
  }

  get [Symbol.for("nodejs.webstream.isClosedPromise")]() {
    return require("web/streams/settled").settledOf(ReadableStream.#of(this));
  }

  get [Symbol.for("nodejs.webstream.controllerErrorFunction")]() {
    const rs = ReadableStream.#of(this);
    return (error) => rs.controller.error(error);
  }

  [kInspect](depth, options, inspect) {
    return require("web/streams/inspect").inspectReadable(this, stateOf(this), options, inspect);
  }
}

function consume(stream, kind) {
  if (stateOf(stream) === undefined) return rejectThis("ReadableStream");
  return require("web/streams/consume")[kind](stream);
}

defineInterface(ReadableStream);
Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
  __proto__: null, value: ReadableStream.prototype.values, writable: true, configurable: true,
});

exports.ReadableStream = ReadableStream;
/** The state behind a stream, or undefined when the value is none. */
exports.stateOf = stateOf;
/** The object for a state that has none yet. */
exports.wrap = (rs) => new ReadableStream(kMake, rs);
