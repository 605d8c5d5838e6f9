// node:perf_hooks (Node: perf_hooks).
const errors = require("internal/errors");
const { validateFunction, validateObject } = require("internal/validators");
const { lazies, lazy } = require("internal/process_util");
const { performance, Performance } = require("web/performance");

/** Tells observers of "function" how long a call took. */
function tell(fn, start, args, histogram) {
  const duration = performance.now() - start;
  histogram?.record(Math.max(1, Math.ceil(duration * 1e6)));
  const { makeEntry } = require("web/performance/entries");
  require("web/performance/timeline").tell(
    makeEntry(fn.name, "function", start, duration, args), "function",
  );
}

function timerify(fn, options = {}) {
  validateFunction(fn, "fn");
  validateObject(options, "options");
  const { histogram } = options;
  if (histogram !== undefined) {
    const { RecordableHistogram } = require("node:perf_hooks/histogram");
    if (!(histogram instanceof RecordableHistogram)) {
      throw new errors.ERR_INVALID_ARG_TYPE("options.histogram", "RecordableHistogram", histogram);
    }
  }
  function timerified(...args) {
    const isNew = new.target !== undefined;
    const start = performance.now();
    const result = isNew ? Reflect.construct(fn, args, fn) : Reflect.apply(fn, this, args);
    if (!isNew && typeof result?.finally === "function") {
      return result.finally(() => tell(fn, start, args, histogram));
    }
    tell(fn, start, args, histogram);
    return result;
  }
  const constant = (value) => ({ __proto__: null, configurable: false, enumerable: true, value });
  Object.defineProperties(timerified, {
    length: constant(fn.length),
    name: constant(`timerified ${fn.name}`),
  });
  return timerified;
}

/** The loop does not say how long it slept: all time counts as active that the processor worked. */
function eventLoopUtilization(first, second) {
  if (first !== undefined && second !== undefined) {
    return utilization(first.idle - second.idle, first.active - second.active);
  }
  const { user, system } = process.cpuUsage();
  const total = process.uptime() * 1000;
  const active = Math.min((user + system) / 1000, total);
  const now = utilization(total - active, active);
  return first === undefined ? now : utilization(now.idle - first.idle, now.active - first.active);
}

function utilization(idle, active) {
  return { idle, active, utilization: idle + active === 0 ? 0 : active / (idle + active) };
}

const constants = {
  NODE_PERFORMANCE_GC_MAJOR: 4,
  NODE_PERFORMANCE_GC_MINOR: 1,
  NODE_PERFORMANCE_GC_INCREMENTAL: 8,
  NODE_PERFORMANCE_GC_WEAKCB: 16,
  NODE_PERFORMANCE_GC_FLAGS_NO: 0,
  NODE_PERFORMANCE_GC_FLAGS_CONSTRUCT_RETAINED: 2,
  NODE_PERFORMANCE_GC_FLAGS_FORCED: 4,
  NODE_PERFORMANCE_GC_FLAGS_SYNCHRONOUS_PHANTOM_PROCESSING: 8,
  NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE: 16,
  NODE_PERFORMANCE_GC_FLAGS_ALL_EXTERNAL_MEMORY: 32,
  NODE_PERFORMANCE_GC_FLAGS_SCHEDULE_IDLE: 64,
};

Object.assign(performance, { eventLoopUtilization, timerify });
Object.assign(exports, { Performance, eventLoopUtilization, performance, timerify });
exports.constants = Object.freeze(constants);
const entryNames = ["PerformanceEntry", "PerformanceMark", "PerformanceMeasure"];
lazies(exports, entryNames, (name) => require("web/performance/entries")[name]);
lazy(exports, "PerformanceResourceTiming", () =>
  require("web/performance/resource").PerformanceResourceTiming);
const observerNames = ["PerformanceObserver", "PerformanceObserverEntryList"];
lazies(exports, observerNames, (name) => require("web/performance/observer")[name]);
const histogramNames = ["createHistogram", "monitorEventLoopDelay"];
lazies(exports, histogramNames, (name) => require("node:perf_hooks/histogram")[name]);
