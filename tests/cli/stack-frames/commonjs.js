const EventEmitter = require("node:events");
const emitter = new EventEmitter();
emitter.on("x", function listener() { console.log(new Error("x").stack); });
emitter.emit("x");
