const readAll = async (stream) => {
  const all = [];
  for await (const chunk of stream) all.push(chunk);
  return all;
};

test("a source that pushes, and one that is pulled", async () => {
  const pushed = new ReadableStream({
    start(c) {
      c.enqueue("a");
      c.enqueue("b");
      c.close();
    },
  });
  expect(await readAll(pushed)).toEqual(["a", "b"]);
  let n = 0;
  const pulled = new ReadableStream({
    async pull(c) {
      if (n === 3) c.close();
      else c.enqueue(n++);
    },
  });
  const reader = pulled.getReader();
  expect(pulled.locked).toBe(true);
  expect(await reader.read()).toEqual({ value: 0, done: false });
  reader.releaseLock();
  expect(await readAll(pulled)).toEqual([1, 2]);
  expect(await readAll(ReadableStream.from([1, Promise.resolve(2)]))).toEqual([1, 2]);
});

test("leaving a loop cancels, unless that is not wanted", async () => {
  let reason = "none";
  const make = () =>
    new ReadableStream({
      pull(c) {
        c.enqueue(1);
      },
      cancel() {
        reason = "cancelled";
      },
    });
  for await (const _ of make().values({ preventCancel: true })) break;
  expect(reason).toBe("none");
  for await (const _ of make()) break;
  expect(reason).toBe("cancelled");
});

test("pipes with transforms, errors and signals", async () => {
  const out = [];
  const upper = new TransformStream({
    transform(chunk, c) {
      c.enqueue(chunk.toUpperCase());
    },
    flush(c) {
      c.enqueue("END");
    },
  });
  const sink = () => new WritableStream({ write: (chunk) => void out.push(chunk) });
  await ReadableStream.from(["a", "b"]).pipeThrough(upper).pipeTo(sink());
  expect(out).toEqual(["A", "B", "END"]);
  const broken = new ReadableStream({
    pull() {
      throw new Error("broken");
    },
  });
  await expect(broken.pipeTo(sink())).rejects.toThrow("broken");
  const stuck = new ReadableStream();
  const signal = AbortSignal.abort(new Error("stop"));
  await expect(stuck.pipeTo(sink(), { signal })).rejects.toThrow("stop");
});

test("byte streams fill the reader's memory", async () => {
  let next = 1;
  const stream = new ReadableStream({
    type: "bytes",
    pull(c) {
      const { view } = c.byobRequest;
      view[0] = next++;
      c.byobRequest.respond(1);
    },
  });
  const reader = stream.getReader({ mode: "byob" });
  const { value } = await reader.read(new Uint8Array(4), { min: 3 });
  expect([...value]).toEqual([1, 2, 3]);
  await reader.cancel();
});

test("tee gives both branches everything", async () => {
  const [a, b] = ReadableStream.from(["x", "y"]).tee();
  expect(await readAll(a)).toEqual(["x", "y"]);
  expect(await readAll(b)).toEqual(["x", "y"]);
  const bytes = new ReadableStream({
    type: "bytes",
    start(c) {
      c.enqueue(new Uint8Array([1, 2]));
      c.close();
    },
  });
  const [c, d] = bytes.tee();
  expect(await c.bytes()).toEqual(new Uint8Array([1, 2]));
  const { value } = await d.getReader({ mode: "byob" }).read(new Uint8Array(2));
  expect(value).toEqual(new Uint8Array([1, 2]));
});

test("writers know of backpressure", async () => {
  const done = Promise.withResolvers();
  const stream = new WritableStream({ write: () => done.promise });
  const writer = stream.getWriter();
  const first = writer.write("x");
  expect(writer.desiredSize).toBe(0);
  let isReady = false;
  writer.ready.then(() => {
    isReady = true;
  });
  await Promise.resolve();
  expect(isReady).toBe(false);
  done.resolve();
  await first;
  await writer.ready;
  expect(isReady).toBe(true);
  await writer.close();
  await writer.closed;
});

test("text streams put cut characters together", async () => {
  const bytes = new TextEncoder().encode("a\u20ac");
  const text = await ReadableStream.from([bytes.slice(0, 2), bytes.slice(2)])
    .pipeThrough(new TextDecoderStream())
    .text();
  expect(text).toBe("a\u20ac");
  const encoded = ReadableStream.from(["\ud83d", "\ude00"]).pipeThrough(new TextEncoderStream());
  expect(await encoded.text()).toBe("\u{1f600}");
});

test("whole streams", async () => {
  expect(await ReadableStream.from(['{"a":', "1}"]).json()).toEqual({ a: 1 });
  const r = new ReadableStream();
  r.getReader();
  await expect(r.text()).rejects.toThrow(/locked/);
});

test("wrong receivers and arguments", async () => {
  expect(() => ReadableStream.prototype.getReader.call({})).toThrow(TypeError);
  await expect(ReadableStream.prototype.cancel.call({})).rejects.toThrow(TypeError);
  expect(() => new ReadableStream({ type: "x" })).toThrow(/underlying source/);
  expect(() => new ReadableStreamDefaultController()).toThrow(/Illegal/);
  expect(() => new ReadableStream({}, { highWaterMark: -1 })).toThrow(RangeError);
});
