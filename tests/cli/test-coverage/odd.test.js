test("odd", async () => {
  const { f, A, o, nested, seq } = require("./odd.js");
  expect([f(1), f(0), f()]).toEqual([1, 2, 5]);
  expect(new A().p).toBe(1);
  expect(A.made).toBe(true);
  for await (const x of A.gen()) expect(x).toBe(1);
  expect(o.m()).toBe(o);
  expect(nested(1)(2)).toEqual({ a: 1, b: 2 });
  expect(seq(1)).toBe(2);
});
