// internal/module_hooks -- programs that take part in resolving and loading modules: plugins
// (Bun.plugin) and hooks (Node: module.registerHooks, module.register).
//
// The loader asks resolve() and load() about each module. An answer that comes later is thrown as a
// Later: importFrom() waits for its promise and asks again, and finds the answer here.
const { setOf } = require("internal/set_of");
const esm = require("internal/esm");
const cjs = require("internal/cjs");

const answers = new Map(); // question -> { value } | { error }
const given = new Map(); // url -> { value, isData }: what a hook has given instead of code
const nodeHooks = []; // { resolve, load, isAsync }
const codeLoaders = setOf(["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts"]);

let plugins; // bun:plugin
let mocks; // internal/test_mock/module
let isSet = false;

class Later extends Error {
  constructor(promise) {
    super("A hook of module loading is asynchronous: use import() instead of require()");
    this.code = "ERR_REQUIRE_ASYNC_MODULE";
    this.promise = promise;
  }
}

/** Begins to ask the hooks. */
function start() {
  if (isSet) return;
  isSet = true;
  esm.setHooks(exports);
  cjs.hooks = exports;
}

exports.usePlugins = (module) => {
  plugins = module;
  start();
};

/** The test runner's: { resolve, load, wants }; asked first. */
exports.useMocks = (answers) => {
  mocks = answers;
  start();
};

exports.addNodeHooks = (hooks) => {
  nodeHooks.push(hooks);
  start();
  return () => {
    const at = nodeHooks.indexOf(hooks);
    if (at >= 0) nodeHooks.splice(at, 1);
  };
};

exports.promiseOf = (error) => (error instanceof Later ? error.promise : undefined);

/** The answer of `ask()`, at once or, kept under the question, the next time. */
function answerTo(question, ask) {
  const known = answers.get(question);
  if (known !== undefined) {
    answers.delete(question);
    if (known.error !== undefined) throw known.error.value;
    return known.value;
  }
  const answer = ask();
  if (typeof answer?.then !== "function") return answer;
  const keep = (entry) => answers.set(question, entry);
  throw new Later(
    answer.then((value) => keep({ value }), (value) => keep({ error: { value } })),
  );
}

const fileUrls = () => require("internal/file_url");

/** What a hook calls a module, as the loader knows it: [path or id or URL, suffix]. */
function targetOf(url) {
  if (!url.startsWith("file:")) return [url, ""];
  const parsed = new URL(url);
  const suffix = parsed.search + parsed.hash;
  parsed.search = "";
  parsed.hash = "";
  return [fileUrls().fileURLToPath(parsed), suffix];
}

function urlOf(path, suffix = "") {
  return path.startsWith("/") ? fileUrls().pathToFileURL(path).href + suffix : path;
}

/** The format of a file as Node names it, undefined when its text decides. */
function formatOf(path) {
  if (path.startsWith("/")) return esm.formatOf(path);
  return path.startsWith("data:") ? "module" : "builtin";
}

// ---- Resolving ----

function nodeResolve(specifier, importer, type, isRequire, resolveUsual) {
  const hooks = nodeHooks.filter((hook) => hook.resolve && !(isRequire && hook.isAsync));
  const usual = (request, context = {}) => {
    const parent = context.parentURL?.startsWith("file:")
      ? targetOf(context.parentURL)[0]
      : importer;
    const [path, suffix] = resolveUsual(request, parent);
    return { url: urlOf(path, suffix), format: formatOf(path) };
  };
  let next = usual;
  for (const { resolve } of hooks) {
    const inner = next;
    next = (request, context) =>
      resolve(`${request}`, context, (nextRequest, nextContext) =>
        inner(nextRequest ?? request, { ...context, ...nextContext }));
  }
  const context = {
    conditions: isRequire ? ["node", "require", "module-sync"] : ["node", "import", "module-sync"],
    importAttributes: type === "" ? {} : { type },
    parentURL: importer === "" ? undefined : urlOf(importer),
  };
  return next(specifier, context);
}

/** undefined: the usual way; else [path, id or URL, suffix]. */
exports.resolve = (specifier, importer, type, isRequire) => {
  const mocked = mocks?.resolve(specifier, importer, isRequire);
  if (mocked !== undefined) return mocked;
  const fromPlugin = answerPlugin(specifier, importer, isRequire);
  if (fromPlugin !== undefined) return fromPlugin;
  const asked = nodeHooks.some((hook) => hook.resolve && !(isRequire && hook.isAsync));
  if (!asked) return undefined;
  const usual = isRequire ? cjs.resolveUsual : esm.resolveUsual;
  const found = answerTo(`resolve ${specifier}\0${importer}\0${type}`, () =>
    nodeResolve(specifier, importer, type, isRequire, usual));
  if (typeof found?.url !== "string") {
    throw new TypeError("A resolve hook must return an object with a url");
  }
  if (found.format) formats.set(found.url, found.format);
  return targetOf(found.url);
};

function answerPlugin(specifier, importer, isRequire) {
  if (plugins === undefined) return undefined;
  const question = `plugin ${specifier}\0${importer}`;
  return answerTo(question, () => plugins.resolve(specifier, importer, isRequire));
}

/** For require(): a file, an id, or undefined for the usual way. */
exports.resolveRequire = (request, importer) => exports.resolve(request, importer, "", true)?.[0];

// ---- Loading ----

const formats = new Map(); // url -> what a resolve hook said

function nodeLoad(url, path, type, isRequire) {
  const hooks = nodeHooks.filter((hook) => hook.load && !(isRequire && hook.isAsync));
  const usual = (nextUrl, context = {}) => {
    const [file] = targetOf(nextUrl);
    if (!file.startsWith("/")) {
      const { ERR_UNKNOWN_MODULE_FORMAT } = require("internal/errors");
      throw new ERR_UNKNOWN_MODULE_FORMAT(context.format, nextUrl);
    }
    const format = context.format ?? formatOf(file);
    const result = { format, source: esm.readText(file) };
    usualSources.set(result, result.source);
    return result;
  };
  let next = usual;
  for (const { load } of hooks) {
    const inner = next;
    next = (nextUrl, context) =>
      load(nextUrl, context, (innerUrl, innerContext) =>
        inner(innerUrl ?? nextUrl, { ...context, ...innerContext }));
  }
  const importAttributes = type === "" ? {} : { type };
  return next(url, { conditions: ["node", "import"], format: formats.get(url), importAttributes });
}

const usualSources = new WeakMap(); // what the last link of the chain has returned -> its source

const loaders = {
  __proto__: null,
  module: "mjs",
  commonjs: "cjs",
  "module-typescript": "mts",
  "commonjs-typescript": "cts",
  json: "json",
};

/** undefined: the usual way; else [loader of code, text] or ["object"], whose exports are kept. */
exports.load = (url, path, type, isRequire) => {
  const mocked =
    mocks === undefined ? undefined : answerTo(`mock load ${url}`, () => mocks.load(url, path));
  if (mocked !== undefined) return take(url, mocked);
  const fromPlugin = plugins === undefined
    ? undefined
    : answerTo(`plugin load ${url}`, () => plugins.load(path, isRequire));
  if (fromPlugin !== undefined) return take(url, fromPlugin);
  const asked = nodeHooks.some((hook) => hook.load && !(isRequire && hook.isAsync));
  if (!asked) return undefined;
  const href = urlOf(path, url.slice(path.length).replace(/#type=.*$/, ""));
  const found = answerTo(`load ${url}`, () => nodeLoad(href, path, type, isRequire));
  if (found === undefined || found === null || typeof found !== "object") {
    throw new TypeError("A load hook must return an object with format and source");
  }
  if (found.source === undefined || found.source === null) return undefined;
  if (usualSources.get(found) === found.source) return undefined;
  const loader = loaders[found.format] ?? "js";
  return take(url, { contents: found.source, loader });
};

function take(url, { contents, loader = "js", exports: object }) {
  if (loader === "object") {
    if (typeof object !== "object" || object === null) {
      throw new TypeError('onLoad with loader "object" must return { exports: object }');
    }
    given.set(url, { value: object, isData: false });
    return ["object"];
  }
  const text = typeof contents === "string" ? contents : new TextDecoder().decode(contents);
  if (codeLoaders.has(loader)) return [loader, text];
  given.set(url, { value: require("internal/data").valueOf(loader, text, url), isData: true });
  return ["object"];
}

exports.givenFor = (url) => given.get(url);

/** Does a hook load the file, whatever its ending says? */
exports.wants = (path) =>
  mocks?.wants(path) === true ||
  (path.startsWith("/") && nodeHooks.some((hook) => hook.load && !hook.isAsync)) ||
  (plugins !== undefined && plugins.wants(path));
