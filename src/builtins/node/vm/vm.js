// node:vm -- scripts, and global objects of their own (Node: vm).
//
// native: makeContext(sandbox) -> { global }; evalIn(handle, sandbox, text, url, line);
// evalHere(text, url, line); check(text, url, line) throws a SyntaxError.
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
const contexts = new WeakMap(); // sandbox, or a context's global -> { handle, sandbox }

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
  for (const name of ["name", "origin"]) {
    if (options[name] !== undefined) validateString(options[name], `options.${name}`);
  }
  if (codeGeneration !== undefined) {
    validateObject(codeGeneration, "options.codeGeneration");
    for (const name of ["strings", "wasm"]) {
      const value = codeGeneration[name];
      if (value !== undefined) validateBoolean(value, `options.codeGeneration.${name}`);
    }
  }
  const { microtaskMode } = options;
  if (microtaskMode !== undefined) {
    validateOneOf(microtaskMode, "options.microtaskMode", ["afterEvaluate", undefined]);
  }
}

function createContext(contextObject = {}, options = {}) {
  if (contextObject === DONT_CONTEXTIFY) {
    checkContextOptions(options);
    const sandbox = {};
    const context = { handle: native.makeContext(sandbox), sandbox };
    contexts.set(context.handle.global, context);
    return context.handle.global;
  }
  if (isContext(contextObject)) return contextObject;
  checkContextOptions(options);
  const handle = native.makeContext(contextObject);
  const context = { handle, sandbox: contextObject };
  contexts.set(contextObject, context);
  contexts.set(handle.global, context);
  return contextObject;
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

/** Options of a run; a limit of time is not kept. */
function checkRunOptions(options = {}) {
  options ??= {};
  validateObject(options, "options");
  const { displayErrors = true, breakOnSigint = false, timeout } = options;
  validateBoolean(displayErrors, "options.displayErrors");
  validateBoolean(breakOnSigint, "options.breakOnSigint");
  if (timeout !== undefined) validateUint32(timeout, "options.timeout", true);
}

class Script {
  #text;
  #filename;
  #line;

  constructor(code, options = {}) {
    options = isFilename(options);
    validateObject(options, "options");
    this.#text = `${code}`;
    const { filename, line } = checkScriptOptions(options);
    this.#filename = filename;
    this.#line = line;
    native.check(this.#text, filename, line);
    if (options.cachedData !== undefined) {
      this.cachedDataRejected = !this.createCachedData().equals(bytesOf(options.cachedData));
    }
    if (options.produceCachedData) {
      this.cachedDataProduced = true;
      this.cachedData = this.createCachedData();
    }
    const map = /\/\/[#@] sourceMappingURL=(\S+)/.exec(this.#text);
    this.sourceMapURL = map === null ? undefined : map[1];
  }

  runInThisContext(options) {
    checkRunOptions(options);
    return native.evalHere(this.#text, this.#filename, this.#line);
  }

  runInContext(contextifiedObject, options) {
    const { handle, sandbox } = contextOf(contextifiedObject);
    checkRunOptions(options);
    return native.evalIn(handle, sandbox, this.#text, this.#filename, this.#line);
  }

  runInNewContext(contextObject, options) {
    return this.runInContext(createContext(contextObject, newContextOptions(options)), options);
  }

  /** There is no code cache: this only tells whether it belongs to the same text. */
  createCachedData() {
    const { hash } = require("bun:hash");
    return require("node:buffer").Buffer.from(`cob ${this.#text.length} ${hash(this.#text)}`);
  }
}

const bytesOf = (view) =>
  require("node:buffer").Buffer.from(view.buffer, view.byteOffset, view.byteLength);

function newContextOptions(options) {
  if (options === undefined || options === null || typeof options === "string") return {};
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
    for (const name of ["strings", "wasm"]) {
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
  for (const name of names) {
    if (!IDENTIFIER.test(name)) throw new SyntaxError(`Unexpected token '${name}'`);
  }
  // The body alone must be one: what closes the function would otherwise go unseen.
  native.check(`(function () {${code}\n})`, filename, lineOffset + 1);
  const head = contextExtensions.map((_, i) => `with (arguments[0][${i}]) `).join("");
  const text = `(function () { ${head}return function (${names.join(", ")}) {${code}\n}; })`;
  const make =
    parsingContext === undefined
      ? native.evalHere(text, filename, line)
      : (({ handle, sandbox }) => native.evalIn(handle, sandbox, text, filename, line))(
          contextOf(parsingContext),
        );
  const fn = make(contextExtensions);
  if (options.produceCachedData) {
    fn.cachedDataProduced = true;
    fn.cachedData = require("node:buffer").Buffer.from("cob");
  }
  if (options.cachedData !== undefined) fn.cachedDataRejected = true;
  return fn;
}

function measureMemory(options = {}) {
  validateObject(options, "options");
  validateOneOf(options.mode ?? "summary", "options.mode", ["summary", "detailed"]);
  validateOneOf(options.execution ?? "default", "options.execution", ["default", "eager"]);
  const { heapUsed } = process.memoryUsage();
  const total = { jsMemoryEstimate: heapUsed, jsMemoryRange: [heapUsed, heapUsed] };
  return Promise.resolve({ total });
}

function missing(name) {
  return {
    [name]: class {
      constructor() {
        throw errors.notImplemented(`vm.${name}`);
      }
    },
  }[name];
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
  Module: missing("Module"),
  SourceTextModule: missing("SourceTextModule"),
  SyntheticModule: missing("SyntheticModule"),
});
