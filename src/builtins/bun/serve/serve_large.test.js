// Large bodies: the same bytes again and again, which go out without a copy, and files.
const fs = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");

const root = fs.mkdtempSync(path.join(os.tmpdir(), "cob-large-"));
process.on("exit", () => fs.rmSync(root, { recursive: true }));

/** Bytes that differ from place to place. */
function pattern(size, seed) {
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = (i * 31 + (i >> 8) + seed) & 255;
  return bytes;
}

const SIZES = [32767, 32768, 65536, 200001, 1 << 20];
const MANY = 12;
const bodies = new Map(SIZES.map((size) => [size, pattern(size, size & 127)]));
const routes = {};
for (const [size, body] of bodies) {
  fs.writeFileSync(path.join(root, `${size}`), body);
  routes[`/static/${size}`] = new Response(body);
  routes[`/file/${size}`] = () => new Response(Bun.file(path.join(root, `${size}`)));
}

const changing = pattern(65536, 1);
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  routes,
  fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/changing") {
      const response = new Response(changing);
      changing[0]++;
      return response;
    }
    return new Response(bodies.get(+pathname.slice(1)), { headers: { "x-size": pathname } });
  },
});

async function get(target, options) {
  const response = await fetch(new URL(target, server.url), options);
  return { headers: response.headers, bytes: await response.bytes() };
}

/** Raw bytes to the server; what comes back, when that is `total` bytes or the end. */
function exchange(text, total, onSocket = () => {}) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let n = 0;
    const socket = net.connect(server.port, "127.0.0.1", () => socket.write(text));
    onSocket(socket);
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      n += chunk.length;
      if (n >= total) socket.end();
    });
    socket.on("close", () => resolve(Buffer.concat(chunks)));
  });
}

test("the same body many times, from a handler, a static route and a file", async () => {
  for (const size of SIZES) {
    for (let i = 0; i < MANY; i++) {
      for (const kind of ["", "static/", "file/"]) {
        const { bytes } = await get(`/${kind}${size}`);
        expect(Buffer.compare(bytes, bodies.get(size))).toBe(0);
      }
    }
    const head = await get(`/${size}`, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(`${size}`);
    expect(head.bytes.length).toBe(0);
  }
});

test("many at once", async () => {
  for (const size of SIZES) {
    const all = Array.from({ length: MANY }, () => get(`/${size}`));
    for (const { bytes } of await Promise.all(all)) {
      expect(Buffer.compare(bytes, bodies.get(size))).toBe(0);
    }
  }
});

test("what a program does to its bytes after it has answered", async () => {
  let first = changing[0];
  for (let i = 0; i < MANY; i++) {
    const { bytes } = await get("/changing");
    expect(bytes[0]).toBe(first);
    first = (first + 1) & 255;
  }
  for (let i = 0; i < MANY; i++) await get("/65536");
  bodies.get(65536)[5] ^= 1;
  expect(Buffer.compare((await get("/65536")).bytes, bodies.get(65536))).toBe(0);
});

test("requests that are sent ahead, and a client that reads late", async () => {
  const order = [65536, 32768, 1 << 20, 65536, 1 << 20, 200001, 1 << 20];
  const requests = order.map((size, i) => {
    const last = i === order.length - 1 ? "Connection: close\r\n" : "";
    return `GET /${size} HTTP/1.1\r\nHost: a\r\n${last}\r\n`;
  });
  const bytes = await exchange(requests.join(""), Infinity, (socket) => {
    socket.pause();
    socket.once("connect", () => get("/32768").then(() => socket.resume()));
  });
  let at = 0;
  for (const size of order) {
    const end = bytes.indexOf("\r\n\r\n", at);
    expect(bytes.toString("latin1", at, at + 15)).toBe("HTTP/1.1 200 OK");
    expect(bytes.toString("latin1", at, end)).toMatch(new RegExp(`Content-Length: ${size}`));
    at = end + 4 + size;
    expect(Buffer.compare(bytes.subarray(end + 4, at), bodies.get(size))).toBe(0);
  }
  expect(at).toBe(bytes.length);
});

test("HTTP/1.0 and Connection: close get all of it, then the end", async () => {
  for (const head of ["HTTP/1.0\r\n\r\n", "HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]) {
    for (const size of [65536, 1 << 20]) {
      const bytes = await exchange(`GET /${size} ${head}`, Infinity);
      const end = bytes.indexOf("\r\n\r\n");
      expect(Buffer.compare(bytes.subarray(end + 4), bodies.get(size))).toBe(0);
    }
  }
});

test("clients that go away in the middle do no harm", async () => {
  for (let i = 0; i < MANY; i++) {
    await new Promise((resolve) => {
      const socket = net.connect(server.port, "127.0.0.1", () => {
        socket.write(`GET /${1 << 20} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(4));
      });
      socket.on("error", () => {});
      socket.once("data", () => socket.resetAndDestroy());
      socket.on("close", resolve);
    });
  }
  expect(Buffer.compare((await get("/65536")).bytes, bodies.get(65536))).toBe(0);
});

test("a file that is replaced between two requests", async () => {
  const file = path.join(root, "replaced");
  const own = Bun.serve({
    port: 0, hostname: "127.0.0.1", fetch: () => new Response(Bun.file(file)),
  });
  for (let i = 0; i < 4; i++) {
    const body = pattern(40000 + i, i);
    fs.writeFileSync(file, body);
    const response = await fetch(own.url);
    expect(Buffer.compare(await response.bytes(), body)).toBe(0);
  }
  own.stop(true);
});

test("more static routes than there are descriptors for", async () => {
  const many = {};
  for (let i = 0; i < 80; i++) many[`/${i}`] = new Response(pattern(33000, i));
  const own = Bun.serve({
    port: 0, hostname: "127.0.0.1", routes: many, fetch: () => new Response("no"),
  });
  for (let i = 0; i < 80; i++) {
    const response = await fetch(new URL(`/${i}`, own.url));
    expect(Buffer.compare(await response.bytes(), pattern(33000, i))).toBe(0);
  }
  own.stop(true);
});

afterAll(() => server.stop(true));
