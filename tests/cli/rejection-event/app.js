process.on("unhandledRejection", (reason, promise) => {
  console.log("unhandled", reason.message, promise instanceof Promise);
  promise.catch(() => {});
});
process.on("rejectionHandled", (promise) => console.log("handled late", promise instanceof Promise));
process.on("exit", (code) => console.log("exit", code));
Promise.reject(new Error("a"));
setTimeout(() => console.log("goes on"), 5);
