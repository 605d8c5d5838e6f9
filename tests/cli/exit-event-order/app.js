process.on("beforeExit", (code) => console.log("beforeExit", code));
process.on("exit", (code) => {
  console.log("exit", code, process.exitCode);
  setTimeout(() => console.log("never"), 0);
  setImmediate(() => console.log("never"));
});
setTimeout(() => console.log("timeout"), 1);
console.log("main");
