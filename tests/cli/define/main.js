console.log(typeof DEBUG === "undefined" ? "free" : DEBUG, process.env.MODE, typeof VERSION);
if (DEBUG) console.log("debug"); else console.log("no debug");
