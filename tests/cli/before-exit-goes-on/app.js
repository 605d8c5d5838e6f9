let n = 0;
process.on("beforeExit", () => {
  console.log("beforeExit", ++n);
  if (n === 1) setTimeout(() => console.log("timeout"), 1);
  if (n === 2) setImmediate(() => console.log("immediate"));
  if (n === 3) Promise.resolve().then(() => console.log("microtask"));
});
process.on("exit", () => console.log("exit"));
