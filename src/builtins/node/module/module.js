// node:module -- the Module class and what goes with it (Node: module).
const { Module, makeRequire } = require("internal/cjs").whole();
const { lazy } = require("internal/process_util");

Module.builtinModules = native.builtinModules();

Module.isBuiltin = function isBuiltin(name) {
  return native.isBuiltin(`${name}`);
};

// ---- require for other files --------------------------------------------------------------------

function fileOf(filename) {
  const isUrl = typeof filename === "object" && require("web/url").isURL(filename);
  const isText = typeof filename === "string";
  if (isText && filename.startsWith("/")) return filename;
  if (isUrl || (isText && URL.canParse(filename))) {
    try {
      return require("internal/file_url").fileURLToPath(filename);
    } catch {
      // Of no file.
    }
  }
  const { ERR_INVALID_ARG_VALUE } = require("internal/errors");
  throw new ERR_INVALID_ARG_VALUE(
    "filename",
    filename,
    "must be a file URL object, file URL string, or absolute path string",
  );
}

/** A `require` for a file that need not exist; a folder is given with a slash at its end. */
Module.createRequire = function createRequire(filename) {
  const file = fileOf(filename);
  const mod = new Module(file.endsWith("/") ? `${file}noop.js` : file, undefined);
  mod.filename = mod.id;
  mod.paths = Module._nodeModulePaths(mod.path);
  return makeRequire(mod);
};

/** Folders where packages are looked for last. */
Module._initPaths = function _initPaths() {
  const { NODE_PATH, HOME } = process.env;
  const paths = NODE_PATH ? NODE_PATH.split(":").filter(Boolean) : [];
  if (HOME) paths.push(`${HOME}/.node_modules`, `${HOME}/.node_libraries`);
  Module.globalPaths = paths;
};
Module._initPaths();

Module.syncBuiltinESMExports = function syncBuiltinESMExports() {};

// ---- Where package.json is ----------------------------------------------------------------------

/** 0 for a file, 1 for a folder, negative for anything else. */
Module._stat = function _stat(path) {
  return native.kindOf(path) - 1;
};

const isFile = (path) => native.kindOf(path) === 1;

/** The package.json of the closest folder above `file` that has one. */
function packageAbove(file) {
  for (let end = file.lastIndexOf("/"); end >= 0; end = file.lastIndexOf("/", end - 1)) {
    const found = `${file.slice(0, end)}/package.json`;
    if (isFile(found)) return found;
    if (end === 0) break;
  }
  return undefined;
}

/** The package.json of the package that `specifier` names, seen from the folder of `file`. */
function packageNamed(specifier, file) {
  const parts = specifier.split("/");
  const name = parts.slice(0, specifier[0] === "@" ? 2 : 1).join("/");
  for (const dir of Module._nodeModulePaths(file.slice(0, file.lastIndexOf("/")) || "/")) {
    const found = `${dir}/${name}/package.json`;
    if (isFile(found)) return found;
  }
  const { ERR_MODULE_NOT_FOUND } = require("internal/errors");
  throw new ERR_MODULE_NOT_FOUND(name, file);
}

/** base: a URL object, the text of one, or an absolute path. */
function baseUrlOf(base) {
  const { pathToFileURL } = require("internal/file_url");
  if (typeof base === "object" && require("web/url").isURL(base)) return base;
  require("internal/validators").validateString(base, "base");
  return base.startsWith("/") ? pathToFileURL(base) : new URL(base);
}

Module.findPackageJSON = function findPackageJSON(specifier, base = "data:") {
  if (arguments.length === 0) {
    const { ERR_MISSING_ARGS } = require("internal/errors");
    throw new ERR_MISSING_ARGS("specifier");
  }
  const { fileURLToPath } = require("internal/file_url");
  const from = baseUrlOf(base);
  const text = `${specifier}`;
  if (text !== "" && text[0] !== "." && text[0] !== "/" && !URL.canParse(text)) {
    return packageNamed(text, fileURLToPath(from));
  }
  const target = text[0] === "/" ? text : fileURLToPath(new URL(text, from));
  return packageAbove(native.kindOf(target) === 2 ? `${target}/` : target);
};

// ---- Source maps and the compile cache ----------------------------------------------------------

lazy(Module, "SourceMap", () => require("internal/source_map").SourceMap);

Module.findSourceMap = function findSourceMap(path) {
  require("internal/validators").validateString(path, "path");
  return undefined;
};

let sourceMapsSupport = { enabled: false, nodeModules: false, generatedCode: false };

Module.getSourceMapsSupport = function getSourceMapsSupport() {
  return Object.freeze({ __proto__: null, ...sourceMapsSupport });
};

/** Stacks are mapped in any case; what is set can be asked for. */
Module.setSourceMapsSupport = function setSourceMapsSupport(enabled, options = {}) {
  const { validateBoolean, validateObject } = require("internal/validators");
  validateBoolean(enabled, "enabled");
  validateObject(options, "options");
  const { nodeModules = false, generatedCode = false } = options;
  validateBoolean(nodeModules, "options.nodeModules");
  validateBoolean(generatedCode, "options.generatedCode");
  sourceMapsSupport = { enabled, nodeModules, generatedCode };
};

Module.constants = Object.freeze({
  __proto__: null,
  compileCacheStatus: Object.freeze({
    __proto__: null,
    FAILED: 0,
    ENABLED: 1,
    ALREADY_ENABLED: 2,
    DISABLED: 3,
  }),
});

/**
 * Compiled programs are kept in any case, unless that is switched off. `options` is a folder or an
 * object that has one as `directory`; what is on already keeps its own.
 */
Module.enableCompileCache = function enableCompileCache(options) {
  let directory = options;
  if (typeof options === "object" && options !== null) ({ directory } = options);
  if (directory !== undefined) require("internal/validators").validateString(directory, "cacheDir");
  if (directory) directory = require("node:path").resolve(directory);
  const status = native.enableCodeCache(directory || "");
  const { FAILED, DISABLED } = Module.constants.compileCacheStatus;
  if (status === FAILED) return { status, message: "Cannot create the folder" };
  if (status === DISABLED) return { status, message: "Disabled by the environment" };
  return { status, directory: Module.getCompileCacheDir() };
};

/** Writes what is there now rather than at the end of the program. */
Module.flushCompileCache = function flushCompileCache() {
  native.saveCodeCache();
};

Module.getCompileCacheDir = function getCompileCacheDir() {
  return native.codeCacheDir() || undefined;
};

// ---- Hooks --------------------------------------------------------------------------------------

Module.registerHooks = (hooks) => require("node:module/hooks").registerHooks(hooks);
Module.register = (...args) => require("node:module/hooks").register(...args);
Module.stripTypeScriptTypes = (...args) => require("node:module/strip").strip(...args);
for (let i = 0, all = ["registerHooks", "register", "stripTypeScriptTypes"]; i < all.length; i++) {
  const name = all[i];
  Object.defineProperty(Module[name], "name", { value: name });
}

return Module;
