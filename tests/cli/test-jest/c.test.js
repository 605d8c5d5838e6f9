test("resetModules", () => {
  const first = require("./counted.js");
  expect(require("./counted.js")).toBe(first);
  jest.resetModules();
  expect(require("./counted.js")).not.toBe(first);
  expect(vi.resetModules()).toBe(vi);
});
test("errors as Vitest shows them", () => {
  expect(() => { throw new TypeError("no"); }).toThrowErrorMatchingInlineSnapshot(`[TypeError: no]`);
  expect(() => { throw new TypeError("no"); }).toThrowErrorMatchingInlineSnapshot(`"no"`);
});
