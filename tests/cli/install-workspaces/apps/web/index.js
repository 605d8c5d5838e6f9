console.log(JSON.stringify(require("@m/a")));
