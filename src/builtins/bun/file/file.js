// @internal
// bun:file -- Bun.file() and the object that it gives: a Blob over a file that is not read before
// somebody asks, with exists, stat, delete, write and writer.
//
// native: mmap(path, isShared) -> Uint8Array

const errors = require("internal/errors");
const { Blob, makeBlob, partsOf, toType } = require("web/blob");
const { FilePart, statNow } = require("bun:file/part");
const { call } = require("node:fs/run");

const FD_MAX = 2147483647;
const TIME_UNKNOWN = 4503599627370495;
const S_IFMT = 0o170000;
const S_IFDIR = 0o040000;

let isBunFile;
let makeFile;

const partOf = (file) => partsOf(file)[0];

/** The path or descriptor that an argument means. */
function toTarget(value) {
  if (typeof value === "string") return value;
  if (typeof value === "number") {
    if (!Number.isInteger(value) || value < 0 || value > FD_MAX) {
      throw new errors.ERR_OUT_OF_RANGE("fd", `>= 0 && <= ${FD_MAX}`, value);
    }
    return value;
  }
  if (require("web/url").isURL(value)) {
    return require("internal/file_url").fileURLToPath(value);
  }
  const bytes = require("web/blob/bytes");
  const copy = typeof value === "object" && value !== null ? bytes.copy(value) : undefined;
  if (copy !== undefined) return bytes.decode(copy);
  throw errors.makeCoded(
    "TypeError", "ERR_INVALID_ARG_TYPE", "Expected file path string or file descriptor",
  );
}

/** The Stats of a part, as node:fs gives them. */
async function statOf({ path, fd }) {
  if (path !== undefined) return require("node:fs/promises").stat(path);
  return require("node:fs").fstatSync(fd);
}

async function unlink({ path }) {
  if (path === undefined) {
    throw errors.makeCoded("TypeError", "ERR_INVALID_STATE", "a descriptor has no name");
  }
  await call("unlink", [path]);
}

class BunFile extends Blob {
  #part = null;
  #type = null;

  get name() {
    return BunFile.#of(this).#part.path;
  }

  get type() {
    const self = BunFile.#of(this);
    self.#type ??= require("bun:file/types").typeOf(self.#part.path ?? "");
    return self.#type;
  }

  get size() {
    return BunFile.#of(this).#part.size;
  }

  get lastModified() {
    const { target } = BunFile.#of(this).#part;
    try {
      const fs = require("node:fs");
      const stat = typeof target === "number" ? fs.fstatSync(target) : fs.statSync(target);
      return Math.trunc(stat.mtimeMs);
    } catch {
      return TIME_UNKNOWN;
    }
  }

  slice(start = 0, end = undefined, contentType = undefined) {
    const self = BunFile.#of(this);
    if (typeof start === "string" && end === undefined) [start, contentType] = [0, start];
    if (typeof end === "string" && contentType === undefined) [end, contentType] = [undefined, end];
    const part = self.#part;
    const needsSize = start < 0 || end < 0;
    const size = needsSize ? part.size : Infinity;
    const toOffset = (n) => (n < 0 ? Math.max(size + n, 0) : n);
    const from = toOffset(Math.trunc(+start) || 0);
    const to = end === undefined ? Infinity : Math.max(toOffset(Math.trunc(+end) || 0), from);
    const type = contentType === undefined ? self.type : toType(contentType);
    return makeFile(part.slice(from, to), type);
  }

  async exists() {
    const { target } = BunFile.#of(this).#part;
    const stat = statNow(target);
    if (stat === null) return false;
    return stat.isRegular || !isDirectory(target);
  }

  async stat() {
    return statOf(BunFile.#of(this).#part);
  }

  async unlink() {
    await unlink(BunFile.#of(this).#part);
  }

  async delete() {
    await unlink(BunFile.#of(this).#part);
  }

  write(data, options = undefined) {
    return require("bun:file/write").write(BunFile.#of(this), data, options);
  }

  writer(options = undefined) {
    const { FileSink } = require("bun:file/sink");
    return new FileSink(BunFile.#of(this).#part.target, options);
  }

  static #of(value) {
    if (!isBunFile(value)) throw new errors.ERR_INVALID_THIS("Blob");
    return value;
  }

  static {
    isBunFile = (value) => typeof value === "object" && value !== null && #part in value;
    makeFile = (part, type) => {
      const file = makeBlob([part], -1, "", new BunFile());
      file.#part = part;
      file.#type = type;
      return file;
    };
  }
}

function isDirectory(target) {
  const fs = require("node:fs");
  const stat = typeof target === "number" ? fs.fstatSync(target) : fs.statSync(target);
  return (stat.mode & S_IFMT) === S_IFDIR;
}

Object.defineProperty(BunFile.prototype, "constructor", {
  __proto__: null, value: Blob, writable: true, configurable: true, enumerable: false,
});

/** Bun.file(path, options) */
function file(path, options = undefined) {
  if (isBunFile(path)) return path;
  const target = toTarget(path);
  if (typeof target === "string" && target.startsWith("s3://")) throw errors.notImplemented("S3");
  if (typeof target === "string" && target.includes("\0")) {
    throw new errors.ERR_INVALID_ARG_VALUE("path", target, "must not have a NUL in it");
  }
  const type = options?.type;
  return makeFile(new FilePart(target), typeof type === "string" ? toType(type) : null);
}

/** Bun.mmap(path, options) */
function mmap(path, options = undefined) {
  const target = toTarget(path);
  if (typeof target !== "string") throw new errors.ERR_INVALID_ARG_TYPE("path", "string", path);
  return native.mmap(target, options?.shared !== false);
}

exports.file = file;
exports.isBunFile = isBunFile;
exports.mmap = mmap;
exports.partOf = partOf;
exports.toTarget = toTarget;
