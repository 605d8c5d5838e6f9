// node:util -- so far the formatting half: inspect, format and what belongs to them (Node: util).
const inspectModule = require("internal/inspect");
const { validateFunction } = require("internal/validators");

exports.inspect = inspectModule.inspect;
exports.format = inspectModule.format;
exports.formatWithOptions = inspectModule.formatWithOptions;
exports.TextEncoder = TextEncoder;
exports.TextDecoder = TextDecoder;

/** Sets up old-style inheritance of a constructor. */
exports.inherits = function inherits(constructor, parent) {
  validateFunction(constructor, "ctor");
  validateFunction(parent, "superCtor");
  Object.defineProperty(constructor, "super_", {
    value: parent,
    writable: true,
    configurable: true,
  });
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
};

for (const name of [
  "promisify", "callbackify", "debuglog", "debug", "deprecate", "isDeepStrictEqual", "parseArgs",
  "styleText", "stripVTControlCharacters", "toUSVString", "getSystemErrorName",
  "getSystemErrorMap", "aborted", "parseEnv", "transferableAbortController",
]) {
  exports[name] ??= {
    [name]() { throw new Error(`not implemented: util.${name}`); },
  }[name];
}
