console.log("before");
require("./lib.js");
