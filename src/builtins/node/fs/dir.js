// @internal
// node:fs/dir -- Dir, what opendir() gives.  The names are read when it is opened.
const { perform } = require("node:fs/run");
const { toPath, toOptions, isBytes, toName } = require("node:fs/args");
const { validateUint32, validateFunction } = require("internal/validators");
const { Dirent } = require("node:fs/stats");

const kDispose = Symbol.dispose;
const kAsyncDispose = Symbol.asyncDispose;

class Dir {
  #path;
  #list;
  #at = 0;
  #encoding;
  #isClosed = false;
  constructor(list, path, options) {
    this.#list = list;
    this.#path = path;
    this.#encoding = options?.encoding;
  }
  get path() {
    if (!(#path in this)) {
      const { ERR_INVALID_THIS } = require("internal/errors");
      throw new ERR_INVALID_THIS("Dir");
    }
    return this.#path;
  }
  #check() {
    if (!this.#isClosed) return;
    const { ERR_DIR_CLOSED } = require("internal/errors");
    throw new ERR_DIR_CLOSED();
  }
  readSync() {
    this.#check();
    const i = this.#at;
    if (i >= this.#list.length) return null;
    this.#at += 2;
    return new Dirent(toName(this.#list[i], this.#encoding), this.#path, this.#list[i + 1]);
  }
  read(callback) {
    if (callback === undefined) return this.#readPromise();
    validateFunction(callback, "callback");
    this.#check();
    const entry = this.readSync();
    require("internal/tick").nextTick(() => callback(null, entry));
    return undefined;
  }
  async #readPromise() {
    return this.readSync();
  }
  closeSync() {
    this.#check();
    this.#isClosed = true;
    this.#list = [];
  }
  close(callback) {
    if (callback === undefined) return this.#closePromise();
    validateFunction(callback, "callback");
    if (this.#isClosed) {
      const { ERR_DIR_CLOSED } = require("internal/errors");
      require("internal/tick").nextTick(() => callback(new ERR_DIR_CLOSED()));
      return undefined;
    }
    this.closeSync();
    require("internal/tick").nextTick(() => callback(null));
    return undefined;
  }
  async #closePromise() {
    this.closeSync();
  }
  async *entries() {
    try {
      for (let entry = await this.read(); entry !== null; entry = await this.read()) yield entry;
    } finally {
      if (!this.#isClosed) await this.close();
    }
  }
  [kDispose]() {
    if (!this.#isClosed) this.closeSync();
  }
  async [kAsyncDispose]() {
    if (!this.#isClosed) await this.close();
  }
}
Object.defineProperty(Dir.prototype, Symbol.asyncIterator, {
  value: Dir.prototype.entries, writable: true, configurable: true, enumerable: false,
});

/** A failed scan says that it was an opendir(). */
function renamed(error) {
  if (error?.syscall !== "scandir") return error;
  error.syscall = "opendir";
  error.message = error.message.replace(", scandir", ", opendir");
  return error;
}

function check(path, options) {
  const all = toOptions(options, { encoding: "utf8" });
  if (all.bufferSize !== undefined) validateUint32(all.bufferSize, "options.bufferSize", true);
  return [toPath(path), true, isBytes(all.encoding), all];
}

exports.opendirSync = function opendirSync(path, options) {
  const args = check(path, options);
  try {
    const list = perform("readdir", undefined, args);
    return new Dir(list, path, args[3]);
  } catch (error) {
    throw renamed(error);
  }
};

exports.opendir = function opendir(path, options, callback) {
  const done = typeof options === "function" ? options : callback;
  validateFunction(done, "callback");
  const args = check(path, options);
  const finish = require("internal/tick").inContext((error, list) => {
    if (error) done(renamed(error));
    else done(null, new Dir(list, path, args[3]));
  });
  perform("readdir", finish, args);
};

exports.Dir = Dir;
