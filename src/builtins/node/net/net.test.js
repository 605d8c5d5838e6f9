// node:net: connections, servers, addresses.
const net = require("node:net");
const { once } = require("node:events");

async function serve(onConnection, options = {}) {
  const server = net.createServer(options, onConnection);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

test("what is written comes back, and both sides end", async () => {
  const server = await serve((c) => c.pipe(c));
  const client = net.connect(server.address().port, "127.0.0.1");
  client.end("hello");
  let got = "";
  for await (const chunk of client) got += chunk;
  expect(got).toBe("hello");
  expect(client.bytesRead).toBe(5);
  expect(client.bytesWritten).toBe(5);
  server.close();
  await once(server, "close");
});

test("a large body passes with back-pressure", async () => {
  const body = Buffer.alloc(3000000, "ab");
  const server = await serve((c) => c.pipe(c));
  const client = net.connect(server.address().port, "127.0.0.1");
  client.end(body);
  const parts = [];
  for await (const chunk of client) parts.push(chunk);
  expect(Buffer.concat(parts).equals(body)).toBe(true);
  server.close();
});

test("a refused connection says where", async () => {
  const server = await serve(() => {});
  const { port } = server.address();
  server.close();
  await once(server, "close");
  const client = net.connect({ port, host: "127.0.0.1" });
  const [error] = await once(client, "error");
  expect(error.code).toBe("ECONNREFUSED");
  expect(error.syscall).toBe("connect");
  expect(error.message).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`);
});

test("a port that is taken is an error of listen", async () => {
  const server = await serve(() => {});
  const { port } = server.address();
  const other = net.createServer().listen(port, "127.0.0.1");
  const [error] = await once(other, "error");
  expect(error.code).toBe("EADDRINUSE");
  expect(error.syscall).toBe("listen");
  server.close();
});

test("a write before destroy still goes out", async () => {
  let got = "";
  const server = await serve((c) => {
    c.on("data", (d) => (got += d));
    c.on("error", () => {});
    c.on("close", () => server.close());
  });
  const client = net.connect(server.address().port, "127.0.0.1", () => {
    client.write("one ");
    client.write("two");
    client.destroy();
  });
  await once(server, "close");
  expect(got).toBe("one two");
});

test("an abort destroys a socket that connects", async () => {
  const controller = new AbortController();
  const client = net.connect({ port: 1, host: "127.0.0.1", signal: controller.signal });
  controller.abort();
  const [error] = await once(client, "error");
  expect(error.name).toBe("AbortError");
});

test("addresses are told apart", () => {
  expect(net.isIP("127.0.0.1")).toBe(4);
  expect(net.isIP("::1")).toBe(6);
  expect(net.isIP("127.1")).toBe(0);
  const list = new net.BlockList();
  list.addSubnet("10.0.0.0", 8);
  expect(list.check("10.1.2.3")).toBe(true);
  expect(list.check("::ffff:10.1.2.3", "ipv6")).toBe(true);
  expect(list.check("11.1.2.3")).toBe(false);
});
