// What is not a table of values: options, custom functions, the protocol for built-in classes, and
// values that are out to do harm.

const { bunInspect, inspect, formatLog } = cobInternal("internal/inspect");
const { stringWidth, stripVTControlCharacters } = cobInternal("internal/inspect/string_width");

const kCustom = Symbol.for("nodejs.util.inspect.custom");
const kPrint = Symbol.for("cob.print");

// ---- options

test("Bun.inspect: depth is an integer from 0, or infinite", () => {
  const value = { a: { b: 1 } };
  expect(bunInspect(value, { depth: 0 })).toBe("{\n  a: [Object ...],\n}");
  expect(bunInspect(value, 0)).toBe("{\n  a: [Object ...],\n}");
  expect(bunInspect(value, { depth: Infinity })).toBe("{\n  a: {\n    b: 1,\n  },\n}");
  expect(bunInspect(value, { depth: "0" })).toBe("{\n  a: {\n    b: 1,\n  },\n}");
  for (const depth of [-1, 1.5, NaN]) {
    expect(() => bunInspect(value, { depth })).toThrow(/^expected depth to be/);
  }
});

test("Bun.inspect(value, depth, colors)", () => {
  expect(bunInspect(1, 2, true)).toBe("\x1b[0m\x1b[33m1\x1b[0m");
  expect(bunInspect(1, { colors: false }, true)).toBe("1");
});

test("util.inspect: legacy arguments", () => {
  expect(inspect({ a: {} }, true, 0)).toBe("{ a: {} }");
  expect(inspect([1], true)).toBe("[ 1, [length]: 1 ]");
  expect(inspect(1, false, 2, true)).toBe("\x1b[33m1\x1b[39m");
  expect(inspect(1, undefined)).toBe("1");
  expect(inspect.name).toBe("inspect");
  expect(inspect.length).toBe(2);
});

test("util.inspect: limits", () => {
  expect(inspect([1, 2, 3], { maxArrayLength: 1 })).toBe("[ 1, ... 2 more items ]");
  expect(inspect([1], { maxArrayLength: 0 })).toBe("[ ... 1 more item ]");
  expect(inspect(new Set([1, 2]), { maxArrayLength: -1 })).toBe("Set(2) { ... 2 more items }");
  expect(inspect("abcdef", { maxStringLength: 2 })).toBe("'ab'... 4 more characters");
  expect(inspect("x".repeat(20000)).endsWith("'... 10000 more characters")).toBe(true);
  expect(inspect("x".repeat(20000), { maxStringLength: null }).length).toBe(20002);
});

test("util.inspect: layout", () => {
  const value = { a: { b: 1, c: [1, 2] }, d: "x" };
  expect(inspect(value, { compact: true })).toBe("{ a: { b: 1, c: [ 1, 2 ] }, d: 'x' }");
  expect(inspect(value, { compact: 1 })).toBe("{\n  a: {\n    b: 1,\n    c: [ 1, 2 ]\n  },\n  d: 'x'\n}");
  expect(inspect(value, { breakLength: 10 }).split("\n").length).toBe(10);
  expect(inspect(["a\nb".repeat(40)], { breakLength: 60 }).includes(" +\n")).toBe(true);
  expect(inspect({ b: 1, a: 2 }, { sorted: true })).toBe("{ a: 2, b: 1 }");
  const backwards = (x, y) => (x < y ? 1 : -1);
  expect(inspect({ a: 1, b: 2 }, { sorted: backwards })).toBe("{ b: 2, a: 1 }");
});

test("util.inspect: numericSeparator", () => {
  const options = { numericSeparator: true };
  expect(inspect([1234567.1234567, 123, -12345n, 1e21], options)).toBe(
    "[ 1_234_567.123_456_7, 123, -12_345n, 1e+21 ]",
  );
});

test("util.inspect: getters", () => {
  const value = { get a() { return 1; }, set b(v) {}, get c() { return { d: 1 }; }, set c(v) {} };
  expect(inspect(value)).toBe("{ a: [Getter], b: [Setter], c: [Getter/Setter] }");
  expect(inspect(value, { getters: true })).toBe(
    "{ a: [Getter: 1], b: [Setter], c: [Getter/Setter] { d: 1 } }",
  );
  expect(inspect(value, { getters: "get" })).toBe(
    "{ a: [Getter: 1], b: [Setter], c: [Getter/Setter] }",
  );
});

test("util.inspect.defaultOptions, colors and styles can be changed", () => {
  const { depth } = inspect.defaultOptions;
  inspect.defaultOptions = { depth: 0 };
  expect(inspect({ a: { b: 1 } })).toBe("{ a: [Object] }");
  inspect.defaultOptions.depth = depth;
  expect(() => { inspect.defaultOptions = 5; }).toThrow(TypeError);
  inspect.styles.number = "red";
  expect(inspect(1, { colors: true })).toBe("\x1b[31m1\x1b[39m");
  inspect.styles.number = "yellow";
  expect(inspect.colors.grey).toBe(inspect.colors.gray);
  expect(Object.keys(inspect.colors).includes("grey")).toBe(false);
});

test("util.inspect: stylize and unknown options reach custom functions", () => {
  let seen;
  const value = { [kCustom](depth, options, fn) { seen = [depth, options, fn]; return "x"; } };
  inspect({ value }, { mine: 1, depth: 5 });
  expect(seen[0]).toBe(4);
  expect(seen[1].mine).toBe(1);
  expect(seen[1].depth).toBe(5);
  expect(seen[1].stylize("t", "number")).toBe("t");
  expect(seen[2]).toBe(inspect);
});

// ---- custom functions and built-in classes

test("a custom function that gives back its object is ignored", () => {
  const value = { a: 1, [kCustom]() { return this; } };
  expect(inspect(value, { compact: true }).startsWith("{ a: 1,")).toBe(true);
});

test("lines of a custom text are indented by util.inspect only", () => {
  const value = { a: { [kCustom]: () => "x\ny" } };
  expect(inspect(value)).toBe("{\n  a: x\n  y\n}");
  expect(bunInspect(value)).toBe("{\n  a: x\ny,\n}");
});

test("exceptions of custom functions and their getters pass", () => {
  const thrower = () => { throw new RangeError("custom"); };
  expect(() => bunInspect({ a: { [kCustom]: thrower } })).toThrow("custom");
  expect(() => inspect({ a: { [kCustom]: thrower } })).toThrow("custom");
  expect(() => bunInspect(Object.defineProperty({}, kCustom, { get: thrower }))).toThrow("custom");
});

test("built-in classes print themselves", () => {
  class Signal {
    get aborted() { return false; }
    abort() {}
    [kPrint](p) { p.attributes(this); }
  }
  expect(bunInspect(new Signal())).toBe("Signal {\n  aborted: false,\n  abort: [Function: abort],\n}");
  const headers = { [kPrint]: (p) => p.quoted("Headers", ["a"], ["1"]) };
  expect(bunInspect({ headers })).toBe('{\n  headers: Headers {\n    "a": "1",\n  },\n}');
  const event = { type: "message", data: [1], [kPrint](p) { p.event(this, "MessageEvent", "data"); } };
  expect(bunInspect(event)).toBe('MessageEvent {\n  type: "message",\n  data: [ 1 ],\n}');
});

// ---- references

test("util.inspect numbers what refers to itself", () => {
  const a = { b: {} };
  a.b.a = a;
  a.b.b = a.b;
  expect(inspect(a)).toBe("<ref *1> { b: <ref *2> { a: [Circular *1], b: [Circular *2] } }");
});

test("an object that comes twice is no circle", () => {
  const o = { x: 1 };
  expect(inspect([o, o])).toBe("[ { x: 1 }, { x: 1 } ]");
  expect(bunInspect([o, o])).toBe("[\n  {\n    x: 1,\n  }, {\n    x: 1,\n  }\n]");
});

// ---- harm

function nest(wrap, times) {
  let value = {};
  for (let i = 0; i < times; i++) value = wrap(value);
  return value;
}

test("nesting beyond the stack", () => {
  const deep = nest((v) => ({ v }), 100000);
  expect(inspect(deep, { depth: Infinity }).includes("Maximum call stack size exceeded")).toBe(true);
  expect(() => bunInspect(deep, { depth: Infinity })).toThrow(RangeError);
  expect(bunInspect(deep, { depth: 1 })).toBe("{\n  v: {\n    v: [Object ...],\n  },\n}");
});

test("Proxies: many layers, revoked, with traps", () => {
  const thrower = new Proxy({ a: 1 }, new Proxy({}, { get() { throw new Error("trap"); } }));
  expect(bunInspect(nest((v) => new Proxy(v, {}), 1000))).toBe("{}");
  expect(inspect(nest((v) => new Proxy(v, {}), 1000))).toBe("{}");
  expect(bunInspect(thrower)).toBe("{\n  a: 1,\n}");
  expect(inspect(thrower)).toBe("{ a: 1 }");
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(bunInspect(proxy)).toBe("<Revoked Proxy>");
  expect(inspect({ proxy, of: new Proxy(proxy, {}) })).toBe(
    "{ proxy: <Revoked Proxy>, of: <Revoked Proxy> }",
  );
});

test("getters are not called", () => {
  let calls = 0;
  const value = { get a() { calls++; return 1; } };
  bunInspect(value);
  bunInspect([value], { sorted: true });
  inspect(value, { showHidden: true });
  expect(calls).toBe(0);
});

test("tags, names and lengths that throw or lie", () => {
  class Odd {
    get [Symbol.toStringTag]() { throw new Error("tag"); }
    get [Symbol.iterator]() { throw new Error("iterator"); }
  }
  expect(inspect(new Odd())).toBe("Odd {}");
  expect(bunInspect(new Odd()).startsWith("Odd {")).toBe(true);
  const args = (function () { arguments.length = 1e15; return arguments; })(1);
  expect(bunInspect(args)).toBe("[\n  1, 999999999999999 x empty items\n]");
  const f = Object.defineProperty(() => {}, "name", { get() { throw new Error("name"); } });
  expect(bunInspect(f)).toBe("[Function]");
});

test("sparse and long arrays do not take long", () => {
  const sparse = [];
  sparse[4e9] = 1;
  expect(bunInspect(sparse)).toBe("[\n  4000000000 x empty items, 1\n]");
  expect(inspect(sparse)).toBe("[ <4000000000 empty items>, 1 ]");
  expect(bunInspect(new Array(2 ** 32 - 1))).toBe("[\n  4294967295 x empty items\n]");
});

test("replaced methods of the language do no harm", () => {
  const values = () => [[1, { a: "x\ny" }], new Map([[1, "k"]]), /x/g, new Date(0), "a'b\"", -0];
  const show = () => values().map((v) => `${bunInspect(v)}|${inspect(v, { colors: true })}`).join();
  const before = show();
  const saved = [];
  const names = ["push", "slice", "indexOf", "includes", "repeat", "split", "has", "get", "forEach"];
  for (const proto of [Array.prototype, String.prototype, Map.prototype, Set.prototype]) {
    for (const name of names) {
      if (!Object.hasOwn(proto, name)) continue;
      saved.push([proto, name, proto[name]]);
    }
  }
  let after;
  const boom = () => { throw new Error("replaced"); };
  try {
    for (let i = 0; i < saved.length; i++) saved[i][0][saved[i][1]] = boom;
    after = show();
  } finally {
    for (let i = 0; i < saved.length; i++) saved[i][0][saved[i][1]] = saved[i][2];
  }
  expect(after).toBe(before);
});

// ---- widths

test("columns of a terminal", () => {
  expect(stringWidth("abc")).toBe(3);
  expect(stringWidth("\u4e2d\u6587")).toBe(4);
  expect(stringWidth("e\u0301")).toBe(1);
  expect(stringWidth("\x1b[31mred\x1b[39m")).toBe(3);
  expect(stringWidth("\u{1f600}")).toBe(2);
  expect(stringWidth("\u{1f468}\u200d\u{1f469}\u200d\u{1f467}")).toBe(2);
  expect(stringWidth("a\tb\n")).toBe(2);
  expect(stripVTControlCharacters("\x1b]8;;u\x07t\x1b]8;;\x07\x9b1m.")).toBe("t.");
});

test("console.log paints text red for errors only", () => {
  const options = { depth: 2, colors: true, level: "error" };
  expect(formatLog(["x"], options)).toBe("\x1b[0m\x1b[31mx\x1b[0m");
  expect(formatLog([1], options)).toBe("\x1b[0m\x1b[33m1\x1b[0m");
  expect(formatLog(["x", 1], { depth: 2, colors: true })).toBe("x \x1b[0m\x1b[33m1\x1b[0m");
});

test("long lists cost what is shown of them", () => {
  const { inspect } = require("node:util");
  for (const list of [new Array(3e6).fill("x"), new Array(3e6).fill(1.5), new Uint8Array(3e6)]) {
    const start = performance.now();
    for (let i = 0; i < 20; i++) {
      expect(inspect(list)).toContain("2999900 more items");
      Bun.inspect(list);
    }
    // Listing the indexes would take a second each time.
    expect(performance.now() - start).toBeLessThan(10_000);
  }
  const named = new Array(200).fill("x");
  named.name = 1;
  expect(inspect(named)).toContain("name: 1");
  expect(Bun.inspect(named)).toContain("name: 1");
});
