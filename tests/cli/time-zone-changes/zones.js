// New dates notice a change of TZ in the same turn, in later ones, and in workers.
const { Worker } = require("node:worker_threads");
const hours = () => new Date(1e12).getHours();

process.env.TZ = "America/New_York";
console.log(hours());
process.env.TZ = "Asia/Tokyo";
console.log(hours());
setTimeout(() => {
  console.log(hours());
  process.env.TZ = "Europe/Berlin";
  setImmediate(() => {
    console.log(hours());
    const worker = new Worker('console.log("worker", new Date(1e12).getHours())', { eval: true });
    worker.on("exit", () => console.log(hours()));
  });
}, 1);
