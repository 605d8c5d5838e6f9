const { expect: imported } = require("@jest/globals");
test("serializers", () => {
  expect.addSnapshotSerializer({ test: (v) => v?.money !== undefined, print: (v, print) => `$${print(v.money)}` });
  expect({ price: { money: 5 } }).toMatchInlineSnapshot(`
{
  "price": $5,
}
`);
  expect.addSnapshotSerializer({
    test: (v) => v instanceof URL,
    serialize: (v, config, indent, depth, refs, printer) => `URL ${printer(v.href, config, indent, depth, refs)}`,
  });
  expect([new URL("http://a/")]).toMatchInlineSnapshot(`
[
  URL "http://a/",
]
`);
  expect(() => expect.addSnapshotSerializer({})).toThrow("addSnapshotSerializer expects");
});
test("equality testers", () => {
  class Volume { constructor(n, unit) { this.n = n; this.unit = unit; } get ml() { return this.unit === "L" ? this.n * 1000 : this.n; } }
  const areVolumesEqual = (a, b) => (a instanceof Volume && b instanceof Volume ? a.ml === b.ml : undefined);
  expect(new Volume(1, "L")).not.toEqual(new Volume(1000, "ml"));
  expect.addEqualityTesters([areVolumesEqual]);
  expect(new Volume(1, "L")).toEqual(new Volume(1000, "ml"));
  expect({ a: [new Volume(1, "L")] }).toEqual({ a: [new Volume(1000, "ml")] });
  expect(() => expect.addEqualityTesters({})).toThrow("array of Testers");
});
test("arrayOf", () => {
  expect([1, 2]).toEqual(expect.arrayOf(expect.any(Number)));
  expect([1, "2"]).toEqual(expect.not.arrayOf(expect.any(Number)));
  expect(expect.any(Number).toAsymmetricMatcher()).toBe("Any<Number>");
});
test("replaceProperty", () => {
  const o = { a: 1, f() {}, get g() { return 1; } };
  const replaced = jest.replaceProperty(o, "a", 2);
  expect(o.a).toBe(2);
  replaced.replaceValue(3);
  expect(o.a).toBe(3);
  jest.restoreAllMocks();
  expect(o.a).toBe(1);
  expect(() => jest.replaceProperty(o, "f", 1)).toThrow("is a function");
  expect(() => jest.replaceProperty(o, "g", 1)).toThrow("accessor");
  expect(() => jest.replaceProperty(o, "none", 1)).toThrow("does not exist");
  expect(imported).toBe(expect);
});
