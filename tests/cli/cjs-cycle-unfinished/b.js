const a = require("./a");
console.log(a.early, a.late);
