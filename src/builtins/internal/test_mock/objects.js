// internal/test_mock/objects -- `mock`, `spyOn`, and the objects `jest` and `vi` of bun:test.
const mocks = require("internal/test_mock");
const { setDefaultTimeout } = require("internal/test_runner/tree");

const { mock, spyOn, setSystemTime } = mocks;
const timers = (name) => (...args) => require("internal/test_mock/timers")[name](...args);

const jest = { ...mocks.functions, setTimeout: (ms) => setDefaultTimeout(ms), setSystemTime };
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
const modules = (name) => (...args) => require("internal/test_mock/module")[name](...args);
jest.createMockFromModule = jest.genMockFromModule = modules("createMock");
jest.requireMock = modules("mocked");
jest.unstable_mockModule = modules("mockAny");
vi.importActual = modules("importActual");
vi.importMock = async (id) => modules("mocked")(id);
jest.setMock = (id, value) => jest.mock(id, () => value);
for (const name of [
  "stubEnv", "stubGlobal", "unstubAllEnvs", "unstubAllGlobals", "waitFor", "waitUntil", "setConfig",
  "resetConfig",
]) {
  vi[name] = (...args) => {
    const result = require("internal/test_mock/vitest")[name](...args);
    return result === undefined ? vi : result;
  };
}
vi.dynamicImportSettled = () => new Promise((resolve) => setImmediate(resolve));
jest.isolateModules = (fn) => {
  jest.resetModules();
  try {
    fn();
  } finally {
    jest.resetModules();
  }
};
jest.isolateModulesAsync = async (fn) => {
  jest.resetModules();
  try {
    await fn();
  } finally {
    jest.resetModules();
  }
};
vi.getMockedSystemTime = () => (vi.isFakeTimers() ? new Date() : null);
vi.mocked = jest.mocked = (value) => value;
vi.hoisted = (fn) => fn();
Object.assign(exports, { mock, jest, vi, spyOn, setSystemTime });
