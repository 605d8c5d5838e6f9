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

// ---- XML ----------------------------------------------------------------------------------------

const { XML } = Bun;

test("XML: elements, attributes and text", () => {
  for (const [text, value] of [
    ["<a/>", { a: "" }],
    ["<?xml version='1.0'?><!-- c --><a x='1'> </a>", { a: { "@x": "1", "#text": " " } }],
    ["<a>\n <b/>t\n<b>2</b></a>", { a: { b: ["", "2"], "#text": "t\n" } }],
    ["<a>x<!-- c -->y<?pi d?>z</a>", { a: "xyz" }],
    ["<a b=\"&lt;&#65;&#x42;\n\tz\">&amp;<![CDATA[<&]]></a>", { a: { "@b": "<AB  z", "#text": "&<&" } }],
    ["<a:b xmlns:a='u'><a:c/></a:b>", { "a:b": { "@xmlns:a": "u", "a:c": "" } }],
    ["\ufeff<a>\r\n\r</a>", { a: "\n\n" }],
  ]) expect(XML.parse(text)).toEqual(value);
  expect(Object.keys(XML.parse("<a><__proto__>1</__proto__></a>").a)).toEqual(["__proto__"]);
});

test("XML: entities and defaults of the document type", () => {
  const parse = (subset, body) => XML.parse(`<!DOCTYPE a [${subset}]>${body}`).a;
  expect(parse('<!ENTITY e "v<b>1</b>">', "<a>&e;&e;</a>")).toEqual({ "#text": "vv", b: ["1", "1"] });
  expect(parse('<!ENTITY e "1&f;"><!ENTITY f "2">', '<a q="&e;">&e;</a>')).toEqual({ "@q": "12", "#text": "12" });
  expect(parse('<!ATTLIST a k CDATA "def" n NMTOKEN " x ">', "<a/>")).toEqual({ "@k": "def", "@n": "x" });
  expect(parse("<!ENTITY % p \"<!ENTITY q 'Q'>\">%p;", "<a>&q;</a>")).toBe("Q");
  expect(XML.parse('<!DOCTYPE a SYSTEM "x"><a>&n;</a>')).toEqual({ a: "&n;" });
  expect(() => parse('<!ENTITY e "&e;">', "<a>&e;</a>")).toThrow("refers to itself");
  let laughs = '<!ENTITY e0 "lol">';
  for (let i = 1; i < 40; i++) laughs += `<!ENTITY e${i} "${`&e${i - 1};`.repeat(10)}">`;
  expect(() => parse(laughs, "<a>&e39;</a>")).toThrow("expand to too much");
});

test("XML: what is not well-formed", () => {
  for (const text of [
    "", " ", "x", "<a", "<a><b></a>", "<a/><b/>", "<a>&nope;</a>", "<a>&#0;</a>", "<a>\x01</a>", "<a b='1' b='2'/>",
    "<a b=1/>", "<a b/>", "<a b='<'/>", "<a>]]></a>", "<!-- a -- b --><a/>", " <?xml version='1.0'?><a/>", "<1/>",
    "<a/ >", "< a/>", "<a>&</a>", "<a>&a", "<!DOCTYPE", "<!DOCTYPE a [<a/>", "</a>", "<a></a", "<a><![CDATA[</a>",
  ]) expect(() => XML.parse(text)).toThrow(SyntaxError);
  expect(() => XML.parse("<a>".repeat(100_000))).toThrow(RangeError);
});

test("XML: bytes", () => {
  expect(XML.parse(Buffer.from("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>", "latin1"))).toEqual({ a: "\xe9" });
  expect(XML.parse(Buffer.from("\ufeff<a>\xe9</a>", "utf16le"))).toEqual({ a: "\xe9" });
  expect(XML.parse(new Blob(["<a>", "1</a>"]))).toEqual({ a: "1" });
  expect(() => XML.parse(Buffer.from("<?xml version='1.0' encoding='koi8-r'?><a/>"))).toThrow("Unsupported encoding");
  expect(() => XML.parse(Buffer.from([60, 97, 62, 255, 60, 47, 97, 62]))).toThrow("Invalid UTF-8");
});

test("XML: the tree, and both shapes as text", () => {
  const text = '<p class="lead">Hello <b>w</b>!<!-- d --><?t dd?></p>';
  const tree = XML.parse(text, { compact: false });
  expect(tree).toEqual({
    name: "p", attributes: { class: "lead" },
    children: ["Hello ", { name: "b", attributes: {}, children: ["w"] }, "!", { comment: " d " }, { target: "t", data: "dd" }],
  });
  expect(XML.stringify(tree)).toBe(text);
  expect(XML.stringify({ a: { "@x": 'a"<&', "#text": "t<", b: [1, null, true], u: undefined } }))
    .toBe('<a x="a&quot;&lt;&amp;">t&lt;<b>1</b><b/><b>true</b></a>');
  expect(XML.stringify({ a: { b: 1, c: { d: 1, "#text": "x" }, e: { f: 1 } } }, null, 2))
    .toBe("<a>\n  <b>1</b>\n  <c><d>1</d>x</c>\n  <e>\n    <f>1</f>\n  </e>\n</a>");
  const circle = { a: {} };
  circle.a.b = circle;
  for (const value of [{ "a b": 1 }, { a: 1, b: 2 }, {}, [1], null, 5, { a: [1] }, { a: "\0" }, circle]) {
    expect(() => XML.stringify(value)).toThrow();
  }
});
