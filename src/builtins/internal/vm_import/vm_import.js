// internal/vm_import -- import() in scripts, functions and modules of node:vm.
//
// A text that may say import() runs under a URL of ours, which tells who it is; stacks show the
// program's name for it (vm_map_position). The engine gives the URL back with each import().
const errors = require("internal/errors");

const PREFIX = "cob-vm:"; // cob-vm:NUMBER:NAME, see runtime/vm_text.c
const referrers = new Map(); // number -> { importer, referrer: WeakRef or function }
let next = 1;
const gone = new FinalizationRegistry((number) => referrers.delete(number));

exports.check = function check(importer) {
  if (importer === undefined || typeof importer === "function") return;
  if (importer === require("node:vm").constants.USE_MAIN_CONTEXT_DEFAULT_LOADER) return;
  throw new errors.ERR_INVALID_ARG_TYPE("options.importModuleDynamically", "function", importer);
};

/**
 * The URL for a text whose name is `filename`. `referrer` is the Script, or a function that gives
 * the compiled function.
 */
exports.urlOf = function urlOf(text, filename, importer, referrer) {
  exports.check(importer);
  if (!/\bimport\b/.test(text)) return filename;
  const number = next++;
  const isLater = typeof referrer === "function";
  referrers.set(number, { importer, referrer: isLater ? referrer : new WeakRef(referrer) });
  // A Script may go while what it made goes on; then the importer stays.
  if (!isLater && importer === undefined) gone.register(referrer, number);
  return `${PREFIX}${number}:${filename}`;
};

/** import() of the text with that URL. */
exports.importFrom = function importFrom(url, specifier, options) {
  const found = referrers.get(parseInt(url.slice(PREFIX.length), 10));
  const referrer = found?.referrer;
  const owner = typeof referrer === "function" ? referrer() : referrer?.deref();
  const filename = url.slice(url.indexOf(":", PREFIX.length) + 1);
  return exports.importFor(found?.importer, owner, { specifier, options, filename });
};

/** The path that relative specifiers of the main context's loader start from (Node: vm). */
function basePath(filename) {
  const path = require("node:path");
  if (typeof filename === "string" && filename.startsWith("file:")) {
    return require("internal/file_url").fileURLToPath(filename);
  }
  return typeof filename === "string" && path.isAbsolute(filename)
    ? filename : path.join(process.cwd(), "[vm]");
}

/** `what`: { specifier, options, phase, filename }. */
exports.importFor = async function importFor(importer, owner, what) {
  const specifier = `${what.specifier}`;
  if (importer === undefined) throw new errors.ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING();
  if (typeof importer === "symbol") {
    const path = basePath(what.filename);
    return require("internal/esm").importFrom(path, specifier, what.options);
  }
  const attributes = { __proto__: null, ...(what.options?.with ?? what.options?.assert) };
  const phase = what.phase === "defer" ? "defer" : "evaluation";
  const result = await importer(specifier, owner, attributes, phase);
  const { findRecord } = require("internal/vm_module");
  const record = findRecord(result);
  if (record === undefined) {
    if (require("internal/util/brands").isNamespace(result)) return result;
    throw new errors.ERR_VM_MODULE_NOT_MODULE();
  }
  if (record.status === "errored") throw record.error;
  if (record.status === "linked") await result.evaluate();
  else if (record.pending !== undefined) await record.pending;
  return result.namespace;
};
