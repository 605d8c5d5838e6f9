// node:repl -- the names of Node's interactive shell (Node: repl), which is not there yet.
exports.REPL_MODE_SLOPPY = Symbol("repl-sloppy");
exports.REPL_MODE_STRICT = Symbol("repl-strict");
exports.Recoverable = class Recoverable extends SyntaxError {
  constructor(err) {
    super();
    this.err = err;
  }
};
exports.writer = function writer(value) {
  return require("node:util").inspect(value, exports.writer.options);
};
exports.writer.options = { showProxy: true };
exports.isValidSyntax = function isValidSyntax(code) {
  try {
    new Function(`${code}`);
    return true;
  } catch {
    return false;
  }
};
exports.builtinModules = require("node:module").builtinModules.filter((name) => name[0] !== "_");
require("internal/unavailable").define(exports, "repl", ["start", "REPLServer"]);
