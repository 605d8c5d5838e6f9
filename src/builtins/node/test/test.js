// node:test -- the names of Node's test runner (Node: test), which is not there yet.
const { define } = require("internal/unavailable");

const names = [
  "after", "afterEach", "before", "beforeEach", "describe", "expectFailure", "getTestContext", "it",
  "only", "run", "skip", "suite", "todo",
];
define(exports, "test", ["test"]);
const { test } = exports;
define(test, "test", names);
test.test = test;
test.mock = {};
define(test.mock, "mock", [
  "fn", "getter", "method", "module", "property", "reset", "restoreAll", "setter",
]);
test.mock.timers = {};
define(test.mock.timers, "mock.timers", ["enable", "reset", "runAll", "setTime", "tick"]);
test.snapshot = {};
define(test.snapshot, "snapshot", ["setDefaultSnapshotSerializers", "setResolveSnapshotPath"]);
test.assert = {};
define(test.assert, "assert", ["register"]);
for (const of of [test.it, test.describe, test.suite]) {
  define(of, of.name, ["only", "skip", "todo"]);
}
return test;
