const http = require("node:http");
const net = require("node:net");
const { once } = require("node:events");

async function listen(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server.address().port;
}

/** Everything that a server says to these pieces until it closes. */
async function exchange(port, pieces, { isEnding = false } = {}) {
  const client = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  client.on("error", () => {});
  let text = "";
  client.setEncoding("latin1").on("data", (chunk) => (text += chunk));
  for (const piece of pieces) client.write(piece);
  if (isEnding) client.end();
  client.on("end", () => client.end());
  await once(client, "close");
  return text;
}

const get = (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

describe("http.Server", () => {
  test("requests that do not wait are told at once, answers go out in order", async () => {
    const seen = [];
    const answers = [];
    const server = http.createServer((req, res) => {
      seen.push(req.url);
      answers.push(res);
      if (seen.length < 3) return;
      answers[2].end("three");
      answers[1].end("two");
      setImmediate(() => answers[0].end("one"));
    });
    const port = await listen(server);
    server.keepAliveTimeout = 50;
    server.keepAliveTimeoutBuffer = 0;
    const text = await exchange(port, [get("/1") + get("/2") + get("/3")]);
    expect(seen).toEqual(["/1", "/2", "/3"]);
    expect(text.match(/one|two|three/g)).toEqual(["one", "two", "three"]);
    server.close();
  });

  test("a client that has said all gets all its answers", async () => {
    const server = http.createServer((req, res) => setTimeout(() => res.end(`<${req.url}>`), 5));
    server.httpAllowHalfOpen = true;
    const port = await listen(server);
    const text = await exchange(port, [get("/1"), get("/2") + get("/3")], { isEnding: true });
    expect(text.match(/<\/\d>/g)).toEqual(["</1>", "</2>", "</3>"]);
    server.close();
  });

  test("sockets end with 'close', by whomever", async () => {
    const server = http.createServer((req, res) => {
      req.socket.once("close", () => server.emit("gone", req.url));
      if (req.url === "/destroy") {
        res.end("written before");
        req.socket.destroy();
      } else res.end("kept");
    });
    server.keepAliveTimeout = 20;
    server.keepAliveTimeoutBuffer = 0;
    const port = await listen(server);
    for (const path of ["/destroy", "/idle"]) {
      const gone = once(server, "gone");
      const text = await exchange(port, [get(path)]);
      expect(text).toContain(path === "/idle" ? "kept" : "written before");
      expect((await gone)[0]).toBe(path);
    }
    server.close();
  });

  test("time-outs of requests, answers and the server", async () => {
    for (const which of ["req", "res", "server"]) {
      const server = http.createServer((req, res) => {
        const target = { req, res }[which];
        target?.setTimeout(20, (socket) => socket.end("HTTP/1.1 599 T\r\n\r\n"));
      });
      if (which === "server") {
        server.setTimeout(20, (socket) => socket.end("HTTP/1.1 599 T\r\n\r\n"));
      }
      const port = await listen(server);
      const post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc";
      expect(await exchange(port, [post])).toMatch(/^HTTP\/1\.1 599/);
      server.close();
    }
  });

  test("what comes too late is answered with 408", async () => {
    const server = http.createServer({ headersTimeout: 40, requestTimeout: 80 }, () => {});
    const port = await listen(server);
    const slow = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc";
    for (const pieces of [[], ["GET / HT"], [slow]]) {
      expect(await exchange(port, pieces)).toMatch(/^HTTP\/1\.1 408 Request Timeout/);
    }
    server.close();
  });

  test("an upgrade has the bytes that came behind it", async () => {
    const server = http.createServer();
    server.on("upgrade", (req, socket, head) => socket.end(`<${head}>`));
    const port = await listen(server);
    const head = "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
    expect(await exchange(port, [`${head}first`])).toBe("<first>");
    server.close();
  });

  test("more requests than a connection may have are refused", async () => {
    const server = http.createServer((req, res) => res.end("ok"));
    server.maxRequestsPerSocket = 1;
    let dropped = 0;
    server.on("dropRequest", () => dropped++);
    const port = await listen(server);
    server.keepAliveTimeout = 20;
    server.keepAliveTimeoutBuffer = 0;
    const text = await exchange(port, [get("/1") + get("/2")]);
    expect([dropped, text.startsWith("HTTP/1.1 200")]).toEqual([1, true]);
    server.close();
  });
});

test("the callback of listen is told where", async () => {
  const { createServer } = require("node:http");
  const server = createServer();
  const got = await new Promise((resolve) => {
    server.listen(0, (...args) => resolve(args));
  });
  expect(got).toEqual([null, "localhost", server.address().port]);
  server.close();
});
