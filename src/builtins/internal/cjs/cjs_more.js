// internal/cjs/cjs_more -- what programs seldom use of CommonJS: the rest of the Module class,
// options of require.resolve, JSON, programs that are no files.
const { setOf } = require("internal/set_of");
const kWrapper = ["(function (exports, require, module, __filename, __dirname) { ", "\n});"];
const wrap = (script) => wrapper[0] + script + wrapper[1];
const builtinPattern = /^(?:node|bun|cob):/;
const knownExtensions = setOf([".js", ".ts", ".cts", ".mjs", ".mts", ".json", ".node"]);

const validators = () => require("internal/validators");

let Module;
let makeRequire;
let host;
let cjs;
let parents;
let wrapper = kWrapper;
let wrapFn = wrap;

/** Takes what it shares with cjs.js, and gives the class its other members. */
exports.complete = (shared) => {
  ({ Module, makeRequire, native: host, host: cjs, parents } = shared);
  Object.defineProperty(Module.prototype, "constructor", {
    value: Module,
    writable: true,
    configurable: true,
  });
  Object.assign(Module, statics);
  Module.Module = Module;
  defineWrapper();
  let pathCache = { __proto__: null };
  accessor("_pathCache", () => pathCache, (value) => {
    pathCache = value;
    shared.resolved.clear(); // what a program means by it
  });
};

function accessor(name, get, set) {
  Object.defineProperty(Module, name, { get, set, configurable: true, enumerable: true });
}

/** The text around modules, as programs may change it: by then modules are made of text. */
function defineWrapper() {
  const change = () => {
    cjs.isWrapperChanged = true;
  };
  const shown = new Proxy(kWrapper, {
    __proto__: null,
    set(target, key, value) {
      change();
      return Reflect.set(target, key, value);
    },
    defineProperty(target, key, descriptor) {
      change();
      return Object.defineProperty(target, key, descriptor);
    },
  });
  accessor("wrapper", () => (wrapper === kWrapper ? shown : wrapper), (value) => {
    change();
    wrapper = value;
  });
  accessor("wrap", () => wrapFn, (value) => {
    change();
    wrapFn = value;
  });
}

/** Runs a module in the wrapper that the program wants. */
exports.runWrapped = (mod, content, filename) => {
  const fn = host.evalText(wrapFn(content), filename);
  return fn.call(mod.exports, mod.exports, makeRequire(mod), mod, filename, mod.path);
};

/** Sets a property, whatever setters the program has put on Object.prototype. */
exports.define = (object, name, value) => {
  Object.defineProperty(object, name, {
    __proto__: null, value, writable: true, configurable: true, enumerable: true,
  });
};

const statics = {
  globalPaths: [],
  _debug() {},
  _initPaths() {},
  _nodeModulePaths: (from) => host.findPaths(from),
  _resolveLookupPaths(request, parent) {
    if (builtinPattern.test(request) || host.isBuiltin(request)) return null;
    if (/^\.\.?(?:\/|$)/.test(request)) {
      return [parent?.filename ? host.dirname(parent.filename) : "."];
    }
    const paths = parent?.paths ?? host.findPaths(parent?.path ?? process.cwd());
    return paths.concat(Module.globalPaths);
  },
  _findPath(request, paths) {
    for (let i = 0, all = paths ?? []; i < all.length; i++) {
      const dir = all[i];
      try {
        return host.resolve(host.join(dir, request), host.join(dir, "noop.js"), false);
      } catch {
        // Not below this folder: the next one may have it.
      }
    }
    return false;
  },
};

/** Runs a file in which import() was lowered to a call. */
exports.runWithImporter = (mod, wrapper, requireFn) => {
  const importer = require("internal/esm").makeImporter(mod.filename);
  const { exports: own, filename, path } = mod;
  return wrapper.call(own, own, requireFn, mod, filename, path, importer);
};

exports.checkId = (id) => {
  validators().validateString(id, "id");
  const { ERR_INVALID_ARG_VALUE } = require("internal/errors");
  throw new ERR_INVALID_ARG_VALUE("id", id, "must be a non-empty string");
};

function resolveAmong(request, parent, paths) {
  const { resolve } = require("node:path");
  const checkText = validators().validateString;
  for (let i = 0; i < paths.length; i++) checkText(paths[i], `options.paths[${i}]`);
  for (let i = 0; i < paths.length; i++) {
    const dir = resolve(paths[i]);
    try {
      return host.resolve(request, host.join(dir, "noop.js"), false);
    } catch (error) {
      if (error?.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return host.resolve(request, parent?.filename ?? "", false);
}

/** Module._resolveFilename with options, or of something that is no string. */
exports.resolveWith = (request, parent, options) => {
  validators().validateString(request, "request");
  if (Array.isArray(options?.paths)) return resolveAmong(request, parent, options.paths);
  return Module._resolveFilename(request, parent, false);
};

/** Names all files on the way to the one that asked (Node: requireStack). */
function completeStack(error, parent) {
  const stack = [];
  for (let mod = parent; mod; mod = parents.get(mod)) stack.push(mod.filename || mod.id);
  if (stack.length < 2 || !Array.isArray(error.requireStack)) return;
  const lines = (list) => list.map((file) => `\n- ${file}`).join("");
  const before = `Require stack:${lines(error.requireStack)}`;
  error.message = error.message.replace(before, `Require stack:${lines(stack)}`);
  error.requireStack = stack;
}

/** What a program has added to Module._extensions may be left out of a request, too. */
exports.resolveOwnExtension = (request, from, error, parent) => {
  for (let i = 0, all = Object.keys(Module._extensions); i < all.length; i++) {
    const extension = all[i];
    if (error?.code !== "MODULE_NOT_FOUND") break;
    if (knownExtensions.has(extension)) continue;
    try {
      return host.resolve(request + extension, from, false);
    } catch {
      // Not this one.
    }
  }
  if (error?.code === "MODULE_NOT_FOUND") completeStack(error, parent);
  throw error;
};

exports.lookupPaths = (request, mod) => {
  validators().validateString(request, "request");
  return Module._resolveLookupPaths(request, mod);
};

exports.setPaths = (mod, value) => {
  Object.defineProperty(mod, "paths", {
    value,
    writable: true,
    configurable: true,
    enumerable: true,
  });
};

exports.pathsOf = (mod) => {
  if (typeof mod.path !== "string") return undefined;
  const value = host.findPaths(mod.path);
  exports.setPaths(mod, value);
  return value;
};

exports.loadJson = (mod, filename) => {
  const text = host.readText(filename);
  try {
    mod.exports = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    error.message = `${filename}: ${error.message}`;
    throw error;
  }
};

exports.loadAddon = (mod, filename) => {
  process.dlopen(mod, filename);
};

/** Programs on the command line have the built-in modules as globals (Node, `node -e`). */
function addModuleGlobals(load) {
  const { builtinModules } = require("node:module");
  for (let i = 0; i < builtinModules.length; i++) {
    const name = builtinModules[i];
    if (name.includes("/") || name.includes(":") || name[0] === "_" || name in globalThis) continue;
    const settle = (value) => {
      Object.defineProperty(globalThis, name, {
        value, writable: true, configurable: true, enumerable: false,
      });
      return value;
    };
    Object.defineProperty(globalThis, name, {
      get: () => settle(load(name)),
      set: settle,
      configurable: true,
      enumerable: false,
    });
  }
}

exports.runText = (text, name, dir) => {
  const mod = new Module(name, undefined);
  mod.filename = `${dir}/${name}`;
  mod.path = dir;
  cjs.setMain(mod);
  const globals = {
    module: mod,
    exports: mod.exports,
    __filename: name,
    __dirname: ".",
    require: makeRequire(mod),
  };
  for (let i = 0, all = Object.keys(globals); i < all.length; i++) {
    const key = all[i];
    Object.defineProperty(globalThis, key, {
      value: globals[key],
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }
  if (name !== "[worker eval]") addModuleGlobals(globals.require);
  const esm = require("internal/esm");
  const { 0: id, 1: isModule } = esm.loadProgram(text, mod.filename);
  if (isModule) return esm.evaluate(id);
  const code = esm.textOf(id);
  if (code.includes("$cob")) {
    const value = esm.makeImporter(mod.filename);
    Object.defineProperty(globalThis, "$cob", { value, configurable: true, writable: true });
  }
  return host.evalText(code, mod.filename);
};

/** The same, then prints the value as console.log does, a promise's when it is settled (-p). */
exports.printText = (text, name, dir) => {
  const value = exports.runText(text, name, dir);
  if (value instanceof Promise) value.then((result) => console.log(result));
  else console.log(value);
};
