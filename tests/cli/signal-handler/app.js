process.on("SIGTERM", (name, number) => {
  console.log("got", name, number);
  clearInterval(timer);
});
process.once("SIGINT", () => {
  console.log("interrupted");
  process.kill(process.pid, "SIGTERM");
});
const timer = setInterval(() => {}, 1000);
process.kill(process.pid, "SIGINT");
