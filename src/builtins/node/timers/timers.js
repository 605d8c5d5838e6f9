// @global setTimeout setInterval setImmediate clearTimeout clearInterval clearImmediate
// node:timers -- timers and immediates (Node: timers; HTML, "timers").
//
// Timers of one duration form a list, ordered by start, because each starts later than the one
// before it.  Lists sit in a binary heap by the time their first timer is due.  The loop knows one
// deadline only: that of the heap's root.
//
// native: now() -> ms of the loop's clock; updateNow() -> the same, read anew: delays count from
// the call, not from the beginning of the turn (Node: getLibuvNow); schedule(ms);
// setTimerRef(bool); setImmediateRef(bool); setCallbacks(processTimers, processImmediates);
// immediateInfo -> Uint32Array(1): how many wait
const { validateFunction } = require("internal/validators");
const { runNextTicks } = require("internal/tick");
const { apply } = Reflect;
const { TimerHeap } = require("internal/timer_heap");
const context = require("internal/async_context");

const TIMEOUT_MAX = 2 ** 31 - 1;
const kInspect = Symbol.for("nodejs.util.inspect.custom");
const kRefed = Symbol("refed");
const kId = Symbol("asyncId");
const immediateInfo = native.immediateInfo();

let nextId = 1;
let refCount = 0;
const lists = new Map(); // duration -> TimerList
const heap = new TimerHeap();
const byId = new Map(); // ids that were turned into primitives (clearTimeout(+timer))

// A ring with a sentinel: `next` is the oldest.
class TimerList {
  constructor(duration, expiry) {
    this.duration = duration;
    this.expiry = expiry;
    this.heapIndex = -1;
    this._idleNext = this;
    this._idlePrev = this;
  }
}

function unlink(timer) {
  const next = timer._idleNext;
  if (next === null) return false;
  timer._idlePrev._idleNext = next;
  next._idlePrev = timer._idlePrev;
  timer._idleNext = timer._idlePrev = null;
  return true;
}

function insert(timer, start) {
  const duration = timer._idleTimeout;
  timer._idleStart = start;
  let list = lists.get(duration);
  if (list === undefined) {
    list = new TimerList(duration, start + duration);
    lists.set(duration, list);
    heap.push(list);
    if (list.heapIndex === 0) native.schedule(list.expiry);
  }
  timer._idleNext = list;
  timer._idlePrev = list._idlePrev;
  list._idlePrev._idleNext = timer;
  list._idlePrev = timer;
}

function addRef() {
  if (refCount++ === 0) native.setTimerRef(true);
}

function dropRef() {
  if (--refCount === 0) native.setTimerRef(false);
}

function durationOf(after) {
  const ms = after * 1;
  if (ms >= 1 && ms <= TIMEOUT_MAX) return Math.trunc(ms);
  if (ms > TIMEOUT_MAX || ms !== ms || ms < 0) warnAboutDuration(after, ms);
  return 1;
}

const hasWarned = { __proto__: null };

function warnAboutDuration(after, ms) {
  if (after === undefined) return;
  let what;
  let type;
  if (ms > TIMEOUT_MAX) {
    what = "does not fit into a 32-bit signed integer";
    type = "TimeoutOverflowWarning";
  } else if (ms < 0) {
    what = "is a negative number";
    type = "TimeoutNegativeWarning";
  } else {
    what = "is not a number";
    type = "TimeoutNaNWarning";
  }
  if (hasWarned[type]) return;
  hasWarned[type] = type !== "TimeoutOverflowWarning";
  process.emitWarning(`${ms} ${what}.\nTimeout duration was set to 1.`, type);
}

/** What setTimeout and setInterval return. */
class Timeout {
  #frame = context.frame;

  constructor(callback, after, args, isRepeat) {
    const duration = durationOf(after);
    this._idleTimeout = duration;
    this._idlePrev = null;
    this._idleNext = null;
    this._idleStart = null;
    this._onTimeout = callback;
    this._timerArgs = args;
    this._repeat = isRepeat ? duration : null;
    this._destroyed = false;
    this[kRefed] = true;
    this[kId] = 0;
    addRef();
    insert(this, native.updateNow());
  }

  ref() {
    if (!this[kRefed]) {
      this[kRefed] = true;
      if (!this._destroyed) addRef();
    }
    return this;
  }

  unref() {
    if (this[kRefed]) {
      this[kRefed] = false;
      if (!this._destroyed) dropRef();
    }
    return this;
  }

  hasRef() {
    return this[kRefed];
  }

  refresh() {
    if (unlink(this)) {
      insert(this, native.updateNow());
    } else if (!this._destroyed || this._onTimeout !== null) {
      if (this._destroyed && this[kRefed]) addRef();
      this._destroyed = false;
      insert(this, native.updateNow());
    }
    return this;
  }

  close() {
    clearTimeout(this);
    return this;
  }

  /** Calls back in the asynchronous context that the timer was made in. */
  static run(timer) {
    const outer = context.frame;
    const frame = timer.#frame;
    if (frame !== outer) context.frame = frame;
    const args = timer._timerArgs;
    try {
      if (args === undefined) timer._onTimeout();
      else apply(timer._onTimeout, timer, args);
    } catch (error) {
      require("internal/report").reportException(error, "uncaughtException");
    }
    if (context.frame !== outer) context.frame = outer;
  }

  [Symbol.toPrimitive]() {
    if (this[kId] === 0) this[kId] = nextId++;
    if (!this._destroyed) byId.set(this[kId], this);
    return this[kId];
  }

  [Symbol.dispose]() {
    clearTimeout(this);
  }

  [kInspect](depth, options, inspect) {
    const shown = { ...this };
    return inspect(Object.setPrototypeOf(shown, Timeout.prototype), {
      ...options,
      depth: 0,
      customInspect: false,
    });
  }
}

function destroy(timer) {
  if (timer._destroyed) return;
  timer._destroyed = true;
  if (timer[kId] !== 0) byId.delete(timer[kId]);
  if (timer[kRefed]) dropRef();
}

function cancel(timer) {
  timer._onTimeout = null;
  timer._repeat = null;
  unlink(timer);
  destroy(timer);
}

// ---- Running
// ----------------------------------------------------------------------------------------

const runTimer = Timeout.run;
delete Timeout.run;

function finishTimer(timer, now) {
  if (timer._idleNext !== null) return; // refreshed by its own callback
  // Old code stops its interval by setting the idle timeout.
  if (timer._repeat !== null && timer._onTimeout !== null && timer._idleTimeout !== -1) {
    timer._idleTimeout = timer._repeat;
    insert(timer, now);
  } else {
    destroy(timer);
  }
}

// Runs what is due in one list; the list leaves the heap when it is empty.
function runList(list, isFirst) {
  let now = native.now();
  let hasRun = !isFirst;
  for (;;) {
    const timer = list._idleNext;
    if (timer === list) break;
    const due = timer._idleStart + list.duration;
    if (due > now) {
      now = native.updateNow();
      if (due > now) {
        list.expiry = Math.max(due, now + 1);
        heap.moved(list);
        return hasRun;
      }
    }
    if (hasRun) runNextTicks();
    hasRun = true;
    if (timer._idleNext === null) continue; // cleared by a tick
    unlink(timer);
    if (timer._onTimeout === null) continue;
    runTimer(timer);
    finishTimer(timer, native.updateNow());
  }
  if (lists.get(list.duration) === list) lists.delete(list.duration);
  heap.remove(list);
  return hasRun;
}

/** Called by the loop when the deadline has passed; schedules the next one. */
function processTimers() {
  let hasRun = false;
  for (;;) {
    const list = heap.first();
    if (list === undefined) return;
    if (list.expiry > native.now() && list.expiry > native.updateNow()) {
      native.schedule(list.expiry);
      return;
    }
    hasRun = runList(list, !hasRun) || hasRun;
  }
}

// ---- Immediates
// ---------------------------------------------------------------------------------------

let queue = [];
let immediateRefs = 0;

class Immediate {
  #frame = context.frame;

  constructor(callback, args) {
    this._onImmediate = callback;
    this._argv = args;
    this._destroyed = false;
    this[kRefed] = true;
    if (immediateRefs++ === 0) native.setImmediateRef(true);
    immediateInfo[0]++;
    queue.push(this);
  }

  ref() {
    if (!this[kRefed]) {
      this[kRefed] = true;
      if (!this._destroyed && immediateRefs++ === 0) native.setImmediateRef(true);
    }
    return this;
  }

  unref() {
    if (this[kRefed]) {
      this[kRefed] = false;
      if (!this._destroyed && --immediateRefs === 0) native.setImmediateRef(false);
    }
    return this;
  }

  hasRef() {
    return this[kRefed];
  }

  static run(immediate) {
    const outer = context.frame;
    const frame = immediate.#frame;
    if (frame !== outer) context.frame = frame;
    const args = immediate._argv;
    try {
      if (args === undefined) immediate._onImmediate();
      else apply(immediate._onImmediate, immediate, args);
    } catch (error) {
      require("internal/report").reportException(error, "uncaughtException");
    }
    if (context.frame !== outer) context.frame = outer;
  }

  [Symbol.dispose]() {
    clearImmediate(this);
  }
}

const runImmediate = Immediate.run;
delete Immediate.run;

function destroyImmediate(immediate) {
  immediate._destroyed = true;
  immediateInfo[0]--;
  if (immediate[kRefed] && --immediateRefs === 0) native.setImmediateRef(false);
}

function processImmediates() {
  const batch = queue;
  queue = [];
  let hasRun = false;
  for (let i = 0; i < batch.length; i++) {
    const immediate = batch[i];
    if (immediate._destroyed) continue;
    if (hasRun) runNextTicks();
    if (immediate._destroyed) continue;
    hasRun = true;
    destroyImmediate(immediate);
    runImmediate(immediate);
    immediate._onImmediate = null;
  }
}

// ---- The public functions
// -------------------------------------------------------------------------------

function setTimeout(callback, after, ...args) {
  validateFunction(callback, "callback");
  return new Timeout(callback, after, args.length === 0 ? undefined : args, false);
}

function setInterval(callback, repeat, ...args) {
  validateFunction(callback, "callback");
  return new Timeout(callback, repeat, args.length === 0 ? undefined : args, true);
}

function setImmediate(callback, ...args) {
  validateFunction(callback, "callback");
  return new Immediate(callback, args.length === 0 ? undefined : args);
}

function clearTimeout(timer) {
  if (timer instanceof Timeout) {
    cancel(timer);
  } else if (typeof timer === "number" || typeof timer === "string") {
    const found = byId.get(+timer);
    if (found !== undefined) cancel(found);
  } else if (timer instanceof Immediate) {
    clearImmediate(timer);
  }
}

function clearInterval(timer) {
  clearTimeout(timer);
}

function clearImmediate(immediate) {
  if (!(immediate instanceof Immediate) || immediate._destroyed) return;
  immediate._onImmediate = null;
  destroyImmediate(immediate);
}

native.setCallbacks(processTimers, processImmediates);
Object.assign(exports, {
  setTimeout,
  setInterval,
  setImmediate,
  clearTimeout,
  clearInterval,
  clearImmediate,
});

// What util.promisify makes of them, and the module of it; loaded when asked for.
const kPromisify = Symbol.for("nodejs.util.promisify.custom");
for (let i = 0, all = ["setTimeout", "setImmediate"]; i < all.length; i++) {
  const name = all[i];
  Object.defineProperty(exports[name], kPromisify, {
    __proto__: null,
    get: () => require("node:timers/promises")[name],
    enumerable: true,
  });
}
Object.defineProperty(exports, "promises", {
  __proto__: null,
  get: () => require("node:timers/promises"),
  enumerable: true,
  configurable: true,
});
