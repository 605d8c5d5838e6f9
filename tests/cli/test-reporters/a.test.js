import { describe, expect, test } from "bun:test";

describe("outer", () => {
  test("passes # 1", () => {});
  test("fails", () => expect(1).toBe(2));
});
test.skip("skipped", () => {});
test.todo("later");
