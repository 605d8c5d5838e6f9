const EventEmitter = require("node:events");
const emitter = new EventEmitter();
let n = 0;
emitter.on("event", (a, b) => (n += a + b));
for (let i = 0; i < 50_000; i++) {
  emitter.once("event", () => n++);
  emitter.emit("event", 1, 1);
}
if (n !== 150_000) throw new Error(`n is ${n}`);
