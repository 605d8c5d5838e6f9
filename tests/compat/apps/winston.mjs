// winston: levels, formats, children, files, rotation, streams, queries, exceptions and rejections.
import assert from "node:assert";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import winston from "winston";
import { folder, run } from "./run.mjs";

const { combine, timestamp, json, splat, printf, errors, colorize, simple } = winston.format;
const dir = folder({});
const file = path.join(dir, "app.log");
const stream = new PassThrough({ encoding: "utf8" });
const logger = winston.createLogger({
  level: "debug",
  format: combine(errors({ stack: true }), splat(), timestamp(), json()),
  defaultMeta: { service: "app" },
  transports: [
    new winston.transports.File({ filename: file }),
    new winston.transports.File({ filename: path.join(dir, "error.log"), level: "error" }),
    new winston.transports.Stream({ stream, format: printf(({ level, message }) => `${level}: ${message}`) }),
  ],
});
logger.info("hello %s, %d", "world", 5, { extra: true });
logger.silly("not this");
logger.error(new Error("broken"));
logger.child({ requestId: 7 }).warn("child");
logger.log({ level: "debug", message: "object", nested: { a: [1] } });
const timer = logger.startTimer();
timer.done({ message: "took" });
logger.end();
await Promise.all(logger.transports.slice(0, 2).map((transport) => once(transport, "finish")));
const lines = fs.readFileSync(file, "utf8").trim().split("\n").map(JSON.parse);
assert.deepEqual(lines.map((line) => line.message), ["hello world, 5", "broken", "child", "object", "took"]);
assert.equal(lines[0].extra, true);
assert.match(lines[1].stack, /Error: broken\n +at /);
assert.equal(lines[2].requestId, 7);
assert.equal(lines[4].durationMs >= 0, true);
assert.equal(lines[0].service, "app");
assert.ok(lines.every((line) => Date.parse(line.timestamp) > 0));
assert.equal(fs.readFileSync(path.join(dir, "error.log"), "utf8").trim().split("\n").length, 1);
const streamed = "info: hello world, 5\nerror: broken\nwarn: child\ndebug: object\ninfo: took\n";
assert.equal(stream.read(), streamed);

const rotating = winston.createLogger({
  transports: new winston.transports.File({ filename: "r.log", dirname: dir, maxsize: 2000, maxFiles: 2, tailable: true, format: simple() }),
});
for (let i = 0; i < 100; i++) {
  if (!rotating.info("x".repeat(100))) await new Promise(setImmediate);
}
while (!fs.existsSync(path.join(dir, "r1.log"))) await new Promise(setImmediate);
rotating.close();
assert.ok(fs.statSync(path.join(dir, "r1.log")).size <= 2200);

fs.writeFileSync(path.join(dir, "throws.mjs"), `
  import winston from ${JSON.stringify(import.meta.resolve("winston"))};
  const logger = winston.createLogger({ transports: [new winston.transports.Console({
    handleExceptions: true, handleRejections: true, format: winston.format.simple() })] });
  logger.info("first");
  setTimeout(() => { throw new Error("thrown"); }, 5);`);
const { status, out } = run(path.join(dir, "throws.mjs"), []);
assert.equal(status, 1);
assert.match(out, /^info: first\nerror: uncaughtException: thrown\n/);
assert.match(colorize().colorize("info", "x"), /^\x1b\[32mx\x1b\[39m$/);
console.log("ok");
