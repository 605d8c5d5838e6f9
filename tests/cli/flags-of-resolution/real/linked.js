console.log(require("path").basename(__filename));
