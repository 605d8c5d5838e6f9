// Tests of node:querystring.
const qs = require("node:querystring");

test("parse", () => {
  const cases = [
    ["a=1&b=2&a=3", { a: ["1", "3"], b: "2" }],
    ["a&=b&&c=", { a: "", "": "b", c: "" }],
    ["a=b=c", { a: "b=c" }],
    ["a%20b=c+d", { "a b": "c d" }],
    ["%zz=%41", { "%zz": "A" }],
    ["a=%ff", { a: "\ufffd" }],
    ["__proto__=1", { ["__proto__"]: "1" }],
  ];
  for (const [text, want] of cases) expect({ ...qs.parse(text) }).toEqual({ ...want });
  expect(Object.getPrototypeOf(qs.parse("a=1"))).toBe(null);
  expect({ ...qs.parse("a:1;b:2", ";", ":") }).toEqual({ a: "1", b: "2" });
  expect({ ...qs.parse("a==1, b==2", ", ", "==") }).toEqual({ a: "1", b: "2" });
  expect(Object.keys(qs.parse("a&b&c", null, null, { maxKeys: 2 }))).toEqual(["a", "b"]);
  expect({ ...qs.parse("a=1+2", null, null, { decodeURIComponent: (s) => `<${s}>` }) }).toEqual({
    "<a>": "<1%202>",
  });
  expect({ ...qs.parse(1) }).toEqual({});
});

test("no more than a thousand keys, unless told so", () => {
  const text = Array.from({ length: 1200 }, (_, i) => `k${i}`).join("&");
  expect(Object.keys(qs.parse(text)).length).toBe(1000);
  expect(Object.keys(qs.parse(text, null, null, { maxKeys: 0 })).length).toBe(1200);
});

test("stringify", () => {
  expect(qs.stringify({ a: [1, "x y"], b: true, c: null, d: NaN, e: 10n, f: [], g: 1e21 })).toBe(
    "a=1&a=x%20y&b=true&c=&d=&e=10&g=1e%2B21",
  );
  expect(qs.stringify({ a: 1, b: 2 }, ";", ":")).toBe("a:1;b:2");
  expect(qs.stringify({ a: "b" }, null, null, { encodeURIComponent: (s) => `<${s}>` })).toBe(
    "<a>=<b>",
  );
  expect(qs.stringify("a")).toBe("");
  expect(() => qs.stringify({ a: "\udc00" })).toThrow("ERR_INVALID_URI");
});

test("escape and unescape", () => {
  expect(qs.escape("-_.!~*'()\u20ac")).toBe("-_.!~*'()%E2%82%AC");
  expect(qs.escape(5)).toBe("5");
  expect(qs.unescape("%41%zz")).toBe("A%zz");
  expect(qs.unescapeBuffer("a%20+", true).toString()).toBe("a  ");
  expect([qs.encode, qs.decode]).toEqual([qs.stringify, qs.parse]);
});
