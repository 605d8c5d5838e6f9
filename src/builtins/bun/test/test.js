// bun:test -- what test files import (Bun: docs/test); the parts are in internal/test_*.
const state = require("internal/test_runner/state");
const tree = require("internal/test_runner/tree");
const { expect } = require("internal/test_expect");
const mocks = require("internal/test_mock");

const { test, describe, xtest, xdescribe, beforeAll, beforeEach, afterEach, afterAll } = tree;
const { onTestFinished, setDefaultTimeout } = tree;

/** Types are checked by a compiler: at run time every member is a function that does nothing. */
function expectTypeOf() {
  const self = new Proxy(() => self, { get: () => self });
  return self;
}

const setTimeoutOfTests = (ms) => setDefaultTimeout(ms);
const { mock, spyOn, setSystemTime } = mocks;
const timers = (name) => (...args) => require("internal/test_mock/timers")[name](...args);

const jest = { ...mocks.functions, setTimeout: setTimeoutOfTests, setSystemTime };
jest.now = () => require("internal/test_mock/timers").now();
const vi = { ...mocks.functions, setSystemTime };
for (const name of [
  "advanceTimersByTime", "advanceTimersToNextTimer", "runAllTimers", "runOnlyPendingTimers",
  "clearAllTimers", "useFakeTimers", "useRealTimers", "advanceTimersByTimeAsync",
  "advanceTimersToNextTimerAsync", "runAllTimersAsync", "runOnlyPendingTimersAsync", "runAllTicks",
]) {
  const run = timers(name);
  jest[name] = (...args) => {
    const result = run(...args);
    return result === undefined ? jest : result;
  };
  vi[name] = (...args) => {
    const result = run(...args);
    return result === undefined ? vi : result;
  };
}
for (const name of ["getTimerCount", "isFakeTimers", "getRealSystemTime"]) {
  jest[name] = vi[name] = timers(name);
}
vi.getMockedSystemTime = () => (vi.isFakeTimers() ? new Date() : null);
vi.mocked = jest.mocked = (value) => value;
vi.hoisted = (fn) => fn();

Object.assign(exports, {
  test, it: test, xtest, xit: xtest, describe, suite: describe, xdescribe, beforeEach, beforeAll,
  afterAll, afterEach, onTestFinished, setDefaultTimeout, expect, expectTypeOf, setSystemTime, mock,
  jest, spyOn, vi,
});
exports.isRunning = () => state.file !== undefined;
