// node:http2: servers and clients, the compatibility API, settings, limits.
const http2 = require("node:http2");
const { once } = require("node:events");
const net = require("node:net");

/** A server on a port of its own; `use` gets a session to it, and both are closed afterwards. */
async function withSession(server, use, options) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`, options);
  try {
    await use(client, server);
  } finally {
    client.close();
    server.close();
    await once(server, "close");
  }
}

/** [headers, text, trailers] of an answer. */
async function answerOf(stream) {
  let headers;
  let trailers;
  stream.on("response", (h) => {
    headers = h;
  });
  stream.on("trailers", (t) => {
    trailers = t;
  });
  stream.setEncoding("utf8");
  let text = "";
  for await (const chunk of stream) text += chunk;
  return [headers, text, trailers];
}

test("a request by the compatibility API, with a body and trailers", async () => {
  const server = http2.createServer((req, res) => {
    let text = "";
    req.setEncoding("utf8");
    req.on("data", (chunk) => {
      text += chunk;
    });
    req.on("end", () => {
      res.writeHead(201, { "X-Seen": `${req.method} ${req.url} ${req.headers["x-a"]}` });
      res.addTrailers({ "x-end": "1" });
      res.write("got ");
      res.end(text);
    });
  });
  await withSession(server, async (client) => {
    const stream = client.request({ ":method": "POST", ":path": "/p", "X-A": "b" });
    stream.end("body");
    const [headers, text, trailers] = await answerOf(stream);
    expect(headers[":status"]).toBe(201);
    expect(headers["x-seen"]).toBe("POST /p b");
    expect(text).toBe("got body");
    expect(trailers["x-end"]).toBe("1");
  });
});

test("streams: many at once, large in both directions", async () => {
  const big = "0123456789".repeat(8_000);
  const server = http2.createServer();
  server.on("stream", (stream) => {
    stream.respond({ ":status": 200 });
    stream.pipe(stream);
  });
  await withSession(server, async (client) => {
    const all = [];
    for (let i = 0; i < 4; i++) {
      const stream = client.request({ ":method": "POST" });
      stream.end(big);
      all.push(answerOf(stream));
    }
    for (const [, text] of await Promise.all(all)) expect(text === big).toBe(true);
  });
});

test("push streams", async () => {
  const server = http2.createServer();
  server.on("stream", (stream) => {
    stream.pushStream({ ":path": "/pushed" }, (error, pushed) => {
      pushed.respond({ "x-p": "1" });
      pushed.end("pushed");
    });
    stream.respond();
    stream.end("main");
  });
  await withSession(server, async (client) => {
    const pushed = once(client, "stream").then(async ([stream, headers]) => {
      expect(headers[":path"]).toBe("/pushed");
      let text = "";
      for await (const chunk of stream) text += chunk;
      return text;
    });
    const [, text] = await answerOf(client.request());
    expect(text).toBe("main");
    expect(await pushed).toBe("pushed");
  });
});

test("files as answers, with ranges", async () => {
  const { readFileSync } = require("node:fs");
  const whole = readFileSync(__filename, "utf8");
  const server = http2.createServer();
  server.on("stream", (stream, headers) => {
    if (headers[":path"] === "/none") {
      stream.respondWithFile("/does/not/exist", {}, {
        onError: (error) => stream.respond({ ":status": 404, "x-code": error.code },
          { endStream: true }),
      });
    } else {
      stream.respondWithFile(__filename, { "content-type": "text/plain" },
        headers[":path"] === "/part" ? { offset: 3, length: 7 } : {});
    }
  });
  await withSession(server, async (client) => {
    const [head, text] = await answerOf(client.request());
    expect(text).toBe(whole);
    expect(head["content-length"]).toBe(`${Buffer.byteLength(whole)}`);
    const [, part] = await answerOf(client.request({ ":path": "/part" }));
    expect(part).toBe(whole.slice(3, 10));
    const [none] = await answerOf(client.request({ ":path": "/none" }));
    expect(none[":status"]).toBe(404);
    expect(none["x-code"]).toBe("ENOENT");
  });
});

test("ping, settings, state, goaway", async () => {
  const server = http2.createServer({ settings: { maxConcurrentStreams: 7 } });
  await withSession(server, async (client) => {
    const [settings] = await once(client, "remoteSettings");
    expect(settings.maxConcurrentStreams).toBe(7);
    await new Promise((resolve) => {
      client.ping(Buffer.from("12345678"), (error, ms, payload) => {
        expect(error).toBe(null);
        expect(payload.toString()).toBe("12345678");
        resolve();
      });
    });
    expect(client.state.nextStreamID).toBe(1);
    expect(client.alpnProtocol).toBe("h2c");
    await new Promise((resolve) => {
      client.settings({ enablePush: false }, resolve);
    });
    expect(client.localSettings.enablePush).toBe(false);
  });
});

test("a stream that is reset has an error with the code", async () => {
  const server = http2.createServer();
  server.on("stream", (stream) => {
    stream.on("error", () => {});
    stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
  });
  await withSession(server, async (client) => {
    const stream = client.request();
    const [error] = await once(stream, "error");
    expect(error.code).toBe("ERR_HTTP2_STREAM_ERROR");
    expect(stream.rstCode).toBe(7);
  });
});

test("wrong heads are refused before they go out", async () => {
  const server = http2.createServer((req, res) => res.end());
  await withSession(server, async (client) => {
    expect(() => client.request({ connection: "close" })).toThrow("HTTP/1 Connection specific");
    expect(() => client.request({ "a b": "c" })).toThrow("Header name must be a valid HTTP token");
    expect(() => client.request({ ":status": 200, ":nope": "1" })).toThrow("invalid pseudoheader");
    await answerOf(client.request());
  });
});

test("settings are packed as frames have them", () => {
  const packed = http2.getPackedSettings({ headerTableSize: 4096, enablePush: false });
  expect(packed.toString("hex")).toBe("000100001000000200000000");
  const unpacked = http2.getUnpackedSettings(packed);
  expect(unpacked).toEqual({ headerTableSize: 4096, enablePush: false });
  expect(() => http2.getPackedSettings({ maxFrameSize: 1 })).toThrow("Invalid value for setting");
});

test("a client that speaks something else gets an error, not a session", async () => {
  const server = http2.createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const failed = once(server, "sessionError");
  const socket = net.connect(server.address().port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const [error] = await failed;
  expect(error.code).toBe("ERR_HTTP2_ERROR");
  socket.destroy();
  server.close();
  await once(server, "close");
});
