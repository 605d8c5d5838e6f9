console.log(require("pkg"));
