// @global performance Performance
// web/performance -- the performance global (High Resolution Time, User Timing).

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const { EventTarget, defineEventHandler } = require("web/events");
const { now, timeOrigin } = require("internal/clock");

const kToken = Symbol("make");
let origin;

const timeline = () => require("web/performance/timeline");

/** A mark's name or a time, as a time. */
function toTime(value) {
  if (typeof value === "number") return require("web/performance/entries").checkTime(value);
  const name = `${value}`;
  const mark = timeline().findMark(name);
  if (mark !== undefined) return mark.startTime;
  const { DOMException } = require("web/exception");
  throw new DOMException(`The "${name}" performance mark has not been set`, "SyntaxError");
}

function checkMeasure(options, endMark) {
  if (endMark !== undefined) {
    throw new errors.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS("endMark must not be specified");
  }
  if (options.start !== undefined && options.end !== undefined &&
      options.duration !== undefined) {
    throw new errors.ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS(
      "Must not have options.start, options.end, and options.duration specified",
    );
  }
}

/** Start and end of a measure (User Timing, "measure() method"). */
function measureTimes(startOrOptions, endMark) {
  // null is the empty dictionary.
  const isObject = typeof startOrOptions === "object";
  const options = (isObject ? startOrOptions : null) ?? {};
  const { detail, duration, end, start } = options;
  if (start !== undefined || end !== undefined || duration !== undefined || detail !== undefined) {
    checkMeasure(options, endMark);
  }
  let endTime, startTime;
  if (endMark !== undefined) endTime = toTime(endMark);
  else if (end !== undefined) endTime = toTime(end);
  else if (start !== undefined && duration !== undefined) endTime = toTime(start) + +duration;
  else endTime = now();
  if (start !== undefined) startTime = toTime(start);
  else if (duration !== undefined && end !== undefined) startTime = toTime(end) - +duration;
  else if (!isObject && startOrOptions !== undefined) startTime = toTime(`${startOrOptions}`);
  else startTime = 0;
  return { startTime, endTime, detail };
}

class Performance extends EventTarget {
  #isPerformance = true;

  constructor(token = undefined) {
    if (token !== kToken) throw new errors.ERR_ILLEGAL_CONSTRUCTOR();
    super();
  }

  static #check(value) {
    if (typeof value !== "object" || value === null || !(#isPerformance in value)) {
      throw new errors.ERR_INVALID_THIS("Performance");
    }
  }

  now() {
    Performance.#check(this);
    return now();
  }

  get timeOrigin() {
    Performance.#check(this);
    origin ??= timeOrigin();
    return origin;
  }

  toJSON() {
    Performance.#check(this);
    return { timeOrigin: this.timeOrigin };
  }

  getEntries() {
    Performance.#check(this);
    return timeline().sort(timeline().all());
  }

  getEntriesByType(type) {
    Performance.#check(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("type");
    return timeline().sort(timeline().ofType(`${type}`));
  }

  getEntriesByName(name, type = undefined) {
    Performance.#check(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("name");
    const wanted = `${name}`;
    const entries = type === undefined ? timeline().all() : timeline().ofType(`${type}`);
    return timeline().sort(entries.filter((entry) => entry.name === wanted));
  }

  mark(markName, options = undefined) {
    Performance.#check(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("name");
    const { PerformanceMark } = require("web/performance/entries");
    const mark = new PerformanceMark(markName, options);
    timeline().add(mark, "mark");
    return mark;
  }

  measure(measureName, startOrMeasureOptions = undefined, endMark = undefined) {
    Performance.#check(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("name");
    const name = `${measureName}`;
    const { startTime, endTime, detail } = measureTimes(startOrMeasureOptions, endMark);
    const { makeMeasure } = require("web/performance/entries");
    const measure = makeMeasure(name, startTime, endTime - startTime, detail);
    timeline().add(measure, "measure");
    return measure;
  }

  clearMarks(markName = undefined) {
    Performance.#check(this);
    timeline().clear("mark", markName === undefined ? undefined : `${markName}`);
  }

  clearMeasures(measureName = undefined) {
    Performance.#check(this);
    timeline().clear("measure", measureName === undefined ? undefined : `${measureName}`);
  }

  clearResourceTimings(name = undefined) {
    Performance.#check(this);
    timeline().clear("resource", name === undefined ? undefined : `${name}`);
  }

  setResourceTimingBufferSize(maxSize) {
    Performance.#check(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("maxSize");
    timeline().setResourcesMax(maxSize >>> 0);
  }

  // Called without its object, too, as in Node.
  markResourceTiming(...args) {
    return require("web/performance/resource").mark(...args);
  }
}

defineEventHandler(Performance, "resourcetimingbufferfull");
exports.Performance = defineInterface(Performance);
exports.performance = new Performance(kToken);
