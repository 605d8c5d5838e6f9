// internal/test_mock/timers -- fake timers and a fake clock (Bun: docs/test/dates-times, Jest's
// timer mocks).
const state = require("internal/test_runner/state");

const RealDate = Date;
const realNow = Date.now.bind(Date);
const realPerformanceNow = performance.now.bind(performance);
const RUNS_MAX = 100_000; // of runAllTimers, before it gives up
const { defineProperty, getOwnPropertyDescriptor } = Object;

const names = [
  "setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "clearImmediate",
];
const realTimers = new Map(); // name -> descriptor
let isFake = false;
let frozenAt; // setSystemTime without fake timers: the time that stands
let clock = 0; // fake milliseconds since useFakeTimers
let base = 0; // Date at clock 0
let nextId = 1;
let nextOrder = 1;
const queue = new Map(); // id -> Timer

class Timer {
  constructor(callback, ms, args, repeat) {
    this.callback = callback;
    this.args = args;
    this.ms = ms;
    this.at = clock + ms;
    this.repeat = repeat;
    this.order = nextOrder++;
    this.id = nextId++;
    this.isRefed = true;
  }

  ref() {
    this.isRefed = true;
    return this;
  }

  unref() {
    this.isRefed = false;
    return this;
  }

  hasRef() {
    return this.isRefed;
  }

  refresh() {
    this.at = clock + this.ms;
    queue.set(this.id, this);
    return this;
  }

  close() {
    queue.delete(this.id);
    return this;
  }

  [Symbol.toPrimitive]() {
    return this.id;
  }

  [Symbol.dispose]() {
    this.close();
  }
}

function add(callback, ms, args, isRepeat, isImmediate) {
  if (typeof callback !== "function") {
    throw new TypeError('The "callback" argument must be of type function');
  }
  let delay = Number(ms);
  if (!(delay >= 1) || delay > 2 ** 31 - 1) delay = 1;
  const timer = new Timer(callback, isImmediate ? 0 : Math.trunc(delay), args, isRepeat);
  queue.set(timer.id, timer);
  return timer;
}

function clear(timer) {
  const id = timer instanceof Timer ? timer.id : Number(timer);
  if (queue.delete(id) || timer instanceof Timer) return;
  if (timer !== undefined && timer !== null) realTimers.get("clearTimeout").value(timer);
}

const fakes = {
  setTimeout: (callback, ms, ...args) => add(callback, ms, args, false, false),
  setInterval: (callback, ms, ...args) => add(callback, ms, args, true, false),
  setImmediate: (callback, ...args) => add(callback, 0, args, false, true),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
};

// ---- Date ----

function nowOf() {
  if (isFake) return Math.floor(base + clock);
  return frozenAt ?? realNow();
}

let FakeDate;
function makeDate() {
  FakeDate = function Date(...args) {
    if (new.target === undefined) return new RealDate(nowOf()).toString();
    const parts = args.length === 0 ? [nowOf()] : args;
    const target = new.target === FakeDate ? RealDate : new.target;
    return Reflect.construct(RealDate, parts, target);
  };
  FakeDate.prototype = RealDate.prototype;
  Object.setPrototypeOf(FakeDate, RealDate);
  defineProperty(FakeDate, "length", { value: 7 });
  defineProperty(FakeDate, "now", { value: () => nowOf(), writable: true, configurable: true });
}

/** From now on Date is ours, and stays: a program may keep it. */
function placeDate() {
  if (FakeDate !== undefined) return;
  makeDate();
  const place = { value: FakeDate, writable: true, configurable: true };
  defineProperty(globalThis, "Date", place);
  defineProperty(RealDate.prototype, "constructor", place);
  const { prototype } = Intl.DateTimeFormat;
  const { get } = getOwnPropertyDescriptor(prototype, "format");
  const { formatToParts } = prototype;
  defineProperty(prototype, "format", {
    get() {
      const format = get.call(this);
      return (date) => format(date === undefined ? nowOf() : date);
    },
    configurable: true,
  });
  prototype.formatToParts = function (date) {
    return formatToParts.call(this, date === undefined ? nowOf() : date);
  };
}
exports.placeDate = placeDate;

function timeOf(value) {
  if (value instanceof RealDate) return value.getTime();
  if (typeof value === "number") return value;
  if (typeof value === "string") return new RealDate(value).getTime();
  return NaN;
}

exports.setSystemTime = function setSystemTime(now) {
  if (now === undefined || now === null) {
    frozenAt = undefined;
    if (isFake) base = realNow() - clock;
  } else {
    const time = timeOf(now);
    if (isFake) base = time - clock;
    else frozenAt = time;
  }
  placeDate();
};
exports.now = () => nowOf();
exports.getRealSystemTime = () => realNow();

// ---- On and off ----

exports.useFakeTimers = function useFakeTimers(options) {
  if (options !== undefined && options !== null && typeof options !== "object" &&
    typeof options !== "string") {
    throw new TypeError("useFakeTimers() expects an options object");
  }
  const given = options?.now;
  if (given !== undefined && Number.isNaN(timeOf(given))) {
    throw new TypeError("'now' must be a number or Date");
  }
  if (!isFake) {
    for (const name of names) {
      realTimers.set(name, getOwnPropertyDescriptor(globalThis, name));
      defineProperty(globalThis, name, {
        value: fakes[name], writable: true, enumerable: true, configurable: true,
      });
    }
    fakes.setTimeout.clock = true; // @testing-library looks for it
    performance.now = () => (isFake ? clock : realPerformanceNow());
  }
  isFake = true;
  clock = 0;
  queue.clear();
  base = given === undefined ? (frozenAt ?? realNow()) : timeOf(given);
  placeDate();
};

exports.useRealTimers = function useRealTimers() {
  if (isFake) {
    for (const [name, own] of realTimers) defineProperty(globalThis, name, own);
    delete performance.now;
  }
  isFake = false;
  frozenAt = undefined;
  queue.clear();
};

exports.isFakeTimers = () => isFake;

function need() {
  if (!isFake) throw new Error("Fake timers are not active. Call useFakeTimers() first.");
}

// ---- Going on ----

/** The timer that is due first. */
function firstOf(timers) {
  let first;
  for (const timer of timers) {
    if (first === undefined || timer.at < first.at ||
      (timer.at === first.at && timer.order < first.order)) first = timer;
  }
  return first;
}

function fire(timer) {
  if (timer.at > clock) clock = timer.at;
  if (timer.repeat) {
    timer.at = clock + timer.ms;
    timer.order = nextOrder++;
  } else queue.delete(timer.id);
  timer.callback.apply(timer, timer.args);
}

function* due(until) {
  for (let n = 0; n < RUNS_MAX; n++) {
    const timer = firstOf(queue.values());
    if (timer === undefined || timer.at > until) return;
    fire(timer);
    yield;
  }
}

function* pending() {
  const waiting = [...queue.values()];
  const end = waiting.reduce((latest, timer) => Math.max(latest, timer.at), clock);
  const allowed = new Set(waiting);
  for (let n = 0; n < RUNS_MAX; n++) {
    const timer = firstOf([...queue.values()].filter((one) => allowed.has(one) && one.at <= end));
    if (timer === undefined) break;
    fire(timer);
    allowed.delete(timer);
    yield;
  }
}

function* everything() {
  for (let n = 0; n < RUNS_MAX; n++) {
    const timer = firstOf(queue.values());
    if (timer === undefined) return;
    fire(timer);
    yield;
  }
  throw new Error(`Ran ${RUNS_MAX} timers, and there are still more! Assuming an infinite loop.`);
}

function* advance(ms) {
  if (typeof ms !== "number" || !(ms >= 0)) {
    throw new TypeError("advanceTimersByTime() expects a number of milliseconds");
  }
  const end = clock + ms;
  yield* due(end);
  clock = end;
}

function* toNext(steps = 1) {
  for (let i = 0; i < steps; i++) {
    const timer = firstOf(queue.values());
    if (timer === undefined) return;
    yield* due(timer.at);
  }
}

const settle = () => state.nextTurn();

function define(name, steps) {
  exports[name] = (...args) => {
    need();
    const run = steps(...args);
    while (!run.next().done);
  };
  exports[`${name}Async`] = async (...args) => {
    need();
    const run = steps(...args);
    await settle();
    while (!run.next().done) await settle();
  };
}
define("advanceTimersByTime", advance);
define("advanceTimersToNextTimer", toNext);
define("runAllTimers", everything);
define("runOnlyPendingTimers", pending);

exports.runAllTicks = () => {};
exports.getTimerCount = () => {
  need();
  return queue.size;
};
exports.clearAllTimers = () => {
  need();
  queue.clear();
};

state.fakeTimers = {
  afterFile() {
    if (isFake || frozenAt !== undefined) exports.useRealTimers();
  },
};
