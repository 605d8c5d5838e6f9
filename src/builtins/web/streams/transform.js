// @global TransformStream TransformStreamDefaultController
// web/streams/transform -- TransformStream (Streams Standard, 6).
const readable = require("web/streams/core");
const writable = require("web/streams/writable_core");
const { DefaultController } = require("web/streams/default_controller");
const { LazyPromise, resolved, rejected, seal, then, invoke } = require("web/streams/promises");
const checks = require("web/streams/checks");
const { defineInterface } = require("internal/webidl/interface");

const { invalidState, invalidThis, isObject, memberFunction } = checks;
const kMake = Symbol("make");
const kInspect = Symbol.for("nodejs.util.inspect.custom");
const kNoTransformer = { __proto__: null, transform: null, flush: null, cancel: null };

/**
 * Both sides and what is between them. `transformer` is an object with transform(chunk), flush()
 * and cancel(reason), which return promises; each may be null.
 */
class TransformState {
  constructor(transformer, writableStrategy, readableStrategy) {
    this.transformer = transformer;
    this.hasBackpressure = true;
    this.change = new LazyPromise();
    this.finish = null;
    this.wrapper = null;
    this.ws = new writable.WritableState();
    this.rs = new readable.ReadableState();
    const sink = {
      __proto__: null,
      write: (chunk) => this.sinkWrite(chunk),
      close: () => this.sinkClose(),
      abort: (reason) => this.sinkAbort(reason),
    };
    const source = {
      __proto__: null,
      pull: () => this.sourcePull(),
      cancel: (reason) => this.sourceCancel(reason),
    };
    const { mark, size } = writableStrategy;
    new writable.WritableController(this.ws, sink, mark, size);
    new DefaultController(this.rs, source, readableStrategy.mark, readableStrategy.size);
  }

  /** Both sides start when the promise says so. */
  start(promise) {
    this.ws.controller.start(promise);
    this.rs.controller.start(promise);
  }

  get public() {
    this.wrapper ??= new TransformStreamDefaultController(kMake, this);
    return this.wrapper;
  }

  setBackpressure(hasBackpressure) {
    this.change.resolve(undefined);
    this.change = new LazyPromise();
    this.hasBackpressure = hasBackpressure;
  }

  forget() {
    this.transformer = kNoTransformer;
  }

  error(error) {
    this.rs.controller.error(error);
    this.errorWritable(error);
  }

  errorWritable(error) {
    this.forget();
    this.ws.controller.errorIfNeeded(error);
    this.unblock();
  }

  /** Lets a write go on that waits for the readable side. */
  unblock() {
    if (this.hasBackpressure) this.setBackpressure(false);
  }

  enqueue(chunk) {
    const { controller } = this.rs;
    if (!controller.canEnqueue()) throw invalidState("The readable side is not readable");
    try {
      controller.enqueue(chunk);
    } catch (error) {
      this.errorWritable(error);
      throw this.rs.storedError;
    }
    const hasBackpressure = !controller.shouldPull();
    if (hasBackpressure !== this.hasBackpressure) this.setBackpressure(true);
  }

  terminate() {
    this.rs.controller.close();
    this.errorWritable(invalidState("TransformStream terminated"));
  }

  // ---- Sink ------------------------------------------------------------------------------------

  sinkWrite(chunk) {
    if (!this.hasBackpressure) return this.transform(chunk);
    return then(this.change.get(), () => {
      if (this.ws.state === writable.ERRORING) throw this.ws.storedError;
      return this.transform(chunk);
    });
  }

  transform(chunk) {
    const { transformer } = this;
    if (transformer.transform === null) {
      // The identity.
      if (transformer === kNoTransformer) return resolved(undefined);
      try {
        this.enqueue(chunk);
        return resolved(undefined);
      } catch (error) {
        this.error(error);
        return rejected(error);
      }
    }
    return then(transformer.transform(chunk), undefined, (error) => {
      this.error(error);
      throw error;
    });
  }

  /** Calls cancel or flush once, and settles with what `onDone` and `onFailed` say. */
  finishWith(call, onDone, onFailed) {
    if (this.finish !== null) return this.finish.promise;
    const finish = (this.finish = new writable.PromiseRequest());
    const result = call(this.transformer);
    this.forget();
    then(
      result,
      () => onDone(finish),
      (error) => {
        onFailed(error);
        finish.reject(error);
      },
    );
    return finish.promise;
  }

  sinkAbort(reason) {
    const { rs } = this;
    return this.finishWith(
      (t) => (t.cancel === null ? resolved(undefined) : t.cancel(reason)),
      (finish) => {
        if (rs.state === readable.ERRORED) {
          finish.reject(rs.storedError);
        } else {
          rs.controller.error(reason);
          finish.resolve(undefined);
        }
      },
      (error) => rs.controller.error(error),
    );
  }

  sinkClose() {
    const { rs } = this;
    return this.finishWith(
      (t) => (t.flush === null ? resolved(undefined) : t.flush()),
      (finish) => {
        if (rs.state === readable.ERRORED) {
          finish.reject(rs.storedError);
        } else {
          rs.controller.close();
          finish.resolve(undefined);
        }
      },
      (error) => rs.controller.error(error),
    );
  }

  // ---- Source ----------------------------------------------------------------------------------

  sourcePull() {
    this.setBackpressure(false);
    return this.change.get();
  }

  sourceCancel(reason) {
    const { ws } = this;
    return this.finishWith(
      (t) => (t.cancel === null ? resolved(undefined) : t.cancel(reason)),
      (finish) => {
        if (ws.state === writable.ERRORED) {
          finish.reject(ws.storedError);
        } else {
          ws.controller.errorIfNeeded(reason);
          this.unblock();
          finish.resolve(undefined);
        }
      },
      (error) => {
        ws.controller.errorIfNeeded(error);
        this.unblock();
      },
    );
  }
}

/** Transformer, its members read in the order of their names. */
function toTransformer(transformer) {
  const dict = transformer ?? {};
  const out = {
    cancel: memberFunction(dict, "cancel"),
    flush: memberFunction(dict, "flush"),
    readableType: dict.readableType,
    start: memberFunction(dict, "start"),
    transform: memberFunction(dict, "transform"),
    writableType: dict.writableType,
  };
  for (const name of ["readableType", "writableType"]) {
    if (out[name] === undefined) continue;
    const { ERR_INVALID_ARG_VALUE_RANGE } = require("internal/errors");
    throw new ERR_INVALID_ARG_VALUE_RANGE(`transformer.${name}`, out[name]);
  }
  return out;
}

/** The transformer that a program wrote: its methods, called with it as `this`. */
class UserTransformer {
  constructor() {
    this.transform = null;
    this.flush = null;
    this.cancel = null;
  }

  fill(given, { transform, flush, cancel }, state) {
    if (transform !== undefined) {
      this.transform = (chunk) => invoke(transform, given, [chunk, state.public]);
    }
    if (flush !== undefined) this.flush = () => invoke(flush, given, [state.public]);
    if (cancel !== undefined) this.cancel = (reason) => invoke(cancel, given, [reason]);
  }
}

seal(TransformState);
seal(UserTransformer);

let stateOf;

class TransformStream {
  #state;

  constructor(transformer = undefined, writableStrategy = {}, readableStrategy = {}) {
    if (transformer === kMake) {
      this.#state = writableStrategy;
      return;
    }
    if (transformer !== undefined && !isObject(transformer)) {
      const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
      throw new ERR_INVALID_ARG_TYPE("transformer", "Object", transformer);
    }
    const forWriting = checks.toStrategy(writableStrategy);
    const forReading = checks.toStrategy(readableStrategy);
    const given = toTransformer(transformer);
    const readMark = checks.extractMark(forReading, 0);
    const writeMark = checks.extractMark(forWriting, 1);
    const user = new UserTransformer();
    const state = new TransformState(
      user, { mark: writeMark, size: forWriting.size }, { mark: readMark, size: forReading.size },
    );
    user.fill(transformer, given, state);
    this.#state = state;
    const started = new writable.PromiseRequest();
    state.start(started.promise);
    if (given.start === undefined) started.resolve(undefined);
    else started.resolve(Reflect.apply(given.start, transformer, [state.public]));
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#state in value)) {
      throw invalidThis("TransformStream");
    }
    return value.#state;
  }

  static {
    stateOf = (value) =>
      typeof value === "object" && value !== null && #state in value ? value.#state : undefined;
  }

  get readable() {
    const { rs } = TransformStream.#of(this);
    return rs.stream ?? require("web/streams/readable").wrap(rs);
  }

  get writable() {
    const { ws } = TransformStream.#of(this);
    return ws.stream ?? require("web/streams/writable").wrap(ws);
  }

  [kInspect](depth, options, inspect) {
    return require("web/streams/inspect").inspectTransform(this, stateOf(this), options, inspect);
  }
}

class TransformStreamDefaultController {
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
      throw invalidThis("TransformStreamDefaultController");
    }
    return value.#state;
  }

  get desiredSize() {
    return TransformStreamDefaultController.#of(this).rs.controller.desiredSize();
  }

  enqueue(chunk = undefined) {
    TransformStreamDefaultController.#of(this).enqueue(chunk);
  }

  error(reason = undefined) {
    TransformStreamDefaultController.#of(this).error(reason);
  }

  terminate() {
    TransformStreamDefaultController.#of(this).terminate();
  }
}

defineInterface(TransformStream);
defineInterface(TransformStreamDefaultController);

exports.TransformStream = TransformStream;
exports.TransformStreamDefaultController = TransformStreamDefaultController;
exports.stateOf = stateOf;
/**
 * A pair of streams around a transformer of Cob's own: { transform(chunk, state), flush(state),
 * cancel(reason) }, whose functions may throw; `state.enqueue(chunk)` gives something out.
 */
exports.makeTransform = function makeTransform({ transform, flush, cancel }) {
  const inner = { __proto__: null, transform: null, flush: null, cancel: null };
  const state = new TransformState(inner, { mark: 1 }, { mark: 0 });
  inner.transform = (chunk) => invoke(transform, undefined, [chunk, state]);
  if (flush !== undefined) inner.flush = () => invoke(flush, undefined, [state]);
  if (cancel !== undefined) inner.cancel = (reason) => invoke(cancel, undefined, [reason]);
  state.start(resolved(undefined));
  return new TransformStream(kMake, state);
};
