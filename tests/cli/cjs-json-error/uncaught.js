require("./bad.json");
