const domain = require("node:domain");
const d = domain.create();
const e = domain.create();
const steps = [
  () => d.run(() => { throw new Error("at once"); }),
  () => d.run(() => process.nextTick(() => { throw new Error("tick"); })),
  () => d.run(() => setTimeout(() => { throw new Error("timer"); }, 1)),
  () => d.run(() => Promise.resolve().then(() => setImmediate(() => { throw new Error("after a promise"); }))),
  () => d.run(() => e.run(() => { throw new Error("nested"); })),
  () => console.log("end", domain.active === null, domain._stack.length),
];
const next = () => setImmediate(() => steps.shift()());
d.on("error", (error) => {
  console.log("d:", error.message, error.domain === d, error.domainThrown);
  next();
});
e.on("error", (error) => {
  console.log("e:", error.message);
  next();
});
next();
