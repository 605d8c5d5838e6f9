"use strict";
// Statements without blocks, directives, arrows, cases, getters.
function f(x) {
  "use strict";
  if (x) return 1;
  else if (x === 0) return 2;
  for (const y of [1, 2]) x = y;
  do x++; while (x < 5);
  label: for (;;) break label; outer: for (const y of [1]) for (;;) continue outer;
  switch (x) {
    case 5:
      return x;
    default:
      return -1;
  }
}
class A extends Object {
  #p = 1;
  static { A.made = true; }
  constructor() { super(); }
  get p() { return this.#p; }
  static async *gen() { yield* [1]; }
}
const o = { m() { return this; }, get g() { return 1; }, async a() { await null; } };
const nested = (a) => (b) => ({ a, b });
module.exports = { f, A, o, nested, seq: (x) => (x, x + 1) };
