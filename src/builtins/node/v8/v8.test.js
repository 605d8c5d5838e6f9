// Tests of node:v8.
const v8 = require("node:v8");

// A collection after every native call takes a millisecond: less of what calls them by the thousand.
const isStressed = process.env.COB_GC_STRESS === "1";

function sample() {
  const value = {
    a: [1, , -2, 1.5, -0], s: "\u00e9", w: "\u4e2d\u6587", b: 10n, nb: -(2n ** 70n),
    d: new Date(5), r: /x/gi, m: new Map([[1, {}]]), t: new Set(["q"]), u: undefined, n: null,
    f: [true, false], big: 3e9, buf: Buffer.from("hi"), ta: new Uint16Array([1, 2]),
    ab: new ArrayBuffer(3), e: new TypeError("bad"), bo: Object(true), so: Object("x"), 5: "idx",
    nested: { x: { y: [] } },
  };
  value.self = value;
  value.e.stack = "st";
  return value;
}

test("the bytes are those of Node", () => {
  const hex = v8.serialize(sample()).toString("hex");
  const known = [
    "ff0f6f490a22036964782201616105490049024904490349064e000000000000f83f49084e00000000000000",
    "804004052201732201e92201770063042d4e87652201625a100a0000000000000022026e625a210000000000",
    "0000004000000000000000220164440000000000001440220172522201780322016d3b49026f7b003a022201",
    "74272201712c012201755f22016e302201664102544624000222036269674e000000c00b5ae6412203627566",
    "5c0a026869220274615c04040100020022026162420300000022016572546d220362616473220273742e2202",
    "626f792202736f7322017822066e65737465646f2201786f22017941002400007b017b01220473656c665e00",
    "7b16",
  ];
  expect(hex).toBe(known.join(""));
});

test("there and back", () => {
  const back = v8.deserialize(v8.serialize(sample()));
  expect(back.self).toBe(back);
  expect([back.d, back.r, back.m, back.t, back.nb, back.w, back[5]]).toEqual([
    new Date(5), /x/gi, new Map([[1, {}]]), new Set(["q"]), -(2n ** 70n), "\u4e2d\u6587", "idx",
  ]);
  expect([Buffer.isBuffer(back.buf), back.ta, 1 in back.a]).toEqual([
    true, new Uint16Array([1, 2]), false,
  ]);
  expect([back.e instanceof TypeError, back.e.message, back.e.stack]).toEqual([true, "bad", "st"]);
  for (const value of [0, -1, 2 ** 31, "", "x".repeat(1000), [], {}, null, undefined, 1n, 0n]) {
    expect(v8.deserialize(v8.serialize(value))).toEqual(value);
  }
});

test("hostile bytes are errors", () => {
  const good = v8.serialize(sample());
  const step = isStressed ? 29 : 1;
  for (let i = 0; i < good.length; i += step) {
    for (const flip of [0xff, 0x01, 0x80]) {
      const bytes = Buffer.from(good);
      bytes[i] ^= flip;
      try {
        v8.deserialize(bytes);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
      }
    }
    try {
      v8.deserialize(good.subarray(0, i));
    } catch {
      continue;
    }
    throw new Error("cut at " + i);
  }
});

test("what cannot be written", () => {
  expect(() => v8.serialize(() => {})).toThrow("could not be cloned");
  expect(() => v8.serialize(Symbol("x"))).toThrow("could not be cloned");
  expect(() => v8.deserialize("x")).toThrow("ERR_INVALID_ARG_TYPE");
  if (isStressed) return;
  let deep = [];
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(() => v8.serialize(deep)).toThrow(RangeError);
});

test("figures", () => {
  expect(v8.getHeapStatistics().used_heap_size > 0).toBe(true);
  expect(() => v8.setFlagsFromString(1)).toThrow("ERR_INVALID_ARG_TYPE");
});
