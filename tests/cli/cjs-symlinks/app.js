console.log(require("dep") === require("./packages/dep"), require("./linked.js") === require("dep").lib);
