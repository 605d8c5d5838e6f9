const buffer = require("node:buffer");

const bytes = (buf) => [...buf];
function thrown(fn) {
  try {
    fn();
  } catch (error) {
    return `${error.name} ${error.code}: ${error.message}`;
  }
  return "nothing thrown";
}

describe("Buffer", () => {
  test("is a global and a Uint8Array", () => {
    expect(globalThis.Buffer).toBe(buffer.Buffer);
    expect(Buffer.alloc(1) instanceof Uint8Array).toBe(true);
    expect(Object.getPrototypeOf(Buffer)).toBe(Uint8Array);
    expect(Object.prototype.toString.call(Buffer.alloc(1))).toBe("[object Uint8Array]");
  });

  test("may be called without new and warns once", () => {
    const heard = [];
    process.on("warning", (warning) => heard.push(warning.code));
    expect(Buffer("ab").toString()).toBe("ab");
    expect(bytes(new Buffer(3))).toEqual([0, 0, 0]);
    expect(thrown(() => Buffer(1, "utf8"))).toBe(
      'TypeError ERR_INVALID_ARG_TYPE: The "string" argument must be of type string. ' +
        "Received type number (1)",
    );
    return new Promise((resolve) => setImmediate(resolve)).then(() => {
      expect(heard).toEqual(["DEP0005"]);
    });
  });

  test("keeps its kind in inherited methods", () => {
    const buf = Buffer.from([1, 2, 3]);
    for (const made of [buf.map((x) => x + 1), buf.filter((x) => x > 1), buf.slice(1)]) {
      expect(Buffer.isBuffer(made)).toBe(true);
    }
  });

  test("isBuffer", () => {
    expect(Buffer.isBuffer(new Uint8Array(1))).toBe(false);
    expect(Buffer.isBuffer(null)).toBe(false);
  });

  test("isEncoding", () => {
    for (const name of ["hex", "UTF-8", "ucs2", "UCS-2", "utf16le", "binary", "base64url"]) {
      expect(Buffer.isEncoding(name)).toBe(true);
    }
    for (const name of ["", "foo", undefined, 1, {}, "utf8 "]) {
      expect(Buffer.isEncoding(name)).toBe(false);
    }
  });
});

describe("Buffer.alloc", () => {
  test("fills with text, bytes and numbers", () => {
    expect(bytes(Buffer.alloc(3))).toEqual([0, 0, 0]);
    expect(Buffer.alloc(5, "ab").toString()).toBe("ababa");
    expect(bytes(Buffer.alloc(3, "0aFF", "hex"))).toEqual([10, 255, 10]);
    expect(bytes(Buffer.alloc(3, 257))).toEqual([1, 1, 1]);
    expect(bytes(Buffer.alloc(3, Buffer.from([7, 8])))).toEqual([7, 8, 7]);
    expect(bytes(Buffer.alloc(2, true))).toEqual([1, 1]);
  });

  test("refuses sizes that are none", () => {
    const range = `It must be >= 0 && <= ${buffer.kMaxLength}.`;
    for (const make of [Buffer.alloc, Buffer.allocUnsafe, Buffer.allocUnsafeSlow]) {
      expect(thrown(() => make(-1))).toBe(
        `RangeError ERR_OUT_OF_RANGE: The value of "size" is out of range. ${range} Received -1`,
      );
      expect(thrown(() => make(NaN))).toMatch("Received NaN");
      expect(thrown(() => make(buffer.kMaxLength + 1))).toMatch("ERR_OUT_OF_RANGE");
      expect(thrown(() => make("5"))).toMatch("ERR_INVALID_ARG_TYPE");
    }
  });

  test("refuses fills that fill nothing", () => {
    expect(thrown(() => Buffer.alloc(1, "zz", "hex"))).toBe(
      "TypeError ERR_INVALID_ARG_VALUE: The argument 'value' is invalid. Received 'zz'",
    );
    expect(thrown(() => Buffer.alloc(1, new Uint8Array(0)))).toMatch("ERR_INVALID_ARG_VALUE");
  });

  test("has its memory to itself", () => {
    expect(Buffer.allocUnsafe(10).buffer.byteLength).toBe(10);
    expect(Buffer.from("abc").buffer.byteLength).toBe(3);
    expect(Buffer.allocUnsafe(100000).buffer.byteLength).toBe(100000);
  });

  test("makes buffers beyond 2 GiB", () => {
    const buf = Buffer.alloc(2 ** 31 + 16);
    buf[2 ** 31 + 3] = 0x7a;
    expect(buf.indexOf(0x7a, 2 ** 31)).toBe(2 ** 31 + 3);
    expect(buf.indexOf("z", 2 ** 31)).toBe(2 ** 31 + 3);
    expect(buf.lastIndexOf("z")).toBe(2 ** 31 + 3);
    expect(buf.toString("latin1", 2 ** 31 + 3, 2 ** 31 + 4)).toBe("z");
    expect(buf.writeUInt32BE(0x01020304, 2 ** 31 + 12)).toBe(2 ** 31 + 16);
    expect(buf.readUInt16LE(2 ** 31 + 14)).toBe(0x0403);
    expect(buf.copy(buf, 0, 2 ** 31 + 3, 2 ** 31 + 4)).toBe(1);
    expect(buf[0]).toBe(0x7a);
    expect(buf.write("xy", 2 ** 31 + 5)).toBe(2);
    expect(buf.subarray(2 ** 31 + 5, 2 ** 31 + 7).toString()).toBe("xy");
    expect(thrown(() => buf.toString("latin1"))).toBe(
      "Error ERR_STRING_TOO_LONG: Cannot create a string longer than 0x7fffffff characters",
    );
  });
});

describe("Buffer.from", () => {
  test("strings in every encoding", () => {
    expect(bytes(Buffer.from("\u00e9\u20ac"))).toEqual([0xc3, 0xa9, 0xe2, 0x82, 0xac]);
    expect(bytes(Buffer.from("\u00e9\u20ac", "latin1"))).toEqual([0xe9, 0xac]);
    expect(bytes(Buffer.from("\u00e9", "ascii"))).toEqual([0xe9]);
    expect(bytes(Buffer.from("a\u20ac", "ucs2"))).toEqual([0x61, 0, 0xac, 0x20]);
    expect(bytes(Buffer.from("AP-_/w==", "base64"))).toEqual([0, 255, 191, 255]);
    expect(bytes(Buffer.from("AP-_/w", "base64url"))).toEqual([0, 255, 191, 255]);
    expect(bytes(Buffer.from("0fAz", "hex"))).toEqual([15]);
    expect(bytes(Buffer.from("\ud800x"))).toEqual([0xef, 0xbf, 0xbd, 0x78]);
  });

  test("base64 with line breaks and rubbish", () => {
    const text = Buffer.from("x".repeat(200)).toString("base64");
    const broken = text.replace(/.{76}/g, "$&\r\n");
    expect(Buffer.from(broken, "base64").toString()).toBe("x".repeat(200));
    expect(Buffer.from("=bad".repeat(1e4), "base64").length).toBe(0);
    expect(Buffer.from("*", "base64").length).toBe(0);
  });

  test("arrays and what is like them", () => {
    expect(bytes(Buffer.from([1, 256, -1, "3", 1.9]))).toEqual([1, 0, 255, 3, 1]);
    expect(bytes(Buffer.from({ length: 2, 0: 5 }))).toEqual([5, 0]);
    expect(bytes(Buffer.from(new Uint16Array([1, 0x102])))).toEqual([1, 2]);
    expect(bytes(Buffer.from({ type: "Buffer", data: [9] }))).toEqual([9]);
    expect(Buffer.from({ length: "x" }).length).toBe(0);
    expect(Buffer.from({ length: -5 }).length).toBe(0);
  });

  test("copies bytes but shares array buffers", () => {
    const source = Buffer.from([1, 2, 3, 4]);
    const copy = Buffer.from(source);
    const shared = Buffer.from(source.buffer, 1, 2);
    source[1] = 9;
    expect(bytes(copy)).toEqual([1, 2, 3, 4]);
    expect(bytes(shared)).toEqual([9, 3]);
  });

  test("shared array buffers", () => {
    const memory = new SharedArrayBuffer(4);
    const buf = Buffer.from(memory, 1);
    buf.fill(0x41);
    expect(buf.buffer).toBe(memory);
    expect(buf.toString()).toBe("AAA");
    expect(buf.toString("hex")).toBe("414141");
  });

  test("places in array buffers", () => {
    const memory = new ArrayBuffer(4);
    expect(Buffer.from(memory, "1").length).toBe(3);
    expect(Buffer.from(memory, NaN, NaN).length).toBe(0);
    expect(thrown(() => Buffer.from(memory, 5))).toBe(
      'RangeError ERR_BUFFER_OUT_OF_BOUNDS: "offset" is outside of buffer bounds',
    );
    expect(thrown(() => Buffer.from(memory, 1, 4))).toBe(
      'RangeError ERR_BUFFER_OUT_OF_BOUNDS: "length" is outside of buffer bounds',
    );
  });

  test("follows a buffer that grows when no length is given", () => {
    const memory = new ArrayBuffer(4, { maxByteLength: 8 });
    const buf = Buffer.from(memory);
    memory.resize(8);
    expect(buf.length).toBe(8);
  });

  test("objects by valueOf and Symbol.toPrimitive", () => {
    expect(Buffer.from(new String("ab")).toString()).toBe("ab");
    expect(Buffer.from({ valueOf: () => [1, 2] }).length).toBe(2);
    expect(Buffer.from({ valueOf: null, [Symbol.toPrimitive]: () => "xyz" }).length).toBe(3);
  });

  test("refuses the rest", () => {
    const head = "TypeError ERR_INVALID_ARG_TYPE: The first argument must be of type string or an " +
      "instance of Buffer, ArrayBuffer, or Array or an Array-like Object. Received ";
    expect(thrown(() => Buffer.from(5))).toBe(`${head}type number (5)`);
    expect(thrown(() => Buffer.from())).toBe(`${head}undefined`);
    expect(thrown(() => Buffer.from(null))).toBe(`${head}null`);
    expect(thrown(() => Buffer.from({}))).toBe(`${head}an instance of Object`);
    expect(thrown(() => Buffer.from(new Number(1)))).toBe(`${head}an instance of Number`);
    expect(thrown(() => Buffer.from("a", "foo"))).toBe(
      "TypeError ERR_UNKNOWN_ENCODING: Unknown encoding: foo",
    );
  });

  test("does not depend on iterators that a program replaced", () => {
    const original = Array.prototype[Symbol.iterator];
    let size;
    Array.prototype[Symbol.iterator] = () => { throw new Error("called"); };
    try {
      size = Buffer.from([1, 2]).length;
    } finally {
      Array.prototype[Symbol.iterator] = original;
    }
    expect(size).toBe(2);
  });
});

describe("Buffer.concat", () => {
  test("joins and cuts or pads", () => {
    const parts = [Buffer.from("ab"), new Uint8Array([0x63])];
    expect(Buffer.concat(parts).toString()).toBe("abc");
    expect(Buffer.concat(parts, 2).toString()).toBe("ab");
    expect(bytes(Buffer.concat(parts, 5))).toEqual([97, 98, 99, 0, 0]);
    expect(Buffer.concat([]).length).toBe(0);
  });

  test("of thousands of parts", () => {
    const part = Buffer.from("0123456789");
    const all = Buffer.concat(new Array(5000).fill(part));
    expect(all.length).toBe(50000);
    expect(all.subarray(-10).toString()).toBe("0123456789");
  });

  test("by the lengths that parts really have", () => {
    const part = new Uint8Array([1, 2]);
    Object.defineProperty(part, "length", { value: 100 });
    expect(bytes(Buffer.concat([part, part]))).toEqual([1, 2, 1, 2]);
  });

  test("names the part that is none", () => {
    expect(thrown(() => Buffer.concat([Buffer.alloc(1), "b"]))).toBe(
      'TypeError ERR_INVALID_ARG_TYPE: The "list[1]" argument must be an instance of Buffer or ' +
        "Uint8Array. Received type string ('b')",
    );
    expect(thrown(() => Buffer.concat("a"))).toMatch('The "list" argument');
    expect(thrown(() => Buffer.concat([], 1))).toBe("nothing thrown");
    expect(thrown(() => Buffer.concat([Buffer.alloc(1)], -1))).toMatch("ERR_OUT_OF_RANGE");
  });
});

describe("Buffer.byteLength, copyBytesFrom, of", () => {
  test("byteLength", () => {
    expect(Buffer.byteLength("\u20ac\u00e9a")).toBe(6);
    expect(Buffer.byteLength("\ud83d\ude00".repeat(50))).toBe(200);
    expect(Buffer.byteLength("abc", "ucs2")).toBe(6);
    expect(Buffer.byteLength("abcd==", "base64")).toBe(3);
    expect(Buffer.byteLength("abc", "hex")).toBe(1);
    expect(Buffer.byteLength("\u00e9", "nonsense")).toBe(2);
    expect(Buffer.byteLength(new DataView(new ArrayBuffer(7)))).toBe(7);
    expect(thrown(() => Buffer.byteLength(1))).toMatch("ERR_INVALID_ARG_TYPE");
  });

  test("copyBytesFrom", () => {
    const words = new Uint16Array([1, 2, 3]);
    expect(bytes(Buffer.copyBytesFrom(words, 1, 1))).toEqual([2, 0]);
    expect(Buffer.copyBytesFrom(words, 9).length).toBe(0);
    expect(thrown(() => Buffer.copyBytesFrom(new DataView(new ArrayBuffer(1))))).toMatch(
      'The "view" argument must be an instance of TypedArray',
    );
  });

  test("of", () => {
    expect(bytes(Buffer.of(1, 257))).toEqual([1, 1]);
  });
});

describe("node:buffer", () => {
  test("constants", () => {
    expect(buffer.constants.MAX_LENGTH).toBe(buffer.kMaxLength);
    expect(buffer.constants.MAX_STRING_LENGTH).toBe(buffer.kStringMaxLength);
    expect(Buffer.poolSize).toBe(8192);
  });

  test("INSPECT_MAX_BYTES is checked and used", () => {
    expect(thrown(() => { buffer.INSPECT_MAX_BYTES = -1; })).toMatch("ERR_OUT_OF_RANGE");
    buffer.INSPECT_MAX_BYTES = 2;
    expect(Buffer.from("abcd").inspect()).toBe("<Buffer 61 62 ... 2 more bytes>");
    expect(Buffer.from("abc").inspect()).toBe("<Buffer 61 62 ... 1 more byte>");
    buffer.INSPECT_MAX_BYTES = 50;
  });

  test("printed with its other properties", () => {
    const buf = Buffer.from("a");
    buf.more = { x: 1 };
    expect(require("node:util").inspect(buf)).toBe("<Buffer 61, more: { x: 1 }>");
    expect(require("node:util").inspect(Buffer.alloc(0))).toBe("<Buffer >");
  });

  test("transcode", () => {
    const { transcode } = buffer;
    expect(bytes(transcode(Buffer.from("t\u20acst\u{1f600}"), "utf8", "ascii")))
      .toEqual([...Buffer.from("t?st?")]);
    expect(bytes(transcode(Buffer.from("\u20ac"), "utf8", "ucs2"))).toEqual([0xac, 0x20]);
    expect(bytes(transcode(Buffer.from([0xff, 65]), "ascii", "utf8")))
      .toEqual([0xef, 0xbf, 0xbd, 65]);
    expect(thrown(() => transcode(Buffer.from([0xff]), "utf8", "ucs2"))).toBe(
      "Error U_INVALID_CHAR_FOUND: Unable to transcode Buffer [U_INVALID_CHAR_FOUND]",
    );
    expect(thrown(() => transcode(Buffer.from("a"), "utf8", "hex"))).toBe(
      "Error U_ILLEGAL_ARGUMENT_ERROR: Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]",
    );
    expect(thrown(() => transcode("a", "utf8", "ucs2"))).toMatch('The "source" argument');
  });

  test("isUtf8 and isAscii", () => {
    expect(buffer.isUtf8(Buffer.from("\u20ac"))).toBe(true);
    expect(buffer.isUtf8(new Uint8Array([0xe2, 0x82]))).toBe(false);
    expect(buffer.isAscii(new ArrayBuffer(3))).toBe(true);
    expect(buffer.isAscii(Buffer.from("\u00e9"))).toBe(false);
    expect(thrown(() => buffer.isUtf8("a"))).toMatch(
      'The "input" argument must be an instance of ArrayBuffer, Buffer, or TypedArray.',
    );
    const gone = new ArrayBuffer(1);
    gone.transfer();
    expect(thrown(() => buffer.isUtf8(gone))).toMatch("Cannot validate on a detached buffer");
  });

  test("atob and btoa are the global ones", () => {
    expect(buffer.atob).toBe(atob);
    expect(buffer.btoa).toBe(btoa);
  });

  test("can be copied property by property", () => {
    const copy = {};
    for (const key in buffer) copy[key] = buffer[key];
    expect(typeof copy.Blob).toBe("function");
    expect(typeof copy.File).toBe("function");
  });
});
