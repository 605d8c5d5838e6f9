// mocha: the program over CommonJS and ES modules; hooks, failures, reporters, time limits.
import assert from "node:assert";
import { fileOf, folder, run } from "./run.mjs";

const dir = folder({
  "package.json": "{}",
  "test/a.js": `const assert = require("assert");
describe("outer", function () {
  let n = 0;
  beforeEach(() => n++);
  it("passes", () => assert.equal(n, 1));
  it("waits", async () => { await new Promise((r) => setTimeout(r, 5)); assert.equal(n, 2); });
  it("calls back", (done) => setImmediate(done));
  it("fails", () => assert.deepStrictEqual({ a: 1 }, { a: 2 }));
  it("takes long", function (done) { this.timeout(20); void done; });
  it.skip("waits for better days");
});`,
  "test/b.mjs": `import assert from "node:assert";
describe("module", () => { it("is there", () => assert.ok(import.meta.url)); });`,
});
const bin = fileOf("mocha", "bin/mocha.js");
let result = run(bin, ["--reporter", "json", "test"], { cwd: dir });
assert.equal(result.status, 2, result.out + result.err);
const { stats, failures } = JSON.parse(result.out);
assert.deepEqual([stats.passes, stats.failures, stats.pending], [4, 2, 1]);
assert.match(failures[1].err.message, /Timeout of 20ms exceeded/);
result = run(bin, ["test/b.mjs", "test/a.js", "--grep", "passes|there"], { cwd: dir });
assert.equal(result.status, 0, result.out + result.err);
assert.match(result.out, /2 passing/);
result = run(bin, ["test/a.js", "-g", "fails"], { cwd: dir });
assert.match(result.out, /\+ expected - actual[^]*-  "a": 1[^]*\+  "a": 2/);
console.log("ok");
