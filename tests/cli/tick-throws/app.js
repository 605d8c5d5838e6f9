process.on("uncaughtException", (error) => console.log("caught", error.message));
process.nextTick(() => { throw new Error("tick 1"); });
process.nextTick(() => console.log("tick 2"));
setImmediate(() => { throw new Error("immediate 1"); });
setImmediate(() => console.log("immediate 2"));
setTimeout(() => { throw new Error("timeout 1"); }, 1);
setTimeout(() => console.log("timeout 2"), 1);
queueMicrotask(() => { throw new Error("microtask 1"); });
queueMicrotask(() => console.log("microtask 2"));
// Both timers are due when the loop begins.
const until = Date.now() + 5;
while (Date.now() < until);
