import { expect, test } from "bun:test";
import { unused } from "./lib.js";

test("b1", () => {
  expect(typeof leak).toBe("undefined");
  expect(process.env.JEST_WORKER_ID).toMatch(/^\d+$/);
  expect(process.env.BUN_TEST_WORKER_ID).toBe(process.env.JEST_WORKER_ID);
  expect(typeof process.send).toBe("undefined");
});
test.skip("b2", () => unused());
