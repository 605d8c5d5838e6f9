// ws: text, binary, compression, pings, close codes; both ends, and the global WebSocket.
import assert from "node:assert";
import { once } from "node:events";
import NodeSocket, { WebSocketServer } from "ws";

const server = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: { threshold: 0 } });
await once(server, "listening");
const url = `ws://127.0.0.1:${server.address().port}/path?x=1`;
server.on("connection", (socket, request) => {
  assert.equal(request.url, "/path?x=1");
  socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary }));
});
const client = new NodeSocket(url);
await once(client, "open");
assert.match(client.extensions, /permessage-deflate/);
for (const size of [0, 5, 70000, 300000]) {
  client.send("x".repeat(size));
  const [data, isBinary] = await once(client, "message");
  assert.equal(data.length, size);
  assert.equal(isBinary, false);
}
client.send(Buffer.from([1, 2, 3]));
const [data, isBinary] = await once(client, "message");
assert.deepEqual([...data], [1, 2, 3]);
assert.equal(isBinary, true);
client.ping("p");
assert.equal(String((await once(client, "pong"))[0]), "p");
client.close(4001, "bye");
const [code, reason] = await once(client, "close");
assert.equal(code, 4001);
assert.equal(String(reason), "bye");

const web = new WebSocket(url);
await once(web, "open");
web.send("web");
assert.equal((await once(web, "message"))[0].data, "web");
web.close(1000);
await once(web, "close");
server.close();
await once(server, "close");
console.log("ok");
