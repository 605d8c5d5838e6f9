// internal/test_mock -- mock functions and spies: mock(), jest.fn(), vi.fn(), spyOn() (Bun:
// docs/test/mocks, and Jest's mock functions).
//
//   timers.js  time that stands still;  module.js  modules that are replaced
const state = require("internal/test_runner/state");

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const all = new Set(); // every mock of this file, for clearAllMocks
const spies = new Set(); // what mock.restore undoes
let order = 0; // of calls, over all mocks

class Records {
  constructor() {
    this.calls = [];
    this.contexts = [];
    this.instances = [];
    this.results = [];
    this.invocationCallOrder = [];
  }

  get lastCall() {
    return this.calls.at(-1);
  }
}

// What a mock does besides being called; kept beside the function.
class Behaviour {
  constructor(fn) {
    this.fn = fn; // the implementation it began with
    this.implementation = fn;
    this.once = [];
    this.records = new Records();
    this.name = undefined;
    this.undo = undefined; // of a spy
  }
}
const behaviours = new WeakMap();

function behaviourOf(mock) {
  const behaviour = behaviours.get(mock);
  if (behaviour === undefined) {
    const error = new TypeError("Expected this to be instanceof Mock");
    error.code = "ERR_INVALID_THIS";
    throw error;
  }
  return behaviour;
}

/** Calls it and writes down what came of it. */
function run(behaviour, self, args, newTarget) {
  const { records } = behaviour;
  const fn = behaviour.once.length > 0 ? behaviour.once.shift() : behaviour.implementation;
  const result = { type: "incomplete", value: undefined };
  records.calls.push(args);
  records.contexts.push(self);
  records.instances.push(self);
  records.results.push(result);
  records.invocationCallOrder.push(++order);
  const at = records.contexts.length - 1;
  try {
    let value;
    if (newTarget !== undefined) {
      value = construct(fn, args, newTarget);
      records.contexts[at] = records.instances[at] = value;
    } else value = fn === undefined ? undefined : Reflect.apply(fn, self, args);
    result.type = "return";
    result.value = value;
    return value;
  } catch (error) {
    result.type = "throw";
    result.value = error;
    throw error;
  }
}

function construct(fn, args, newTarget) {
  if (fn !== undefined) {
    try {
      Reflect.construct(Object, [], fn);
    } catch {
      const object = Object.create(newTarget.prototype ?? Object.prototype);
      const value = Reflect.apply(fn, object, args);
      return (typeof value === "object" && value !== null) || typeof value === "function"
        ? value
        : object;
    }
    const isClass = /^class\b/.test(Function.prototype.toString.call(fn));
    if (isClass) return Reflect.construct(fn, args);
    return Reflect.construct(fn, args, newTarget);
  }
  return Object.create(newTarget.prototype ?? Object.prototype);
}

function set(mock, fn) {
  behaviourOf(mock).implementation = fn;
  return mock;
}
function setOnce(mock, fn) {
  behaviourOf(mock).once.push(fn);
  return mock;
}

const methods = {
  getMockImplementation() {
    return behaviourOf(this).implementation;
  },
  getMockName() {
    return behaviourOf(this).name ?? this.name;
  },
  mockClear() {
    behaviourOf(this).records = new Records();
    return this;
  },
  mockReset() {
    const behaviour = behaviourOf(this);
    behaviour.records = new Records();
    behaviour.once = [];
    behaviour.implementation = behaviour.undo === undefined ? undefined : behaviour.fn;
    return this;
  },
  mockRestore() {
    const behaviour = behaviourOf(this);
    this.mockReset();
    behaviour.implementation = behaviour.undo === undefined ? undefined : behaviour.fn;
    behaviour.undo?.();
    spies.delete(this);
    return undefined;
  },
  mockImplementation(fn) {
    behaviourOf(this).implementation = fn;
    return this;
  },
  mockImplementationOnce(fn) {
    behaviourOf(this).once.push(fn);
    return this;
  },
  withImplementation(fn, callback) {
    const behaviour = behaviourOf(this);
    const { implementation, once } = behaviour;
    behaviour.implementation = fn;
    behaviour.once = [];
    const restore = () => {
      behaviour.implementation = implementation;
      behaviour.once = once;
    };
    let result;
    try {
      result = callback();
    } catch (error) {
      restore();
      throw error;
    }
    if (typeof result?.then === "function") {
      return result.then((value) => (restore(), value), (error) => {
        restore();
        throw error;
      });
    }
    restore();
    return undefined;
  },
  mockName(name) {
    const behaviour = behaviourOf(this);
    if (`${name}` === "") return this;
    behaviour.name = `${name}`;
    defineProperty(this, "name", { value: behaviour.name, configurable: true });
    return this;
  },
  mockReturnThis() {
    return set(this, function () {
      return this;
    });
  },
  mockReturnValue(value) {
    return set(this, () => value);
  },
  mockReturnValueOnce(value) {
    return setOnce(this, () => value);
  },
  mockResolvedValue(value) {
    return set(this, () => Promise.resolve(value));
  },
  mockResolvedValueOnce(value) {
    return setOnce(this, () => Promise.resolve(value));
  },
  mockRejectedValue(value) {
    return set(this, () => Promise.reject(value));
  },
  mockRejectedValueOnce(value) {
    return setOnce(this, () => Promise.reject(value));
  },
};
methods.mockThrow = function mockThrow(value) {
  return set(this, () => {
    throw value;
  });
};
const prototype = Object.create(Function.prototype);
for (const name of Object.keys(methods)) {
  defineProperty(prototype, name, { value: methods[name], writable: true, configurable: true });
}
defineProperty(prototype, "mock", {
  get() {
    return behaviourOf(this).records;
  },
  set(records) {
    behaviourOf(this).records = records;
  },
  configurable: true,
});
defineProperty(prototype, "_isMockFunction", { value: true });
defineProperty(prototype, Symbol.dispose, { value: methods.mockRestore });

/** The name of a function, when it has one that is text. */
function nameOf(fn) {
  try {
    return typeof fn === "function" && typeof fn.name === "string" ? fn.name : "";
  } catch {
    return "";
  }
}

/** A mock function around `fn`, or around nothing. */
function makeMock(fn) {
  const behaviour = new Behaviour(fn);
  const mock = function (...args) {
    return run(behaviour, this, args, new.target);
  };
  Object.setPrototypeOf(mock, prototype);
  behaviours.set(mock, behaviour);
  const name = nameOf(fn) || "mockConstructor";
  defineProperty(mock, "name", { value: name, configurable: true });
  defineProperty(mock, "length", { value: fn?.length ?? 0, configurable: true });
  if (typeof fn === "function" && fn.prototype !== undefined) mock.prototype = fn.prototype;
  all.add(mock);
  return mock;
}

function mock(value) {
  if (value === undefined || typeof value === "function") return makeMock(value);
  return makeMock(() => value);
}

const isMock = (value) => typeof value === "function" && behaviours.has(value);

// ---- Spies ----

function findDescriptor(object, key) {
  for (let o = object; o !== null && o !== undefined; o = getPrototypeOf(o)) {
    const own = getOwnPropertyDescriptor(o, key);
    if (own !== undefined) return { own, isOwn: o === object };
  }
  return undefined;
}

/** Puts a property in place; returns what puts it back. */
function replace(object, key, descriptor, found) {
  const before = found?.isOwn ? found.own : undefined;
  defineProperty(object, key, { ...descriptor, configurable: true });
  return () => {
    if (before === undefined) delete object[key];
    else defineProperty(object, key, before);
  };
}

function spyOnAccessor(object, key, accessType, found) {
  const original = found?.own[accessType];
  if (typeof original !== "function") {
    throw new Error(`spyOn(target, prop): ${String(key)} does not have access type ${accessType}`);
  }
  const spy = makeMock(original);
  const { own } = found;
  const descriptor = { get: own.get, set: own.set, enumerable: own.enumerable, [accessType]: spy };
  behaviours.get(spy).undo = replace(object, key, descriptor, found);
  spies.add(spy);
  return spy;
}

function spyOn(object, key, accessType) {
  if ((typeof object !== "object" && typeof object !== "function") || object === null) {
    throw new TypeError("spyOn(target, prop) expects a target object");
  }
  const found = findDescriptor(object, key);
  if (accessType !== undefined) return spyOnAccessor(object, key, accessType, found);
  if (found === undefined) {
    throw new TypeError(`spyOn(target, prop) target.${String(key)} does not exist`);
  }
  const value = found.own.get === undefined ? found.own.value : object[key];
  if (isMock(value) && spies.has(value)) return value;
  if (typeof value !== "function") return spyOnValue(object, key, value, found);
  const spy = makeMock(value);
  const descriptor = { value: spy, writable: true, enumerable: found.own.enumerable };
  const isNamespace = object[Symbol.toStringTag] === "Module";
  const given = isNamespace
    ? require("internal/test_mock/module").replaceExport(object, key, spy)
    : undefined;
  behaviours.get(spy).undo = given ?? replace(object, key, descriptor, found);
  for (const name of Object.keys(value)) spy[name] = value[name];
  spies.add(spy);
  return spy;
}

/** Reads of a value are calls of the spy. */
function spyOnValue(object, key, value, found) {
  let current = value;
  const spy = makeMock(() => current);
  const undo = replace(object, key, {
    get: () => spy(),
    set: (next) => {
      current = next;
    },
    enumerable: found.own.enumerable,
  }, found);
  behaviours.get(spy).undo = undo;
  spies.add(spy);
  return spy;
}

/** Jest: a value in the place of a property, until it is restored. */
function replaceProperty(object, key, value) {
  if ((typeof object !== "object" && typeof object !== "function") || object === null) {
    throw new TypeError(`Cannot use replaceProperty on a primitive value; ${typeof object} given`);
  }
  const found = findDescriptor(object, key);
  const refuse = (Class, why) => {
    throw new Class(`Cannot replace the property \`${String(key)}\` because it ${why}`);
  };
  if (found === undefined) refuse(Error, "does not exist in the object");
  if (found.own.get !== undefined || found.own.set !== undefined) {
    refuse(Error, "is an accessor. Use spyOn with an access type instead.");
  }
  if (typeof found.own.value === "function") refuse(TypeError, "is a function. Use spyOn instead.");
  const before = { ...found.own, value: found.own.value };
  const replaced = {
    mockRestore() {
      undo();
      spies.delete(replaced);
    },
    restore: () => replaced.mockRestore(),
    replaceValue(next) {
      object[key] = next;
      return replaced;
    },
  };
  const undo = replace(object, key, { ...before, value }, found);
  spies.add(replaced);
  return replaced;
}

// ---- All of them ----

function clearAllMocks() {
  for (const one of all) one.mockClear();
}
function resetAllMocks() {
  for (const one of all) one.mockReset();
}
function restoreAllMocks() {
  for (const one of [...spies].reverse()) one.mockRestore();
}

const mockModule = (id, factory) => require("internal/test_mock/module").mockModule(id, factory);
mock.module = mockModule;
mock.restore = restoreAllMocks;
mock.clearAllMocks = clearAllMocks;

/** What jest and vi have in common; vi and jest return themselves, as their callers chain. */
const functions = {
  fn: mock,
  mock(id, factory) {
    return require("internal/test_mock/module").mockAny(id, factory) ?? this;
  },
  spyOn,
  replaceProperty,
  isMockFunction: isMock,
  restoreAllMocks() {
    restoreAllMocks();
    return this;
  },
  clearAllMocks() {
    clearAllMocks();
    return this;
  },
  resetAllMocks() {
    resetAllMocks();
    return this;
  },
  unmock(id) {
    require("internal/test_mock/module").unmock(id);
    return this;
  },
  /** Modules are loaded anew when they are imported or required the next time. */
  resetModules() {
    state.native.forgetModules(false);
    state.native.loaded("internal/cjs")?.forget(state.keptModules);
    return this;
  },
  doMock(id, factory) {
    return require("internal/test_mock/module").mockAny(id, factory) ?? this;
  },
  requireActual: (id) => require("internal/test_mock/module").actual(id),
};
functions.dontMock = functions.doUnmock = functions.deepUnmock = functions.unmock;

function setSystemTime(now) {
  require("internal/test_mock/timers").setSystemTime(now);
}

/** Between files nothing is left of them. */
state.mock = {
  afterFile() {
    restoreAllMocks();
    all.clear();
    const timers = state.fakeTimers;
    if (timers !== undefined) timers.afterFile();
    const modules = state.mockedModules;
    if (modules !== undefined) modules.afterFile();
    if (state.stubs !== undefined) state.stubs.afterFile();
  },
};

Object.assign(exports, { mock, spyOn, setSystemTime, functions, isMock });
