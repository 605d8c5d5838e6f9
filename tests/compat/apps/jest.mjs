// jest and vitest as programs: suites, mocks, snapshots, timers, failures, coverage, watch off.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import { fileOf, folder, run } from "./run.mjs";

const cases = `
  describe("sums", () => {
    beforeEach(() => { globalThis.n = 1; });
    test("adds", () => expect(sum(globalThis.n, 2)).toBe(3));
    test.each([[1, 1, 2], [2, 2, 4]])("%i + %i", (a, b, c) => expect(sum(a, b)).toBe(c));
    test("waits", async () => { await expect(Promise.reject(new Error("no"))).rejects.toThrow("no"); });
    test("matches", () => expect({ a: [1, { b: "x" }] }).toMatchSnapshot());
    test.skip("not now", () => {});
  });
  test("timers and mocks", () => {
    mocks.useFakeTimers();
    const called = mocks.fn((x) => x * 2);
    setTimeout(() => called(21), 1000);
    mocks.advanceTimersByTime(1000);
    expect(called).toHaveBeenCalledWith(21);
    expect(called.mock.results[0].value).toBe(42);
    mocks.useRealTimers();
  });`;
const bad = 'test("fails", () => expect({ a: 1 }).toEqual({ a: 2 }));';

const dir = folder({
  "package.json": "{}",
  "sum.js": "exports.sum = (a, b) => a + b;",
  "sum.test.js": `const { sum } = require("./sum"); const mocks = jest;${cases}
    jest.mock("./other", () => ({ value: "mocked" }), { virtual: true });
    test("modules", () => expect(require("./other").value).toBe("mocked"));`,
  "bad.test.js": bad,
});
const jest = fileOf("jest", "bin/jest.js");
const good = run(jest, ["--ci=false", "--coverage", "sum", "-i"], { cwd: dir });
assert.equal(good.status, 0, good.out + good.err);
assert.match(good.err, /Tests: +1 skipped, 7 passed, 8 total/);
assert.match(good.err, /1 snapshot written/);
assert.match(good.out, /sum\.js +\| +100 \| +100 \| +100 \| +100/);
assert.match(fs.readFileSync(path.join(dir, "__snapshots__/sum.test.js.snap"), "utf8"), /"b": "x"/);
const failed = run(jest, ["bad", "--no-cache"], { cwd: dir });
assert.equal(failed.status, 1);
assert.match(failed.err, /- +"a": 2,\s+\+ +"a": 1,/);

const vdir = folder({
  "package.json": '{ "type": "module" }',
  "sum.ts": "export const sum = (a: number, b: number): number => a + b;",
  "sum.test.ts": `
    import { describe, test, expect, vi as mocks, beforeEach } from "vitest";
    import { sum } from "./sum";${cases}
    mocks.mock("./other", () => ({ value: "mocked" }));
    test("modules", async () => expect((await import("./other")).value).toBe("mocked"));`,
  "other.ts": "export const value = 'real';",
  "bad.test.ts": `import { test, expect } from "vitest"; ${bad}`,
});
fs.mkdirSync(path.join(vdir, "node_modules"));
fs.symlinkSync(path.dirname(fileOf("vitest", "package.json")), path.join(vdir, "node_modules/vitest"));
const vitest = fileOf("vitest", "vitest.mjs");
for (const pool of ["forks", "threads", "vmThreads"]) {
  const { status, out, err } = run(vitest, ["run", "sum", "--pool", pool, "--no-color"], { cwd: vdir });
  assert.equal(status, 0, pool + out + err);
  assert.match(out, /Tests +7 passed \| 1 skipped \(8\)/);
}
const vfailed = run(vitest, ["run", "bad", "--no-color"], { cwd: vdir });
assert.equal(vfailed.status, 1);
assert.match(vfailed.out + vfailed.err, /- +"a": 2,\s+\+ +"a": 1,/);
console.log("ok");
