// internal/test_runner/state -- what the parts of the test runner share: options, counts, and what
// is running now.
//
// The clock and the timer are native: no test can replace them.

/** What the command line and bunfig.toml say; see cli_run_tests.c for the names. */
exports.options = {};
exports.counts = {
  pass: 0, fail: 0, skip: 0, todo: 0, errors: 0, expects: 0, snapshots: 0, ran: 0,
};
/** Absolute path of the file that runs, or undefined; its tests. */
exports.file = undefined;
/** The test or hook that runs: { errors, expects, expected, mustExpect, ... }; see execute.js. */
exports.running = undefined;
/** Those that run at the same time, when there are several. */
exports.concurrent = 0;
exports.defaultTimeout = 5000;
/** The native half of internal/test_runner, once a run has begun. */
exports.native = undefined;

/** What native.call gives for a function that did not return in time. */
exports.kInterrupted = Symbol("interrupted");

let storage; // AsyncLocalStorage of what runs, when several tests do

/** What runs: of several tests the one whose code this is. */
exports.current = function current() {
  if (exports.concurrent === 0) return exports.running;
  return storage?.getStore() ?? exports.running;
};

/** Calls `fn(...args)` as code of `running`. */
exports.runAs = function runAs(running, fn, args) {
  const { AsyncLocalStorage } = require("node:async_hooks");
  storage ??= new AsyncLocalStorage();
  return storage.run(running, fn, ...args);
};

let waiting = []; // functions for the loop's next turn

/** A promise that is fulfilled in the loop's next turn. */
exports.nextTurn = () => new Promise((resolve) => {
  waiting.push(resolve);
  if (waiting.length === 1) exports.native.later();
});
exports.onLater = () => {
  const all = waiting;
  waiting = [];
  for (const resolve of all) resolve();
};

/** Full name of a test as Bun keeps it in snapshots: "describe test". */
exports.nameOf = function nameOf(test) {
  let name = test.name;
  for (let s = test.parent; s?.parent != null; s = s.parent) {
    if (s.name !== "") name = `${s.name} ${name}`;
  }
  return name;
};
