function endless(n) {
  return endless(n + 1) + 1;
}
try {
  endless(0);
} catch (error) {
  console.log(error instanceof RangeError, error.message);
}
const deep = [];
let at = deep;
for (let i = 0; i < 200000; i++) at = at[0] = [];
for (const [name, fn] of Object.entries({
  json: () => JSON.stringify(deep),
  parse: () => JSON.parse("[".repeat(200000) + "]".repeat(200000)),
  flat: () => deep.flat(Infinity),
  proxy() {
    let p = {};
    for (let i = 0; i < 100000; i++) p = new Proxy(p, {});
    return p.x;
  },
  getter() {
    const o = { get x() { return this.x; } };
    return o.x;
  },
  toString() {
    const o = { toString() { return `${this}`; } };
    return String(o);
  },
  sort() {
    const a = [1, 2];
    const f = () => a.toSorted(f);
    return f();
  },
})) {
  try {
    fn();
    console.log(name, "returned");
  } catch (error) {
    console.log(name, error.name);
  }
}
console.log("still here");
