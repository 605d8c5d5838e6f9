// @internal
// node:module/hooks -- module.registerHooks() and module.register() (Node: module, customization
// hooks). Hooks of register() run in this thread, after the modules that register them; require()
// asks only those of registerHooks().
const hooks = require("internal/module_hooks");

function checkHook(hook, name) {
  if (hook !== undefined) require("internal/validators").validateFunction(hook, name);
}

/** Synchronous hooks, for import and require. */
exports.registerHooks = function registerHooks({ resolve, load } = {}) {
  checkHook(resolve, "hooks.resolve");
  checkHook(load, "hooks.load");
  const remove = hooks.addNodeHooks({ resolve, load, isAsync: false });
  return {
    deregister() {
      remove();
    },
  };
};

/**
 * Asynchronous hooks from a module, for import. What is imported later waits until the module has
 * run and its initialize() is done.
 */
exports.register = function register(specifier, parentURL = undefined, options = undefined) {
  const isOptions = parentURL !== null && typeof parentURL === "object" &&
    !require("web/url").isURL(parentURL);
  const settings = isOptions ? parentURL : (options ?? {});
  const parent = isOptions ? settings.parentURL : parentURL;
  const { fileURLToPath } = require("internal/file_url");
  const from = parent === undefined || `${parent}` === "data:"
    ? `${process.cwd()}/noop.js`
    : `${parent}`.startsWith("file:") ? fileURLToPath(parent) : `${parent}`;
  const state = { hooks: undefined, error: undefined, own: new Set(), specifier, from };
  hooks.addNodeHooks({ ...makeHooks(state), isAsync: true });
  state.ready = load(state, settings.data).then(
    (found) => (state.hooks = found),
    (error) => (state.error = { value: error }),
  );
};

async function load({ specifier, from }, data) {
  const module = await require("internal/esm").importFrom(from, `${specifier}`);
  await module.initialize?.(data);
  return module;
}

/** What its own module imports is not asked about; all else waits until that has run. */
function makeHooks(state) {
  const call = async (name, subject, context, next) => {
    await state.ready;
    if (state.error !== undefined) throw state.error.value;
    const hook = state.hooks[name];
    return typeof hook === "function" ? hook(subject, context, next) : next(subject, context);
  };
  const { pathToFileURL } = require("internal/file_url");
  const fromUrl = state.from.startsWith("/") ? pathToFileURL(state.from).href : state.from;
  return {
    async resolve(subject, context, next) {
      const { parentURL } = context;
      const isFirst = state.hooks === undefined && subject === `${state.specifier}` &&
        parentURL === fromUrl;
      if (!isFirst && !state.own.has(parentURL)) return call("resolve", subject, context, next);
      const result = await next(subject, context);
      state.own.add(result.url);
      return result;
    },
    async load(url, context, next) {
      return state.own.has(url) ? next(url, context) : call("load", url, context, next);
    },
  };
}
