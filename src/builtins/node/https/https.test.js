// node:https without a network: keys of agents, options of servers.
const https = require("node:https");

test("an agent's key names what the connection depends on", () => {
  const name = new https.Agent().getName({ host: "h", port: 1, sigalgs: "s", ciphers: "c" });
  expect(name.startsWith("h:1:")).toBe(true);
  expect(name.includes(":c:")).toBe(true);
  expect(name.includes(":\"s\":")).toBe(true);
});

test("options are checked", () => {
  for (const options of ["foo", 42, true, []]) {
    expect(() => new https.Server(options)).toThrow("options");
  }
  expect(() => https.createServer({ key: { pem: "x" } })).toThrow("options.key");
  expect(https.createServer({}).keepAliveTimeout).toBe(5000);
});

// Else the end of an answer waits 40 ms for the acknowledgement of its beginning.
test("the sockets of a server do not wait to fill a packet", () => {
  expect(https.createServer().noDelay).toBe(true);
  expect(https.createServer({ noDelay: false }).noDelay).toBe(false);
});
