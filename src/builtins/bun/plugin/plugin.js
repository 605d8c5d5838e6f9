// @internal
// bun:plugin -- Bun.plugin at run time: onResolve, onLoad, virtual modules (Bun: plugins).
//
// A path has a namespace: that of files is "file", others stand before the path ("yaml:x").
const hooks = require("internal/module_hooks");

const resolvers = []; // { filter, namespace, callback }
const loaders = [];
const virtual = new Map(); // specifier -> callback of build.module

function check(name, options, callback) {
  const { validateFunction, validateObject } = require("internal/validators");
  validateObject(options, "options");
  if (!(options.filter instanceof RegExp)) {
    const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
    throw new ERR_INVALID_ARG_TYPE("options.filter", "RegExp", options.filter);
  }
  validateFunction(callback, "callback");
  const { filter, namespace = "file" } = options;
  if (typeof namespace !== "string" || !/^[\w-]*$/.test(namespace)) {
    throw new TypeError(`${name}: the namespace must be a word`);
  }
  return { filter, namespace: namespace === "" ? "file" : namespace, callback };
}

/** "yaml:x" -> ["yaml", "x"] */
function split(path) {
  const at = path.startsWith("/") ? -1 : path.indexOf(":");
  return at < 0 ? ["file", path] : [path.slice(0, at), path.slice(at + 1)];
}

const matches = (filter, text) => {
  filter.lastIndex = 0;
  return filter.test(text);
};

class Builder {
  constructor(name) {
    this.name = name;
    this.config = {};
    this.target = "bun";
  }

  onStart(callback) {
    require("internal/validators").validateFunction(callback, "callback");
    callback();
    return this;
  }

  onResolve(options, callback) {
    resolvers.push(check("onResolve", options, callback));
    return this;
  }

  onLoad(options, callback) {
    loaders.push(check("onLoad", options, callback));
    return this;
  }

  module(specifier, callback) {
    const { validateFunction, validateString } = require("internal/validators");
    validateString(specifier, "specifier");
    validateFunction(callback, "callback");
    virtual.set(specifier, callback);
    return this;
  }

  onEnd() {
    return this;
  }

  onBeforeParse() {
    throw require("internal/errors").notImplemented("onBeforeParse at run time");
  }
}

/** Runs the setup of a plugin; a promise when that gives one. */
function plugin(options) {
  const { validateFunction, validateObject } = require("internal/validators");
  validateObject(options, "plugin");
  validateFunction(options.setup, "plugin.setup");
  hooks.usePlugins(exports);
  return options.setup(new Builder(options.name));
}
plugin.clearAll = function clearAll() {
  resolvers.length = 0;
  loaders.length = 0;
  virtual.clear();
};
exports.plugin = plugin;

// ---- What internal/module_hooks asks ----

const kVirtual = "cob-virtual:";

function resolved(result, importer) {
  if (result === undefined || result === null) return undefined;
  if (typeof result !== "object" || typeof result.path !== "string") {
    throw new TypeError("onResolve must return an object with a path");
  }
  const { path, namespace = "file", external } = result;
  if (external) return undefined;
  if (namespace !== "file" && namespace !== "") return [`${namespace}:${path}`, ""];
  if (path.startsWith("/") || /^[\w-]+:/.test(path)) return [path, ""];
  const { dirname, resolve } = require("node:path");
  return [resolve(importer.startsWith("/") ? dirname(importer) : process.cwd(), path), ""];
}

exports.resolve = (specifier, importer, isRequire) => {
  if (virtual.has(specifier)) return [kVirtual + specifier, ""];
  const [own, path] = split(specifier);
  const from = split(importer)[0];
  for (const { filter, namespace, callback } of resolvers) {
    if (namespace !== own && namespace !== from) continue;
    const text = namespace === own ? path : specifier;
    if (!matches(filter, text)) continue;
    const args = { path: text, importer, namespace, kind: isRequire ? "require" : "import" };
    const result = callback(args);
    if (typeof result?.then === "function") return result.then((r) => resolved(r, importer));
    if (result !== undefined && result !== null) return resolved(result, importer);
  }
  // A path in a namespace that is somebody's to load.
  const isOwn = own !== "file" && loaders.some((one) => one.namespace === own);
  return isOwn ? [specifier, ""] : undefined;
};

function loaded(result, path) {
  if (result === undefined || result === null) return undefined;
  if (typeof result !== "object") throw new TypeError("onLoad must return an object");
  const { contents, exports: object, loader } = result;
  if (object !== undefined) return { exports: object, loader: "object" };
  if (typeof contents !== "string" && !ArrayBuffer.isView(contents) &&
      !(contents instanceof ArrayBuffer)) {
    throw new TypeError(`onLoad must return contents or exports (${path})`);
  }
  return { contents, loader: loader ?? "js" };
}

function loaderFor(path) {
  const [own, rest] = split(path);
  return loaders.find((one) => one.namespace === own && matches(one.filter, rest));
}

exports.wants = (path) => path.startsWith(kVirtual) || loaderFor(path) !== undefined;

exports.load = (path) => {
  if (path.startsWith(kVirtual)) {
    const callback = virtual.get(path.slice(kVirtual.length));
    if (callback === undefined) return undefined;
    const result = callback();
    return typeof result?.then === "function"
      ? result.then((r) => loaded(r, path))
      : loaded(result, path);
  }
  const [own, rest] = split(path);
  for (const { filter, namespace, callback } of loaders) {
    if (namespace !== own || !matches(filter, rest)) continue;
    const loader = /\.(tsx?|jsx|json|toml|ya?ml|txt)$/.exec(rest)?.[1] ?? "js";
    const result = callback({ path: rest, namespace, loader, defer: async () => {} });
    if (typeof result?.then === "function") return result.then((r) => loaded(r, path));
    if (result !== undefined && result !== null) return loaded(result, path);
  }
  return undefined;
};
