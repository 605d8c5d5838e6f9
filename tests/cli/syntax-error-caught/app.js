try {
  require("./lib.js");
} catch (error) {
  console.log(error instanceof SyntaxError, error.name);
}
try {
  new Function("return (");
} catch (error) {
  console.log(error instanceof SyntaxError, error.name);
}
