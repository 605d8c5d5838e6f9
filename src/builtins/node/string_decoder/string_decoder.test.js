const { StringDecoder } = require("node:string_decoder");

function pieces(encoding, chunks) {
  const decoder = new StringDecoder(encoding);
  return [...chunks.map((chunk) => decoder.write(Buffer.from(chunk))), decoder.end()];
}

describe("StringDecoder", () => {
  test("UTF-8 across chunks", () => {
    expect(pieces("utf8", [[0xe2], [0x82], [0xac, 0x61]])).toEqual(["", "", "\u20aca", ""]);
    expect(pieces("utf8", [[0xf0, 0x9f], [0x98, 0x80]])).toEqual(["", "\u{1f600}", ""]);
  });

  test("ill-formed UTF-8", () => {
    expect(pieces("utf8", [[0xe2], [0x61]])).toEqual(["", "\ufffda", ""]);
    expect(pieces("utf8", [[0xe2, 0x82]])).toEqual(["", "\ufffd"]);
    expect(pieces("utf8", [[0xff], [0x80]])).toEqual(["\ufffd", "\ufffd", ""]);
  });

  test("UTF-16 across chunks", () => {
    expect(pieces("utf16le", [[0x3d], [0xd8, 0x00], [0xde]])).toEqual(["", "\ud83d", "\ude00", ""]);
    expect(pieces("ucs2", [[0x3d, 0xd8], [0x00, 0xde]])).toEqual(["", "\u{1f600}", ""]);
    expect(pieces("ucs2", [[0x61]])).toEqual(["", ""]);
  });

  test("base64 by groups", () => {
    expect(pieces("base64", [[0x61], [0x62, 0x63, 0x64]])).toEqual(["", "YWJj", "ZA=="]);
    expect(pieces("base64url", [[0xff]])).toEqual(["", "_w"]);
  });

  test("single bytes at once", () => {
    expect(pieces("latin1", [[0xe9]])).toEqual(["\u00e9", ""]);
    expect(pieces("hex", [[0xe9]])).toEqual(["e9", ""]);
  });

  test("what is missing can be seen", () => {
    const decoder = new StringDecoder("utf-8");
    decoder.write(Buffer.from([0xf0, 0x9f]));
    expect([decoder.lastNeed, decoder.lastTotal]).toEqual([2, 4]);
    expect([...decoder.lastChar.subarray(0, 2)]).toEqual([0xf0, 0x9f]);
    expect(decoder.encoding).toBe("utf8");
  });

  test("is ready again after its end", () => {
    const decoder = new StringDecoder();
    decoder.write(Buffer.from([0xe2]));
    expect(decoder.end()).toBe("\ufffd");
    expect(decoder.write(Buffer.from("a"))).toBe("a");
  });

  test("takes views and strings", () => {
    const decoder = new StringDecoder("utf8");
    expect(decoder.write("as it is")).toBe("as it is");
    expect(decoder.write(new Uint16Array([0x6261]))).toBe("ab");
    expect(decoder.write(new DataView(new ArrayBuffer(1)))).toBe("\0");
    expect(() => decoder.write(5)).toThrow("ERR_INVALID_ARG_TYPE");
    expect(() => decoder.write(null)).toThrow("ERR_INVALID_ARG_TYPE");
  });

  test("refuses unknown encodings and other objects", () => {
    expect(() => new StringDecoder("foo")).toThrow("ERR_UNKNOWN_ENCODING");
    expect(() => new StringDecoder(1)).toThrow("Unknown encoding: 1");
    expect(() => StringDecoder.prototype.write.call({}, Buffer.alloc(1))).toThrow("ERR_INVALID_THIS");
  });

  test("chunks of any size give the whole", () => {
    const source = Buffer.from("a\u00e9\u20ac\u{1f600}\ufffd".repeat(20));
    for (const encoding of ["utf8", "utf16le", "base64", "hex", "latin1"]) {
      for (let size = 1; size < 12; size++) {
        const decoder = new StringDecoder(encoding);
        let text = "";
        for (let i = 0; i < source.length; i += size) {
          text += decoder.write(source.subarray(i, i + size));
        }
        text += decoder.end();
        expect(text).toBe(source.toString(encoding));
      }
    }
  });
});
