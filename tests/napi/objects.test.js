// Node-API: objects, properties, functions, classes, references, errors.
const { spawnSync } = require("node:child_process");
const { load, file, statuses, collectUntil } = require("./load.js");
const addon = load("objects");

test("properties", () => {
  const symbol = Symbol("s");
  expect(addon.getSet({}, "a", 1)).toEqual([true, true, 1]);
  expect(addon.getSet({}, symbol, 2)).toEqual([true, true, 2]);
  expect(addon.getSet([], 3, 4)).toEqual([true, false, 4]);
  expect(addon.getSet(null, "a", 1)).toBe(statuses.objectExpected);
  const thrower = { set a(_) { throw new Error("setter"); } };
  expect(() => addon.getSet(thrower, "a", 1)).toThrow("setter");
  const object = {};
  expect(addon.named(object) === object).toBe(true);
  expect(addon.deleteProperty({ a: 1 }, "a")).toBe(true);
  expect(addon.deleteProperty(Object.freeze({ a: 1 }), "a")).toBe(false);
});

test("elements", () => {
  const list = [1, 2, 3];
  expect(addon.elements(list)).toBe(true);
  expect(list).toEqual([, 2, 3, 3]);
  expect(addon.elements({})).toBe(statuses.arrayExpected);
  expect(addon.sum([1, 2, 3])).toBe(6);
  expect(addon.sum([1.5, 2, -0.25])).toBe(3.25);
  expect(addon.sum([1, , 3])).toBe(statuses.numberExpected);
  const odd = [1, 2];
  Object.defineProperty(odd, 1, { get: () => 40 });
  expect(addon.sum(odd)).toBe(41);
  expect(addon.sum(new Proxy([1, 2], {}))).toBe(3);
  expect(addon.sum(Object.freeze([5, 6]))).toBe(11);
  expect([addon.isArray([]), addon.isArray({})]).toEqual([true, false]);
});

test("names of properties", () => {
  const symbol = Symbol("s");
  const object = Object.create({ inherited: 1 }, {
    hidden: { value: 1 },
    shown: { value: 1, enumerable: true, writable: true },
    5: { value: 1, enumerable: true },
    [symbol]: { value: 1, enumerable: true },
  });
  expect(addon.names(object)).toEqual(["5", "shown", "inherited"]);
  expect(addon.names(object, 1, 0, 0)).toEqual([5, "hidden", "shown", symbol]);
  expect(addon.names(object, 1, 2 | 16, 1)).toEqual(["5", "shown"]);
  expect(addon.names(object, 1, 1, 1)).toEqual(["shown"]);
  expect(addon.names(object, 1, 8, 1)).toEqual([symbol]);
  expect(addon.names(object, 7, 0, 0)).toBe(statuses.invalidArg);
});

test("freezing, prototypes, instanceof", () => {
  expect(Object.isFrozen(addon.freeze({ a: 1 }))).toBe(true);
  expect(Object.isSealed(addon.seal({ a: 1 }))).toBe(true);
  const proto = { p: 1 };
  expect(addon.prototypes({}, proto) === proto).toBe(true);
  expect(addon.prototypes({}, null)).toBe(null);
  const made = addon.withProperties(proto, "x");
  expect([made.a, made.b, made.p]).toEqual(["x", 2, 1]);
  expect(Object.getPrototypeOf(addon.withProperties(null, 1))).toBe(null);
  expect(addon.instanceOf([], Array)).toBe(true);
  expect(() => addon.instanceOf([], {})).toThrow("Constructor must be a function");
});

test("functions", () => {
  const self = {};
  expect(addon.callWith(self, function (x) { return [this === self, x]; }, 7)).toEqual([true, 7]);
  expect(addon.callWith(self, 5, 7)).toBe(statuses.functionExpected);
  expect(() => addon.callWith(self, () => { throw new RangeError("inner"); }, 1)).toThrow("inner");
  expect(addon.construct(Map, [[1, 2]]).get(1)).toBe(2);
  const fn = addon.makeFunction();
  expect([fn.name, typeof fn.prototype]).toEqual(["reporter", "object"]);
  expect(fn.call(self, 1)).toEqual([1, undefined, self, false, 42]);
  expect(fn(1, 2, 3, 4)[2] === globalThis).toBe(true);
  const made = new fn(1, 2, 3);
  expect([made[0], made[3], made[2] instanceof fn]).toEqual([3, true, true]);
  expect(addon.runScript("1 + 1")).toBe(2);
  expect(() => addon.runScript("}")).toThrow(SyntaxError);
  expect(addon.runScript(5)).toBe(statuses.stringExpected);
});

test("a class with accessors, statics, subclasses", () => {
  const Counter = addon.makeClass();
  expect(Counter.name).toBe("Counter");
  expect([Counter.kind, Object.keys(Counter)]).toEqual([7, ["kind"]]);
  const counter = new Counter(5);
  expect(counter.add().add(2) === counter).toBe(true);
  expect(counter.value).toBe(8);
  counter.value = 1;
  expect(counter.value).toBe(1);
  expect(counter instanceof Counter && Counter.prototype.constructor === Counter).toBe(true);
  expect(() => Counter(5)).toThrow("use new");
  expect(() => Counter.prototype.add.call({})).toThrow("not a Counter");
  expect(() => Counter.prototype.add.call(Object.create(counter))).toThrow("not a Counter");
  expect(Counter.live >= 1).toBe(true);
  class Twice extends Counter {
    add(n) { return super.add(2 * n); }
  }
  if (process.env.COB_NO_FAST_NATIVES) return; // the C API does not tell what `new` was called on
  const twice = new Twice(1);
  expect([twice.add(3).value, twice instanceof Twice, twice instanceof Counter]).toEqual([7, true, true]);
});

test("wrapping once, and again after removing; frozen objects and proxies", () => {
  for (const object of [{}, Object.freeze({}), new Proxy({}, {}), () => 0, new Uint8Array(4)]) {
    expect(addon.wrapTwice(object)).toEqual([0, statuses.invalidArg, 0, statuses.invalidArg, 0, 0, 1]);
    expect(Reflect.ownKeys(object).length < 5).toBe(true);
  }
});

test("objects that die are finalized", async () => {
  const Counter = addon.makeClass();
  const before = addon.finalized();
  (function make() {
    for (let i = 0; i < 100; i++) {
      new Counter(i);
      addon.watch({ i });
      addon.external();
    }
  })();
  expect(await collectUntil(() => addon.finalized() - before > 200)).toBe(true);
});

test("references", async () => {
  addon.keep({ name: "kept" }, 1);
  Bun.gc(true);
  expect(addon.keptValue().name).toBe("kept");
  expect(addon.keepMore()).toBe(2);
  expect([addon.keepLess(), addon.keepLess()]).toEqual([1, 0]);
  expect(addon.keepLess()).toBe(statuses.genericFailure);
  addon.letGo();
  addon.keep("text", 1);
  expect(addon.keptValue()).toBe("text");
  addon.letGo();
  addon.keep(Symbol.for("registered"), 0);
  Bun.gc(true);
  expect(addon.keptValue() === Symbol.for("registered")).toBe(true);
  addon.letGo();
});

test("externals, type tags", () => {
  expect(addon.isOurExternal(addon.external())).toBe(true);
  expect(addon.isOurExternal({})).toBe(statuses.invalidArg);
  const object = {};
  addon.tag(object, 0);
  expect([addon.hasTag(object, 0), addon.hasTag(object, 1), addon.hasTag({}, 0)]).toEqual([
    true, false, false,
  ]);
  expect(addon.tag(object, 1)).toBe(statuses.invalidArg);
  expect(addon.tag(5, 1)).toBe(statuses.objectExpected);
});

test("values live as long as their scope", () => {
  expect(addon.scopes(100).map((o) => o.i)).toEqual(Array.from({ length: 64 }, (_, i) => i));
  expect(addon.escape()).toEqual({ twice: statuses.escapeTwice });
  expect(addon.closeNothing()).toBe(statuses.scopeMismatch);
});

test("errors", () => {
  const made = addon.makeErrors("CODE", "text");
  expect(made.map((e) => [e.constructor.name, e.message, e.code])).toEqual([
    ["Error", "text", "CODE"], ["TypeError", "text", "CODE"], ["RangeError", "text", undefined],
    ["SyntaxError", "text", "CODE"],
  ]);
  expect(addon.makeErrors(5, "text")).toBe(statuses.stringExpected);
  const kinds = [Error, TypeError, RangeError, SyntaxError];
  kinds.forEach((kind, i) => expect(() => addon.throwKind(i)).toThrow(kind));
  expect([addon.isError(new Error()), addon.isError({ message: "" })]).toEqual([true, false]);
  try {
    addon.throwValue(17);
  } catch (error) {
    expect(error).toBe(17);
  }
  const pending = statuses.pendingException;
  expect(addon.catchFrom(() => { throw 5; })).toEqual([5, pending, pending, true]);
  expect(addon.catchFrom(() => 1)).toEqual([undefined, 0, 0, false]);
  expect(addon.lastError()).toBe("Invalid argument");
});

test("fatal errors end the process, fatal exceptions are uncaught ones", () => {
  const run = (code) => spawnSync(process.execPath, ["-e", code], { encoding: "utf8" });
  const required = `const addon = require(${JSON.stringify(file("objects"))});`;
  const ended = run(`${required} addon.fatal()`);
  expect(ended.stderr).toContain("FATAL ERROR: objects.c the end");
  expect(ended.signal).toBe("SIGABRT");
  const caught = run(`${required} process.on("uncaughtException", (e) => console.log(e.message));
    addon.fatalException(new Error("late"));`);
  expect(caught.stdout).toBe("late\n");
});
