const { converters, dictionary, enumeration, sequence } = cobInternal("internal/webidl");

test("integers wrap, clamp or enforce", () => {
  expect(converters["unsigned short"](65537)).toBe(1);
  expect(converters["unsigned long"](-1)).toBe(4294967295);
  expect(converters.long(2 ** 31)).toBe(-(2 ** 31));
  expect(converters.octet(-0.5)).toBe(0);
  expect(converters.byte(200)).toBe(-56);
  expect(converters["unsigned long long"](Infinity)).toBe(0);
  expect(converters.octet(300, { clamp: true })).toBe(255);
  expect(converters.octet(2.5, { clamp: true })).toBe(2);
  expect(converters.octet(3.5, { clamp: true })).toBe(4);
  expect(() => converters.octet(256, { enforceRange: true })).toThrow(TypeError);
  expect(() => converters.octet(NaN, { enforceRange: true })).toThrow("finite");
  expect(() => converters.long(1n)).toThrow(TypeError);
  expect(() => converters.long(Symbol())).toThrow(TypeError);
});

test("floats", () => {
  expect(() => converters.double(Infinity)).toThrow(TypeError);
  expect(converters["unrestricted double"](Infinity)).toBe(Infinity);
  expect(converters.float(0.1)).toBe(Math.fround(0.1));
  expect(() => converters.float(1e300)).toThrow(TypeError);
});

test("strings", () => {
  expect(converters.DOMString(null)).toBe("null");
  expect(converters.USVString("a\ud800")).toBe("a\ufffd");
  expect(() => converters.DOMString(Symbol())).toThrow(TypeError);
  expect(() => converters.ByteString("\u0100")).toThrow(TypeError);
});

test("sequences, enumerations and dictionaries", () => {
  const strings = sequence(converters.DOMString);
  expect(strings(new Set([1, "b"]))).toEqual(["1", "b"]);
  expect(() => strings("ab")).toThrow("cannot be converted to sequence");
  expect(() => strings({})).toThrow("cannot be converted to sequence");
  const color = enumeration("Color", ["red"]);
  expect(color("red")).toBe("red");
  expect(() => color("blue")).toThrow("not a valid enum value of type Color");
  const options = dictionary("Options", [
    { key: "a", converter: converters.long, defaultValue: () => 7 },
    { key: "b", converter: converters.DOMString, required: true },
  ]);
  expect({ ...options({ b: 1 }) }).toEqual({ a: 7, b: "1" });
  expect(() => options({})).toThrow("'b' is required");
  expect(() => options(1)).toThrow("dictionary");
});
