// internal/node_test/mock -- MockTracker and the functions that it makes (Node: test, "Mocking").
const errors = require("internal/errors");
const {
  validateBoolean, validateFunction, validateInteger, validateObject, validateString,
} = require("internal/validators");

const kProps = new WeakMap(); // mock function -> MockFunctionContext

class MockFunctionContext {
  #calls = [];
  #implementation;
  #once = new Map();
  #restore;

  constructor(implementation, restore, times) {
    this.#implementation = implementation;
    this.#restore = restore;
    this.times = times;
    Object.defineProperty(this, "times", { enumerable: false });
  }

  get calls() {
    return this.#calls.slice();
  }

  callCount() {
    return this.#calls.length;
  }

  mockImplementation(implementation) {
    validateFunction(implementation, "implementation");
    this.#implementation = implementation;
  }

  mockImplementationOnce(implementation, onCall) {
    validateFunction(implementation, "implementation");
    const next = this.#calls.length;
    const call = onCall ?? next;
    validateInteger(call, "onCall", next);
    this.#once.set(call, implementation);
  }

  restore() {
    this.#restore?.(this);
  }

  resetCalls() {
    this.#calls = [];
  }

  /** What the next call does. */
  static next(context, original) {
    const n = context.#calls.length;
    const once = context.#once.get(n);
    context.#once.delete(n);
    if (once !== undefined) return once;
    return n >= context.times ? original : context.#implementation;
  }

  static record(context, call) {
    context.#calls.push(call);
  }

  static use(context, implementation) {
    context.#implementation = implementation;
  }
}
const { next, record, use } = MockFunctionContext;
for (const name of ["next", "record", "use"]) delete MockFunctionContext[name];

function makeMock(original, implementation, restore, times) {
  const context = new MockFunctionContext(implementation, restore, times);
  const mock = new Proxy(original, {
    __proto__: null,
    apply(target, self, args) {
      return call(context, original, { self, args, target: undefined });
    },
    construct(target, args, newTarget) {
      const real = newTarget === mock ? original : newTarget;
      return call(context, original, { self: undefined, args, target: real });
    },
    get(target, key, receiver) {
      return key === "mock" ? context : Reflect.get(target, key, receiver);
    },
  });
  kProps.set(mock, context);
  return mock;
}

function call(context, original, { self, args, target }) {
  const fn = next(context, original);
  const entry = { arguments: args, error: undefined, result: undefined, stack: new Error() };
  entry.target = target;
  entry.this = self;
  try {
    entry.result =
      target === undefined ? Reflect.apply(fn, self, args) : Reflect.construct(fn, args, target);
    if (target !== undefined) entry.this = entry.result;
    return entry.result;
  } catch (error) {
    entry.error = error;
    throw error;
  } finally {
    record(context, entry);
  }
}

/** (original?, implementation?, options?) */
function readArguments(original, implementation, options) {
  if (original !== null && typeof original === "object") {
    [options, original] = [original, undefined];
  } else if (implementation !== null && typeof implementation === "object") {
    [options, implementation] = [implementation, original];
  }
  original ??= function () {};
  implementation ??= original;
  options ??= {};
  validateFunction(original, "original");
  validateFunction(implementation, "implementation");
  validateObject(options, "options");
  const { times = Infinity } = options;
  if (times !== Infinity) validateInteger(times, "options.times", 1);
  return { original, implementation, options, times };
}

function findDescriptor(object, name) {
  for (let o = object; o !== null; o = Object.getPrototypeOf(o)) {
    const found = Object.getOwnPropertyDescriptor(o, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

class MockTracker {
  #mocks = [];
  #timers;

  get timers() {
    this.#timers ??= new (require("internal/node_test/clock").MockTimers)();
    return this.#timers;
  }

  fn(...args) {
    const { original, implementation, times } = readArguments(...args);
    const mock = makeMock(original, implementation, (context) => use(context, original), times);
    this.#mocks.push(mock.mock);
    return mock;
  }

  method(object, name, implementation, options) {
    if ((typeof object !== "object" && typeof object !== "function") || object === null) {
      throw new errors.ERR_INVALID_ARG_TYPE("object", ["Object", "Function"], object);
    }
    if (typeof name !== "symbol") validateString(name, "methodName");
    if (typeof implementation === "object" && implementation !== null) {
      [options, implementation] = [implementation, undefined];
    }
    options ??= {};
    validateObject(options, "options");
    const { getter = false, setter = false, times = Infinity } = options;
    validateBoolean(getter, "options.getter");
    validateBoolean(setter, "options.setter");
    if (getter && setter) {
      throw new errors.ERR_INVALID_ARG_VALUE(
        "options.setter", setter, "cannot be used with 'options.getter'",
      );
    }
    const found = findDescriptor(object, name);
    const slot = getter ? "get" : setter ? "set" : "value";
    const original = found?.[slot];
    if (typeof original !== "function") {
      throw new errors.ERR_INVALID_ARG_VALUE("methodName", original, "must be a method");
    }
    return this.#replace(object, name, { found, slot, original, implementation, times });
  }

  #replace(object, name, { found, slot, original, implementation, times }) {
    const hadOwn = Object.hasOwn(object, name);
    const restore = () => {
      if (hadOwn) Object.defineProperty(object, name, found);
      else delete object[name];
    };
    const mock = makeMock(original, implementation ?? original, restore, times);
    Object.defineProperty(object, name, { ...found, configurable: true, [slot]: mock });
    this.#mocks.push(mock.mock);
    return mock;
  }

  getter(object, name, implementation, options) {
    if (typeof implementation === "object") [options, implementation] = [implementation];
    return this.method(object, name, implementation, { ...options, getter: true });
  }

  setter(object, name, implementation, options) {
    if (typeof implementation === "object") [options, implementation] = [implementation];
    return this.method(object, name, implementation, { ...options, setter: true });
  }

  property() {
    throw errors.notImplemented("mock.property");
  }

  module() {
    throw errors.notImplemented("mock.module");
  }

  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#mocks = [];
  }

  restoreAll() {
    for (let i = this.#mocks.length - 1; i >= 0; i--) this.#mocks[i].restore();
  }
}

const trackers = new WeakMap();
exports.MockTracker = MockTracker;
exports.trackerOf = function trackerOf(test) {
  let tracker = trackers.get(test);
  if (tracker === undefined) trackers.set(test, (tracker = new MockTracker()));
  return tracker;
};
/** At the end of a test. */
exports.restoreOf = (test) => trackers.get(test)?.reset();
