import { describe, test } from "bun:test";

describe("rejects", async () => {
  test("is dropped", () => {});
  await 1;
  throw new Error("later");
});
describe("outer", () => {
  test("before", () => {});
  describe("throws", () => {
    describe("never called", () => {
      test("never there", () => {});
    });
    throw new Error("at once");
  });
  test("after", () => {});
});
