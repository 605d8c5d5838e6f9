// internal/test_runner/execute -- runs the tree of one file: hooks, tests, timeouts, retries. All
// are steps of a lane (lane.js).
const state = require("internal/test_runner/state");
const report = require("internal/test_runner/report");
const { Scope } = require("internal/test_runner/tree");
const { Lane, start } = require("internal/test_runner/lane");
const { counts } = state;

/** What is known of a test or hook while it runs. */
class Running {
  constructor(test, lane) {
    this.test = test;
    this.lane = lane;
    this.errors = 0;
    this.expects = 0;
    this.expected = undefined; // expect.assertions
    this.mustExpect = false; // expect.hasAssertions
    this.finishers = undefined; // afterEach called inside the test
    this.last = undefined; // onTestFinished
    this.isTimedOut = false;
    this.isOver = false;
    this.isSkipped = false; // by the skip() of its context
    this.isQuiet = false; // failing tests: errors are not shown
    this.timeoutMs = 0;
    this.messages = undefined; // for reports
  }

  fail(error) {
    if (this.isSkipped && error instanceof context().Skipped) return;
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
    if (running.lane.running === running) running.lane.interrupt();
    return true;
  }
  report.betweenTests(error);
  return true;
};

const isThenable = (value) =>
  value !== null && typeof value === "object" && typeof value.then === "function";

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

const context = () => require("internal/test_runner/context");

/** Calls a test or hook; a promise when it has to be waited for, with a time limit. */
function call(fn, args, running, timeout) {
  const wanted = args === undefined ? 0 : args.length;
  const ms = timeout ?? state.defaultTimeout;
  let result;
  const isCalledBack = fn.length > wanted;
  const takesContext = isCalledBack && wanted === 0 && context().isTaken(fn);
  if (state.concurrent > 0) fn = boundTo(running, fn);
  try {
    if (takesContext) {
      result = state.native.call(ms, fn, (running.context ??= context().make(running)));
    } else if (isCalledBack) {
      result = state.native.call(ms, callWithDone, fn, args ?? []);
    } else if (args === undefined) result = state.native.call(ms, fn);
    else result = state.native.call(ms, fn, ...args);
  } catch (error) {
    running.fail(error);
    return undefined;
  }
  if (!isThenable(result)) {
    if (result === state.kInterrupted) timeOut(running, ms);
    return undefined;
  }
  running.lane.limit(running, ms);
  return result;
}

function timeOut(running, ms) {
  running.isTimedOut = true;
  running.timeoutMs = ms;
  running.errors++;
}

function* callHook(hook, running) {
  const waiting = call(hook.fn, undefined, running, hook.timeout);
  if (waiting === undefined) return;
  try {
    yield waiting;
  } catch (error) {
    running.fail(error);
  }
}

function* callAll(hooks, running) {
  for (let i = 0; i < hooks.length; i++) yield running.lane.enter(callHook(hooks[i], running));
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

const plural = (n) => (n === 1 ? "assertion" : "assertions");

function checkExpected(running) {
  if (running.errors > 0 || running.isSkipped) return;
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

/**
 * Rejections without handlers are reported in the next turn: against the test that runs. What a
 * function that has not waited leaves to microtasks is done first; of several tests that run none
 * may overtake another.
 */
const hasRejections = () => state.native.settle(state.concurrent === 0);

/** What follows the test's function, when there is any of it. */
function* finish(running) {
  const { lane } = running;
  if (running.finishers !== undefined) yield lane.enter(callAll(running.finishers, running));
  const after = hooksOf(running.test.parent, "afterEach");
  if (after.length > 0) yield lane.enter(callAll(after, running));
  if (running.last !== undefined) yield lane.enter(callAll(running.last, running));
  if (hasRejections()) yield state.nextTurn();
}

/** Once through beforeEach, the test, afterEach, onTestFinished. */
function* attempt(test, running) {
  const { lane } = running;
  const before = hooksOf(test.parent, "beforeEach");
  const isGoing = () => running.errors === 0 && !running.isSkipped;
  for (let i = 0; i < before.length && isGoing(); i++) {
    yield lane.enter(callHook(before[i], running));
  }
  if (isGoing()) {
    const waiting = call(test.fn, test.args, running, test.timeout);
    try {
      if (waiting !== undefined) yield waiting;
    } catch (error) {
      running.fail(error);
    }
  }
  if (hasRejections()) yield state.nextTurn();
  checkExpected(running);
  yield lane.enter(finish(running));
}

function outcome(test, running, started, attempts) {
  running.isOver = true;
  const ms = state.native.now() - started;
  if (test.isPlain && running.errors === 0) {
    const limit = test.timeout ?? state.defaultTimeout;
    if (limit > 0 && ms > limit) timeOut(running, limit);
  }
  if (running.isSkipped && running.errors === 0) {
    report.result(test, "skip", 0, {});
    return;
  }
  if (running.errors === 0 && !test.flags.failing && !test.flags.todo) {
    report.passed(test, ms, attempts, running.expects);
    return;
  }
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
}

function* runFull(lane, test) {
  const started = state.native.now();
  let running;
  let attempts = 0;
  const isRepeated = test.repeats > 0;
  const most = isRepeated ? test.repeats + 1 : test.retry + 1;
  do {
    if (attempts++ > 0 && !isRepeated) counts.expects -= running.expects;
    running = new Running(test, lane);
    running.isQuiet = Boolean(test.flags.failing);
    state.running = running;
    if (state.concurrent === 0) state.native.begun();
    yield lane.enter(attempt(test, running));
  } while (attempts < most && (running.errors > 0) !== isRepeated);
  outcome(test, running, started, isRepeated ? 1 : attempts);
  if (state.running === running) state.running = undefined;
}

function* runTest(lane, test) {
  const { flags } = test;
  if (!test.isWanted) return;
  const isTodo = test.isTodo && !(state.options.todo && typeof test.fn === "function");
  if (test.isSkipped || isTodo) {
    report.result(test, isTodo ? "todo" : "skip", 0, {});
    return;
  }
  if (test.isTodo && !flags.todo) test.flags = { ...flags, todo: true };
  yield lane.enter(runFull(lane, test));
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
  const hasEach = hooksOf(scope, "beforeEach").length + hooksOf(scope, "afterEach").length > 0;
  const { children } = scope;
  for (let i = 0; i < children.length; i++) {
    const child = children[i];
    if (child instanceof Scope) {
      n += select(child, only, flags);
      scope.toRun += child.toRun;
      continue;
    }
    n += selectTest(child, only, flags, scope);
    child.isPlain = !hasEach && isPlain(child);
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
    state.filteredInFile = true;
    return 0;
  }
  const runs = !test.isSkipped && (!test.isTodo || (state.options.todo && test.fn !== undefined));
  if (runs) scope.toRun++;
  return 1;
}

/** Is there nothing about the test but its function? */
const isPlain = (test) => test.isWanted && !test.isSkipped && !test.isTodo && !test.isConcurrent &&
  !test.flags.failing && test.retry === 0 && test.repeats === 0;

/** beforeAll or afterAll of a scope; false: one has failed, which is reported as a test. */
function* runScopeHooks(lane, scope, name) {
  const hooks = scope[name];
  if (hooks.length === 0) return true;
  const started = state.native.now();
  const running = new Running({ name: "(unnamed)", parent: scope, flags: {} }, lane);
  state.running = running;
  for (let i = 0; i < hooks.length; i++) {
    yield lane.enter(callHook(hooks[i], running));
    if (running.errors > 0 && name === "beforeAll") break;
  }
  if (hasRejections()) yield state.nextTurn();
  running.isOver = true;
  state.running = undefined;
  if (running.errors === 0) return true;
  const note = running.isTimedOut ? { timeout: running.timeoutMs } : {};
  note.messages = running.messages;
  report.result(running.test, "fail", state.native.now() - started, note);
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
function* runTogether(tests) {
  let next = 0;
  function* side(lane) {
    while (next < tests.length && !report.isBailing()) {
      yield lane.enter(runTest(lane, tests[next++]));
    }
  }
  const { maxConcurrency = 20 } = state.options;
  const n = Math.min(tests.length, maxConcurrency > 0 ? maxConcurrency : 20);
  state.concurrent = n;
  yield new Promise((resolve) => {
    let left = n;
    const onEnd = () => {
      if (--left === 0) resolve();
    };
    for (let i = 0; i < n; i++) {
      const lane = new Lane(onEnd);
      lane.enter(side(lane));
      start(lane);
    }
  });
  state.concurrent = 0;
}

function* runChildren(lane, scope) {
  const { children } = scope;
  if (state.options.randomize) shuffle(children);
  for (let i = 0; i < children.length && !report.isBailing(); i++) {
    const child = children[i];
    if (child instanceof Scope) yield lane.enter(runScope(lane, child));
    else if (child.isPlain) {
      // The common case: nothing is made but what is needed.
      const started = state.native.now();
      const running = new Running(child, lane);
      state.running = running;
      state.native.begun();
      const waiting = call(child.fn, child.args, running, child.timeout);
      try {
        if (waiting !== undefined) yield waiting;
      } catch (error) {
        running.fail(error);
      }
      if (state.native.settle(waiting === undefined)) yield state.nextTurn();
      checkExpected(running);
      if (running.finishers !== undefined || running.last !== undefined) {
        yield lane.enter(finish(running));
      }
      outcome(child, running, started, 1);
      state.running = undefined;
    } else if (child.isConcurrent && child.isWanted) {
      const from = i;
      while (children[i + 1]?.isConcurrent) i++;
      yield lane.enter(runTogether(children.slice(from, i + 1)));
    } else yield lane.enter(runTest(lane, child));
  }
}

function* runScope(lane, scope) {
  const isActive = scope.toRun > 0 || scope.children.length === 0;
  let ok = true;
  if (isActive && scope.beforeAll.length > 0) {
    ok = yield lane.enter(runScopeHooks(lane, scope, "beforeAll"));
  }
  if (ok) yield lane.enter(runChildren(lane, scope));
  if (isActive && scope.afterAll.length > 0) {
    yield lane.enter(runScopeHooks(lane, scope, "afterAll"));
  }
}

const hasTests = (scope) =>
  scope.children.some((child) => !(child instanceof Scope) || hasTests(child));

/** Runs the tests of a file; the number of those that were wanted. */
exports.runFile = function* runFile(lane, scope) {
  const only = scope.hasOnly || Boolean(state.options.only);
  const n = select(scope, only, { concurrent: state.options.concurrent });
  if (n > 0 || !hasTests(scope)) yield lane.enter(runScope(lane, scope));
  return n;
};
Object.assign(exports, { runScopeHooks, shuffle, hasRejections });
