function thrown(fn) {
  try {
    fn();
  } catch (error) {
    return `${error.name} ${error.code}: ${error.message}`;
  }
  return "nothing thrown";
}

const view = new DataView(new ArrayBuffer(8));
const kinds = {
  Int8: ["Int8", 1], UInt8: ["Uint8", 1], Int16: ["Int16", 2], UInt16: ["Uint16", 2],
  Int32: ["Int32", 4], UInt32: ["Uint32", 4], Float: ["Float32", 4], Double: ["Float64", 8],
  BigInt64: ["BigInt64", 8], BigUInt64: ["BigUint64", 8],
};
const samples = [0, 1, -1, 127, 128, -128, 255, 256, 32767, -32768, 65535, 2147483647, -2147483648,
  4294967295, 0.5, -1.5, 1e300, Infinity, -Infinity];

describe("numbers", () => {
  for (const [kind, [viewKind, size]] of Object.entries(kinds)) {
    for (const end of size === 1 ? [""] : ["LE", "BE"]) {
      test(`${kind}${end} as a DataView has it`, () => {
        const buf = Buffer.alloc(size + 2);
        for (const sample of samples) {
          let value = sample;
          if (kind.startsWith("Big")) value = BigInt(Math.trunc(Math.max(-1e9, Math.min(sample, 1e18))));
          if (kind === "BigUInt64" && value < 0n) value = -value;
          view[`set${viewKind}`](0, value, end === "LE");
          const want = view[`get${viewKind}`](0, end === "LE");
          if (!kind.startsWith("Big") && !/Float|Double/.test(kind) && want !== value) continue;
          expect(buf[`write${kind}${end}`](value, 1)).toBe(size + 1);
          expect([...buf.subarray(1, 1 + size)]).toEqual([...new Uint8Array(view.buffer, 0, size)]);
          expect(buf[`read${kind}${end}`](1)).toBe(want);
        }
      });
    }
  }

  test("of 1 to 6 bytes", () => {
    for (let size = 1; size <= 6; size++) {
      const buf = Buffer.alloc(8, 0xee);
      const top = 2 ** (8 * size);
      for (const value of [0, 1, 0x7f, top / 2 - 1, top / 2, top - 1]) {
        for (const end of ["LE", "BE"]) {
          expect(buf[`writeUInt${end}`](value, 1, size)).toBe(1 + size);
          expect(buf[`readUInt${end}`](1, size)).toBe(value);
          const signed = value >= top / 2 ? value - top : value;
          expect(buf[`readInt${end}`](1, size)).toBe(signed);
          buf[`writeInt${end}`](signed, 1, size);
          expect(buf[`readUInt${end}`](1, size)).toBe(value);
        }
      }
      expect(buf[0]).toBe(0xee);
      expect(buf[1 + size]).toBe(0xee);
    }
  });

  test("names with Uint are the same functions", () => {
    for (const name of Object.keys(Buffer.prototype)) {
      if (name.includes("UInt")) {
        expect(Buffer.prototype[name.replace("UInt", "Uint")]).toBe(Buffer.prototype[name]);
      }
    }
    expect(Buffer.prototype.readUint32LE).toBeFunction();
  });

  test("NaN and negative zero", () => {
    const buf = Buffer.alloc(8);
    buf.writeDoubleBE(-0);
    expect(Object.is(buf.readDoubleBE(), -0)).toBe(true);
    buf.writeFloatLE(NaN);
    expect(buf.readFloatLE()).toBeNaN();
  });
});

describe("errors of numbers", () => {
  const buf = Buffer.alloc(8);

  test("places", () => {
    const head = 'RangeError ERR_OUT_OF_RANGE: The value of "offset" is out of range.';
    expect(thrown(() => buf.readUInt32LE(5))).toBe(`${head} It must be >= 0 and <= 4. Received 5`);
    expect(thrown(() => buf.readInt8(-1))).toBe(`${head} It must be >= 0 and <= 7. Received -1`);
    expect(thrown(() => buf.readDoubleLE(1.5))).toBe(
      `${head} It must be an integer. Received 1.5`,
    );
    expect(thrown(() => buf.writeUInt16BE(1, 7))).toBe(
      `${head} It must be >= 0 and <= 6. Received 7`,
    );
    expect(thrown(() => buf.readInt16LE("1"))).toBe(
      'TypeError ERR_INVALID_ARG_TYPE: The "offset" argument must be of type number. ' +
        "Received type string ('1')",
    );
    expect(thrown(() => Buffer.alloc(1).readInt16LE(0))).toBe(
      "RangeError ERR_BUFFER_OUT_OF_BOUNDS: Attempt to access memory outside buffer bounds",
    );
  });

  test("values", () => {
    const head = 'RangeError ERR_OUT_OF_RANGE: The value of "value" is out of range. It must be';
    expect(thrown(() => buf.writeInt8(128))).toBe(`${head} >= -128 and <= 127. Received 128`);
    expect(thrown(() => buf.writeUIntBE(2 ** 40, 0, 5))).toBe(
      `${head} >= 0 and < 2 ** 40. Received 1_099_511_627_776`,
    );
    expect(thrown(() => buf.writeIntLE(2 ** 47, 0, 6))).toBe(
      `${head} >= -(2 ** 47) and < 2 ** 47. Received 140_737_488_355_328`,
    );
    expect(thrown(() => buf.writeBigUInt64LE(-1n))).toBe(
      `${head} >= 0n and < 2n ** 64n. Received -1n`,
    );
    expect(thrown(() => buf.writeBigInt64BE(5))).toBe(
      'TypeError ERR_INVALID_ARG_TYPE: The "value" argument must be of type bigint. ' +
        "Received type number (5)",
    );
    expect([...buf]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test("sizes", () => {
    const head = 'RangeError ERR_OUT_OF_RANGE: The value of "byteLength" is out of range.';
    expect(thrown(() => buf.readUIntLE(0, 7))).toBe(`${head} It must be >= 1 and <= 6. Received 7`);
    expect(thrown(() => buf.readIntBE(0, 1.5))).toBe(
      `${head} It must be an integer. Received 1.5`,
    );
    expect(thrown(() => buf.writeIntBE(0, 0, undefined))).toMatch(
      'The "byteLength" argument must be of type number',
    );
  });
});
