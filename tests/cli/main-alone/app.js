// Names nothing of its module, so it runs without the loader; asked for later, it is the main one.
const self = this;
this.answer = 42;
console.log(typeof this, Object.keys(this).join());
setTimeout(() => {
  const main = process["mainMo" + "dule"];
  const name = main.filename.split("/").pop();
  console.log(name, main.id, main.loaded, main.exports === self, main.exports.answer, main.children.length);
  console.log(main.paths.length > 0, main.path === main.filename.slice(0, -name.length - 1));
  const again = process["getBuiltinMo" + "dule"]("node:mo" + "dule")._cache[main.filename];
  console.log(again === main);
});
