// Bun.serve over HTTP/2: with TLS (what fetch() agrees on) and, by its preface, without.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const tls = require("node:tls");

const source = readFileSync(join(__dirname, "serve_tls.test.js"), "latin1");
const pem = (name) => new RegExp(`${name}: \`([^\`]*)\``).exec(source)[1];
const ours = { key: pem("key"), cert: pem("cert") };

function serve(options) {
  return Bun.serve({
    port: 0, hostname: "localhost", development: false, http2: true, tls: ours,
    fetch: (req) => new Response(req.url), ...options,
  });
}

function get(server, path, init) {
  return fetch(`${server.url.origin}${path}`, { ...init, tls: { ca: ours.cert } });
}

/** What the server agrees on with a client that offers these. */
function agreed(port, ALPNProtocols) {
  return new Promise((resolve, reject) => {
    const options = { port, host: "localhost", ca: ours.cert, ALPNProtocols };
    const socket = tls.connect(options, () => {
      resolve(socket.alpnProtocol);
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

test("ALPN picks h2, http/1.1, or refuses", async () => {
  const server = serve();
  expect(await agreed(server.port, ["h2", "http/1.1"])).toBe("h2");
  expect(await agreed(server.port, ["http/1.1"])).toBe("http/1.1");
  await server.stop(true);
  const only = serve({ http1: false });
  expect(await agreed(only.port, ["h2"])).toBe("h2");
  expect(await agreed(only.port, ["http/1.1"]).catch((e) => e.code)).toBe(
    "ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL",
  );
  await only.stop(true);
});

test("http1: false needs http2", () => {
  expect(() => serve({ http2: false, http1: false })).toThrow(
    "Cannot disable http1 without enabling http2 or http3",
  );
});

test("a request is what it is over HTTP/1", async () => {
  const server = serve({
    routes: { "/at/:name": { POST: async (req) => Response.json({ ...req.params }) } },
    async fetch(req, self) {
      const { method, url, headers } = req;
      return Response.json(
        {
          method, url, body: await req.text(), x: headers.get("x-a"), cookie: headers.get("cookie"),
          host: headers.get("host"), hasAddress: self.requestIP(req).address.length > 0,
        },
        { status: 201, headers: { "x-b": "c", "set-cookie": "a=b", connection: "close" } },
      );
    },
  });
  const res = await get(server, "/p?q=1", {
    method: "PUT", body: "text", headers: { "X-A": "1", cookie: "a=1; b=2" },
  });
  expect(res.status).toBe(201);
  expect(res.headers.get("x-b")).toBe("c");
  expect(res.headers.get("connection")).toBe(null);
  const host = `localhost:${server.port}`;
  expect(await res.json()).toEqual({
    method: "PUT", url: `https://${host}/p?q=1`, body: "text", x: "1", cookie: "a=1; b=2", host,
    hasAddress: true,
  });
  const routed = await get(server, "/at/home", { method: "POST" });
  expect(await routed.json()).toEqual({ name: "home" });
  await server.stop();
});

test("bodies of every kind go through, many at once", async () => {
  const big = new Uint8Array(400_000).map((_, i) => (i * 7) % 251);
  const server = serve({
    fetch(req) {
      const { pathname } = new URL(req.url);
      if (pathname === "/back") return new Response(req.body);
      if (pathname === "/big") return new Response(big);
      if (pathname === "/file") return new Response(Bun.file(__filename));
      if (pathname === "/none") return new Response(null, { status: 204 });
      return new Response((async function* parts() {
        for (let i = 0; i < 100; i++) yield `${i},`;
      })());
    },
  });
  const same = async (path, init, want) => {
    const got = await (await get(server, path, init)).bytes();
    return Buffer.compare(got, want) === 0;
  };
  const text = Array.from({ length: 100 }, (_, i) => `${i},`).join("");
  const all = [];
  for (let i = 0; i < 3; i++) {
    all.push(same("/back", { method: "POST", body: big }, big));
    all.push(same("/big", {}, big));
    all.push(same("/file", {}, readFileSync(__filename)));
    all.push(same("/parts", {}, Buffer.from(text)));
    all.push(same("/none", {}, Buffer.alloc(0)));
  }
  expect((await Promise.all(all)).every(Boolean)).toBe(true);
  expect(server.pendingRequests).toBe(0);
  await server.stop();
});

test("too large a body is answered with 413", async () => {
  const server = serve({ maxRequestBodySize: 1000, fetch: async (req) => new Response(await req.text()) });
  expect((await get(server, "/", { method: "POST", body: "x".repeat(1000) })).status).toBe(200);
  expect((await get(server, "/", { method: "POST", body: "x".repeat(1001) })).status).toBe(413);
  await server.stop();
});

test("a client that goes away aborts its request", async () => {
  const { promise, resolve } = Promise.withResolvers();
  const started = Promise.withResolvers();
  const server = serve({
    fetch(req) {
      req.signal.addEventListener("abort", () => resolve("aborted"));
      started.resolve();
      return new Promise(() => {});
    },
  });
  const control = new AbortController();
  const res = get(server, "/", { signal: control.signal }).catch((error) => error.name);
  await started.promise;
  control.abort();
  expect(await res).toBe("AbortError");
  expect(await promise).toBe("aborted");
  await server.stop();
});

test("stop() waits for the requests under way", async () => {
  const answer = Promise.withResolvers();
  const started = Promise.withResolvers();
  const server = serve({
    async fetch() {
      started.resolve();
      await answer.promise;
      return new Response("done");
    },
  });
  const res = get(server, "/");
  await started.promise;
  const stopped = server.stop();
  answer.resolve();
  expect(await (await res).text()).toBe("done");
  await stopped;
});

test("a request that takes longer than idleTimeout is reset", async () => {
  const server = serve({ idleTimeout: 0.05, fetch: () => new Promise(() => {}) });
  const error = await get(server, "/").catch((e) => e);
  expect(error instanceof Error).toBe(true);
  await server.stop(true);
});
