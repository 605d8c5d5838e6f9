// web/streams/default_controller -- the controller of streams of anything (Streams Standard, 4.6).
//
// A DefaultController is told by `source` what to do: an object with pull() and cancel(reason),
// which return promises, either of which may be null. Without a size function a chunk counts 1.
const { Queue } = require("web/streams/queue");
const { resolved, resolvedNew, rejected, then, invoke, seal, soon } =
  require("web/streams/promises");
const core = require("web/streams/core");
const { checkSize, invalidState, invalidThis } = require("web/streams/checks");
const { defineInterface } = require("internal/webidl/interface");

const { READABLE, CLOSED, ERRORED } = core;
const kMake = Symbol("make");

class DefaultController {
  constructor(rs, source, highWaterMark, size) {
    this.rs = rs;
    this.source = source;
    this.highWaterMark = highWaterMark;
    this.size = size;
    this.queue = new Queue();
    /** Sizes of what is in the queue, where they are not all 1. */
    this.sizes = size === undefined ? null : new Queue();
    this.total = 0;
    this.isStarted = false;
    this.isCloseRequested = false;
    this.isPulling = false;
    this.mustPullAgain = false;
    this.onPulled = null;
    this.onPullFailed = null;
    this.wrapper = null;
    rs.controller = this;
  }

  /** What programs see of it. */
  get public() {
    this.wrapper ??= new ReadableStreamDefaultController(kMake, this);
    return this.wrapper;
  }

  /** Starts with what start() gave, a promise or not. */
  start(result) {
    then(
      resolvedNew(result),
      () => {
        this.isStarted = true;
        this.pullIfNeeded();
      },
      (error) => this.error(error),
    );
  }

  canEnqueue() {
    return !this.isCloseRequested && this.rs.state === READABLE;
  }

  desiredSize() {
    const { state } = this.rs;
    if (state === ERRORED) return null;
    if (state === CLOSED) return 0;
    return this.highWaterMark - this.total;
  }

  shouldPull() {
    if (!this.isStarted || this.isCloseRequested || this.rs.state !== READABLE) return false;
    return core.nRequests(this.rs) > 0 || this.highWaterMark - this.total > 0;
  }

  pullIfNeeded() {
    if (!this.shouldPull()) return;
    if (this.isPulling) {
      this.mustPullAgain = true;
      return;
    }
    const { source } = this;
    if (source.pull === null) return;
    this.isPulling = true;
    if (this.onPulled === null) {
      this.onPulled = () => {
        this.isPulling = false;
        if (!this.mustPullAgain) return;
        this.mustPullAgain = false;
        this.pullIfNeeded();
      };
      this.onPullFailed = (error) => this.error(error);
    }
    const promise = source.pull();
    if (promise === undefined) soon(this.onPulled);
    else then(promise, this.onPulled, this.onPullFailed);
  }

  enqueue(chunk) {
    if (!this.canEnqueue()) return;
    const { rs } = this;
    if (core.nRequests(rs) > 0) {
      rs.reader.requests.shift().chunk(chunk);
    } else if (this.sizes === null) {
      this.queue.push(chunk);
      this.total++;
    } else {
      this.enqueueSized(chunk);
    }
    this.pullIfNeeded();
  }

  enqueueSized(chunk) {
    const { size } = this;
    try {
      const n = checkSize(size === null ? 1 : size(chunk));
      this.queue.push(chunk);
      this.sizes.push(n);
      this.total += n;
    } catch (error) {
      this.error(error);
      throw error;
    }
  }

  dequeue() {
    if (this.sizes === null) this.total--;
    else this.total = Math.max(0, this.total - this.sizes.shift());
    return this.queue.shift();
  }

  close() {
    if (!this.canEnqueue()) return;
    this.isCloseRequested = true;
    if (this.queue.length > 0) return;
    this.forget();
    core.closeStream(this.rs);
  }

  error(error) {
    if (this.rs.state !== READABLE) return;
    this.reset();
    this.forget();
    core.errorStream(this.rs, error);
  }

  reset() {
    this.queue.clear();
    if (this.sizes !== null) this.sizes.clear();
    this.total = 0;
  }

  /** Lets go of the program's functions. */
  forget() {
    this.source = kNoSource;
    if (this.sizes !== null) this.size = null;
  }

  cancelSteps(reason) {
    this.reset();
    const { source } = this;
    const result = source.cancel === null ? resolved(undefined) : source.cancel(reason);
    this.forget();
    return result;
  }

  pullSteps(request) {
    if (this.queue.length === 0) {
      this.rs.reader.requests.push(request);
      this.pullIfNeeded();
      return;
    }
    const chunk = this.dequeue();
    if (this.isCloseRequested && this.queue.length === 0) {
      this.forget();
      core.closeStream(this.rs);
    } else {
      this.pullIfNeeded();
    }
    request.chunk(chunk);
  }

  releaseSteps() {}
}

const kNoSource = { __proto__: null, pull: null, cancel: null };

class ReadableStreamDefaultController {
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
      throw invalidThis("ReadableStreamDefaultController");
    }
    return value.#state;
  }

  get desiredSize() {
    return ReadableStreamDefaultController.#of(this).desiredSize();
  }

  close() {
    const state = ReadableStreamDefaultController.#of(this);
    if (!state.canEnqueue()) throw invalidState("Controller is already closed");
    state.close();
  }

  enqueue(chunk = undefined) {
    const state = ReadableStreamDefaultController.#of(this);
    if (!state.canEnqueue()) throw invalidState("Controller is already closed");
    state.enqueue(chunk);
  }

  error(error = undefined) {
    ReadableStreamDefaultController.#of(this).error(error);
  }
}
defineInterface(ReadableStreamDefaultController);

/** A promise of what pull() gives, undefined when that is nothing to wait for. */
function pullNow(pull, source, controller) {
  try {
    const value = Reflect.apply(pull, source, [controller]);
    if (typeof value === "object" && value !== null) return resolvedNew(value);
    return typeof value === "function" ? resolvedNew(value) : undefined;
  } catch (error) {
    return rejected(error);
  }
}

/** The source that a program wrote: its methods, called with it as `this`. */
class UserSource {
  constructor(source, pull, cancel, controller) {
    this.pull = pull === undefined ? null : () => pullNow(pull, source, controller.public);
    this.cancel =
      cancel === undefined ? null : (reason) => invoke(cancel, source, [reason]);
  }
}

seal(DefaultController);
seal(UserSource);

exports.ReadableStreamDefaultController = ReadableStreamDefaultController;
exports.DefaultController = DefaultController;
exports.UserSource = UserSource;
