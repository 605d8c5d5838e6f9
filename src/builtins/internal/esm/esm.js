// internal/esm -- the JavaScript half of ES modules: what a lowered module calls, namespace
// objects, import(), and the exports of modules that are none (docs/internals/modules.md).
//
// native: namespace(id, i) of request i; late(id, i) loads it -> undefined | promise;
//         lateObject(id, i); url(id) -> [url, path]; load(specifier, path, type) -> id;
//         loadPath(path) -> id; evaluate(id) -> undefined | promise; namespaceOf(id);
//         fulfilled(id); rejected(id, error); isAsync(id) -> bool; readText(path); isMain(path);
//         resolve(specifier, path) -> path or id
const { setOf } = require("internal/set_of");
const { defineProperty, getOwnPropertyDescriptor, keys } = Object;
const { ownKeys } = Reflect;
const then = Function.prototype.call.bind(Promise.prototype.then);
const hasOwn = Function.prototype.call.bind(Object.prototype.hasOwnProperty);

function defineGetter(object, name, get) {
  defineProperty(object, name, { get, enumerable: true, configurable: true });
}

// ---- What a module's function gets as $cob ----

class Context {
  constructor(id, object) {
    this.id = id;
    this.object = object;
  }

  /** Takes the functions that read the module's own exports. */
  e(getters) {
    for (let i = 0, all = keys(getters); i < all.length; i++) {
      const name = all[i];
      defineGetter(this.object, name, getters[name]);
    }
  }

  ns(i) {
    return native.namespace(this.id, i);
  }

  get meta() {
    const value = makeMeta(this.id);
    defineProperty(this, "meta", { value });
    return value;
  }

  i(specifier, options, phase) {
    return importFrom(native.url(this.id)[1], specifier, options, phase);
  }

  /** Loads the imports of a file that has replaced some; what its $cob0, $cob1 ... are. */
  async late(n) {
    const objects = [];
    for (let i = 0; i < n; i++) {
      const load = () => native.late(this.id, i);
      const running = exports.hooks === undefined ? load() : await whenSettled(load);
      if (running !== undefined) await running;
      objects.push(native.lateObject(this.id, i));
    }
    return objects;
  }

  /** Names an anonymous default export, given as a function that reads it; maybe too early. */
  n(get) {
    let value;
    try {
      value = get();
    } catch {
      return;
    }
    const name = typeof value === "function" ? getOwnPropertyDescriptor(value, "name") : undefined;
    if (name?.value === "_default") defineProperty(value, "name", { value: "default" });
  }
}

exports.makeContext = (id, object) => new Context(id, object);

/** `require` of a module that says the word. */
exports.requireOf = (path) => require("internal/cjs").requireOf(path);

/** $cob of a CommonJS file, which has import() too. */
exports.makeImporter = (path) => ({
  __proto__: null,
  i: (specifier, options, phase) => importFrom(path, specifier, options, phase),
});

// ---- import.meta ----

function makeMeta(id) {
  const { 0: url, 1: path } = native.url(id);
  if (/^(?:data|blob):/.test(path)) return { __proto__: null, url: path, main: false };
  const slash = path.lastIndexOf("/");
  const dir = slash <= 0 ? "/" : path.slice(0, slash);
  const meta = { __proto__: null };
  meta.dirname = dir;
  meta.dir = dir;
  meta.filename = path;
  meta.path = path;
  meta.file = path.slice(slash + 1);
  meta.url = fileUrl(path) + url.slice(path.length).replace(/#type=.*$/, "");
  meta.main = native.isMain(path) || require("internal/cjs").main?.filename === path;
  defineGetter(meta, "env", () => process.env);
  meta.resolve = function resolve(specifier) {
    return resolveToUrl(`${specifier}`, path, meta.url);
  };
  meta.resolveSync = function resolveSync(specifier, parent = path) {
    return exports.resolveFrom(specifier, parent);
  };
  if (exports.hot !== undefined) meta.hot = exports.hot.hotOf(meta.url);
  defineGetter(meta, "require", () => require("node:module").createRequire(path));
  return meta;
}

function publicName(found) {
  return found === "bun:bun" ? "bun" : found;
}

/** Bun.resolveSync: `parent` is a file, a folder or a file URL. */
exports.resolveFrom = function resolveFrom(specifier, parent) {
  let from = `${parent}`;
  if (from.startsWith("file:")) from = require("internal/file_url").fileURLToPath(from);
  if (!from.startsWith("/")) from = require("node:path").resolve(from);
  const isDir = require("node:fs").statSync(from, { throwIfNoEntry: false })?.isDirectory();
  const file = isDir ? `${from}/noop.js` : from;
  try {
    return publicName(native.resolve(`${specifier}`, file));
  } catch (error) {
    if (isDir) error.message = error.message.replace(file, from);
    throw error;
  }
};

/** import.meta.resolve: what is relative or a URL is not looked for (as in Node). */
function resolveToUrl(specifier, path, base) {
  if (/^(?:\.{0,2}\/|\.{1,2}$|file:)/.test(specifier)) return new URL(specifier, base).href;
  const isUrl = /^[a-z][a-z0-9+.-]*:/.test(specifier);
  if (isUrl && !/^(?:node|bun|cob):/.test(specifier)) return specifier;
  const found = native.resolve(specifier, path);
  return found.startsWith("/") ? fileUrl(found) : publicName(found);
}

function fileUrl(path) {
  const escape = (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  return `file://${encodeURI(path).replace(/[?#]/g, escape)}`;
}

// ---- import() ----

function typeOf(options) {
  if (options === undefined) return "";
  if (options === null || typeof options !== "object") {
    throw new TypeError("The second argument of import() must be an object");
  }
  const attributes = options.with ?? options.assert;
  return attributes?.type === undefined ? "" : `${attributes.type}`;
}

/** What it returns, when the hooks that it asked and that answer later have answered. */
async function whenSettled(load) {
  for (;;) {
    try {
      return load();
    } catch (error) {
      const later = exports.hooks?.promiseOf(error);
      if (later === undefined) throw error;
      await later;
    }
  }
}

/** For hooks: the usual way, what a file contains, what Node calls its format. */
exports.resolveUsual = native.resolveParts;
exports.readText = native.readText;
exports.formatOf = native.formatOf;

/** For the test runner: loads a file and begins to run it, at once; a promise of its namespace. */
exports.begin = function begin(path) {
  const id = native.loadPath(path);
  const running = native.evaluate(id);
  if (running === undefined) return native.namespaceOf(id);
  return then(running, () => native.namespaceOf(id));
};
exports.isModule = (specifier, path) => native.isModule(native.load(specifier, path, ""));
/** For the test runner: what importers read of a file or built-in that was loaded. */
exports.objectsOf = native.objectsOf;
/** Likewise, once it is a WeakMap: namespace -> that object; what is passed on stays live then. */
exports.track = undefined;

/** internal/module_hooks, once a program has set some. */
exports.hooks = undefined;
exports.setHooks = (hooks) => {
  exports.hooks = hooks;
  native.setHooks(hooks);
};

const blobModules = new Map();

/** The module of a URL that URL.createObjectURL has given. */
async function loadBlob(url) {
  if (blobModules.has(url)) return blobModules.get(url);
  const blob = require("web/blob/object_url").find(url);
  if (blob === undefined) {
    const { makeCoded } = require("internal/errors");
    throw makeCoded("Error", "ERR_MODULE_NOT_FOUND", `Blob URL is missing: ${url}`);
  }
  // What has neither import nor export is a module all the same.
  const { 0: id } = native.loadText(`${await blob.text()}\nexport {};`, url);
  blobModules.set(url, id);
  return id;
}

async function importFrom(path, specifier, options, phase) {
  const text = `${specifier}`;
  const type = typeOf(options);
  await undefined; // nothing of the other module runs before this job has ended
  const isBlob = text.startsWith("blob:");
  const blobId = isBlob ? await loadBlob(text) : -1;
  const load = () => (isBlob ? blobId : native.load(text, path, type));
  const id = exports.hooks === undefined ? load() : await whenSettled(load);
  if (phase === "defer") {
    const all = native.asyncBelow(id).map((below) => native.evaluate(below));
    for (const one of all) if (one !== undefined) then(one, undefined, () => {});
    for (const one of all) await one;
    return native.deferredOf(id);
  }
  const running = native.evaluate(id);
  if (running !== undefined) await running;
  return native.namespaceOf(id);
}
exports.importFrom = importFrom;

// ---- Other kinds of modules ----

/** Tells the loader when the body of an awaiting module is done. */
exports.watch = function watch(id, promise) {
  then(
    promise,
    () => native.fulfilled(id),
    (error) => native.rejected(id, error),
  );
};

function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

// What every function has.
const ofFunctions = setOf(["length", "name", "prototype", "arguments", "caller"]);

/** What Node finds in the text: names that are not enumerable, too. */
function namesOf(value) {
  if (Array.isArray(value)) return keys(value);
  const names = Object.getOwnPropertyNames(value);
  if (typeof value !== "function") return names;
  return names.filter((name) => !ofFunctions.has(name));
}

function copyNames(value, object) {
  if (!isObject(value)) return;
  for (let i = 0, all = namesOf(value); i < all.length; i++) {
    const name = all[i];
    if (name === "default" || hasOwn(object, name)) continue;
    const own = getOwnPropertyDescriptor(value, name);
    // Hidden getters are no names to Node; reading those of packages may throw or warn.
    if (own?.get !== undefined && !own.enumerable) continue;
    if (own?.get === undefined) object[name] = value[name];
    else defineGetter(object, name, () => value[name]);
  }
}

/**
 * Runs a CommonJS file. `object` has the view of bundlers, where __esModule makes exports.default
 * the default; `node` that of Node's own modules, where it is always module.exports.
 */
exports.loadCommonJs = function loadCommonJs(path, object, node) {
  const value = require("internal/cjs").requirePath(path);
  const isInterop = isObject(value) && value.__esModule === true && "default" in value;
  defineProperty(node, "default", { value, enumerable: true, configurable: true, writable: true });
  if (isInterop) defineGetter(object, "default", () => value.default);
  else object.default = value;
  copyNames(value, object);
  copyNames(value, node);
};

exports.loadJson = function loadJson(path, object, isPlain) {
  const value = JSON.parse(native.readText(path));
  object.default = value;
  if (!isPlain) copyNames(value, object);
};

exports.loadData = function loadData(path, object, loader) {
  // The document says how it is encoded.
  const text = loader === "xml" ? native.readBytes(path) : native.readText(path);
  const value = require("internal/data").parseAs(loader, text, path);
  object.default = value;
  copyNames(value, object);
};

/** What a plugin has given instead of a text: its exports, or the value of a data file. */
exports.loadObject = function loadObject(url, object) {
  const { value, isData } = exports.hooks.givenFor(url);
  if (isData) object.default = value;
  else if (hasOwn(value, "default")) object.default = value.default;
  copyNames(value, object);
};

/** What Bun.serve takes as a route. */
class HTMLBundle {
  constructor(index) {
    this.index = index;
  }
}
exports.HTMLBundle = HTMLBundle;

exports.loadHtml = function loadHtml(path, object) {
  object.default = new HTMLBundle(path);
};

exports.loadCss = function loadCss(path, object) {
  object.default = {};
};

exports.loadBytes = function loadBytes(path, object) {
  object.default = native.readBytes(path);
};

exports.loadFile = function loadFile(path, object) {
  object.default = path;
};

exports.loadText = function loadText(path, object) {
  object.default = native.readText(path);
};

exports.loadBuiltin = function loadBuiltin(id, object) {
  const value = native.builtin(id);
  for (let i = 0, all = keys(value); i < all.length; i++) {
    const name = all[i];
    if (name !== "default") defineGetter(object, name, () => value[name]);
  }
  defineGetter(object, "default", () => value);
};

// ---- Exports that come from elsewhere ----

/** Gives `object` the export `name`, which is `key` of `source`, or `source` itself without a key.
 * */
exports.forward = function forward(object, name, source, key) {
  if (hasOwn(object, name)) return;
  if (key === null) {
    defineProperty(object, name, { value: source, enumerable: true, configurable: true });
    return;
  }
  const own = getOwnPropertyDescriptor(source, key);
  const isCopied = own !== undefined && exports.track === undefined;
  defineProperty(object, name, isCopied ? own : {
    get: () => source[key],
    enumerable: true,
    configurable: true,
  });
};

/** export * of a module whose names were not known before it ran. */
exports.forwardAll = function forwardAll(object, source) {
  for (let i = 0, all = keys(source); i < all.length; i++) {
    const name = all[i];
    if (name !== "default") exports.forward(object, name, source, name);
  }
};

exports.hasExport = (object, name) => name in object;

// ---- Namespace objects (ECMA-262, 10.4.6) ----

/** An export; what a module hands over at its end is not there before. */
function readExport(target, object, key) {
  const value = object[key];
  if (value === undefined && hasOwn(target, key) && !hasOwn(object, key)) {
    throw new ReferenceError(`Cannot access '${key}' before initialization.`);
  }
  return value;
}

const traps = (object) => ({
  __proto__: null,
  get: (target, key) =>
    typeof key === "symbol" ? target[key] : readExport(target, object, key),
  getOwnPropertyDescriptor(target, key) {
    const own = getOwnPropertyDescriptor(target, key);
    if (own === undefined || typeof key === "symbol") return own;
    const value = readExport(target, object, key);
    return { value, writable: true, enumerable: true, configurable: false };
  },
  defineProperty(target, key, descriptor) {
    const own = getOwnPropertyDescriptor(target, key);
    if (own === undefined) return false;
    if (typeof key === "symbol") return Reflect.defineProperty(target, key, descriptor);
    if (descriptor.configurable || descriptor.enumerable === false) return false;
    if ("get" in descriptor || "set" in descriptor || descriptor.writable === false) return false;
    return !("value" in descriptor) || Object.is(descriptor.value, readExport(target, object, key));
  },
  set: () => false,
  deleteProperty: (target, key) => !hasOwn(target, key),
  setPrototypeOf: (target, proto) => proto === null,
});

/** Traps of a deferred namespace: all but symbols and `then` runs the module first. */
function deferredTraps(object, id) {
  const plain = traps(object);
  const isAside = (key) => typeof key === "symbol" || key === "then";
  const run = (name) => (target, key, more) => {
    if (isAside(key)) return Reflect[name](target, key, more);
    native.runDeferred(id);
    return plain[name] === undefined ? Reflect[name](target, key) : plain[name](target, key, more);
  };
  return {
    __proto__: null,
    get: run("get"),
    has: run("has"),
    getOwnPropertyDescriptor: run("getOwnPropertyDescriptor"),
    defineProperty: run("defineProperty"),
    deleteProperty: run("deleteProperty"),
    ownKeys(target) {
      native.runDeferred(id);
      return ownKeys(target);
    },
    set: plain.set,
    setPrototypeOf: plain.setPrototypeOf,
  };
}

/**
 * The namespace over what importers read. `names` is null when the object is complete; with the id
 * of the module it is the deferred one.
 */
exports.makeNamespace = function makeNamespace(object, names, deferredId) {
  const isDeferred = deferredId !== undefined && names !== null;
  const all = setOf(names ?? []);
  for (let i = 0, list = ownKeys(object); i < list.length; i++) {
    const name = list[i];
    if (names === null || name !== "default") all.add(name);
  }
  if (isDeferred) all.delete("then");
  const target = { __proto__: null };
  for (let i = 0, list = [...all].sort(); i < list.length; i++) {
    const name = list[i];
    defineProperty(target, name, { value: undefined, writable: true, enumerable: true });
  }
  const tag = deferredId === undefined ? "Module" : "Deferred Module";
  defineProperty(target, Symbol.toStringTag, { value: tag });
  Object.preventExtensions(target);
  const ns = new Proxy(target, isDeferred ? deferredTraps(object, deferredId) : traps(object));
  exports.track?.set(ns, object);
  remember(ns);
  return ns;
};

let namespaces;

/** For util.types.isModuleNamespaceObject. */
function remember(ns) {
  if (namespaces === undefined) {
    namespaces = new WeakSet();
    require("internal/util/brands").setBrand("Namespace", (v) => namespaces.has(v));
  }
  namespaces.add(ns);
}

// ---- The ways in ----

/** require() of an ES module: runs it now, or says that it cannot. */
exports.requireModule = function requireModule(path) {
  const id = native.loadPath(path);
  if (native.isAsync(id)) {
    const { ERR_REQUIRE_ASYNC_MODULE } = require("internal/errors");
    throw new ERR_REQUIRE_ASYNC_MODULE(path);
  }
  native.evaluate(id);
  const ns = native.namespaceOf(id);
  const given = exports.hooks?.givenFor(native.url(id)[0]);
  if (given !== undefined) return given.value;
  if (native.isData(id)) return ns.default;
  return "module.exports" in ns ? ns["module.exports"] : ns;
};

/** A program that is no file: loadProgram(text, path) -> [id, isModule]. */
exports.loadProgram = native.loadText;
exports.textOf = native.textOf;
exports.evaluate = native.evaluate;

/** The program's first file, when hooks are set. */
exports.runMain = async function runMain(path) {
  const id = await whenSettled(() => native.loadPath(path));
  if (!native.isModule(id)) return void require("internal/cjs").runMain(path);
  await native.evaluate(id);
};
