setImmediate(() => {
  console.log("immediate 1");
  process.nextTick(() => console.log("tick"));
  Promise.resolve().then(() => console.log("microtask"));
  setImmediate(() => console.log("immediate 3, next turn"));
});
const second = setImmediate(() => console.log("never"));
setImmediate((a, b) => {
  console.log("immediate 2", a, b);
  clearImmediate(fourth);
}, 1, 2);
const fourth = setImmediate(() => console.log("never"));
clearImmediate(second);
