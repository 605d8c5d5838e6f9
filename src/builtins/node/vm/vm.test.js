// Tests of node:vm.
const vm = require("node:vm");

test("a context reads from and writes to its object", () => {
  const context = vm.createContext({ x: 2, list: [] });
  const text = "var y = x * 2; function f() { return y; } z = 9; list.push(1); x + y";
  expect(vm.runInContext(text, context)).toBe(6);
  expect([context.y, context.f(), context.z, context.list]).toEqual([4, 4, 9, [1]]);
  context.y = 100;
  expect(vm.runInContext("[y, f()].join()", context)).toBe("100,100");
  vm.runInContext("y = 7; delete globalThis.z", context);
  expect([context.y, "z" in context]).toEqual([7, false]);
  expect(vm.runInContext("let l = 1; typeof z", context)).toBe("undefined");
  expect(vm.runInContext("l + 1", context)).toBe(2);
  expect([vm.isContext(context), vm.isContext({})]).toEqual([true, false]);
});

test("built-ins of its own, nothing of ours", () => {
  expect(vm.runInNewContext("[]") instanceof Array).toBe(false);
  expect(vm.runInNewContext("[] instanceof Array")).toBe(true);
  expect(vm.runInNewContext("typeof process + typeof require")).toBe("undefinedundefined");
  expect(vm.runInNewContext("a + b", { a: 1, b: 2 })).toBe(3);
});

test("errors", () => {
  expect(() => new vm.Script("var x = ;", { filename: "a.js" })).toThrow(SyntaxError);
  const context = vm.createContext({});
  const error = (() => { try { vm.runInContext("\nmissing", context, "f.js"); } catch (e) { return e; } })();
  expect([error.name, error instanceof ReferenceError, error.stack.includes("f.js:2")]).toEqual([
    "ReferenceError", false, true,
  ]);
  for (const [call, code] of [
    [() => vm.runInContext("1", {}), "ERR_INVALID_ARG_TYPE"],
    [() => vm.createContext(1), "ERR_INVALID_ARG_TYPE"],
    [() => new vm.Script("1", { lineOffset: "a" }), "ERR_INVALID_ARG_TYPE"],
    [() => vm.runInThisContext("1", { timeout: -1 }), "ERR_OUT_OF_RANGE"],
    [() => vm.compileFunction(1), "ERR_INVALID_ARG_TYPE"],
  ]) {
    expect(call).toThrow(code);
  }
});

test("scripts, functions", () => {
  const script = new vm.Script("n = (typeof n === 'undefined' ? 0 : n) + 1");
  const context = vm.createContext({});
  script.runInContext(context);
  expect([script.runInContext(context), context.n]).toEqual([2, 2]);
  expect(vm.runInThisContext("this") === globalThis).toBe(true);
  expect(vm.compileFunction("return a + b", ["a", "b"])(1, 2)).toBe(3);
  expect(vm.compileFunction("return x", [], { contextExtensions: [{ x: 5 }] })()).toBe(5);
  expect(() => vm.compileFunction("}); (() => {", [])).toThrow(SyntaxError);
});

test("promises and stores of a context", async () => {
  const { AsyncLocalStorage } = require("node:async_hooks");
  const als = new AsyncLocalStorage();
  const context = vm.createContext({ get: () => als.getStore() });
  const value = als.run(5, () =>
    vm.runInContext("(async () => { await 1; return get(); })()", context),
  );
  expect(await value).toBe(5);
});

test("contexts that nobody has are collected", () => {
  for (let i = 0; i < 100; i++) vm.runInNewContext("x", { x: i, big: new Array(1000).fill(i) });
});
