// @internal
// bun:cron -- Bun.cron: functions that are called on a schedule.
const { makeCoded } = require("internal/errors");

const TIMEOUT_MAX = 2 ** 31 - 1;

const wrong = (text) => makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", text);

function checkOptions(options) {
  const tz = options?.tz;
  if (tz === undefined) return undefined;
  if (typeof tz !== "string") throw wrong("Bun.cron: options.tz must be a string");
  require("bun:cron/zone").check(tz);
  return tz;
}

/** When `expression` comes next after `from`: a Date, or null. */
function parse(expression, from, options) {
  if (typeof expression !== "string") {
    throw wrong("Bun.cron.parse() expects a string cron expression as the first argument");
  }
  let time = from ?? Date.now();
  if (time instanceof Date) time = time.getTime();
  if (typeof time !== "number") {
    throw wrong(
      "Bun.cron.parse() expects the second argument to be a Date or number (ms since epoch)",
    );
  }
  if (!(Math.abs(time) <= 8.64e15)) throw wrong("Invalid date value");
  const tz = checkOptions(options);
  const { next, read } = require("bun:cron/schedule");
  const found = next(read(expression), time, tz);
  return found === null ? null : new Date(found);
}

class CronJob {
  #cron;
  #schedule;
  #tz;
  #handler;
  #timer;
  #isStopped = false;
  #isRef = true;

  constructor(expression, schedule, handler, tz) {
    this.#cron = expression;
    this.#schedule = schedule;
    this.#handler = handler;
    this.#tz = tz;
    this.#plan(this.#nextTime());
  }

  #nextTime() {
    return require("bun:cron/schedule").next(this.#schedule, Date.now(), this.#tz);
  }

  /** Waits until `time`, in pieces when it is far away. */
  #plan(time) {
    if (this.#isStopped || time === null) return;
    const wait = Math.max(0, time - Date.now());
    if (wait > TIMEOUT_MAX) this.#timer = setTimeout(() => this.#plan(time), TIMEOUT_MAX);
    else this.#timer = setTimeout(() => this.#fire(time), wait);
    if (!this.#isRef) this.#timer.unref?.();
  }

  #fire(time) {
    // A clock that was put back: not yet.
    if (Date.now() < time) return this.#plan(time);
    let result;
    try {
      result = this.#handler.call(this);
    } finally {
      // A failure is reported as that of a timer; the job goes on all the same.
      if (typeof result?.then !== "function") this.#plan(this.#nextTime());
    }
    if (typeof result?.then !== "function") return;
    // Only now: calls never overlap.  A rejection stays unhandled, and is reported.
    void Promise.resolve(result).finally(() => this.#plan(this.#nextTime()));
  }

  get cron() {
    return this.#cron;
  }

  ref() {
    this.#isRef = true;
    this.#timer?.ref?.();
    return this;
  }

  unref() {
    this.#isRef = false;
    this.#timer?.unref?.();
    return this;
  }

  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    return this;
  }

  [Symbol.dispose]() {
    this.stop();
  }
}
Object.defineProperty(CronJob.prototype, Symbol.toStringTag, {
  value: "CronJob", configurable: true,
});

/** (schedule, handler, { tz }) */
function cron(expression, handler, options) {
  if (typeof expression !== "string") {
    throw wrong("Bun.cron() expects a string path as the first argument");
  }
  if (typeof handler === "string") {
    throw require("internal/errors").notImplemented("Bun.cron() of a file");
  }
  if (typeof handler !== "function") {
    throw wrong("Bun.cron(schedule, handler) expects a function handler as the second argument");
  }
  const tz = checkOptions(options);
  const { next, read } = require("bun:cron/schedule");
  const schedule = read(expression);
  if (next(schedule, Date.now(), tz) === null) {
    throw wrong(`Cron expression '${expression}' has no future occurrences`);
  }
  return new CronJob(expression, schedule, handler, tz);
}
cron.parse = parse;
cron.remove = function remove() {
  throw require("internal/errors").notImplemented("Bun.cron.remove()");
};

exports.cron = cron;
