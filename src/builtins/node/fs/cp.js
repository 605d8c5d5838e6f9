// @internal
// node:fs/cp -- copying of files and trees (Node: lib/internal/fs/cp), as a generator of operations
// (node:fs/ops).
const { toPath, toBits } = require("node:fs/args");
const { validateBoolean, validateFunction, validateObject } = require("internal/validators");
const { makeStats } = require("node:fs/stats");

const kDefaults = {
  dereference: false,
  errorOnExist: false,
  filter: undefined,
  force: true,
  preserveTimestamps: false,
  recursive: false,
  verbatimSymlinks: false,
};

function cpOptions(options) {
  if (options === undefined) return { ...kDefaults, mode: 0 };
  validateObject(options, "options");
  const all = { ...kDefaults, ...options };
  for (let i = 0, list = ["dereference", "errorOnExist", "force", "preserveTimestamps", "recursive",
    "verbatimSymlinks"]; i < list.length; i++) {
    const name = list[i];
    validateBoolean(all[name], `options.${name}`);
  }
  all.mode = toBits(options.mode);
  if (all.dereference === true && all.verbatimSymlinks === true) {
    const { ERR_INCOMPATIBLE_OPTION_PAIR } = require("internal/errors");
    throw new ERR_INCOMPATIBLE_OPTION_PAIR("dereference", "verbatimSymlinks");
  }
  if (options.filter !== undefined) validateFunction(options.filter, "options.filter");
  return all;
}

const kErrors = {
  __proto__: null,
  ERR_FS_CP_EINVAL: ["Invalid src or dest", "EINVAL", 22],
  ERR_FS_CP_EEXIST: ["Target already exists", "EEXIST", 17],
  ERR_FS_EISDIR: ["Recursive option not enabled, cannot copy a directory", "EISDIR", 21],
  ERR_FS_CP_DIR_TO_NON_DIR: ["Cannot overwrite non-directory with directory", "EISDIR", 21],
  ERR_FS_CP_NON_DIR_TO_DIR: ["Cannot overwrite directory with non-directory", "ENOTDIR", 20],
  ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY: [
    "Cannot overwrite symlink in subdirectory of self", "EINVAL", 22,
  ],
  ERR_FS_CP_SOCKET: ["Cannot copy a socket file", "EINVAL", 22],
  ERR_FS_CP_FIFO_PIPE: ["Cannot copy a FIFO pipe", "EINVAL", 22],
  ERR_FS_CP_UNKNOWN: ["Cannot copy an unknown file type", "EINVAL", 22],
};

function cpError(key, message, path) {
  const { SystemError } = require("internal/errors/system");
  const { 0: prefix, 1: code, 2: errno } = kErrors[key];
  return new SystemError(key, prefix, { message, path, syscall: "cp", errno, code });
}

const isSame = (a, b) => a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;

/** Is `dest` in the folder `src`? */
function isInside(src, dest) {
  const { resolve } = require("node:path");
  const outer = resolve(src).split("/");
  const inner = resolve(dest).split("/");
  return outer.every((part, i) => inner[i] === part);
}

function* statOf(path, options) {
  return makeStats(yield [options.dereference ? "stat" : "lstat", path, true, false]);
}

function* statOrNothing(path, options) {
  return makeStats(yield [options.dereference ? "stat" : "lstat", path, true, true]);
}

/** Stats of both; what cannot be copied where throws. */
function* checkPaths(src, dest, options) {
  const from = yield* statOf(src, options);
  const to = yield* statOrNothing(dest, options);
  if (isSame(from, to)) throw cpError("ERR_FS_CP_EINVAL", "src and dest cannot be the same", dest);
  if (to !== undefined && from.isDirectory() && !to.isDirectory()) {
    throw cpError(
      "ERR_FS_CP_DIR_TO_NON_DIR", `cannot overwrite non-directory ${dest} with directory ${src}`,
      dest,
    );
  }
  if (to !== undefined && !from.isDirectory() && to.isDirectory()) {
    throw cpError(
      "ERR_FS_CP_NON_DIR_TO_DIR", `cannot overwrite directory ${dest} with non-directory ${src}`,
      dest,
    );
  }
  if (from.isDirectory() && isInside(src, dest)) {
    throw cpError(
      "ERR_FS_CP_EINVAL", `cannot copy ${src} to a subdirectory of self ${dest}`, dest,
    );
  }
  return [from, to];
}

/** Is one of the folders above `dest`, links followed, the source itself? */
function* checkParents(src, from, dest) {
  const { resolve, dirname } = require("node:path");
  if (!from.isDirectory()) return;
  const end = resolve(dirname(src));
  for (let dir = resolve(dirname(dest)); dir !== end && dir !== "/"; dir = dirname(dir)) {
    const stats = makeStats(yield ["stat", dir, true, true]);
    if (stats === undefined) return;
    if (!isSame(from, stats)) continue;
    throw cpError(
      "ERR_FS_CP_EINVAL", `cannot copy ${src} to a subdirectory of self ${dest}`, dest,
    );
  }
}

function* isWanted(src, dest, options) {
  if (options.filter === undefined) return true;
  const answer = options.filter(src, dest);
  return typeof answer?.then === "function" ? yield ["await", answer] : answer;
}

function* setTimes(src, dest) {
  const stats = makeStats(yield ["stat", src, false, false]);
  yield ["utimes", dest, stats.atimeMs / 1000, stats.mtimeMs / 1000];
}

function* copyFile(from, to, src, dest, options) {
  if (to !== undefined) {
    if (!options.force) {
      if (!options.errorOnExist) return;
      throw cpError("ERR_FS_CP_EEXIST", `${dest} already exists`, dest);
    }
    yield ["unlink", dest];
  }
  yield ["copyFile", src, dest, options.mode];
  const mode = Number(from.mode) & 0o7777;
  if (options.preserveTimestamps) {
    if ((mode & 0o200) === 0) yield ["chmod", dest, mode | 0o200];
    yield* setTimes(src, dest);
  }
  yield ["chmod", dest, mode];
}

function* copyFolder(from, to, src, dest, options) {
  const { joinName } = require("node:fs/ops");
  if (to === undefined) yield ["mkdir", dest, 0o777, false];
  else if (options.errorOnExist && !options.force) {
    throw cpError("ERR_FS_CP_EEXIST", `${dest} already exists`, dest);
  }
  const list = yield ["readdir", src, true, false];
  for (let i = 0; i < list.length; i += 2) {
    const inner = joinName(src, list[i]);
    const target = joinName(dest, list[i]);
    if (!(yield* isWanted(inner, target, options))) continue;
    const stats = yield* checkPaths(inner, target, options);
    yield* copyOne(stats, inner, target, options);
  }
  if (to === undefined) yield ["chmod", dest, Number(from.mode) & 0o7777];
}

function* copyLink(to, src, dest, options) {
  const { resolve, dirname } = require("node:path");
  let target = yield ["readlink", src, false];
  if (!options.verbatimSymlinks) target = resolve(dirname(src), target);
  if (to === undefined) {
    yield ["symlink", target, dest];
    return;
  }
  let old;
  try {
    old = yield ["readlink", dest, false];
  } catch (error) {
    if (error.code !== "EINVAL" && error.code !== "UNKNOWN") throw error;
    yield ["symlink", target, dest];
    return;
  }
  old = resolve(dirname(dest), old);
  const source = makeStats(yield ["stat", src, false, true]);
  if (source?.isDirectory() && isInside(target, old)) {
    throw cpError(
      "ERR_FS_CP_EINVAL", `cannot copy ${target} to a subdirectory of self ${old}`, dest,
    );
  }
  const stats = makeStats(yield ["stat", dest, false, true]);
  if (stats?.isDirectory() && isInside(old, target)) {
    throw cpError(
      "ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY", `cannot overwrite ${old} with ${target}`, dest,
    );
  }
  yield ["unlink", dest];
  yield ["symlink", target, dest];
}

function* copyOne([from, to], src, dest, options) {
  if (from.isDirectory()) {
    if (!options.recursive) {
      throw cpError("ERR_FS_EISDIR", `${src} is a directory (not copied)`, src);
    }
    yield* copyFolder(from, to, src, dest, options);
  } else if (from.isFile() || from.isCharacterDevice() || from.isBlockDevice()) {
    yield* copyFile(from, to, src, dest, options);
  } else if (from.isSymbolicLink()) {
    yield* copyLink(to, src, dest, options);
  } else if (from.isSocket()) {
    throw cpError("ERR_FS_CP_SOCKET", `cannot copy a socket file: ${dest}`, dest);
  } else if (from.isFIFO()) {
    throw cpError("ERR_FS_CP_FIFO_PIPE", `cannot copy a FIFO pipe: ${dest}`, dest);
  } else {
    throw cpError("ERR_FS_CP_UNKNOWN", `cannot copy an unknown file type: ${dest}`, dest);
  }
}

exports.copy = function* copy(from, to, options) {
  const all = cpOptions(options);
  const src = String(toPath(from, "src"));
  const dest = String(toPath(to, "dest"));
  if (!(yield* isWanted(src, dest, all))) return;
  const stats = yield* checkPaths(src, dest, all);
  yield* checkParents(src, stats[0], dest);
  const { dirname } = require("node:path");
  if (stats[1] === undefined) yield ["mkdir", dirname(dest), 0o777, true];
  yield* copyOne(stats, src, dest, all);
};
