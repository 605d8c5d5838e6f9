const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request, self) {
    if (new URL(request.url).pathname === "/no") return new Response("no", { status: 403 });
    return self.upgrade(request) ? undefined : new Response("no");
  },
  websocket: {
    perMessageDeflate: true,
    message(socket, data) {
      if (data === "close") socket.close(4001, "bye");
      else socket.send(data);
    },
  },
});
const url = `ws://127.0.0.1:${server.port}`;

const closed = (socket) => new Promise((resolve) => {
  socket.addEventListener("close", (event) => resolve([event.code, event.reason, event.wasClean]));
});

test("messages go and come, the peer closes", async () => {
  const socket = new WebSocket(url);
  const got = [];
  socket.binaryType = "arraybuffer";
  socket.onopen = () => {
    socket.send("a");
    socket.send(new Uint8Array([1, 2]));
    socket.send("x".repeat(100000));
    socket.send(new Blob(["blob"]));
    socket.send("close");
  };
  socket.onmessage = ({ data }) => got.push(typeof data === "string" ? data.length : data.byteLength);
  expect(await closed(socket)).toEqual([4001, "bye", true]);
  expect(got).toEqual([1, 2, 100000, 4]);
  expect(socket.readyState).toBe(3);
});

test("closing from here, and before it stands", async () => {
  const socket = new WebSocket(url);
  expect(() => socket.send("early")).toThrow("invalid state");
  socket.onopen = () => socket.close(3000, "done");
  expect(await closed(socket)).toEqual([3000, "done", true]);
  const never = new WebSocket(url);
  never.close();
  expect((await closed(never))[0]).toBe(1006);
  const ended = new WebSocket(url);
  ended.onopen = () => ended.terminate();
  expect((await closed(ended))[0]).toBe(1006);
});

test("a refusal is an error and a close", async () => {
  const socket = new WebSocket(`${url}/no`);
  let message;
  socket.onerror = (event) => {
    message = event.message;
  };
  expect((await closed(socket))[0]).toBe(1006);
  expect(message).toContain("Expected 101 status code");
});

test("arguments", () => {
  expect(() => new WebSocket("nonsense")).toThrow("Invalid url");
  expect(() => new WebSocket("ftp://a")).toThrow("Wrong url scheme");
  expect(() => new WebSocket(`${url}/#x`)).toThrow("fragment");
  expect(() => new WebSocket(url, ["a", "a"])).toThrow("duplicates");
});

test("the server stops", async () => {
  await server.stop(true);
});
