try {
  require("./app.js");
} catch (error) {
  console.log(error.code, error.syscall);
}
