import { value } from "./lib/dep.ts";
console.log("value", value, process.argv.slice(2));
process.on("SIGUSR2", () => { console.log("usr2"); process.exit(); });
setInterval(() => {}, 1e6);
