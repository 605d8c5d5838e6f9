// Koa: middleware up and down, bodies of all kinds, errors, cookies.
import assert from "node:assert";
import { Readable } from "node:stream";
import Koa from "koa";

const app = new Koa();
app.keys = ["secret"];
app.silent = true;
const order = [];
app.use(async (ctx, next) => {
  order.push("in");
  await next();
  order.push("out");
  ctx.set("X-Time", "1");
});
app.use(async (ctx) => {
  if (ctx.path === "/json") ctx.body = { q: ctx.query.q };
  else if (ctx.path === "/stream") ctx.body = Readable.from(["a", "b", "c"]);
  else if (ctx.path === "/buffer") ctx.body = Buffer.from([1, 2, 3]);
  else if (ctx.path === "/throw") ctx.throw(418, "tea");
  else if (ctx.path === "/cookie") {
    ctx.cookies.set("n", "v", { signed: true });
    ctx.body = ctx.get("cookie");
  } else if (ctx.path === "/body") {
    let text = "";
    for await (const chunk of ctx.req) text += chunk;
    ctx.body = text.toUpperCase();
  }
});
const server = app.listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const base = `http://127.0.0.1:${server.address().port}`;
let res = await fetch(`${base}/json?q=7`);
assert.deepEqual(await res.json(), { q: "7" });
assert.equal(res.headers.get("x-time"), "1");
assert.deepEqual(order, ["in", "out"]);
assert.equal(await (await fetch(`${base}/stream`)).text(), "abc");
assert.deepEqual([...new Uint8Array(await (await fetch(`${base}/buffer`)).arrayBuffer())], [1, 2, 3]);
res = await fetch(`${base}/throw`);
assert.equal(res.status, 418);
assert.equal(await res.text(), "tea");
res = await fetch(`${base}/cookie`, { headers: { cookie: "a=b" } });
assert.equal(res.headers.getSetCookie().length, 2);
assert.equal(await res.text(), "a=b");
assert.equal(await (await fetch(`${base}/body`, { method: "POST", body: "x".repeat(9e4) })).text(), "X".repeat(9e4));
assert.equal((await fetch(`${base}/none`)).status, 404);
await new Promise((resolve) => server.close(resolve));
console.log("ok");
