// @global WritableStream WritableStreamDefaultWriter WritableStreamDefaultController
// web/streams/writable -- WritableStream and its classes (Streams Standard, 5).
const core = require("web/streams/writable_core");
const { rejected, invoke, seal } = require("web/streams/promises");
const checks = require("web/streams/checks");
const { defineInterface } = require("internal/webidl/interface");

const { invalidState, invalidThis, isObject, memberFunction, rejectThis } = checks;
const kMake = Symbol("make");
const kInspect = Symbol.for("nodejs.util.inspect.custom");

let stateOf;

/** The sink that a program wrote: its methods, called with it as `this`. */
class UserSink {
  constructor(sink, { write, close, abort }, controller) {
    this.write =
      write === undefined ? null : (chunk) => invoke(write, sink, [chunk, controller.public]);
    this.close = close === undefined ? null : () => invoke(close, sink, []);
    this.abort = abort === undefined ? null : (reason) => invoke(abort, sink, [reason]);
  }
}

seal(UserSink);

/** UnderlyingSink, its members read in the order of their names. */
function toSink(sink) {
  const dict = sink ?? {};
  const out = {
    abort: memberFunction(dict, "abort"),
    close: memberFunction(dict, "close"),
    start: memberFunction(dict, "start"),
    type: dict.type,
    write: memberFunction(dict, "write"),
  };
  if (out.type !== undefined) {
    const { makeCoded } = require("internal/errors");
    throw makeCoded("RangeError", "ERR_INVALID_ARG_VALUE", "The sink's type must be undefined");
  }
  return out;
}

class WritableStream {
  #ws;

  constructor(underlyingSink = undefined, strategy = {}) {
    if (underlyingSink === kMake) {
      this.#ws = strategy;
      strategy.stream = this;
      return;
    }
    if (underlyingSink !== undefined && !isObject(underlyingSink)) {
      const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
      throw new ERR_INVALID_ARG_TYPE("sink", "Object", underlyingSink);
    }
    const given = checks.toStrategy(strategy);
    const sink = toSink(underlyingSink);
    const highWaterMark = checks.extractMark(given, 1);
    const ws = new core.WritableState();
    ws.stream = this;
    this.#ws = ws;
    const controller = new core.WritableController(ws, null, highWaterMark, given.size);
    controller.sink = new UserSink(underlyingSink, sink, controller);
    if (sink.start === undefined) controller.start(undefined);
    else controller.start(Reflect.apply(sink.start, underlyingSink, [controller.public]));
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#ws in value)) {
      throw invalidThis("WritableStream");
    }
    return value.#ws;
  }

  static {
    stateOf = (value) =>
      typeof value === "object" && value !== null && #ws in value ? value.#ws : undefined;
  }

  get locked() {
    return WritableStream.#of(this).writer !== null;
  }

  abort(reason = undefined) {
    const ws = stateOf(this);
    if (ws === undefined) return rejectThis("WritableStream");
    if (ws.writer !== null) return rejected(invalidState("WritableStream is locked"));
    return ws.abort(reason);
  }

  close() {
    const ws = stateOf(this);
    if (ws === undefined) return rejectThis("WritableStream");
    if (ws.writer !== null) return rejected(invalidState("WritableStream is locked"));
    return closeNow(ws);
  }

  getWriter() {
    return new WritableStreamDefaultWriter(kMake, core.acquireWriter(WritableStream.#of(this)));
  }

  get [Symbol.for("nodejs.stream.errored")]() {
    return stateOf(this)?.state === core.ERRORED;
  }

  get [Symbol.for("nodejs.stream.writable")]() {
    return stateOf(this)?.state === core.WRITABLE;
  }

  get [Symbol.for("nodejs.webstream.isClosedPromise")]() {
    return require("web/streams/settled").settledOf(WritableStream.#of(this));
  }

  get [Symbol.for("nodejs.webstream.controllerErrorFunction")]() {
    const ws = WritableStream.#of(this);
    return (error) => ws.controller.errorIfNeeded(error);
  }

  [kInspect](depth, options, inspect) {
    return require("web/streams/inspect").inspectWritable(this, stateOf(this), options, inspect);
  }
}

function closeNow(ws) {
  if (ws.isClosing()) return rejected(invalidState("WritableStream is closing"));
  const request = new core.PromiseRequest();
  ws.close(request);
  return request.promise;
}

const released = () => invalidState("Writer is not bound to a WritableStream");

class WritableStreamDefaultWriter {
  #state;

  constructor(stream, internal = undefined) {
    if (stream === kMake) {
      this.#state = internal;
      return;
    }
    const ws = stateOf(stream);
    if (ws === undefined) {
      const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
      throw new ERR_INVALID_ARG_TYPE("stream", "WritableStream", stream);
    }
    this.#state = core.acquireWriter(ws);
  }

  static #isOne(value) {
    return typeof value === "object" && value !== null && #state in value;
  }

  get closed() {
    if (!WritableStreamDefaultWriter.#isOne(this)) {
      return rejectThis("WritableStreamDefaultWriter");
    }
    return this.#state.closed.get();
  }

  get desiredSize() {
    if (!WritableStreamDefaultWriter.#isOne(this)) throw invalidThis("WritableStreamDefaultWriter");
    const { ws } = this.#state;
    if (ws === null) throw released();
    return core.desiredSizeOf(ws);
  }

  get ready() {
    if (!WritableStreamDefaultWriter.#isOne(this)) {
      return rejectThis("WritableStreamDefaultWriter");
    }
    return this.#state.ready.get();
  }

  abort(reason = undefined) {
    if (!WritableStreamDefaultWriter.#isOne(this)) {
      return rejectThis("WritableStreamDefaultWriter");
    }
    const { ws } = this.#state;
    return ws === null ? rejected(released()) : ws.abort(reason);
  }

  close() {
    if (!WritableStreamDefaultWriter.#isOne(this)) {
      return rejectThis("WritableStreamDefaultWriter");
    }
    const { ws } = this.#state;
    return ws === null ? rejected(released()) : closeNow(ws);
  }

  releaseLock() {
    if (!WritableStreamDefaultWriter.#isOne(this)) throw invalidThis("WritableStreamDefaultWriter");
    if (this.#state.ws !== null) core.releaseWriter(this.#state);
  }

  write(chunk = undefined) {
    if (!WritableStreamDefaultWriter.#isOne(this)) {
      return rejectThis("WritableStreamDefaultWriter");
    }
    const state = this.#state;
    if (state.ws === null) return rejected(released());
    const request = new core.PromiseRequest();
    core.writeTo(state, chunk, request);
    return request.promise;
  }

  [kInspect](depth, options, inspect) {
    const { show } = require("web/streams/inspect");
    const { ws, closed, ready } = this.#state;
    const fields = {
      stream: ws === null ? undefined : ws.stream, close: closed.get(), ready: ready.get(),
      desiredSize: ws === null ? undefined : core.desiredSizeOf(ws),
    };
    return show("WritableStreamDefaultWriter", fields, options, inspect);
  }
}

class WritableStreamDefaultController {
  #state;

  constructor(token = undefined, state = undefined) {
    if (token !== kMake) {
      const { ERR_ILLEGAL_CONSTRUCTOR } = require("internal/errors");
      throw new ERR_ILLEGAL_CONSTRUCTOR();
    }
    this.#state = state;
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#state in value)) {
      throw invalidThis("WritableStreamDefaultController");
    }
    return value.#state;
  }

  get signal() {
    return WritableStreamDefaultController.#of(this).getSignal();
  }

  error(error = undefined) {
    WritableStreamDefaultController.#of(this).errorIfNeeded(error);
  }
}

defineInterface(WritableStream);
defineInterface(WritableStreamDefaultWriter);
defineInterface(WritableStreamDefaultController);
Object.defineProperty(WritableStreamDefaultWriter, "length", { value: 1 });

Object.assign(exports, {
  WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController, stateOf,
});
exports.makeController = (state) => new WritableStreamDefaultController(kMake, state);
/** The object for a state that has none yet. */
exports.wrap = (ws) => new WritableStream(kMake, ws);
