import { expect, jest, test } from "bun:test";
import { boom } from "./count";
import { fail, next, text } from "./plain";

test("c", async () => {
  expect(next()).toBe(1);
  expect(text).toBe("c" === "c" ? "second" : "first");
  const where = (fn) => {
    try {
      fn();
    } catch (error) {
      return error.message + " " + /(\w+\.ts:\d+)/.exec(error.stack)[1];
    }
  };
  expect(where(() => fail({ n: 2 }))).toBe("fail 2 1 plain.ts:10");
  expect(where(boom)).toBe("boom One count.ts:6");
  jest.resetModules();
  expect((await import("./plain")).next()).toBe(1);
  globalThis.later = setTimeout(async () => {
    import("./plain").catch(() => {});
    (await import("./count")).boom;
  }, 0);
});
