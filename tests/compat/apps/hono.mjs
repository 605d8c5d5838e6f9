// hono over node:http (@hono/node-server): routes, middleware, streams, errors.
import assert from "node:assert";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { streamText } from "hono/streaming";

const app = new Hono();
app.use("*", cors());
app.get("/user/:id{[0-9]+}", (c) => c.json({ id: c.req.param("id"), q: c.req.query("q") }));
app.post("/form", async (c) => {
  const { file, name } = await c.req.parseBody();
  return c.text(`${name} ${file.name} ${await file.text()}`);
});
app.post("/json", async (c) => c.json((await c.req.json()).list.reverse()));
app.get("/stream", (c) => streamText(c, async (stream) => {
  for (const part of ["a", "b", "c"]) await stream.write(part);
}));
app.get("/fails", () => {
  throw new Error("oops");
});
app.onError((error, c) => c.text(error.message, 500));
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
const base = `http://127.0.0.1:${server.address().port}`;
let res = await fetch(`${base}/user/12?q=x`);
assert.equal(res.headers.get("access-control-allow-origin"), "*");
assert.deepEqual(await res.json(), { id: "12", q: "x" });
assert.equal((await fetch(`${base}/user/x`)).status, 404);
const form = new FormData();
form.set("name", "n");
form.set("file", new File(["text"], "f.txt"));
assert.equal(await (await fetch(`${base}/form`, { method: "POST", body: form })).text(), "n f.txt text");
res = await fetch(`${base}/json`, { method: "POST", body: '{"list":[1,2]}' });
assert.deepEqual(await res.json(), [2, 1]);
assert.equal(await (await fetch(`${base}/stream`)).text(), "abc");
res = await fetch(`${base}/fails`);
assert.deepEqual([res.status, await res.text()], [500, "oops"]);
assert.deepEqual((await fetch(`${base}/json`, { method: "OPTIONS" })).status, 204);
await new Promise((resolve) => server.close(resolve));
console.log("ok");
