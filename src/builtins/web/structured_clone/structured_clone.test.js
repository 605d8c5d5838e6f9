function thrown(fn) {
  try {
    fn();
  } catch (err) {
    return err;
  }
  return undefined;
}

test("primitives and boxed primitives", () => {
  for (const value of [undefined, null, true, -0, NaN, "a", 10n]) {
    expect(structuredClone(value)).toBe(value);
    expect(structuredClone([value])[0]).toBe(value);
  }
  const boxed = structuredClone([Object(1), Object("s"), Object(false), Object(5n)]);
  expect(boxed.map((b) => [typeof b, b.valueOf()])).toEqual([
    ["object", 1], ["object", "s"], ["object", false], ["object", 5n],
  ]);
});

test("objects: own enumerable string keys, prototypes are lost", () => {
  class Point {
    x = 1;
    get y() {
      return 2;
    }
  }
  const copy = structuredClone(new Point());
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  expect(Object.keys(copy)).toEqual(["x"]);
  const odd = { [Symbol("s")]: 1, get a() { return 7; } };
  Object.defineProperty(odd, "hidden", { value: 1 });
  Object.defineProperty(odd, "__proto__", { value: 3, enumerable: true });
  const clone = structuredClone(odd);
  expect(Reflect.ownKeys(clone)).toEqual(["a", "__proto__"]);
  expect(Object.getOwnPropertyDescriptor(clone, "a").value).toBe(7);
});

test("cycles and shared parts", () => {
  const value = { list: [] };
  value.self = value;
  value.list.push(value, value.list);
  const copy = structuredClone(value);
  expect(copy.self).toBe(copy);
  expect(copy.list[0]).toBe(copy);
  expect(copy.list[1]).toBe(copy.list);
  expect(copy === value).toBe(false);
});

test("arrays: holes and extra properties", () => {
  const array = [1, , 3];
  array.extra = "x";
  const copy = structuredClone(array);
  expect([copy.length, 1 in copy, copy[2], copy.extra]).toEqual([3, false, 3, "x"]);
  expect(structuredClone(new Array(5)).length).toBe(5);
  expect(structuredClone([[], [1, [2]]])).toEqual([[], [1, [2]]]);
});

test("Map, Set, Date, RegExp", () => {
  const key = { k: 1 };
  const [map, set, date, regexp, again] = structuredClone([
    new Map([[key, "v"], ["s", key]]), new Set([key, 1]), new Date(5), /a\/b/gi, key,
  ]);
  expect([...map.keys()][0]).toBe(again);
  expect(map.get("s")).toBe(again);
  expect(set.has(again)).toBe(true);
  expect(date.getTime()).toBe(5);
  expect([regexp.source, regexp.flags, regexp.lastIndex]).toEqual(["a\\/b", "gi", 0]);
  expect(Number.isNaN(structuredClone(new Date(NaN)).getTime())).toBe(true);
});

test("errors", () => {
  const copy = structuredClone(new RangeError("m", { cause: { a: 1 } }));
  expect([copy.name, copy.message, copy instanceof RangeError]).toEqual(["RangeError", "m", true]);
  expect(copy.cause).toEqual({ a: 1 });
  expect(Object.keys(copy)).toEqual([]);
  const odd = new Error("x");
  odd.name = "Mine";
  expect(structuredClone(odd).name).toBe("Error");
  const exception = structuredClone(new DOMException("m", "AbortError"));
  expect([exception instanceof DOMException, exception.code, exception.message]).toEqual([
    true, 20, "m",
  ]);
});

test("buffers and views", () => {
  const buffer = Uint8Array.of(1, 2, 3, 4).buffer;
  const value = { a: new Uint8Array(buffer, 1, 2), b: new DataView(buffer, 2), c: buffer };
  const copy = structuredClone(value);
  expect([...copy.a]).toEqual([2, 3]);
  expect(copy.a.buffer).toBe(copy.c);
  expect(copy.b.getUint8(0)).toBe(3);
  expect(copy.c === buffer).toBe(false);
  expect(buffer.byteLength).toBe(4);
  expect(structuredClone(new Float64Array([0.5]))[0]).toBe(0.5);
  expect(structuredClone(new BigInt64Array([5n]))[0]).toBe(5n);
});

test("resizable buffers", () => {
  const buffer = new ArrayBuffer(4, { maxByteLength: 8 });
  new Uint8Array(buffer).set([1, 2, 3, 4]);
  const copy = structuredClone([
    new Uint8Array(buffer), new Uint8Array(buffer, 2, 2), new DataView(buffer),
    new Uint16Array(buffer), new Uint16Array(buffer, 0, 1), new Uint8Array(buffer, 4),
    new Uint8Array(buffer, 4, 0),
  ]);
  expect([...new Uint8Array(buffer)]).toEqual([1, 2, 3, 4]);
  expect([copy[0].buffer.maxByteLength, copy[0].buffer.resizable]).toEqual([8, true]);
  copy[0].buffer.resize(8);
  expect(copy.map((view) => view.byteLength)).toEqual([8, 2, 8, 8, 2, 4, 0]);
  const odd = new ArrayBuffer(5, { maxByteLength: 8 });
  const more = structuredClone([new Uint16Array(odd), new Uint16Array(odd, 0, 2)]);
  more[0].buffer.resize(8);
  expect(more.map((view) => view.length)).toEqual([4, 2]);
});

test("transfer", () => {
  const buffer = Uint8Array.of(1, 2, 3).buffer;
  const view = new Uint8Array(buffer, 1);
  const copy = structuredClone({ view, buffer }, { transfer: [buffer] });
  expect([...copy.view]).toEqual([2, 3]);
  expect(copy.view.buffer).toBe(copy.buffer);
  expect([buffer.detached, view.length]).toEqual([true, 0]);
  const other = new ArrayBuffer(1);
  expect(structuredClone(1, { transfer: [other] })).toBe(1);
  expect(other.detached).toBe(true);
});

test("what fails transfers nothing", () => {
  const buffer = new ArrayBuffer(1);
  expect(thrown(() => structuredClone(() => {}, { transfer: [buffer] })).code).toBe(25);
  expect(buffer.detached).toBe(false);
  for (const transfer of [[buffer, buffer], [{}], [() => {}], [new SharedArrayBuffer(1)]]) {
    expect(thrown(() => structuredClone(1, { transfer })).name).toBe("DataCloneError");
  }
  expect(thrown(() => structuredClone(1, { transfer: [1] })) instanceof TypeError).toBe(true);
  expect(thrown(() => structuredClone(1, { transfer: 1 })) instanceof TypeError).toBe(true);
  expect(thrown(() => structuredClone(1, 1)) instanceof TypeError).toBe(true);
  expect(structuredClone(1, null)).toBe(1);
  structuredClone(0, { transfer: [buffer] });
  expect(thrown(() => structuredClone(buffer)).name).toBe("DataCloneError");
});

test("what cannot be cloned", () => {
  const values = [
    () => {}, Symbol("s"), Promise.resolve(), new WeakMap(), new WeakSet(), new WeakRef({}),
    new Proxy({}, {}), new Proxy([], {}), (function* () {})(), [].values(), globalThis,
    new URL("http://h"), new Event("x"), new AbortController(), Object(Symbol("s")),
  ];
  for (const value of values) {
    expect(thrown(() => structuredClone(value)).name).toBe("DataCloneError");
    expect(thrown(() => structuredClone({ a: [value] })).code).toBe(25);
  }
  expect(thrown(() => structuredClone()).code).toBe("ERR_MISSING_ARGS");
  const failure = new Error("mine");
  const value = { get a() { throw failure; } };
  expect(thrown(() => structuredClone(value))).toBe(failure);
});

test("the program's changes to prototypes do not matter", () => {
  const { set } = Map.prototype;
  Object.defineProperty(Object.prototype, "trap", { set() { throw 1; }, configurable: true });
  try {
    Map.prototype.set = null;
    const source = new Map();
    set.call(source, 1, 2);
    expect(structuredClone(source).get(1)).toBe(2);
    const own = Object.create(null);
    own.trap = 5;
    expect(Object.getOwnPropertyDescriptor(structuredClone(own), "trap").value).toBe(5);
  } finally {
    Map.prototype.set = set;
    delete Object.prototype.trap;
  }
});

test("deep nesting is an error, not a crash", () => {
  // A collection at every native call would take minutes.
  const depth = process.env.COB_GC_STRESS ? 1000 : 200000;
  let value = [];
  for (let i = 0; i < depth; i++) value = [value];
  const err = thrown(() => structuredClone(value));
  expect(err === undefined || err instanceof RangeError).toBe(true);
});

test("keys, rules, environments, WebAssembly modules, and what only looks like an object of ours", () => {
  const { createSecretKey, generateKeyPairSync } = require("node:crypto");
  const { BlockList, SocketAddress } = require("node:net");
  const secret = createSecretKey(Buffer.from("abc"));
  expect(structuredClone(secret).equals(secret)).toBe(true);
  const { privateKey } = generateKeyPairSync("ed25519");
  expect(structuredClone(privateKey).equals(privateKey)).toBe(true);
  const list = new BlockList();
  list.addAddress("1.2.3.4");
  expect(structuredClone({ list }).list.check("1.2.3.4")).toBe(true);
  expect(structuredClone(new SocketAddress({ port: 5 })).port).toBe(5);
  expect(structuredClone(process.env)).toEqual({ ...process.env });
  const module = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  const copy = structuredClone(module);
  expect(copy instanceof WebAssembly.Module && copy !== module).toBe(true);
  const fake = Object.setPrototypeOf({ a: 1 }, DOMException.prototype);
  expect(structuredClone(fake)).toEqual({ a: 1 });
  expect(() => structuredClone(new Response())).toThrow("could not be cloned");
});
