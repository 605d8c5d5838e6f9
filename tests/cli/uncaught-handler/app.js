process.on("uncaughtException", (error, origin) => console.log("caught", error.message, origin));
process.on("exit", (code) => console.log("exit", code));
setTimeout(() => {
  throw new Error("second");
}, 1);
setTimeout(() => console.log("goes on"), 10);
throw new Error("first");
