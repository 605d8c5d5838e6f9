require("./Thrid");
