// ES modules as ECMA-262 16.2 has them, and together with CommonJS.
"use strict";

const fixture = (name) => `./fixtures/${name}`;

async function errorOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return undefined;
}

// ---- Bindings ----

test("imports are live", async () => {
  const counter = await import(fixture("live/counter.mjs"));
  const again = await import(fixture("live/again.mjs"));
  const before = counter.count;
  again.increment();
  expect(counter.count).toBe(before + 1);
  expect(again.renamed).toBe(before + 1);
  expect(counter["the count"]).toBe(before + 1);
  expect(counter.default).toBe(0);
  expect(again.counter).toBe(counter);
});

test("assigning to an import is a TypeError", async () => {
  const error = await errorOf(import(fixture("fails/assigns.mjs")));
  expect(error instanceof TypeError).toBe(true);
});

test("functions of a cycle are hoisted, the rest is not initialized", async () => {
  const a = await import(fixture("cycle/a.mjs"));
  const b = await import(fixture("cycle/b.mjs"));
  expect(b.isHoisted).toBe("hoisted");
  expect(b.early.name).toBe("ReferenceError");
  expect(a.a).toBe("a sees b");
  expect(b.readLate()).toEqual([a.a, a.Late]);
  expect(a.isHoisted).toBe("hoisted");
});

test("a module may import itself", async () => {
  const self = await import(fixture("cycle/self.mjs"));
  expect(self.before).toBe("ReferenceError");
  expect(self.again).toBe(1);
  expect(self.self).toBe(self);
});

test("a namespace whose module has not run yet", async () => {
  const late = await import(fixture("cycle/ns-late.mjs"));
  const { found } = await import(fixture("cycle/ns-early.mjs"));
  expect(found).toEqual(["ReferenceError", "ReferenceError", undefined, true, 2]);
  expect(late.value).toBe(1);
});

// ---- Namespace objects ----

test("a namespace object", async () => {
  const ns = await import(fixture("live/counter.mjs"));
  expect(Object.getPrototypeOf(ns)).toBe(null);
  expect(Object.isSealed(ns)).toBe(true);
  expect(Object.isFrozen(ns)).toBe(false);
  expect(Object.keys(ns)).toEqual(["count", "default", "increment", "the count"]);
  expect(Reflect.ownKeys(ns).at(-1)).toBe(Symbol.toStringTag);
  expect(Object.prototype.toString.call(ns)).toBe("[object Module]");
  expect(ns[Symbol.toStringTag]).toBe("Module");
  const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(ns, "count");
  expect([value, writable, enumerable, configurable]).toEqual([ns.count, true, true, false]);
});

test("a namespace object cannot be changed", async () => {
  const ns = await import(fixture("live/counter.mjs"));
  expect(() => { ns.count = 9; }).toThrow(TypeError);
  expect(() => { ns.fresh = 9; }).toThrow(TypeError);
  expect(() => { delete ns.count; }).toThrow(TypeError);
  expect(delete ns.absent).toBe(true);
  expect(Reflect.set(ns, "count", 1)).toBe(false);
  expect(Reflect.setPrototypeOf(ns, null)).toBe(true);
  expect(Reflect.setPrototypeOf(ns, {})).toBe(false);
  expect(Reflect.defineProperty(ns, "count", { value: ns.count })).toBe(true);
  expect(Reflect.defineProperty(ns, "count", { value: -1 })).toBe(false);
  expect(Reflect.preventExtensions(ns)).toBe(true);
  expect("absent" in ns).toBe(false);
  expect(ns.absent).toBe(undefined);
});

test("export * takes what is unambiguous and not default", async () => {
  const ns = await import(fixture("star/both.mjs"));
  expect(Object.keys(ns)).toEqual(["one", "own", "shared", "two"]);
  expect(ns.own).toBe("both");
});

test("export * in a circle", async () => {
  const ns = await import(fixture("star/circle-a.mjs"));
  expect(Object.keys(ns)).toEqual(["a", "b"]);
});

test("export * of CommonJS", async () => {
  const ns = await import(fixture("star/of-cjs.mjs"));
  expect(ns.named).toBe("named");
  expect(ns.own).toBe(1);
  expect("default" in ns).toBe(false);
});

// ---- What cannot be linked ----

for (const [name, text] of [
  ["star/ambiguous.mjs", "clash"],
  ["star/missing.mjs", "nothing"],
  ["star/no-default.mjs", "default"],
  ["cjs/missing-name.mjs", "absent"],
]) {
  test(`${name} does not link`, async () => {
    for (let i = 0; i < 2; i++) {
      const error = await errorOf(import(fixture(name)));
      expect(error?.name).toBe("SyntaxError");
      expect(error.message.includes(text)).toBe(true);
    }
  });
}

// ---- Names of default exports ----

test("anonymous default exports are called default", async () => {
  expect((await import(fixture("names/names.mjs"))).default.name).toBe("default");
  expect((await import(fixture("names/arrow.mjs"))).default.name).toBe("default");
  expect((await import(fixture("names/function.mjs"))).default.name).toBe("default");
  expect((await import(fixture("names/function.mjs"))).early).toBe("default");
  expect((await import(fixture("names/named.mjs"))).default.name).toBe("Named");
  expect((await import(fixture("names/expression.mjs"))).default.name).toBe("own");
});

test("a class without a name has it when its static parts run", async () => {
  expect((await import(fixture("names/names.mjs"))).default.seen).toBe("default");
});

// ---- CommonJS ----

test("importing CommonJS", async () => {
  const plain = await import(fixture("cjs/plain.cjs"));
  expect(plain.named).toBe("named");
  expect(plain.default).toBe(require(fixture("cjs/plain.cjs")));
  const fn = await import(fixture("cjs/function.cjs"));
  expect(fn.default()).toBe("main");
  expect(fn.extra).toBe(1);
  expect((await import(fixture("cjs/primitive.cjs"))).default).toBe(42);
});

test("__esModule means exports.default, but not to Node's own modules", async () => {
  const whole = require(fixture("cjs/es-module.cjs"));
  const node = await import(fixture("cjs/import-es.mjs"));
  expect(node.value).toBe(whole);
  expect(node.named).toBe("named");
  const other = await import(fixture("cjs/import-es.ts"));
  expect(other.value).toBe("the default");
  expect(other.named).toBe("named");
  const without = await import(fixture("cjs/es-module-without-default.cjs"));
  expect(without.named).toBe("named");
});

test("hidden getters of CommonJS are no exports and are not read", async () => {
  const ns = await import(fixture("cjs/hidden.cjs"));
  expect(Object.keys(ns).sort()).toEqual(["constant", "default", "plain"]);
  expect(ns.plain).toBe(1);
  expect(ns.default.hidden).toBe(2);
});

test("to require, a file without ending is CommonJS whatever the package says", () => {
  expect(require(fixture("typed/tool")).isTool).toBe(true);
});

test("CommonJS that throws", async () => {
  for (let i = 0; i < 2; i++) {
    const error = await errorOf(import(fixture("cjs/throws.cjs")));
    expect(error instanceof RangeError).toBe(true);
    expect(error.message).toBe("from CommonJS");
  }
});

test("CommonJS and a module in a cycle", () => {
  expect(require(fixture("cjs/cycle.cjs"))).toEqual({ before: "before", seen: ["before"], after: "after" });
});

test("require of a module gives its namespace", async () => {
  const ns = require(fixture("required/module.mjs"));
  expect(Object.keys(ns).sort()).toEqual(["Named", "default", "value"]);
  expect(ns.value).toBe(1);
  expect(require(fixture("required/module.mjs"))).toBe(ns);
  expect((await import(fixture("required/module.mjs"))).Named).toBe(ns.Named);
  expect(require(fixture("required/special.mjs"))).toEqual({ whole: true });
});

test("require of a module that awaits", () => {
  for (const name of ["required/awaits.mjs", "required/below.mjs"]) {
    let error;
    try {
      require(fixture(name));
    } catch (e) {
      error = e;
    }
    expect(error?.code).toBe("ERR_REQUIRE_ASYNC_MODULE");
  }
});

// ---- import() ----

test("import() gives the same namespace everywhere", async () => {
  const ns = await import(fixture("live/counter.mjs"));
  const cjs = require(fixture("cjs/imports.cjs"));
  const path = require.resolve(fixture("live/counter.mjs"));
  expect(await cjs.later()).toBe(ns);
  expect(await cjs.inEval()).toBe(ns);
  expect(await cjs.inFunction(path)).toBe(ns);
  expect(await eval(`import(${JSON.stringify(path)})`)).toBe(ns);
  expect(await (0, eval)(`import(${JSON.stringify(path)})`)).toBe(ns);
  expect(await import(`file://${path}`)).toBe(ns);
  expect(await import({ toString: () => path })).toBe(ns);
});

test("import() never throws", async () => {
  const cjs = require(fixture("cjs/imports.cjs"));
  expect((await errorOf(cjs.missing())).code).toBe("ERR_MODULE_NOT_FOUND");
  expect((await errorOf(cjs.odd(Symbol("no"))))?.name).toBe("TypeError");
  const thrower = { toString() { throw new EvalError("mine"); } };
  expect((await errorOf(cjs.odd(thrower)))?.message).toBe("mine");
  expect((await errorOf(import("node:nothing"))).code).toBe("ERR_UNKNOWN_BUILTIN_MODULE");
  expect((await errorOf(import(fixture("fails/syntax.mjs")))).name).toBe("SyntaxError");
  expect((await errorOf(import(fixture("live/counter.mjs"), 1)))?.name).toBe("TypeError");
});

test("a query makes another instance", async () => {
  const one = await import(`${fixture("query/stamp.mjs")}?1`);
  const two = await import(`${fixture("query/stamp.mjs")}?2`);
  expect(one.stamp === two.stamp).toBe(false);
  expect(one.url.endsWith("/stamp.mjs?1")).toBe(true);
  expect((await import(`${fixture("query/stamp.mjs")}?1`)).stamp).toBe(one.stamp);
});

// ---- Errors while running ----

test("a module that threw throws the same again, its importers do not run", async () => {
  const first = await errorOf(import(fixture("fails/importer.mjs")));
  const again = await errorOf(import(fixture("fails/throws.mjs")));
  const third = await errorOf(import(fixture("fails/importer.mjs")));
  expect(first.message).toBe("once");
  expect(again).toBe(first);
  expect(third).toBe(first);
  expect(globalThis.failures).toBe(1);
  expect(globalThis.importerRan).toBe(undefined);
});

test("a rejected await at the top fails those above", async () => {
  const error = await errorOf(import(fixture("fails/waits.mjs")));
  expect(error.message).toBe("later");
  expect(await errorOf(import(fixture("fails/later.mjs")))).toBe(error);
  expect(globalThis.waiterRan).toBe(undefined);
});

test("siblings that await run side by side", async () => {
  await import(fixture("order/root.mjs"));
  expect(globalThis.order).toEqual(["sync", "slow", "fast", "fast done", "above", "slow done", "root"]);
});

// ---- Other kinds ----

test("attributes", async () => {
  const all = await import(fixture("attributes/all.mjs"));
  expect(all.json).toEqual({ a: 1, default: 2, "b c": 3 });
  expect(all.again).toEqual(all.json);
  expect(all.a).toBe(1);
  expect(all.text).toBe("text\n");
  expect(all.plain).toBe("text\n");
  expect(all.bytes instanceof Uint8Array).toBe(true);
  expect([...all.bytes]).toEqual([116, 101, 120, 116, 10]);
  expect(all.path.endsWith("note.txt")).toBe(true);
  expect(all.source.startsWith("import json")).toBe(true);
  const dynamic = await import(fixture("attributes/data.json"), { with: { type: "json" } });
  expect(dynamic.default).toBe(all.json);
  expect(Object.keys(dynamic)).toEqual(["default"]);
});

test("data: URLs", async () => {
  const ns = await import("data:text/javascript,export const a = 1; export default import.meta.url");
  expect(ns.a).toBe(1);
  expect(ns.default.startsWith("data:text/javascript,")).toBe(true);
  const coded = await import("data:text/javascript;base64,ZXhwb3J0IGRlZmF1bHQgIm9rIg==");
  expect(coded.default).toBe("ok");
  const escaped = await import("data:text/javascript,export%20default%20%22%C3%A9%22");
  expect(escaped.default).toBe("\u00e9");
  const json = await import('data:application/json,{"a":1}', { with: { type: "json" } });
  expect(json.default).toEqual({ a: 1 });
});

// ---- import.meta ----

test("import.meta", async () => {
  const { meta, same, make } = await import(fixture("meta/meta.mjs"));
  const path = require.resolve(fixture("meta/meta.mjs"));
  const dir = path.slice(0, path.lastIndexOf("/"));
  expect(same).toBe(true);
  expect(make()).toBe(meta);
  expect(Object.getPrototypeOf(meta)).toBe(null);
  expect(meta.url).toBe(`file://${path}`);
  expect(meta.path).toBe(path);
  expect(meta.filename).toBe(path);
  expect(meta.dir).toBe(dir);
  expect(meta.dirname).toBe(dir);
  expect(meta.file).toBe("meta.mjs");
  expect(meta.main).toBe(false);
  expect(meta.env).toBe(process.env);
  expect(meta.hot).toBe(undefined);
  expect(meta.require("./meta.mjs").meta).toBe(meta);
  expect(meta.resolve("./nothing.js")).toBe(`file://${dir}/nothing.js`);
  expect(meta.resolve("../live/again.mjs")).toBe(`file://${dir.replace(/meta$/, "live")}/again.mjs`);
  expect(meta.resolve("node:path")).toBe("node:path");
  meta.own = 1;
  expect(meta.own).toBe(1);
});

test("file names that URLs escape", async () => {
  const path = require.resolve("./fixtures/meta/with space#.mjs");
  const ns = await import(path.replace("#", "%23").replace(" ", "%20").replace(/^/, "file://"));
  expect(ns.default.endsWith("/meta/with%20space%23.mjs")).toBe(true);
});

// ---- import defer ----

test("a deferred module runs on first use", async () => {
  const ns = await import(fixture("defer/main.mjs"));
  expect([ns.before, ns.tag, ns.value, ns.after]).toEqual([undefined, "Deferred Module", "late", 1]);
  expect(ns.errors.length).toBe(2);
  expect(ns.errors[0].message).toBe("deferred");
  expect(ns.errors[1]).toBe(ns.errors[0]);
});
