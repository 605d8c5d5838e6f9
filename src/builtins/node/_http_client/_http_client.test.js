// Tests of requests that are given up before they have a socket.
const http = require("node:http");
const { once } = require("node:events");

test("a request destroyed before its socket comes fails once, and nothing else does", async () => {
  const server = http.createServer(() => {});
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address();
  const seen = [];
  const req = http.request({ port, host: "127.0.0.1" });
  expect(req.writable).toBe(true);
  req.on("error", (error) => seen.push(error.message));
  req.end("x");
  req.destroy(new Error("first"));
  req.destroy(new Error("second"));
  await new Promise((resolve) => req.on("close", resolve));
  expect(seen).toEqual(["first"]);
  // What becomes of the socket is heard by nobody: an uncaught error would end this process.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
