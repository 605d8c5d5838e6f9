// node:fs -- the module that programs see (Node: fs).  What the functions do is in node:fs/ops.
const { lazies } = require("internal/process_util");
const { simple, composed } = require("node:fs/ops");
const run = require("node:fs/run");
const rw = require("node:fs/rw");
const args = require("node:fs/args");
const stats = require("node:fs/stats");
const binding = require("node:fs/binding");

const rows = Object.values(simple).concat(Object.values(composed));
for (let i = 0; i < rows.length; i++) {
  const row = rows[i];
  exports[`${row.name}Sync`] = run.makeSync(row);
  exports[row.name] = run.makeCallback(row);
}
exports.realpathSync.native = run.named("native", 2, run.makeSync(simple.realpath));
exports.realpath.native = run.named("native", 3, run.makeCallback(simple.realpath));

for (let i = 0, all = ["read", "write", "readv", "writev"]; i < all.length; i++) {
  const name = all[i];
  exports[name] = rw[name];
  exports[`${name}Sync`] = rw[`${name}Sync`];
}

exports.close = function close(fd, callback) {
  const file = args.toFd(fd);
  const done = callback === undefined ? rethrow : args.toCallback(callback);
  binding.close(done, file);
};

function rethrow(error) {
  if (error) throw error;
}

exports.existsSync = function existsSync(path) {
  let checked;
  try {
    checked = args.toPath(path);
  } catch {
    return false;
  }
  return binding.exists(undefined, checked);
};

exports.exists = function exists(path, callback) {
  const done = args.toCallback(callback);
  let checked;
  try {
    checked = args.toPath(path);
  } catch {
    require("internal/tick").nextTick(() => done(false));
    return;
  }
  binding.exists((error, value) => done(!error && value), checked);
};
const kPromisify = Symbol.for("nodejs.util.promisify.custom");
function promiseOf(fn, name) {
  Object.defineProperty(exports[name], kPromisify, { value: fn, configurable: true });
}
promiseOf((path) => new Promise((resolve) => { exports.exists(path, resolve); }), "exists");
for (let i = 0, all = ["read", "readv", "write", "writev"]; i < all.length; i++) {
  const name = all[i];
  const parts = name.startsWith("read") ? "bytesRead" : "bytesWritten";
  const what = name.endsWith("v") ? "buffers" : "buffer";
  promiseOf((...list) => new Promise((resolve, reject) => {
    exports[name](...list, (error, n, data) => {
      if (error) reject(error);
      else resolve({ [parts]: n, [what]: data });
    });
  }), name);
}

// ---- Files read and written in one go, by far the most used -------------------------------------

const { makeSync } = run;
const slow = {
  readFile: makeSync(composed.readFile),
  stat: makeSync(simple.stat),
  lstat: makeSync(simple.lstat),
  fstat: makeSync(simple.fstat),
};

exports.readFileSync = function readFileSync(path, options) {
  const isText = options === "utf8" || options === "utf-8";
  if (!isText || typeof path !== "string") return slow.readFile(path, options);
  return binding.readFile(undefined, args.toPath(path), 0, true);
};

const { statNow } = stats;

exports.statSync = function statSync(path, options) {
  if (options?.bigint === true) return slow.stat(path, options);
  return statNow(0, args.toPath(path), options?.throwIfNoEntry === false);
};
exports.lstatSync = function lstatSync(path, options) {
  if (options?.bigint === true) return slow.lstat(path, options);
  return statNow(1, args.toPath(path), options?.throwIfNoEntry === false);
};
exports.fstatSync = function fstatSync(fd, options) {
  if (options?.bigint === true) return slow.fstat(fd, options);
  return statNow(2, args.toFd(fd), false);
};

// ---- What is loaded when it is asked for --------------------------------------------------------

const lazy = (names, load) => lazies(exports, names, (name) => load()[name]);

lazy(["Dir", "opendir", "opendirSync"], () => require("node:fs/dir"));
lazy(["watch", "watchFile", "unwatchFile", "FSWatcher", "StatWatcher"],
  () => require("node:fs/watch"));
lazy(["ReadStream", "WriteStream", "FileReadStream", "FileWriteStream", "createReadStream",
  "createWriteStream"], () => require("node:fs/streams"));
lazy(["glob", "globSync"], () => require("node:fs/glob"));
lazy(["Utf8Stream"], () => require("node:fs/utf8_stream"));
lazy(["promises"], () => ({ promises: require("node:fs/promises") }));
lazy(["mkdtempDisposableSync", "openAsBlob"], () => require("node:fs/more"));

// Deprecated, and there on macOS only.
exports.lchmod = undefined;
exports.lchmodSync = undefined;
exports.Dirent = stats.Dirent;
exports.Stats = stats.Stats;
exports._toUnixTimestamp = args.toSeconds;
exports.constants = require("node:fs/constants");
for (let i = 0, all = ["F_OK", "R_OK", "W_OK", "X_OK"]; i < all.length; i++) {
  const name = all[i];
  Object.defineProperty(exports, name, {
    value: exports.constants[name], enumerable: false, configurable: true, writable: true,
  });
}
