// 10,000 timers, a third of which are cleared again.
let fired = 0;
for (let i = 0; i < 10_000; i++) {
  const timer = setTimeout(() => fired++, i % 7);
  if (i % 3 === 0) clearTimeout(timer);
}
process.on("exit", () => {
  if (fired !== 6_666) throw new Error(`${fired} timers fired`);
});
