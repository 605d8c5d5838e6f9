// Bun.serve over TLS. The certificates were made for these tests and are valid for a hundred years.
const { writeFileSync, mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const tls = require("node:tls");

const ours = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgK2U+fIqio+YsTS2m
X8RZRkcMIYuO+MbIzw7Py/r2zWahRANCAAQifDZb2zqOwnWsCagoqJaxzQpt3mFj
vBI1THe4/pnuxep7ixigawqxd4VxzF8k1wHRNfE1enT+25ytcd4JvMoU
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUWZsl3DPVUxlIYeS9up0danTpfD0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDE4MzAzM1oYDzIxMjYxMTA2
MTgzMDMzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQifDZb2zqOwnWsCagoqJaxzQpt3mFjvBI1THe4/pnuxep7ixigawqx
d4VxzF8k1wHRNfE1enT+25ytcd4JvMoUo28wbTAdBgNVHQ4EFgQUOMGQ9E+l0vWi
+L18AETWNsmPZHQwHwYDVR0jBBgwFoAUOMGQ9E+l0vWi+L18AETWNsmPZHQwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgWpHBk0suT01zpuA9N46+hb+lALGqmxjquKBHpp0MFvoCICRj
YNcJ+hxhUhyov5abl3sZDm92fl4htj7xVYMHGf5d
-----END CERTIFICATE-----`,
};
const other = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAZ6hGpXGnZNNhpph
0evuK/gixmxhB9w6ZPOayA4wLamhRANCAASVORqtTnEY/+sJLWCkI/8t6EzAtKZ9
cabYwTw/UPDy7wK5l+gSw19aIqChP8Zla06s3D+zUkCd6dfxdgUiHSI5
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUWgFrTP5ngTHcIylXhpsdWfyWmhYwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJYi5leGFtcGxlMCAXDTI2MTEzMDE4MzAzM1oYDzIxMjYxMTA2
MTgzMDMzWjAUMRIwEAYDVQQDDAliLmV4YW1wbGUwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASVORqtTnEY/+sJLWCkI/8t6EzAtKZ9cabYwTw/UPDy7wK5l+gSw19a
IqChP8Zla06s3D+zUkCd6dfxdgUiHSI5o2kwZzAdBgNVHQ4EFgQUcAY+ebE4upt6
04IfIZsYNN4LQwswHwYDVR0jBBgwFoAUcAY+ebE4upt604IfIZsYNN4LQwswDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALggliLmV4YW1wbGUwCgYIKoZIzj0EAwID
SAAwRQIhAM85CubP6/nn0NfL9HQOrTvigYlWq0E1wCjDEyce0XZYAiA1mc7uzrgs
rtPmqzaQjLXMvbO+eYC0IGmPdj8KmV2wUg==
-----END CERTIFICATE-----`,
};

function serve(options) {
  return Bun.serve({
    port: 0, hostname: "localhost", development: false, tls: ours,
    fetch: (req, server) => new Response(`${server.protocol} ${new URL(req.url).protocol}`),
    ...options,
  });
}

/** The name of the certificate that the server shows to those who ask for `servername`. */
function nameShown(port, servername) {
  return new Promise((resolve, reject) => {
    const options = { port, host: "127.0.0.1", servername, rejectUnauthorized: false };
    const socket = tls.connect(options, () => {
      const { subject } = socket.getPeerCertificate();
      socket.on("close", () => resolve(subject.CN)).destroy();
    });
    socket.on("error", reject);
  });
}

test("answers, and who does not trust it does not connect", async () => {
  const server = serve();
  expect(server.url.protocol).toBe("https:");
  const res = await fetch(server.url, { tls: { ca: ours.cert } });
  expect(await res.text()).toBe("https https:");
  const error = await fetch(server.url).then(() => null, (e) => e);
  expect(error.code).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  await server.stop(true);
});

test("large bodies in both directions, files", async () => {
  const dir = mkdtempSync(join(tmpdir(), "serve-tls-"));
  const bytes = new Uint8Array(3_000_000).map((_, i) => i * 7);
  writeFileSync(join(dir, "f"), bytes);
  const server = serve({
    fetch: async (req) => new Response(
      req.method === "GET" ? Bun.file(join(dir, "f")) : await req.bytes()),
  });
  const options = { tls: { ca: ours.cert } };
  const sent = await fetch(server.url, { ...options, method: "POST", body: bytes });
  expect(Buffer.compare(await sent.bytes(), bytes)).toBe(0);
  const file = await fetch(server.url, options);
  expect(Buffer.compare(await file.bytes(), bytes)).toBe(0);
  await server.stop(true);
  rmSync(dir, { recursive: true });
});

test("a stream", async () => {
  const server = serve({
    fetch: () => new Response(new ReadableStream({
      async start(controller) {
        for (let i = 0; i < 5; i++) {
          controller.enqueue(`${i};`);
          await new Promise((resolve) => setImmediate(resolve));
        }
        controller.close();
      },
    })),
  });
  const res = await fetch(server.url, { tls: { ca: ours.cert } });
  expect(await res.text()).toBe("0;1;2;3;4;");
  await server.stop(true);
});

test("WebSockets", async () => {
  const server = serve({
    fetch: (req, self) => (self.upgrade(req) ? undefined : new Response("no")),
    websocket: { message: (ws, message) => ws.send(`<${message}>`) },
  });
  const ws = new WebSocket(`wss://localhost:${server.port}`, { tls: { ca: ours.cert } });
  const got = await new Promise((resolve, reject) => {
    ws.onopen = () => ws.send("hi");
    ws.onmessage = (event) => resolve(event.data);
    ws.onerror = reject;
  });
  expect(got).toBe("<hi>");
  await new Promise((resolve) => {
    ws.onclose = resolve;
    ws.close();
  });
  await server.stop(true);
});

test("several certificates; new ones after reload", async () => {
  const server = serve({
    tls: [{ ...ours, serverName: "localhost" }, { ...other, serverName: "b.example" }],
  });
  expect(await nameShown(server.port, "localhost")).toBe("localhost");
  expect(await nameShown(server.port, "b.example")).toBe("b.example");
  expect(await nameShown(server.port, "c.example")).toBe("localhost");
  server.reload({ tls: other, fetch: () => new Response("new") });
  expect(await nameShown(server.port, "localhost")).toBe("b.example");
  await server.stop(true);
});

test("clients need a certificate where one is asked for", async () => {
  const server = serve({ tls: { ...ours, ca: other.cert, requestCert: true } });
  const { cert: ca } = ours;
  const res = await fetch(server.url, { tls: { ca, ...other } });
  expect(res.status).toBe(200);
  await res.text();
  const error = await fetch(server.url, { tls: { ca } }).then(() => null, (e) => e);
  expect(error).toBeInstanceOf(Error);
  const asking = serve({ tls: { ...ours, requestCert: true, rejectUnauthorized: false } });
  expect((await fetch(asking.url, { tls: { ca } })).status).toBe(200);
  await server.stop(true);
  await asking.stop(true);
});

test("files as certificates, and what is wrong", () => {
  const dir = mkdtempSync(join(tmpdir(), "serve-tls-"));
  writeFileSync(join(dir, "key"), ours.key);
  writeFileSync(join(dir, "cert"), ours.cert);
  const options = { key: Bun.file(join(dir, "key")), cert: Bun.file(join(dir, "cert")) };
  const server = serve({ tls: options });
  expect(server.protocol).toBe("https");
  server.stop(true);
  rmSync(dir, { recursive: true });
  expect(() => serve({ tls: { key: "x", cert: "y" } })).toThrow("no start line");
  expect(() => serve({ tls: { key: 1, cert: 2 } })).toThrow("TLSOptions.cert");
  expect(() => serve({ tls: [ours, other] })).toThrow("serverName");
  const plain = serve({ tls: {} });
  expect(plain.protocol).toBe("http");
  plain.stop(true);
});

test("what is not TLS is not answered", async () => {
  const server = serve();
  const socket = require("node:net").connect(server.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  let text = "";
  socket.on("data", (data) => { text += data.toString("latin1"); });
  await new Promise((resolve) => socket.on("close", resolve));
  expect(text.includes("200")).toBe(false);
  await server.stop(true);
});
