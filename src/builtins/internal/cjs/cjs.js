// internal/cjs -- CommonJS modules (Node: modules).  node:module exports the Module class made
// here.
//
// native: resolve(request, parentFile, isMain) -> absolute file or the id of a public built-in,
// throws
// with Node's codes; compile(file) -> wrapper function; compileText(text, file) -> the same from
//         text; readText(file) -> string; builtin(id) -> exports; dirname(file); findPaths(dir)
const { validateString } = require("internal/validators");

const kWrapper = ["(function (exports, require, module, __filename, __dirname) { ", "\n});"];
const builtinPattern = /^(?:node|bun|cob):/;
const { dirname } = native;

/** @param {string} id @param {Module} [parent] */
function Module(id = "", parent) {
  this.id = id;
  this.path = dirname(id);
  this.exports = {};
  this.filename = null;
  this.loaded = false;
  this.children = [];
  this.paths = undefined;
  hidden(this, "parent", parent);
  parent?.children?.push(this);
}

function hidden(object, key, value) {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    configurable: true,
    enumerable: false,
  });
}

Module._cache = { __proto__: null };
Module._pathCache = { __proto__: null };
Module._extensions = { __proto__: null };
Module.globalPaths = [];
Module.Module = Module;
Module._debug = function _debug() {};

// dirname + NUL + request -> file: spares the resolver for what was required before.
const resolved = new Map();

Module._nodeModulePaths = function _nodeModulePaths(from) {
  return native.findPaths(from);
};

Module._initPaths = function _initPaths() {};

Module._resolveLookupPaths = function _resolveLookupPaths(request, parent) {
  if (builtinPattern.test(request) || native.isBuiltin(request)) return null;
  if (/^\.\.?(?:\/|$)/.test(request)) return [parent?.filename ? dirname(parent.filename) : "."];
  return [
    ...(parent?.paths ?? native.findPaths(parent?.path ?? process.cwd())),
    ...Module.globalPaths,
  ];
};

Module._findPath = function _findPath(request, paths) {
  for (const dir of paths ?? []) {
    try {
      return native.resolve(native.join(dir, request), native.join(dir, "noop.js"), false);
    } catch {
      // Not below this folder: the next one may have it.
    }
  }
  return false;
};

function resolveAmong(request, parent, paths) {
  for (const dir of paths) {
    try {
      return native.resolve(request, native.join(dir, "noop.js"), false);
    } catch (error) {
      if (error?.code !== "MODULE_NOT_FOUND") throw error;
    }
  }
  return native.resolve(request, parent?.filename ?? "", false);
}

const knownExtensions = new Set([".js", ".cjs", ".json", ".node"]);

/** What a program has added to Module._extensions may be left out of a request, too. */
function resolveOwnExtension(request, from, error) {
  for (const extension of Object.keys(Module._extensions)) {
    if (error?.code !== "MODULE_NOT_FOUND") break;
    if (knownExtensions.has(extension)) continue;
    try {
      return native.resolve(request + extension, from, false);
    } catch {
      // Not this one.
    }
  }
  throw error;
}

Module._resolveFilename = function _resolveFilename(
  request,
  parent,
  isMain = false,
  options = undefined,
) {
  validateString(request, "request");
  if (Array.isArray(options?.paths)) return resolveAmong(request, parent, options.paths);
  const from = parent?.filename ?? parent?.id ?? "";
  try {
    return native.resolve(request, from, isMain);
  } catch (error) {
    return resolveOwnExtension(request, from, error);
  }
};
const originalResolve = Module._resolveFilename;

function lookup(request, parent, isMain) {
  if (Module._resolveFilename !== originalResolve) {
    return Module._resolveFilename(request, parent, isMain);
  }
  const key = `${parent?.path ?? ""}\0${request}`;
  let file = resolved.get(key);
  if (file === undefined) {
    file = Module._resolveFilename(request, parent, isMain);
    resolved.set(key, file);
  }
  return file;
}

function addChild(parent, child) {
  const children = parent?.children;
  if (children !== undefined && !children.includes(child)) children.push(child);
}

Module._load = function _load(request, parent, isMain = false) {
  const file = lookup(request, parent, isMain);
  const cached = Module._cache[file];
  if (cached !== undefined) {
    addChild(parent, cached);
    return cached.exports;
  }
  if (file.charCodeAt(0) !== 47) return native.builtin(file);
  const mod = new Module(file, parent);
  if (isMain) {
    mod.id = ".";
    exports.setMain(mod);
  }
  Module._cache[file] = mod;
  let isDone = false;
  try {
    mod.load(file);
    isDone = true;
  } finally {
    if (!isDone) {
      delete Module._cache[file];
      const at = parent?.children?.indexOf(mod) ?? -1;
      if (at >= 0) parent.children.splice(at, 1);
    }
  }
  return mod.exports;
};

function extensionOf(file) {
  const name = file.slice(file.lastIndexOf("/") + 1);
  for (let at = name.indexOf(".", 1); at > 0; at = name.indexOf(".", at + 1)) {
    const extension = name.slice(at);
    if (Module._extensions[extension] !== undefined) return extension;
  }
  return ".js";
}

Module.prototype.load = function load(filename) {
  this.filename = filename;
  definePaths(this);
  Module._extensions[extensionOf(filename)](this, filename);
  this.loaded = true;
};

// module.paths is seldom read: made when it is.
function definePaths(mod) {
  Object.defineProperty(mod, "paths", {
    get() {
      const value = native.findPaths(mod.path);
      definePlain(mod, "paths", value);
      return value;
    },
    set(value) {
      definePlain(mod, "paths", value);
    },
    configurable: true,
    enumerable: true,
  });
}

function definePlain(object, key, value) {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    configurable: true,
    enumerable: true,
  });
}

Module.prototype.require = function require(id) {
  validateString(id, "id");
  if (id === "") {
    const { ERR_INVALID_ARG_VALUE } = require_("internal/errors");
    throw new ERR_INVALID_ARG_VALUE("id", id, "must be a non-empty string");
  }
  return Module._load(id, this, false);
};
const require_ = require;

function run(mod, wrapper, filename) {
  const requireFn = makeRequire(mod);
  return wrapper.call(mod.exports, mod.exports, requireFn, mod, filename, mod.path);
}

Module.prototype._compile = function _compile(content, filename) {
  return run(this, native.compileText(`${content}`, filename), filename);
};
const originalCompile = Module.prototype._compile;

/** The `require` that a module sees. */
function makeRequire(mod) {
  function require(id) {
    return mod.require(id);
  }
  require.resolve = function resolve(request, options) {
    validateString(request, "request");
    const found = Module._resolveFilename(request, mod, false, options);
    return native.isBuiltin(request) ? request : found;
  };
  require.resolve.paths = function paths(request) {
    validateString(request, "request");
    return Module._resolveLookupPaths(request, mod);
  };
  require.main = exports.main;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}
exports.makeRequire = makeRequire;

Module._extensions[".js"] = function loadScript(mod, filename) {
  if (mod._compile === originalCompile) run(mod, native.compile(filename), filename);
  else mod._compile(native.readText(filename), filename);
};
Module._extensions[".cjs"] = Module._extensions[".js"];

Module._extensions[".json"] = function loadJson(mod, filename) {
  const text = native.readText(filename);
  try {
    mod.exports = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    error.message = `${filename}: ${error.message}`;
    throw error;
  }
};

Module._extensions[".node"] = function loadAddon(mod, filename) {
  throw new Error(`not implemented: native add-ons (${filename})`);
};

Module.wrapper = kWrapper;
Module.wrap = function wrap(script) {
  return kWrapper[0] + script + kWrapper[1];
};

exports.main = undefined;
exports.setMain = function setMain(mod) {
  exports.main = mod;
};

/** Runs the program's first file. */
exports.runMain = function runMain(file) {
  return Module._load(file, null, true);
};

/** Loads a module before the program (--preload); the specifier counts from the current folder. */
exports.preload = function preload(request) {
  Module._load(request, null, false);
};

/** Runs a program that is not a file: -e and standard input.  Returns its completion value. */
exports.runText = function runText(text, name, dir) {
  const mod = new Module(name, undefined);
  mod.filename = `${dir}/${name}`;
  mod.path = dir;
  definePaths(mod);
  const globals = {
    module: mod,
    exports: mod.exports,
    __filename: name,
    __dirname: ".",
    require: undefined,
  };
  exports.setMain(mod);
  globals.require = makeRequire(mod);
  for (const key of Object.keys(globals)) hidden(globalThis, key, globals[key]);
  return native.evalText(text, mod.filename);
};

/** The same, then prints the value as console.log does, a promise's when it is settled (-p). */
exports.printText = function printText(text, name, dir) {
  const value = exports.runText(text, name, dir);
  if (value instanceof Promise) value.then((result) => console.log(result));
  else console.log(value);
};

// The program's first file may run without this module: it is the main one all the same.
const begun = native.mainFile();
if (begun !== undefined) {
  const mod = new Module(begun[0], null);
  mod.id = ".";
  mod.filename = begun[0];
  mod.exports = begun[1];
  mod.loaded = begun[2];
  definePaths(mod);
  Module._cache[mod.filename] = mod;
  exports.setMain(mod);
}

exports.Module = Module;
