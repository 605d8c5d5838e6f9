import { expect, test } from "bun:test";
import { double } from "./lib.js";

test("a1", () => {
  console.log("out of a");
  console.error("err of a");
  globalThis.leak = 1;
  expect(double(2)).toBe(4);
});
test("a2", () => expect(1).toBe(2));
