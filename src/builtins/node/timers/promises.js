// node:timers/promises -- timers as promises and an async iterator (Node: timers/promises).

const { AbortError, ERR_ILLEGAL_CONSTRUCTOR, ERR_INVALID_THIS } = require("internal/errors");
const {
  validateAbortSignal,
  validateBoolean,
  validateNumber,
  validateObject,
} = require("internal/validators");
const { onAbort } = require("internal/util/abort_listener");
const timers = require("node:timers");

const {
  setTimeout: startTimeout,
  setImmediate: startImmediate,
  setInterval: startInterval,
} = timers;
const { clearTimeout, clearImmediate, clearInterval } = timers;

const abortError = (signal) => new AbortError(undefined, { cause: signal.reason });

/** { signal, ref }, checked. */
function readOptions(options) {
  validateObject(options, "options");
  const { signal, ref = true } = options;
  if (signal !== undefined) validateAbortSignal(signal, "options.signal");
  validateBoolean(ref, "options.ref");
  return { signal, ref };
}

/**
 * A promise for a timer that `start` makes from the function to call; when the signal aborts,
 * `clear` stops the timer.
 */
function promiseOf({ signal, ref }, start, clear) {
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const stop = () => {
      clear(timer);
      reject(abortError(signal));
    };
    const timer = start((value) => {
      signal?.removeEventListener("abort", stop);
      resolve(value);
    });
    if (!ref) timer.unref();
    if (signal) onAbort(signal, stop);
  });
}

exports.setTimeout = function setTimeout(after, value, options = { __proto__: null }) {
  let read;
  try {
    if (after !== undefined) validateNumber(after, "delay");
    read = readOptions(options);
  } catch (error) {
    return Promise.reject(error);
  }
  return promiseOf(read, (done) => startTimeout(done, after, value), clearTimeout);
};

exports.setImmediate = function setImmediate(value, options = { __proto__: null }) {
  let read;
  try {
    read = readOptions(options);
  } catch (error) {
    return Promise.reject(error);
  }
  return promiseOf(read, (done) => startImmediate(done, value), clearImmediate);
};

exports.setInterval = async function* setInterval(after, value, options = { __proto__: null }) {
  if (after !== undefined) validateNumber(after, "delay");
  const { signal, ref } = readOptions(options);
  if (signal?.aborted) throw abortError(signal);
  let due = 0;
  let wake;
  const notify = () => {
    wake?.();
    wake = undefined;
  };
  const timer = startInterval(() => {
    due++;
    notify();
  }, after);
  if (!ref) timer.unref();
  const stop = () => {
    clearInterval(timer);
    notify();
  };
  if (signal) onAbort(signal, stop);
  try {
    while (!signal?.aborted) {
      if (due === 0) {
        await new Promise((resolve) => {
          wake = resolve;
        });
      }
      for (; due > 0; due--) yield value;
    }
    throw abortError(signal);
  } finally {
    clearInterval(timer);
    signal?.removeEventListener("abort", stop);
  }
};

let isOwn; // the one Scheduler

class Scheduler {
  #isOwn;

  constructor(key) {
    if (key !== isOwn || key === undefined) throw new ERR_ILLEGAL_CONSTRUCTOR();
    this.#isOwn = true;
  }

  static #check(self) {
    if (self === null || typeof self !== "object" || !(#isOwn in self)) {
      throw new ERR_INVALID_THIS("Scheduler");
    }
  }

  yield() {
    Scheduler.#check(this);
    return exports.setImmediate();
  }

  wait(delay, options) {
    Scheduler.#check(this);
    return exports.setTimeout(delay, undefined, options);
  }
}

isOwn = Symbol("scheduler");
exports.scheduler = new Scheduler(isOwn);
