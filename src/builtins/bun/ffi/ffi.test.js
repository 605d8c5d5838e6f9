// Tests of bun:ffi, with the functions of the C library.
const {
  CFunction, CString, FFIType, JSCallback, cc, dlopen, linkSymbols, ptr, read, suffix, toArrayBuffer,
  toBuffer,
} = require("bun:ffi");

const LIBC = "libc.so.6";
const { symbols: c } = dlopen(LIBC, {
  abs: { args: ["i32"], returns: "i32" },
  labs: { args: ["i64"], returns: FFIType.i64 },
  llabs: { args: ["i64_fast"], returns: "i64_fast" },
  strlen: { args: ["cstring"], returns: "u64" },
  getenv: { args: ["cstring"], returns: "cstring" },
  qsort: { args: ["ptr", "usize", "usize", "callback"] },
  malloc: { args: ["usize"], returns: "ptr" },
  free: { args: ["ptr"] },
  atof: { args: ["cstring"], returns: "f64" },
  toupper: { args: ["int"], returns: "char" },
  memcpy: { args: ["ptr", "buffer", "buffer_length"], returns: "ptr" },
  snprintf: { args: ["ptr", "usize", "cstring", "i32", "i32", "i32", "i32"], returns: "int" },
  pthread_create: { args: ["ptr", "ptr", "function", "ptr"], returns: "int" },
  pthread_join: { args: ["u64", "ptr"], returns: "int" },
});

test("numbers", () => {
  expect([c.abs(-5), c.abs(-5.9), c.abs(2 ** 32 + 5), c.abs(-3n), c.abs(true), c.abs()]).toEqual(
    [5, 5, 5, 3, 1, 0],
  );
  expect([c.labs(-5), c.labs(-(2n ** 60n)), c.labs(-5.5)]).toEqual([5n, 2n ** 60n, 5n]);
  expect([c.llabs(-5), c.llabs(2 ** 53 - 1), c.llabs(-(2n ** 60n))]).toEqual(
    [5, 2 ** 53 - 1, 2n ** 60n],
  );
  expect([c.atof("3.25"), c.toupper(97)]).toEqual([3.25, 65]);
  for (const value of ["7", {}, Symbol.iterator]) expect(() => c.abs(value)).toThrow("'i32'");
  expect(() => c.labs(null)).toThrow("'i64'");
  expect([c.abs.name, c.abs.length, typeof c.abs.ptr]).toEqual(["abs", 1, "number"]);
});

test("texts and memory", () => {
  expect([c.strlen("h\u00e9llo"), c.strlen(Buffer.from("abc\0"))]).toEqual([6n, 3n]);
  expect([c.getenv("HOME"), c.getenv("NOPE_")]).toEqual([process.env.HOME, null]);
  const p = c.malloc(16);
  const bytes = Buffer.from("hi there\0");
  expect(c.memcpy(p, bytes, bytes)).toBe(p);
  expect([CString(p), `${new CString(p)}`, CString(p, 3), CString(p, 0, 2), CString(0)]).toEqual(
    ["hi there", "hi there", "there", "hi", ""],
  );
  expect(new Uint8Array(toArrayBuffer(p, 3)).length).toBe(5);
  expect(toBuffer(p, 0, 2).toString()).toBe("hi");
  new Uint8Array(toArrayBuffer(p, 0, 2))[0] = 72;
  expect(CString(p)).toBe("Hi there");
  expect(c.snprintf(p, 16, "%d-%d-%d-%d", 1, 2, 3, 4)).toBe(7);
  expect(CString(p)).toBe("1-2-3-4");
  c.free(p);
  expect([c.malloc(2 ** 62), c.free(null)]).toEqual([null, undefined]);
  expect(() => c.free({})).toThrow("'ptr'");
  expect(() => c.memcpy(p, 5, bytes)).toThrow("must be a TypedArray or DataView");
});

test("ptr and read", () => {
  const view = new Int32Array([1, -2, 3]);
  const p = ptr(view);
  expect([ptr(view, 4) - p, read.i32(p), read.i32(p, 4), read.u32(p, 4), read.u8(p, 8)]).toEqual(
    [4, 1, -2, 2 ** 32 - 2, 3],
  );
  const floats = new Float64Array([1.5]);
  const big = new BigUint64Array([2n ** 64n - 1n]);
  expect([read.f64(ptr(floats)), read.u64(ptr(big)), read.i64(ptr(big))]).toEqual(
    [1.5, 2n ** 64n - 1n, -1n],
  );
  for (const bad of ["x", null, 5]) expect(() => ptr(bad)).toThrow("ArrayBufferView");
  expect(() => ptr(new Uint8Array(0))).toThrow("length > 0");
  expect(() => ptr(view, 100)).toThrow("out of bounds");
  for (const bad of [0, 0n, null, "x", -1, NaN]) {
    expect(() => read.u8(bad)).toThrow(TypeError);
    expect(() => toArrayBuffer(bad)).toThrow(TypeError);
  }
});

test("callbacks", () => {
  const list = new Int32Array(100).map((_, i) => (i * 37) % 100);
  const compare = new JSCallback((a, b) => read.i32(a) - read.i32(b), {
    args: ["ptr", "ptr"], returns: "i32",
  });
  c.qsort(list, 100, 4, compare);
  expect(list.join()).toBe(Array.from({ length: 100 }, (_, i) => i).join());
  list.reverse();
  c.qsort(list, 100, 4, compare.ptr);
  expect(list[99]).toBe(99);
  compare.close();
  compare.close();
  expect(compare.ptr).toBe(null);

  let n = 0;
  const failing = new JSCallback(() => { n++; throw new Error("in callback"); }, {
    args: ["ptr", "ptr"], returns: "i32",
  });
  expect(() => c.qsort(list, 100, 4, failing)).toThrow("in callback");
  expect(n).toBe(1); // C goes on, JavaScript does not
  failing.close();
  expect(() => new JSCallback(1, {})).toThrow("Expected callback function");
});

test("every type through a callback", () => {
  const types = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", "bool", "ptr"];
  const values = [-1, 255, -2, 65535, -3, 2 ** 32 - 1, -4n, 2n ** 64n - 1n, 0.5, 1e300, true, 4096];
  let seen;
  const all = new JSCallback((...args) => { seen = args; }, { args: types });
  new CFunction({ ptr: all.ptr, args: types })(...values);
  expect(seen).toEqual(values);
  all.close();
  for (let i = 0; i < types.length; i++) {
    const same = new JSCallback((value) => value, { args: [types[i]], returns: types[i] });
    const call = new CFunction({ ptr: same.ptr, args: [types[i]], returns: types[i] });
    expect(call(values[i])).toBe(values[i]);
    same.close();
  }
});

test("a callback from another thread", async () => {
  const { promise, resolve } = Promise.withResolvers();
  const callback = new JSCallback((p) => resolve(CString(p)), {
    args: ["ptr"], returns: "ptr", threadsafe: true,
  });
  const thread = new BigUint64Array(1);
  const text = Buffer.from("from the thread\0");
  expect(c.pthread_create(thread, null, callback, text)).toBe(0);
  expect(await promise).toBe("from the thread");
  expect(c.pthread_join(thread[0], null)).toBe(0);
  callback.close();

  let isCalled = false;
  const local = new JSCallback(() => { isCalled = true; }, { args: ["ptr"], returns: "ptr" });
  expect(c.pthread_create(thread, null, local, null)).toBe(0);
  expect(c.pthread_join(thread[0], null)).toBe(0);
  expect(isCalled).toBe(false);
  local.close();
});

test("what cannot be opened", () => {
  expect(suffix).toBe("so");
  for (const [run, message] of [
    [() => dlopen("libnope_.so", { a: {} }), 'Failed to open library "libnope_.so"'],
    [() => dlopen(LIBC, { nope_: {} }), 'Symbol "nope_" not found in "libc.so.6"'],
    [() => dlopen(LIBC, {}), "at least one symbol"],
    [() => dlopen(LIBC), "symbol names"],
    [() => dlopen(LIBC, { abs: { args: ["foo"] } }), "Unknown type foo"],
    [() => dlopen(LIBC, { abs: { returns: "foo" } }), "Unknown return type foo"],
    [() => dlopen(LIBC, { abs: { args: ["napi_env"] } }), "cc()"],
    [() => dlopen(LIBC, { abs: { args: new Array(200).fill("i32") } }), "more than 128"],
    [() => linkSymbols({ abs: {} }), 'missing a "ptr" field'],
    [() => new CFunction({}), 'missing a "ptr" field'],
    [() => cc({}), "not implemented"],
  ]) {
    expect(run).toThrow(message);
  }
});

test("a closed library", () => {
  const lib = dlopen(LIBC, { abs: { args: ["i32"], returns: "i32" } });
  const linked = linkSymbols({ abs: { ptr: lib.symbols.abs.ptr, args: ["i32"], returns: "i32" } });
  expect(linked.symbols.abs(-2)).toBe(2);
  const { close } = lib;
  close();
  close();
  expect(() => lib.symbols.abs(1)).toThrow("closed");
});
