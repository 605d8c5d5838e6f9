import { test, expect, describe, beforeAll } from "bun:test";
beforeAll(() => console.log("root", globalThis.preloaded));
describe("one", () => {
  test("a", () => {});
  test("b", () => {
    expect(1).toBe(2);
  });
});
test("c", () => expect(2).toBe(3));
test("d", async () => {
  await new Promise((resolve) => setTimeout(resolve, 600));
});
test.todo("e", () => {
  throw new Error("not done");
});
