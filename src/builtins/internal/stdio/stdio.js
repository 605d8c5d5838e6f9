// internal/stdio -- process.stdin, stdout and stderr, until node:stream exists: events, line output
// and input.  Writing is synchronous for files, terminals and pipes, so nothing is lost at exit.
//
// native: write(fd, string | bytes) throws EPIPE and the like; isTty(fd); windowSize(fd) ->
// [columns, rows];
// readStart(fd, onData(bytes | null, error)); readStop(fd); readRef(fd, bool); setRawMode(fd, bool)
const EventEmitter = require("node:events");
const { ERR_INVALID_ARG_TYPE, ERR_STREAM_WRITE_AFTER_END } = require("internal/errors");
const { nextTick } = require("internal/tick");

function isBytes(chunk) {
  return ArrayBuffer.isView(chunk);
}

function toBytes(chunk, encoding) {
  if (isBytes(chunk)) return chunk;
  if (typeof chunk !== "string") {
    throw new ERR_INVALID_ARG_TYPE(
      "chunk",
      ["string", "Buffer", "TypedArray", "DataView"],
      chunk,
    );
  }
  if (typeof encoding !== "string" || /^utf-?8$/i.test(encoding)) return chunk;
  return require("node:buffer").Buffer.from(chunk, encoding);
}

class StdWritable extends EventEmitter {
  constructor(fd) {
    super();
    this.fd = fd;
    this.writable = true;
    this.writableEnded = false;
    this.writableFinished = false;
    this.writableLength = 0;
    this.writableHighWaterMark = 16384;
    this.destroyed = false;
    this._isStdio = true;
    this._type = native.isTty(fd) ? "tty" : "fs";
    if (this._type === "tty") Object.assign(this, ttyMembers(fd));
  }

  write(chunk, encoding, callback) {
    const done = typeof encoding === "function" ? encoding : callback;
    if (chunk === null) {
      const { ERR_STREAM_NULL_VALUES } = require("internal/errors");
      throw new ERR_STREAM_NULL_VALUES();
    }
    const bytes = toBytes(chunk, encoding);
    if (this.destroyed) return false;
    if (this.writableEnded) {
      this.#fail(new ERR_STREAM_WRITE_AFTER_END(), done);
      return false;
    }
    try {
      native.write(this.fd, bytes);
    } catch (error) {
      this.#fail(error, done);
      return false;
    }
    if (typeof done === "function") nextTick(done, null);
    return true;
  }

  // A reader that has gone does not come back: said once.
  #fail(error, done) {
    this.destroyed = error.code === "EPIPE";
    nextTick(() => {
      if (typeof done === "function") done(error);
      this.emit("error", error);
    });
  }

  // As in Node, the program's standard streams cannot really be closed: `end` flushes and finishes.
  end(chunk, encoding, callback) {
    if (typeof chunk === "function") return this.end(undefined, undefined, chunk);
    if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
    const done = typeof encoding === "function" ? encoding : callback;
    if (typeof done === "function") this.once("finish", done);
    if (!this.writableEnded) {
      this.writableEnded = true;
      nextTick(() => {
        this.writableFinished = true;
        this.emit("finish");
      });
    }
    return this;
  }

  cork() {}
  uncork() {}
  destroy(error) {
    if (error) nextTick(() => this.emit("error", error));
    return this;
  }
  setDefaultEncoding() {
    return this;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }
}

function ttyMembers(fd) {
  const size = () => native.windowSize(fd);
  return {
    isTTY: true,
    get columns() {
      return size()[0];
    },
    get rows() {
      return size()[1];
    },
    getWindowSize: size,
    getColorDepth(env) {
      return require("internal/util/colors").colorDepth(env);
    },
    hasColors(count, env) {
      return require("internal/util/colors").hasColors(count, env);
    },
    cursorTo(x, y, done) {
      return this.write(
        typeof y === "number" ? `\x1b[${y + 1};${x + 1}H` : `\x1b[${x + 1}G`,
        done,
      );
    },
    clearLine(direction, done) {
      return this.write(`\x1b[${direction < 0 ? 1 : direction > 0 ? 0 : 2}K`, done);
    },
    clearScreenDown(done) {
      return this.write("\x1b[0J", done);
    },
    moveCursor(dx, dy, done) {
      const part = (n, plus, minus) =>
        n > 0 ? `\x1b[${n}${plus}` : n < 0 ? `\x1b[${-n}${minus}` : "";
      return this.write(part(dx, "C", "D") + part(dy, "B", "A"), done);
    },
  };
}

class StdReadable extends EventEmitter {
  #decoder = undefined;
  #isReading = false;
  #isEnded = false;
  #chunks = [];

  constructor(fd) {
    super();
    this.fd = fd;
    this.readable = true;
    this.readableFlowing = null;
    this.destroyed = false;
    this.isRaw = false;
    if (native.isTty(fd)) this.isTTY = true;
  }

  on(name, listener) {
    super.on(name, listener);
    if (name === "data" && this.readableFlowing !== false) this.resume();
    if (name === "readable") this.#start();
    return this;
  }

  addListener(name, listener) {
    return this.on(name, listener);
  }

  setEncoding(encoding = "utf8") {
    const { StringDecoder } = require("node:string_decoder");
    this.#decoder = new StringDecoder(encoding);
    return this;
  }

  resume() {
    this.readableFlowing = true;
    nextTick(() => this.#flush());
    this.#start();
    return this;
  }

  pause() {
    this.readableFlowing = false;
    if (this.#isReading) {
      this.#isReading = false;
      native.readStop(this.fd);
    }
    return this;
  }

  read() {
    if (this.#chunks.length === 0) return null;
    if (this.#decoder) return this.#chunks.splice(0).join("");
    return this.#chunks.shift();
  }

  isPaused() {
    return this.readableFlowing === false;
  }

  #start() {
    if (this.#isReading || this.#isEnded) return;
    this.#isReading = true;
    native.readStart(this.fd, (bytes, error) => this.#onData(bytes, error));
  }

  #onData(bytes, error) {
    if (error) {
      this.emit("error", error);
      return;
    }
    if (bytes === null) {
      this.#isEnded = true;
      this.#isReading = false;
      const rest = this.#decoder?.end();
      if (rest) this.#chunks.push(rest);
      this.#flush();
      this.readable = false;
      this.emit("end");
      nextTick(() => this.emit("close"));
      return;
    }
    const chunk = this.#decoder ? this.#decoder.write(bytes) : toChunk(bytes);
    if (chunk.length > 0) this.#chunks.push(chunk);
    this.#flush();
  }

  #flush() {
    if (this.readableFlowing) {
      while (this.#chunks.length > 0 && this.readableFlowing)
        this.emit("data", this.#chunks.shift());
    } else if (this.#chunks.length > 0) {
      this.emit("readable");
    }
  }

  setRawMode(isRaw) {
    native.setRawMode(this.fd, Boolean(isRaw));
    this.isRaw = Boolean(isRaw);
    return this;
  }

  ref() {
    native.readRef(this.fd, true);
    return this;
  }

  unref() {
    native.readRef(this.fd, false);
    return this;
  }

  destroy() {
    this.pause();
    this.destroyed = true;
    nextTick(() => this.emit("close"));
    return this;
  }

  async *[Symbol.asyncIterator]() {
    const events = require("internal/event_helpers").on(this, "data", { close: ["end"] });
    this.resume();
    for await (const [chunk] of events) yield chunk;
  }
}

function toChunk(bytes) {
  return require("node:buffer").Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

// For node:tty.
exports.StdWritable = StdWritable;
exports.StdReadable = StdReadable;
exports.makeWritable = (fd) => new StdWritable(fd);
exports.makeReadable = (fd) => new StdReadable(fd);
