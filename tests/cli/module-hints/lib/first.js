require("./second");
