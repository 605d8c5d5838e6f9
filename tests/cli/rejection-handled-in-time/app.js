const p = Promise.reject(new Error("x"));
queueMicrotask(() => p.catch((error) => console.log("handled", error.message)));
const q = Promise.reject(new Error("y"));
process.nextTick(() => q.catch((error) => console.log("handled", error.message)));
