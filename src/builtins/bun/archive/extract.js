// @internal
// bun:archive/extract -- writing what is in an archive below a folder, and nowhere else.
//
// Names are made relative and lose their ".."; a link that would lead out of the folder is left
// out; nothing is written through a link that leads out.
const path = require("node:path/posix");

const FILE = 0;
const FOLDER = 1;
const SYMLINK = 2;

/** The name below the folder, or "". */
function safeName(name) {
  const parts = [];
  for (const part of name.replaceAll("\\", "/").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== "." && !part.includes("\0")) parts.push(part);
  }
  return parts.join("/");
}
exports.safeName = safeName;

class Extraction {
  #folders = new Set(); // known to lie inside, and to be real

  constructor(root) {
    this.fs = require("node:fs/promises");
    this.root = root;
  }

  /** Makes a folder inside the root; throws when it leads out. */
  async folder(name) {
    if (this.#folders.has(name)) return;
    const full = path.join(this.root, name);
    await this.fs.mkdir(full, { recursive: true });
    const real = await this.fs.realpath(full);
    if (real !== this.root && !real.startsWith(`${this.root}/`)) {
      throw new Error(`The archive writes through a link that leads outside: ${name}`);
    }
    this.#folders.add(name);
  }

  async clear(full) {
    const stat = await this.fs.lstat(full).catch(() => undefined);
    if (stat !== undefined && !stat.isDirectory()) await this.fs.unlink(full);
  }

  /** true: something was written. */
  async write({ kind, name, target, mode, mtime }, bytes) {
    const safe = safeName(name);
    if (safe === "") return false;
    if (kind === FOLDER) {
      await this.folder(safe);
      return true;
    }
    const parent = path.dirname(safe);
    await this.folder(parent === "." ? "" : parent);
    const full = path.join(this.root, safe);
    if (kind === FILE) {
      await this.clear(full);
      await this.fs.writeFile(full, bytes, { mode: mode || 0o644 });
      await this.fs.utimes(full, mtime, mtime);
      return true;
    }
    return kind === SYMLINK ? this.symlink(safe, full, target) : this.hardlink(full, target);
  }

  async symlink(safe, full, target) {
    const isRelative = target !== "" && target[0] !== "/" && !target.includes("\\");
    if (!isRelative || depthOf(path.dirname(safe), target) < 0) return false;
    await this.clear(full);
    await this.fs.symlink(target, full);
    this.#folders.clear();
    return true;
  }

  async hardlink(full, target) {
    const safe = safeName(target);
    if (safe === "") return false;
    const from = path.join(this.root, safe);
    const real = await this.fs.realpath(from).catch(() => "");
    if (!real.startsWith(`${this.root}/`)) return false;
    await this.clear(full);
    await this.fs.link(real, full);
    return true;
  }
}

/** How deep below the root a relative link gets at its highest point; negative: out of it. */
function depthOf(folder, target) {
  let depth = folder === "." ? 0 : folder.split("/").length;
  let least = depth;
  for (const part of target.split("/")) {
    if (part === "..") depth--;
    else if (part !== "" && part !== ".") depth++;
    least = Math.min(least, depth);
  }
  return least;
}

/** Writes entries { kind, name, target, mode, mtime } with their bytes; how many. */
exports.extract = async function extract(dir, entries, bytesOf) {
  const fs = require("node:fs/promises");
  const full = require("node:path").resolve(dir);
  await fs.mkdir(full, { recursive: true });
  const extraction = new Extraction(await fs.realpath(full));
  let n = 0;
  for (const entry of entries) if (await extraction.write(entry, bytesOf(entry))) n++;
  return n;
};
