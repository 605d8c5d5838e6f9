// nodemon: starts a program, restarts it when a file changes, ends it.
import assert from "node:assert";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { once } from "node:events";
import { fileOf, folder } from "./run.mjs";

const dir = folder({ "main.js": "console.log('first ' + process.argv[2]); setInterval(() => {}, 1000);" });
const child = spawn(
  process.execPath,
  [fileOf("nodemon", "bin/nodemon.js"), "--exec", process.execPath, "--delay", "10ms", "-V", "main.js", "arg"],
  { cwd: dir, stdio: ["pipe", "pipe", "inherit"] },
);
let out = "";
child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
const seen = async (what) => {
  while (!what.test(out)) await once(child.stdout, "data");
};
await seen(/first arg/);
await seen(/watching 1 file/);
fs.writeFileSync(path.join(dir, "main.js"), "console.log('second'); setInterval(() => {}, 1000);");
await seen(/restarting due to changes[^]*second/);
child.stdin.write("rs\n");
await seen(/second[^]*second/);
child.kill("SIGINT");
await once(child, "exit");
assert.ok(child.exitCode !== null || child.signalCode);
console.log("ok");
