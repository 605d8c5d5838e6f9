const handler = () => console.log("got it");
process.on("SIGTERM", handler);
process.kill(process.pid, "SIGTERM");
setTimeout(() => {
  process.off("SIGTERM", handler);
  process.kill(process.pid, "SIGTERM");
}, 20);
setTimeout(() => console.log("never"), 25_000);
