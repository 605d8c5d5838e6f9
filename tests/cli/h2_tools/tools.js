// HTTP/2 with the tools that others use: curl, nghttp and h2load against Bun.serve and node:http2, over TLS and
// without; our fetch() and node:http2 against nghttpd.
const { spawn } = require("node:child_process");
const { readFileSync, writeFileSync } = require("node:fs");
const http2 = require("node:http2");
const net = require("node:net");
const { once } = require("node:events");

const ours = { key: readFileSync("key.pem", "utf8"), cert: readFileSync("cert.pem", "utf8") };
const big = Buffer.alloc(300_000, "0123456789");
writeFileSync("big.txt", big);

/** Standard output of a command, which must succeed; "#N TEXT" when it does not. */
async function run(command, ...args) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], timeout: 20_000 });
  let out = "";
  let err = "";
  child.stdout.setEncoding("latin1").on("data", (text) => { out += text; });
  child.stderr.setEncoding("latin1").on("data", (text) => { err += text; });
  const [code] = await once(child, "close");
  return code === 0 ? out : `#${code} ${err}`;
}

function handler(req) {
  const { pathname } = new URL(req.url);
  if (pathname === "/big") return new Response(big);
  if (pathname === "/file") return new Response(Bun.file("big.txt"));
  if (pathname === "/echo") return req.bytes().then((bytes) => new Response(bytes));
  if (pathname === "/parts") {
    return new Response((async function* parts() {
      for (let i = 0; i < 5; i++) yield `${i}`;
    })());
  }
  return new Response(`${req.method} ${pathname}`, { headers: { "x-a": "b" } });
}

function nodeHandler(req, res) {
  const path = req.url;
  if (path === "/echo") req.pipe(res);
  else if (path === "/big") res.end(big);
  else if (path === "/file") res.stream.respondWithFile("big.txt");
  else if (path === "/parts") {
    for (let i = 0; i < 4; i++) res.write(`${i}`);
    res.end("4");
  } else {
    res.setHeader("x-a", "b");
    res.end(`${req.method} ${path}`);
  }
}

let failed = 0;

function check(name, ok, got) {
  if (ok) return;
  failed++;
  console.log(`${name}: ${JSON.stringify(`${got}`.slice(0, 300))}`);
}

async function withCurl(name, base) {
  const curl = (...args) => run("curl", "-sk", ...args);
  const how = base.startsWith("https") ? "--http2" : "--http2-prior-knowledge";
  const head = await curl(how, "-i", `${base}/a`);
  check(`${name} curl`, /^HTTP\/2 200/.test(head) && head.endsWith("GET /a") &&
    head.includes("x-a: b"), head);
  check(`${name} curl HEAD`, /^HTTP\/2 200/.test(await curl(how, "-I", `${base}/a`)), "");
  for (const path of ["/big", "/file"]) {
    const got = await curl(how, `${base}${path}`);
    check(`${name} curl ${path}`, got === big.toString(), got.length);
  }
  const echo = await curl(how, "--data-binary", "@big.txt", `${base}/echo`);
  check(`${name} curl upload`, echo === big.toString(), echo.length);
  // Debian's curl cannot do that with connections that it has not upgraded, nghttpd's included.
  if (!base.startsWith("https")) return;
  const many = await curl(how, "-Z", "--parallel-max", "10", `${base}/[1-20]`);
  check(`${name} curl parallel`, (many.match(/GET \/\d+/g) ?? []).length === 20, many);
}

async function withNghttp(name, base) {
  const text = await run("nghttp", "-v", `${base}/a`);
  check(`${name} nghttp`, text.includes(":status: 200") && text.includes("GET /a"), text);
  const parts = await run("nghttp", `${base}/parts`);
  check(`${name} nghttp parts`, parts === "01234", parts);
  const upload = await run("nghttp", "-d", "big.txt", `${base}/echo`);
  check(`${name} nghttp upload`, upload === big.toString(), upload.length);
  const padded = await run("nghttp", "-b", "100", "-d", "big.txt", `${base}/echo`);
  check(`${name} nghttp padding`, padded === big.toString(), padded.length);
  const windows = await run("nghttp", "-w", "10", "-W", "10", `${base}/big`);
  check(`${name} nghttp windows`, windows === big.toString(), windows.length);
  // A head that needs a second frame is larger than Bun.serve takes.
  const continued = await run("nghttp", "-v", "--continuation", `${base}/a`);
  const status = name.startsWith("Bun") ? ":status: 431" : ":status: 200";
  check(`${name} nghttp continuation`, continued.includes(status), continued);
  const expected = await run("nghttp", "--expect-continue", "-d", "big.txt", `${base}/echo`);
  check(`${name} nghttp expect`, expected === big.toString(), expected.length);
}

async function withH2load(name, base) {
  const text = await run("h2load", "-n", "500", "-c", "5", "-m", "20", `${base}/a`);
  check(`${name} h2load`, text.includes("500 succeeded, 0 failed, 0 errored"), text);
  const large = await run("h2load", "-n", "40", "-c", "2", "-m", "10", `${base}/big`);
  check(`${name} h2load big`, large.includes("40 succeeded, 0 failed, 0 errored"), large);
}

async function serveAll() {
  const options = { port: 0, hostname: "localhost", development: false, http2: true, fetch: handler };
  const servers = [];
  for (const tls of [ours, undefined]) {
    const server = Bun.serve({ ...options, tls });
    servers.push(["Bun.serve", server.url.origin, () => server.stop()]);
    const node = tls === undefined ? http2.createServer(nodeHandler) :
      http2.createSecureServer({ ...tls, allowHTTP1: true }, nodeHandler);
    node.on("sessionError", () => {});
    node.listen(0, "localhost");
    await once(node, "listening");
    const origin = `http${tls === undefined ? "" : "s"}://localhost:${node.address().port}`;
    servers.push(["node:http2", origin, () => new Promise((resolve) => { node.close(resolve); })]);
  }
  for (const [name, base, stop] of servers) {
    const label = `${name} ${base.split(":")[0]}`;
    await withCurl(label, base);
    await withNghttp(label, base);
    await withH2load(label, base);
    await stop();
    console.log(`${label}: done`);
  }
}

/** A port that was free a moment ago. */
async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

async function isListening(port) {
  const socket = net.connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
  }).finally(() => socket.destroy());
}

async function againstNghttpd(isSecure) {
  const port = await freePort();
  const args = isSecure ? [`${port}`, "key.pem", "cert.pem"] : ["--no-tls", `${port}`];
  const child = spawn("nghttpd", ["-a", "127.0.0.1", "-d", ".", "--echo-upload", ...args],
    { stdio: "ignore" });
  for (let i = 0; i < 1000 && child.exitCode === null && !await isListening(port); i++);
  const base = `${isSecure ? "https" : "http"}://localhost:${port}`;
  const label = `nghttpd ${isSecure ? "https" : "http"}`;
  if (isSecure) {
    const tls = { ca: ours.cert };
    const all = await Promise.all(Array.from({ length: 10 }, async () => {
      const res = await fetch(`${base}/big.txt`, { tls });
      return res.status === 200 && Buffer.compare(await res.bytes(), big) === 0;
    }));
    check(`${label} fetch`, all.every(Boolean), all);
    const res = await fetch(`${base}/none`, { method: "POST", body: big, tls });
    check(`${label} fetch upload`, Buffer.compare(await res.bytes(), big) === 0, res.status);
  }
  const client = http2.connect(base, { ca: ours.cert });
  const req = client.request({ ":path": "/big.txt" });
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  check(`${label} node:http2`, Buffer.compare(Buffer.concat(chunks), big) === 0, chunks.length);
  const post = client.request({ ":path": "/x", ":method": "POST" });
  post.end(big);
  let n = 0;
  for await (const chunk of post) n += chunk.length;
  check(`${label} node:http2 upload`, n === big.length, n);
  client.close();
  child.kill();
  await once(child, "exit");
  console.log(`${label}: done`);
}

(async () => {
  await serveAll();
  await againstNghttpd(true);
  await againstNghttpd(false);
  console.log(`${failed} failed`);
})();
