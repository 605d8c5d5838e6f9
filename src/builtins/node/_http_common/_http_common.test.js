// node:_http_common: HTTPParser, as packages that stand in for the network drive it.
const { HTTPParser, methods } = require("node:_http_common");

/** A parser and the list of what it calls. */
function recorder(type) {
  const calls = [];
  const parser = new HTTPParser();
  parser.initialize(type, {});
  parser[HTTPParser.kOnHeadersComplete] = (...args) => void calls.push(["head", ...args]);
  parser[HTTPParser.kOnBody] = (bytes) => calls.push(["body", String(bytes)]);
  parser[HTTPParser.kOnHeaders] = (...args) => calls.push(["trailers", ...args]);
  parser[HTTPParser.kOnMessageComplete] = () => calls.push(["done"]);
  return { parser, calls };
}

test("requests with trailers, and an upgrade whose bytes stay", () => {
  const { parser, calls } = recorder(HTTPParser.REQUEST);
  const text = "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" +
    "3\r\nabc\r\n0\r\nt: 1\r\n\r\n" +
    "GET /up HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: x\r\nHost: a\r\n\r\n";
  const cut = 30;
  expect(parser.execute(Buffer.from(text.slice(0, cut)))).toBe(cut);
  expect(parser.execute(Buffer.from(text.slice(cut) + "REST"))).toBe(text.length - cut);
  const fields = ["Host", "a", "Transfer-Encoding", "chunked"];
  expect(calls).toEqual([
    ["head", 1, 1, fields, methods.indexOf("POST"), "/x", undefined, undefined, false, true],
    ["body", "abc"],
    ["trailers", ["t", "1"], ""],
    ["done"],
    ["head", 1, 1, ["Connection", "upgrade", "Upgrade", "x", "Host", "a"], methods.indexOf("GET"),
      "/up", undefined, undefined, true, true],
    ["done"],
  ]);
});

test("responses, to the end of the bytes and without a body", () => {
  const { parser, calls } = recorder(HTTPParser.RESPONSE);
  parser.execute(Buffer.from("HTTP/1.1 200 OK\r\n\r\nto the end"));
  expect(parser.finish()).toBe(undefined);
  expect(calls).toEqual([
    ["head", 1, 1, [], undefined, undefined, 200, "OK", false, false], ["body", "to the end"],
    ["done"],
  ]);
  calls.length = 0;
  parser.initialize(HTTPParser.RESPONSE, {});
  parser[HTTPParser.kOnHeadersComplete] = () => 1;
  parser.execute(Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"));
  expect(calls).toEqual([["done"]]);
});

test("errors are returned, those of callbacks thrown", () => {
  const { parser } = recorder(HTTPParser.RESPONSE);
  const error = parser.execute(Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"));
  expect(error.code).toBe("HPE_INVALID_CONTENT_LENGTH");
  expect(error.message).toBe("Parse Error");
  expect(parser.execute(Buffer.from("more"))).toBe(error);
  parser.initialize(HTTPParser.RESPONSE, {});
  parser[HTTPParser.kOnHeadersComplete] = () => {
    throw new Error("mine");
  };
  expect(() => parser.execute(Buffer.from("HTTP/1.1 200 OK\r\n\r\n"))).toThrow("mine");
  parser.initialize(HTTPParser.REQUEST, {});
  parser[HTTPParser.kOnHeadersComplete] = () => parser.free();
  parser.execute(Buffer.from("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  expect(() => parser.execute(Buffer.from("x"))).toThrow("not initialized");
});

test("what it is made of is not for programs", () => {
  expect(require("node:module").builtinModules).not.toContain("_http_common/parser");
});
