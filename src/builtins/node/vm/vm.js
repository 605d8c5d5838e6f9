// node:vm -- scripts, and global objects of their own (Node: vm).
//
// native: makeContext(sandbox or undefined) -> { global }; declared(text) -> names;
// eval(handle or null, text, names, url, line, timeoutMs, breakOnSigint, after) throws 1 when the
// time was up and 2 when Ctrl-C was pressed; check(text, url, line) throws a SyntaxError; drain().
const errors = require("internal/errors");
const {
  validateArray,
  validateBoolean,
  validateInt32,
  validateObject,
  validateOneOf,
  validateString,
  validateUint32,
} = require("internal/validators");

const DONT_CONTEXTIFY = Symbol("vm_context_no_contextify");
const USE_MAIN_CONTEXT_DEFAULT_LOADER = Symbol("vm_dynamic_import_main_context_default");
// sandbox, or a context's global -> { handle, sandbox, drain, nextModule }
const contexts = new WeakMap();
const TIMEOUT = 1;
const INTERRUPTED = 2;

// ---- Contexts

function isContext(object) {
  validateObject(object, "object", { allowArray: true, allowFunction: true });
  return contexts.has(object);
}

function contextOf(object, name = "contextifiedObject") {
  const isObject = object !== null && (typeof object === "object" || typeof object === "function");
  const found = isObject ? contexts.get(object) : undefined;
  if (found === undefined) throw new errors.ERR_INVALID_ARG_TYPE(name, "vm.Context", object);
  return found;
}

function checkContextOptions(options) {
  validateObject(options, "options");
  const { codeGeneration } = options;
  for (let i = 0, all = ["name", "origin"]; i < all.length; i++) {
    const name = all[i];
    if (options[name] !== undefined) validateString(options[name], `options.${name}`);
  }
  if (codeGeneration !== undefined) {
    validateObject(codeGeneration, "options.codeGeneration");
    for (let i = 0, all = ["strings", "wasm"]; i < all.length; i++) {
      const name = all[i];
      const value = codeGeneration[name];
      if (value !== undefined) validateBoolean(value, `options.codeGeneration.${name}`);
    }
  }
  const { microtaskMode } = options;
  if (microtaskMode !== undefined) {
    validateOneOf(microtaskMode, "options.microtaskMode", ["afterEvaluate", undefined]);
  }
}

function addContext(sandbox, options) {
  const handle = native.makeContext(sandbox);
  const { global } = handle;
  const context = { handle, object: sandbox ?? global, drain: undefined, nextModule: 0 };
  if (options.microtaskMode === "afterEvaluate") context.drain = native.drain;
  if (options.codeGeneration !== undefined) limitCode(handle, options.codeGeneration);
  contexts.set(context.object, context);
  contexts.set(global, context);
  require("internal/vm_memory").add(context.object);
  return context.object;
}

/** Without strings eval() and new Function() throw, without wasm WebAssembly.Module does. */
function limitCode(handle, { strings = true, wasm = true }) {
  const run = (text) => native.eval(handle, text, [], "node:vm", 1, 0, false, undefined);
  if (!strings) {
    run(`(function (message) {
      const refuse = () => { throw new EvalError(message); };
      const { defineProperty } = Object;
      const hidden = { configurable: true, writable: true, enumerable: false };
      defineProperty(globalThis, "eval", { ...hidden, value: function eval(x) {
        return typeof x === "string" ? refuse() : x;
      } });
      for (let i = 0, all = [function () {}, async function () {}, function* () {},
          async function* () {}]; i < all.length; i++) {
        const f = all[i];
        const proto = Object.getPrototypeOf(f);
        const made = new Proxy(proto.constructor, { apply: refuse, construct: refuse });
        defineProperty(proto, "constructor", { ...hidden, value: made });
        if (f === Function) globalThis.Function = made;
      }
    })`)("Code generation from strings disallowed for this context");
  }
  if (wasm) return;
  run(`(function (message) {
    const refuse = () => { throw new WebAssembly.CompileError(message); };
    WebAssembly.Module = new Proxy(WebAssembly.Module, { construct: refuse });
    WebAssembly.compile = async () => refuse();
    WebAssembly.instantiate = async () => refuse();
  })`)("WebAssembly.Module(): Wasm code generation disallowed by embedder");
}

function createContext(contextObject = {}, options = {}) {
  if (contextObject === DONT_CONTEXTIFY) {
    checkContextOptions(options);
    return addContext(undefined, options);
  }
  if (isContext(contextObject)) return contextObject;
  checkContextOptions(options);
  return addContext(contextObject, options);
}

// ---- Scripts

function isFilename(options) {
  return typeof options === "string" ? { filename: options } : options;
}

function checkScriptOptions(options) {
  const { filename = "evalmachine.<anonymous>", lineOffset = 0, columnOffset = 0 } = options;
  validateString(filename, "options.filename");
  validateInt32(lineOffset, "options.lineOffset");
  validateInt32(columnOffset, "options.columnOffset");
  const { cachedData, produceCachedData = false } = options;
  if (cachedData !== undefined && !ArrayBuffer.isView(cachedData)) {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "options.cachedData", ["Buffer", "TypedArray", "DataView"], cachedData,
    );
  }
  validateBoolean(produceCachedData, "options.produceCachedData");
  return { filename, line: lineOffset + 1 };
}

const NO_LIMITS = { timeout: 0, breakOnSigint: false };

/** { timeout, breakOnSigint } of a run. */
function checkRunOptions(options) {
  if (options === undefined) return NO_LIMITS;
  validateObject(options, "options");
  const { displayErrors = true, breakOnSigint = false, timeout } = options;
  if (timeout !== undefined) validateUint32(timeout, "options.timeout", true);
  validateBoolean(displayErrors, "options.displayErrors");
  validateBoolean(breakOnSigint, "options.breakOnSigint");
  return { timeout: timeout ?? 0, breakOnSigint };
}

/** What a native that runs something within limits threw, as Node has it. */
function limitError(error, timeout) {
  if (error === TIMEOUT) return new errors.ERR_SCRIPT_EXECUTION_TIMEOUT(timeout);
  if (error === INTERRUPTED) return new errors.ERR_SCRIPT_EXECUTION_INTERRUPTED();
  return error;
}

/** Runs a text; `where` is a context, or undefined for this one. */
function evaluate(where, program, limits) {
  const { text, url, line } = program;
  if (where !== undefined) program.names ??= native.declared(text);
  const handle = where === undefined ? null : where.handle;
  const { timeout, breakOnSigint } = limits;
  const isLimited = timeout !== 0 || breakOnSigint;
  const after = where?.drain;
  try {
    return native.eval(handle, text, program.names, url, line, timeout, breakOnSigint, after);
  } catch (error) {
    throw isLimited ? limitError(error, timeout) : error;
  }
}

class Script {
  #program;

  constructor(code, options = {}) {
    options = isFilename(options);
    validateObject(options, "options");
    const text = `${code}`;
    const { filename, line } = checkScriptOptions(options);
    const { importModuleDynamically } = options;
    native.check(text, filename, line);
    const url = require("internal/vm_import").urlOf(text, filename, importModuleDynamically, this);
    this.#program = { text, url, line, names: undefined };
    if (options.cachedData !== undefined) {
      this.cachedDataRejected = !this.createCachedData().equals(bytesOf(options.cachedData));
    }
    if (options.produceCachedData) {
      this.cachedDataProduced = true;
      this.cachedData = this.createCachedData();
    }
    const map = /\/\/[#@] sourceMappingURL=(\S+)/.exec(text);
    this.sourceMapURL = map === null ? undefined : map[1];
  }

  runInThisContext(options) {
    return evaluate(undefined, this.#program, checkRunOptions(options));
  }

  runInContext(contextifiedObject, options) {
    const context = contextOf(contextifiedObject);
    return evaluate(context, this.#program, checkRunOptions(options));
  }

  runInNewContext(contextObject, options) {
    if (typeof this.runInContext !== "function") {
      throw new TypeError("this.runInContext is not a function");
    }
    return this.runInContext(createContext(contextObject, newContextOptions(options)), options);
  }

  /** There is no code cache: this only tells whether it belongs to the same text. */
  createCachedData() {
    return cacheOf(this.#program.text);
  }
}

const cacheOf = (text) => {
  const { hash } = require("bun:hash");
  return require("node:buffer").Buffer.from(`cob ${text.length} ${hash(text)}`);
};

const bytesOf = (view) =>
  require("node:buffer").Buffer.from(view.buffer, view.byteOffset, view.byteLength);

function newContextOptions(options) {
  if (options === undefined || typeof options === "string") return {};
  validateObject(options, "options");
  const { contextName, contextOrigin, contextCodeGeneration, microtaskMode } = options;
  const found = {};
  if (contextName !== undefined) {
    validateString(contextName, "options.contextName");
    found.name = contextName;
  }
  if (contextOrigin !== undefined) {
    validateString(contextOrigin, "options.contextOrigin");
    found.origin = contextOrigin;
  }
  if (contextCodeGeneration !== undefined) {
    validateObject(contextCodeGeneration, "options.contextCodeGeneration");
    for (let i = 0, all = ["strings", "wasm"]; i < all.length; i++) {
      const name = all[i];
      const value = contextCodeGeneration[name];
      if (value !== undefined) validateBoolean(value, `options.contextCodeGeneration.${name}`);
    }
    found.codeGeneration = contextCodeGeneration;
  }
  if (microtaskMode !== undefined) found.microtaskMode = microtaskMode;
  return found;
}

function runInThisContext(code, options) {
  options = isFilename(options);
  return new Script(code, options).runInThisContext(options);
}

function runInContext(code, contextifiedObject, options) {
  contextOf(contextifiedObject);
  options = isFilename(options);
  return new Script(code, options).runInContext(contextifiedObject, options);
}

function runInNewContext(code, contextObject, options) {
  options = isFilename(options);
  const context = createContext(contextObject, newContextOptions(options));
  return runInContext(code, context, options);
}

function createScript(code, options) {
  return new Script(code, options);
}

// ---- compileFunction

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

function compileFunction(code, params, options = {}) {
  validateString(code, "code");
  if (params !== undefined) {
    validateArray(params, "params");
    params.forEach((param, i) => validateString(param, `params[${i}]`));
  }
  validateObject(options, "options");
  const { filename = "", lineOffset = 0, parsingContext, contextExtensions = [] } = options;
  const { line } = checkScriptOptions({ ...options, filename });
  if (parsingContext !== undefined && !contexts.has(Object(parsingContext))) {
    throw new errors.ERR_INVALID_ARG_TYPE("options.parsingContext", "Context", parsingContext);
  }
  validateArray(contextExtensions, "options.contextExtensions");
  contextExtensions.forEach((extension, i) => {
    validateObject(extension, `options.contextExtensions[${i}]`, { allowNullable: false });
  });
  const names = params ?? [];
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (!IDENTIFIER.test(name)) throw new SyntaxError(`Unexpected token '${name}'`);
  }
  // The body alone must be one: what closes the function would otherwise go unseen.
  native.check(`(function () {${code}\n})`, filename, lineOffset + 1);
  const head = contextExtensions.map((_, i) => `with (arguments[0][${i}]) `).join("");
  const text = `(function () { ${head}return function (${names.join(", ")}) {${code}\n}; })`;
  const where = parsingContext === undefined ? undefined : contextOf(parsingContext);
  const referrer = {};
  const { importModuleDynamically } = options;
  const url = require("internal/vm_import").urlOf(
    code, filename, importModuleDynamically, () => referrer.fn,
  );
  const fn = evaluate(where, { text, url, line, names: [] }, NO_LIMITS)(contextExtensions);
  referrer.fn = fn;
  if (options.produceCachedData) {
    fn.cachedDataProduced = true;
    fn.cachedData = require("node:buffer").Buffer.from("cob");
  }
  if (options.cachedData !== undefined) fn.cachedDataRejected = true;
  return fn;
}

function measureMemory(options = {}) {
  validateObject(options, "options");
  const { mode = "summary", execution = "default" } = options;
  validateOneOf(mode, "options.mode", ["summary", "detailed"]);
  validateOneOf(execution, "options.execution", ["default", "eager"]);
  return require("internal/vm_memory").measure(mode);
}

Object.assign(exports, {
  Script,
  createContext,
  createScript,
  runInContext,
  runInNewContext,
  runInThisContext,
  isContext,
  compileFunction,
  measureMemory,
  constants: Object.freeze({
    __proto__: null,
    USE_MAIN_CONTEXT_DEFAULT_LOADER,
    DONT_CONTEXTIFY,
  }),
});

for (let i = 0, all = ["Module", "SourceTextModule", "SyntheticModule"]; i < all.length; i++) {
  const name = all[i];
  Object.defineProperty(exports, name, {
    get: () => require("internal/vm_module")[name],
    enumerable: true,
    configurable: true,
  });
}

Object.assign(require("internal/vm_module/parts"), {
  native,
  contextOf,
  findContext: (object) => contexts.get(object),
  checkRunOptions,
  evaluate,
  limitError,
  cacheOf,
  bytesOf,
});
