// internal/vm_module/graph -- records of modules; how they are linked and evaluated (ECMA-262,
// 16.2.1).
//
// A record: { module, identifier, context, status, error, isSynthetic, requests, deps, hasAwait },
// of source text also { compiled, getters, load }, of synthetic ones { values, run }.
const { ERR_VM_MODULE_LINK_FAILURE } = require("internal/errors");
const { makeNamespace } = require("internal/esm");

// Kinds of exports, as compile() gives them.
const LOCAL = 0;
const INDIRECT = 1;
const NAMESPACE = 2;
const STAR = 3;
const AMBIGUOUS = Symbol("ambiguous");

const { defineProperty } = Object;

function attributesOf(pairs) {
  const attributes = { __proto__: null };
  for (let i = 0; i < pairs.length; i += 2) attributes[pairs[i]] = pairs[i + 1];
  return attributes;
}

/** What exports are until the module runs: those that are none here cannot be read yet. */
function gettersBefore(vars) {
  const getters = { __proto__: null };
  for (const name of vars) getters[name] = () => undefined;
  return getters;
}

exports.sourceRecord = function sourceRecord(module, identifier, context, compiled) {
  return {
    module, identifier, context, compiled,
    status: "unlinked",
    error: undefined,
    isSynthetic: false,
    isRequested: false,
    requests: compiled.requests.map(({ 0: specifier, 1: pairs }) => ({
      specifier, attributes: attributesOf(pairs),
    })),
    deps: undefined,
    hasAwait: compiled.hasAwait,
    getters: gettersBefore(compiled.vars),
    load: undefined,
    body: undefined, // what runs it, once its functions are hoisted
    pending: undefined, // promise, while something below awaits
    namespace: undefined,
  };
};

exports.syntheticRecord = function syntheticRecord(module, identifier, context, parts) {
  return {
    module, identifier, context,
    status: "linked",
    error: undefined,
    isSynthetic: true,
    requests: [],
    deps: [],
    hasAwait: false,
    values: new Map(parts.exportNames.map((name) => [name, undefined])),
    run: parts.run,
    pending: undefined,
    namespace: undefined,
  };
};

exports.fail = function fail(record, error) {
  record.status = "errored";
  record.error = error;
};

// ---- Names

function exportedNames(record, seen = new Set()) {
  if (seen.has(record)) return [];
  seen.add(record);
  if (record.isSynthetic) return [...record.values.keys()];
  const names = new Set();
  for (const { 0: kind, 1: name, 3: request } of record.compiled.exports) {
    if (kind !== STAR) {
      names.add(name);
      continue;
    }
    for (const other of exportedNames(record.deps[request], seen)) {
      if (other !== "default") names.add(other);
    }
  }
  return [...names];
}

/** { record, name } with name null for a namespace; null when there is none; AMBIGUOUS. */
function resolveExport(record, name, seen = []) {
  if (seen.some((one) => one.record === record && one.name === name)) return null;
  seen.push({ record, name });
  if (record.isSynthetic) return record.values.has(name) ? { record, name } : null;
  const { exports: list } = record.compiled;
  for (const { 0: kind, 1: exported, 2: local, 3: request } of list) {
    if (kind === STAR || exported !== name) continue;
    if (kind === LOCAL) return { record, name };
    if (kind === NAMESPACE) return { record: record.deps[request], name: null };
    return resolveExport(record.deps[request], local, seen);
  }
  return name === "default" ? null : resolveStar(record, name, seen);
}

function resolveStar(record, name, seen) {
  let found = null;
  for (const { 0: kind, 3: request } of record.compiled.exports) {
    if (kind !== STAR) continue;
    const one = resolveExport(record.deps[request], name, seen);
    if (one === AMBIGUOUS) return AMBIGUOUS;
    if (one === null) continue;
    if (found === null) found = one;
    else if (found.record !== one.record || found.name !== one.name) return AMBIGUOUS;
  }
  return found;
}

function read({ record, name }) {
  if (name === null) return namespaceOf(record);
  if (record.isSynthetic) return record.values.get(name);
  const get = record.getters[name];
  if (get === undefined) {
    throw new ReferenceError(`Cannot access '${name}' before initialization`);
  }
  return get();
}

function addGetter(object, key, found) {
  defineProperty(object, key, {
    get: () => read(found), enumerable: true, configurable: true,
  });
}

function namespaceOf(record) {
  if (record.namespace !== undefined) return record.namespace;
  const object = { __proto__: null };
  const names = [];
  for (const name of exportedNames(record)) {
    const found = resolveExport(record, name);
    if (found === null || found === AMBIGUOUS) continue;
    names.push(name);
    addGetter(object, name, found);
  }
  record.namespace = makeNamespace(object, names);
  return record.namespace;
}
exports.namespaceOf = namespaceOf;

// ---- Linking

/** Checks the whole graph and gives its modules the status "linked". */
exports.instantiate = function instantiate(record) {
  const all = [];
  if (record.deps === undefined) throw notLinked(record);
  collect(record, all);
  for (const one of all) checkNames(one);
  for (const one of all) if (!one.isSynthetic) one.status = "linked";
};

const notLinked = (record) => new ERR_VM_MODULE_LINK_FAILURE(
  `request for '${record.requests[0]?.specifier ?? ""}' is not yet fulfilled`, undefined,
);

function collect(record, all) {
  if (all.includes(record) || !["unlinked", "linking"].includes(record.status)) return;
  if (record.requests.length === 0) record.deps ??= [];
  if (record.deps === undefined) throw notLinked(record);
  all.push(record);
  for (const dep of record.deps) collect(dep, all);
}

function missing(record, request, name, found) {
  const { specifier } = record.requests[request];
  return new SyntaxError(
    found === AMBIGUOUS
      ? `The requested module '${specifier}' contains conflicting star exports for name '${name}'`
      : `The requested module '${specifier}' does not provide an export named '${name}'`,
  );
}

function checkNames(record) {
  if (record.isSynthetic) return;
  for (const { 0: request, 1: name } of record.compiled.imports) {
    if (name === null) continue;
    const found = resolveExport(record.deps[request], name);
    if (found === null || found === AMBIGUOUS) throw missing(record, request, name, found);
  }
  for (const { 0: kind, 2: name, 3: request } of record.compiled.exports) {
    if (kind !== INDIRECT) continue;
    const found = resolveExport(record.deps[request], name);
    if (found === null || found === AMBIGUOUS) throw missing(record, request, name, found);
  }
}

exports.isAsync = function isAsync(record, seen = new Set()) {
  if (seen.has(record)) return false;
  seen.add(record);
  return record.hasAwait || record.deps.some((dep) => isAsync(dep, seen));
};

// ---- Evaluating

/** What the lowered function gets as $cob. */
function makeContext(record) {
  return {
    __proto__: null,
    e(getters) {
      Object.assign(record.getters, getters);
    },
    ns: (i) => namespaceOf(record.deps[i]),
    get meta() {
      const meta = { __proto__: null };
      defineProperty(this, "meta", { value: meta });
      record.initializeImportMeta?.(meta, record.module);
      return meta;
    },
    i: (specifier, options, phase) =>
      ownPromise(record, require("internal/vm_import").importFor(
        record.importer, record.module, { specifier, options, phase },
      )),
    n(get) {
      let value;
      try {
        value = get();
      } catch {
        return;
      }
      const own =
        typeof value === "function" ? Object.getOwnPropertyDescriptor(value, "name") : undefined;
      if (own?.value === "_default") defineProperty(value, "name", { value: "default" });
    },
  };
}

/** A promise of the module's context. */
function ownPromise({ context }, promise) {
  if (context === undefined) return promise;
  const program = { text: "(async (p) => p)", url: "node:vm", line: 1, names: [] };
  const { evaluate } = require("internal/vm_module/parts");
  context.wrap ??= evaluate(context, program, { timeout: 0, breakOnSigint: false });
  return context.wrap(promise);
}

function makeImports(record, request) {
  const object = { __proto__: null };
  for (const { 0: at, 1: name } of record.compiled.imports) {
    if (at === request && name !== null) {
      addGetter(object, name, resolveExport(record.deps[request], name));
    }
  }
  return object;
}

/** Hoists its functions. */
function prepare(record) {
  if (record.isSynthetic || record.body !== undefined) return;
  const fn = record.load();
  const args = record.requests.map((_, i) => makeImports(record, i));
  const context = makeContext(record);
  if (record.hasAwait) {
    record.body = () => fn(context, ...args);
    return;
  }
  const steps = fn(context, ...args);
  steps.next();
  record.body = () => void steps.next();
}

/** Below `record` and itself, what has to run, in order. */
function order(record, list, seen) {
  if (seen.has(record) || record.status !== "linked") return;
  seen.add(record);
  for (const dep of record.deps) order(dep, list, seen);
  list.push(record);
}

function runOne(record) {
  record.status = "evaluating";
  if (record.isSynthetic) {
    record.run();
    record.status = "evaluated";
    return;
  }
  const failed = record.deps.find((dep) => dep.status === "errored");
  if (failed !== undefined) throw failed.error;
  const waits = record.deps.map((dep) => dep.pending).filter((one) => one !== undefined);
  const done = waits.length > 0 ? Promise.all(waits).then(record.body) : record.body();
  if (done === undefined) {
    record.status = "evaluated";
    return;
  }
  record.status = "evaluated"; // as far as the caller is concerned, who gets the promise
  record.pending = done.then(
    () => void (record.pending = undefined),
    (error) => {
      record.pending = undefined;
      exports.fail(record, error);
      throw error;
    },
  );
  record.pending.catch(() => {});
}

exports.evaluate = function evaluate(record) {
  if (record.status === "errored") return Promise.reject(record.error);
  const list = [];
  order(record, list, new Set());
  try {
    for (const one of list) prepare(one);
    for (const one of list) runOne(one);
  } catch (error) {
    for (const one of list) if (one.status !== "evaluated") exports.fail(one, error);
    exports.fail(record, error);
    return Promise.reject(error);
  }
  return record.pending === undefined ? Promise.resolve() : record.pending.then(() => undefined);
};
