// @internal
// node:fs/ops -- what each function of node:fs does, once for its three forms (fooSync, foo with a
// callback, promises.foo).
//
// A row of `simple` is an operation of the binding: `prepare` turns the arguments into those of the
// binding (and may add more behind them, which the binding leaves alone), `finish` turns what came
// back into the result; `length` is that of fooSync. A row of `composed` is a generator that yields
// [operation, ...arguments] and gets results, or has errors thrown into it.
const {
  toPath, toFd, toFlags, toMode, toBits, toSeconds, toId, toOptions, toName, isBytes, checkSignal,
} = require("node:fs/args");
const { validateInteger, validateBoolean, validateOneOf } = require("internal/validators");
const { makeStats, StatFs, Dirent, kDirectory } = require("node:fs/stats");

const simple = { __proto__: null };
const composed = { __proto__: null };

function define(name, length, operation, prepare, finish) {
  simple[name] = { name, length, operation, prepare, finish };
}
function compose(name, length, run) {
  composed[name] = { name, length, run };
}

// ---- Files --------------------------------------------------------------------------------------

define("access", 2, "access", (path, mode) => [toPath(path), toBits(mode)]);
define("open", 3, "open", (path, flags, mode) => [
  toPath(path), toFlags(flags), toMode(mode, "mode", 0o666),
]);
define("close", 1, "close", (fd) => [toFd(fd)]);
define("fsync", 1, "fsync", (fd) => [toFd(fd)]);
define("fdatasync", 1, "fdatasync", (fd) => [toFd(fd)]);

function toLength(value) {
  const length = value ?? 0;
  validateInteger(length, "len");
  return Math.max(0, length);
}
define("ftruncate", 1, "ftruncate", (fd, length) => [toFd(fd), toLength(length)]);
define("copyFile", 3, "copyFile", (from, to, mode) => [
  toPath(from, "src"), toPath(to, "dest"), toBits(mode),
]);

compose("truncate", 2, function* truncate(path, length) {
  const size = toLength(length);
  if (typeof path === "number") {
    yield ["ftruncate", toFd(path), size];
    return;
  }
  const fd = yield ["open", toPath(path), 2, 0o666];
  try {
    yield ["ftruncate", fd, size];
  } finally {
    yield ["close", fd];
  }
});

// ---- Metadata -----------------------------------------------------------------------------------

const statArguments = (path, options) => [
  toPath(path), options?.bigint === true, options?.throwIfNoEntry === false,
];
define("stat", 1, "stat", statArguments, makeStats);
define("lstat", 1, "lstat", statArguments, makeStats);
define("fstat", 1, "fstat", (fd, options) => [toFd(fd), options?.bigint === true], makeStats);
define(
  "statfs", 1, "statfs", (path, options) => [toPath(path), options?.bigint === true],
  (v) => new StatFs(v),
);
define("chmod", 2, "chmod", (path, mode) => [toPath(path), toMode(mode, "mode")]);
define("fchmod", 2, "fchmod", (fd, mode) => [toFd(fd), toMode(mode, "mode")]);
define("chown", 3, "chown", (path, uid, gid) => [toPath(path), toId(uid, "uid"), toId(gid, "gid")]);
define("lchown", 3, "lchown", (path, uid, gid) => [
  toPath(path), toId(uid, "uid"), toId(gid, "gid"),
]);
define("fchown", 3, "fchown", (fd, uid, gid) => [toFd(fd), toId(uid, "uid"), toId(gid, "gid")]);
define("utimes", 3, "utimes", (path, atime, mtime) => [
  toPath(path), toSeconds(atime), toSeconds(mtime),
]);
define("lutimes", 3, "lutimes", (path, atime, mtime) => [
  toPath(path), toSeconds(atime), toSeconds(mtime),
]);
define("futimes", 3, "futimes", (fd, atime, mtime) => [
  toFd(fd), toSeconds(atime, "atime"), toSeconds(mtime, "mtime"),
]);

// ---- Names --------------------------------------------------------------------------------------

define("rename", 2, "rename", (from, to) => [toPath(from, "oldPath"), toPath(to, "newPath")]);
define("unlink", 1, "unlink", (path) => [toPath(path)]);
define("link", 2, "link", (from, to) => [toPath(from, "existingPath"), toPath(to, "newPath")]);

define("symlink", 3, "symlink", (target, path, type) => {
  if (type !== undefined && type !== null) {
    validateOneOf(type, "type", ["dir", "file", "junction"]);
  }
  return [toPath(target, "target"), toPath(path)];
});

const named = (name) => (path, options) => {
  const { encoding } = toOptions(options);
  return [toPath(path, name), isBytes(encoding), encoding];
};
const finishName = (value, args) => toName(value, args[2]);
define("readlink", 2, "readlink", named("path"), finishName);
define("realpath", 2, "realpath", named("path"), finishName);
define("mkdtemp", 2, "mkdtemp", named("prefix"), finishName);

function mkdirArguments(path, options) {
  let mode = 0o777;
  let recursive = false;
  if (typeof options === "number" || typeof options === "string") {
    mode = toMode(options, "mode");
  } else if (options) {
    if (options.recursive !== undefined) {
      ({ recursive } = options);
      validateBoolean(recursive, "options.recursive");
    }
    if (options.mode !== undefined) mode = toMode(options.mode, "options.mode");
  }
  return [toPath(path), mode, recursive];
}
define("mkdir", 2, "mkdir", mkdirArguments);

// ---- Directories --------------------------------------------------------------------------------

function joinName(dir, name) {
  if (dir === "") return name;
  return dir.endsWith("/") ? dir + name : `${dir}/${name}`;
}

/** Names or Dirents of one folder from the binding's list of names and types. */
function makeDirents(list, dir, encoding) {
  const dirents = [];
  for (let i = 0; i < list.length; i += 2) {
    dirents.push(new Dirent(toName(list[i], encoding), dir, list[i + 1]));
  }
  return dirents;
}

function* readTree(root, encoding, withTypes) {
  const results = [];
  const folders = [""];
  for (let k = 0; k < folders.length; k++) {
    const prefix = folders[k];
    const dir = prefix === "" ? root : joinName(root, prefix);
    const list = yield ["readdir", dir, true, false];
    for (let i = 0; i < list.length; i += 2) {
      const name = joinName(prefix, list[i]);
      if (withTypes) results.push(new Dirent(list[i], dir, list[i + 1]));
      else results.push(encoding === undefined ? name : encodeName(name, encoding));
      if (list[i + 1] === kDirectory) folders.push(name);
    }
  }
  return results;
}

function encodeName(name, encoding) {
  if (!isBytes(encoding)) return name;
  const bytes = require("node:buffer").Buffer.from(name);
  return encoding === "buffer" ? bytes : bytes.toString(encoding);
}

compose("readdir", 2, function* readdir(path, options) {
  const { encoding, withFileTypes, recursive } = toOptions(options);
  const dir = toPath(path);
  if (recursive !== undefined && recursive !== null) {
    validateBoolean(recursive, "options.recursive");
  }
  if (recursive) return yield* readTree(String(dir), encoding, Boolean(withFileTypes));
  const asBytes = isBytes(encoding);
  const list = yield ["readdir", dir, Boolean(withFileTypes), asBytes];
  if (withFileTypes) return makeDirents(list, String(dir), encoding);
  return asBytes ? list.map((name) => toName(name, encoding)) : list;
});

/** Node says which part of the path is wrong: the first that lstat() does not like. */
function* explainRealpath(path, error) {
  const parts = path.split("/");
  for (let i = 1; i <= parts.length; i++) {
    const part = parts.slice(0, i).join("/");
    if (part !== "") yield ["lstat", part, false, false];
  }
  throw error;
}

compose("realpath", 2, function* realpath(path, options) {
  const { encoding } = toOptions(options);
  const checked = toPath(path);
  let found;
  try {
    found = yield ["realpath", checked, false];
  } catch (error) {
    const { resolve } = require("node:path");
    yield* explainRealpath(resolve(String(checked)), error);
  }
  return encodeName(found, encoding);
});

// ---- Removing -----------------------------------------------------------------------------------

const kRemoveDefaults = { recursive: false, force: false, maxRetries: 0, retryDelay: 100 };

function removeOptions(options, name = "options") {
  const { validateObject, validateInt32, validateUint32 } = require("internal/validators");
  if (options === undefined) return kRemoveDefaults;
  validateObject(options, name);
  const all = { ...kRemoveDefaults, ...options };
  validateBoolean(all.recursive, "options.recursive");
  validateBoolean(all.force, "options.force");
  validateInt32(all.retryDelay, "options.retryDelay", 0);
  validateUint32(all.maxRetries, "options.maxRetries");
  return all;
}

function directoryError(path) {
  const { SystemError } = require("internal/errors/system");
  return new SystemError("ERR_FS_EISDIR", "Path is a directory", {
    code: "EISDIR", message: "is a directory", path, syscall: "rm", errno: 21,
  });
}

compose("rm", 2, function* rm(path, options) {
  const { recursive, force } = removeOptions(options);
  const checked = toPath(path);
  const stats = makeStats(yield ["lstat", checked, false, force]);
  if (stats === undefined) return;
  if (stats.isDirectory() && !recursive) throw directoryError(path);
  try {
    yield [recursive ? "rm" : "unlink", checked];
  } catch (error) {
    if (!force || error.code !== "ENOENT") throw error;
  }
});

compose("rmdir", 2, function* rmdir(path, options) {
  const checked = toPath(path);
  const { recursive } = removeOptions(options);
  if (!recursive) {
    yield ["rmdir", checked];
    return;
  }
  const stats = makeStats(yield ["lstat", checked, false, false]);
  yield [stats.isDirectory() ? "rm" : "rmdir", checked];
});

// ---- Whole files --------------------------------------------------------------------------------

const kReadDefaults = { __proto__: null, flag: "r" };
const kWriteDefaults = { __proto__: null, encoding: "utf8", mode: 0o666, flag: "w", flush: false };
const kAppendDefaults = { __proto__: null, encoding: "utf8", mode: 0o666, flag: "a", flush: false };

const isFile = (path) => typeof path === "number";
const isText = (encoding) => encoding === "utf8" || encoding === "utf-8";

function tooLarge(error) {
  if (error.code !== "EFBIG" || error.syscall !== "read") return error;
  const { ERR_FS_FILE_TOO_LARGE } = require("internal/errors");
  return new ERR_FS_FILE_TOO_LARGE(2 ** 31);
}

compose("readFile", 2, function* readFile(path, options) {
  const { encoding, flag, signal } = toOptions(options, kReadDefaults);
  checkSignal(signal);
  const where = isFile(path) ? toFd(path) : toPath(path);
  let content;
  try {
    content = yield ["readFile", where, toFlags(flag ?? "r", "options.flag"), isText(encoding)];
  } catch (error) {
    throw tooLarge(error);
  }
  checkSignal(signal);
  return typeof content === "string" ? content : toName(content, encoding || "buffer");
});

function* writeWhole(path, data, options) {
  const { toData } = require("node:fs/args");
  const { encoding, mode, flag, flush, signal } = options;
  if (flush !== undefined && flush !== null) validateBoolean(flush, "options.flush");
  checkSignal(signal);
  const bytes = toData(data, encoding);
  const where = isFile(path) ? toFd(path) : toPath(path);
  yield [
    "writeFile", where, bytes, toFlags(flag ?? "w"), toMode(mode, "mode", 0o666), Boolean(flush),
  ];
  checkSignal(signal);
}

compose("writeFile", 3, function* writeFile(path, data, options) {
  yield* writeWhole(path, data, toOptions(options, kWriteDefaults));
});
compose("appendFile", 3, function* appendFile(path, data, options) {
  const all = toOptions(options, kAppendDefaults);
  yield* writeWhole(path, data, { ...all, flag: all.flag ?? "a" });
});

compose("cp", 3, function* cp(from, to, options) {
  yield* require("node:fs/cp").copy(from, to, options);
});

exports.simple = simple;
exports.composed = composed;
exports.joinName = joinName;
