function thrown(fn) {
  try {
    fn();
  } catch (error) {
    return `${error.name} ${error.code}: ${error.message}`;
  }
  return "nothing thrown";
}

describe("toString", () => {
  const buf = Buffer.from("h\u00e9llo \u20ac");

  test("encodings", () => {
    expect(buf.toString()).toBe("h\u00e9llo \u20ac");
    expect(buf.toString("latin1", 0, 3)).toBe("h\u00c3\u00a9");
    expect(buf.toString("ascii", 0, 3)).toBe("hC)");
    expect(buf.toString("HEX")).toBe("68c3a96c6c6f20e282ac");
    expect(buf.toString("base64")).toBe("aMOpbGxvIOKCrA==");
    expect(buf.toString("base64url")).toBe("aMOpbGxvIOKCrA");
    expect(Buffer.from([0x61, 0, 0xac, 0x20, 1]).toString("utf16le")).toBe("a\u20ac");
  });

  test("parts", () => {
    expect(buf.toString("utf8", 3, 5)).toBe("ll");
    expect(buf.toString("utf8", -5, 1)).toBe("h");
    expect(buf.toString("utf8", 5, 3)).toBe("");
    expect(buf.toString("utf8", 99)).toBe("");
    expect(buf.toString(undefined, "3", 4.9)).toBe("l");
  });

  test("odd addresses", () => {
    const memory = Buffer.from("xa\0b\0\u20ac", "latin1");
    expect(memory.subarray(1, 5).toString("ucs2")).toBe("ab");
  });

  test("ill-formed text", () => {
    expect(Buffer.from([0x61, 0xe2, 0x82, 0x62, 0xff]).toString()).toBe("a\ufffdb\ufffd");
    expect(Buffer.from([0xed, 0xa0, 0x80]).toString()).toBe("\ufffd\ufffd\ufffd");
    expect(Buffer.concat([Buffer.alloc(40, "a"), Buffer.from([0xc3])]).toString())
      .toBe(`${"a".repeat(40)}\ufffd`);
  });

  test("unknown encodings", () => {
    expect(thrown(() => buf.toString("foo"))).toBe(
      "TypeError ERR_UNKNOWN_ENCODING: Unknown encoding: foo",
    );
    expect(thrown(() => buf.toString(null))).toMatch("Unknown encoding: null");
    expect(thrown(() => buf.toString("", 1))).toMatch("Unknown encoding: ");
  });

  test("every length, both ways, in every encoding", () => {
    for (let n = 0; n < 100; n++) {
      const source = Buffer.from(Array.from({ length: n }, (_, i) => (i * 37 + n) & 0xff));
      for (const encoding of ["latin1", "hex", "base64", "base64url"]) {
        expect(Buffer.from(source.toString(encoding), encoding).equals(source)).toBe(true);
      }
      const text = "a\u00e9\u20ac\u{1f600}".repeat(30).slice(0, n).toWellFormed();
      expect(Buffer.from(text).toString()).toBe(text);
      expect(Buffer.from(text, "ucs2").toString("ucs2")).toBe(text);
      expect(Buffer.byteLength(text)).toBe(Buffer.from(text).length);
    }
  });
});

describe("write", () => {
  test("whole characters only", () => {
    const buf = Buffer.alloc(4);
    expect(buf.write("a\u20ac\u20ac")).toBe(4);
    expect(buf.write("ab\u20ac", 1)).toBe(2);
    expect(buf.write("\u{1f600}", 1)).toBe(0);
    expect(buf.write("abc", "ucs2")).toBe(4);
    expect(buf.write("abc", 1, "ucs2")).toBe(2);
  });

  test("places and encodings", () => {
    const buf = Buffer.alloc(4);
    expect(buf.write("zz", "hex")).toBe(0);
    expect(buf.write("616263", 1, 2, "hex")).toBe(2);
    expect(buf.toString()).toBe("\0ab\0");
    expect(buf.write("YWJjZA==", 1, "base64")).toBe(3);
    expect(buf.toString()).toBe("\0abc");
    expect(thrown(() => buf.write("a", 5))).toBe(
      'RangeError ERR_OUT_OF_RANGE: The value of "offset" is out of range. It must be >= 0 && ' +
        "<= 4. Received 5",
    );
    expect(thrown(() => buf.write("a", 0, 1, "foo"))).toMatch("ERR_UNKNOWN_ENCODING");
    expect(thrown(() => buf.write(5))).toBe(
      "TypeError ERR_INVALID_ARG_TYPE: argument must be a string",
    );
  });
});

describe("xSlice and xWrite", () => {
  test("slices check their ends", () => {
    const buf = Buffer.from("abcdef");
    expect(buf.utf8Slice("1", 2.7)).toBe("b");
    expect(buf.hexSlice()).toBe("616263646566");
    expect(buf.latin1Slice(3, 1)).toBe("");
    expect(thrown(() => buf.utf8Slice(0, 7))).toBe(
      "RangeError ERR_OUT_OF_RANGE: Index out of range",
    );
    expect(thrown(() => buf.ucs2Slice(-1))).toMatch("Index out of range");
    expect(thrown(() => buf.utf8Slice.call({}))).toBe(
      "TypeError ERR_INVALID_ARG_TYPE: argument must be a buffer",
    );
  });

  test("writes check their places", () => {
    const buf = Buffer.alloc(4);
    expect(buf.utf8Write("abc", 2)).toBe(2);
    expect(buf.hexWrite("6162", 0, 1)).toBe(1);
    expect(thrown(() => buf.utf8Write("a", 5))).toMatch('"offset" is outside of buffer bounds');
    expect(thrown(() => buf.latin1Write("a", 1, 4))).toMatch('"length" is outside');
    expect(thrown(() => buf.base64Write("a", -1))).toMatch("Index out of range");
    expect(thrown(() => buf.asciiWrite(5))).toMatch("argument must be a string");
  });
});
