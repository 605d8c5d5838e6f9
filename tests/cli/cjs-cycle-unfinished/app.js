require("./a");
