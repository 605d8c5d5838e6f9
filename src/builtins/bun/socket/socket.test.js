// Bun.listen and Bun.connect.
test("an echo with shared handlers", async () => {
  const closed = [];
  const listener = Bun.listen({
    hostname: "127.0.0.1", port: 0,
    socket: {
      data(socket, data) {
        socket.end(data);
      },
      close() {
        closed.push("server");
      },
    },
  });
  const got = await new Promise((resolve, reject) => {
    let text = "";
    Bun.connect({
      hostname: "127.0.0.1", port: listener.port, data: 7,
      socket: {
        open(socket) {
          expect(socket.data).toBe(7);
          expect(socket.write("hello")).toBe(5);
        },
        data(socket, data) {
          text += data;
        },
        close() {
          resolve(text);
        },
      },
    }).catch(reject);
  });
  expect(got).toBe("hello");
  listener.stop(true);
});

test("a refused connection is told to the handler and rejects", async () => {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  let told;
  const error = await Bun.connect({
    hostname: "127.0.0.1", port,
    socket: { data() {}, connectError: (socket, e) => (told = e) },
  }).catch((e) => e);
  expect(error.code).toBe("ECONNREFUSED");
  expect(told).toBe(error);
});

test("a taken port throws at once", () => {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const again = () =>
    Bun.listen({ hostname: "127.0.0.1", port: listener.port, socket: { data() {} } });
  expect(again).toThrow("Failed to listen at 127.0.0.1");
  listener.stop(true);
});

test("datagrams", async () => {
  let resolve;
  const done = new Promise((r) => (resolve = r));
  const a = await Bun.udpSocket({ hostname: "127.0.0.1", socket: { data: (s, d) => resolve(d) } });
  const b = await Bun.udpSocket({ connect: { hostname: "127.0.0.1", port: a.port } });
  expect(b.send("hi")).toBe(true);
  expect(String(await done)).toBe("hi");
  a.close();
  b.close();
  expect(a.closed).toBe(true);
});
