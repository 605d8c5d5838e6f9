// HTTP/2 frame by frame (RFC 9113): what a server must refuse, and how; limits against floods. A
// raw client writes the frames, to Bun.serve and to node:http2.
const net = require("node:net");
const http2 = require("node:http2");
const { once } = require("node:events");

const DATA = 0;
const HEADERS = 1;
const PRIORITY = 2;
const RST_STREAM = 3;
const SETTINGS = 4;
const PUSH_PROMISE = 5;
const PING = 6;
const GOAWAY = 7;
const WINDOW_UPDATE = 8;
const CONTINUATION = 9;
const END_STREAM = 1;
const ACK = 1;
const END_HEADERS = 4;
const PADDED = 8;
const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

function u32(n) {
  return Buffer.from([n >>> 24, n >>> 16 & 255, n >>> 8 & 255, n & 255]);
}

function frame(type, flags, id, payload = "") {
  const body = Buffer.from(payload);
  const head = Buffer.alloc(9);
  head.writeUIntBE(body.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id >>> 0, 5);
  return Buffer.concat([head, body]);
}

const setting = (id, value) => Buffer.concat([Buffer.from([id >> 8, id & 255]), u32(value)]);

/** A length or string of HPACK with 7 bits in its first byte. */
function hpackText(text) {
  const bytes = Buffer.from(text, "latin1");
  let n = bytes.length;
  if (n < 127) return Buffer.concat([Buffer.from([n]), bytes]);
  const head = [127];
  for (n -= 127; n >= 128; n >>= 7) head.push(n & 127 | 128);
  return Buffer.concat([Buffer.from([...head, n]), bytes]);
}

/** A head of literals that are not indexed. */
function head(...pairs) {
  return Buffer.concat(pairs.flatMap(([name, value]) =>
    [Buffer.from([0]), hpackText(name), hpackText(value)]));
}

const kGet = [[":method", "GET"], [":scheme", "http"], [":path", "/"], [":authority", "a"]];
const kPost = [[":method", "POST"], ...kGet.slice(1)];
const get = (...more) => head(...kGet, ...more);
const request = (id, block, flags = END_STREAM | END_HEADERS) => frame(HEADERS, flags, id, block);

class Raw {
  frames = [];
  isOver = false;
  #waiting = null;
  #rest = Buffer.alloc(0);

  constructor(port) {
    this.socket = net.connect(port, "127.0.0.1");
    this.socket.on("data", (data) => this.#onData(data));
    this.socket.on("error", () => {});
    this.socket.on("close", () => {
      this.isOver = true;
      this.#waiting?.();
    });
  }

  #onData(data) {
    this.#rest = Buffer.concat([this.#rest, data]);
    while (this.#rest.length >= 9) {
      const n = this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < 9 + n) break;
      const [type, flags] = [this.#rest[3], this.#rest[4]];
      const id = this.#rest.readUInt32BE(5);
      this.frames.push({ type, flags, id, payload: this.#rest.subarray(9, 9 + n) });
      this.#rest = this.#rest.subarray(9 + n);
    }
    this.#waiting?.();
  }

  send(...parts) {
    this.socket.write(Buffer.concat(parts.map((part) => Buffer.from(part))));
  }

  /** The first frame that passes; undefined: the connection has ended without one. */
  async find(passes) {
    for (;;) {
      const found = this.frames.find(passes);
      if (found !== undefined || this.isOver) return found;
      await new Promise((resolve) => {
        this.#waiting = resolve;
      });
    }
  }

  close() {
    this.socket.destroy();
  }
}

const isGoaway = (f) => f.type === GOAWAY;
const isReset = (f) => f.type === RST_STREAM;
const isAnswer = (f) => f.type === HEADERS;
const codeOf = (f) => f.payload.readUInt32BE(f.type === GOAWAY ? 4 : 0);

/** What becomes of these frames: "goaway 1", "reset 7", "answer", or "closed". */
async function outcome(port, parts) {
  const raw = new Raw(port);
  raw.send(PREFACE, frame(SETTINGS, 0, 0), ...parts);
  const f = await raw.find((g) => isGoaway(g) || isReset(g) || isAnswer(g));
  raw.close();
  if (f === undefined) return "closed";
  return isAnswer(f) ? "answer" : `${isGoaway(f) ? "goaway" : "reset"} ${codeOf(f)}`;
}

const kCases = [
  // Frames and their sizes (4.2, 6)
  ["a frame that is too large", [frame(DATA, 0, 1, Buffer.alloc(16385))], ["goaway 6"]],
  ["a type that nobody knows", [frame(0xee, 0, 0, "x"), request(1, get())], ["answer"]],
  ["the reserved bit", [request(0x80000001, get())], ["answer"]],
  ["DATA on stream 0", [frame(DATA, 0, 0, "x")], ["goaway 1"]],
  ["DATA on an idle stream", [frame(DATA, 0, 1, "x")], ["goaway 1"]],
  ["padding as long as the frame", [
    request(1, head(...kPost), END_HEADERS), frame(DATA, PADDED, 1, Buffer.from([5, 1, 2, 3])),
  ], ["goaway 1"]],
  ["padding of a head that is too long", [
    request(1, Buffer.from([200, 0]), END_HEADERS | PADDED)], ["goaway 1", "goaway 6"]],
  ["HEADERS on stream 0", [request(0, get())], ["goaway 1"]],
  ["HEADERS on a stream of ours", [request(2, get())], ["goaway 1"]],
  ["PRIORITY of a wrong size", [frame(PRIORITY, 0, 1, "abc")], ["goaway 6", "reset 6"]],
  ["PRIORITY on stream 0", [frame(PRIORITY, 0, 0, "abcde")], ["goaway 1"]],
  ["RST_STREAM of an idle stream", [frame(RST_STREAM, 0, 1, u32(8))], ["goaway 1"]],
  ["RST_STREAM of a wrong size", [request(1, get()), frame(RST_STREAM, 0, 1, "abc")],
    ["goaway 6"]],
  ["SETTINGS of a wrong size", [frame(SETTINGS, 0, 0, "abc")], ["goaway 6"]],
  ["SETTINGS of a stream", [frame(SETTINGS, 0, 1)], ["goaway 1"]],
  ["an acknowledgement that says something", [frame(SETTINGS, ACK, 0, setting(1, 1))],
    ["goaway 6"]],
  ["ENABLE_PUSH of 2", [frame(SETTINGS, 0, 0, setting(2, 2))], ["goaway 1"]],
  ["too large a window in SETTINGS", [frame(SETTINGS, 0, 0, setting(4, 0x80000000))],
    ["goaway 3"]],
  ["MAX_FRAME_SIZE below the least", [frame(SETTINGS, 0, 0, setting(5, 16383))], ["goaway 1"]],
  ["a setting that nobody knows", [frame(SETTINGS, 0, 0, setting(0xeee, 1)), request(1, get())],
    ["answer"]],
  ["PUSH_PROMISE from a client", [request(1, get()), frame(PUSH_PROMISE, 4, 1, u32(2))],
    ["goaway 1"]],
  ["PING of a wrong size", [frame(PING, 0, 0, "abc")], ["goaway 6"]],
  ["PING of a stream", [frame(PING, 0, 1, "12345678")], ["goaway 1"]],
  ["GOAWAY of a stream", [frame(GOAWAY, 0, 1, Buffer.alloc(8))], ["goaway 1"]],
  ["WINDOW_UPDATE of 0", [frame(WINDOW_UPDATE, 0, 0, u32(0))], ["goaway 1"]],
  ["WINDOW_UPDATE of a wrong size", [frame(WINDOW_UPDATE, 0, 0, "abc")], ["goaway 6"]],
  ["WINDOW_UPDATE of an idle stream", [frame(WINDOW_UPDATE, 0, 1, u32(1))], ["goaway 1"]],
  ["a window of the connection beyond the limit", [frame(WINDOW_UPDATE, 0, 0, u32(0x7fffffff))],
    ["goaway 3"]],
  ["a window of a stream beyond the limit", [
    request(1, head(...kPost), END_HEADERS), frame(WINDOW_UPDATE, 0, 1, u32(0x7fffffff)),
  ], ["reset 3", "goaway 3"]],
  ["CONTINUATION of nothing", [frame(CONTINUATION, END_HEADERS, 1, get())], ["goaway 1"]],
  ["a frame inside a head", [request(1, get(), END_STREAM), frame(PING, 0, 0, "12345678")],
    ["goaway 1"]],
  ["CONTINUATION of another stream", [
    request(1, get(), END_STREAM), frame(CONTINUATION, END_HEADERS, 3, "")], ["goaway 1"]],
  ["a head in three frames", [
    request(1, get().subarray(0, 5), END_STREAM), frame(CONTINUATION, 0, 1, get().subarray(5, 9)),
    frame(CONTINUATION, END_HEADERS, 1, get().subarray(9)),
  ], ["answer"]],
  ["a head of padding and priority", [
    request(1, Buffer.concat([Buffer.from([2]), u32(0), Buffer.from([9]), get(), Buffer.alloc(2)]),
      END_STREAM | END_HEADERS | PADDED | 0x20)], ["answer"]],
  // HPACK
  ["an index that is not there", [request(1, Buffer.from([0xff, 0xff, 0xff, 0x0f]))],
    ["goaway 9"]],
  ["a string beyond the head", [request(1, Buffer.from([0, 0x7e, 0x61]))], ["goaway 9"]],
  ["a table larger than allowed", [request(1, Buffer.concat([
    Buffer.from([0x3f, 0xe1, 0xff, 0x03]), get()]))], ["goaway 9"]],
  // Requests (8.1 to 8.3)
  ["white space in :authority", [
    request(1, head(...kGet.slice(0, 3), [":authority", "a b"]))], ["reset 1"]],
  ["no :path", [request(1, head(...kGet.filter(([n]) => n !== ":path")))], ["reset 1"]],
  ["no :method", [request(1, head(...kGet.slice(1)))], ["reset 1"]],
  ["no :scheme", [request(1, head(kGet[0], kGet[2], kGet[3]))], ["reset 1"]],
  ["an empty :path", [request(1, head(kGet[0], kGet[1], [":path", ""], kGet[3]))], ["reset 1"]],
  ["two of :method", [request(1, head([":method", "GET"], ...kGet))], ["reset 1"]],
  ["a pseudo field that nobody knows", [request(1, head([":x", "y"], ...kGet))], ["reset 1"]],
  [":status in a request", [request(1, head([":status", "200"], ...kGet))], ["reset 1"]],
  ["a pseudo field behind a field", [request(1, head(["a", "b"], ...kGet))], ["reset 1"]],
  ["a name in upper case", [request(1, get(["X-Y", "z"]))], ["reset 1", "node answer"]],
  ["connection", [request(1, get(["connection", "close"]))], ["reset 1"]],
  ["transfer-encoding", [request(1, get(["transfer-encoding", "chunked"]))], ["reset 1"]],
  ["te of something else", [request(1, get(["te", "gzip"]))], ["reset 1"]],
  ["te of trailers", [request(1, get(["te", "trailers"]))], ["answer"]],
  ["CR LF in a value", [request(1, get(["a", "b\r\nc: d"]))], ["reset 1", "node answer"]],
  ["NUL in a value", [request(1, get(["a", "b\0c"]))], ["reset 1", "node answer"]],
  ["a body longer than it said", [
    request(1, head(...kPost, ["content-length", "1"]), END_HEADERS),
    frame(DATA, END_STREAM, 1, "ab")], ["reset 1"]],
  ["a body shorter than it said", [
    request(1, head(...kPost, ["content-length", "3"]), END_HEADERS),
    frame(DATA, END_STREAM, 1, "ab")], ["reset 1"]],
  ["a length that is none", [request(1, head(...kPost, ["content-length", "x"]))], ["reset 1"]],
  ["trailers that do not end it", [
    request(1, head(...kPost), END_HEADERS), request(1, head(["a", "b"]), END_HEADERS)],
  ["reset 1", "goaway 1"]],
  ["a pseudo field in trailers", [
    request(1, head(...kPost), END_HEADERS), request(1, head([":path", "/"]))], ["reset 1"]],
  // Streams (5.1)
  ["DATA behind the end", [request(1, get()), frame(DATA, 0, 1, "x")],
    ["reset 5", "goaway 5", "answer"]],
  ["an id that goes back", [request(3, get()), request(1, get())], ["goaway 1", "answer"]],
];

async function withServers(use, options) {
  const bun = Bun.serve({
    port: 0, hostname: "127.0.0.1", development: false, http2: true, idleTimeout: 5,
    fetch: async (req) => new Response(await req.text().catch(() => "")), ...options,
  });
  const node = http2.createServer();
  node.on("stream", (stream) => {
    stream.on("error", () => {});
    stream.respond();
    stream.end("x");
  });
  node.on("sessionError", () => {});
  node.listen(0, "127.0.0.1");
  await once(node, "listening");
  try {
    await use(bun.port, "bun");
    await use(node.address().port, "node");
  } finally {
    await bun.stop(true);
    node.close();
    await once(node, "close");
  }
}

test("what is wrong is refused as the specification says", async () => {
  await withServers(async (port, kind) => {
    const wrong = [];
    for (const [name, parts, want] of kCases) {
      const got = await outcome(port, parts);
      // node:http2 answers as soon as a head is there, and calls errors of the library internal.
      const isFine = want.includes(got) || want.includes(`${kind} ${got}`) ||
        (kind === "node" && ["answer", "closed", "goaway 2"].includes(got));
      if (!isFine) wrong.push(`${kind}: ${name}: ${got}, not ${want}`);
    }
    expect(wrong).toEqual([]);
    expect(await outcome(port, [request(1, get())])).toBe("answer");
  });
});

test("the first frame must be SETTINGS", async () => {
  await withServers(async (port) => {
    const raw = new Raw(port);
    raw.send(PREFACE, frame(PING, 0, 0, "12345678"));
    const f = await raw.find(isGoaway);
    if (f !== undefined) expect(codeOf(f)).toBe(1);
    raw.close();
  });
});

test("a preface that is none", async () => {
  const server = Bun.serve({
    port: 0, hostname: "127.0.0.1", http2: true, http1: false, fetch: () => new Response(""),
  });
  for (const [text, want] of [
    ["PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", "HTTP/1.1 505"], ["GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 505"],
  ]) {
    const socket = net.connect(server.port, "127.0.0.1");
    socket.write(text);
    const [data] = await once(socket, "data");
    expect(data.toString().slice(0, want.length)).toBe(want);
    socket.destroy();
  }
  await server.stop(true);
});

test("PING is answered with what it brought", async () => {
  await withServers(async (port) => {
    const raw = new Raw(port);
    raw.send(PREFACE, frame(SETTINGS, 0, 0), frame(PING, 0, 0, "abcdefgh"));
    const f = await raw.find((g) => g.type === PING);
    expect(f.flags & ACK).toBe(1);
    expect(f.payload.toString()).toBe("abcdefgh");
    raw.close();
  });
});

test("no more is sent than the windows allow", async () => {
  await withServers(async (port, kind) => {
    if (kind === "node") return;
    const raw = new Raw(port);
    raw.send(PREFACE, frame(SETTINGS, 0, 0, setting(4, 10)),
      request(1, head(...kPost), END_HEADERS), frame(DATA, END_STREAM, 1, "0123456789abcdef"));
    const first = await raw.find((g) => g.type === DATA);
    expect(first.payload.toString()).toBe("0123456789");
    raw.send(frame(PING, 0, 0, "12345678"));
    await raw.find((g) => g.type === PING);
    expect(raw.frames.filter((g) => g.type === DATA).length).toBe(1);
    raw.send(frame(WINDOW_UPDATE, 0, 1, u32(100)));
    const last = await raw.find((g) => g.type === DATA && g.flags & END_STREAM);
    expect(last.payload.toString()).toBe("abcdef");
    raw.close();
  });
});

test("streams beyond the limit are refused", async () => {
  const server = Bun.serve({
    port: 0, hostname: "127.0.0.1", http2: true, fetch: () => new Promise(() => {}),
  });
  const raw = new Raw(server.port);
  raw.send(PREFACE, frame(SETTINGS, 0, 0), frame(SETTINGS, ACK, 0));
  await raw.find((g) => g.type === SETTINGS && g.flags & ACK);
  for (let i = 0; i < 130; i++) raw.send(request(2 * i + 1, get()));
  const f = await raw.find((g) => isReset(g) || isGoaway(g));
  expect([1, 7].includes(codeOf(f))).toBe(true);
  raw.close();
  await server.stop(true);
});

test("heads that are too large or contradict themselves are answered", async () => {
  await withServers(async (port, kind) => {
    if (kind === "node") return;
    const statusOf = async (block) => {
      const raw = new Raw(port);
      const all = [];
      for (let at = 0; at < block.length; at += 16000) all.push(block.subarray(at, at + 16000));
      raw.send(PREFACE, frame(SETTINGS, 0, 0));
      all.forEach((part, i) => raw.send(frame(i ? CONTINUATION : HEADERS,
        (i ? 0 : END_STREAM) | (i === all.length - 1 ? END_HEADERS : 0), 1, part)));
      const f = await raw.find(isAnswer);
      raw.close();
      // ":status: 400" is in the static table; others are literals of three digits.
      return f.payload[0] === 0x8c ? "400" : f.payload.toString("latin1").match(/\d{3}/)?.[0];
    };
    expect(await statusOf(get(["host", "b"]))).toBe("400");
    const bytes = await statusOf(get(["x", "y".repeat(40_000)]));
    expect(bytes === "431" || bytes === undefined).toBe(true);
  });
});

/** Sends until the server ends the connection; the code of its GOAWAY, or "closed". */
async function flood(port, makePart) {
  const raw = new Raw(port);
  raw.send(PREFACE, frame(SETTINGS, 0, 0));
  for (let i = 0; i < 20 && !raw.isOver && !raw.frames.some(isGoaway); i++) {
    const parts = [];
    for (let k = 0; k < 2000; k++) parts.push(makePart(i * 2000 + k));
    raw.send(...parts);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  const f = await raw.find(isGoaway);
  raw.close();
  return f === undefined ? "closed" : codeOf(f);
}

test("floods end the connection", async () => {
  const server = Bun.serve({
    port: 0, hostname: "127.0.0.1", http2: true, development: false,
    fetch: () => new Promise(() => {}),
  });
  const isRefused = (got) => got === 11 || got === "closed";
  const { port } = server;
  const id = (i) => 2 * i + 1;
  const floods = {
    reset: (i) => Buffer.concat([request(id(i), get()), frame(RST_STREAM, 0, id(i), u32(8))]),
    ping: () => frame(PING, 0, 0, "12345678"),
    settings: () => frame(SETTINGS, 0, 0, setting(3, 100)),
    priority: () => frame(PRIORITY, 0, 1, Buffer.from([0, 0, 0, 0, 1])),
    window: () => frame(WINDOW_UPDATE, 0, 0, u32(1)),
    empty: (i) => (i === 0 ? request(1, head(...kPost), END_HEADERS) : frame(DATA, 0, 1, "")),
    bad: (i) => request(id(i), get(["connection", "close"])),
    continuation: (i) => (i === 0 ? request(1, get(), END_STREAM) :
      frame(CONTINUATION, 0, 1, head(["a", "b"]))),
  };
  for (const name of Object.keys(floods)) {
    const got = await flood(port, floods[name]);
    if (!isRefused(got)) expect(`${name}: ${got}`).toBe("refused");
  }
  expect(server.pendingRequests).toBe(0);
  await server.stop(true);
});

test("stop() says which requests are still answered", async () => {
  const answer = Promise.withResolvers();
  const started = Promise.withResolvers();
  const server = Bun.serve({
    port: 0, hostname: "127.0.0.1", http2: true,
    fetch() {
      started.resolve();
      return answer.promise;
    },
  });
  const raw = new Raw(server.port);
  raw.send(PREFACE, frame(SETTINGS, 0, 0), request(1, get()));
  await started.promise;
  const stopped = server.stop();
  const f = await raw.find(isGoaway);
  expect(codeOf(f)).toBe(0);
  expect(f.payload.readUInt32BE(0)).toBe(1);
  answer.resolve(new Response("last"));
  const data = await raw.find((g) => g.type === DATA);
  expect(data.payload.toString()).toBe("last");
  await raw.find(() => false);
  await stopped;
});
