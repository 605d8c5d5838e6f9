// internal/vm_module -- vm.Module, vm.SourceTextModule and vm.SyntheticModule (Node: vm).
//
// native: compile(text, name) -> { text, requests, imports, exports, hasAwait }.  The text is that
// of a lowered module (docs/internals/modules.md) in a cycle: each import is read anew.
const errors = require("internal/errors");
const graph = require("internal/vm_module/graph");
const {
  validateArray, validateBoolean, validateFunction, validateObject, validateString, validateUint32,
} = require("internal/validators");

const states = new WeakMap(); // Module -> its record (graph.js)

function recordOf(value, name = "Module") {
  const record = value !== null && typeof value === "object" ? states.get(value) : undefined;
  if (record === undefined) throw new errors.ERR_INVALID_THIS(name);
  return record;
}

const vm = () => {
  require("node:vm");
  return require("internal/vm_module/parts");
};
const here = { nextModule: 0 }; // for modules of the main context

function expectStatus(record, list, text) {
  if (!list.includes(record.status)) throw new errors.ERR_VM_MODULE_STATUS(text);
}

class Module {
  constructor(token) {
    if (new.target === Module || token === undefined) {
      throw new TypeError("Module is not a constructor");
    }
  }

  get identifier() {
    return recordOf(this).identifier;
  }

  get context() {
    return recordOf(this).context?.object;
  }

  get status() {
    return recordOf(this).status;
  }

  get namespace() {
    const record = recordOf(this);
    expectStatus(record, ["linked", "evaluating", "evaluated", "errored"],
      "must not be unlinked or linking");
    return graph.namespaceOf(record);
  }

  get error() {
    const record = recordOf(this);
    expectStatus(record, ["errored"], "must be errored");
    return record.error;
  }

  async link(linker) {
    const record = recordOf(this);
    validateFunction(linker, "linker");
    if (record.isSynthetic) return;
    if (record.status === "linked") throw new errors.ERR_VM_MODULE_ALREADY_LINKED();
    expectStatus(record, ["unlinked"], "must be unlinked");
    await link(record, linker);
    instantiate(record);
  }

  evaluate(options = {}) {
    try {
      const record = recordOf(this);
      validateObject(options, "options");
      const { timeout, breakOnSigint = false } = options;
      if (timeout !== undefined) validateUint32(timeout, "options.timeout", true);
      validateBoolean(breakOnSigint, "options.breakOnSigint");
      expectStatus(record, ["linked", "evaluated", "errored"],
        "must be one of linked, evaluated, or errored");
      return evaluate(record, timeout ?? 0, breakOnSigint);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) {
    const { status, identifier, context } = { __proto__: null, ...brief(recordOf(this)) };
    const { name } = this.constructor;
    if (typeof depth === "number" && depth < 0) return `[${name}]`;
    inspect ??= require("node:util").inspect;
    return inspect(
      Object.assign(new { [name]: class {} }[name](), { status, identifier, context }), options,
    );
  }
}

const brief = ({ status, identifier, context }) => ({
  status, identifier, context: context?.object,
});

/** Options that both kinds have: { identifier, context }. */
function checkOptions(options) {
  validateObject(options, "options");
  const { identifier, context } = options;
  if (identifier !== undefined) validateString(identifier, "options.identifier");
  const where = context === undefined ? undefined : vm().contextOf(context, "options.context");
  const counter = where ?? here;
  return { identifier: identifier ?? `vm:module(${counter.nextModule++})`, context: where };
}

// ---- Linking

async function resolveRequest(record, linker, request) {
  const { specifier, attributes } = request;
  const module = await linker(specifier, record.module, { attributes, assert: attributes });
  return { module, target: takeModule(record, specifier, module) };
}

function takeModule(record, specifier, module) {
  const target = module !== null && typeof module === "object" ? states.get(module) : undefined;
  if (target === undefined) throw new errors.ERR_VM_MODULE_NOT_MODULE();
  if (target.context !== record.context) throw new errors.ERR_VM_MODULE_DIFFERENT_CONTEXT();
  if (target.status === "errored") {
    throw new errors.ERR_VM_MODULE_LINK_FAILURE(
      `request for '${specifier}' resolved to an errored module`, { cause: target.error },
    );
  }
  return target;
}

async function link(record, linker) {
  record.status = "linking";
  try {
    const found = await Promise.all(
      record.requests.map((request) => resolveRequest(record, linker, request)),
    );
    record.deps = found.map(({ target }) => target);
    for (const target of record.deps) {
      if (target.status === "unlinked") await link(target, linker);
    }
  } catch (error) {
    graph.fail(record, error);
    throw error;
  }
}

function instantiate(record) {
  try {
    graph.instantiate(record);
  } catch (error) {
    if (error?.code !== "ERR_VM_MODULE_LINK_FAILURE") graph.fail(record, error);
    throw error;
  }
}

// ---- Evaluating

function evaluate(record, timeout, breakOnSigint) {
  const { native } = vm();
  let result;
  const run = () => {
    result = graph.evaluate(record);
  };
  const after = record.context?.drain;
  if (timeout === 0 && !breakOnSigint) {
    run();
    after?.();
    return result;
  }
  try {
    native.within(run, timeout, breakOnSigint, after);
  } catch (error) {
    const reason = vm().limitError(error, timeout);
    graph.fail(record, reason);
    return Promise.reject(reason);
  }
  return result;
}

// ---- Source text

class SourceTextModule extends Module {
  constructor(sourceText, options = {}) {
    super(states);
    validateString(sourceText, "sourceText");
    const { initializeImportMeta, importModuleDynamically, cachedData } = checkSource(options);
    const { identifier, context } = checkOptions(options);
    if (cachedData !== undefined) {
      const expected = vm().cacheOf(sourceText);
      if (!expected.equals(vm().bytesOf(cachedData))) {
        throw new errors.ERR_VM_MODULE_CACHED_DATA_REJECTED();
      }
    }
    const compiled = native.compile(sourceText, identifier);
    const record = graph.sourceRecord(this, identifier, context, compiled);
    record.sourceText = sourceText;
    record.load = () => load(record, compiled.text);
    record.initializeImportMeta = initializeImportMeta;
    record.importer = importModuleDynamically;
    states.set(this, record);
  }

  get dependencySpecifiers() {
    const record = recordOf(this, "SourceTextModule");
    return (record.specifiers ??= Object.freeze(
      record.requests.map(({ specifier }) => specifier),
    ));
  }

  get moduleRequests() {
    const record = recordOf(this, "SourceTextModule");
    return (record.moduleRequests ??= Object.freeze(record.requests.map((request) =>
      Object.freeze({ __proto__: null, ...request, phase: "evaluation" }))));
  }

  get status() {
    return recordOf(this, "SourceTextModule").status;
  }

  get error() {
    return super.error;
  }

  linkRequests(modules) {
    const record = recordOf(this, "SourceTextModule");
    expectStatus(record, ["unlinked"], "must be unlinked");
    validateArray(modules, "modules");
    if (modules.length !== record.requests.length) {
      throw new errors.ERR_MODULE_LINK_MISMATCH(
        `Expected ${record.requests.length} modules, got ${modules.length}`,
      );
    }
    checkSame(record.requests, modules);
    record.deps = modules.map((module, i) =>
      takeModule(record, record.requests[i].specifier, module));
    record.isRequested = true;
  }

  instantiate() {
    const record = recordOf(this, "SourceTextModule");
    if (record.status !== "unlinked") return;
    instantiate(record);
  }

  hasTopLevelAwait() {
    return recordOf(this, "SourceTextModule").hasAwait;
  }

  hasAsyncGraph() {
    const record = recordOf(this, "SourceTextModule");
    expectStatus(record, ["linked", "evaluating", "evaluated", "errored"], "must be instantiated");
    return graph.isAsync(record);
  }

  createCachedData() {
    const record = recordOf(this, "SourceTextModule");
    if (!["unlinked", "linked", "linking"].includes(record.status)) {
      throw new errors.ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA();
    }
    return vm().cacheOf(record.sourceText);
  }
}

/** The same request must be answered with the same module. */
function checkSame(requests, modules) {
  const seen = new Map();
  for (let i = 0; i < requests.length; i++) {
    const { specifier, attributes } = requests[i];
    const key = JSON.stringify([specifier, Object.entries(attributes).sort()]);
    if (seen.has(key) && seen.get(key) !== modules[i]) {
      throw new errors.ERR_MODULE_LINK_MISMATCH(
        `Module request '${specifier}' at index ${i} must be linked to the same module`,
      );
    }
    seen.set(key, modules[i]);
  }
}

function checkSource(options) {
  validateObject(options, "options");
  const { initializeImportMeta, importModuleDynamically, cachedData } = options;
  if (initializeImportMeta !== undefined) {
    validateFunction(initializeImportMeta, "options.initializeImportMeta");
  }
  require("internal/vm_import").check(importModuleDynamically);
  if (cachedData !== undefined && !ArrayBuffer.isView(cachedData)) {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "options.cachedData", ["Buffer", "TypedArray", "DataView"], cachedData,
    );
  }
  return { initializeImportMeta, importModuleDynamically, cachedData };
}

/** The module's function. */
function load(record, text) {
  const program = { text, url: record.identifier, line: 1, names: [] };
  return vm().evaluate(record.context, program, { timeout: 0, breakOnSigint: false });
}

// ---- Synthetic

class SyntheticModule extends Module {
  constructor(exportNames, evaluateCallback, options = {}) {
    super(states);
    if (!Array.isArray(exportNames) || exportNames.some((name) => typeof name !== "string")) {
      throw new errors.ERR_INVALID_ARG_TYPE(
        "exportNames", "Array of unique strings", exportNames,
      );
    }
    const seen = new Set();
    for (const name of exportNames) {
      if (seen.has(name)) {
        throw new errors.ERR_INVALID_ARG_VALUE(`exportNames.${name}`, name, "is duplicated");
      }
      seen.add(name);
    }
    validateFunction(evaluateCallback, "evaluateCallback");
    const { identifier, context } = checkOptions(options);
    const run = () => evaluateCallback.call(this);
    states.set(this, graph.syntheticRecord(this, identifier, context, { exportNames, run }));
  }

  setExport(name, value) {
    const record = recordOf(this, "SyntheticModule");
    validateString(name, "name");
    if (!record.values.has(name)) {
      throw new ReferenceError(`Export '${name}' is not defined in module`);
    }
    record.values.set(name, value);
  }
}

exports.Module = Module;
exports.SourceTextModule = SourceTextModule;
exports.SyntheticModule = SyntheticModule;
/** Of what a program gave where a module is wanted: its record, or undefined. */
exports.findRecord = (value) =>
  value !== null && typeof value === "object" ? states.get(value) : undefined;
