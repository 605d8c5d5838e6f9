// node:module -- the Module class and what goes with it (Node: module).
const { Module, makeRequire } = require("internal/cjs").whole();
const { validateString } = require("internal/validators");
const { ERR_INVALID_ARG_VALUE } = require("internal/errors");

Module.builtinModules = native.builtinModules();

Module.isBuiltin = function isBuiltin(name) {
  return native.isBuiltin(`${name}`);
};

function fileOf(filename) {
  if (filename instanceof URL || (typeof filename === "string" && filename.startsWith("file:"))) {
    const url = new URL(filename);
    if (url.protocol === "file:") return decodeURIComponent(url.pathname);
  }
  if (typeof filename === "string" && filename.startsWith("/")) return filename;
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

Module.syncBuiltinESMExports = function syncBuiltinESMExports() {};

Module.findSourceMap = function findSourceMap(path) {
  validateString(path, "path");
  return undefined;
};

for (const name of ["register", "registerHooks", "enableCompileCache", "stripTypeScriptTypes"]) {
  Module[name] = function notImplemented() {
    throw new Error(`not implemented: module.${name}`);
  };
}

return Module;
