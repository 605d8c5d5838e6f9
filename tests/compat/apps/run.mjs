// What the scripts of programs share: running one with the binary that runs the script.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The path of a file of the package `name`, which may not export it. */
export function fileOf(name, file) {
  for (const dir of require.resolve.paths(name)) {
    const found = path.join(dir, name, file);
    if (fs.existsSync(found)) return found;
  }
  throw new Error(`${name}/${file} is not installed`);
}

/** Runs a script: { status, out, err }. */
export function run(script, args, options = {}) {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath, [script, ...args], { encoding: "utf8", timeout: 60000, ...options },
  );
  return { status: status ?? signal, out: stdout, err: stderr };
}

/** A folder with the files { name: text }; gone when the process ends. */
export function folder(files) {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "app-")));
  process.on("exit", () => fs.rmSync(dir, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    fs.writeFileSync(path.join(dir, name), text);
  }
  return dir;
}
