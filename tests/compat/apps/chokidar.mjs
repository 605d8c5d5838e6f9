// chokidar: files and folders that come, change and go.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import { once } from "node:events";
import chokidar from "chokidar";
import { folder } from "./run.mjs";

const dir = folder({ "a.txt": "1", "sub/b.txt": "2" });
const watcher = chokidar.watch(dir, { cwd: dir });
const seen = [];
watcher.on("all", (event, at) => seen.push(`${event} ${at}`));
await once(watcher, "ready");
assert.deepEqual(seen.filter((line) => line.startsWith("add ")).sort(), ["add a.txt", "add sub/b.txt"]);
async function next(event, at, action) {
  const found = new Promise((resolve) => {
    watcher.on(event, function listener(given) {
      if (given !== at) return;
      watcher.off(event, listener);
      resolve();
    });
  });
  action();
  await found;
}
await next("add", "c.txt", () => fs.writeFileSync(path.join(dir, "c.txt"), "3"));
await next("change", "a.txt", () => fs.writeFileSync(path.join(dir, "a.txt"), "longer"));
await next("addDir", "new", () => fs.mkdirSync(path.join(dir, "new")));
await next("add", "new/d.txt", () => fs.writeFileSync(path.join(dir, "new/d.txt"), "4"));
await next("unlink", "sub/b.txt", () => fs.unlinkSync(path.join(dir, "sub/b.txt")));
await watcher.close();
console.log("ok");
