// internal/test_runner/context -- what tests and hooks of Vitest get when their first parameter is
// a pattern: `({ task, expect, skip }) => ...`. Any other name means `done`.
const state = require("internal/test_runner/state");

const PATTERN = /^(?:async\s*)?(?:function\b[^(]*)?\(\s*\{/;
exports.isTaken = (fn) => PATTERN.test(Function.prototype.toString.call(fn));

/** What skip() throws. */
class Skipped extends Error {}
exports.Skipped = Skipped;

const fileOf = () => ({
  type: "suite", name: state.shownFile, filepath: state.file, mode: "run", meta: {},
});

/** A scope as a suite; undefined for that of the file. */
function suiteOf(scope) {
  if (scope?.parent == null || scope.parent.parent === null && scope.name === "") return undefined;
  return {
    type: "suite", name: scope.name, suite: suiteOf(scope.parent), file: fileOf(), mode: "run",
    meta: {},
  };
}

const taskOf = (test) => ({
  type: "test", id: state.nameOf(test), name: test.name, suite: suiteOf(test.parent),
  file: fileOf(), mode: "run", retry: test.retry ?? 0, repeats: test.repeats ?? 0, meta: {},
});

/** @param {object} running the test or hook @returns {object} */
exports.make = function make(running) {
  const { test } = running;
  const finish = (fn) => void (running.last ??= []).push({ fn });
  let task;
  let controller;
  return {
    get task() {
      return (task ??= taskOf(test));
    },
    get expect() {
      return require("internal/test_expect").expect;
    },
    get signal() {
      return (controller ??= new AbortController()).signal;
    },
    skip(condition, note) {
      if (condition === false) return;
      running.isSkipped = true;
      throw new Skipped(typeof condition === "string" ? condition : note ?? "skipped");
    },
    onTestFinished: finish,
    onTestFailed: (fn) => finish((...args) => (running.errors > 0 ? fn(...args) : undefined)),
    annotate: async () => undefined,
  };
};
