process.on("uncaughtExceptionMonitor", (error, origin) => console.log("seen", error.message, origin));
process.on("exit", (code) => console.log("exit", code));
throw new Error("first");
