const a = require("./a");
console.log(a.done, a.b.done, a.b.sawA);
