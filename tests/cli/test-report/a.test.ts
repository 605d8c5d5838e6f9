import { test, expect, describe, beforeAll, afterAll, beforeEach, afterEach } from "bun:test";
test("ok", () => { expect(1).toBe(1); });
describe("outer", () => {
  test("bad", () => {
    const a = { x: 1, y: [1,2,3], z: "hello" };
    expect(a).toEqual({ x: 2, y: [1,2,4], z: "hello" });
  });
  describe("inner", () => {
    test.skip("skipped", () => {});
    test.todo("todo it");
    test("throws", async () => { await null; throw new TypeError("boom"); });
    test("tobe", () => { expect("a\nb\nc").toBe("a\nx\nc"); });
    test("not", () => { expect(1).not.toBe(1); });
    test("len", () => { expect([1]).toHaveLength(3); });
    test("timeout", async () => { await new Promise(r => setTimeout(r, 300)); }, 50);
    test.failing("failing", () => { expect(1).toBe(2); });
    test.failing("failing2", () => { expect(1).toBe(1); });
  });
});
