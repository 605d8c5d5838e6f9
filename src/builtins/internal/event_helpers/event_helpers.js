// internal/event_helpers -- the static functions of node:events: once, on, getEventListeners, ...
const EventEmitter = require("node:events");
const { AbortError, ERR_INVALID_ARG_TYPE, notImplemented } = require("internal/errors");
const { validateAbortSignal, validateNumber, validateFunction } = require("internal/validators");

const { onAbort: listenForAbort } = require("internal/util/abort_listener");

const isTarget = (value) => typeof value?.addEventListener === "function";
const isEmitter = (value) => typeof value?.on === "function";

function subscribe(emitter, name, listener, flags) {
  if (isEmitter(emitter)) {
    if (flags?.once) emitter.once(name, listener);
    else emitter.on(name, listener);
  } else if (isTarget(emitter)) {
    emitter.addEventListener(name, listener, flags);
  } else {
    throw new ERR_INVALID_ARG_TYPE("emitter", "EventEmitter", emitter);
  }
}

function unsubscribe(emitter, name, listener, flags) {
  if (isEmitter(emitter)) emitter.removeListener(name, listener);
  else if (isTarget(emitter)) emitter.removeEventListener(name, listener, flags);
}

function abortError(signal) {
  return new AbortError(undefined, { cause: signal?.reason });
}

/** events.once(emitter, name, { signal }): a promise of the arguments of the next event. */
exports.once = async function once(emitter, name, options = {}) {
  if (options === null || typeof options !== "object") {
    throw new ERR_INVALID_ARG_TYPE("options", "Object", options);
  }
  const { signal } = options;
  validateAbortSignal(signal, "options.signal");
  if (signal?.aborted) throw abortError(signal);
  return new Promise((resolve, reject) => {
    const onError = (error) => {
      unsubscribe(emitter, name, onEvent);
      signal?.removeEventListener("abort", onAbort);
      reject(error);
    };
    const onEvent = (...args) => {
      unsubscribe(emitter, "error", onError);
      signal?.removeEventListener("abort", onAbort);
      resolve(args);
    };
    const onAbort = () => {
      unsubscribe(emitter, name, onEvent);
      unsubscribe(emitter, "error", onError);
      reject(abortError(signal));
    };
    subscribe(emitter, name, onEvent, { once: true });
    if (name !== "error" && isEmitter(emitter)) emitter.once("error", onError);
    if (signal) listenForAbort(signal, onAbort);
  });
};

// The state of one events.on iterator: what came and was not taken, and who waits.
class EventQueue {
  constructor(emitter, name, options) {
    this.emitter = emitter;
    this.name = name;
    this.events = [];
    this.waiting = [];
    this.error = undefined;
    this.isDone = false;
    this.high = options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER;
    this.low = options.lowWaterMark ?? options.lowWatermark ?? 1;
    this.isPaused = false;
    this.undo = [];
  }

  listen(name, listener) {
    subscribe(this.emitter, name, listener);
    this.undo.push(() => unsubscribe(this.emitter, name, listener));
  }

  push(args) {
    if (this.waiting.length > 0) {
      this.waiting.shift().resolve({ value: args, done: false });
      return;
    }
    this.events.push(args);
    if (!this.isPaused && this.events.length > this.high) {
      this.isPaused = true;
      this.emitter.pause?.();
    }
  }

  fail(error) {
    if (this.waiting.length > 0) this.waiting.shift().reject(error);
    else this.error = { error };
    this.close();
  }

  close() {
    for (let i = 0; i < this.undo.length; i++) {
      const undo = this.undo[i];
      undo();
    }
    this.undo = [];
    this.isDone = true;
    for (let i = 0; i < this.waiting.length; i++) {
      const { resolve } = this.waiting[i];
      resolve({ value: undefined, done: true });
    }
    this.waiting = [];
    return Promise.resolve({ value: undefined, done: true });
  }

  next() {
    if (this.events.length > 0) {
      const value = this.events.shift();
      if (this.isPaused && this.events.length < this.low) {
        this.isPaused = false;
        if (!this.isDone) this.emitter.resume?.();
      }
      return Promise.resolve({ value, done: false });
    }
    if (this.error) {
      const { error } = this.error;
      this.error = undefined;
      return Promise.reject(error);
    }
    if (this.isDone) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }
}

/** events.on(emitter, name, { signal, close, highWaterMark, lowWaterMark }): an async iterator. */
exports.on = function on(emitter, name, options = {}) {
  if (options === null || typeof options !== "object") {
    throw new ERR_INVALID_ARG_TYPE("options", "Object", options);
  }
  const { signal } = options;
  validateAbortSignal(signal, "options.signal");
  if (signal?.aborted) throw abortError(signal);
  for (let i = 0, all = ["highWaterMark", "lowWaterMark"]; i < all.length; i++) {
    const key = all[i];
    if (options[key] !== undefined) validateNumber(options[key], `options.${key}`, 1);
  }
  const queue = new EventQueue(emitter, name, options);
  queue.listen(name, (...args) => queue.push(args));
  if (name !== "error" && isEmitter(emitter)) queue.listen("error", (error) => queue.fail(error));
  for (const closing of options.close ?? []) queue.listen(closing, () => queue.close());
  if (signal) {
    const onAbort = () => queue.fail(abortError(signal));
    listenForAbort(signal, onAbort);
    queue.undo.push(() => signal.removeEventListener("abort", onAbort));
  }
  const iterator = {
    next: () => queue.next(),
    return: () => queue.close(),
    throw(error) {
      if (!(error instanceof Error)) {
        throw new ERR_INVALID_ARG_TYPE("EventEmitter.AsyncIterator", "Error", error);
      }
      queue.fail(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.for("nodejs.watermarkData")]: {
      get size() {
        return queue.events.length;
      },
      get low() {
        return queue.low;
      },
      get high() {
        return queue.high;
      },
      get isPaused() {
        return queue.isPaused;
      },
    },
  };
  const proto = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);
  return Object.setPrototypeOf(iterator, proto);
};

/** The listeners of an emitter or an EventTarget. */
exports.getEventListeners = function getEventListeners(target, name) {
  if (typeof target?.listeners === "function") return target.listeners(name);
  if (target instanceof EventTarget) return require("web/events").getListeners(target, name);
  throw new ERR_INVALID_ARG_TYPE("emitter", ["EventEmitter", "EventTarget"], target);
};

const targetMax = new WeakMap();

/** Signals may have any number. */
const defaultMaxOf = (target) =>
  target instanceof AbortSignal ? 0 : EventEmitter.defaultMaxListeners;

exports.getMaxListeners = function getMaxListeners(target) {
  if (typeof target?.getMaxListeners === "function") return target.getMaxListeners();
  if (target instanceof EventTarget)
    return targetMax.get(target) ?? defaultMaxOf(target);
  throw new ERR_INVALID_ARG_TYPE("emitter", ["EventEmitter", "EventTarget"], target);
};

exports.setMaxListeners = function setMaxListeners(
  n = EventEmitter.defaultMaxListeners,
  ...targets
) {
  validateNumber(n, "setMaxListeners", 0);
  if (targets.length === 0) {
    EventEmitter.defaultMaxListeners = n;
    return;
  }
  for (let i = 0; i < targets.length; i++) {
    const target = targets[i];
    if (typeof target?.setMaxListeners === "function") target.setMaxListeners(n);
    else if (target instanceof EventTarget) targetMax.set(target, n);
    else throw new ERR_INVALID_ARG_TYPE("eventTargets", ["EventEmitter", "EventTarget"], target);
  }
};

/** How many listeners an emitter or an EventTarget has for an event. */
exports.listenerCount = function listenerCount(emitter, type) {
  if (typeof emitter?.listenerCount === "function") return emitter.listenerCount(type);
  if (emitter instanceof EventTarget) {
    return require("web/events").getListeners(emitter, type).length;
  }
  return EventEmitter.prototype.listenerCount.call(emitter, type);
};

/** Calls listener once when the signal aborts; the result undoes it (Symbol.dispose). */
exports.addAbortListener = function addAbortListener(signal, listener) {
  if (signal === undefined) throw new ERR_INVALID_ARG_TYPE("signal", "AbortSignal", signal);
  validateAbortSignal(signal, "signal");
  validateFunction(listener, "listener");
  let remove;
  if (signal.aborted) {
    queueMicrotask(() => listener());
  } else {
    listenForAbort(signal, listener);
    remove = () => signal.removeEventListener("abort", listener);
  }
  return {
    __proto__: null,
    [Symbol.dispose]() {
      remove?.();
    },
  };
};

exports.EventEmitterAsyncResource = class EventEmitterAsyncResource extends EventEmitter {
  constructor() {
    super();
    throw notImplemented("EventEmitterAsyncResource (async_hooks)");
  }
};
