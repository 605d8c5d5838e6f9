const text = new TextEncoder().encode("some text that repeats itself. ".repeat(5000));

async function through(stream, chunks) {
  const writer = stream.writable.getWriter();
  const done = (async () => {
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  })();
  const parts = [];
  for await (const part of stream.readable) parts.push(part);
  await done;
  return Buffer.concat(parts);
}

async function errorOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("compression streams", () => {
  for (const format of ["gzip", "deflate", "deflate-raw", "brotli", "zstd"]) {
    test(`${format} comes back`, async () => {
      const packed = await through(new CompressionStream(format), [
        text.subarray(0, 10), text.subarray(10, 10), text.subarray(10).slice().buffer,
      ]);
      expect(packed.length < text.length / 10).toBe(true);
      const pieces = [];
      for (let i = 0; i < packed.length; i += 7) pieces.push(packed.subarray(i, i + 7));
      const back = await through(new DecompressionStream(format), pieces);
      expect(back.equals(Buffer.from(text))).toBe(true);
    });

    test(`${format} that is cut off or has a tail is an error`, async () => {
      const packed = await through(new CompressionStream(format), [text]);
      const cut = packed.subarray(0, packed.length - 5);
      const make = () => new DecompressionStream(format);
      expect((await errorOf(through(make(), [cut]))) instanceof TypeError).toBe(true);
      const tail = Buffer.concat([packed, Buffer.from("tail")]);
      expect((await errorOf(through(make(), [tail]))) instanceof TypeError).toBe(true);
      expect((await errorOf(through(make(), ["text"]))) instanceof TypeError).toBe(true);
    });
  }

  test("formats that are unknown", () => {
    expect(() => new CompressionStream("nope")).toThrow("must be one of");
    expect(() => new DecompressionStream()).toThrow("must be one of");
  });
});
