const a = require("./a");
exports.sawA = a.done;
exports.done = true;
