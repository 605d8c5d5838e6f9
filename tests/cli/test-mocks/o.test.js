import { test, expect, describe, beforeAll, afterAll, beforeEach, afterEach, onTestFinished, mock, spyOn, jest, vi, setSystemTime } from "bun:test";
const log = [];
beforeAll(() => log.push("BA")); beforeEach(() => log.push("BE")); afterEach(() => log.push("AE")); afterAll(() => { log.push("AA"); console.log(log.join()); });
describe("d", () => {
  beforeAll(() => log.push("ba")); beforeEach(() => log.push("be1")); beforeEach(async () => { await null; log.push("be2") }); afterEach(() => log.push("ae1")); afterEach(() => log.push("ae2")); afterAll(() => log.push("aa"));
  test("t", () => { log.push("t"); onTestFinished(() => log.push("otf")); });
  test("done", (done) => { setTimeout(() => { log.push("done"); done(); }, 1); });
});
test("mock", () => {
  const f = mock((a, b) => a + b);
  expect(f(1, 2)).toBe(3); expect(f).toHaveBeenCalledWith(1, 2); f.mockReturnValueOnce(9); expect(f()).toBe(9); expect(f(1,1)).toBe(2);
  f.mockReset(); expect(f(1,1)).toBeUndefined();
  const o = { m() { return this.v; }, v: 5, get g() { return 7 } };
  const s = spyOn(o, "m"); expect(o.m()).toBe(5); expect(s).toHaveBeenCalledTimes(1); s.mockReturnValue(6); expect(o.m()).toBe(6); s.mockRestore(); expect(o.m()).toBe(5); expect(jest.isMockFunction?.(o.m) ?? false).toBe(false);
  const K = mock(function (x) { this.x = x; }); const k = new K(3); expect(k.x).toBe(3); expect(k).toBeInstanceOf(K); expect(K.mock.instances[0]).toBe(k);
  class C { constructor() { this.z = 1 } } const MC = mock(C); expect(new MC().z).toBe(1);
});
test("timers", async () => {
  jest.useFakeTimers({ now: new Date("2020-01-01T00:00:00Z") });
  const l = []; setTimeout(() => l.push("a"), 100); setInterval(() => l.push("i"), 50); setTimeout(() => { l.push("b"); setTimeout(() => l.push("c"), 10) }, 20);
  expect(jest.getTimerCount()).toBe(3); jest.advanceTimersByTime(100); expect(l).toEqual(["b", "c", "i", "a", "i"]); expect(Date.now()).toBe(+new Date("2020-01-01T00:00:00.100Z"));
  jest.advanceTimersToNextTimer(); expect(l.at(-1)).toBe("i"); jest.clearAllTimers(); expect(jest.getTimerCount()).toBe(0);
  vi.setSystemTime?.(0); expect(new Date().getTime()).toBe(0); jest.useRealTimers(); expect(Date.now()).toBeGreaterThan(1e12); expect(new Date()).toBeInstanceOf(Date);
  setSystemTime(new Date(5)); expect(Date.now()).toBe(5); setSystemTime(); expect(Date.now()).toBeGreaterThan(1e12);
});
describe("concurrent", () => { let go; test.concurrent("a", async () => { await new Promise((resolve) => { go = resolve; }); expect(1).toBe(1) }); test.concurrent("b", async () => { expect.assertions(0); await null; go(); }); });
test.serial("ser", () => {}); test.if(false)("if", () => {}); test.skipIf(true)("sif", () => {}); test.todoIf(true)("tif", () => {}); test.failingIf?.(true)("fif", () => { throw 1 });
test("repeats", () => { globalThis.r = (globalThis.r ?? 0) + 1; }, { repeats: 3 }); test("r", () => expect(r).toBe(4));
describe.each`a|b
${1}|${2}`("tpl $a", ({ a, b }) => { test("x", () => expect(a + 1).toBe(b)); });
test("soft", () => { expect.extend({ toX(r, a) { return { pass: r === a, message: () => "m" } } }); expect(1).toX(1); expect({ a: 1 }).toEqual({ a: expect.toX(1) }); });
test("resolves", async () => { await expect(Promise.resolve(1)).resolves.toBe(1); await expect(Promise.reject(new Error("x"))).rejects.toThrow("x"); await expect(Promise.resolve({a:1})).resolves.toEqual({a:expect.any(Number)}) });
