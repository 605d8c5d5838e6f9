// bun:jsc -- figures and switches of the engine (Bun: jsc.d.ts), as far as this build of it gives
// them. What it does not give throws "not implemented"; hints to the compilers change nothing that
// a program can see and are taken without effect.
//
// native: gc(isSync) -> bytes; heapSize(); heapStats() -> the engine's object; drainMicrotasks();
//         callerUrl(); setTimeZone(name) -> bool

exports.gcAndSweep = function gcAndSweep() {
  return native.gc(true);
};
exports.fullGC = function fullGC() {
  return native.gc(true);
};
exports.edenGC = function edenGC() {
  return native.gc(false);
};
exports.heapSize = function heapSize() {
  return native.heapSize();
};
exports.heapStats = function heapStats() {
  const stats = native.heapStats();
  if (stats === undefined) throw new Error("not implemented: bun:jsc heapStats");
  stats.protectedObjectTypeCounts ??= {};
  return stats;
};
exports.memoryUsage = function memoryUsage() {
  const { rss } = process.memoryUsage();
  const { maxRSS, majorPageFault } = process.resourceUsage();
  return {
    current: rss, peak: maxRSS * 1024, currentCommit: rss, peakCommit: maxRSS * 1024,
    pageFaults: majorPageFault,
  };
};
exports.drainMicrotasks = function drainMicrotasks() {
  native.drainMicrotasks();
};
exports.callerSourceOrigin = function callerSourceOrigin() {
  const path = native.callerUrl();
  if (path === "") return null;
  return path.startsWith("/") ? require("node:url").pathToFileURL(path).href : path;
};

exports.serialize = function serialize(value, options) {
  const bytes = require("node:v8").serialize(value);
  if (options?.binaryType === "nodebuffer") return bytes;
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  return shared;
};
exports.deserialize = function deserialize(value) {
  const bytes = ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value);
  return require("node:v8").deserialize(bytes);
};

function setTimeZone(zone) {
  if (typeof zone !== "string") throw new TypeError("setTimeZone requires a string");
  if (!native.setTimeZone(zone)) throw new Error(`Invalid timezone: "${zone}"`);
  return zone;
}
exports.setTimeZone = exports.setTimezone = setTimeZone;

for (const name of ["noFTL", "noInline", "noOSRExitFuzzing", "optimizeNextInvocation"]) {
  exports[name] = { [name](fn) {
    if (typeof fn !== "function") throw new TypeError(`${name} requires a function`);
  } }[name];
}

for (const name of [
  "describe", "describeArray", "jscDescribe", "jscDescribeArray", "bytecodeOrderStats",
  "getRandomSeed", "setRandomSeed", "isRope", "numberOfDFGCompiles", "releaseWeakRefs",
  "totalCompileTime", "reoptimizationRetryCount", "profile", "getProtectedObjects",
  "startRemoteDebugger", "startSamplingProfiler", "samplingProfilerStackTraces",
  "estimateShallowMemoryUsageOf", "generateHeapSnapshotForDebugging", "codeCoverageForFile",
]) {
  exports[name] = { [name]() {
    throw new Error(`not implemented: bun:jsc ${name}`);
  } }[name];
}
