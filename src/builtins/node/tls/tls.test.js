// node:tls: contexts, identities, and a connection with a certificate made for the test.
const { once } = require("node:events");
const fs = require("node:fs");
const net = require("node:net");
const path = require("node:path");
const tls = require("node:tls");

// A key and a certificate of localhost, valid for a hundred years.
const pem = fs.readFileSync(path.join(__dirname, "../../../../tests/localhost.pem"));

test("contexts check their options", () => {
  expect(() => tls.createSecureContext({ minVersion: "SSLv9" })).toThrow(
    "is not a valid minimum TLS protocol version");
  expect(() => tls.createSecureContext({ cert: "nothing" })).toThrow("no start line");
  expect(() => tls.createSecureContext({ ciphers: "NONSENSE" })).toThrow("no cipher match");
  expect(tls.createSecureContext()).toBeInstanceOf(tls.SecureContext);
});

test("identities follow RFC 6125", () => {
  const cert = { subject: { CN: "x" }, subjectaltname: "DNS:*.a.example, IP Address:127.0.0.1" };
  expect(tls.checkServerIdentity("b.a.example", cert)).toBe(undefined);
  expect(tls.checkServerIdentity("127.0.0.1", cert)).toBe(undefined);
  for (const host of ["a.example", "c.b.a.example", "x", "127.0.0.2"]) {
    expect(tls.checkServerIdentity(host, cert).code).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  }
});

test("protocols are put into wire form", () => {
  const out = {};
  tls.convertALPNProtocols(["h2", "http/1.1"], out);
  expect(out.ALPNProtocols.toString("latin1")).toBe("\x02h2\x08http/1.1");
  expect(() => tls.convertALPNProtocols(["x".repeat(256)], out)).toThrow("byte length");
});

test("a server that does not speak TLS is an error of the client", async () => {
  const server = require("node:net").createServer((c) => c.end("hello, who is there?"));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = tls.connect({ port: server.address().port, host: "127.0.0.1" });
  const error = await new Promise((resolve) => client.on("error", resolve));
  expect(error.code).toBe("ERR_SSL_WRONG_VERSION_NUMBER");
  server.close();
});

// As the clients of MySQL and PostgreSQL do: the request for TLS is still being written.
test("what was written before TLS begins goes out as it is, once", async () => {
  const request = Buffer.alloc(300000, "q");
  const server = net.createServer((plain) => {
    let n = 0;
    plain.on("data", function read(bytes) {
      n += bytes.length;
      if (n < request.length) return;
      plain.removeListener("data", read);
      plain.pause();
      if (n > request.length) plain.unshift(bytes.subarray(request.length - n));
      const secure = new tls.TLSSocket(plain, { isServer: true, key: pem, cert: pem });
      secure.on("data", (data) => secure.end(`secret ${data}`));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const plain = net.connect(server.address().port, "127.0.0.1");
  await once(plain, "connect");
  plain.write(request);
  const secure = tls.connect({ socket: plain, ca: pem, servername: "localhost" });
  secure.write("hello");
  expect(String(await secure.toArray())).toBe("secret hello");
  server.close();
});
