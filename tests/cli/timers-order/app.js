const log = (name) => console.log(name);
setTimeout(() => {
  log("timeout 1");
  process.nextTick(() => log("tick in timeout 1"));
  Promise.resolve().then(() => log("microtask in timeout 1"));
  setImmediate(() => log("immediate in timeout 1"));
}, 1);
setTimeout(() => log("timeout 2"), 1);
// Behind the immediate also when the machine is so slow that all three are due at once.
setTimeout(() => setImmediate(() => log("timeout 100")), 100);
Promise.resolve().then(() => {
  log("microtask 1");
  process.nextTick(() => log("tick in microtask 1"));
  Promise.resolve().then(() => log("microtask in microtask 1"));
});
queueMicrotask(() => log("microtask 2"));
process.nextTick(() => {
  log("tick 1");
  process.nextTick(() => log("tick in tick 1"));
  queueMicrotask(() => log("microtask in tick 1"));
});
process.nextTick((a, b) => log(`tick 2 ${a} ${b}`), "x", "y");
(async () => {
  log("async begins");
  await null;
  log("async goes on");
})();
const wait = Date.now() + 5;
while (Date.now() < wait);
log("main ends");
