import { test, expect } from "bun:test";
test("inline", () => {
  expect({a:1,b:[1]}).toMatchInlineSnapshot();
  expect("x").toMatchInlineSnapshot();
    expect("multi\nline `t` ${q} \\").toMatchInlineSnapshot();
  expect({a:1,t:new Date(0)}).toMatchInlineSnapshot({t: expect.any(Date)});
  expect(() => { throw new Error("boo") }).toThrowErrorMatchingInlineSnapshot();
});
