// Tests of node:test, in processes of their own.
const { spawnSync } = require("node:child_process");
const nodeTest = require("node:test");

// A collection after every native call would make the processes take minutes.
const env = { ...process.env };
delete env.COB_GC_STRESS;

function run(text) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", text], { encoding: "utf8", env });
  return { status, text: stdout.replace(/ \([\d.]+ms\)/g, ""), stderr };
}

test("what it prints, and the code", () => {
  const { status, text } = run(`
    const { test, describe, it, before, after, beforeEach } = require("node:test");
    const assert = require("node:assert");
    const log = [];
    before(() => log.push("before"));
    beforeEach((t) => log.push(t.name));
    after(() => console.log(log.join()));
    test("one", async (t) => {
      await t.test("sub", (t) => t.assert.strictEqual(t.fullName, "one > sub"));
      t.diagnostic("said");
    });
    describe("many", () => {
      it("fails", () => assert.strictEqual(1, 2));
      it.skip("left out");
      it("later", { todo: true }, () => { throw new Error("x"); });
      it("planned", (t) => { t.plan(1); t.assert.ok(true); });
      it("too slow", { timeout: 10 }, () => new Promise(() => setTimeout(() => {}, 200)));
      it("callback", (t, done) => setImmediate(done));
    });
  `);
  expect(status).toBe(1);
  for (const line of [
    "\u25b6 one\n  \u2714 sub\n", "  \u2139 said\n", "\u2714 one\n", "  \u2716 fails\n",
    "  \ufe63 left out # SKIP\n", "  \u2714 later # TODO\n", "  \u2714 planned\n",
    "  \u2716 too slow\n", "  \u2714 callback\n", "\u2716 many\n", "before,one,sub,fails,later,",
    "\u2139 tests 8\n", "\u2139 pass 4\n", "\u2139 fail 2\n", "\u2139 skipped 1\n",
    "testTimeoutFailure",
  ]) {
    expect(text).toContain(line);
  }
});

test("all pass: code 0; a failure that is expected", () => {
  const { status } = run(`
    const test = require("node:test");
    test("a", () => {});
    test("b", { expectFailure: true }, () => { throw new Error(); });
    test("c", async (t) => { t.test("not awaited", () => {}); });
  `);
  expect(status).toBe(0);
});

test("mocks", () => {
  const { mock } = nodeTest;
  const fn = mock.fn((a, b) => a + b);
  expect([fn(1, 2), fn.mock.callCount(), fn.mock.calls[0].arguments]).toEqual([3, 1, [1, 2]]);
  fn.mock.mockImplementationOnce(() => 7);
  expect([fn(), fn(1, 1)]).toEqual([7, 2]);
  const object = { n: 1, get() { return this.n; } };
  const method = mock.method(object, "get", () => 5, { times: 1 });
  expect([object.get(), object.get(), method.mock.callCount()]).toEqual([5, 1, 2]);
  mock.restoreAll();
  expect("mock" in object.get).toBe(false);
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 100 });
  let called = 0;
  setTimeout(() => called++, 50);
  mock.timers.tick(49);
  expect(called).toBe(0);
  mock.timers.tick(1);
  expect([called, Date.now()]).toEqual([1, 150]);
  mock.timers.reset();
  expect(Date.isMock).toBe(undefined);
});

test("arguments", () => {
  expect(() => nodeTest({ timeout: "1" })).toThrow("ERR_INVALID_ARG_TYPE");
  expect(() => nodeTest({ concurrency: 0 })).toThrow("ERR_OUT_OF_RANGE");
  expect(() => nodeTest.assert.register(5)).toThrow("ERR_INVALID_ARG_TYPE");
  expect(nodeTest.it).toBe(nodeTest);
});
