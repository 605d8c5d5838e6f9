// Tests of Bun.TOML, YAML, JSONC and JSON5.
const { TOML, YAML, JSONC, JSON5 } = Bun;

test("TOML", () => {
  const text = 'a = 1\nb.c = "x"\n[t]\nd = [1, 2.5, true]\n[[l]]\nk = inf\n[[l]]\nk = nan\n__proto__ = 1\n';
  expect(TOML.parse(text)).toEqual({
    a: 1,
    b: { c: "x" },
    t: { d: [1, 2.5, true] },
    l: [{ k: Infinity }, { k: NaN, ["__proto__"]: 1 }],
  });
  expect(TOML.parse(Buffer.from("a = 1"))).toEqual({ a: 1 });
  expect(() => TOML.parse("a = ")).toThrow("TOML Parse error");
  expect(() => TOML.parse("a = 9007199254740993")).toThrow("exactly");
  const value = { a: 1, s: "x\n", list: [1, [2]], t: { u: {}, v: [{ w: 1 }] }, "odd key": -0 };
  expect(TOML.parse(TOML.stringify(value))).toEqual(value);
  expect(() => TOML.stringify({ a: null })).toThrow("null");
  expect(() => TOML.stringify([1])).toThrow("top level");
  const circular = {};
  circular.me = circular;
  expect(() => TOML.stringify(circular)).toThrow("circular");
});

test("YAML: parse", () => {
  expect(YAML.parse("- 1\n- two\n- ~\n- yes\n- 0x10\n- .inf\n- '1'")).toEqual(
    [1, "two", null, "yes", 16, Infinity, "1"],
  );
  expect(YAML.parse("base: &b {a: 1, b: 2}\nd:\n  <<: *b\n  b: 3").d).toEqual({ b: 3, a: 1 });
  expect(YAML.parse("<<: [{a: 1}, {a: 2, b: 3}]\n")).toEqual({ a: 1, b: 3 });
  const shared = YAML.parse("a: &x {b: 1}\nc: *x\n");
  expect(shared.a).toBe(shared.c);
  const self = YAML.parse("&a [*a]");
  expect(self[0]).toBe(self);
  expect(YAML.parse("---\na\n---\nb")).toEqual(["a", "b"]);
  expect(YAML.parse("")).toBe(null);
  expect(YAML.parse("? [1, 2]\n: x\ntrue: y")).toEqual({ "1,2": "x", true: "y" });
  expect(Object.getPrototypeOf(YAML.parse("__proto__: {x: 1}"))).toBe(Object.prototype);
  for (const bad of ["[1,", "*x", "a: b: c", "[".repeat(10_000)]) {
    expect(() => YAML.parse(bad)).toThrow("YAML Parse error");
  }
});

test("YAML: stringify", () => {
  const tricky = ["", "yes", "1", "-", "- a", "a: b", "x #y", "[", "'", '"', "a\nb", " x", "null",
    "0x1F", "1e3", ".5", "+1", "<<", "%x", "@", "~", "\u{1F600}", "a,b", "?", "1.2.3", "\x07"];
  expect(YAML.parse(YAML.stringify(tricky))).toEqual(tricky);
  expect(YAML.parse(YAML.stringify(tricky, null, 2))).toEqual(tricky);
  const shared = { x: 1 };
  const value = { a: shared, b: [shared, [], {}, [[1]]], n: [NaN, -0, null], deep: { e: { f: 1 } } };
  for (const space of [undefined, 2, "\t".replace("\t", "    ")]) {
    const back = YAML.parse(YAML.stringify(value, null, space));
    expect(back).toEqual(value);
    expect(back.a).toBe(back.b[0]);
  }
  expect(YAML.stringify({ a: 1, b: [1, { c: 3 }] }, null, 2)).toBe("a: 1\nb:\n  - 1\n  - c: 3");
  expect(YAML.stringify({ a: { x: 1 }, b: [1] })).toBe("{a: {x: 1},b: [1]}");
  const circular = {};
  circular.me = circular;
  expect(YAML.stringify(circular, null, 2)).toBe("&root\nme:\n  *root");
  expect(YAML.stringify(undefined)).toBe(undefined);
});

test("JSONC and JSON5", () => {
  expect(JSONC.parse('{"a": 1, // one\n "b": [1, 2,], }')).toEqual({ a: 1, b: [1, 2] });
  expect(() => JSONC.parse("{a: 1}")).toThrow("JSONC Parse error");
  const text = "{a: 1, 'b-c': 'x', c: +Infinity, d: NaN, e: 0x1F, f: .5,}";
  const value = { a: 1, "b-c": "x", c: Infinity, d: NaN, e: 31, f: 0.5 };
  expect(JSON5.parse(text)).toEqual(value);
  expect(JSON5.parse(JSON5.stringify(value))).toEqual(value);
  expect(JSON5.stringify({ a: 1, "b-c": "it's" })).toBe("{a:1,'b-c':'it\\'s'}");
  expect(JSON5.stringify([1, undefined], null, 2)).toBe("[\n  1,\n  null,\n]");
});
