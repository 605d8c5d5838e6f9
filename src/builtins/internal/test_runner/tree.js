// internal/test_runner/tree -- describe, test and the hooks: they build the tree that execute.js
// runs.
const state = require("internal/test_runner/state");

class Scope {
  constructor(name, parent, flags) {
    this.name = name;
    this.parent = parent;
    this.flags = flags;
    this.children = [];
    this.queue = []; // scopes inside it whose functions have not been called
    this.fn = undefined;
    this.args = undefined;
    this.beforeAll = [];
    this.beforeEach = [];
    this.afterEach = [];
    this.afterAll = [];
    this.hasOnly = false;
  }
}

class Test {
  constructor(name, parent, flags, fn, options) {
    this.name = name;
    this.parent = parent;
    this.flags = flags;
    this.fn = fn;
    this.timeout = options.timeout;
    this.retry = options.retry ?? state.options.retry ?? 0;
    this.repeats = options.repeats ?? 0;
    this.args = undefined;
    this.line = undefined;
  }
}

/** The scope that describe, test and hooks add to. */
let scope = new Scope("", null, {});
exports.root = scope; // of preloaded files: its hooks count for every file
let isCollecting = true;

exports.begin = (name, parent) => {
  scope = new Scope(name, parent, {});
  isCollecting = true;
  return scope;
};
exports.end = () => {
  isCollecting = false;
};

function cannotNest(what) {
  throw new Error(`Cannot call ${what} inside a test. Call it inside describe() instead.`);
}

const nameOf = (label) => {
  if (typeof label === "function") return label.name;
  if (typeof label === "object" && label !== null && typeof label.name === "string") {
    return label.name;
  }
  return `${label}`;
};

// ---- describe and test with their modifiers ----

/** Options may stand in front of the function or behind it. */
function argumentsOf(kind, a, b) {
  let fn = a;
  let options = b;
  if (typeof a !== "function" && typeof b === "function") [fn, options] = [b, a];
  if (typeof options === "number") options = { timeout: options };
  if (options !== undefined && (typeof options !== "object" || options === null)) {
    throw new TypeError(`${kind}() expects options to be a number or object`);
  }
  if (options?.retry !== undefined && options.repeats !== undefined) {
    throw new TypeError(`${kind}(): Cannot set both retry and repeats`);
  }
  return [fn, options ?? {}];
}

function markOnly(from) {
  if (state.options.isCi) {
    throw new Error(
      ".only is disabled in CI environments to prevent accidentally skipping tests. " +
        "To override, set the environment variable CI=false.",
    );
  }
  for (let s = from; s !== null; s = s.parent) s.hasOnly = true;
}

const NO_OPTIONS = {};

function addTest(flags, label, a, b, args) {
  if (!isCollecting) cannotNest("test()");
  let fn = a;
  let options = NO_OPTIONS;
  if (typeof label !== "string" || typeof a !== "function" || b !== undefined) {
    [fn, options] = argumentsOf("test", a, b);
    if (typeof label === "function" && fn === undefined) [label, fn] = ["", label];
    if (typeof fn !== "function" && !flags.skip && !flags.todo) {
      throw new TypeError("test() expects second argument to be a function");
    }
    label = nameOf(label);
  }
  const test = new Test(label, scope, flags, fn, options);
  test.args = args;
  if (state.options.needsLines) test.line = require("internal/test_runner/place").lineOfCaller();
  if (flags.only) markOnly(scope);
  scope.children.push(test);
}

function addScope(flags, label, a, b, args) {
  if (!isCollecting) cannotNest("describe()");
  let [fn] = argumentsOf("describe", a, b);
  if (typeof label === "function" && fn === undefined) [label, fn] = ["", label];
  const inner = new Scope(nameOf(label), scope, flags);
  if (flags.only) markOnly(inner);
  scope.children.push(inner);
  if (typeof fn !== "function") {
    if (flags.skip || flags.todo) return;
    throw new TypeError("describe() expects second argument to be a function");
  }
  inner.fn = fn;
  inner.args = args;
  scope.queue.push(inner);
}

const isThenable = (value) =>
  value !== null && typeof value === "object" && typeof value.then === "function";

/**
 * Calls what describe() was given, in the order of the file, each when the one around it is done:
 * so a function may wait before it goes on. A scope whose function fails has no tests.
 */
exports.collect = function* collect(lane, outer) {
  for (const inner of outer.queue) {
    scope = inner;
    try {
      const result = inner.args === undefined ? inner.fn() : inner.fn(...inner.args);
      if (isThenable(result)) {
        lane.limit(undefined, 0);
        yield result;
      }
    } catch (error) {
      require("internal/test_runner/report").betweenTests(error);
      inner.children = [];
      continue;
    }
    if (inner.queue.length > 0) yield lane.enter(collect(lane, inner));
  }
  outer.queue = [];
};

function makeEach(add, flags) {
  return function each(table, ...values) {
    const { formatTitle, tableRows } = require("internal/test_runner/title");
    const rows = table?.raw !== undefined ? tableRows(table, values) : table;
    if (rows === null || typeof rows !== "object" || typeof rows[Symbol.iterator] !== "function") {
      throw new TypeError("Expected array in each()");
    }
    return (title, a, b) => {
      let index = 0;
      for (const row of rows) {
        const args = Array.isArray(row) ? row : [row];
        const label = typeof title === "string" ? formatTitle(title, args, index) : title;
        index++;
        add(flags, label, a, b, args);
      }
    };
  };
}

const switches = ["only", "skip", "todo", "failing", "concurrent", "serial"];
const without = { concurrent: "serial", serial: "concurrent", skip: "todo", todo: "skip" };
const conditions = {
  __proto__: null,
  if: [false, "skip"],
  runIf: [false, "skip"],
  skipIf: [true, "skip"],
  todoIf: [true, "todo"],
  failingIf: [true, "failing"],
  concurrentIf: [true, "concurrent"],
  serialIf: [true, "serial"],
};

const made = new Map(); // flags as text -> function
const kFlags = Symbol("flags");

/** What `test` and `describe` have: their modifiers. */
function modifiersOf(kind) {
  const add = kind === "test" ? addTest : addScope;
  const proto = Object.create(Function.prototype);
  const having = (fn, name) =>
    make(kind, { ...fn[kFlags], [without[name]]: undefined, [name]: true }, proto);
  for (const name of switches) {
    Object.defineProperty(proto, name, {
      get() {
        return having(this, name);
      },
      configurable: true,
    });
  }
  for (const name of Object.keys(conditions)) {
    const [when, effect] = conditions[name];
    const get = function () {
      return (condition) => (Boolean(condition) === when ? having(this, effect) : this);
    };
    Object.defineProperty(proto, name, { get, configurable: true });
  }
  Object.defineProperty(proto, "each", {
    get() {
      return makeEach(add, this[kFlags]);
    },
    configurable: true,
  });
  return proto;
}

/** `test` or `describe` with some modifiers. */
function make(kind, flags, proto) {
  const key = `${kind} ${switches.filter((name) => flags[name]).join(" ")}`;
  let fn = made.get(key);
  if (fn !== undefined) return fn;
  const add = kind === "test" ? addTest : addScope;
  fn = (label, a, b) => add(flags, label, a, b, undefined);
  made.set(key, fn);
  fn[kFlags] = flags;
  Object.defineProperty(fn, "name", { value: kind });
  return Object.setPrototypeOf(fn, proto);
}

const ofTest = modifiersOf("test");
const ofDescribe = modifiersOf("describe");
exports.test = make("test", {}, ofTest);
exports.describe = make("describe", {}, ofDescribe);
exports.xtest = make("test", { skip: true }, ofTest);
exports.xdescribe = make("describe", { skip: true }, ofDescribe);

// ---- Hooks ----

function makeHook(name) {
  const hook = function (fn, options) {
    if (typeof fn !== "function") {
      throw new TypeError(`${name}() expects first argument to be a function`);
    }
    if (typeof options === "number") options = { timeout: options };
    const entry = { fn, timeout: options?.timeout };
    if (isCollecting) {
      scope[name].push(entry);
      return;
    }
    const { running } = state;
    if (running === undefined || (name !== "afterEach" && name !== "afterAll")) {
      cannotNest(`${name}()`);
    }
    if (name === "afterEach") (running.finishers ??= []).unshift(entry);
    else running.test.parent.afterAll.push(entry);
  };
  Object.defineProperty(hook, "name", { value: name });
  return hook;
}

for (const name of ["beforeAll", "beforeEach", "afterEach", "afterAll"]) {
  exports[name] = makeHook(name);
}

exports.onTestFinished = function onTestFinished(fn, options) {
  if (typeof fn !== "function") {
    throw new TypeError("onTestFinished() expects first argument to be a function");
  }
  if (state.running?.test === undefined) {
    throw new Error("Cannot call onTestFinished() outside of a test");
  }
  if (state.concurrent > 1) {
    throw new Error("Cannot call onTestFinished() here. It cannot be called in concurrent tests.");
  }
  const timeout = typeof options === "number" ? options : options?.timeout;
  (state.running.last ??= []).push({ fn, timeout });
};

exports.setDefaultTimeout = function setDefaultTimeout(ms) {
  if (typeof ms !== "number" || !(ms >= 0)) {
    throw new TypeError("setDefaultTimeout() expects a number (milliseconds)");
  }
  state.defaultTimeout = ms;
};
Object.assign(exports, { Scope, Test });
