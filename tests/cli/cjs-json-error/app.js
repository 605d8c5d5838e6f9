try {
  require("./bad.json");
} catch (error) {
  console.log(error.name, error.message.includes("bad.json"));
}
console.log(require("./good.json").a, require("./good.json") === require("./good.json"));
console.log(require("./scalar.json"), require("./bom.json").bom);
