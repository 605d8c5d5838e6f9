// internal/test_mock/module -- mock.module, jest.mock, vi.mock: modules that are replaced, for
// import and require, also when they are loaded already.
//
// A loaded ES module keeps its identity: what importers read of it is redirected to the mock. What
// is not loaded yet is given by a hook of the loader when somebody asks for it.
const state = require("internal/test_runner/state");
const hooks = require("internal/module_hooks");
const esm = require("internal/esm");
const cjs = require("internal/cjs");

const { defineProperty, getOwnPropertyDescriptor, keys } = Object;
// Ends the URL of what stands for a file, so that the file itself can be loaded besides.
const MOCK = "?mock";
const mocks = new Map(); // path or specifier -> Mock
let isHooked = false;

class Mock {
  constructor(key, factory, isKept) {
    this.key = key;
    this.factory = factory;
    this.isKept = isKept; // made by a preloaded file: it stays
    this.isReady = false;
    this.value = undefined;
    this.undo = [];
  }

  /** The exports, or a promise of them. */
  ask() {
    if (this.isReady) return this.value;
    const value = this.factory();
    if (typeof value?.then === "function") return value.then((exports) => this.take(exports));
    return this.take(value);
  }

  take(value) {
    if (typeof value !== "object" && typeof value !== "function") {
      throw new TypeError("mock(module, fn) requires a function that returns an object");
    }
    this.isReady = true;
    this.value = value;
    return value;
  }
}

/** What the loader asks. */
const answers = {
  resolve(specifier, importer, isRequire) {
    if (mocks.size === 0) return undefined;
    const direct = mocks.get(specifier);
    if (direct !== undefined) return targetOf(direct.key, isRequire);
    let path;
    try {
      [path] = (isRequire ? cjs.resolveUsual : esm.resolveUsual)(specifier, importer);
    } catch {
      path = besides(specifier, importer); // whoever asks will say that it is not there
    }
    return mocks.has(path) ? targetOf(path, isRequire) : undefined;
  },
  load(url, path) {
    const isFile = path.startsWith("/");
    if (isFile && !url.endsWith(MOCK)) return undefined;
    const mock = mocks.get(isFile ? url.slice(0, -MOCK.length) : url);
    if (mock === undefined) return undefined;
    const give = (exports) => ({ loader: "object", exports });
    const value = mock.ask();
    return typeof value?.then === "function" ? value.then(give) : give(value);
  },
  wants: (path) => path.endsWith(MOCK) || (!path.startsWith("/") && mocks.has(path)),
};

/** Where the loader finds a mock: [path or id, suffix]; require knows no suffixes. */
function targetOf(key, isRequire) {
  if (!key.startsWith("/")) return [key, ""];
  return isRequire ? [`${key}${MOCK}`, ""] : [key, MOCK];
}

/** The path of a file that is not there. */
function besides(id, importer) {
  if (id.startsWith("file:")) return require("internal/file_url").fileURLToPath(id);
  if (!/^(?:\.{1,2})?\//.test(id)) return id;
  const path = require("node:path");
  const from = importer.startsWith("file:") ? besides(importer) : importer;
  return path.resolve(path.dirname(from), id);
}

function keyOf(id) {
  if (id.startsWith("file:")) return besides(id);
  const importer = state.native.callerPath() || state.file || `${process.cwd()}/`;
  try {
    return esm.resolveUsual(id, importer)[0];
  } catch {
    return besides(id, importer);
  }
}

/** Redirects what importers of a loaded module read. */
function patch(mock, object, value) {
  const names = new Set([...keys(value), ...("default" in value ? ["default"] : [])]);
  if (!names.has("default") && getOwnPropertyDescriptor(object, "default") !== undefined) {
    names.add("default");
  }
  for (const name of names) {
    const before = getOwnPropertyDescriptor(object, name);
    const read = () => (name === "default" && !("default" in value) ? value : value[name]);
    defineProperty(object, name, { get: read, enumerable: true, configurable: true });
    mock.undo.push(() => {
      if (before === undefined) delete object[name];
      else defineProperty(object, name, before);
    });
  }
}

function apply(mock, value, objects) {
  for (const object of objects) patch(mock, object, value);
  const { Module } = cjs.whole();
  const cached = Module._cache[mock.key];
  if (cached !== undefined) {
    const before = cached.exports;
    cached.exports = value;
    mock.undo.push(() => {
      cached.exports = before;
    });
  } else if (!mock.key.startsWith("/")) {
    patchBuiltin(mock, value);
  }
}

/** A built-in module: programs have got its object already, so its members are changed. */
function patchBuiltin(mock, value) {
  if (!require("node:module").isBuiltin(mock.key)) return;
  const object = process.getBuiltinModule?.(mock.key);
  if (object === undefined) return;
  for (const name of keys(value)) {
    if (name === "default") continue;
    const before = getOwnPropertyDescriptor(object, name);
    if (before !== undefined && !before.configurable) continue;
    const mocked = { value: value[name], writable: true, enumerable: true, configurable: true };
    defineProperty(object, name, mocked);
    mock.undo.push(() => {
      if (before === undefined) delete object[name];
      else defineProperty(object, name, before);
    });
  }
}

function unmock(id) {
  const key = keyOf(id);
  const mock = mocks.get(key);
  if (mock === undefined) return;
  mocks.delete(key);
  for (const undo of mock.undo.reverse()) undo();
}

/** mock.module(id, factory): a promise when the factory gives one. */
function mockModule(id, factory) {
  if (typeof id !== "string" || id === "") {
    throw new TypeError("mock(module, fn) requires a module name string");
  }
  if (typeof factory !== "function") throw new TypeError("mock(module, fn) requires a function");
  if (!isHooked) {
    isHooked = true;
    hooks.useMocks(answers);
  }
  state.native.setLive(true);
  if (state.file === undefined) state.keepLive = true;
  const key = keyOf(id);
  const earlier = mocks.get(key);
  if (earlier !== undefined) for (const undo of earlier.undo.reverse()) undo();
  const mock = new Mock(key, factory, state.file === undefined);
  mocks.set(key, mock);
  const objects = esm.objectsOf(key);
  const { Module } = cjs.whole();
  if (objects.length === 0 && Module._cache[key] === undefined && key.startsWith("/")) {
    return undefined; // made when somebody imports it
  }
  const value = mock.ask();
  if (typeof value?.then === "function") {
    const applied = value.then((given) => apply(mock, given, objects));
    (state.pendingMocks ??= []).push(applied);
    return applied;
  }
  return apply(mock, value, objects);
}

/** Calls `fn` as if there were no mock of the module. */
function unmocked(key, fn) {
  const mock = mocks.get(key);
  if (mock === undefined) return fn();
  mocks.delete(key);
  try {
    return fn();
  } finally {
    mocks.set(key, mock);
  }
}

/** The module behind a mock. */
function actualOf(key) {
  const mock = mocks.get(key);
  if (mock === undefined) return cjs.requirePath(key);
  const { Module } = cjs.whole();
  const cached = Module._cache[key];
  delete Module._cache[key];
  try {
    return unmocked(key, () => cjs.requirePath(key));
  } finally {
    if (cached === undefined) delete Module._cache[key];
    else Module._cache[key] = cached;
  }
}

const actual = (id) => actualOf(keyOf(id));

/** The namespace of the module behind a mock, or what stands for one. */
async function importActualOf(key) {
  const isModule = key.startsWith("/") && unmocked(key, () => esm.isModule(key, key));
  if (isModule) return unmocked(key, () => esm.begin(key));
  const value = actualOf(key);
  return isObject(value) ? { default: value, ...value } : { default: value };
}

const isObject = (value) =>
  (typeof value === "object" && value !== null) || typeof value === "function";

// ---- Mocks without a factory ----

const CODE = /\.[cm]?[jt]sx?$/;

/** The file in __mocks__ beside a module, or beside node_modules for a package. */
function manualMock(id, key) {
  const path = require("node:path");
  const fs = require("node:fs");
  const isFile = key.startsWith("/") && !key.includes("/node_modules/");
  const dir = path.join(isFile ? path.dirname(key) : state.options.cwd, "__mocks__",
    isFile ? "" : path.dirname(id));
  const stem = path.basename(isFile ? key : id).replace(CODE, "");
  let names;
  try {
    names = fs.readdirSync(dir);
  } catch {
    return undefined;
  }
  const found = names.find((name) => CODE.test(name) && name.replace(CODE, "") === stem);
  return found === undefined ? undefined : path.join(dir, found);
}

/** What jest.mock(id) puts in the place of a module. */
function standIn(id, key, isSpy) {
  const file = isSpy ? undefined : manualMock(id, key);
  if (file === undefined) {
    return require("internal/test_mock/automock").automock(actualOf(key), isSpy);
  }
  return cjs.requirePath(file);
}

/**
 * jest.mock and vi.mock. Without a factory: what __mocks__ has, or mocks of what the module has.
 * @param {string} id @param {Function|{spy?: boolean}} [factory] gets `importOriginal`
 */
function mockAny(id, factory) {
  if (typeof id !== "string" || id === "") {
    throw new TypeError("mock(module, fn) requires a module name string");
  }
  const key = keyOf(id);
  if (typeof factory === "function") {
    return mockModule(id, () => factory(() => importActualOf(key)));
  }
  return mockModule(id, () => standIn(id, key, factory?.spy === true));
}

/** The mock of a module, made when there is none. */
function mocked(id) {
  const key = keyOf(id);
  const mock = mocks.get(key);
  return mock === undefined ? standIn(id, key, false) : mock.ask();
}

const importActual = (id) => importActualOf(keyOf(id));
const createMock = (id) => require("internal/test_mock/automock").automock(actual(id));

/** spyOn of an export: what importers read becomes the spy. Undefined: `ns` is no namespace. */
function replaceExport(ns, name, spy) {
  const object = esm.track?.get(ns);
  if (object === undefined) return undefined;
  const before = getOwnPropertyDescriptor(object, name);
  defineProperty(object, name, { get: () => spy, enumerable: true, configurable: true });
  return () => defineProperty(object, name, before);
}

state.mockedModules = {
  afterFile() {
    for (const [key, mock] of mocks) {
      if (mock.isKept) continue;
      mocks.delete(key);
      for (const undo of mock.undo.reverse()) undo();
    }
  },
};

Object.assign(exports, {
  mockModule, mockAny, unmock, actual, importActual, mocked, createMock, replaceExport,
});
