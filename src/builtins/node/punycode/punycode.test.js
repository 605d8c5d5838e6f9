// Tests of node:punycode: samples of RFC 3492, section 7.1, and errors.
const punycode = require("node:punycode");

const samples = [
  ["\u4ed6\u4eec\u4e3a\u4ec0\u4e48\u4e0d\u8bf4\u4e2d\u6587", "ihqwcrb4cv8a8dqg056pqjye"],
  ["3\u5e74B\u7d44\u91d1\u516b\u5148\u751f", "3B-ww4c5e180e575a65lsy2b"],
  ["b\u00fccher", "bcher-kva"],
  ["\ud83d\udca9", "ls8h"],
  ["-> $1.00 <-", "-> $1.00 <--"],
];

test("labels both ways", () => {
  for (const [unicode, ascii] of samples) {
    expect(punycode.encode(unicode)).toBe(ascii);
    expect(punycode.decode(ascii)).toBe(unicode);
  }
});

test("domains and mail addresses", () => {
  expect(punycode.toASCII("ma\u00f1ana.com")).toBe("xn--maana-pta.com");
  expect(punycode.toUnicode("xn--maana-pta.com")).toBe("ma\u00f1ana.com");
  expect(punycode.toASCII("a@b\u00fccher\u3002de")).toBe("a@xn--bcher-kva.de");
});

test("code points", () => {
  expect(punycode.ucs2.decode("a\ud83d\udca9\ud800")).toEqual([97, 0x1f4a9, 0xd800]);
  expect(punycode.ucs2.encode([97, 0x1f4a9])).toBe("a\ud83d\udca9");
});

test("what is no label", () => {
  for (const bad of ["\u00e9-", "a!", "99999999999"])
    expect(() => punycode.decode(bad)).toThrow(RangeError);
});
