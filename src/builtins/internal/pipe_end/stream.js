// internal/pipe_end/stream -- a pipe as a stream: `stdio` of children.
const pipe = require("internal/pipe_end");
const { Duplex } = require("node:stream");
const { inContext, nextTick } = require("internal/tick");

const kHandle = Symbol("handle");

function systemError(code, syscall) {
  const { errnoException } = require("internal/errors/system");
  return errnoException(code, syscall);
}

class PipeStream extends Duplex {
  #isReading = false;
  #isRef = true;
  #onBytes = inContext((bytes, code) => this.#onRead(bytes, code));
  bytesRead = 0;
  bytesWritten = 0;

  /** `fd` is taken: it is closed with the stream. */
  constructor(fd, { readable, writable }) {
    super({ readable, writable, emitClose: true, autoDestroy: true, allowHalfOpen: false });
    this[kHandle] = pipe.open(fd, false);
    if (!readable) this.readable = false;
  }

  get fd() {
    return pipe.fd(this[kHandle]);
  }

  get connecting() {
    return false;
  }

  get pending() {
    return false;
  }

  get readyState() {
    if (this.readable && this.writable) return "open";
    if (this.readable) return "readOnly";
    return this.writable ? "writeOnly" : "closed";
  }

  _read() {
    if (this.#isReading || this.destroyed) return;
    this.#isReading = true;
    pipe.readStart(this[kHandle], this.#onBytes);
  }

  #onRead(bytes, code) {
    if (bytes !== null) {
      this.bytesRead += bytes.length;
      const { Buffer } = require("node:buffer");
      if (!this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))) {
        this.#isReading = false;
        pipe.readStop(this[kHandle]);
      }
      return;
    }
    // A peer that was killed while it wrote ends the stream as any other does.
    if (code !== 0 && code !== -104) {
      this.destroy(systemError(code, "read"));
      return;
    }
    this.push(null);
    this.read(0);
  }

  _write(chunk, encoding, callback) {
    const { Buffer } = require("node:buffer");
    const data = typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk;
    const done = inContext((failed) => {
      callback(failed === 0 ? null : systemError(failed, "write"));
    });
    const code = pipe.write(this[kHandle], data, done);
    if (code < 0) {
      callback(systemError(code, "write"));
      return;
    }
    this.bytesWritten += data.length;
    if (code === 1) callback(null);
  }

  _final(callback) {
    // The end of a pipe is seen by its reader when it is closed, that of a socket at once.
    pipe.shutdown(this[kHandle]);
    if (!this.readable && !this.destroyed) nextTick(() => this.destroy());
    callback();
  }

  _destroy(error, callback) {
    pipe.close(this[kHandle], inContext(() => callback(error)));
  }

  ref() {
    this.#isRef = true;
    pipe.setRef(this[kHandle], true);
    return this;
  }

  unref() {
    this.#isRef = false;
    pipe.setRef(this[kHandle], false);
    return this;
  }

  destroySoon() {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once("finish", () => this.destroy());
  }

  setEncoding(encoding) {
    return super.setEncoding(encoding);
  }

  setTimeout() {
    return this;
  }

  setNoDelay() {
    return this;
  }

  setKeepAlive() {
    return this;
  }
}
// Programs print it, and look at the name.
Object.defineProperty(PipeStream, "name", { __proto__: null, value: "Socket" });

exports.PipeStream = PipeStream;
exports.kHandle = kHandle;
