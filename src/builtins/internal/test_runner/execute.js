// internal/test_runner/execute -- runs the tree of one file: hooks, tests, timeouts, retries.
//
// Nothing is awaited that is no promise: thousands of synchronous tests run in one go.
const state = require("internal/test_runner/state");
const report = require("internal/test_runner/report");
const { Scope } = require("internal/test_runner/tree");
const { counts } = state;
const then = Function.prototype.call.bind(Promise.prototype.then);

/** What is known of a test or hook while it runs. */
class Running {
  constructor(test) {
    this.test = test; // undefined: a hook of a whole scope
    this.errors = 0;
    this.expects = 0;
    this.expected = undefined; // expect.assertions
    this.mustExpect = false; // expect.hasAssertions
    this.finishers = []; // afterEach called inside the test
    this.last = []; // onTestFinished
    this.isTimedOut = false;
    this.isQuiet = false; // failing tests: errors are not shown
    this.timeoutMs = 0;
    this.messages = undefined; // for reports
    this.onError = undefined; // ends the wait: an error came from elsewhere
  }

  fail(error) {
    this.errors++;
    if (this.isQuiet) return;
    (this.messages ??= []).push(error);
    report.error(error);
  }
}

/** An error nobody caught: of the test that runs, or of none. true: it was taken. */
exports.takeError = function takeError(error) {
  const running = state.current();
  if (running !== undefined && !running.isOver) {
    running.fail(error);
    running.onError?.();
    return true;
  }
  report.betweenTests(error);
  return true;
};

const isThenable = (value) =>
  value !== null && typeof value === "object" && typeof value.then === "function";

/** Waits for a promise or until the time is over; errors are noted. */
function settle(promise, running, ms) {
  return new Promise((resolve) => {
    let timer;
    const end = () => {
      running.onError = undefined;
      if (timer !== undefined) state.clearTimeout(timer);
      resolve();
    };
    if (ms > 0 && ms < 2 ** 31) {
      timer = state.setTimeout(() => {
        running.isTimedOut = true;
        running.timeoutMs = ms;
        running.errors++;
        timer = undefined;
        end();
      }, ms);
    } else timer = state.setTimeout(() => {}, 2 ** 31 - 1); // keeps the process alive
    running.onError = end;
    const fail = (error) => {
      if (!running.isTimedOut && !running.isOver) running.fail(error);
      end();
    };
    if (promise instanceof Promise) then(promise, end, fail);
    else promise.then(end, fail);
  });
}

/** The promise of a function that takes `done`. */
function callWithDone(fn, args) {
  return new Promise((resolve, reject) => {
    const done = (error) => {
      if (error === undefined || error === null) resolve();
      else reject(error);
    };
    const result = fn(...args, done);
    if (isThenable(result)) result.then(undefined, reject);
  });
}

/** The function as code of one of several tests that run. */
function boundTo(running, fn) {
  const bound = (...args) => state.runAs(running, fn, args);
  return Object.defineProperty(bound, "length", { value: fn.length });
}

/** Calls a test or hook; a promise when it has to be waited for. */
function call(fn, args, running, timeout) {
  const ms = timeout ?? state.defaultTimeout;
  const wanted = args === undefined ? 0 : args.length;
  let result;
  if (state.concurrent > 0) fn = boundTo(running, fn);
  try {
    if (fn.length > wanted && !(wanted > 0 && fn.length === 0)) {
      result = callWithDone(fn, args ?? []);
    } else result = args === undefined ? fn() : fn(...args);
  } catch (error) {
    running.fail(error);
    return undefined;
  }
  return isThenable(result) ? settle(result, running, ms) : undefined;
}

async function callAll(hooks, running) {
  for (let i = 0; i < hooks.length; i++) {
    const waiting = call(hooks[i].fn, undefined, running, hooks[i].timeout);
    if (waiting !== undefined) await waiting;
  }
}

/** Scopes from the outermost to that of the test. */
function scopesOf(scope) {
  if (scope.chain === undefined) {
    scope.chain = scope.parent === null ? [scope] : [...scopesOf(scope.parent), scope];
  }
  return scope.chain;
}

function hooksOf(scope, name) {
  const key = name === "beforeEach" ? "allBefore" : "allAfter";
  if (scope[key] === undefined) {
    const chain = scopesOf(scope);
    const list = [];
    if (name === "beforeEach") for (const s of chain) list.push(...s.beforeEach);
    else for (let i = chain.length - 1; i >= 0; i--) list.push(...chain[i].afterEach);
    scope[key] = list;
  }
  return scope[key];
}

/** Waits until rejections without handlers have been reported. */
const breathe = () => new Promise((resolve) => state.setImmediate(resolve));

/** Once through beforeEach, the test, afterEach, onTestFinished. */
async function attempt(test, running) {
  const before = hooksOf(test.parent, "beforeEach");
  const after = hooksOf(test.parent, "afterEach");
  for (let i = 0; i < before.length && running.errors === 0; i++) {
    const waiting = call(before[i].fn, undefined, running, before[i].timeout);
    if (waiting !== undefined) await waiting;
  }
  if (running.errors === 0) {
    const waiting = call(test.fn, test.args, running, test.timeout);
    if (waiting !== undefined) await waiting;
  }
  if (exports.hasRejections()) await breathe();
  checkExpected(running);
  if (running.finishers.length > 0) await callAll(running.finishers, running);
  if (after.length > 0) await callAll(after, running);
  if (running.last.length > 0) await callAll(running.last, running);
  if (exports.hasRejections()) await breathe();
}
exports.hasRejections = () => false;

const plural = (n) => (n === 1 ? "assertion" : "assertions");

function checkExpected(running) {
  if (running.errors > 0) return;
  const { expected, expects } = running;
  if (expected !== undefined && expected !== expects) {
    running.errors++;
    if (!running.isQuiet) report.note(
      `AssertionError: expected ${expected} ${plural(expected)}, ` +
        `but test ended with ${expects} ${plural(expects)}`,
    );
  } else if (running.mustExpect && expects === 0) {
    running.errors++;
    if (!running.isQuiet) report.note(
      "AssertionError: received 0 assertions, " +
        "but expected at least one assertion to be called",
    );
  }
}

/** Can the test run without a single wait? Then it does: the common case, made short. */
function isSimple(test) {
  const { flags } = test;
  return !flags.failing && !flags.todo && test.retry === 0 && test.repeats === 0 &&
    hooksOf(test.parent, "beforeEach").length === 0 &&
    hooksOf(test.parent, "afterEach").length === 0;
}

function outcome(test, running, started, attempts) {
  running.isOver = true;
  const ms = state.now() - started;
  let result = running.errors === 0 ? "pass" : "fail";
  let note;
  if (running.isTimedOut) note = { timeout: running.timeoutMs };
  if (test.flags.failing) {
    result = result === "pass" ? "fail" : "pass";
    note = result === "fail" ? { failing: true } : undefined;
  } else if (test.flags.todo) {
    if (result === "pass") note = { todo: true };
    result = result === "pass" ? "fail" : "todo";
  }
  const { messages, expects } = running;
  report.result(test, result, ms, { ...note, attempts, messages, expects });
  return result;
}

function runSimple(test) {
  const started = state.now();
  const running = new Running(test);
  state.running = running;
  const waiting = call(test.fn, test.args, running, test.timeout);
  if (waiting !== undefined || running.finishers.length > 0 || running.last.length > 0 ||
    exports.hasRejections()) {
    return finishSimple(test, running, started, waiting);
  }
  checkExpected(running);
  outcome(test, running, started, 1);
  state.running = undefined;
  return undefined;
}

async function finishSimple(test, running, started, waiting) {
  if (waiting !== undefined) await waiting;
  if (exports.hasRejections()) await breathe();
  checkExpected(running);
  if (running.finishers.length > 0) await callAll(running.finishers, running);
  if (running.last.length > 0) await callAll(running.last, running);
  outcome(test, running, started, 1);
  if (state.running === running) state.running = undefined;
}

async function runFull(test) {
  const started = state.now();
  let running;
  let attempts = 0;
  const isRepeated = test.repeats > 0;
  const most = isRepeated ? test.repeats + 1 : test.retry + 1;
  do {
    if (attempts++ > 0 && !isRepeated) counts.expects -= running.expects;
    running = new Running(test);
    running.isQuiet = Boolean(test.flags.failing);
    state.running = running;
    await attempt(test, running);
  } while (attempts < most && (running.errors > 0) !== isRepeated);
  outcome(test, running, started, isRepeated ? 1 : attempts);
  if (state.running === running) state.running = undefined;
}

/** A promise, or undefined when the test is over. */
function runTest(test) {
  const { flags } = test;
  if (!test.isWanted) return undefined;
  const isTodo = test.isTodo && !(state.options.todo && typeof test.fn === "function");
  if (test.isSkipped || isTodo) {
    report.result(test, isTodo ? "todo" : "skip", 0, {});
    return undefined;
  }
  if (test.isTodo && !flags.todo) test.flags = { ...flags, todo: true };
  return isSimple(test) ? runSimple(test) : runFull(test);
}

// ---- Scopes ----

/**
 * Decides which tests run. Returns how many are wanted; scope.toRun: how many of them really run.
 */
function select(scope, only, inherited) {
  scope.toRun = 0;
  let n = 0;
  const flags = {
    skip: inherited.skip || scope.flags.skip,
    todo: inherited.todo || scope.flags.todo,
    only: inherited.only || scope.flags.only,
    concurrent: scope.flags.serial ? false : inherited.concurrent || scope.flags.concurrent,
    failing: inherited.failing || scope.flags.failing,
  };
  // An inner only narrows what an outer one has chosen.
  const isNarrowed = scope.flags.only && scope.children.some((c) => c.hasOnly || c.flags.only);
  if (isNarrowed) flags.only = false;
  for (const child of scope.children) {
    if (child instanceof Scope) {
      n += select(child, only, flags);
      scope.toRun += child.toRun;
      continue;
    }
    n += selectTest(child, only, flags, scope);
  }
  return n;
}

function selectTest(test, only, flags, scope) {
  const { pattern } = state.options;
  test.isWanted = (!only || flags.only || Boolean(test.flags.only)) &&
    (pattern === undefined || pattern.test(state.nameOf(test)));
  test.isSkipped = Boolean(flags.skip || test.flags.skip);
  test.isTodo = Boolean(!test.isSkipped && (flags.todo || test.flags.todo));
  test.isConcurrent = Boolean(!test.flags.serial && (flags.concurrent || test.flags.concurrent));
  if (flags.failing && !test.flags.failing) test.flags = { ...test.flags, failing: true };
  if (!test.isWanted) {
    counts.filtered = (counts.filtered ?? 0) + 1;
    return 0;
  }
  const runs = !test.isSkipped && (!test.isTodo || (state.options.todo && test.fn !== undefined));
  if (runs) scope.toRun++;
  return 1;
}

/** beforeAll or afterAll of a scope; false: one has failed, which is reported as a test. */
async function runScopeHooks(scope, name) {
  const hooks = scope[name];
  if (hooks.length === 0) return true;
  const started = state.now();
  const running = new Running({ name: "(unnamed)", parent: scope, flags: {} });
  state.running = running;
  for (let i = 0; i < hooks.length; i++) {
    const waiting = call(hooks[i].fn, undefined, running, hooks[i].timeout);
    if (waiting !== undefined) await waiting;
    if (running.errors > 0 && name === "beforeAll") break;
  }
  if (exports.hasRejections()) await breathe();
  running.isOver = true;
  state.running = undefined;
  if (running.errors === 0) return true;
  const note = running.isTimedOut ? { timeout: running.timeoutMs } : {};
  note.messages = running.messages;
  report.result(running.test, "fail", state.now() - started, note);
  return false;
}

function shuffle(list) {
  const { random } = state.options;
  for (let i = list.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [list[i], list[k]] = [list[k], list[i]];
  }
}

/** Tests that stand side by side and may run at the same time. */
async function runTogether(tests) {
  let next = 0;
  const lane = async () => {
    while (next < tests.length && !report.isBailing()) {
      const waiting = runTest(tests[next++]);
      if (waiting !== undefined) await waiting;
    }
  };
  const { maxConcurrency = 20 } = state.options;
  const lanes = Math.min(tests.length, maxConcurrency > 0 ? maxConcurrency : 20);
  state.concurrent = lanes;
  await Promise.all(Array.from({ length: lanes }, lane));
  state.concurrent = 0;
}

async function runChildren(scope) {
  const { children } = scope;
  if (state.options.randomize) shuffle(children);
  for (let i = 0; i < children.length && !report.isBailing(); i++) {
    const child = children[i];
    let waiting;
    if (child instanceof Scope) waiting = runScope(child);
    else if (child.isConcurrent && child.isWanted) {
      const from = i;
      while (children[i + 1]?.isConcurrent) i++;
      waiting = runTogether(children.slice(from, i + 1));
    } else waiting = runTest(child);
    if (waiting !== undefined) await waiting;
  }
}

async function runScope(scope) {
  const isActive = scope.toRun > 0 || scope.children.length === 0;
  const ok = !isActive || (await runScopeHooks(scope, "beforeAll"));
  if (ok) await runChildren(scope);
  if (isActive) await runScopeHooks(scope, "afterAll");
}

const hasTests = (scope) =>
  scope.children.some((child) => !(child instanceof Scope) || hasTests(child));

/** Runs the tests of a file; the number of those that were wanted. */
exports.runFile = async function runFile(scope) {
  const only = scope.hasOnly || Boolean(state.options.only);
  const n = select(scope, only, { concurrent: state.options.concurrent });
  if (n > 0 || !hasTests(scope)) await runScope(scope);
  return n;
};
Object.assign(exports, { runScopeHooks, shuffle });
