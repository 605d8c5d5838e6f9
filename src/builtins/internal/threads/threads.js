// internal/threads -- what is known about this thread, and starting others.
//
// native: start(port, fn(code), stackBytes) -> thread or -errno; terminate(thread);
// heapSize(thread) -> bytes; setRef(thread, bool);
// ends() -> native port; runFile(path); isMain() -> bool; nextId() -> number, of all threads
exports.native = native;
exports.isMainThread = native.isMain();
exports.threadId = 0;
exports.threadName = "";
exports.workerData = null;
exports.parentPort = null;
exports.resourceLimits = {};
/** Of setEnvironmentData: copied into every thread that is started. */
exports.environmentData = new Map();
