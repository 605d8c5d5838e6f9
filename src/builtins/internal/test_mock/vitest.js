// internal/test_mock/vitest -- what `vi` has and `jest` has not: values of globals and of the
// environment for a while, waiting until something holds (Vitest: api/vi).
const state = require("internal/test_runner/state");
const tree = require("internal/test_runner/tree");

const envs = new Map(); // name -> value before
const stubs = new Map(); // name -> descriptor before

exports.stubEnv = function stubEnv(name, value) {
  if (!envs.has(name)) envs.set(name, process.env[name]);
  if (value === undefined) delete process.env[name];
  else process.env[name] = String(value);
};

exports.unstubAllEnvs = function unstubAllEnvs() {
  for (const [name, value] of envs) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  envs.clear();
};

exports.stubGlobal = function stubGlobal(name, value) {
  if (!stubs.has(name)) stubs.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
  Object.defineProperty(globalThis, name, {
    value, writable: true, enumerable: true, configurable: true,
  });
};

exports.unstubAllGlobals = function unstubAllGlobals() {
  for (const [name, before] of stubs) {
    if (before === undefined) delete globalThis[name];
    else Object.defineProperty(globalThis, name, before);
  }
  stubs.clear();
};

/** Called between files. */
state.stubs = {
  afterFile() {
    exports.unstubAllEnvs();
    exports.unstubAllGlobals();
  },
};

const readLimits = (options, timeout, interval) => typeof options === "number"
  ? { timeout: options, interval }
  : { timeout: options?.timeout ?? timeout, interval: options?.interval ?? interval };

/** With fake timers it is their time that passes. */
async function pause(ms) {
  const timers = require("internal/test_mock/timers");
  if (timers.isFakeTimers()) {
    timers.advanceTimersByTime(ms);
    await null;
  } else await new Promise((resolve) => setTimeout(resolve, ms));
}

async function attempt(fn, isDone, options) {
  const { timeout, interval } = readLimits(options, 1000, 50);
  const until = state.native.now() + timeout;
  for (let waited = 0; ; waited += interval) {
    let error;
    try {
      const value = await fn();
      if (isDone(value)) return value;
    } catch (thrown) {
      error = { thrown };
    }
    if (state.native.now() >= until || waited >= timeout) {
      if (error !== undefined) throw error.thrown;
      throw new Error("Timed out in waitUntil!");
    }
    await pause(interval);
  }
}

/** The value of `fn` as soon as it does not throw. */
exports.waitFor = (fn, options) => attempt(fn, () => true, options);
/** The value of `fn` as soon as it is truthy; what it throws ends the wait. */
exports.waitUntil = (fn, options) => {
  let failed;
  const safe = async () => {
    try {
      return await fn();
    } catch (thrown) {
      failed = { thrown };
      return true;
    }
  };
  return attempt(safe, Boolean, options).then((value) => {
    if (failed !== undefined) throw failed.thrown;
    return value;
  });
};

let timeoutBefore;
exports.setConfig = function setConfig(config) {
  timeoutBefore ??= state.defaultTimeout;
  if (config.testTimeout !== undefined) tree.setDefaultTimeout(config.testTimeout);
};
exports.resetConfig = function resetConfig() {
  if (timeoutBefore !== undefined) tree.setDefaultTimeout(timeoutBefore);
};
