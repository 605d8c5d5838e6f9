console.log(process.hasUncaughtExceptionCaptureCallback());
process.setUncaughtExceptionCaptureCallback((error) => console.log("captured", error.message));
console.log(process.hasUncaughtExceptionCaptureCallback());
process.on("uncaughtException", () => console.log("never"));
setTimeout(() => console.log("goes on"), 1);
throw new Error("first");
