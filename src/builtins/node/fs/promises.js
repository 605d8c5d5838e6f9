// node:fs/promises -- the promise forms and FileHandle (Node: fs/promises).
const { simple, composed } = require("node:fs/ops");
const { makePromise, call, named } = require("node:fs/run");
const args = require("node:fs/args");
const rw = require("node:fs/rw");
const { makeStats } = require("node:fs/stats");
const EventEmitter = require("node:events");

const kNames = ["access", "copyFile", "cp", "rename", "truncate", "rm", "rmdir", "mkdir", "readdir",
  "readlink", "symlink", "lstat", "stat", "statfs", "link", "unlink", "chmod", "lchown", "chown",
  "utimes", "lutimes", "realpath", "mkdtemp"];
for (let i = 0; i < kNames.length; i++) {
  const name = kNames[i];
  exports[name] = makePromise(composed[name] ?? simple[name]);
}

const openFile = makePromise(simple.open);
const whole = {
  readFile: makePromise(composed.readFile),
  writeFile: makePromise(composed.writeFile),
  appendFile: makePromise(composed.appendFile),
};

exports.lchmod = async function lchmod() {
  const { ERR_METHOD_NOT_IMPLEMENTED } = require("internal/errors");
  throw new ERR_METHOD_NOT_IMPLEMENTED("lchmod()");
};

// ---- FileHandle ---------------------------------------------------------------------------------

class FileHandle extends EventEmitter {
  #fd;
  #closing;
  #uses = 0;
  #whenFree;
  constructor(fd) {
    super();
    this.#fd = fd;
  }
  get fd() {
    return this.#fd;
  }
  getAsyncId() {
    return this.#fd;
  }
  /** Runs fn(fd); the handle is not closed meanwhile. */
  async #use(syscall, fn) {
    if (this.#fd === -1 || this.#closing !== undefined) {
      const error = new Error("file closed");
      error.code = "EBADF";
      error.syscall = syscall;
      throw error;
    }
    this.#uses++;
    try {
      return await fn(this.#fd);
    } finally {
      this.#uses--;
      if (this.#uses === 0) this.#whenFree?.();
    }
  }
  appendFile(data, options) {
    return this.writeFile(data, options);
  }
  chmod(mode) {
    return this.#use("fchmod", (fd) => call("fchmod", simple.fchmod.prepare(fd, mode)));
  }
  chown(uid, gid) {
    return this.#use("fchown", (fd) => call("fchown", simple.fchown.prepare(fd, uid, gid)));
  }
  datasync() {
    return this.#use("fdatasync", (fd) => call("fdatasync", [fd]));
  }
  sync() {
    return this.#use("fsync", (fd) => call("fsync", [fd]));
  }
  read(...list) {
    return this.#use("read", async (fd) => {
      const range = rw.readForm(list);
      const bytesRead = range[2] === 0 ? 0 : await call("read", [fd, ...range]);
      return { __proto__: null, bytesRead, buffer: range[0] };
    });
  }
  readv(buffers, position) {
    return this.#use("read", async (fd) => {
      args.checkViews(buffers);
      const at = typeof position === "number" ? position : -1;
      const bytesRead = buffers.length === 0 ? 0 : await call("readv", [fd, buffers, at]);
      return { __proto__: null, bytesRead, buffers };
    });
  }
  readFile(options) {
    return this.#use("read", (fd) => whole.readFile(fd, options));
  }
  stat(options) {
    return this.#use("fstat", async (fd) =>
      makeStats(await call("fstat", [fd, options?.bigint === true])));
  }
  truncate(length = 0) {
    return this.#use("ftruncate", (fd) =>
      call("ftruncate", simple.ftruncate.prepare(fd, length)));
  }
  utimes(atime, mtime) {
    return this.#use("futime", (fd) => call("futimes", simple.futimes.prepare(fd, atime, mtime)));
  }
  write(buffer, ...rest) {
    return this.#use("write", async (fd) => {
      if (buffer?.byteLength === 0) return { __proto__: null, bytesWritten: 0, buffer };
      const range = rw.writeRange(buffer, ...rest);
      const bytesWritten = await call("write", [fd, ...range]);
      return { __proto__: null, bytesWritten, buffer };
    });
  }
  writev(buffers, position) {
    return this.#use("write", async (fd) => {
      args.checkViews(buffers);
      const at = typeof position === "number" ? position : -1;
      const bytesWritten = buffers.length === 0 ? 0 : await call("writev", [fd, buffers, at]);
      return { __proto__: null, bytesWritten, buffers };
    });
  }
  writeFile(data, options) {
    return this.#use("write", (fd) => writeAny(fd, data, options));
  }
  close() {
    if (this.#fd === -1) return Promise.resolve();
    if (this.#closing === undefined) {
      const { promise, resolve, reject } = Promise.withResolvers();
      this.#closing = promise;
      this.#closeNow().then(resolve, reject);
      // At once, so that streams over the handle stop reading.
      this.emit("close");
    }
    return this.#closing;
  }
  async #closeNow() {
    if (this.#uses > 0) {
      await new Promise((resolve) => {
        this.#whenFree = resolve;
      });
    }
    const fd = this.#fd;
    this.#fd = -1;
    await call("close", [fd]);
  }
  async [Symbol.asyncDispose]() {
    await this.close();
  }
  createReadStream(options) {
    return require("node:fs/streams").createReadStream(undefined, { ...options, fd: this });
  }
  createWriteStream(options) {
    return require("node:fs/streams").createWriteStream(undefined, { ...options, fd: this });
  }
  readLines(options) {
    return require("node:fs/streams").readLines(this, options);
  }
  readableWebStream(options) {
    return require("node:fs/streams").readableWebStream(this, options);
  }
}

exports.open = async function open(path, flags, mode) {
  return new FileHandle(await openFile(path, flags ?? "r", mode));
};

// ---- Whole files --------------------------------------------------------------------------------

const isIterable = (data) =>
  typeof data === "object" && data !== null && !ArrayBuffer.isView(data) &&
  (typeof data[Symbol.asyncIterator] === "function" || typeof data[Symbol.iterator] === "function");

/** Chunks of a stream or an iterable, one write after the other. */
async function writeChunks(fd, chunks, options) {
  const { encoding, signal } = args.toOptions(options, { encoding: "utf8" });
  args.checkSignal(signal);
  for await (const chunk of chunks) {
    args.checkSignal(signal);
    await whole.writeFile(fd, args.toData(chunk, encoding));
  }
}

async function writeAny(path, data, options, flag = "w") {
  if (!isIterable(data)) {
    if (typeof path === "number") return whole.writeFile(path, data, options);
    return (flag === "a" ? whole.appendFile : whole.writeFile)(path, data, options);
  }
  if (typeof path === "number") return writeChunks(path, data, options);
  const { flag: ownFlag, mode } = args.toOptions(options);
  const file = await exports.open(path, ownFlag ?? flag, mode ?? 0o666);
  try {
    return await writeChunks(file.fd, data, options);
  } finally {
    await file.close();
  }
}

exports.readFile = async function readFile(path, options) {
  return path instanceof FileHandle ? path.readFile(options) : whole.readFile(path, options);
};
exports.writeFile = async function writeFile(path, data, options) {
  if (path instanceof FileHandle) return path.writeFile(data, options);
  return writeAny(path, data, options);
};
exports.appendFile = async function appendFile(path, data, options) {
  if (path instanceof FileHandle) return path.appendFile(data, options);
  return writeAny(path, data, options, "a");
};

// ---- Others -------------------------------------------------------------------------------------

exports.opendir = async function opendir(path, options) {
  return new Promise((resolve, reject) => {
    const done = (error, dir) => (error ? reject(error) : resolve(dir));
    require("node:fs/dir").opendir(path, options, done);
  });
};

exports.mkdtempDisposable = async function mkdtempDisposable(prefix, options) {
  const { resolve } = require("node:path");
  const path = await exports.mkdtemp(prefix, options);
  const full = resolve(String(path));
  const remove = () => exports.rm(full, { recursive: true, force: true });
  return {
    __proto__: null, path, remove,
    async [Symbol.asyncDispose]() {
      await remove();
    },
  };
};

exports.watch = named("watch", 1, (path, options) =>
  require("node:fs/watch").watchIterator(path, options));
exports.glob = named("glob", 2, (pattern, options) =>
  require("node:fs/glob").globIterator(pattern, options));

exports.constants = require("node:fs/constants");
