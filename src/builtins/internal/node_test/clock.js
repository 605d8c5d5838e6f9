// internal/node_test/clock -- MockTimers: a clock that stands until it is moved (Node: test,
// MockTimers).
const errors = require("internal/errors");
const { validateArray, validateNumber, validateObject, validateString } =
  require("internal/validators");

const ALL = ["setInterval", "setTimeout", "setImmediate", "Date", "scheduler.wait",
  "AbortSignal.timeout"];
const RealDate = Date;
const { defineProperty, getOwnPropertyDescriptor } = Object;

class FakeTimer {
  constructor(id, callback, at, every) {
    this.id = id;
    this.callback = callback;
    this.at = at;
    this.every = every;
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
    return this;
  }

  [Symbol.toPrimitive]() {
    return this.id;
  }
}

class MockTimers {
  #isEnabled = false;
  #now = 0;
  #nextId = 1;
  #timers = new Map(); // id -> FakeTimer
  #replaced = []; // [object, name, descriptor]

  enable(options = { apis: ALL, now: 0 }) {
    validateObject(options, "options");
    if (this.#isEnabled) throw new errors.ERR_INVALID_STATE("MockTimers is already enabled!");
    const { apis = ALL, now = 0 } = options;
    this.#now = epochOf(now);
    validateArray(apis, "options.apis");
    apis.forEach((api, i) => validateString(api, `options.apis[${i}]`));
    for (const api of apis) {
      if (!ALL.includes(api)) {
        throw new errors.ERR_INVALID_ARG_VALUE(
          "options.apis", api, `option ${api} is not supported`,
        );
      }
    }
    if (apis.includes("Date") && globalThis.Date.isMock) {
      throw new errors.ERR_INVALID_STATE("Date is already being mocked!");
    }
    this.#isEnabled = true;
    for (const api of apis) this.#replaceApi(api);
  }

  #replace(object, name, value) {
    this.#replaced.push([object, name, getOwnPropertyDescriptor(object, name)]);
    defineProperty(object, name, { value, writable: true, configurable: true, enumerable: true });
  }

  #replaceApi(api) {
    const timers = require("node:timers");
    const promises = require("node:timers/promises");
    switch (api) {
      case "setTimeout":
        this.#replaceBoth(timers, "setTimeout", (fn, ms, ...args) => this.#add(fn, ms, args));
        this.#replaceBoth(timers, "clearTimeout", (timer) => this.#clear(timer));
        this.#replace(promises, "setTimeout", (ms, value, options) =>
          this.#wait(ms, value, options));
        break;
      case "setInterval":
        this.#replaceBoth(timers, "setInterval", (fn, ms, ...args) =>
          this.#add(fn, ms, args, true));
        this.#replaceBoth(timers, "clearInterval", (timer) => this.#clear(timer));
        this.#replace(promises, "setInterval", (ms, value) => this.#intervals(ms, value));
        break;
      case "setImmediate":
        this.#replaceBoth(timers, "setImmediate", (fn, ...args) => this.#add(fn, 0, args));
        this.#replaceBoth(timers, "clearImmediate", (timer) => this.#clear(timer));
        this.#replace(promises, "setImmediate", (value, options) =>
          this.#wait(0, value, options));
        break;
      case "Date":
        this.#replace(globalThis, "Date", this.#makeDate());
        break;
      case "scheduler.wait":
        this.#replace(promises.scheduler, "wait", (ms, options) =>
          this.#wait(ms, undefined, options));
        break;
      default:
        this.#replace(AbortSignal, "timeout", (ms) => this.#abortSignal(ms));
    }
  }

  #replaceBoth(timers, name, fn) {
    this.#replace(globalThis, name, fn);
    this.#replace(timers, name, fn);
  }

  // ---- What stands in for them

  #add(fn, ms, args, isRepeated = false) {
    require("internal/validators").validateFunction(fn, "callback");
    const delay = Number(ms) >= 0 ? Number(ms) : 0;
    const id = this.#nextId++;
    const every = isRepeated ? Math.max(delay, 1) : undefined;
    const timer = new FakeTimer(id, () => fn(...args), this.#now + delay, every);
    this.#timers.set(id, timer);
    return timer;
  }

  #clear(timer) {
    if (timer === undefined || timer === null) return;
    const id = typeof timer === "object" ? timer.id : Number(timer);
    this.#timers.delete(id);
  }

  #wait(ms, value, options) {
    const signal = options?.signal;
    return new Promise((resolve, reject) => {
      if (signal !== undefined) {
        require("internal/validators").validateAbortSignal(signal, "options.signal");
      }
      const fail = () => {
        const { AbortError } = require("internal/errors");
        reject(new AbortError(undefined, { cause: signal.reason }));
      };
      if (signal?.aborted) {
        fail();
        return;
      }
      const timer = this.#add(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve(value);
      }, ms, []);
      const onAbort = () => {
        this.#clear(timer);
        fail();
      };
      signal?.addEventListener("abort", onAbort);
    });
  }

  async *#intervals(ms, value) {
    let n = 0;
    let wake;
    const timer = this.#add(() => {
      n++;
      wake?.();
    }, ms, [], true);
    try {
      for (;;) {
        if (n === 0) await new Promise((resolve) => void (wake = resolve));
        for (; n > 0; n--) yield value;
      }
    } finally {
      this.#clear(timer);
    }
  }

  #abortSignal(ms) {
    validateNumber(ms, "delay", 0);
    const controller = new AbortController();
    this.#add(() => {
      controller.abort(
        new DOMException("The operation was aborted due to timeout", "TimeoutError"),
      );
    }, ms, []);
    return controller.signal;
  }

  #makeDate() {
    const now = () => this.#now;
    function MockDate(...args) {
      if (new.target === undefined) return new RealDate(now()).toString();
      const target = new.target === MockDate ? RealDate : new.target;
      return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, target);
    }
    Object.defineProperties(MockDate, Object.getOwnPropertyDescriptors(RealDate));
    defineProperty(MockDate, "now", { value: now, writable: true, configurable: true });
    defineProperty(MockDate, "isMock", { value: true, configurable: true });
    defineProperty(MockDate, "toString", {
      value: () => "function Date() { [native code] }", writable: true, configurable: true,
    });
    return MockDate;
  }

  // ---- Moving the clock

  #expectEnabled() {
    if (!this.#isEnabled) {
      throw new errors.ERR_INVALID_STATE(
        "You should enable MockTimers first by calling the .enable function",
      );
    }
  }

  #first() {
    let first;
    for (const timer of this.#timers.values()) {
      if (first === undefined || timer.at < first.at) first = timer;
    }
    return first;
  }

  tick(time = 1) {
    this.#expectEnabled();
    if (time < 0) {
      throw new errors.ERR_INVALID_ARG_VALUE("time", "positive integer", time);
    }
    this.#moveTo(this.#now + time);
  }

  #moveTo(end) {
    for (let timer; (timer = this.#first()) !== undefined && timer.at <= end; ) {
      this.#now = Math.max(this.#now, timer.at);
      if (timer.every === undefined) this.#timers.delete(timer.id);
      else timer.at += timer.every;
      timer.callback();
    }
    this.#now = end;
  }

  runAll() {
    this.#expectEnabled();
    let last = this.#now;
    for (const timer of this.#timers.values()) last = Math.max(last, timer.at);
    this.#moveTo(last);
  }

  setTime(time = 0) {
    validateNumber(time, "time");
    this.#expectEnabled();
    this.#now = time;
  }

  reset() {
    if (!this.#isEnabled) return;
    this.#isEnabled = false;
    for (const { 0: object, 1: name, 2: descriptor } of this.#replaced.reverse()) {
      if (descriptor === undefined) delete object[name];
      else defineProperty(object, name, descriptor);
    }
    this.#replaced = [];
    this.#timers.clear();
    this.#now = 0;
  }

  [Symbol.dispose]() {
    this.reset();
  }
}

function epochOf(now) {
  if (now instanceof RealDate) return now.getTime();
  validateNumber(now, "now");
  if (!(now >= 0)) {
    throw new errors.ERR_INVALID_ARG_VALUE("now", now, "epoch must be a positive integer");
  }
  return now;
}

exports.MockTimers = MockTimers;
