const { parse } = require("./lib/parse");
console.log("before");
parse("x");
console.log("never");
