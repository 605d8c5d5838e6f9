console.log(require("./both"));
