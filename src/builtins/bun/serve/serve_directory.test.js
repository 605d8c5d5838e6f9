// Routes of directories.
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const http = require("node:http");

const root = fs.mkdtempSync(path.join(os.tmpdir(), "cob-directory-"));
process.on("exit", () => fs.rmSync(root, { recursive: true }));
const dir = path.join(root, "public");
fs.mkdirSync(path.join(dir, "sub"), { recursive: true });
fs.mkdirSync(path.join(dir, "empty"));
fs.writeFileSync(path.join(dir, "index.html"), "<h1>index</h1>");
fs.writeFileSync(path.join(dir, "a.css"), "body {}");
fs.writeFileSync(path.join(dir, "sp ace.txt"), "space");
fs.writeFileSync(path.join(dir, "\u00fc.txt"), "umlaut");
fs.writeFileSync(path.join(dir, "sub", "index.html"), "sub");
fs.writeFileSync(path.join(root, "secret.txt"), "secret");
fs.symlinkSync("../secret.txt", path.join(dir, "link.txt"));

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  routes: { "/pub/*": { dir }, "/by/:who/*": { GET: { dir } } },
  fetch: () => new Response("fetch"),
});

/** The path goes out as it is written. */
function ask(target, headers = {}) {
  return new Promise((resolve, reject) => {
    const options = { port: server.port, host: "127.0.0.1", path: target, headers, agent: false };
    http.get(options, (res) => {
      let body = "";
      res.setEncoding("utf8");
      res.on("data", (text) => (body += text));
      res.on("end", () => resolve({ status: res.statusCode, headers: res.headers, body }));
    }).on("error", reject);
  });
}

test("files, their types, and index.html", async () => {
  const css = await ask("/pub/a.css?x=1");
  expect(css.body).toBe("body {}");
  expect(css.headers["content-type"]).toBe("text/css;charset=utf-8");
  expect(/^W\/"7-[0-9a-f]+"$/.test(css.headers.etag)).toBe(true);
  expect(css.headers["accept-ranges"]).toBe("bytes");
  expect((await ask("/pub/")).body).toBe("<h1>index</h1>");
  expect((await ask("/pub/sub/")).body).toBe("sub");
  expect((await ask("/pub/sp%20ace.txt")).body).toBe("space");
  expect((await ask("/pub/%C3%BC.txt")).body).toBe("umlaut");
  expect((await ask("/by/me/a.css")).body).toBe("body {}");
  expect((await ask("/pub")).body).toBe("fetch");
});

test("directories without a slash are sent on", async () => {
  const answer = await ask("/pub/sub?q=1");
  expect(answer.status).toBe(301);
  expect(answer.headers.location).toBe("/pub/sub/?q=1");
});

test("what is not there, leads out, or is written in another way", async () => {
  const targets = [
    "/pub/nope", "/pub/empty/", "/pub/a.css/", "/pub//a.css", "/pub/./a.css", "/pub/sub/../a.css",
    "/pub/%2e%2e/secret.txt", "/pub/..%2fsecret.txt", "/pub/link.txt", "/pub/%00", "/pub/%61.css",
    "/pub/%", "/pub/../secret.txt",
  ];
  for (const target of targets) expect([target, (await ask(target)).status]).toEqual([target, 404]);
});

test("conditions and ranges", async () => {
  const { headers } = await ask("/pub/a.css");
  expect((await ask("/pub/a.css", { "If-None-Match": headers.etag })).status).toBe(304);
  const since = { "If-Modified-Since": headers["last-modified"] };
  expect((await ask("/pub/a.css", since)).status).toBe(304);
  const part = await ask("/pub/a.css", { Range: "bytes=0-3" });
  expect([part.status, part.body, part.headers["content-range"]])
    .toEqual([206, "body", "bytes 0-3/7"]);
  const other = await ask("/pub/a.css", { Range: "bytes=0-3", "If-Range": headers.etag });
  expect([other.status, other.body]).toEqual([200, "body {}"]);
  server.stop(true);
});

test("the path must end in a wildcard", () => {
  const start = () => Bun.serve({ port: 0, routes: { "/a": { dir } }, fetch() {} });
  expect(start).toThrow("must end in /*");
});
