// @internal
// bun:file/sink -- FileSink: writes that are collected and go to a file in order.

const errors = require("internal/errors");
const binding = require("node:fs/binding");
const { call } = require("node:fs/run");
const { concat, copy, encode } = require("web/blob/bytes");
const { writeAll } = require("bun:file/write");

const O_WRONLY = 1;
const O_CREAT = 0o100;
const O_TRUNC = 0o1000;
const HIGH_WATER = 65536;

class FileSink {
  #target;
  #fd = -1;
  #chunks = [];
  #size = 0;
  #highWater = HIGH_WATER;
  /** The writes under way, one after the other; null: none. */
  #running = null;
  #isEnded = false;
  #isScheduled = false; // what is collected goes out when the turn of the loop is over
  #failure; // of a write that nobody waited for

  constructor(target, options = undefined) {
    this.#target = target;
    if (typeof target === "number") this.#fd = target;
    this.start(options);
  }

  start(options = undefined) {
    const high = options?.highWaterMark;
    if (typeof high === "number" && high > 0) this.#highWater = high;
  }

  /** Bytes of the chunk, or a promise of them once they are written. */
  write(chunk) {
    if (this.#isEnded) return true;
    const data = typeof chunk === "string" ? encode(chunk) : copy(chunk);
    if (data === undefined) {
      throw new errors.ERR_INVALID_ARG_TYPE(
        "chunk", ["string", "ArrayBuffer", "ArrayBufferView"], chunk,
      );
    }
    this.#chunks.push(data);
    this.#size += data.byteLength;
    if (this.#size < this.#highWater) {
      this.#flushSoon();
      return data.byteLength;
    }
    return this.#drain().then(() => data.byteLength);
  }

  #flushSoon() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#size === 0) return;
      this.#drain().catch((error) => (this.#failure ??= { error }));
    });
  }

  /** Bytes that are written by this, now or as a promise. */
  flush() {
    if (this.#size === 0) return this.#running ?? 0;
    return this.#drain();
  }

  end(error = undefined) {
    if (this.#isEnded) return this.#running ?? 0;
    this.#isEnded = true;
    if (error !== undefined && error !== null) {
      this.#chunks = [];
      this.#size = 0;
    }
    return this.#close();
  }

  close() {
    return this.end();
  }

  ref() {}

  unref() {}

  _getFd() {
    return this.#fd;
  }

  async #open() {
    if (this.#fd >= 0) return;
    this.#fd = await call("open", [this.#target, O_WRONLY | O_CREAT | O_TRUNC, 0o664]);
  }

  #drain() {
    const data = this.#chunks.length === 1 ? this.#chunks[0] : concat(this.#chunks, this.#size);
    const before = this.#running;
    this.#chunks = [];
    this.#size = 0;
    const run = (async () => {
      if (before !== null) await before;
      if (this.#failure !== undefined) throw this.#failure.error;
      await this.#open();
      await writeAll(this.#fd, data);
      return data.byteLength;
    })();
    this.#running = run;
    const clear = () => {
      if (this.#running === run) this.#running = null;
    };
    run.then(clear, clear);
    return run;
  }

  async #close() {
    const written = this.#size > 0 ? await this.#drain() : 0;
    if (this.#running !== null) await this.#running;
    if (this.#failure !== undefined) throw this.#failure.error;
    await this.#open();
    if (typeof this.#target !== "number") {
      const fd = this.#fd;
      this.#fd = -1;
      binding.close(() => {}, fd);
    }
    return written;
  }
}

exports.FileSink = FileSink;
