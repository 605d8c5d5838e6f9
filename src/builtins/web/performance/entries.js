// @global PerformanceEntry PerformanceMark PerformanceMeasure
// web/performance/entries -- marks and measures (Performance Timeline, User Timing Level 3).

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const { now } = require("internal/clock");

const kInspect = Symbol.for("nodejs.util.inspect.custom");
const kToken = Symbol("make");

/** A copy of a detail that later changes do not reach; null when there is none. */
function cloneDetail(detail) {
  if (detail === undefined || detail === null) return null;
  const { structuredClone } = require("web/structured_clone");
  return structuredClone(detail);
}

class PerformanceEntry {
  #name;
  #entryType;
  #startTime;
  #duration;

  constructor(token = undefined, name = "", entryType = "", startTime = 0, duration = 0) {
    if (token !== kToken) throw new errors.ERR_ILLEGAL_CONSTRUCTOR();
    this.#name = name;
    this.#entryType = entryType;
    this.#startTime = startTime;
    this.#duration = duration;
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#name in value)) {
      throw new errors.ERR_INVALID_THIS("PerformanceEntry");
    }
    return value;
  }

  get name() {
    return PerformanceEntry.#of(this).#name;
  }

  get entryType() {
    return PerformanceEntry.#of(this).#entryType;
  }

  get startTime() {
    return PerformanceEntry.#of(this).#startTime;
  }

  get duration() {
    return PerformanceEntry.#of(this).#duration;
  }

  toJSON() {
    const { name, entryType, startTime, duration } = PerformanceEntry.#of(this);
    return { name, entryType, startTime, duration };
  }

  [kInspect](depth, options, inspect) {
    PerformanceEntry.#of(this);
    if (typeof depth === "number" && depth < 0) return this;
    const show = inspect ?? require("internal/inspect").inspect;
    return `${this.constructor?.name ?? "PerformanceEntry"} ${show(this.toJSON(), options)}`;
  }
}

Object.defineProperty(PerformanceEntry, "length", { value: 0, configurable: true });

function checkTime(time) {
  const n = +time;
  if (!Number.isFinite(n)) throw new errors.ERR_INVALID_ARG_TYPE("startTime", "number", time);
  if (n < 0) throw new errors.ERR_PERFORMANCE_INVALID_TIMESTAMP(n);
  return n;
}

class PerformanceMark extends PerformanceEntry {
  #detail = null;

  constructor(markName, options = undefined) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("name");
    const name = `${markName}`;
    if (options !== undefined && options !== null && typeof options !== "object" &&
        typeof options !== "function") {
      throw new errors.ERR_INVALID_ARG_TYPE("options", "object", options);
    }
    const startTime = options?.startTime;
    super(kToken, name, "mark", startTime === undefined ? now() : checkTime(startTime), 0);
    this.#detail = cloneDetail(options?.detail);
  }

  get detail() {
    if (!(#detail in Object(this))) throw new errors.ERR_INVALID_THIS("PerformanceMark");
    return this.#detail;
  }

  toJSON() {
    const { name, entryType, startTime, duration, detail } = this;
    return { name, entryType, startTime, duration, detail };
  }
}

class PerformanceMeasure extends PerformanceEntry {
  #detail = null;

  constructor(token = undefined, name = "", startTime = 0, duration = 0, detail = null) {
    super(token, name, "measure", startTime, duration);
    this.#detail = detail;
  }

  get detail() {
    if (!(#detail in Object(this))) throw new errors.ERR_INVALID_THIS("PerformanceMeasure");
    return this.#detail;
  }

  toJSON() {
    const { name, entryType, startTime, duration, detail } = this;
    return { name, entryType, startTime, duration, detail };
  }
}

exports.PerformanceEntry = defineInterface(PerformanceEntry);
exports.PerformanceMark = defineInterface(PerformanceMark);
exports.PerformanceMeasure = defineInterface(PerformanceMeasure);
exports.checkTime = checkTime;
exports.kToken = kToken;
exports.makeMeasure = (name, startTime, duration, detail) =>
  new PerformanceMeasure(kToken, name, startTime, duration, cloneDetail(detail));

/** An entry of another type, with a detail as it is; those of "function" list their arguments. */
exports.makeEntry = function makeEntry(name, type, startTime, duration, detail) {
  const entry = new PerformanceEntry(kToken, name, type, startTime, duration);
  if (type === "function") for (let i = 0; i < detail.length; i++) entry[i] = detail[i];
  Object.defineProperty(entry, "detail", { __proto__: null, value: detail, enumerable: true });
  return entry;
};
