// redis and ioredis against a Redis server: pipelines, transactions, scripts, publishing, blocking
// commands, bytes, scans, reconnecting; TCP and Unix sockets.
import assert from "node:assert";
import { once } from "node:events";
import { createClient, createClientPool, RESP_TYPES } from "redis";
import Redis from "ioredis";
import { redis } from "./servers.mjs";

const { stop, socketPath, host, port, password } = await redis();

const client = createClient({ url: `redis://:${password}@${host}:${port}` });
await client.connect();
assert.equal(await client.set("key", "wört"), "OK");
assert.equal(await client.get("key"), "wört");
assert.equal(await client.get("none"), null);
await client.hSet("hash", { a: "1", b: "2" });
assert.deepEqual({ ...(await client.hGetAll("hash")) }, { a: "1", b: "2" });
const buffers = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
await client.set("bytes", Buffer.from([0, 255, 13, 10]));
assert.deepEqual([...(await buffers.get("bytes"))], [0, 255, 13, 10]);
const counts = await Promise.all(Array.from({ length: 500 }, () => client.incr("n")));
assert.equal(counts[499], 500);
assert.deepEqual(await client.multi().set("m", "1").incr("m").get("m").exec(), ["OK", 2, "2"]);
assert.equal(await client.eval("return ARGV[1] .. KEYS[1]", { keys: ["k"], arguments: ["v"] }), "vk");
await assert.rejects(client.sendCommand(["NONSENSE"]), /unknown command/);
await assert.rejects(client.hGet("key", "f"), /WRONGTYPE/);

const listener = client.duplicate();
await listener.connect();
const heard = new Promise((resolve) => {
  listener.subscribe("news", (message, channel) => resolve([message, channel])).then(() => client.publish("news", "hi"));
});
assert.deepEqual(await heard, ["hi", "news"]);
listener.destroy();
const popped = client.duplicate();
await popped.connect();
const waiting = popped.blPop("list", 10);
await client.rPush("list", "x");
assert.deepEqual({ ...(await waiting) }, { key: "list", element: "x" });
popped.destroy();
const keys = [];
for (let i = 0; i < 300; i++) client.set("scan:" + i, "");
for await (const found of client.scanIterator({ MATCH: "scan:*", COUNT: 50 })) keys.push(...[found].flat());
assert.equal(new Set(keys).size, 300);
const pool = createClientPool({ socket: { host, port }, password }, { minimum: 1, maximum: 3 });
await pool.connect();
assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map((i) => pool.echo("e" + i))), ["e1", "e2", "e3", "e4", "e5"]);
pool.destroy();

const io = new Redis({ path: socketPath, password });
assert.equal(await io.set("io", "1", "EX", 100), "OK");
assert.deepEqual(await io.pipeline().incr("io").getBuffer("io").hget("io", "x").exec().then(
  (all) => all.map(([err, value]) => (err ? err.message.slice(0, 9) : String(value))),
), ["2", "2", "WRONGTYPE"]);
const big = "y".repeat(4 << 20);
await io.set("big", big);
assert.equal((await io.get("big")).length, big.length);
io.defineCommand("twice", { numberOfKeys: 0, lua: "return ARGV[1] * 2" });
assert.equal(await io.twice("21"), 42);
io.on("error", () => {});
const closed = once(io, "close");
await client.sendCommand(["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
await closed;
assert.equal(await io.get("io"), "2");
await io.quit();
await client.close();
await stop();
console.log("ok");
