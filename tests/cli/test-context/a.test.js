import { afterEach, beforeEach, describe, expect, it, test } from "vitest";

const seen = [];
describe("outer", () => {
  beforeEach(({ task, skip }) => {
    seen.push([task.name, task.suite?.name, task.suite?.suite?.name]);
    if (task.name === "skipped before") skip();
  });
  describe("inner", () => {
    test("named", async ({ task, expect: own, onTestFinished, signal }) => {
      own(task.name).toBe("named");
      own(task.file.filepath).toBe(import.meta.path);
      own(signal.aborted).toBe(false);
      onTestFinished(() => seen.push("finished"));
    });
  });
  test("skipped before", () => expect(1).toBe(2));
  test("skipped inside", ({ skip }) => {
    skip("why");
    expect(1).toBe(2);
  });
  test("not skipped", ({ skip }) => skip(false));
});
test.concurrent("at the top", async ({ task }) => expect(task.suite).toBeUndefined());
test("done", (done) => setTimeout(done, 1));
it.runIf(false)("does not run", () => expect(1).toBe(2));
test("resolves", async () => {
  await expect(Promise.resolve(1)).resolves.not.toThrow();
  await expect(Promise.resolve(new Error("x"))).resolves.toThrow("x");
});
test("seen", () => expect(seen).toEqual([
  ["named", "inner", "outer"], "finished", ["skipped before", "outer", undefined],
  ["skipped inside", "outer", undefined], ["not skipped", "outer", undefined],
]));
