// internal/streams/operators -- map, filter, reduce and the other helpers of Readable (Node:
// stream.Readable "iterator helpers").
const {
  AbortError, ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS, ERR_OUT_OF_RANGE,
} = require("internal/errors");
const {
  validateAbortSignal, validateFunction, validateInteger, validateObject,
} = require("internal/validators");
const { Readable } = require("internal/streams/readable");
const is = require("internal/streams/predicates");

/** Nothing is given for this item. */
const kEmpty = Symbol("kEmpty");
/** The source has ended. */
const kEof = Symbol("kEof");

const nop = () => {};

function checkOptions(options) {
  if (options !== undefined && options !== null) validateObject(options, "options");
  if (options?.signal !== undefined && options?.signal !== null) {
    validateAbortSignal(options.signal, "options.signal");
  }
}

/** Runs fn on items of a stream, several at a time, and gives the results in order. */
class Mapper {
  constructor(stream, fn, { concurrency, highWaterMark, signal }) {
    this.stream = stream;
    this.fn = fn;
    this.concurrency = concurrency;
    this.highWaterMark = highWaterMark;
    this.signal = signal;
    this.queue = [];
    this.count = 0;
    this.isDone = false;
    this.wakeReader = null;
    this.wakePump = null;
  }

  wake(which) {
    const fn = this[which];
    this[which] = null;
    if (fn) fn();
  }

  maybeResume() {
    if (!this.isDone && this.count < this.concurrency && this.queue.length < this.highWaterMark) {
      this.wake("wakePump");
    }
  }

  /** Queues a promise of a result. */
  add(promise) {
    const onSettled = () => {
      this.count--;
      this.maybeResume();
    };
    promise.then(onSettled, () => {
      this.isDone = true;
      onSettled();
    });
    this.queue.push(promise);
  }

  call(value) {
    try {
      const result = this.fn(value, { signal: this.signal });
      return result === kEmpty ? kEmpty : Promise.resolve(result);
    } catch (err) {
      return Promise.reject(err);
    }
  }

  async pump() {
    try {
      for await (const value of this.stream) {
        if (this.isDone) return;
        if (this.signal.aborted) throw new AbortError();
        const promise = this.call(value);
        if (promise === kEmpty) continue;
        this.count++;
        this.add(promise);
        this.wake("wakeReader");
        const isFull =
          this.queue.length >= this.highWaterMark || this.count >= this.concurrency;
        if (!this.isDone && isFull) {
          await new Promise((resolve) => {
            this.wakePump = resolve;
          });
        }
      }
      this.queue.push(kEof);
    } catch (err) {
      this.add(Promise.reject(err));
    } finally {
      this.isDone = true;
      this.wake("wakeReader");
    }
  }

  async *results() {
    this.pump();
    try {
      while (true) {
        while (this.queue.length > 0) {
          const value = await this.queue[0];
          if (value === kEof) return;
          if (this.signal.aborted) throw new AbortError();
          if (value !== kEmpty) yield value;
          this.queue.shift();
          this.maybeResume();
        }
        await new Promise((resolve) => {
          this.wakeReader = resolve;
        });
      }
    } finally {
      this.isDone = true;
      this.wake("wakePump");
    }
  }
}

function map(fn, options) {
  validateFunction(fn, "fn");
  checkOptions(options);
  let concurrency = 1;
  if (options?.concurrency !== undefined && options.concurrency !== null) {
    concurrency = Math.floor(options.concurrency);
  }
  let highWaterMark = concurrency - 1;
  if (options?.highWaterMark !== undefined && options.highWaterMark !== null) {
    highWaterMark = Math.floor(options.highWaterMark);
  }
  validateInteger(concurrency, "options.concurrency", 1);
  validateInteger(highWaterMark, "options.highWaterMark", 0);
  highWaterMark += concurrency;
  const signal = AbortSignal.any(options?.signal ? [options.signal] : []);
  return new Mapper(this, fn, { concurrency, highWaterMark, signal }).results();
}

function filter(fn, options) {
  validateFunction(fn, "fn");
  return map.call(
    this,
    async (value, given) => ((await fn(value, given)) ? value : kEmpty),
    options,
  );
}

async function forEach(fn, options) {
  validateFunction(fn, "fn");
  const results = map.call(
    this,
    async (value, given) => {
      await fn(value, given);
      return kEmpty;
    },
    options,
  );
  for await (const _ of results) nop(_);
}

async function some(fn, options) {
  for await (const _ of filter.call(this, fn, options)) {
    nop(_);
    return true;
  }
  return false;
}

async function every(fn, options) {
  validateFunction(fn, "fn");
  return !(await some.call(this, async (...args) => !(await fn(...args)), options));
}

async function find(fn, options) {
  for await (const value of filter.call(this, fn, options)) return value;
  return undefined;
}

async function toArray(options) {
  checkOptions(options);
  const all = [];
  for await (const value of this) {
    if (options?.signal?.aborted) {
      throw new AbortError(undefined, { cause: options.signal.reason });
    }
    all.push(value);
  }
  return all;
}

function emptyReduceError() {
  const err = new ERR_MISSING_ARGS("reduce");
  err.message = "Reduce of an empty stream requires an initial value";
  return err;
}

async function reduce(reducer, initialValue, options) {
  validateFunction(reducer, "reducer");
  checkOptions(options);
  let hasValue = arguments.length > 1;
  let value = initialValue;
  const outer = options?.signal;
  if (outer?.aborted) {
    const err = new AbortError(undefined, { cause: outer.reason });
    this.once("error", nop);
    await require("internal/streams/end_of_stream").finished(this.destroy(err));
    throw err;
  }
  const controller = new AbortController();
  let undo = nop;
  if (outer) {
    const { onAbort } = require("internal/streams/add_abort_signal");
    undo = onAbort(outer, () => controller.abort());
  }
  try {
    for await (const item of this) {
      if (outer?.aborted) throw new AbortError();
      value = hasValue ? await reducer(value, item, { signal: controller.signal }) : item;
      hasValue = true;
    }
    if (!hasValue) throw emptyReduceError();
  } finally {
    undo();
    controller.abort();
  }
  return value;
}

function flatMap(fn, options) {
  const values = map.call(this, fn, options);
  return (async function* () {
    for await (const value of values) yield* value;
  })();
}

/** A count of items; NaN is none. */
function toCount(given) {
  const n = Number(given);
  if (n !== n) return 0;
  if (n < 0) throw new ERR_OUT_OF_RANGE("number", ">= 0", n);
  return n;
}

function drop(number, options) {
  checkOptions(options);
  let rest = toCount(number);
  const stream = this;
  return (async function* () {
    if (options?.signal?.aborted) throw new AbortError();
    for await (const value of stream) {
      if (options?.signal?.aborted) throw new AbortError();
      if (rest-- <= 0) yield value;
    }
  })();
}

function take(number, options) {
  checkOptions(options);
  let rest = toCount(number);
  const stream = this;
  return (async function* () {
    if (options?.signal?.aborted) throw new AbortError();
    for await (const value of stream) {
      if (options?.signal?.aborted) throw new AbortError();
      if (rest-- > 0) yield value;
      if (rest <= 0) return;
    }
  })();
}

function compose(stream, options) {
  checkOptions(options);
  if (is.isNodeStream(stream) && !is.isWritable(stream)) {
    throw new ERR_INVALID_ARG_VALUE("stream", stream, "must be writable");
  }
  const composed = require("internal/streams/compose").compose(this, stream);
  if (options?.signal) {
    require("internal/streams/add_abort_signal").attach(options.signal, composed);
  }
  return composed;
}

function toStream(operator) {
  return function (...args) {
    return Readable.from(Reflect.apply(operator, this, args));
  };
}

exports.operators = {
  __proto__: null,
  map: toStream(map),
  filter: toStream(filter),
  flatMap: toStream(flatMap),
  drop: toStream(drop),
  take: toStream(take),
  compose,
};
exports.promises = { __proto__: null, forEach, toArray, some, every, find, reduce };
