process.on("uncaughtException", () => {
  throw new Error("in the handler");
});
process.on("exit", (code) => console.log("exit", code));
throw new Error("first");
