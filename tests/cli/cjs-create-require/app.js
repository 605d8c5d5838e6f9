const { createRequire } = require("module");
const inner = createRequire(__dirname + "/sub/");
console.log(inner("./lib"), inner.resolve("./lib") === require.resolve("./sub/lib"));
console.log(createRequire("file://" + __filename)("./lib2"));
