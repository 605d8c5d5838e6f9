require("./lib/first");
