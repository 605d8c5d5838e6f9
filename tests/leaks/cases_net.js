// Connections, processes and threads. See run.js.
"use strict";

const childProcess = require("node:child_process");
const dgram = require("node:dgram");
const dns = require("node:dns");
const { once } = require("node:events");
const fs = require("node:fs");
const http = require("node:http");
const http2 = require("node:http2");
const https = require("node:https");
const net = require("node:net");
const path = require("node:path");
const tls = require("node:tls");
const { Worker } = require("node:worker_threads");

const bytes = Buffer.alloc(100000, "x");
// A key and a certificate of localhost.
const pem = fs.readFileSync(path.join(__dirname, "../localhost.pem"));
const secret = { key: pem, cert: pem };

async function times(n, fn) {
  for (let i = 0; i < n; i++) await fn(i);
}

/** Its close, whatever error comes before. */
function closing(emitter) {
  return new Promise((resolve) => emitter.once("close", resolve));
}

/** Calls fn with the port of a server that listens, and closes that. */
async function serving(server, fn) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await fn(server.address().port);
  const closed = closing(server);
  server.close();
  server.closeAllConnections?.();
  await closed;
}

async function readAll(stream) {
  for await (const chunk of stream) void chunk;
}

exports["net"] = () => serving(net.createServer((socket) => socket.on("error", () => {}).resume().end(bytes)),
  (port) => times(100, async (i) => {
    const socket = net.connect(port, "127.0.0.1").on("error", () => {});
    if (i % 4 === 0) {
      await once(socket, "data");
      socket.resetAndDestroy();
      await closing(socket);
      return;
    }
    socket.end(bytes.subarray(0, 50000));
    await readAll(socket);
  }));

exports["tls"] = () => serving(tls.createServer(secret, (socket) => socket.end(bytes)),
  (port) => times(40, async (i) => {
    const socket = tls.connect({ port, host: "127.0.0.1", ca: pem, servername: "localhost" });
    socket.on("error", () => {});
    if (i % 4 === 0) {
      socket.destroy();
      await closing(socket);
      return;
    }
    await once(socket, "secureConnect");
    socket.getPeerCertificate(true);
    await readAll(socket);
  }));

function answer(req, res) {
  if (req.url === "/never") return;
  res.setHeader("x-more", "y".repeat(1000));
  req.resume().on("end", () => res.end(bytes));
}

exports["http"] = () => serving(http.createServer(answer), async (port) => {
  const agent = new http.Agent({ keepAlive: true });
  await times(100, async (i) => {
    const req = http.request({ port, host: "127.0.0.1", method: "POST", agent, path: i % 5 ? "/" : "/never" });
    req.on("error", () => {}).end(bytes);
    if (i % 5 === 0) {
      await new Promise(setImmediate);
      req.destroy();
      await closing(req);
      return;
    }
    await readAll((await once(req, "response"))[0]);
  });
  agent.destroy();
});

exports["https"] = () => serving(https.createServer(secret, answer), async (port) => {
  const agent = new https.Agent({ keepAlive: true, ca: pem });
  await times(40, async () => {
    const req = https.get({ port, host: "localhost", family: 4, agent });
    await readAll((await once(req, "response"))[0]);
  });
  agent.destroy();
});

exports["http2"] = () => serving(http2.createServer((req, res) => res.end(bytes)), (port) => times(10, async () => {
  const client = http2.connect(`http://127.0.0.1:${port}`);
  await Promise.all(Array.from({ length: 20 }, async (_, i) => {
    const stream = client.request({ ":path": "/" });
    if (i % 5 === 0) {
      stream.close();
      await closing(stream);
      return;
    }
    await readAll(stream);
  }));
  client.close();
  await closing(client);
}));

exports["Bun.serve, fetch and WebSocket"] = async () => {
  const server = Bun.serve({
    port: 0,
    fetch(req, self) {
      if (new URL(req.url).pathname === "/ws") return self.upgrade(req) ? undefined : new Response("no");
      if (req.url.endsWith("/never")) return new Promise(() => {});
      return new Response(req.body ?? bytes);
    },
    websocket: { message: (socket, message) => void socket.send(message) },
  });
  await times(60, async (i) => {
    const response = await fetch(server.url, i % 2 ? { method: "POST", body: bytes } : {});
    if (i % 3) await response.arrayBuffer();
    else await response.body.cancel();
    const controller = new AbortController();
    const never = fetch(new URL("/never", server.url), { signal: controller.signal });
    controller.abort();
    await never.catch(() => {});
  });
  await times(30, async () => {
    const socket = new WebSocket(new URL("/ws", server.url.href.replace("http", "ws")));
    await new Promise((resolve) => (socket.onopen = resolve));
    socket.send(bytes);
    await new Promise((resolve) => (socket.onmessage = resolve));
    socket.close();
    await new Promise((resolve) => (socket.onclose = resolve));
  });
  await server.stop(true);
};

exports["dgram and dns"] = () => times(200, async () => {
  const [a, b] = [dgram.createSocket("udp4"), dgram.createSocket("udp4")];
  a.bind(0, "127.0.0.1");
  await once(a, "listening");
  b.send(bytes.subarray(0, 30000), a.address().port, "127.0.0.1");
  await once(a, "message");
  a.close();
  b.close();
  await dns.promises.lookup("127.0.0.1");
  await dns.promises.lookup("localhost");
  new dns.promises.Resolver().cancel();
});

exports["child_process"] = () => times(10, async () => {
  const child = childProcess.spawn("cat", { stdio: "pipe" });
  child.stdin.end(bytes);
  await readAll(child.stdout);
  childProcess.spawnSync("head", ["-c", "300000", "/dev/zero"]);
  await new Promise((resolve) => childProcess.execFile("head", ["-c", "300000", "/dev/zero"], resolve));
  await new Response(Bun.spawn(["head", "-c", "300000", "/dev/zero"]).stdout).arrayBuffer();
  await new Promise((resolve) => childProcess.spawn("/nonexistent").on("error", resolve));
});

exports["worker_threads"] = () => times(2, async (i) => {
  const worker = new Worker(
    "const { parentPort } = require('worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m));",
    { eval: true },
  );
  worker.postMessage(bytes);
  await once(worker, "message");
  if (i % 2) worker.postMessage(bytes);
  await worker.terminate();
});
