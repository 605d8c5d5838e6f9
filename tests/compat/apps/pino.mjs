// pino: lines, levels, children, redaction, serializers; files.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import pino from "pino";
import { folder } from "./run.mjs";

const lines = [];
const log = pino({ redact: ["user.password"], base: null }, { write: (line) => lines.push(JSON.parse(line)) });
log.info({ user: { name: "a", password: "b" } }, "hello %s", "there");
log.child({ module: "m" }).error(new Error("broken"));
log.debug("not seen");
assert.equal(lines.length, 2);
assert.equal(lines[0].msg, "hello there");
assert.equal(lines[0].user.password, "[Redacted]");
assert.equal(lines[1].module, "m");
assert.equal(lines[1].err.type, "Error");
const dir = folder({});
const file = path.join(dir, "out.log");
const destination = pino.destination({ dest: file, sync: false });
await new Promise((resolve) => destination.once("ready", resolve));
pino(destination).warn("to a file");
destination.end();
await new Promise((resolve) => destination.once("close", resolve));
assert.equal(JSON.parse(fs.readFileSync(file, "utf8")).msg, "to a file");
console.log("ok");
