// 20,000 steps through the tick queue, microtasks and immediates.
let steps = 0;
async function microtasks() {
  for (let i = 0; i < 10_000; i++) {
    await null;
    steps++;
  }
}
function ticks(left) {
  steps++;
  if (left > 1) process.nextTick(ticks, left - 1);
}
function immediates(left) {
  steps++;
  if (left > 1) setImmediate(immediates, left - 1);
}
microtasks();
process.nextTick(ticks, 9_000);
setImmediate(immediates, 1_000);
process.on("exit", () => {
  if (steps !== 20_000) throw new Error(`${steps} steps`);
});
