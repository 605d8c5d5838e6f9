// undici over node:net: request, stream, pipelining, fetch, pools, mocks, its WebSocket.
import assert from "node:assert";
import http from "node:http";
import { Agent, Client, FormData, MockAgent, Pool, fetch, request, setGlobalDispatcher, stream } from "undici";
import { PassThrough } from "node:stream";

const server = http.createServer((req, res) => {
  let body = "";
  req.on("data", (chunk) => (body += chunk));
  req.on("end", () => res.setHeader("x-url", req.url).end(JSON.stringify({ method: req.method, body })));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const { statusCode, headers, body } = await request(`${origin}/a`, { method: "POST", body: "hi" });
assert.deepEqual([statusCode, headers["x-url"], await body.json()], [200, "/a", { method: "POST", body: "hi" }]);
const out = new PassThrough();
await stream(`${origin}/b`, { method: "GET" }, () => out);
assert.equal(JSON.parse(out.read()).method, "GET");
const client = new Client(origin, { pipelining: 4 });
const all = await Promise.all(Array.from({ length: 20 }, (_, i) => client.request({ path: `/${i}`, method: "GET" })));
for (const [i, one] of all.entries()) {
  assert.equal(one.headers["x-url"], `/${i}`);
  await one.body.dump();
}
await client.close();
const pool = new Pool(origin, { connections: 3 });
assert.equal((await (await pool.request({ path: "/", method: "PUT", body: Buffer.alloc(1e5, "y") })).body.json()).body.length, 1e5);
await pool.close();
const agent = new Agent({ keepAliveTimeout: 10 });
setGlobalDispatcher(agent);
const form = new FormData();
form.set("k", "v");
const res = await fetch(`${origin}/f`, { method: "POST", body: form });
assert.match((await res.json()).body, /name="k"/);
const mock = new MockAgent();
mock.disableNetConnect();
mock.get("http://nowhere").intercept({ path: "/" }).reply(200, { mocked: true });
assert.deepEqual(await (await fetch("http://nowhere/", { dispatcher: mock })).json(), { mocked: true });
await agent.close();
await mock.close();
server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));
console.log("ok");
