// socket.io: both transports, rooms, acknowledgements, binary, namespaces.
import assert from "node:assert";
import http from "node:http";
import { Server } from "socket.io";
import { io } from "socket.io-client";

const web = http.createServer();
const server = new Server(web);
server.on("connection", (socket) => {
  socket.on("add", (a, b, answer) => answer(a + b));
  socket.on("bytes", (data) => socket.emit("bytes", Buffer.concat([data, Buffer.from([9])])));
  socket.on("join", (room, answer) => {
    socket.join(room);
    answer();
  });
  socket.on("say", (room, text) => socket.to(room).emit("said", text));
});
server.of("/admin").use((socket, next) => next(socket.handshake.auth.token === "t" ? undefined : new Error("no")));
await new Promise((resolve) => web.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${web.address().port}`;
const when = (socket, event) => new Promise((resolve) => socket.once(event, resolve));
for (const transports of [["polling"], ["websocket"], ["polling", "websocket"]]) {
  const a = io(url, { transports, forceNew: true });
  const b = io(url, { transports, forceNew: true });
  await Promise.all([a, b].map((socket) => socket.connected || when(socket, "connect")));
  assert.equal(await a.emitWithAck("add", 2, 3), 5);
  const bytes = when(a, "bytes");
  a.emit("bytes", Buffer.from([1, 2]));
  assert.deepEqual([...await bytes], [1, 2, 9]);
  await b.emitWithAck("join", "r");
  const said = when(b, "said");
  a.emit("say", "r", "hi");
  assert.equal(await said, "hi");
  a.close();
  b.close();
}
const refused = io(`${url}/admin`, { auth: { token: "x" }, forceNew: true });
assert.equal((await when(refused, "connect_error")).message, "no");
refused.close();
await server.close();
console.log("ok");
