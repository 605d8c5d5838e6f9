// Arguments whose conversion takes the memory away, memory that changes size, memory of others.

function detachable(size) {
  const memory = new ArrayBuffer(size);
  return { buf: Buffer.from(memory, 0, size), take: () => memory.transfer() };
}

/** A number that detaches when it is asked for. */
function trap(take, value) {
  return { valueOf() { take(); return value; }, toString() { take(); return String(value); } };
}

describe("memory that goes away", () => {
  test("while an argument is converted", () => {
    const calls = [
      (buf, t) => buf.toString("utf8", t(1), 50),
      (buf, t) => buf.toString({ toString() { t(0).valueOf(); return "hex"; } }, 0, 50),
      (buf, t) => buf.utf8Slice(t(0), 50),
      (buf, t) => buf.latin1Slice(0, t(50)),
      (buf, t) => buf.hexWrite("6162", t(0), 2),
      (buf, t) => buf.ucs2Write("ab", 0, t(2)),
      (buf, t) => buf.copy(Buffer.alloc(100), 0, t(0), 60),
      (buf, t) => Buffer.alloc(100).copy(buf, t(0)),
      (buf, t) => buf.indexOf("a", t(5)),
      (buf, t) => buf.lastIndexOf(0x61, t(5)),
      (buf, t) => buf.indexOf(Buffer.from("abc"), t(0), "ucs2"),
      (buf, t) => buf.fill(t(7)),
      (buf, t) => buf.fill(t(7), 0, 60),
      (buf, t) => buf.writeUInt32LE(t(7), 0),
      (buf, t) => buf.writeDoubleBE(t(7), 0),
      (buf, t) => buf.writeUIntBE(t(7), 0, 6),
      (buf, t) => buf.subarray(t(1), 60),
      (buf, t) => buf.slice(0, t(60)),
      (buf, t) => Buffer.from(buf.buffer, t(0), 60),
      (buf, t) => Buffer.from([1, t(2), 3]),
      (buf, t) => Buffer.of(1, t(2)),
    ];
    for (const call of calls) {
      const { buf, take } = detachable(64);
      let isTaken = false;
      const once = () => { if (!isTaken) take(); isTaken = true; };
      try {
        call(buf, (value) => trap(once, value));
      } catch (error) {
        expect(error instanceof Error).toBe(true);
      }
      expect(buf.length).toBe(0);
    }
  });

  test("before anything is asked", () => {
    const { buf, take } = detachable(64);
    take();
    expect(buf.toString()).toBe("");
    expect(buf.toString("hex")).toBe("");
    expect(buf.write("abc")).toBe(0);
    expect(buf.indexOf("a")).toBe(-1);
    expect(buf.lastIndexOf(1)).toBe(-1);
    expect(buf.equals(Buffer.alloc(0))).toBe(true);
    expect(buf.compare(Buffer.from("a"))).toBe(-1);
    expect(buf.copy(Buffer.alloc(3))).toBe(0);
    expect(Buffer.from("abc").copy(buf)).toBe(0);
    expect(Buffer.concat([buf, Buffer.from("a")]).length).toBe(1);
    expect(buf.swap16().length).toBe(0);
    expect(buf.fill(1).length).toBe(0);
    expect(() => buf.readInt8(0)).toThrow("ERR_BUFFER_OUT_OF_BOUNDS");
    expect(() => buf.writeBigInt64LE(1n, 0)).toThrow("ERR_BUFFER_OUT_OF_BOUNDS");
  });

  test("in the list of concat, from a getter", () => {
    const { buf, take } = detachable(64);
    const list = [buf, buf];
    Object.defineProperty(list, 1, { get() { take(); return Buffer.from("b"); } });
    let got;
    try {
      got = Buffer.concat(list);
    } catch (error) {
      got = error;
    }
    expect(got instanceof Error || got.length <= 65).toBe(true);
  });
});

describe("memory that changes size", () => {
  test("views follow it", () => {
    const memory = new ArrayBuffer(8, { maxByteLength: 64 });
    const buf = Buffer.from(memory);
    buf.fill("a");
    memory.resize(16);
    expect(buf.toString()).toBe(`aaaaaaaa${"\0".repeat(8)}`);
    memory.resize(4);
    expect(buf.toString()).toBe("aaaa");
    expect(buf.toString("latin1", 0, 8)).toBe("aaaa");
    expect(buf.indexOf("\0")).toBe(-1);
    expect(buf.write("xyzxyz")).toBe(4);
    expect(() => buf.readInt32LE(1)).toThrow("ERR_OUT_OF_RANGE");
  });

  test("views with a length lose it", () => {
    const memory = new ArrayBuffer(16, { maxByteLength: 64 });
    const buf = Buffer.from(memory, 8, 8);
    memory.resize(10);
    expect(buf.length).toBe(0);
    expect(buf.toString("hex")).toBe("");
    expect(buf.copy(Buffer.alloc(8))).toBe(0);
  });

  test("shared memory that grows", () => {
    const memory = new SharedArrayBuffer(8, { maxByteLength: 64 });
    const buf = Buffer.from(memory);
    buf.fill(0xc3);
    memory.grow(32);
    expect(buf.toString().length).toBe(32);
    expect(buf.indexOf(buf.subarray(0, 8))).toBe(0);
    expect(Buffer.alloc(4).fill(buf.subarray(0, 2)).toString("hex")).toBe("c3c3c3c3");
  });
});

describe("sizes at the limits", () => {
  test("lengths that are no memory", () => {
    expect(() => Buffer.from({ length: 1e20 })).toThrow();
    expect(() => Buffer.from({ length: Infinity })).toThrow();
    expect(() => Buffer.concat([], Infinity)).not.toThrow();
    expect(() => Buffer.concat([Buffer.alloc(1)], 2 ** 53)).toThrow("ERR_OUT_OF_RANGE");
  });

  test("uninitialised memory is collected", () => {
    for (let i = 0; i < 2000; i++) Buffer.allocUnsafe(2 ** 20)[0] = 1;
    expect(process.memoryUsage().rss).toBeLessThan(1.5e9);
  });
});
