// axios over node:http: bodies, errors, redirects, time limits, streams, interceptors, forms.
import assert from "node:assert";
import http from "node:http";
import zlib from "node:zlib";
import axios from "axios";

const server = http.createServer((req, res) => {
  if (req.url === "/go") return res.writeHead(302, { location: "/to" }).end();
  if (req.url === "/slow") return undefined;
  if (req.url === "/gzip") {
    res.writeHead(200, { "content-encoding": "gzip", "content-type": "text/plain" });
    return res.end(zlib.gzipSync("zipped"));
  }
  if (req.url === "/bad") return res.writeHead(503).end("busy");
  let body = "";
  req.on("data", (chunk) => (body += chunk));
  req.on("end", () => {
    res.setHeader("content-type", "application/json");
    res.end(JSON.stringify({ method: req.method, url: req.url, type: req.headers["content-type"], body }));
  });
  return undefined;
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const client = axios.create({ baseURL: `http://127.0.0.1:${server.address().port}` });
let res = await client.get("/q", { params: { a: 1, b: [2, 3] } });
assert.equal(res.data.url, "/q?a=1&b%5B%5D=2&b%5B%5D=3");
res = await client.post("/p", { x: 1 });
assert.deepEqual([res.data.type, res.data.body], ["application/json", '{"x":1}']);
assert.equal((await client.get("/go")).data.url, "/to");
assert.equal((await client.get("/gzip")).data, "zipped");
await assert.rejects(client.get("/bad"), (error) => error.response.status === 503 && error.code === "ERR_BAD_RESPONSE");
await assert.rejects(client.get("/slow", { timeout: 30 }), { code: "ECONNABORTED" });
const abort = new AbortController();
const pending = client.get("/slow", { signal: abort.signal });
abort.abort();
await assert.rejects(pending, { code: "ERR_CANCELED" });
res = await client.get("/gzip", { responseType: "stream" });
let text = "";
for await (const chunk of res.data) text += chunk;
assert.equal(text, "zipped");
const form = new FormData();
form.append("file", new Blob(["content"]), "a.txt");
res = await client.post("/form", form);
assert.match(res.data.type, /^multipart\/form-data; boundary=/);
assert.match(res.data.body, /filename="a.txt"[^]*content/);
client.interceptors.request.use((config) => {
  config.headers.set("content-type", "text/x");
  return config;
});
assert.equal((await client.post("/i", "raw")).data.type, "text/x");
await assert.rejects(axios.get("http://127.0.0.1:1/"), { code: "ECONNREFUSED" });
server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));
console.log("ok");
