const zlib = require("node:zlib");

const pairs = [
  ["deflate", "inflate"], ["gzip", "gunzip"], ["gzip", "unzip"], ["deflate", "unzip"],
  ["deflateRaw", "inflateRaw"], ["brotliCompress", "brotliDecompress"],
  ["zstdCompress", "zstdDecompress"],
];
const text = Buffer.from("some text that repeats, and some more. ".repeat(3000));
const cap = (name) => name[0].toUpperCase() + name.slice(1);
const later = (name, ...args) =>
  new Promise((resolve, reject) => {
    zlib[name](...args, (error, value) => (error ? reject(error) : resolve(value)));
  });
const errorOf = (fn) => {
  try {
    fn();
  } catch (error) {
    return error;
  }
  return undefined;
};

async function collect(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

describe("whole texts", () => {
  test("come back, at once and later", async () => {
    for (const [there, back] of pairs) {
      for (const input of [Buffer.alloc(0), Buffer.from("x"), text]) {
        expect(zlib[`${back}Sync`](zlib[`${there}Sync`](input)).equals(input)).toBe(true);
        expect((await later(back, await later(there, input))).equals(input)).toBe(true);
      }
    }
  });

  test("strings, views and ArrayBuffers", () => {
    const wanted = zlib.gzipSync("abc");
    expect(zlib.gzipSync(new Uint8Array([97, 98, 99])).equals(wanted)).toBe(true);
    expect(zlib.gzipSync(new Uint8Array([97, 98, 99]).buffer).equals(wanted)).toBe(true);
    expect(errorOf(() => zlib.gzipSync(3)).code).toBe("ERR_INVALID_ARG_TYPE");
    expect(errorOf(() => zlib.gzip("a")).code).toBe("ERR_INVALID_ARG_TYPE");
  });

  test("errors have number, code and text", async () => {
    const error = errorOf(() => zlib.inflateSync("abc"));
    expect([error.errno, error.code, error.message]).toEqual([
      -3, "Z_DATA_ERROR", "incorrect header check",
    ]);
    expect(errorOf(() => zlib.zstdDecompressSync("abc")).code).toBe("ZSTD_error_prefix_unknown");
    const cut = zlib.gzipSync(text).subarray(0, 100);
    expect(errorOf(() => zlib.gunzipSync(cut)).code).toBe("Z_BUF_ERROR");
    let code;
    await later("gunzip", cut).catch((e) => (code = e.code));
    expect(code).toBe("Z_BUF_ERROR");
    const finishFlush = zlib.constants.Z_SYNC_FLUSH;
    expect(text.indexOf(zlib.gunzipSync(cut, { finishFlush }))).toBe(0);
  });

  test("maxOutputLength", async () => {
    const packed = zlib.gzipSync(text);
    expect(zlib.gunzipSync(packed, { maxOutputLength: text.length }).length).toBe(text.length);
    const options = { maxOutputLength: text.length - 1 };
    expect(errorOf(() => zlib.gunzipSync(packed, options)).code).toBe("ERR_BUFFER_TOO_LARGE");
    let code;
    await later("gunzip", packed, options).catch((e) => (code = e.code));
    expect(code).toBe("ERR_BUFFER_TOO_LARGE");
  });

  test("dictionaries, info and trailing junk", () => {
    const dictionary = Buffer.from("some text that repeats");
    const packed = zlib.deflateSync("some text", { dictionary });
    expect(zlib.inflateSync(packed, { dictionary }).toString()).toBe("some text");
    expect(errorOf(() => zlib.inflateSync(packed)).code).toBe("Z_NEED_DICT");
    const { buffer, engine } = zlib.deflateSync("abc", { info: true });
    expect(zlib.inflateSync(buffer).toString()).toBe("abc");
    expect(engine instanceof zlib.Deflate).toBe(true);
    expect(engine.bytesWritten).toBe(3);
    const junk = Buffer.concat([zlib.deflateSync("abc"), Buffer.from("junk")]);
    expect(zlib.inflateSync(junk).toString()).toBe("abc");
    expect(errorOf(() => zlib.inflateSync(junk, { rejectGarbageAfterEnd: true })).code).toBe(
      "ERR_TRAILING_JUNK_AFTER_STREAM_END",
    );
  });

  test("options are checked", () => {
    for (const [options, code] of [
      [{ level: 10 }, "ERR_OUT_OF_RANGE"], [{ level: "a" }, "ERR_INVALID_ARG_TYPE"],
      [{ windowBits: 8 }, "ERR_OUT_OF_RANGE"], [{ chunkSize: 10 }, "ERR_OUT_OF_RANGE"],
      [{ flush: 10 }, "ERR_OUT_OF_RANGE"], [{ dictionary: 3 }, "ERR_INVALID_ARG_TYPE"],
    ]) {
      expect(errorOf(() => zlib.gzipSync("x", options)).code).toBe(code);
    }
    expect(errorOf(() => zlib.brotliCompressSync("a", { params: { 99: 1 } })).code).toBe(
      "ERR_BROTLI_INVALID_PARAM",
    );
    expect(errorOf(() => zlib.zstdCompressSync("a", { params: { 9999: 1 } })).code).toBe(
      "ERR_ZSTD_INVALID_PARAM",
    );
  });

  test("crc32", () => {
    expect(zlib.crc32("hello")).toBe(907060870);
    expect(zlib.crc32("lo", zlib.crc32(Buffer.from("hel")))).toBe(907060870);
    expect(errorOf(() => zlib.crc32("a", -1)).code).toBe("ERR_OUT_OF_RANGE");
  });
});

describe("streams", () => {
  test("text comes back", async () => {
    for (const [there, back] of pairs) {
      const packer = zlib[`create${cap(there)}`]({ chunkSize: 100 });
      for (let i = 0; i < text.length; i += 999) packer.write(text.subarray(i, i + 999));
      packer.end();
      const unpacker = zlib[`create${cap(back)}`]();
      expect((await collect(packer.pipe(unpacker))).equals(text)).toBe(true);
    }
  });

  test("flush gives out what was written", async () => {
    const gzip = zlib.createGzip();
    const gunzip = zlib.createGunzip();
    gzip.pipe(gunzip);
    gzip.write("abc");
    await new Promise((resolve) => {
      gunzip.once("data", (chunk) => {
        expect(chunk.toString()).toBe("abc");
        resolve();
      });
      gzip.flush();
    });
    gzip.end();
    await collect(gunzip);
  });

  test("params change level and strategy on the way", async () => {
    const deflate = zlib.createDeflate({ level: 9 });
    deflate.write(text);
    deflate.params(0, zlib.constants.Z_DEFAULT_STRATEGY, () => deflate.end(text));
    const packed = await collect(deflate);
    expect(packed.length > text.length).toBe(true);
    expect(zlib.inflateSync(packed).equals(Buffer.concat([text, text]))).toBe(true);
  });

  test("broken input is an error event", async () => {
    const gunzip = zlib.createGunzip();
    let code;
    gunzip.on("error", (error) => (code = error.code));
    gunzip.end("this is no gzip file");
    await new Promise((resolve) => gunzip.on("close", resolve));
    expect(code).toBe("Z_DATA_ERROR");
  });

  test("close in the middle of a write", async () => {
    const deflate = zlib.createDeflate();
    deflate.write(text);
    await new Promise((resolve) => deflate.close(resolve));
    expect(deflate._closed).toBe(true);
  });

  test("a handle whose close() was replaced survives _processChunk", () => {
    const gzip = zlib.createGzip();
    const handle = gzip._handle;
    const { close } = handle;
    const parts = [];
    for (const text of ["hello ", "world"]) {
      handle.close = () => {};
      parts.push(gzip._processChunk(Buffer.from(text), zlib.constants.Z_SYNC_FLUSH));
      gzip._handle = handle;
    }
    handle.close = close;
    parts.push(gzip._processChunk(Buffer.alloc(0), zlib.constants.Z_FINISH));
    expect(zlib.gunzipSync(Buffer.concat(parts)).toString()).toBe("hello world");
    gzip._handle = handle;
    expect(errorOf(() => gzip._processChunk(Buffer.from("x"), 0)).code).toBe("Z_STREAM_ERROR");
  });

  test("every member of a gzip file", async () => {
    const gunzip = zlib.createGunzip();
    const two = Buffer.concat([zlib.gzipSync("hello "), zlib.gzipSync("world")]);
    for (const byte of two) gunzip.write(Buffer.from([byte]));
    gunzip.end();
    expect((await collect(gunzip)).toString()).toBe("hello world");
  });
});
