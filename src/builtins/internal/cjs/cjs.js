// internal/cjs -- CommonJS modules (Node: modules): what requiring files needs.
//
// Nearly every program evaluates this file, so it is short; cjs_more.js beside it has what is
// seldom used, and is loaded when somebody gets hold of the Module class.
//
// native: resolve(request, parentFile, isMain) -> absolute file or the id of a public built-in,
//         throws with Node's codes; compile(file) -> wrapper function; compileText(text, file) ->
//         the same from text; evalText(text, file); readText(file) -> string; builtin(id) ->
//         exports; isBuiltin(name); dirname(file); findPaths(dir); join(dir, path); mainFile()
const { dirname } = native;

const parents = new WeakMap();
// dirname + NUL + request -> file: spares the resolver for what was required before.
const resolved = new Map();

/** @param {string} id @param {Module} [parent] */
function Module(id = "", parent) {
  this.id = id;
  this.path = dirname(id);
  // A program may have put a setter on Object.prototype.
  if ("exports" in Module.prototype) more().define(this, "exports", {});
  else this.exports = {};
  this.filename = null;
  this.loaded = false;
  this.children = [];
  parents.set(this, parent);
  parent?.children?.push(this);
}

let loaded;
function more() {
  if (loaded === undefined) {
    loaded = require("internal/cjs/cjs_more");
    loaded.complete({ Module, makeRequire, parents, resolved, native, host: exports });
  }
  return loaded;
}

Module.prototype = {
  get constructor() {
    more();
    return Module;
  },
  load(filename) {
    this.filename = filename;
    const extension = exports.hooks?.wants(filename) ? ".js" : extensionOf(filename);
    Module._extensions[extension](this, filename);
    this.loaded = true;
  },
  require(id) {
    if (typeof id !== "string" || id === "") more().checkId(id);
    return Module._load(id, this, false);
  },
  _compile(content, filename) {
    if (exports.isWrapperChanged) return more().runWrapped(this, `${content}`, filename);
    return run(this, native.compileText(`${content}`, filename), filename);
  },
  get paths() {
    return more().pathsOf(this);
  },
  set paths(value) {
    more().setPaths(this, value);
  },
  get parent() {
    return parents.get(this);
  },
  set parent(value) {
    parents.set(this, value);
  },
};
const originalCompile = Module.prototype._compile;

Module._cache = { __proto__: null };
Module._extensions = {
  __proto__: null,
  ".js"(mod, filename) {
    if (mod._compile !== originalCompile || exports.isWrapperChanged) {
      mod._compile(native.readText(filename), filename);
      return;
    }
    const wrapper = native.compile(filename);
    if (wrapper !== null) run(mod, wrapper, filename);
    else mod.exports = require("internal/esm").requireModule(filename);
  },
  ".json": (mod, filename) => more().loadJson(mod, filename),
  ".node": (mod, filename) => more().loadAddon(mod, filename),
};
for (let i = 0, all = [".ts", ".cts", ".mjs", ".mts"]; i < all.length; i++) {
  const name = all[i];
  Module._extensions[name] = Module._extensions[".js"];
}

Module._resolveFilename = (request, parent, isMain, options) => {
  if (typeof request !== "string" || options !== undefined) {
    return more().resolveWith(request, parent, options);
  }
  const from = parent?.filename ?? parent?.id ?? "";
  try {
    return native.resolve(request, from, isMain === true);
  } catch (error) {
    return more().resolveOwnExtension(request, from, error, parent);
  }
};
const originalResolve = Module._resolveFilename;

function lookup(request, parent, isMain) {
  const hooked = exports.hooks?.resolveRequire(request, parent?.filename ?? parent?.id ?? "");
  if (hooked !== undefined) return hooked;
  if (Module._resolveFilename !== originalResolve) {
    return Module._resolveFilename(request, parent, isMain);
  }
  const key = `${parent?.path ?? ""}\0${request}`;
  let file = resolved.get(key);
  if (file === undefined) {
    file = originalResolve(request, parent, isMain);
    resolved.set(key, file);
  }
  return file;
}

Module._load = function _load(request, parent, isMain = false) {
  const file = lookup(request, parent, isMain);
  const cached = Module._cache[file];
  if (cached !== undefined) {
    const children = parent?.children;
    if (children !== undefined && !children.includes(cached)) children.push(cached);
    return cached.exports;
  }
  if (file.charCodeAt(0) !== 47 && !exports.hooks?.wants(file)) {
    // A program may have put something else in the place of `fs`, not of `node:fs`.
    const own = Module._cache[request];
    return own === undefined ? native.builtin(file) : own.exports;
  }
  const mod = new Module(file, parent);
  if (isMain) {
    mod.id = ".";
    exports.setMain(mod);
  }
  Module._cache[file] = mod;
  try {
    mod.load(file);
  } catch (error) {
    delete Module._cache[file];
    const at = parent?.children?.indexOf(mod) ?? -1;
    if (at >= 0) parent.children.splice(at, 1);
    throw error;
  }
  return mod.exports;
};

function extensionOf(file) {
  let at = file.indexOf(".", file.lastIndexOf("/") + 2);
  while (at > 0) {
    const extension = file.slice(at);
    if (Module._extensions[extension] !== undefined) return extension;
    at = file.indexOf(".", at + 1);
  }
  return ".js";
}

function run(mod, wrapper, filename) {
  if (wrapper.length === 6) return more().runWithImporter(mod, wrapper, makeRequire(mod));
  return wrapper.call(mod.exports, mod.exports, makeRequire(mod), mod, filename, mod.path);
}

/** The `require` that a module sees. */
function makeRequire(mod) {
  function require(id) {
    return mod.require(id);
  }
  require.resolve = function resolve(request, options) {
    const found = Module._resolveFilename(request, mod, false, options);
    return native.isBuiltin(request) ? request : found;
  };
  require.resolve.paths = function paths(request) {
    return more().lookupPaths(request, mod);
  };
  if ("main" in require) more().define(require, "main", exports.main);
  else require.main = exports.main;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}

exports.main = undefined;
/** Has the program put something in the place of Module.wrap or of a part of Module.wrapper? */
exports.isWrapperChanged = false;
/** internal/module_hooks, once a program has set some; and the usual way, for it. */
exports.hooks = undefined;
exports.resolveUsual = (request, from) => [native.resolve(request, from, false), ""];
/** The `require` of a file that is no CommonJS. */
exports.requireOf = (path) => {
  const mod = new Module(path);
  mod.filename = path;
  return makeRequire(mod);
};
/** Loads a file for a module that is no CommonJS. */
exports.requirePath = (path) => Module._load(path, undefined, false);
exports.setMain = (mod) => {
  exports.main = mod;
};

/** Runs the program's first file. */
exports.runMain = (file) => {
  if (Module.runMain !== originalRunMain) return Module.runMain(file);
  return Module._load(file, null, true);
};

/** What wrappers of programs call when they have changed process.argv (Node: not documented). */
Module.runMain = function runMain(main = process.argv[1]) {
  Module._load(require("node:path").resolve(main), null, true);
};
const originalRunMain = Module.runMain;
/** Loads a module before the program (--preload); the specifier counts from the current folder. */
exports.preload = (request) => Module._load(request, null, false);
/** Runs a program that is not a file: -e and standard input.  Returns its completion value. */
exports.runText = (text, name, dir) => more().runText(text, name, dir);
/** The same, then prints the value as console.log does, a promise's when it is settled (-p). */
exports.printText = (text, name, dir) => more().printText(text, name, dir);
/** For the test runner and --hot: which modules there are; and forgetting those that came later. */
exports.keep = () => require("internal/set_of").setOf(Object.keys(Module._cache));
exports.forget = (kept) => {
  for (let i = 0, all = Object.keys(Module._cache); i < all.length; i++) {
    const file = all[i];
    if (!kept.has(file)) delete Module._cache[file];
  }
  resolved.clear();
};
/** The Module class with all it has, for node:module. */
exports.whole = () => {
  more();
  return { Module, makeRequire };
};

// The program's first file may run without this module: it is the main one all the same.
const begun = native.mainFile();
if (begun !== undefined) {
  const mod = new Module(begun[0], null);
  mod.id = ".";
  mod.filename = begun[0];
  mod.exports = begun[1];
  mod.loaded = begun[2];
  Module._cache[mod.filename] = mod;
  exports.setMain(mod);
}
