import { value } from "./lib/dep.ts";
process.on("SIGUSR2", () => { console.log("usr2"); process.exit(); });
console.log("value", value, process.argv.slice(2)); // the test goes on when this is there
setInterval(() => {}, 1e6);
