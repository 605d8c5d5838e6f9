// @internal
// node:module/strip -- module.stripTypeScriptTypes() (Node: module).  Both modes print code anew:
// unlike in Node, lines and columns of "strip" are not those of the source.
exports.strip = function stripTypeScriptTypes(code, options = {}) {
  const { validateObject, validateOneOf, validateString } = require("internal/validators");
  validateString(code, "code");
  validateObject(options, "options");
  const { mode = "strip", sourceUrl } = options;
  validateOneOf(mode, "options.mode", ["strip", "transform"]);
  const { Transpiler } = require("bun:transpiler");
  const result = new Transpiler({ loader: "ts", target: "node" }).transformSync(code);
  return sourceUrl === undefined ? result : `${result}\n\n//# sourceURL=${sourceUrl}`;
};
