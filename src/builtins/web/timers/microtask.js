// @global queueMicrotask
// web/timers/microtask -- queueMicrotask (HTML, "microtask queuing").
const { validateFunction } = require("internal/validators");
const settled = Promise.resolve();
const then = Function.prototype.call.bind(Promise.prototype.then);

/** Runs callback after the current job; what it throws is uncaught, not a rejection. */
exports.queueMicrotask = function queueMicrotask(callback) {
  if (arguments.length === 0) {
    const { ERR_MISSING_ARGS } = require("internal/errors");
    throw new ERR_MISSING_ARGS("callback");
  }
  validateFunction(callback, "callback");
  then(settled, () => {
    try {
      callback();
    } catch (error) {
      require("internal/report").reportException(error, "uncaughtException");
    }
  });
};
