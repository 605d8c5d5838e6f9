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

test("limits of time", () => {
  const timedOut = "Script execution timed out after";
  expect(() => vm.runInThisContext("for (;;);", { timeout: 20 })).toThrow(`${timedOut} 20ms`);
  const context = vm.createContext({
    run: (timeout) => vm.runInContext("try { for (;;); } finally {}", context, { timeout }),
  });
  expect(() => vm.runInContext("run(10)", context, { timeout: 5000 })).toThrow(`${timedOut} 10ms`);
  expect(() => vm.runInContext("run(5000)", context, { timeout: 20 })).toThrow(`${timedOut} 20ms`);
  expect(vm.runInContext("1 + 1", context, { timeout: 1000 })).toBe(2);
  const script = "Promise.resolve().then(() => { for (;;); })";
  expect(() => vm.runInNewContext(script, {}, { timeout: 20, microtaskMode: "afterEvaluate" }))
    .toThrow(`${timedOut} 20ms`);
});

test("getters, symbols, indices and descriptors of the object", () => {
  const symbol = Symbol("s");
  class Base { get inherited() { return this.own + 1; } }
  const sandbox = Object.assign(new Base(), { own: 1, [symbol]: 2, 5: "five" });
  Object.defineProperty(sandbox, "fixed", { value: 3, enumerable: false });
  const context = vm.createContext(sandbox);
  expect(vm.runInContext("[inherited, fixed, this[5], 'inherited' in this]", context)).toEqual([
    2, 3, "five", false,
  ]);
  expect(vm.runInContext("Object.getOwnPropertyDescriptor(this, 'fixed')", context)).toEqual(
    Object.getOwnPropertyDescriptor(sandbox, "fixed"),
  );
  expect(Object.getOwnPropertySymbols(vm.runInContext("this", context))).toEqual([symbol]);
  vm.runInContext("Object.defineProperty(this, 'made', { get: () => 7, enumerable: true })", context);
  expect([sandbox.made, vm.runInContext("made", context)]).toEqual([7, 7]);
  sandbox.self = sandbox;
  expect(vm.runInContext("self === this", context)).toBe(true);
  sandbox.Array = 1;
  expect(vm.runInContext("Array", context)).toBe(1);
  delete sandbox.Array;
  expect(vm.runInContext("typeof Array", context)).toBe("function");
});

// Jest keeps its globals in one.
test("a sandbox that is a Proxy hides nothing that it does not have", () => {
  const proxy = (target, handler = {}) => new Proxy(target, handler);
  const inherited = Object.create({ inherited: 7 });
  const plain = vm.createContext(proxy(proxy(inherited)));
  expect(vm.runInContext("inherited + typeof Symbol + typeof nothing", plain))
    .toBe("7functionundefined");
  expect(() => vm.runInContext("nothing", plain)).toThrow("nothing"); // the words are the engine's
  expect(typeof vm.runInContext("this", plain).Array).toBe("function");
  // Who answers for every name has every name.
  const trapped = vm.createContext(proxy({ a: 1 }, { get: (target, key) => target[key] }));
  expect(vm.runInContext("typeof Symbol + a", trapped)).toBe("undefined1");
});

test("what is declared is kept, also by code that runs later", () => {
  const context = vm.createContext({});
  vm.runInContext("var n = 0; function up() { n++; return n; } if (1) { function inner() {} }", context);
  for (let i = 0; i < 2000; i++) context.up();
  expect([context.n, typeof context.inner]).toEqual([2000, "function"]);
  context.n = "x";
  expect(vm.runInContext("n", context)).toBe("x");
  expect(vm.runInContext("var n; var m; [n, m, delete n]", context)).toEqual(["x", undefined, false]);
  expect(Object.keys(context)).toEqual(["n", "up", "inner", "m"]);
});

test("modules", async () => {
  const context = vm.createContext({ log: [] });
  const a = new vm.SourceTextModule(
    "import def, { b, up } from 'b'; import * as all from 'b'; log.push(def, b); up();" +
      "log.push(b, Object.keys(all).join()); export const meta = import.meta.x; export * from 'b';",
    { context, initializeImportMeta: (meta) => { meta.x = 9; } },
  );
  const b = new vm.SourceTextModule(
    "await 0; export let b = 1; export const up = () => { b++; }; export default 'd';", { context },
  );
  await a.link((specifier) => (expect(specifier).toBe("b"), b));
  expect([a.status, a.hasAsyncGraph()]).toEqual(["linked", true]);
  await a.evaluate();
  expect(context.log).toEqual(["d", 1, 2, "b,default,up"]);
  expect([a.namespace.meta, a.namespace.b, a.status]).toEqual([9, 2, "evaluated"]);
  const synthetic = new vm.SyntheticModule(["x"], () => synthetic.setExport("x", 5));
  const user = new vm.SourceTextModule("import { x } from 's'; export default x;");
  await user.link(() => synthetic);
  await user.evaluate();
  expect(user.namespace.default).toBe(5);
  const script = new vm.Script("import('s')", { importModuleDynamically: () => synthetic });
  expect((await script.runInThisContext()).x).toBe(5);
  await expect(vm.runInThisContext("import('s')")).rejects.toThrow("dynamic import callback");
  const bad = new vm.SourceTextModule("import { y } from 's';");
  await expect(bad.link(() => synthetic)).rejects.toThrow(SyntaxError);
});

test("import() by the main context's loader starts at the file that a script names", async () => {
  const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
  const { join } = require("node:path");
  const vm = require("node:vm");
  const dir = mkdtempSync(join(require("node:os").tmpdir(), "cob-js-"));
  writeFileSync(join(dir, "five.cjs"), "module.exports = 5");
  const run = (filename) => new vm.Script("import('../five.cjs')", {
    filename, importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }).runInThisContext();
  for (const filename of [join(dir, "a", "x.js"), `file://${dir}/a/x.js`]) {
    expect((await run(filename)).default).toBe(5);
  }
  expect(await run("x.js").catch((error) => error.code)).toBe("ERR_MODULE_NOT_FOUND");
  rmSync(dir, { recursive: true });
});

test("util.inspect shows the bindings of a module's namespace", async () => {
  const { inspect, types } = require("node:util");
  const m = new vm.SourceTextModule("export const a = 1; export var b = 2");
  await m.link(() => 0);
  expect(inspect(m.namespace)).toBe("[Module: null prototype] { a: <uninitialized>, b: undefined }");
  await m.evaluate();
  expect(inspect({ ns: m.namespace })).toBe("{ ns: [Module: null prototype] { a: 1, b: 2 } }");
  expect(types.isProxy(m.namespace)).toBe(false);
});
