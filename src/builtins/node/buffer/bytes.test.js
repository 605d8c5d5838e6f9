const bytes = (buf) => [...buf];
function thrown(fn) {
  try {
    fn();
  } catch (error) {
    return `${error.name} ${error.code}: ${error.message}`;
  }
  return "nothing thrown";
}

describe("copy", () => {
  test("within one memory, overlapping", () => {
    const buf = Buffer.from("abcdef");
    expect(buf.copy(buf, 2, 0, 4)).toBe(4);
    expect(buf.toString()).toBe("ababcd");
  });

  test("cuts what does not fit", () => {
    const target = Buffer.alloc(3);
    expect(Buffer.from("abcdef").copy(target, 1)).toBe(2);
    expect(bytes(target)).toEqual([0, 97, 98]);
    expect(Buffer.from("abc").copy(target, 9)).toBe(0);
    expect(Buffer.from("abc").copy(target, 0, 2, 1)).toBe(0);
  });

  test("into other views, by bytes", () => {
    const words = new Uint16Array(2);
    expect(Buffer.from([1, 2, 3]).copy(words)).toBe(3);
    expect([...words]).toEqual([0x201, 3]);
  });

  test("checks its arguments", () => {
    const buf = Buffer.from("abc");
    expect(thrown(() => buf.copy({}))).toBe(
      'TypeError ERR_INVALID_ARG_TYPE: The "target" argument must be an instance of Buffer or ' +
        "Uint8Array. Received an instance of Object",
    );
    expect(thrown(() => buf.copy(buf, -1))).toBe(
      'RangeError ERR_OUT_OF_RANGE: The value of "targetStart" is out of range. It must be >= 0. ' +
        "Received -1",
    );
    expect(thrown(() => buf.copy(buf, 0, 4))).toMatch('"sourceStart" is out of range');
    expect(thrown(() => buf.copy(buf, 0, 0, -1))).toMatch('"sourceEnd" is out of range');
  });
});

describe("compare and equals", () => {
  test("order", () => {
    const a = Buffer.from("abc");
    expect(a.compare(Buffer.from("abd"))).toBe(-1);
    expect(a.compare(Buffer.from("ab"))).toBe(1);
    expect(Buffer.compare(a, new Uint8Array([97, 98, 99]))).toBe(0);
    expect([Buffer.from([0x80]), Buffer.from([0x7f])].sort(Buffer.compare)[0][0]).toBe(0x7f);
  });

  test("parts", () => {
    const a = Buffer.from("xabcx");
    expect(a.compare(Buffer.from("abc"), 0, 3, 1, 4)).toBe(0);
    expect(a.compare(Buffer.from("abc"), 3, 3, 1, 4)).toBe(1);
    expect(a.compare(Buffer.from("abc"), 0, 3, 4, 4)).toBe(-1);
    expect(thrown(() => a.compare(Buffer.from("abc"), 0, 4))).toBe(
      'RangeError ERR_OUT_OF_RANGE: The value of "targetEnd" is out of range. It must be >= 0 && ' +
        "<= 3. Received 4",
    );
  });

  test("equals", () => {
    expect(Buffer.from("a").equals(new Uint8Array([97]))).toBe(true);
    expect(Buffer.from("a").equals(Buffer.from("b"))).toBe(false);
    expect(Buffer.alloc(0).equals(Buffer.alloc(0))).toBe(true);
    expect(thrown(() => Buffer.alloc(1).equals("a"))).toMatch('The "otherBuffer" argument');
  });

  test("what only pretends to be bytes is refused", () => {
    const fake = Object.create(Buffer.prototype);
    expect(thrown(() => Buffer.compare(Buffer.alloc(1), fake))).toMatch("TypeError");
    expect(thrown(() => Buffer.alloc(1).equals(fake))).toMatch("TypeError");
    expect(thrown(() => Buffer.concat([fake]))).toMatch("TypeError");
    expect(thrown(() => fake.toString())).toMatch("TypeError");
    expect(thrown(() => fake.indexOf(5))).toMatch("TypeError");
    expect(thrown(() => fake.includes("a", 0))).toMatch("TypeError");
    expect(thrown(() => fake.fill(0))).toMatch("TypeError");
    expect(thrown(() => fake.readFloatLE(0))).toMatch("TypeError");
  });
});

describe("indexOf, lastIndexOf, includes", () => {
  const buf = Buffer.from("abcabc\u20acabc");

  test("strings", () => {
    expect(buf.indexOf("bc")).toBe(1);
    expect(buf.indexOf("bc", 2)).toBe(4);
    expect(buf.lastIndexOf("bc")).toBe(10);
    expect(buf.lastIndexOf("bc", 9)).toBe(4);
    expect(buf.indexOf("\u20ac")).toBe(6);
    expect(buf.indexOf("x")).toBe(-1);
    expect(buf.includes("cab", -3)).toBe(false);
  });

  test("offsets from the end and beyond it", () => {
    expect(buf.indexOf("a", -3)).toBe(9);
    expect(buf.indexOf("a", -99)).toBe(0);
    expect(buf.lastIndexOf("a", -99)).toBe(-1);
    expect(buf.indexOf("a", 99)).toBe(-1);
    expect(buf.lastIndexOf("a", 99)).toBe(9);
    expect(buf.lastIndexOf("a", null)).toBe(0);
    expect(buf.lastIndexOf("a", undefined)).toBe(9);
  });

  test("nothing is found everywhere", () => {
    expect(buf.indexOf("")).toBe(0);
    expect(buf.indexOf("", 5)).toBe(5);
    expect(buf.indexOf("", 99)).toBe(12);
    expect(buf.lastIndexOf("")).toBe(12);
  });

  test("bytes and numbers", () => {
    expect(buf.indexOf(0x62)).toBe(1);
    expect(buf.indexOf(0x162)).toBe(1);
    expect(buf.lastIndexOf(0x62)).toBe(10);
    expect(buf.indexOf(new Uint8Array([0xe2, 0x82]))).toBe(6);
    expect(buf.includes(buf.subarray(5, 9))).toBe(true);
  });

  test("encodings", () => {
    const wide = Buffer.from("abcabc", "ucs2");
    expect(wide.indexOf("bc", "ucs2")).toBe(2);
    expect(wide.lastIndexOf("bc", undefined, "utf16le")).toBe(8);
    // At odd places there is no unit.
    expect(Buffer.from([0, 0x61, 0, 0]).indexOf("a", 0, "ucs2")).toBe(-1);
    expect(buf.indexOf("6263", 2, "hex")).toBe(4);
    expect(buf.indexOf("YmM=", "base64")).toBe(1);
    expect(thrown(() => buf.indexOf("a", 0, "foo"))).toBe(
      "TypeError ERR_UNKNOWN_ENCODING: Unknown encoding: foo",
    );
  });

  test("agrees with strings on random text", () => {
    let state = 1;
    const next = (n) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state >>> 8) % n;
    };
    for (let round = 0; round < 2000; round++) {
      let text = "";
      for (let n = next(150); n > 0; n--) text += "abc"[next(next(3) + 1)];
      const needle = text.slice(next(50), next(60)) || "b";
      const from = next(100);
      const hay = Buffer.from(text);
      expect(hay.indexOf(needle, from)).toBe(text.indexOf(needle, from));
      expect(hay.lastIndexOf(needle, from)).toBe(text.lastIndexOf(needle, from));
    }
  });

  test("takes time in proportion for needles made to be slow", () => {
    const hay = Buffer.alloc(2 ** 20, "a");
    const needle = Buffer.alloc(2 ** 18, "a");
    needle[2 ** 17] = 0x62;
    const begin = performance.now();
    expect(hay.indexOf(needle)).toBe(-1);
    expect(hay.lastIndexOf(needle)).toBe(-1);
    expect(hay.indexOf(needle, 0, "ucs2")).toBe(-1);
    expect(performance.now() - begin).toBeLessThan(5000);
  });

  test("refuses other needles", () => {
    expect(thrown(() => buf.indexOf({}))).toBe(
      'TypeError ERR_INVALID_ARG_TYPE: The "value" argument must be one of type number or string ' +
        "or an instance of Buffer or Uint8Array. Received an instance of Object",
    );
  });
});

describe("fill", () => {
  test("text, bytes, numbers, places", () => {
    expect(Buffer.alloc(5).fill("abc").toString()).toBe("abcab");
    expect(bytes(Buffer.alloc(4).fill("\u00e9", 1, 4, "latin1"))).toEqual([0, 0xe9, 0xe9, 0xe9]);
    expect(bytes(Buffer.alloc(3).fill(0x1ff, 1))).toEqual([0, 255, 255]);
    expect(bytes(Buffer.alloc(3).fill("ab", "ucs2"))).toEqual([97, 0, 98]);
    expect(bytes(Buffer.alloc(2, 1).fill(""))).toEqual([0, 0]);
    expect(bytes(Buffer.alloc(2, 1).fill(0, 2))).toEqual([1, 1]);
  });

  test("with a part of itself", () => {
    const buf = Buffer.from("abcdefgh");
    expect(buf.fill(buf.subarray(1, 3), 0).toString()).toBe("bcbcbcbc");
  });

  test("checks places and encodings", () => {
    const buf = Buffer.alloc(3);
    expect(thrown(() => buf.fill("a", 0, 4))).toMatch('"end" is out of range');
    expect(thrown(() => buf.fill("a", -1))).toMatch('"offset" is out of range');
    expect(thrown(() => buf.fill("a", 0, 1, "foo"))).toMatch("ERR_UNKNOWN_ENCODING");
    expect(thrown(() => buf.fill("a", 0, 1, 5))).toMatch('The "encoding" argument');
  });
});

describe("swap16, swap32, swap64", () => {
  test("short and long", () => {
    for (const size of [0, 8, 120, 1000, 1008]) {
      const buf = Buffer.from(Array.from({ length: size }, (_, i) => i));
      for (const width of [2, 4, 8]) {
        const want = [];
        for (let i = 0; i < size; i += width) want.push(...[...buf.subarray(i, i + width)].reverse());
        expect(bytes(Buffer.from(buf)[`swap${width * 8}`]())).toEqual(want);
      }
    }
  });

  test("sizes must fit", () => {
    expect(thrown(() => Buffer.alloc(3).swap16())).toBe(
      "RangeError ERR_INVALID_BUFFER_SIZE: Buffer size must be a multiple of 16-bits",
    );
  });
});

describe("subarray, slice, toJSON", () => {
  test("share memory", () => {
    const buf = Buffer.from("abcdef");
    buf.subarray(2, -1)[0] = 0x58;
    expect(buf.toString()).toBe("abXdef");
    expect(buf.slice(-3, -1).toString()).toBe("de");
    expect(buf.slice("2", 2.9).length).toBe(0);
    expect(buf.subarray(4, 2).length).toBe(0);
  });

  test("toJSON", () => {
    expect(JSON.stringify(Buffer.from([1, 2]))).toBe('{"type":"Buffer","data":[1,2]}');
  });

  test("parent and offset", () => {
    const part = Buffer.from("abc").subarray(1);
    expect(part.parent).toBe(part.buffer);
    expect(part.offset).toBe(1);
    expect(Buffer.prototype.parent).toBeUndefined();
  });
});
