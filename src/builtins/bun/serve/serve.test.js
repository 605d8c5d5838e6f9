const stop = [];
function serve(options) {
  const server = Bun.serve({ port: 0, development: false, ...options });
  stop.push(server);
  return server;
}
const get = (server, path, init) => fetch(new URL(path, server.url), init);

test("a string, bytes, nothing", async () => {
  const bodies = { "/s": "a\u00e9\u20ac", "/b": new Uint8Array([1, 2, 3]), "/n": null };
  const server = serve({ fetch: (req) => new Response(bodies[new URL(req.url).pathname]) });
  expect(await (await get(server, "/s")).text()).toBe("a\u00e9\u20ac");
  expect(new Uint8Array(await (await get(server, "/b")).arrayBuffer()).length).toBe(3);
  const none = await get(server, "/n");
  expect(none.headers.get("content-length")).toBe("0");
  await server.stop(true);
});

test("what a request knows", async () => {
  let kept;
  const server = serve({
    async fetch(req) {
      kept = req;
      return Response.json([req.method, req.url, req.headers.get("x-a"), await req.text()]);
    },
  });
  const res = await get(server, "/p/../q?r=1", {
    method: "POST", body: "b\u20ac", headers: { "X-A": "v" },
  });
  expect(await res.json()).toEqual(["POST", `${server.url}q?r=1`, "v", "b\u20ac"]);
  expect(kept.headers.get("x-a")).toBe("v");
  expect(kept.bodyUsed).toBe(true);
  await server.stop(true);
});

test("a body that comes in many pieces", async () => {
  const server = serve({ fetch: async (req) => new Response(`${(await req.bytes()).length}`) });
  const res = await get(server, "/", { method: "PUT", body: new Uint8Array(3_000_000) });
  expect(await res.text()).toBe("3000000");
  await server.stop(true);
});

test("a body that is too large", async () => {
  const server = serve({ maxRequestBodySize: 10, fetch: () => new Response("x") });
  const res = await get(server, "/", { method: "POST", body: "x".repeat(11) });
  expect(res.status).toBe(413);
  await server.stop(true);
});

test("routes", async () => {
  const server = serve({
    routes: {
      "/static": new Response("st", { headers: { "x-h": "1" } }),
      "/u/:id/:rest": (req) => Response.json(req.params),
      "/u/me/x": () => new Response("me"),
      "/m": { POST: () => new Response("posted") },
      "/w/*": () => new Response("wild"),
      "/skip": false,
    },
    fetch: () => new Response("other"),
  });
  const text = async (path, init) => (await get(server, path, init)).text();
  expect(await text("/static")).toBe("st");
  expect(await text("/u/a%20b/c?d")).toBe("{\"id\":\"a b\",\"rest\":\"c\"}");
  expect(await text("/u/me/x")).toBe("me");
  expect(await text("/m", { method: "POST" })).toBe("posted");
  expect(await text("/m")).toBe("other");
  expect(await text("/w/a/b")).toBe("wild");
  expect(await text("/skip")).toBe("other");
  const first = await get(server, "/static");
  await first.text();
  const again = await get(server, "/static", {
    headers: { "if-none-match": first.headers.get("etag") },
  });
  expect(again.status).toBe(304);
  await server.stop(true);
});

test("cookies of a route", async () => {
  const server = serve({
    routes: {
      "/": (req) => {
        req.cookies.set("a", "b", { httpOnly: true });
        return new Response(req.cookies.get("q"));
      },
    },
  });
  const res = await get(server, "/", { headers: { cookie: "q=w%20e" } });
  expect(await res.text()).toBe("w e");
  expect(res.headers.get("set-cookie")).toBe("a=b; Path=/; HttpOnly; SameSite=Lax");
  await server.stop(true);
});

test("errors go to the error handler", async () => {
  const server = serve({
    async fetch(req) {
      if (req.url.endsWith("/now")) throw new Error("now");
      await 1;
      throw new Error("later");
    },
    error: (error) => new Response(`E ${error.message}`, { status: 555 }),
  });
  const res = await get(server, "/now");
  expect([res.status, await res.text()]).toEqual([555, "E now"]);
  expect(await (await get(server, "/l")).text()).toBe("E later");
  await server.stop(true);
});

test("reload, address, counts", async () => {
  const server = serve({ hostname: "127.0.0.1", fetch: () => new Response("1") });
  expect(server.address).toEqual({ address: "127.0.0.1", family: "IPv4", port: server.port });
  server.reload({ fetch: (req, s) => Response.json([s.pendingRequests, s.requestIP(req).address]) });
  expect(await (await get(server, "/")).json()).toEqual([1, "127.0.0.1"]);
  expect(server.pendingRequests).toBe(0);
  await server.stop(true);
});

test("a port that is taken", async () => {
  const server = serve({ fetch: () => new Response("") });
  let error;
  try {
    serve({ port: server.port, fetch: () => new Response("") });
  } catch (e) {
    error = e;
  }
  expect([error.code, error.syscall]).toEqual(["EADDRINUSE", "listen"]);
  expect(error.message).toBe(`Failed to start server. Is port ${server.port} in use?`);
  await server.stop(true);
});

test("an aborted request aborts its signal", async () => {
  const { promise, resolve } = Promise.withResolvers();
  const controller = new AbortController();
  const server = serve({
    fetch(req) {
      req.signal.addEventListener("abort", () => resolve("aborted"));
      controller.abort();
      return new Promise(() => {});
    },
  });
  get(server, "/", { signal: controller.signal }).catch(() => {});
  expect(await promise).toBe("aborted");
  await server.stop(true);
});

test("a graceful stop waits for answers", async () => {
  const { promise, resolve } = Promise.withResolvers();
  const server = serve({ fetch: () => promise.then(() => new Response("late")) });
  const answer = get(server, "/");
  while (server.pendingRequests === 0) await Bun.sleep(1);
  const stopped = server.stop();
  resolve();
  expect(await (await answer).text()).toBe("late");
  await stopped;
});

test("streams, both ways", async () => {
  const server = serve({
    async fetch(req) {
      const { pathname } = new URL(req.url);
      if (pathname === "/echo") return new Response(req.body);
      if (pathname === "/gen") {
        return new Response(async function* () {
          yield "a";
          await Bun.sleep(2);
          yield "b";
        });
      }
      if (pathname === "/fast") {
        return new Response(new ReadableStream({
          start(c) {
            c.enqueue("now");
            c.close();
          },
        }));
      }
      return new Response(new ReadableStream({
        type: "direct",
        async pull(c) {
          c.write("d1");
          await c.flush();
          await Bun.sleep(2);
          c.write("d2");
          c.end();
        },
      }));
    },
  });
  const big = "x".repeat(1_000_000);
  const echo = await get(server, "/echo", { method: "POST", body: big });
  expect((await echo.text()).length).toBe(big.length);
  const gen = await get(server, "/gen");
  expect([gen.headers.get("transfer-encoding"), await gen.text()]).toEqual(["chunked", "ab"]);
  const fast = await get(server, "/fast");
  expect([fast.headers.get("content-length"), await fast.text()]).toEqual(["3", "now"]);
  expect(await (await get(server, "/direct")).text()).toBe("d1d2");
  await server.stop(true);
});

test("a stream that fails ends the connection", async () => {
  const server = serve({
    fetch: () => new Response(async function* () {
      yield "a";
      await Bun.sleep(2);
      throw new Error("stop");
    }),
  });
  let error;
  try {
    await (await get(server, "/")).text();
  } catch (e) {
    error = e;
  }
  expect(error !== undefined).toBe(true);
  await server.stop(true);
});

test("files: ranges, conditions, what is missing", async () => {
  const fs = require("node:fs");
  const path = require("node:path");
  const dir = fs.mkdtempSync(path.join(require("node:os").tmpdir(), "serve-files-"));
  const name = path.join(dir, "f.txt");
  fs.writeFileSync(name, "0123456789");
  const server = serve({
    routes: { "/route": Bun.file(name), "/gone": Bun.file(path.join(dir, "gone")) },
    fetch(req) {
      if (req.url.endsWith("/slice")) return new Response(Bun.file(name).slice(2, 6));
      if (req.url.endsWith("/lost")) return new Response(Bun.file(path.join(dir, "lost")));
      return req.url.endsWith("/f") ? new Response(Bun.file(name)) : new Response("passed on");
    },
    error: (e) => new Response(e.code, { status: 500 }),
  });
  const ask = async (at, headers, method = "GET") => {
    const res = await get(server, at, { headers, method });
    return [res.status, res.headers.get("content-range"), await res.text()];
  };
  for (const at of ["/f", "/route"]) {
    const whole = await get(server, at);
    expect(whole.headers.get("content-type")).toBe("text/plain;charset=utf-8");
    expect(await whole.text()).toBe("0123456789");
    expect(await ask(at, { range: "bytes=1-3" })).toEqual([206, "bytes 1-3/10", "123"]);
    expect(await ask(at, { range: "bytes=-2" })).toEqual([206, "bytes 8-9/10", "89"]);
    expect(await ask(at, { range: "bytes=7-99" })).toEqual([206, "bytes 7-9/10", "789"]);
    expect(await ask(at, { range: "bytes=10-" })).toEqual([416, "bytes */10", ""]);
    for (const range of ["bytes=3-1", "bytes=0-1,3-4", "lines=1-2"]) {
      expect(await ask(at, { range })).toEqual([200, null, "0123456789"]);
    }
    const modified = whole.headers.get("last-modified");
    expect(await ask(at, { "if-modified-since": modified })).toEqual([304, null, ""]);
    expect((await ask(at, { "if-modified-since": "Mon, 01 Jan 2001 00:00:00 GMT" }))[0]).toBe(200);
    expect((await ask(at, { "if-none-match": "*" }))[0]).toBe(304);
    expect((await ask(at, { "if-none-match": "\"a\"", "if-modified-since": modified }))[0]).toBe(200);
    expect((await ask(at, { range: "bytes=0-1", "if-range": "\"a\"" }))[0]).toBe(200);
    const head = await get(server, at, { method: "HEAD" });
    expect([head.headers.get("content-length"), await head.text()]).toEqual(["10", ""]);
  }
  expect(await ask("/slice")).toEqual([206, "bytes 2-5/*", "2345"]);
  expect(await ask("/lost")).toEqual([500, null, "ENOENT"]);
  expect(await ask("/gone")).toEqual([200, null, "passed on"]);
  await server.stop(true);
  fs.rmSync(dir, { recursive: true });
});

test("a name as the hostname", async () => {
  const hostname = require("node:os").hostname();
  const known = await require("node:dns").promises.lookup(hostname).catch(() => null);
  if (known !== null) {
    const server = serve({ hostname, fetch: () => new Response("x") });
    expect(server.address.address).toBe(known.address);
    await server.stop(true);
  }
  const error = (() => {
    try {
      return serve({ hostname: "a\u0000b", fetch: () => new Response("x") });
    } catch (e) {
      return e;
    }
  })();
  expect(error.code).toBe("EINVAL");
});
