// web/streams/iterate -- async iteration of a ReadableStream (Streams Standard, 4.2.5; Web IDL,
// "asynchronous iterator prototype object").
const core = require("web/streams/core");
const { acquireReader } = require("web/streams/reader");
const { resolved, rejected, seal, then } = require("web/streams/promises");
const { rejectThis } = require("web/streams/checks");

const AsyncIteratorPrototype = Object.getPrototypeOf(
  Object.getPrototypeOf(async function* () {}).prototype,
);

const nop = () => {};

/** A read that releases the reader at the end of the stream. */
class IteratorRead {
  constructor(iterator) {
    this.iterator = iterator;
    this.state = 0;
    this.result = undefined;
    this.resolve = null;
    this.reject = null;
  }

  chunk(value) {
    this.settle(1, { value, done: false });
  }

  close() {
    core.releaseReader(this.iterator.reader);
    this.iterator.isFinished = true;
    this.settle(1, { value: undefined, done: true });
  }

  error(reason) {
    core.releaseReader(this.iterator.reader);
    this.iterator.isFinished = true;
    this.settle(2, reason);
  }

  settle(state, result) {
    this.state = state;
    if (this.resolve === null) this.result = result;
    // A turn later than the chunk, as iterators of Web IDL do it.
    else if (state === 1) queueMicrotask(() => this.resolve(result));
    else this.reject(result);
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

class IteratorState {
  constructor(reader, preventCancel) {
    this.reader = reader;
    this.preventCancel = preventCancel;
    this.isFinished = false;
    /** The last of the calls that have not been answered. */
    this.ongoing = null;
  }

  next() {
    if (this.isFinished) return resolved({ value: undefined, done: true });
    const request = new IteratorRead(this);
    core.readFrom(this.reader, request);
    return request.promise();
  }

  return(value) {
    const done = () => ({ value, done: true });
    if (this.isFinished) return resolved(done());
    this.isFinished = true;
    const { reader } = this;
    if (this.preventCancel) {
      core.releaseReader(reader);
      return resolved(done());
    }
    const result = core.cancelStream(reader.rs, value);
    core.releaseReader(reader);
    return then(result, done);
  }

  /** One call after the other. */
  enqueue(step) {
    const { ongoing } = this;
    const promise = ongoing === null ? step() : then(then(ongoing, nop, nop), step);
    this.ongoing = promise;
    then(promise, () => this.settled(promise), () => this.settled(promise));
    return promise;
  }

  settled(promise) {
    if (this.ongoing === promise) this.ongoing = null;
  }
}

seal(IteratorRead);
seal(IteratorState);

/** Returns the object that it is given, so that a subclass can put a private field on it. */
class Base {
  constructor(object) {
    return object;
  }
}

class Holder extends Base {
  #state;

  constructor(object, state) {
    super(object);
    this.#state = state;
  }

  static of(value) {
    const isOne = typeof value === "object" && value !== null && #state in value;
    return isOne ? value.#state : undefined;
  }
}

const iteratorPrototype = Object.create(AsyncIteratorPrototype, {
  next: {
    __proto__: null, enumerable: true, configurable: true, writable: true,
    value: function next() {
      const state = Holder.of(this);
      if (state === undefined) return rejectThis("ReadableStreamAsyncIterator");
      return state.enqueue(() => state.next());
    },
  },
  return: {
    __proto__: null, enumerable: true, configurable: true, writable: true,
    value: function (value) {
      const state = Holder.of(this);
      if (state === undefined) return rejectThis("ReadableStreamAsyncIterator");
      return state.enqueue(() => state.return(value));
    },
  },
});
Object.defineProperty(iteratorPrototype.return, "name", { value: "return" });

exports.iterate = function iterate(rs, preventCancel) {
  const state = new IteratorState(acquireReader(rs), preventCancel);
  return new Holder(Object.create(iteratorPrototype), state);
};
