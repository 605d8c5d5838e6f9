// internal/node_test -- tests and suites of node:test and how they run (Node: test).
//
// Tests of the root run one after the other once the program's first file has been loaded. A test
// waits for the tests that it starts. Under `cob test` the tests of the root are that runner's
// (bridge.js).
const errors = require("internal/errors");
const { validateFunction, validateNumber, validateObject, validateUint32 } =
  require("internal/validators");

const TIMEOUT_MAX = 2 ** 31 - 1;
const { performance } = globalThis;
const later = globalThis.setTimeout; // programs may replace them
const clearLater = globalThis.clearTimeout;

/** What a test failed with, as reports have it. */
function failure(error, type) {
  if (error instanceof errors.ERR_TEST_FAILURE) return error;
  return new errors.ERR_TEST_FAILURE(error, type);
}

class Hooks {
  before = [];
  after = [];
  beforeEach = [];
  afterEach = [];
}

let nextId = 1;

class Test {
  id = nextId++;
  hooks = new Hooks();
  children = []; // of a suite, in order
  running = new Set(); // promises of tests started by this one
  error = null;
  passed = false;
  isDone = false;
  message = undefined; // of skip or todo
  planned = undefined;
  nAsserted = 0;
  failedBelow = 0;
  startedAt = 0;
  duration = 0;

  constructor({ name, parent, fn, options, isSuite }) {
    this.name = name;
    this.parent = parent;
    this.fn = fn;
    this.options = options;
    this.isSuite = isSuite;
    this.isSkipped = options.skip !== undefined && options.skip !== false;
    this.isTodo = options.todo !== undefined && options.todo !== false;
    if (typeof options.skip === "string") this.message = options.skip;
    if (typeof options.todo === "string") this.message ??= options.todo;
    this.filePath = parent?.filePath ?? process.argv[1];
    this.controller = undefined;
    this.context = undefined;
    this.finished = Promise.withResolvers();
  }

  get fullName() {
    if (this.parent === null) return "<root>";
    return this.parent.parent === null ? this.name : `${this.parent.fullName} > ${this.name}`;
  }

  get nesting() {
    return this.parent === null ? -1 : this.parent.nesting + 1;
  }

  get signal() {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.isDone) this.controller.abort();
    }
    return this.controller.signal;
  }

  fail(error, type) {
    this.error ??= failure(error, type);
  }
}

const root = new Test({
  name: "<root>", parent: null, fn: undefined, options: {}, isSuite: true,
});

// ---- Declaring

const NAME_OF_NONE = "<anonymous>";
let current = root; // the suite whose function runs

/** (name?, options?, fn?) in any combination. */
function readArguments(name, options, fn) {
  if (typeof name === "function") [fn, name, options] = [name, undefined, undefined];
  else if (name !== null && typeof name === "object") {
    [fn, options, name] = [typeof options === "function" ? options : fn, name, undefined];
  }
  if (typeof options === "function") [fn, options] = [options, undefined];
  options ??= {};
  if (typeof name !== "string" || name === "") name = fn?.name || NAME_OF_NONE;
  return { name, options, fn: typeof fn === "function" ? fn : undefined };
}

function checkOptions(options) {
  validateObject(options, "options");
  const { timeout, concurrency, signal, plan } = options;
  if (timeout !== undefined && timeout !== null && timeout !== Infinity) {
    validateNumber(timeout, "options.timeout", 0, TIMEOUT_MAX);
  }
  if (typeof concurrency === "number") {
    validateUint32(concurrency, "options.concurrency", true);
  } else if (concurrency !== undefined && concurrency !== null &&
      typeof concurrency !== "boolean") {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "options.concurrency", ["boolean", "number"], concurrency,
    );
  }
  if (signal !== undefined) {
    require("internal/validators").validateAbortSignal(signal, "options.signal");
  }
  if (plan !== undefined) validateUint32(plan, "options.plan", true);
}

/** A test or suite below `parent`; what runs it is the caller's. */
function create(parent, args, overrides, isSuite) {
  const { name, options, fn } = readArguments(...args);
  const all = overrides === undefined ? options : { ...options, ...overrides };
  checkOptions(all);
  const test = new Test({ name, parent, fn, options: all, isSuite });
  if (parent.options.isFocused || all.only) test.isFocused = all.only === true;
  return test;
}

/** Calls a suite's function, which declares what is in it. */
function build(suite) {
  const outer = current;
  current = suite;
  try {
    if (suite.isSkipped) return undefined;
    const { contextOf } = require("internal/node_test/context");
    const result = suite.fn?.call(contextOf(suite), contextOf(suite));
    if (typeof result?.then === "function") {
      return Promise.resolve(result).catch((error) => suite.fail(error, "testCodeFailure"));
    }
  } catch (error) {
    suite.fail(error, "testCodeFailure");
  } finally {
    current = outer;
  }
  return undefined;
}

function declare(args, overrides, isSuite) {
  const bridge = require("internal/node_test/bridge");
  if (bridge.isUsed()) return bridge.declare(args, overrides, isSuite);
  const parent = running()?.isSuite === false ? running() : current;
  if (!parent.isSuite) return start(create(parent, args, overrides, isSuite));
  const test = create(parent, args, overrides, isSuite);
  parent.children.push(test);
  if (isSuite) test.building = build(test);
  if (parent === root) begin();
  return parent === root ? test.finished.promise : Promise.resolve();
}

// ---- Running

const storage = new (require("node:async_hooks").AsyncLocalStorage)();
const running = () => storage.getStore();

/** Starts a test from inside another one. */
function start(test) {
  const { parent } = test;
  if (test.isSuite) test.building = build(test);
  const limit = parent.options.concurrency;
  const before = limit === true || limit > 1 ? undefined : parent.last;
  const done = (async () => {
    await before;
    await run(test);
  })();
  parent.last = done;
  parent.running.add(done);
  done.finally(() => parent.running.delete(done));
  return done;
}

/** Calls a function of the program; it may take a callback as its last parameter. */
function invoke(fn, self, context, nArguments) {
  if (fn.length <= nArguments) return fn.call(self, context);
  return new Promise((resolve, reject) => {
    const done = (error) => (error ? reject(error) : resolve());
    const result = fn.call(self, context, done);
    if (typeof result?.then === "function") {
      reject(failure(
        new Error("passed a callback but also returned a Promise"), "callbackAndPromisePresent",
      ));
    }
  });
}

/** The call, or a rejection when its time is up or the signal aborts it. */
async function within(call, { timeout, signal }) {
  const hasLimit = timeout !== undefined && timeout !== null && timeout !== Infinity;
  if (!hasLimit && signal === undefined) return call();
  const over = Promise.withResolvers();
  const timer = hasLimit
    ? later(() => over.reject(failure(
        new Error(`test timed out after ${timeout}ms`), "testTimeoutFailure")), timeout)
    : undefined;
  const onAbort = () => over.reject(failure(
    signal.reason ?? new Error("This operation was aborted"), "testAborted"));
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  try {
    return await Promise.race([over.promise, signal?.aborted ? undefined : call()]);
  } finally {
    if (timer !== undefined) clearLater(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

async function runHooks(list, test) {
  const { contextOf } = require("internal/node_test/context");
  for (const { fn, options } of list) {
    const context = contextOf(test);
    await within(async () => invoke(fn, context, context, 1), options);
  }
}

function chain(test, name) {
  const list = [];
  for (let t = test.parent; t !== null; t = t.parent) list.unshift(t.hooks[name]);
  if (name === "afterEach") list.reverse();
  return list.flat();
}

/** before() of what is above, once each. */
async function runBefores(test) {
  if (test === null) return;
  await runBefores(test.parent);
  test.befores ??= runHooks(test.hooks.before, test);
  await test.befores;
}

async function runBody(test) {
  const { contextOf } = require("internal/node_test/context");
  const context = contextOf(test);
  await runBefores(test.parent);
  await runHooks(chain(test, "beforeEach"), test);
  if (!test.isSkipped || !test.isSkippedInside) {
    await within(async () => {
      if (test.fn !== undefined) await invoke(test.fn, context, context, 1);
      while (test.running.size > 0) await Promise.all(test.running);
      await require("internal/node_test/context").settlePlan(test);
    }, test.options);
  }
}

async function runTest(test) {
  const expectsFailure = test.options.expectFailure;
  try {
    await runBody(test);
    if (test.failedBelow > 0) {
      const n = test.failedBelow;
      test.fail(new Error(`${n} subtest${n > 1 ? "s" : ""} failed`), "subtestsFailed");
    }
  } catch (error) {
    test.fail(error, "testCodeFailure");
  }
  if (expectsFailure) {
    if (test.error === null) {
      test.fail(new Error("test was expected to fail but passed"), "expectedFailure");
    } else {
      test.expectedError = test.error;
      test.error = null;
    }
  }
  await afterTest(test);
}

async function afterTest(test) {
  test.isDone = true;
  try {
    await runHooks(chain(test, "afterEach"), test);
  } catch (error) {
    test.fail(error, "hookFailed");
  }
  try {
    await runHooks(test.hooks.after, test);
  } catch (error) {
    test.fail(error, "hookFailed");
  }
  require("internal/node_test/mock").restoreOf(test);
  test.controller?.abort();
}

async function runSuite(suite) {
  await suite.building;
  if (suite.error === null) await runChildren(suite);
  if (suite.failedBelow > 0) {
    const n = suite.failedBelow;
    suite.fail(new Error(`${n} subtest${n > 1 ? "s" : ""} failed`), "subtestsFailed");
  }
  try {
    if (suite.befores !== undefined) await suite.befores;
    await runHooks(suite.hooks.after, suite);
  } catch (error) {
    suite.fail(error, "hookFailed");
  }
  suite.isDone = true;
}

async function runChildren(suite) {
  const only = suite.children.some((one) => one.isFocused) && isOnlyMode();
  const limit = suite.options.concurrency === true ? Infinity : suite.options.concurrency || 1;
  const active = new Set();
  for (const one of suite.children) {
    if (only && !one.isFocused) continue;
    while (active.size >= limit) await Promise.race(active);
    const promise = run(one).finally(() => active.delete(promise));
    active.add(promise);
  }
  await Promise.all(active);
}

const isOnlyMode = () => process.execArgv.includes("--test-only");

async function run(test) {
  const { report } = require("internal/node_test/output");
  test.startedAt = performance.now();
  report("start", test);
  if (test.isSkipped) test.isDone = true;
  else await storage.run(test, test.isSuite ? runSuite : runTest, test);
  test.duration = performance.now() - test.startedAt;
  test.passed = test.error === null || test.isTodo;
  if (!test.passed) test.parent.failedBelow++;
  report(test.passed ? "pass" : "fail", test);
  test.finished.resolve();
}

// ---- The root

let isRunning = false;

function begin() {
  if (isRunning) return;
  isRunning = true;
  require("internal/node_test/output").begin(root);
  setImmediate(pump);
}

async function pump() {
  try {
    while (root.children.length > 0) await run(root.children.shift());
    // Whoever waited for the last one may declare another.
    await new Promise((resolve) => void setImmediate(resolve));
    if (root.children.length > 0) return void setImmediate(pump);
    await runHooks(root.hooks.after.splice(0), root);
  } catch (error) {
    root.fail(error, "hookFailed");
    root.failedBelow++;
  }
  isRunning = false;
}

// ---- Hooks

function addHook(name, fn = () => {}, options = {}) {
  validateFunction(fn, "fn");
  validateObject(options, "options");
  checkOptions(options);
  const bridge = require("internal/node_test/bridge");
  if (bridge.isUsed() && running() === undefined) return bridge.addHook(name, fn, options);
  const test = running() ?? current;
  test.hooks[name].push({ fn, options });
  if (test === root) begin();
  return undefined;
}

Object.assign(exports, {
  Test, addHook, build, create, declare, failure, readArguments, root, run, running, runTest, start,
  storage,
});
