// internal/util/abort_listener -- what a built-in does when a signal aborts.

/** Calls `listener` once when the signal aborts, whatever other listeners stop. */
exports.onAbort = function onAbort(signal, listener) {
  const { kResist } = require("web/events");
  signal.addEventListener("abort", listener, { __proto__: null, once: true, [kResist]: true });
};
