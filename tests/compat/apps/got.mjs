// got: JSON, forms, retries, redirects, time limits, hooks, streams, pagination, aborting;
// node-fetch: multipart, brotli, redirects, aborting.
import assert from "node:assert";
import { once } from "node:events";
import http from "node:http";
import { pipeline } from "node:stream/promises";
import { Writable } from "node:stream";
import zlib from "node:zlib";
import got, { HTTPError, TimeoutError } from "got";
import fetch, { AbortError, FormData } from "node-fetch";

let failures = 2;
const server = http.createServer(async (req, res) => {
  const { pathname, searchParams } = new URL(req.url, "http://x");
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  if (pathname === "/echo") {
    res.setHeader("content-type", "application/json");
    res.setHeader("set-cookie", ["a=1", "b=2"]);
    res.end(JSON.stringify({ method: req.method, body, type: req.headers["content-type"], search: [...searchParams], agent: req.headers["user-agent"] }));
  } else if (pathname === "/flaky") {
    res.statusCode = failures-- > 0 ? 503 : 200;
    res.end("done");
  } else if (pathname === "/redirect") {
    res.writeHead(302, { location: "/echo?from=redirect" }).end();
  } else if (pathname === "/gzip") {
    res.setHeader("content-encoding", "br");
    res.end(zlib.brotliCompressSync("z".repeat(100000)));
  } else if (pathname === "/page") {
    const page = Number(searchParams.get("page"));
    if (page < 3) res.setHeader("link", `</page?page=${page + 1}>; rel="next"`);
    res.end(JSON.stringify([page * 10, page * 10 + 1]));
  } else if (pathname === "/slow") {
    res.write("begin");
  } else {
    res.writeHead(404, "Nowhere").end("no");
  }
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const base = `http://127.0.0.1:${server.address().port}`;

const api = got.extend({ prefixUrl: base, responseType: "json", retry: { backoffLimit: 10 } });
const echoed = (await api.post("echo", { json: { a: [1] }, searchParams: { q: "ä b" } })).body;
assert.deepEqual([echoed.method, echoed.body, echoed.type], ["POST", '{"a":[1]}', "application/json"]);
assert.deepEqual(echoed.search, [["q", "ä b"]]);
assert.match(echoed.agent, /^got /);
const form = await api.put("echo", { form: { x: "1 2", y: "&" } }).json();
assert.deepEqual([form.method, form.body], ["PUT", "x=1+2&y=%26"]);
const flaky = await got(base + "/flaky", { retry: { limit: 3, calculateDelay: ({ computedValue }) => computedValue && 1 } });
assert.deepEqual([flaky.body, flaky.retryCount], ["done", 2]);
const redirected = await got(base + "/redirect", { hooks: { beforeRequest: [(o) => { o.headers["user-agent"] = "mine"; }] } });
assert.deepEqual(redirected.redirectUrls.map(String), [base + "/echo?from=redirect"]);
assert.equal(JSON.parse(redirected.body).agent, "mine");
assert.equal((await got(base + "/gzip").text()).length, 100000);
await assert.rejects(got(base + "/none"), (err) => err instanceof HTTPError && err.response.statusCode === 404 && err.code === "ERR_NON_2XX_3XX_RESPONSE");
await assert.rejects(got(base + "/slow", { timeout: { request: 100 }, retry: { limit: 0 } }), (err) => err instanceof TimeoutError && err.code === "ETIMEDOUT");
await assert.rejects(got("http://127.0.0.1:1", { retry: { limit: 0 } }), { code: "ECONNREFUSED", name: "RequestError" });
const pages = await got.paginate.all(base + "/page?page=1", { responseType: "json" });
assert.deepEqual(pages, [10, 11, 20, 21, 30, 31]);
let size = 0;
await pipeline(got.stream(base + "/gzip"), new Writable({ write(chunk, _, done) { size += chunk.length; done(); } }));
assert.equal(size, 100000);
const controller = new AbortController();
const aborted = got(base + "/slow", { signal: controller.signal });
aborted.on("downloadProgress", ({ transferred }) => transferred && controller.abort());
await assert.rejects(aborted, { code: "ERR_ABORTED" });
const timed = await got(base + "/echo");
assert.ok(timed.timings.phases.total >= 0 && timed.ip === "127.0.0.1");

const data = new FormData();
data.set("field", "value");
data.set("file", new Blob(["content"], { type: "text/plain" }), "f.txt");
const sent = await (await fetch(base + "/echo", { method: "POST", body: data })).json();
assert.match(sent.type, /^multipart\/form-data; boundary=/);
assert.match(sent.body, /filename="f.txt"[^]*content/);
const answer = await fetch(base + "/gzip");
assert.equal((await answer.text()).length, 100000);
assert.equal((await fetch(base + "/redirect")).url, base + "/echo?from=redirect");
assert.deepEqual((await fetch(base + "/echo")).headers.raw()["set-cookie"], ["a=1", "b=2"]);
const stopper = new AbortController();
const slow = await fetch(base + "/slow", { signal: stopper.signal });
const reading = slow.text();
stopper.abort();
await assert.rejects(reading, (err) => err instanceof AbortError);
server.close();
server.closeAllConnections();
console.log("ok");
