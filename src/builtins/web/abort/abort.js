// @global AbortController AbortSignal
// web/abort -- AbortController and AbortSignal (DOM Standard, "Aborting ongoing activities").
//
// Who keeps whom alive. A signal made by `any` refers weakly to its sources, and they weakly to it;
// while somebody listens to it, its sources hold it strongly, so that it lives exactly as long as
// it can still do something. A signal made by `timeout` is held by its timer only while somebody
// listens; the timer itself never keeps the program alive.

const errors = require("internal/errors");
const { now } = require("internal/clock");
const { defineInterface } = require("internal/webidl/interface");
const {
  Event, EventTarget, defineEventHandler, fire, getListeners, kListenersChanged, makeTrusted,
} = require("web/events");

// The longest delay that a timer takes.
const TIMER_MAX = 0x7fffffff;
// How many dead dependents a source may carry before they are swept out.
const SWEEP_MIN = 32;

const kToken = Symbol("make");

let isAbortSignal;
let timeLeft;
let makeSignal;
let abortSignal;
let addAlgorithm;
let removeAlgorithm;

function makeError(message, name) {
  const { DOMException } = require("web/exception");
  return new DOMException(message, name);
}

class AbortSignal extends EventTarget {
  #reason = undefined;
  #isAborted = false;
  /** Set of functions that run before the event; see addAlgorithm. */
  #algorithms = null;
  /** How many of them count as somebody who listens. */
  #n_held = 0;
  /** Weak references to sources, of a signal made by any(). */
  #sources = null;
  /** Weak references to dependents. */
  #dependents = null;
  #sweepAt = SWEEP_MIN;
  /** Dependents that somebody listens to. */
  #heldDependents = null;
  /** { weak, strong } of a signal made by timeout(). */
  #timer = null;

  constructor(token = undefined) {
    if (token !== kToken) throw new errors.ERR_ILLEGAL_CONSTRUCTOR();
    super();
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#reason in value)) {
      throw new errors.ERR_INVALID_THIS("AbortSignal");
    }
    return value;
  }

  static abort(reason = undefined) {
    const signal = new AbortSignal(kToken);
    signal.#isAborted = true;
    signal.#reason =
      reason === undefined ? makeError("The operation was aborted.", "AbortError") : reason;
    return signal;
  }

  static timeout(milliseconds) {
    const signal = new AbortSignal(kToken);
    signal.#timer = startTimer(new WeakRef(signal), toDelay(milliseconds));
    watchTimer(signal, signal.#timer);
    return signal;
  }

  static any(signals) {
    const sources = toSignals(signals);
    const signal = new AbortSignal(kToken);
    for (const source of sources) {
      if (source.#isAborted) {
        signal.#isAborted = true;
        signal.#reason = source.#reason;
        return signal;
      }
    }
    signal.#sources = [];
    const seen = new Set();
    for (const source of sources) {
      if (source.#sources === null) signal.#follow(source, seen);
      else for (const weak of source.#sources) signal.#follow(weak.deref(), seen);
    }
    return signal;
  }

  get aborted() {
    return AbortSignal.#of(this).#isAborted;
  }

  get reason() {
    return AbortSignal.#of(this).#reason;
  }

  throwIfAborted() {
    if (AbortSignal.#of(this).#isAborted) throw this.#reason;
  }

  #follow(source, seen) {
    if (source === undefined || seen.has(source)) return;
    seen.add(source);
    this.#sources.push(new WeakRef(source));
    const dependents = (source.#dependents ??= new Set());
    if (dependents.size >= source.#sweepAt) {
      for (const weak of dependents) if (weak.deref() === undefined) dependents.delete(weak);
      source.#sweepAt = Math.max(SWEEP_MIN, dependents.size * 2);
    }
    dependents.add(new WeakRef(this));
  }

  /** Somebody began or stopped to listen: keep this signal reachable from what can abort it. */
  #updateHold() {
    const isHeld =
      !this.#isAborted &&
      (this.#n_held > 0 || this.#heldDependents?.size > 0 ||
        getListeners(this, "abort").length > 0);
    if (this.#timer !== null) this.#timer.strong = isHeld ? this : null;
    if (this.#sources === null) return;
    for (const weak of this.#sources) {
      const source = weak.deref();
      if (source === undefined) continue;
      if (isHeld) (source.#heldDependents ??= new Set()).add(this);
      else source.#heldDependents?.delete(this);
      source.#updateHold();
    }
  }

  [kListenersChanged](type, _count) {
    if (type === "abort" && (this.#sources !== null || this.#timer !== null)) this.#updateHold();
  }

  #run() {
    const algorithms = this.#algorithms;
    this.#algorithms = null;
    this.#n_held = 0;
    if (algorithms !== null) for (const algorithm of algorithms.keys()) algorithm();
    if (getListeners(this, "abort").length > 0) fire(this, makeTrusted(new Event("abort")));
    this.#updateHold();
    this.#sources = null;
    this.#timer = null;
  }

  static {
    isAbortSignal = (value) => typeof value === "object" && value !== null && #reason in value;

    makeSignal = () => new AbortSignal(kToken);

    timeLeft = (signal) => {
      if (signal.#isAborted) return 0;
      let end = signal.#timer?.end ?? Infinity;
      for (const weak of signal.#sources ?? []) {
        end = Math.min(end, weak.deref()?.#timer?.end ?? Infinity);
      }
      return Math.max(0, end - now());
    };

    abortSignal = (signal, reason) => {
      if (signal.#isAborted) return;
      signal.#isAborted = true;
      signal.#reason =
        reason === undefined ? makeError("The operation was aborted.", "AbortError") : reason;
      const dependents = [];
      signal.#dependents?.forEach((weak) => {
        const dependent = weak.deref();
        if (dependent === undefined || dependent.#isAborted) return;
        dependent.#isAborted = true;
        dependent.#reason = signal.#reason;
        dependents.push(dependent);
      });
      signal.#dependents = null;
      signal.#heldDependents = null;
      signal.#run();
      for (let i = 0; i < dependents.length; i++) dependents[i].#run();
    };

    addAlgorithm = (signal, algorithm, isWeak = false) => {
      if (signal.#isAborted) return false;
      (signal.#algorithms ??= new Map()).set(algorithm, isWeak);
      if (!isWeak && signal.#n_held++ === 0) signal.#updateHold();
      return true;
    };

    removeAlgorithm = (signal, algorithm) => {
      const isWeak = signal.#algorithms?.get(algorithm);
      if (isWeak === undefined) return;
      signal.#algorithms.delete(algorithm);
      if (!isWeak && --signal.#n_held === 0) signal.#updateHold();
    };
  }
}

/** sequence<AbortSignal>, as an array. */
function toSignals(value) {
  const { sequence } = require("internal/webidl");
  const convert = sequence((item, { context }) => {
    if (!isAbortSignal(item)) throw new errors.ERR_INVALID_ARG_TYPE(context, "AbortSignal", item);
    return item;
  });
  return convert(value, { __proto__: null, context: "signals" });
}

/** [EnforceRange] unsigned long long, with the text that Bun has for it. */
function toDelay(value) {
  const n = Math.trunc(+value);
  if (!(n >= 0 && n <= Number.MAX_SAFE_INTEGER)) {
    throw new TypeError(`Value ${n} is outside the range [0, ${Number.MAX_SAFE_INTEGER}]`);
  }
  return n;
}

/** Aborts what `weak` refers to after `ms`, with several timers in turn when one is too short. */
function startTimer(weak, ms) {
  const { setTimeout } = require("node:timers");
  const end = now() + ms;
  const holder = { __proto__: null, weak, strong: null, timer: undefined, end };
  const arm = (rest) => {
    holder.timer = setTimeout(() => {
      const signal = weak.deref();
      if (signal === undefined) return;
      if (rest > TIMER_MAX) arm(rest - TIMER_MAX);
      else abortSignal(signal, makeError("The operation timed out.", "TimeoutError"));
    }, Math.min(rest, TIMER_MAX));
    holder.timer.unref();
  };
  arm(ms);
  return holder;
}

let timerRegistry;

/** Stops the timer of a signal that has died. */
function watchTimer(signal, holder) {
  timerRegistry ??= new FinalizationRegistry((dead) => {
    require("node:timers").clearTimeout(dead.timer);
  });
  timerRegistry.register(signal, holder);
}

class AbortController {
  #signal = makeSignal();

  get signal() {
    return AbortController.#of(this).#signal;
  }

  abort(reason = undefined) {
    abortSignal(AbortController.#of(this).#signal, reason);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#signal in value)) {
      throw new errors.ERR_INVALID_THIS("AbortController");
    }
    return value;
  }
}

defineInterface(AbortController);
defineEventHandler(AbortSignal, "abort");
defineInterface(AbortSignal);

exports.AbortController = AbortController;
exports.AbortSignal = AbortSignal;
exports.isAbortSignal = isAbortSignal;
/** A signal without a controller; abort it with `abortSignal(signal, reason)`. */
exports.makeSignal = makeSignal;
exports.abortSignal = abortSignal;
/** Milliseconds until its timeouts abort a signal; 0: it has aborted, Infinity: it has none. */
exports.timeLeft = (signal) => timeLeft(signal);
/**
 * Runs `algorithm` once when the signal aborts, before its listeners; false when it has aborted
 * already. A weak algorithm does not count as a listener (it keeps nothing alive).
 */
exports.addAlgorithm = addAlgorithm;
exports.removeAlgorithm = removeAlgorithm;
