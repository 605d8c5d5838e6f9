// web/performance/timeline -- the entries that were made, and who observes them.

/** More entries than this are a leak in the program: it is told once. */
const BUFFER_WARN = 1e6;

/** Resource entries beyond the limit are not kept (Resource Timing, "buffer full"). */
let resourcesMax = 250;

const buffers = { __proto__: null, mark: [], measure: [], resource: [] };
const observers = new Set();
let hasWarned = false;
let isScheduled = false;

function warnOnce(type, count) {
  if (hasWarned || count <= BUFFER_WARN) return;
  hasWarned = true;
  require("node:process").emitWarning(
    `Possible performance entry buffer memory leak detected. ${count} entries of type ${type} ` +
      "were added to the performance timeline. Use performance.clearMarks() and " +
      "performance.clearMeasures() to remove them.",
    "MaxPerformanceEntryBufferExceededWarning",
  );
}

/** Gives observers what waits for them, in a task of its own. */
function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  require("node:timers").setImmediate(() => {
    isScheduled = false;
    for (let i = 0, all = [...observers]; i < all.length; i++) {
      const observer = all[i];
      observer.deliver();
    }
  });
}

exports.add = function add(entry, type) {
  const buffer = buffers[type];
  buffer.push(entry);
  warnOnce(type, buffer.length);
  tell(entry, type);
};

/** Of entries that nobody keeps: observers only. */
function tell(entry, type) {
  for (const observer of observers) {
    if (!observer.types.has(type)) continue;
    observer.queue.push(entry);
    schedule();
  }
}
exports.tell = tell;

exports.addResource = function addResource(entry) {
  tell(entry, "resource");
  if (buffers.resource.length < resourcesMax) {
    buffers.resource.push(entry);
    return;
  }
  const { performance } = require("web/performance");
  const { Event } = require("web/events");
  performance.dispatchEvent(new Event("resourcetimingbufferfull"));
};

exports.setResourcesMax = (count) => {
  resourcesMax = count;
};

/** Drops the entries of a type, or those of one name. */
exports.clear = function clear(type, name) {
  buffers[type] = name === undefined ? [] : buffers[type].filter((e) => e.name !== name);
};

/** In the order of their start times. */
exports.sort = (entries) => entries.sort((a, b) => a.startTime - b.startTime);

exports.ofType = (type) => (Object.hasOwn(buffers, type) ? buffers[type].slice() : []);

exports.all = () => buffers.mark.concat(buffers.measure, buffers.resource);

/** The newest mark of a name, or undefined. */
exports.findMark = (name) => buffers.mark.findLast((mark) => mark.name === name);

/** An observer record: { types, queue, deliver() }. */
exports.addObserver = (observer) => observers.add(observer);
exports.removeObserver = (observer) => observers.delete(observer);
exports.schedule = schedule;
exports.types = Object.freeze(["function", "mark", "measure", "resource"]);
