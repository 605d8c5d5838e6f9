exports.done = false;
exports.b = require("./b");
exports.done = true;
