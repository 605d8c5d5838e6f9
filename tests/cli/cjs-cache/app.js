const file = require.resolve("./counter");
console.log(require("./counter") === require("./counter.js"), Object.keys(require.cache).length);
delete require.cache[file];
console.log(require("./counter").n, globalThis.loads);
require.cache[file].exports = "replaced";
console.log(require("./counter"));
require.cache[require.resolve("./other")] = { exports: "planted", loaded: true, id: "x" };
console.log(require("./other"));
