// Express 5: routes, parameters, JSON bodies, errors of async handlers, static files, redirects.
import assert from "node:assert";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import express from "express";

const dir = fs.mkdtempSync(path.join(os.tmpdir(), "app-express-"));
fs.writeFileSync(path.join(dir, "page.html"), "<p>static</p>");
const app = express();
app.use(express.json());
app.use(express.urlencoded({ extended: true }));
app.use("/static", express.static(dir));
app.get("/hello/:name", (req, res) => res.json({ name: req.params.name, q: req.query }));
app.post("/echo", (req, res) => res.status(201).set("X-A", "b").send(req.body));
app.get("/cookie", (req, res) => res.cookie("a", "1", { httpOnly: true }).end());
app.get("/go", (req, res) => res.redirect("/hello/there"));
app.get("/fails", async () => {
  throw new Error("late");
});
app.use((error, req, res, next) => {
  void next;
  res.status(500).json({ error: error.message });
});
const server = app.listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const base = `http://127.0.0.1:${server.address().port}`;

let res = await fetch(`${base}/hello/bob?x=1&y=2`);
assert.deepEqual(await res.json(), { name: "bob", q: { x: "1", y: "2" } });
assert.match(res.headers.get("etag"), /^W\//);
const headers = { "if-none-match": res.headers.get("etag") };
const [answer] = await once(http.get(`${base}/hello/bob?x=1&y=2`, { headers }), "response");
assert.equal(answer.statusCode, 304);
answer.resume();
res = await fetch(`${base}/echo`, {
  method: "POST", headers: { "content-type": "application/json" }, body: '{"deep":{"a":[1]}}',
});
assert.equal(res.status, 201);
assert.equal(res.headers.get("x-a"), "b");
assert.deepEqual(await res.json(), { deep: { a: [1] } });
res = await fetch(`${base}/echo`, { method: "POST", body: new URLSearchParams("a[b]=c") });
assert.deepEqual(await res.json(), { a: { b: "c" } });
res = await fetch(`${base}/echo`, {
  method: "POST", headers: { "content-type": "application/json" }, body: "{bad",
});
assert.equal(res.status, 500);
assert.equal((await fetch(`${base}/cookie`)).headers.get("set-cookie"), "a=1; Path=/; HttpOnly");
res = await fetch(`${base}/go`);
assert.equal(res.redirected, true);
assert.equal((await res.json()).name, "there");
assert.deepEqual(await (await fetch(`${base}/fails`)).json(), { error: "late" });
res = await fetch(`${base}/static/page.html`);
assert.equal(await res.text(), "<p>static</p>");
assert.equal(res.headers.get("content-type"), "text/html; charset=utf-8");
res = await fetch(`${base}/static/page.html`, { headers: { range: "bytes=3-5" } });
assert.equal(res.status, 206);
assert.equal(await res.text(), "sta");
assert.equal((await fetch(`${base}/none`)).status, 404);
await new Promise((resolve) => server.close(resolve));
fs.rmSync(dir, { recursive: true });
console.log("ok");
