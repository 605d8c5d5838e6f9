// Node-API: primitive values.
const { load, statuses } = require("./load.js");
const addon = load("values");

test("constants, kinds, equality", () => {
  const [nothing, none, yes, global] = addon.constants();
  expect([nothing, none, yes]).toEqual([undefined, null, true]);
  expect(global === globalThis).toBe(true);
  const values = [undefined, null, true, 1, "x", Symbol("s"), {}, () => 0];
  expect(values.map(addon.typeOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(addon.typeOf(1n)).toBe(9);
  expect(addon.strictEquals(NaN, NaN)).toBe(false);
  expect(addon.strictEquals("a", "a")).toBe(true);
});

test("numbers are cut as Node cuts them", () => {
  expect(addon.numbers(-1.5)).toEqual([-1.5, -1, 4294967295, -1]);
  expect(addon.numbers(2 ** 32 + 1)).toEqual([4294967297, 1, 1, 4294967297]);
  expect(addon.numbers(Infinity).slice(1)).toEqual([0, 0, 0]);
  expect(addon.numbers(1e300).slice(1)).toEqual([0, 0, 9223372036854775807]);
  expect(addon.numbers(-1e300)[3]).toBe(-9223372036854775808);
  expect(addon.numbers("1")).toBe(statuses.numberExpected);
  expect(addon.readBool(false)).toBe(false);
  expect(addon.readBool(0)).toBe(statuses.booleanExpected);
});

test("conversions run the language's own", () => {
  expect([addon.coerce("", 0), addon.coerce("12", 1), addon.coerce(12, 3)]).toEqual([false, 12, "12"]);
  expect(typeof addon.coerce("x", 2)).toBe("object");
  expect(addon.coerce(null, 2)).toBe(statuses.objectExpected);
  expect(() => addon.coerce(Symbol("s"), 1)).toThrow(TypeError);
  const thrown = new Error("mine");
  expect(() => addon.coerce({ toString() { throw thrown; } }, 3)).toThrow("mine");
});

test("text in three encodings, cut to the buffer", () => {
  expect(addon.readText("h\u00e9llo", 256, 0)).toEqual(["h\u00e9llo", 6, 6]);
  expect(addon.readText("h\u00e9llo", 3, 0)).toEqual(["h", 1, 6]);
  expect(addon.readText("h\u00e9llo", 256, 1)).toEqual(["h\u00e9llo", 5, 5]);
  expect(addon.readText("\u20ac5", 256, 1)).toEqual(["\u00ac5", 2, 2]);
  expect(addon.readText("\ud83d\ude00!", 256, 2)).toEqual(["\ud83d\ude00!", 3, 3]);
  expect(addon.readText("\ud83d\ude00!", 5, 0)).toEqual(["\ud83d\ude00", 4, 5]);
  expect(addon.readText("\ud83d\ude00!", 4, 0)).toEqual(["", 0, 5]);
  expect(addon.readText("abc", 0, 0)).toEqual(["", 0, 3]);
  expect(addon.readText(5, 9, 0)).toBe(statuses.stringExpected);
  expect(addon.badText()).toBe(statuses.invalidArg);
});

test("text that stays with the add-on, keys", () => {
  expect(addon.externalText()).toEqual(["kept by the add-on", "kept \u20ac"]);
  expect(addon.freedTexts() >= 0).toBe(true);
  expect(addon.keys()).toEqual({ one: "one", two: "two", three: "three" });
});

test("symbols, dates", () => {
  expect(addon.symbol("name").description).toBe("name");
  expect(addon.symbol().description).toBe(undefined);
  expect(addon.symbol(5)).toBe(statuses.stringExpected);
  expect(addon.symbolFor() === Symbol.for("shared")).toBe(true);
  expect(addon.date(new Date(5)).getTime()).toBe(1005);
  expect(addon.date({})).toBe(statuses.dateExpected);
});

test("integers of any size", () => {
  expect(addon.bigint64(-1n)).toEqual([-1n, true, 2n ** 64n - 1n, false]);
  expect(addon.bigint64(2n ** 64n - 1n)).toEqual([-1n, false, 2n ** 64n - 1n, true]);
  expect(addon.bigint64(1)).toBe(statuses.bigintExpected);
  for (const n of [0n, -5n, 2n ** 64n, -(2n ** 200n) + 12345n, 0xfedcba9876543210n]) {
    expect(addon.bigintWords(n)).toBe(n);
  }
  expect(() => addon.hugeBigint()).toThrow("Maximum BigInt size exceeded");
});

test("versions", () => {
  const [napi, major] = addon.version();
  expect(napi).toBe(Number(process.versions.napi));
  expect(major).toBe(Number(process.versions.node.split(".")[0]));
});
