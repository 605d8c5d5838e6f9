exports.lib = require("./lib.js");
