require.extensions[".txt"] = (module, filename) => {
  module.exports = `text of ${filename.split("/").at(-1)}`;
};
console.log(require("./note.txt"), require("./note"), require("./x.cjs"), require("./noext"));
const Module = require("module");
const wrapped = Module.prototype._compile;
Module.prototype._compile = function (content, filename) {
  return wrapped.call(this, content.replace("HERE", "there"), filename);
};
console.log(require("./hooked"), Module.builtinModules.includes("events"), Module.isBuiltin("node:events"));
