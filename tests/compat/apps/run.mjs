// What the scripts of programs share: running one with the binary that runs the script.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import { stripVTControlCharacters } from "node:util";

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

/** A program of ours on a terminal of its own: it is typed at, and what it shows is waited for. */
export class Terminal {
  shown = "";
  #waiting = null;

  constructor(script, args = [], options = {}) {
    const command = [process.execPath, script, ...args].map((arg) => `'${arg}'`).join(" ");
    const env = { ...process.env, TERM: "xterm", ...options.env };
    // The terminal of script(1) has no size of its own.
    const sized = `stty cols 80 rows 24; exec ${command}`;
    this.child = spawn("script", ["-qefc", sized, "/dev/null"], { ...options, env });
    this.child.stdout.setEncoding("utf8").on("data", (text) => {
      this.shown += text;
      this.#look();
    });
    this.closed = once(this.child, "close");
  }

  #look() {
    const match = this.#waiting?.what.exec(stripVTControlCharacters(this.shown));
    if (!match) return;
    const { resolve } = this.#waiting;
    this.#waiting = null;
    this.shown = "";
    resolve(match);
  }

  /** Waits until the terminal shows something that has not been waited for yet: the match. */
  see(what) {
    return new Promise((resolve, reject) => {
      this.#waiting = { what, resolve };
      this.closed.then(() => reject(new Error(`no ${what} in ${JSON.stringify(this.shown)}`)));
      this.#look();
    });
  }

  type(keys) {
    this.child.stdin.write(keys);
  }

  /** The exit code, once the program has ended. */
  async end() {
    const [code] = await this.closed;
    return code;
  }
}
