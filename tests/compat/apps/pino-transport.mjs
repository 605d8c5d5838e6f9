// pino: a transport in a thread, fed through shared memory.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import pino from "pino";
import { folder } from "./run.mjs";

const dir = folder({});
const second = path.join(dir, "thread.log");
const transport = pino.transport({ target: "pino/file", options: { destination: second } });
await new Promise((resolve) => transport.once("ready", resolve));
pino(transport).info("from a thread");
const alive = setInterval(() => {}, 1000); // the thread alone does not keep the process
const closed = new Promise((resolve) => transport.once("close", resolve));
transport.end();
await closed;
clearInterval(alive);
assert.equal(JSON.parse(fs.readFileSync(second, "utf8")).msg, "from a thread");
console.log("ok");
