// node:tls: contexts, identities, and a connection with a certificate made for the test.
const tls = require("node:tls");

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
