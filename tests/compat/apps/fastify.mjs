// Fastify: schemas, hooks, plugins, errors, inject() and real connections.
import assert from "node:assert";
import Fastify from "fastify";

const lines = [];
const app = Fastify({ logger: { level: "info", stream: { write: (line) => lines.push(line) } } });
app.addHook("onRequest", async (request) => {
  request.at = 1;
});
app.register(async (scope) => {
  scope.decorate("answer", 42);
  scope.get("/answer", async () => ({ answer: scope.answer }));
}, { prefix: "/v1" });
app.post("/sum", {
  schema: {
    body: {
      type: "object", required: ["a", "b"],
      properties: { a: { type: "number" }, b: { type: "number" } },
    },
    response: { 200: { type: "object", properties: { sum: { type: "number" } } } },
  },
}, async ({ body }) => ({ sum: body.a + body.b, hidden: true }));
app.get("/fails", async () => {
  throw Object.assign(new Error("no"), { statusCode: 409 });
});
let res = await app.inject("/v1/answer");
assert.deepEqual(res.json(), { answer: 42 });
const base = await app.listen({ port: 0, host: "127.0.0.1" });
const post = (body) => fetch(`${base}/sum`, {
  method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
});
assert.deepEqual(await (await post({ a: 1, b: 2 })).json(), { sum: 3 });
res = await post({ a: "x" });
assert.equal(res.status, 400);
assert.equal((await res.json()).code, "FST_ERR_VALIDATION");
assert.equal((await fetch(`${base}/fails`)).status, 409);
assert.equal((await fetch(`${base}/none`)).status, 404);
await app.close();
assert.ok(lines.some((line) => JSON.parse(line).msg === "request completed"));
console.log("ok");
