const { takeDirect } = cobInternal("web/streams/direct");
const { makeReadable } = cobInternal("web/streams/source");

const direct = (pull, extra, strategy) =>
  new ReadableStream({ type: "direct", pull, ...extra }, strategy);
const texts = async (stream) => {
  const out = [];
  for await (const chunk of stream) out.push(new TextDecoder().decode(chunk));
  return out;
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("writes become chunks when pull returns or later", async () => {
  const at_once = direct((c) => {
    c.write("a");
    c.write("b");
    c.close();
  });
  expect(await texts(at_once)).toEqual(["ab"]);
  const later = direct(async (c) => {
    c.write("a");
    await turn();
    c.write("b");
    c.end();
  });
  expect(await texts(later)).toEqual(["a", "b"]);
  let n = 0;
  const again = direct((c) => (n++ < 3 ? void c.write(`x${n}`) : c.close()));
  expect(await texts(again)).toEqual(["x1", "x2", "x3"]);
});

test("whole, the promise of pull is the end", async () => {
  const stream = direct(async (c) => {
    c.write("q");
    await turn();
    c.write(new Uint8Array([114]));
  });
  expect(await stream.text()).toBe("qr");
  const open = direct((c) => {
    setImmediate(() => {
      c.write("z");
      c.end();
    });
  });
  expect(await new Response(open).text()).toBe("z");
});

test("errors and cancelling", async () => {
  const boom = direct(() => {
    throw new Error("boom");
  });
  await expect(boom.text()).rejects.toThrow("boom");
  const bad = direct((c) => {
    c.write("x");
    c.close(new Error("bad"));
  });
  await expect(bad.text()).rejects.toThrow("bad");
  let reason;
  let controller;
  const stopped = direct((c) => void (controller = c) || c.write("x"), {
    cancel: (r) => {
      reason = r;
    },
  });
  const reader = stopped.getReader();
  await reader.read();
  await reader.cancel("why");
  expect(reason).toBe("why");
  expect(controller.write("y")).toBe(0);
});

test("a full buffer makes writes wait", async () => {
  let wrote;
  const stream = direct((c) => {
    wrote = c.write("12345678");
  }, {}, { highWaterMark: 4 });
  const reader = stream.getReader();
  await reader.read();
  expect(wrote instanceof Promise).toBe(true);
  const first = wrote;
  const next = reader.read();
  expect(await first).toBe(8);
  await reader.cancel();
  await next;
});

test("a destination takes each write at once", () => {
  const seen = [];
  const stream = direct((c) => {
    c.write("a");
    c.flush();
    c.write("b");
    c.end();
  });
  const target = {
    write: (bytes) => seen.push(String.fromCharCode(...bytes)),
    flush: () => seen.push("flush"),
    end: () => seen.push("end"),
    error: (error) => seen.push(error),
  };
  expect(takeDirect(stream, target)).toBe(true);
  expect(seen).toEqual(["a", "flush", "b", "end"]);
  expect(takeDirect(stream, target)).toBe(false);
});

test("sources of our own: lazy, pushed, whole", async () => {
  let pulls = 0;
  const stream = makeReadable({
    pull(sink) {
      pulls++;
      if (pulls < 4) sink.push(new Uint8Array([pulls]));
      else sink.close();
    },
  });
  await turn();
  expect(pulls).toBe(0);
  const reader = stream.getReader({ mode: "byob" });
  expect([...(await reader.read(new Uint8Array(2), { min: 2 })).value]).toEqual([1, 2]);
  reader.releaseLock();
  expect(await stream.bytes()).toEqual(new Uint8Array([3]));
  const whole = makeReadable({ pull() {}, takeAll: async () => new Uint8Array([65]) });
  const text = whole.text();
  expect(whole.locked).toBe(true);
  expect(await text).toBe("A");
  const failing = makeReadable({ pull: (sink) => sink.error(new Error("gone")) });
  await expect(failing.text()).rejects.toThrow("gone");
});

test("Bun.readableStreamTo*", async () => {
  const of = (...chunks) => ReadableStream.from(chunks);
  expect(await Bun.readableStreamToText(of("a", new Uint8Array([66])))).toBe("aB");
  expect(await Bun.readableStreamToJSON(of('{"a":1}'))).toEqual({ a: 1 });
  expect(await Bun.readableStreamToBytes(of("abc"))).toEqual(new Uint8Array([97, 98, 99]));
  expect((await Bun.readableStreamToArrayBuffer(of("abc"))).byteLength).toBe(3);
  expect((await Bun.readableStreamToBlob(of("abc"))).size).toBe(3);
  expect(await Bun.readableStreamToArray(of(1, 2))).toEqual([1, 2]);
  expect((await Bun.readableStreamToFormData(of("x=2"))).get("x")).toBe("2");
  expect(() => Bun.readableStreamToText(5)).toThrow(TypeError);
});

test("Bun.ArrayBufferSink", () => {
  const sink = new Bun.ArrayBufferSink();
  expect(sink.write("abc")).toBe(3);
  sink.write(new Uint8Array(2));
  expect(sink.end().byteLength).toBe(5);
  sink.start({ stream: true, asUint8Array: true, highWaterMark: 10 });
  sink.write("x");
  expect(sink.flush()).toEqual(new Uint8Array([120]));
  expect(sink.end()).toEqual(new Uint8Array(0));
  expect(() => sink.write(5)).toThrow(TypeError);
});
