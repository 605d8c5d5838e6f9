const dep = require("./dep"), data = require("./data.json");
process.on("SIGTERM", () => { console.log("bye"); process.exit(); });
console.log("run", dep.value, "json", data.json, "env", process.env.SECRET, process.env.COB_WATCH_FD);
setInterval(() => {}, 1e6);
