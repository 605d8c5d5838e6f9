function thrown(fn) {
  try {
    fn();
  } catch (err) {
    return err;
  }
  return undefined;
}

const bytes = (...list) => Uint8Array.from(list);

test("encode", () => {
  const encoder = new TextEncoder();
  expect([...encoder.encode("h\u00e9\u20ac\ud83d\ude00")]).toEqual([
    0x68, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80,
  ]);
  expect([...encoder.encode("\ud800")]).toEqual([0xef, 0xbf, 0xbd]);
  expect(encoder.encode().length).toBe(0);
  expect(encoder.encode(undefined).length).toBe(0);
  expect(encoder.encode(null).length).toBe(4);
  expect(encoder.encoding).toBe("utf-8");
});

test("encodeInto writes whole characters only", () => {
  const encoder = new TextEncoder();
  const dest = new Uint8Array(6);
  expect(encoder.encodeInto("a\u20ac\u20ac", dest)).toEqual({ read: 2, written: 4 });
  expect([...dest]).toEqual([0x61, 0xe2, 0x82, 0xac, 0, 0]);
  expect(encoder.encodeInto("\ud83d\ude00x", dest)).toEqual({ read: 3, written: 5 });
  expect(encoder.encodeInto("x", new Uint8Array(0))).toEqual({ read: 0, written: 0 });
  expect(thrown(() => encoder.encodeInto("x", [])).code).toBe("ERR_INVALID_ARG_TYPE");
});

test("labels", () => {
  expect(new TextDecoder().encoding).toBe("utf-8");
  expect(new TextDecoder(" LATIN1\n").encoding).toBe("windows-1252");
  expect(new TextDecoder("ms_kanji").encoding).toBe("shift_jis");
  for (const bad of ["", "utf-7", "replacement", "csiso2022kr", "utf-8\0", "\u0130"]) {
    const err = thrown(() => new TextDecoder(bad));
    expect(err instanceof RangeError).toBe(true);
    expect(err.code).toBe("ERR_ENCODING_NOT_SUPPORTED");
  }
});

test("utf-8", () => {
  const decoder = new TextDecoder();
  expect(decoder.decode(bytes(0xef, 0xbb, 0xbf, 0x61, 0xff))).toBe("a\ufffd");
  expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes(0xef, 0xbb, 0xbf))).toBe(
    "\ufeff",
  );
  const fatal = new TextDecoder("utf-8", { fatal: true });
  const err = thrown(() => fatal.decode(bytes(0xff)));
  expect([err.name, err.code]).toEqual(["TypeError", "ERR_ENCODING_INVALID_ENCODED_DATA"]);
  expect(fatal.decode(bytes(0x61))).toBe("a");
  expect(decoder.decode()).toBe("");
});

test("streaming", () => {
  const decoder = new TextDecoder();
  const input = new TextEncoder().encode("\ufeffa\u20ac\ud83d\ude00z");
  for (let size = 1; size < 6; size++) {
    let text = "";
    for (let i = 0; i < input.length; i += size) {
      text += decoder.decode(input.subarray(i, i + size), { stream: true });
    }
    expect(text + decoder.decode()).toBe("a\u20ac\ud83d\ude00z");
  }
  decoder.decode(bytes(0xe2, 0x82), { stream: true });
  expect(decoder.decode()).toBe("\ufffd");
  expect(decoder.decode(bytes(0x61))).toBe("a");
});

test("legacy encodings", () => {
  expect(new TextDecoder("gbk").decode(bytes(0xc4, 0xe3))).toBe("\u4f60");
  expect(new TextDecoder("shift_jis").decode(bytes(0x82, 0xa0))).toBe("\u3042");
  expect(new TextDecoder("windows-1252").decode(bytes(0x80, 0xe9))).toBe("\u20ac\u00e9");
  expect(new TextDecoder("utf-16be").decode(bytes(0, 0x61, 0xd8))).toBe("a\ufffd");
  const fatal = new TextDecoder("euc-kr", { fatal: true });
  expect(thrown(() => fatal.decode(bytes(0xff))) instanceof TypeError).toBe(true);
});

test("kinds of input", () => {
  const decoder = new TextDecoder();
  const { buffer } = bytes(0x61, 0x62, 0x63);
  expect(decoder.decode(buffer)).toBe("abc");
  expect(decoder.decode(new DataView(buffer, 1))).toBe("bc");
  expect(decoder.decode(new Uint16Array(buffer.slice(0, 2)))).toBe("ab");
  const shared = new SharedArrayBuffer(2);
  new Uint8Array(shared).fill(0x78);
  expect(decoder.decode(shared)).toBe("xx");
  expect(decoder.decode(new Uint8Array(shared, 1))).toBe("x");
  for (const bad of [null, 1, "a", {}]) {
    expect(thrown(() => decoder.decode(bad)).code).toBe("ERR_INVALID_ARG_TYPE");
  }
  expect(thrown(() => TextDecoder.prototype.decode.call({}, buffer)).code).toBe(
    "ERR_INVALID_THIS",
  );
  expect(thrown(() => new TextDecoder("utf-8", 1)).code).toBe("ERR_INVALID_ARG_TYPE");
  expect(new TextDecoder("utf-8", null).fatal).toBe(false);
});
