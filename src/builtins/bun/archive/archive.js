// @internal
// bun:archive -- Bun.Archive: tar archives, plain or compressed with gzip.
//
// native: entries(bytes), see archive.c
const { makeCoded } = require("internal/errors");

const FILE = 0;
const LEVEL = 6;

const wrong = (text) => makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", text);

const isBytes = (value) =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;

function bytesOf(value) {
  if (ArrayBuffer.isView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return Buffer.from(value);
}

/** 0: not compressed. */
function levelOf(options) {
  if (options === undefined || options === null) return 0;
  if (typeof options !== "object") throw wrong("Archive: options must be an object");
  const { compress, level } = options;
  if (compress === undefined) return 0;
  if (compress !== "gzip") throw wrong('Archive: compress option must be "gzip"');
  if (level === undefined) return LEVEL;
  if (!(Number.isInteger(level) && level >= 1 && level <= 12)) {
    throw wrong("Archive: level must be between 1 and 12");
  }
  return level;
}

function matcherOf(glob, name) {
  if (glob === undefined || glob === null) return () => true;
  const list = Array.isArray(glob) ? glob : [glob];
  if (!list.every((each) => typeof each === "string")) {
    throw wrong(`${name}: glob must be a string or array of strings`);
  }
  const patterns = list.filter((each) => each !== "");
  const { match } = require("bun:glob");
  const isNegative = (each) => each[0] === "!";
  const negative = patterns.filter(isNegative).map((each) => each.slice(1));
  const positive = patterns.filter((each) => !isNegative(each));
  return (path) =>
    (positive.length === 0 || positive.some((each) => match(each, path, true))) &&
    !negative.some((each) => match(each, path, true));
}

let packed; // the bytes of an archive, as a promise

class Archive {
  #data;
  #level;

  constructor(data, options = undefined) {
    if (typeof data !== "object" || data === null) {
      throw wrong("Expected an object, Blob, TypedArray, or ArrayBuffer");
    }
    this.#level = levelOf(options);
    if (data instanceof Blob) this.#data = data;
    else if (isBytes(data)) this.#data = Buffer.from(bytesOf(data)); // as it is now
    else this.#data = Object.entries(data).map(([name, value]) => [name, copyOf(value)]);
  }

  static {
    packed = async (archive) => {
      let bytes = await archive.#unpacked();
      const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
      if (archive.#level > 0 && !isGzip) bytes = await compress(bytes, archive.#level);
      return bytes;
    };
  }

  async #unpacked() {
    const data = this.#data;
    if (data instanceof Blob) return Buffer.from(await data.arrayBuffer());
    if (!Array.isArray(data)) return data;
    const entries = [];
    for (const [name, value] of data) {
      const bytes = value instanceof Blob ? Buffer.from(await value.arrayBuffer()) : value;
      entries.push([name, bytes]);
    }
    return require("bun:archive/tar").pack(entries);
  }

  /** { bytes, entries } of the archive, not compressed. */
  async #read() {
    let bytes = await this.#unpacked();
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = await decompress(bytes);
    if (bytes.length < 512) throw new Error("Unrecognized archive format");
    const entries = native.entries(bytes).map(([kind, name, target, offset, size, mode, mtime]) => {
      return { kind, name, target, offset, size, mode, mtime };
    });
    return { bytes, entries };
  }

  /** A Map of path to File. */
  async files(glob = undefined) {
    const matches = matcherOf(glob, "Archive.files");
    const { bytes, entries } = await this.#read();
    const files = new Map();
    for (const { kind, name, offset, size, mtime } of entries) {
      if (kind !== FILE || !matches(name.replaceAll("\\", "/"))) continue;
      const content = bytes.subarray(offset, offset + size);
      files.set(name, new File([content], name, { lastModified: mtime * 1000 }));
    }
    return files;
  }

  /** Writes to a folder; how many entries. */
  async extract(dir, options = undefined) {
    if (typeof dir !== "string") throw wrong("Archive.extract requires a path argument");
    const matches = matcherOf(options?.glob, "Archive.extract");
    const { extract, safeName } = require("bun:archive/extract");
    const { bytes, entries } = await this.#read();
    const chosen = entries.filter(({ name }) => matches(safeName(name)));
    return extract(dir, chosen, ({ offset, size }) => bytes.subarray(offset, offset + size));
  }

  async bytes() {
    return packed(this);
  }

  async blob() {
    return new Blob([await packed(this)]);
  }

  static async write(path, data, options = undefined) {
    if (typeof path !== "string") {
      throw wrong("Archive.write: first argument must be a string path");
    }
    if (typeof data !== "object" || data === null) {
      throw wrong("Expected an object, Blob, TypedArray, ArrayBuffer, or Archive");
    }
    const archive = data instanceof Archive ? data : new Archive(data, options);
    await require("bun:file/write").write(path, await packed(archive));
  }
}

function copyOf(value) {
  if (value instanceof Blob) return value;
  return isBytes(value) ? Buffer.from(bytesOf(value)) : Buffer.from(`${value}`);
}

function compress(bytes, level) {
  // The format has nine levels.
  const { gzip } = require("node:zlib");
  return require("node:util").promisify(gzip)(bytes, { level: Math.min(level, 9) });
}

function decompress(bytes) {
  return require("node:util").promisify(require("node:zlib").gunzip)(bytes);
}

exports.Archive = Archive;
/** The bytes of `value` when it is an Archive, as a promise; else undefined. */
exports.packedOf = (value) => (value instanceof Archive ? packed(value) : undefined);
