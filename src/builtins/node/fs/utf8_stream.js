// @internal
// node:fs/utf8_stream -- Utf8Stream (Node: fs.Utf8Stream): a writer for logs that keeps what is
// written until there is enough of it, writes it at once, and can be flushed at any time, even
// synchronously.
//
// One chunk is on its way at a time (#chunk); what comes meanwhile waits in #waiting, gathered to
// chunks of at most maxWrite.  A write that failed leaves #chunk where it is: it is the first thing
// that the next write takes.
const errors = require("internal/errors");
const validators = require("internal/validators");
const EventEmitter = require("node:events");
const { Buffer } = require("node:buffer");
const { nextTick } = require("internal/tick");

const WRITE_MAX = 16 * 1024;
const AGAIN_MS = 100; // a destination that is busy is tried again after that
const kFunctions = ["write", "writeSync", "fsync", "fsyncSync", "close", "open", "openSync",
  "mkdir", "mkdirSync"];

const destroyed = () => new errors.ERR_INVALID_STATE("Utf8Stream is destroyed");
const isBusy = (error) => error?.code === "EAGAIN" || error?.code === "EBUSY";

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** The functions of node:fs, or the program's own. */
function takeFs(own) {
  const fs = { __proto__: null };
  const standard = require("node:fs");
  if (own !== undefined) validators.validateObject(own, "options.fs");
  for (const name of kFunctions) {
    fs[name] = own?.[name] ?? standard[name];
    validators.validateFunction(fs[name], `options.fs.${name}`);
  }
  return fs;
}

/** Checked options, with what is not said filled in. */
function takeOptions(options) {
  validators.validateObject(options, "options");
  const {
    append = true, contentMode = "utf8", fsync = false, maxLength = 0, maxWrite = WRITE_MAX,
    minLength = 0, mkdir = false, periodicFlush = 0, retryEAGAIN = () => true, sync = false,
  } = options;
  validators.validateUint32(minLength, "options.minLength");
  validators.validateUint32(maxLength, "options.maxLength");
  validators.validateUint32(maxWrite, "options.maxWrite");
  validators.validateUint32(periodicFlush, "options.periodicFlush");
  validators.validateBoolean(append, "options.append");
  validators.validateBoolean(fsync, "options.fsync");
  validators.validateBoolean(mkdir, "options.mkdir");
  validators.validateBoolean(sync, "options.sync");
  validators.validateFunction(retryEAGAIN, "options.retryEAGAIN");
  validators.validateOneOf(contentMode, "options.contentMode", ["buffer", "utf8"]);
  const size = maxWrite === 0 ? WRITE_MAX : maxWrite;
  if (minLength >= size) {
    throw new errors.ERR_INVALID_ARG_VALUE(
      "minLength", minLength, `should be smaller than maxWrite (${size})`,
    );
  }
  return {
    append, contentMode, fsync, maxLength, maxWrite: size, minLength, mkdir, periodicFlush,
    retryEAGAIN, sync, mode: options.mode,
  };
}

/** What is left of a chunk of which n bytes were written; a character is never cut. */
function restOf(chunk, n) {
  if (n === undefined) return chunk.slice(chunk.length);
  if (typeof chunk !== "string") return chunk.subarray(n);
  const bytes = Buffer.from(chunk);
  if (n >= bytes.length) return "";
  let end = n;
  while (end > 0 && (bytes[end] & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", end);
}

class Utf8Stream extends EventEmitter {
  #fs;
  #options;
  #fd = -1;
  #file = null;
  #waiting = [];
  #chunk = "";
  #length = 0; // of all that is not written yet
  #isWriting = false;
  #isOpening = false;
  #isReopening = false;
  #isEnding = false;
  #isDestroyed = false;
  #isFlushing = false;
  #isDrainDue = false;
  #timer;

  constructor(options = {}) {
    const taken = takeOptions(options);
    super();
    this.#options = taken;
    this.#fs = takeFs(options.fs);
    const { fd, dest } = options;
    const target = fd || dest;
    if (typeof target === "number") {
      this.#fd = target;
      nextTick(() => this.emit("ready"));
    } else if (typeof target === "string") {
      this.#open(target);
    } else {
      throw new errors.ERR_INVALID_ARG_TYPE("fd", ["number", "string"], target);
    }
    if (taken.periodicFlush === 0) return;
    this.#timer = setInterval(() => this.flush(), taken.periodicFlush);
    this.#timer.unref();
  }

  // ---- Opening ----------------------------------------------------------------------------------

  #open(file) {
    const { append, mkdir, mode, sync } = this.#options;
    this.#isOpening = true;
    this.#isWriting = true;
    const flags = append ? "a" : "w";
    const folder = require("node:path").dirname(file);
    const opened = (error, fd) => this.#onOpen(error, fd, file);
    if (sync) {
      let fd;
      try {
        if (mkdir) this.#fs.mkdirSync(folder, { recursive: true });
        fd = this.#fs.openSync(file, flags, mode);
      } catch (error) {
        opened(error);
        throw error;
      }
      opened(null, fd);
    } else if (mkdir) {
      this.#fs.mkdir(folder, { recursive: true }, (error) => {
        if (error) opened(error);
        else this.#fs.open(file, flags, mode, opened);
      });
    } else {
      this.#fs.open(file, flags, mode, opened);
    }
  }

  #onOpen(error, fd, file) {
    const { minLength, sync } = this.#options;
    const isAgain = this.#isReopening;
    this.#isReopening = false;
    this.#isOpening = false;
    this.#isWriting = false;
    if (error) {
      if (!sync) this.emit("error", error);
      else nextTick(() => this.listenerCount("error") > 0 && this.emit("error", error));
      return;
    }
    this.#fd = fd;
    this.#file = file;
    if (sync) nextTick(() => this.emit("ready"));
    else this.emit("ready");
    if (this.#isDestroyed || this.#isWriting) return;
    if (this.#length > minLength || this.#isFlushing) this.#writeNext();
    else if (isAgain) nextTick(() => this.emit("drain"));
  }

  reopen(file) {
    if (this.#isDestroyed) throw destroyed();
    if (this.#isOpening) {
      this.once("ready", () => this.reopen(file));
      return;
    }
    if (this.#isEnding) return;
    if (this.#file === null) {
      throw new errors.ERR_OPERATION_FAILED(
        "Unable to reopen a file descriptor, you must pass a file to SonicBoom",
      );
    }
    if (file) this.#file = file;
    this.#isReopening = true;
    if (this.#isWriting) return; // as soon as that is done
    const before = this.#fd;
    this.once("ready", () => {
      if (before === this.#fd) return;
      this.#fs.close(before, (error) => error && this.emit("error", error));
    });
    this.#open(this.#file);
  }

  // ---- Writing ----------------------------------------------------------------------------------

  write(data) {
    const { contentMode, maxLength, maxWrite, minLength } = this.#options;
    const isBytes = contentMode === "buffer";
    if (isBytes ? !Buffer.isBuffer(data) : typeof data !== "string") {
      throw new errors.ERR_INVALID_ARG_TYPE("data", isBytes ? ["Buffer"] : "string", data);
    }
    if (this.#isDestroyed) throw destroyed();
    const length = this.#length + data.length;
    const highWaterMark = Math.max(minLength, WRITE_MAX);
    if (maxLength > 0 && length > maxLength) {
      this.emit("drop", data);
      return this.#length < highWaterMark;
    }
    this.#length = length;
    this.#gather(data, maxWrite);
    if (!this.#isWriting && length >= minLength) this.#writeNext();
    return this.#length < highWaterMark;
  }

  #gather(data, maxWrite) {
    const waiting = this.#waiting;
    const last = waiting.length - 1;
    if (typeof data === "string") {
      if (last >= 0 && waiting[last].length + data.length <= maxWrite) waiting[last] += data;
      else waiting.push(data);
      return;
    }
    // Lists of Buffers, joined when they leave.
    if (last >= 0 && waiting[last].length + data.length <= maxWrite) {
      waiting[last].list.push(data);
      waiting[last].length += data.length;
    } else {
      waiting.push({ list: [data], length: data.length });
    }
  }

  #takeChunk() {
    if (this.#chunk.length > 0) return;
    const next = this.#waiting.shift() ?? "";
    if (typeof next === "string") this.#chunk = next;
    else this.#chunk = next.list.length === 1 ? next.list[0] : Buffer.concat(next.list);
  }

  #writeSync() {
    if (typeof this.#chunk !== "string") return this.#fs.writeSync(this.#fd, this.#chunk);
    return this.#fs.writeSync(this.#fd, this.#chunk, "utf8");
  }

  #writeNext() {
    this.#isWriting = true;
    this.#takeChunk();
    if (this.#options.sync) this.#writeNow();
    else this.#startWrite();
  }

  #startWrite() {
    const done = (error, n) => (error ? this.#onError(error) : this.#onWritten(n));
    if (typeof this.#chunk === "string") this.#fs.write(this.#fd, this.#chunk, "utf8", done);
    else this.#fs.write(this.#fd, this.#chunk, done);
  }

  #writeNow() {
    let n;
    try {
      n = this.#writeSync();
    } catch (error) {
      this.#onError(error);
      return;
    }
    this.#onWritten(n);
  }

  #onError(error) {
    const { retryEAGAIN, sync } = this.#options;
    const { length } = this.#chunk;
    if (this.#isDestroyed || !isBusy(error) ||
        !retryEAGAIN(error, length, this.#length - length)) {
      this.#isWriting = false;
      this.emit("error", error);
    } else if (sync) {
      sleep(AGAIN_MS);
      this.#writeNow();
    } else {
      setTimeout(() => this.#isDestroyed || this.#startWrite(), AGAIN_MS);
    }
  }

  /** Takes what was written off the account. */
  #release(n) {
    const before = this.#chunk.length;
    this.#chunk = restOf(this.#chunk, n);
    this.#length = Math.max(this.#length - (before - this.#chunk.length), 0);
  }

  #onWritten(n) {
    this.emit("write", n);
    this.#release(n);
    if (this.#isDestroyed) {
      this.#isWriting = false; // what is left has nowhere to go
      this.#drained();
      return;
    }
    const { fsync, minLength, sync } = this.#options;
    if (this.#chunk.length > 0) {
      if (sync) this.#writeNow();
      else this.#startWrite();
      return;
    }
    if (fsync) this.#fs.fsyncSync(this.#fd);
    if (this.#isReopening) {
      this.#isWriting = false;
      this.#isReopening = false;
      this.reopen();
    } else if (this.#length > minLength || (this.#isEnding && this.#length > 0)) {
      this.#writeNext();
    } else if (this.#isEnding) {
      this.#isWriting = false;
      this.#close();
    } else {
      this.#isWriting = false;
      this.#drained();
    }
  }

  #drained() {
    if (!this.#options.sync) {
      this.emit("drain");
      return;
    }
    if (this.#isDrainDue) return;
    this.#isDrainDue = true;
    nextTick(() => {
      this.#isDrainDue = false;
      this.emit("drain");
    });
  }

  // ---- Flushing ---------------------------------------------------------------------------------

  flush(callback) {
    if (callback !== undefined && callback !== null) {
      validators.validateFunction(callback, "cb");
    }
    if (this.#isDestroyed) {
      if (!callback) throw destroyed();
      callback(destroyed());
      return;
    }
    if (this.#options.minLength <= 0) {
      callback?.();
      return;
    }
    if (callback) this.#whenFlushed(callback);
    if (this.#isWriting) return;
    if (this.#waiting.length === 0) this.#waiting.push("");
    this.#writeNext();
  }

  #whenFlushed(callback) {
    this.#isFlushing = true;
    const finish = (error) => {
      this.#isFlushing = false;
      // One that has been closed meanwhile has nothing to bring to the disk.
      callback(error?.code === "EBADF" ? undefined : error);
    };
    const onDrain = () => {
      this.off("error", onError);
      if (this.#options.fsync) {
        finish();
        return;
      }
      try {
        this.#fs.fsync(this.#fd, finish);
      } catch (error) {
        finish(error);
      }
    };
    const onError = (error) => {
      this.off("drain", onDrain);
      finish(error);
    };
    this.once("drain", onDrain);
    this.once("error", onError);
  }

  flushSync() {
    if (this.#isDestroyed) throw destroyed();
    if (this.#fd < 0) throw new errors.ERR_INVALID_STATE("Invalid file descriptor");
    // What is on its way is not ours to write again.
    const underway = this.#isWriting ? this.#chunk : "";
    if (this.#isWriting) this.#chunk = "";
    try {
      while (this.#waiting.length > 0 || this.#chunk.length > 0) {
        this.#takeChunk();
        this.#flushChunk();
      }
    } finally {
      this.#putBack(underway);
    }
    try {
      this.#fs.fsyncSync(this.#fd);
    } catch {
      // Pipes and terminals have no disk.
    }
  }

  /** What could not be flushed comes first again; `underway` is the chunk of a started write. */
  #putBack(underway) {
    const chunk = this.#chunk;
    if (typeof chunk === "string" && chunk.length > 0) this.#waiting.unshift(chunk);
    else if (chunk.length > 0) this.#waiting.unshift({ list: [chunk], length: chunk.length });
    this.#chunk = underway;
  }

  #flushChunk() {
    try {
      this.#release(this.#writeSync());
    } catch (error) {
      const { length } = this.#chunk;
      const rest = this.#length - length;
      if (!isBusy(error) || !this.#options.retryEAGAIN(error, length, rest)) throw error;
      sleep(AGAIN_MS);
    }
  }

  // ---- Ending -----------------------------------------------------------------------------------

  end() {
    if (this.#isDestroyed) throw destroyed();
    if (this.#isOpening) {
      this.once("ready", () => this.end());
      return;
    }
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (this.#isWriting) return;
    if (this.#length > 0 && this.#fd >= 0) this.#writeNext();
    else this.#close();
  }

  destroy() {
    this.#close();
  }

  #close() {
    if (this.#isDestroyed) return;
    if (this.#fd === -1) {
      this.once("ready", () => this.#close());
      return;
    }
    clearInterval(this.#timer);
    this.#isDestroyed = true;
    this.#waiting = [];
    const fd = this.#fd;
    const done = (error) => {
      if (error) {
        this.emit("error", error);
        return;
      }
      if (this.#isEnding && !this.#isWriting) this.emit("finish");
      this.emit("close");
    };
    const close = () => {
      if (fd === 1 || fd === 2) done();
      else this.#fs.close(fd, done);
    };
    if (this.#options.fsync) close(); // every write has been synchronised
    else this.#fs.fsync(fd, close);
  }

  [Symbol.dispose]() {
    this.destroy();
  }

  // ---- What it was made with --------------------------------------------------------------------

  get mode() { return this.#options.mode; }
  get file() { return this.#file; }
  get fd() { return this.#fd; }
  get minLength() { return this.#options.minLength; }
  get maxLength() { return this.#options.maxLength; }
  get writing() { return this.#isWriting; }
  get sync() { return this.#options.sync; }
  get fsync() { return this.#options.fsync; }
  get append() { return this.#options.append; }
  get periodicFlush() { return this.#options.periodicFlush; }
  get contentMode() { return this.#options.contentMode; }
  get mkdir() { return this.#options.mkdir; }
}

exports.Utf8Stream = Utf8Stream;
