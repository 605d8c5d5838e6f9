console.log(require("two"));
