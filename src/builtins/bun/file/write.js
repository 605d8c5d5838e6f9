// @internal
// bun:file/write -- Bun.write(): anything into a file.

const errors = require("internal/errors");
const { call } = require("node:fs/run");
const { isBlob, partsOf, readAll } = require("web/blob");
const { encode } = require("web/blob/bytes");

const O_WRONLY = 1;
const O_CREAT = 0o100;
const O_TRUNC = 0o1000;
const FLAGS = O_WRONLY | O_CREAT | O_TRUNC;
const MODE = 0o664;
const SMALL_MAX = 16384;
const { isView } = ArrayBuffer;

function toDestination(value) {
  const { isBunFile, partOf, toTarget } = require("bun:file");
  if (isBunFile(value)) return partOf(value).target;
  if (typeof value === "number" || typeof value === "string") return toTarget(value);
  const isPath = typeof value === "object" && value !== null && !isBlob(value);
  if (!isPath) {
    throw errors.makeCoded(
      "TypeError", "ERR_INVALID_ARG_TYPE",
      'The "destination" argument must be of type path, file descriptor, or Blob. ' +
        `Received ${errors.determineSpecificType(value).replace(/^type /, "")}`,
    );
  }
  return toTarget(value);
}

/** Runs `open`, once more with the folders above the path when they are missing. */
async function withFolders(path, options, open) {
  try {
    return await open();
  } catch (error) {
    const mayMake = options?.createPath !== false && typeof path === "string";
    if (!mayMake || error?.code !== "ENOENT") throw error;
    const { dirname } = require("node:path");
    await require("node:fs/promises").mkdir(dirname(path), { recursive: true });
    return open();
  }
}

async function writeBytes(target, data, options) {
  const mode = options?.mode ?? MODE;
  await withFolders(target, options, () => {
    if (data.byteLength <= SMALL_MAX && typeof target === "string") {
      // Sooner done than handed to another thread; pipes and the like might block.
      const { statNow } = require("bun:file/part");
      const stat = statNow(target);
      if (stat === null || stat.isRegular) {
        return require("node:fs/binding").writeFile(undefined, target, data, FLAGS, mode, false);
      }
    }
    return call("writeFile", [target, data, FLAGS, mode, false]);
  });
  return data.byteLength;
}

/** Writes all of a stream; the file is closed whatever happens. */
async function writeStream(target, stream, options) {
  const { toBytes } = require("web/fetch/streams");
  const reader = stream.getReader();
  const isOurs = typeof target === "string";
  const mode = options?.mode ?? MODE;
  const fd = isOurs
    ? await withFolders(target, options, () => call("open", [target, FLAGS, mode])) : target;
  let total = 0;
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) break;
      const chunk = isView(value) ? value : toBytes(value);
      await writeAll(fd, chunk);
      total += chunk.byteLength;
    }
  } catch (error) {
    reader.cancel(error).catch(() => {});
    throw error;
  } finally {
    if (isOurs) await call("close", [fd]);
  }
  return total;
}

/** Every byte of a chunk, at the position where the file is. */
async function writeAll(fd, chunk) {
  for (let at = 0; at < chunk.byteLength;) {
    at += await call("write", [fd, chunk, at, chunk.byteLength - at, -1]);
  }
}

async function copyFile(target, part, options) {
  const { statNow } = require("bun:file/part");
  await withFolders(target, options, async () => {
    if (statNow(part.path) === null) await call("open", [part.path, 0, 0]);
    return call("copyFile", [part.path, target, 0]);
  });
  if (options?.mode !== undefined) await call("chmod", [target, options.mode]);
  return statNow(target)?.size ?? 0;
}

async function writeBlob(target, blob, options) {
  const parts = partsOf(blob);
  const isWhole = parts.length === 1 && parts[0].path !== undefined && parts[0].start === 0 &&
    parts[0].end === Infinity;
  if (isWhole && typeof target === "string") {
    const { statNow } = require("bun:file/part");
    if (parts[0].path === target) return parts[0].size;
    const from = statNow(parts[0].path);
    if (from === null || from.isRegular) {
      const to = statNow(target);
      if (to === null || to.isRegular) return copyFile(target, parts[0], options);
    }
  }
  if (parts.every((part) => isView(part))) return writeBytes(target, readAll(blob), options);
  return writeStream(target, blob.stream(), options);
}

async function writeBody(target, body, options) {
  const { kinds, takeBody } = require("web/fetch/body");
  const parts = takeBody(body, {});
  switch (parts.kind) {
    case kinds.NONE: return writeBytes(target, new Uint8Array(0), options);
    case kinds.STRING: return writeBytes(target, encode(parts.value), options);
    case kinds.BYTES: return writeBytes(target, parts.value, options);
    case kinds.BLOB: return writeBlob(target, parts.value, options);
    case kinds.SOURCE: return writeStream(target, parts.value.stream(), options);
    default: return writeStream(target, parts.value, options);
  }
}

async function run(target, input, options) {
  if (typeof input === "string") return writeBytes(target, encode(input), options);
  if (typeof input === "object") {
    if (isBlob(input)) return writeBlob(target, input, options);
    const copy = require("web/blob/bytes").copy(input);
    if (copy !== undefined) return writeBytes(target, copy, options);
    const { isBody } = require("web/fetch/body");
    if (isBody(input)) return writeBody(target, input, options);
    const { isReadableStream } = require("web/fetch/streams");
    if (isReadableStream(input)) return writeStream(target, input, options);
    if (Array.isArray(input)) {
      return writeBlob(target, new (require("web/blob").Blob)(input), options);
    }
    if (typeof input[Symbol.asyncIterator] === "function") {
      const { streamFrom } = require("web/fetch/streams");
      return writeStream(target, streamFrom(input), options);
    }
    const packed = require("bun:archive").packedOf(input);
    if (packed !== undefined) return writeBytes(target, await packed, options);
  }
  return writeBytes(target, encode(`${input}`), options);
}

/** Bun.write(destination, input, options): a promise of the number of bytes. */
exports.write = function write(destination, input, options = undefined) {
  const target = toDestination(destination);
  if (input === undefined || input === null) {
    throw errors.makeCoded(
      "TypeError", "ERR_INVALID_ARG_TYPE",
      "Bun.write(pathOrFdOrBlob, blob) expects a Blob-y thing to write",
    );
  }
  if (options !== undefined && options !== null && typeof options !== "object") {
    throw new errors.ERR_INVALID_ARG_TYPE("options", "Object", options);
  }
  return run(target, input, options);
};

exports.writeAll = writeAll;
