console.log(require("one"), require("two"));
