const left = require("left-of-nothing");
