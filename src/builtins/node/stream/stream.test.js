const {
  Readable, Writable, Duplex, Transform, PassThrough, pipeline, finished, compose, duplexPair,
  addAbortSignal, getDefaultHighWaterMark,
} = require("node:stream");
const promises = require("node:stream/promises");
const consumers = require("node:stream/consumers");

const collect = (stream) => stream.toArray();

function slowWritable(chunks, options) {
  return new Writable({
    ...options,
    write(chunk, encoding, callback) {
      chunks.push(String(chunk));
      setImmediate(callback);
    },
  });
}

test("marks and modes", () => {
  expect(getDefaultHighWaterMark(false)).toBe(65536);
  expect(getDefaultHighWaterMark(true)).toBe(16);
  const r = new Readable({ read() {} });
  expect(r.readableHighWaterMark).toBe(65536);
  expect(r.readableFlowing).toBe(null);
  expect(new Writable({ objectMode: true }).writableHighWaterMark).toBe(16);
  expect(new Duplex({ readableHighWaterMark: 3 }).readableHighWaterMark).toBe(3);
  expect(() => new Readable({ highWaterMark: -1 })).toThrow(/highWaterMark/);
  expect(new Duplex() instanceof Writable).toBe(true);
});

test("what Object.assign copies of the prototypes", () => {
  const copy = Object.assign({}, Readable.prototype, Writable.prototype, Duplex.prototype);
  expect(typeof copy.pipe).toBe("function");
  const rest = Object.keys(copy).filter((name) => typeof copy[name] !== "function");
  expect(rest).toEqual(["_writev"]);
});

test("reading by size, unshift and setEncoding", () => {
  const r = new Readable({ read() {} });
  r.push("abc");
  r.push("def");
  expect(String(r.read(2))).toBe("ab");
  expect(String(r.read(3))).toBe("cde");
  r.unshift("xy");
  expect(r.read(9)).toBe(null);
  r.setEncoding("utf8");
  expect(r.read()).toBe("xyf");
});

test("a character that is cut in two", async () => {
  const r = new Readable({ read() {}, encoding: "utf8" });
  const bytes = Buffer.from("a\u20acb");
  r.push(bytes.subarray(0, 2));
  r.push(bytes.subarray(2));
  r.push(null);
  expect((await collect(r)).join("")).toBe("a\u20acb");
});

test("pipe waits for slow destinations and ends them", async () => {
  const chunks = [];
  const w = slowWritable(chunks, { highWaterMark: 2 });
  let count = 0;
  const r = new Readable({
    read() {
      this.push(count < 20 ? `n${count++}` : null);
    },
  });
  r.pipe(w);
  await promises.finished(w);
  expect(chunks.join(" ")).toBe(Array.from({ length: 20 }, (_, i) => `n${i}`).join(" "));
  expect(r.destroyed).toBe(true);
  expect(w.writableFinished).toBe(true);
});

test("cork gathers writes for writev", async () => {
  const calls = [];
  const w = new Writable({
    writev(chunks, callback) {
      calls.push(chunks.map((c) => String(c.chunk)).join(""));
      callback();
    },
  });
  w.cork();
  w.write("a");
  w.write("b");
  w.uncork();
  w.end("c");
  await promises.finished(w);
  expect(calls).toEqual(["ab", "c"]);
});

test("order of events at the end and after an error", async () => {
  const seen = [];
  const w = new Writable({
    write: (chunk, encoding, callback) => callback(),
    final: (callback) => {
      seen.push("final");
      callback();
    },
    destroy: (err, callback) => {
      seen.push("destroy");
      callback(err);
    },
  });
  for (const name of ["prefinish", "finish", "close"]) w.on(name, () => seen.push(name));
  w.end("x", () => seen.push("callback"));
  await new Promise((resolve) => w.on("close", resolve));
  expect(seen).toEqual(["final", "prefinish", "callback", "finish", "destroy", "close"]);
  const r = new Readable({ read() {} });
  const events = [];
  r.on("error", (err) => events.push(err.message)).on("close", () => events.push("close"));
  r.destroy(new Error("no"));
  await new Promise((resolve) => r.on("close", resolve));
  expect(events).toEqual(["no", "close"]);
  expect(r.errored.message).toBe("no");
});

test("construct comes before everything", async () => {
  const seen = [];
  const d = new Duplex({
    construct(callback) {
      seen.push("construct");
      setImmediate(callback);
    },
    read() {
      seen.push("read");
      this.push(null);
    },
    write(chunk, encoding, callback) {
      seen.push("write");
      callback();
    },
  });
  d.end("x");
  await collect(d);
  expect(seen.slice(0, 2).sort()).toEqual(["construct", "write"]);
  expect(seen[0]).toBe("construct");
});

test("pipelines of streams, generators and functions", async () => {
  const upper = new Transform({
    transform(chunk, encoding, callback) {
      callback(null, String(chunk).toUpperCase());
    },
  });
  const result = await promises.pipeline(
    ["a", "b"],
    upper,
    async function* (source) {
      for await (const chunk of source) yield `${chunk}!`;
    },
    async (source) => (await Array.fromAsync(source)).join(""),
  );
  expect(result.replaceAll("!", "")).toBe("AB");
  const broken = new Readable({
    read() {
      this.destroy(new Error("broken"));
    },
  });
  const chunks = [];
  const w = slowWritable(chunks);
  const err = await new Promise((resolve) => pipeline(broken, w, resolve));
  expect(err.message).toBe("broken");
  expect(w.destroyed).toBe(true);
});

test("signals", async () => {
  const controller = new AbortController();
  const r = addAbortSignal(controller.signal, new Readable({ read() {} }));
  const done = promises.finished(r);
  controller.abort();
  await expect(done).rejects.toThrow(/aborted/);
  const stuck = promises.pipeline(new Readable({ read() {} }), new PassThrough(), {
    signal: AbortSignal.abort(),
  });
  await expect(stuck).rejects.toThrow(/aborted/);
});

test("finished says when it was too early", async () => {
  const r = new Readable({ read() {} });
  const result = new Promise((resolve) => finished(r, resolve));
  r.destroy();
  expect((await result).code).toBe("ERR_STREAM_PREMATURE_CLOSE");
});

test("helpers of Readable", async () => {
  const numbers = () => Readable.from([1, 2, 3, 4, 5]);
  expect(await numbers().map((n) => n * 2, { concurrency: 2 }).toArray()).toEqual([2, 4, 6, 8, 10]);
  expect(await numbers().filter((n) => n % 2).toArray()).toEqual([1, 3, 5]);
  expect(await numbers().drop(1).take(2).toArray()).toEqual([2, 3]);
  expect(await numbers().flatMap((n) => [n, n]).toArray()).toHaveLength(10);
  expect(await numbers().reduce((a, b) => a + b)).toBe(15);
  expect(await numbers().some((n) => n > 4)).toBe(true);
  expect(await numbers().every((n) => n > 4)).toBe(false);
  expect(await numbers().find((n) => n > 3)).toBe(4);
  await expect(Readable.from([]).reduce((a, b) => a + b)).rejects.toThrow(/empty stream/);
});

test("Duplex.from, compose, duplexPair", async () => {
  const d = Duplex.from(async function* (source) {
    for await (const chunk of source) yield String(chunk).toUpperCase();
  });
  d.end("abc");
  expect((await collect(d)).join("")).toBe("ABC");
  const c = compose(new PassThrough(), new PassThrough());
  c.end("through");
  expect((await collect(c)).join("")).toBe("through");
  const [a, b] = duplexPair();
  a.end("to b");
  expect(await consumers.text(b)).toBe("to b");
});

test("consumers", async () => {
  const source = () => Readable.from([Buffer.from('{"a"'), Buffer.from(":1}")]);
  expect(await consumers.text(source())).toBe('{"a":1}');
  expect(await consumers.json(source())).toEqual({ a: 1 });
  expect((await consumers.buffer(source())).length).toBe(7);
  expect((await consumers.arrayBuffer(source())).byteLength).toBe(7);
});

test("to web streams and back", async () => {
  const web = Readable.toWeb(Readable.from([Buffer.from("ab"), Buffer.from("c")], { objectMode: false }));
  expect(await new Response(web).text()).toBe("abc");
  const node = Readable.fromWeb(ReadableStream.from(["x", "y"]), { objectMode: true });
  expect(await collect(node)).toEqual(["x", "y"]);
  const chunks = [];
  const target = new WritableStream({ write: (chunk) => void chunks.push(String.fromCharCode(...chunk)) });
  const w = Writable.fromWeb(target);
  w.write("1");
  w.end("2");
  await promises.finished(w);
  expect(chunks).toEqual(["1", "2"]);
  const slow = [];
  const sink = Writable.toWeb(slowWritable(slow));
  await ReadableStream.from(["p", "q"]).pipeTo(sink);
  expect(slow).toEqual(["p", "q"]);
  const d = Duplex.fromWeb(new TransformStream(), { objectMode: true });
  d.end("through");
  expect(await collect(d)).toEqual(["through"]);
  const { readable, writable } = Duplex.toWeb(new PassThrough());
  const writer = writable.getWriter();
  writer.write(new Uint8Array([65]));
  writer.close();
  expect(await readable.text()).toBe("A");
});
