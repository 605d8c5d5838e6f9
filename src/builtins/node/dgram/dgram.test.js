// node:dgram: datagrams there and back.
const dgram = require("node:dgram");
const { once } = require("node:events");

test("a datagram arrives with its sender", async () => {
  const server = dgram.createSocket("udp4");
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  const client = dgram.createSocket("udp4");
  client.send("hello", server.address().port, "127.0.0.1");
  const [message, info] = await once(server, "message");
  expect(String(message)).toBe("hello");
  expect(info.family).toBe("IPv4");
  expect(info.size).toBe(5);
  client.close();
  server.close();
});

test("options of a socket that is not bound are errors", () => {
  const socket = dgram.createSocket("udp4");
  expect(() => socket.setTTL(1)).toThrow("setTTL EBADF");
  socket.close();
  expect(() => socket.close()).toThrow("Not running");
});
