// internal/node_test/context -- what the functions of tests, suites and hooks of node:test get.
const errors = require("internal/errors");
const { validateFunction, validateNumber, validateObject, validateUint32 } =
  require("internal/validators");
const runner = require("internal/node_test");

const later = globalThis.setTimeout;
const clearLater = globalThis.clearTimeout;

/** Assertions that programs have added: name -> function. */
const added = new Map();
const NAMES = [
  "deepEqual", "deepStrictEqual", "doesNotMatch", "doesNotReject", "doesNotThrow", "equal", "fail",
  "ifError", "match", "notDeepEqual", "notDeepStrictEqual", "notEqual", "notStrictEqual",
  "partialDeepStrictEqual", "rejects", "strictEqual", "throws",
];

exports.register = function register(name, fn) {
  require("internal/validators").validateString(name, "name");
  validateFunction(fn, "fn");
  added.set(name, fn);
};

function makeAssert(test, context) {
  const assert = require("node:assert");
  const object = { __proto__: null };
  const add = (name, fn, self) => {
    object[name] = function (...args) {
      test.nAsserted++;
      return Reflect.apply(fn, self, args);
    };
  };
  for (const name of NAMES) if (typeof assert[name] === "function") add(name, assert[name], assert);
  add("ok", assert.ok, assert);
  for (const name of ["snapshot", "fileSnapshot"]) {
    add(name, () => {
      throw errors.notImplemented(`t.assert.${name}`);
    });
  }
  for (const { 0: name, 1: fn } of added) add(name, fn, context);
  return object;
}

const TURNS = 5;

/** At the end of a test: waits for assertions that are still to come, then compares. */
exports.settlePlan = async function settlePlan(test) {
  const plan = test.planned;
  if (plan === undefined) return;
  const { count, wait } = plan;
  // In Node some turns pass by themselves between the end of the function and the count.
  for (let i = 0; i < TURNS && test.nAsserted < count; i++) {
    await new Promise((resolve) => void later(resolve, 1));
  }
  if (wait !== undefined && wait !== false) {
    const end = typeof wait === "number" ? performance.now() + wait : Infinity;
    while (test.nAsserted < count && performance.now() < end) {
      await new Promise((resolve) => void later(resolve, 1));
    }
  }
  if (test.nAsserted !== count) {
    throw new Error(`plan expected ${count} assertions but received ${test.nAsserted}`);
  }
};

/** What suites and tests have in common. */
class SuiteContext {
  #test;

  constructor(test) {
    this.#test = test;
  }

  get name() {
    return this.#test.name;
  }

  get fullName() {
    return this.#test.fullName;
  }

  get filePath() {
    return this.#test.filePath;
  }

  get signal() {
    return this.#test.signal;
  }

  get passed() {
    return this.#test.error === null && this.#test.failedBelow === 0;
  }

  get attempt() {
    return 0;
  }

  diagnostic(message) {
    require("internal/node_test/output").diagnostic(this.#test, `${message}`);
  }
}

class TestContext extends SuiteContext {
  #test;
  #assert;
  #mock;

  constructor(test) {
    super(test);
    this.#test = test;
    if (test.options.plan !== undefined) this.plan(test.options.plan);
  }

  get error() {
    return this.#test.error;
  }

  get workerId() {
    return undefined;
  }

  get assert() {
    return (this.#assert ??= makeAssert(this.#test, this));
  }

  get mock() {
    this.#mock ??= require("internal/node_test/mock").trackerOf(this.#test);
    return this.#mock;
  }

  plan(count, options = {}) {
    if (this.#test.planned !== undefined) {
      throw new errors.ERR_TEST_FAILURE("cannot set plan more than once", "testCodeFailure");
    }
    validateUint32(count, "count");
    validateObject(options, "options");
    this.#test.planned = { count, wait: options.wait };
  }

  runOnly() {}

  skip(message) {
    this.#test.isSkipped = true;
    this.#test.message = message;
  }

  todo(message) {
    this.#test.isTodo = true;
    this.#test.message = message;
  }

  test(...args) {
    this.#test.nAsserted++;
    return runner.start(runner.create(this.#test, args, undefined, false));
  }

  before(fn, options) {
    this.#add("before", fn, options);
  }

  after(fn, options) {
    this.#add("after", fn, options);
  }

  beforeEach(fn, options) {
    this.#add("beforeEach", fn, options);
  }

  afterEach(fn, options) {
    this.#add("afterEach", fn, options);
  }

  #add(name, fn = () => {}, options = {}) {
    validateFunction(fn, "fn");
    validateObject(options, "options");
    this.#test.hooks[name].push({ fn, options });
  }

  waitFor(condition, options = {}) {
    validateFunction(condition, "condition");
    validateObject(options, "options");
    const { interval = 50, timeout = 1000 } = options;
    validateNumber(interval, "options.interval", 0, 2 ** 31 - 1);
    validateNumber(timeout, "options.timeout", 0, 2 ** 31 - 1);
    return poll(condition, interval, timeout);
  }
}

function poll(condition, interval, timeout) {
  return new Promise((resolve, reject) => {
    let cause;
    let next;
    const end = later(() => {
      clearLater(next);
      reject(new Error("waitFor() timed out", cause === undefined ? undefined : { cause }));
    }, timeout);
    const look = async () => {
      try {
        const result = await condition();
        clearLater(end);
        resolve(result);
      } catch (error) {
        cause = error;
        next = later(look, interval);
      }
    };
    look();
  });
}

exports.contextOf = function contextOf(test) {
  return (test.context ??= test.isSuite && test.parent !== null
    ? new SuiteContext(test)
    : new TestContext(test));
};
