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

test("fields with the names of inherited members are fields", async () => {
  const server = http.createServer((req, res) => res.end(`${req.headers.constructor}`));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address();
  const headers = [["Host", "a"], ["constructor", "x"], ["constructor", "y"]];
  const req = http.get({ port, host: "127.0.0.1", headers, agent: false });
  const [res] = await once(req, "response");
  let text = "";
  for await (const chunk of res) text += chunk;
  expect(text).toBe("x, y");
  server.close();
});

test("an answer on a stream goes out in one piece; what is refused does not count", async () => {
  const { Writable } = require("node:stream");
  const res = new http.ServerResponse({ method: "GET", httpVersionMajor: 1, httpVersionMinor: 1 });
  const pieces = [];
  res.assignSocket(new Writable({
    write(chunk, encoding, callback) {
      pieces.push(chunk.toString());
      callback();
    },
  }));
  res.strictContentLength = true;
  res.setHeader("content-length", 6);
  res.write("h\u00e9llo");
  expect(() => res.write("more")).toThrow("content-length");
  res.end();
  expect(pieces[0].endsWith("\r\n\r\nh\u00e9llo")).toBe(true);
});

test("early hints are checked", () => {
  const res = new http.ServerResponse({ method: "GET", httpVersionMajor: 1, httpVersionMinor: 1 });
  const link = "</a\r\nx: y>; rel=preload";
  expect(() => res.writeEarlyHints({ link })).toThrow("must be an array or string");
});

test("100 Continue comes once", async () => {
  const server = http.createServer();
  server.on("checkContinue", (req, res) => {
    res.writeContinue();
    req.resume().on("end", () => res.end("x"));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address();
  const headers = { expect: "100-continue" };
  const req = http.request({ port, host: "127.0.0.1", method: "PUT", headers, agent: false });
  let n = 0;
  req.on("continue", () => {
    n++;
    req.end("body");
  });
  const [res] = await once(req, "response");
  await once(res.resume(), "end");
  expect(n).toBe(1);
  server.close();
});
