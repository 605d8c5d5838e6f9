require("./link.js");
