// node:events: what emit() hands to its listeners.
const EventEmitter = require("node:events");

test("any number of arguments, and listeners whose call() is another", () => {
  const emitter = new EventEmitter();
  const seen = [];
  function listener(...args) {
    seen.push([this === emitter, ...args]);
  }
  const own = Object.assign((...args) => seen.push(["own", ...args]), { call: () => seen.push(0) });
  emitter.on("x", listener);
  for (let n = 0; n <= 5; n++) emitter.emit("x", ...[1, 2, 3, 4, 5].slice(0, n));
  expect(seen).toEqual([0, 1, 2, 3, 4, 5].map((n) => [true, ...[1, 2, 3, 4, 5].slice(0, n)]));
  seen.length = 0;
  emitter.on("x", own);
  emitter.emit("x", undefined);
  expect(seen).toEqual([[true, undefined], ["own", undefined]]);
  expect(EventEmitter.prototype.emit.length).toBe(1);
});

test("rejections of listeners are caught with the arguments of their event", async () => {
  const emitter = new EventEmitter({ captureRejections: true });
  const got = new Promise((resolve) => {
    emitter[EventEmitter.captureRejectionSymbol] = (...args) => resolve(args);
  });
  emitter.on("x", async () => {
    throw new Error("late");
  });
  emitter.emit("x", 1, undefined);
  const [error, ...rest] = await got;
  expect(error.message).toBe("late");
  expect(rest).toEqual(["x", 1, undefined]);
});
