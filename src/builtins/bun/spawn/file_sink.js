// @internal
// bun:spawn/file_sink -- FileSink: the writing end of a pipe, in Bun's form.
const pipe = require("internal/pipe_end");

function bytesOf(chunk) {
  if (typeof chunk === "string" || ArrayBuffer.isView(chunk)) return chunk;
  if (chunk instanceof ArrayBuffer || chunk instanceof SharedArrayBuffer) {
    return new Uint8Array(chunk);
  }
  const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
  throw new ERR_INVALID_ARG_TYPE("chunk", ["string", "ArrayBufferView", "ArrayBuffer"], chunk);
}

class FileSink {
  #handle;
  #pending = 0;
  #waiting = []; // resolve functions of flushes
  #isEnded = false;
  #error;

  /** `fd` is taken. */
  constructor(fd) {
    this.#handle = pipe.open(fd, false);
  }

  /** Bytes that were taken, at once or as a promise when the pipe is full. */
  write(chunk) {
    const data = bytesOf(chunk);
    if (this.#isEnded) return 0;
    const size = typeof data === "string" ? Buffer.byteLength(data) : data.byteLength;
    if (size === 0) return 0;
    const code = pipe.write(this.#handle, data, (failed) => this.#onWritten(failed));
    if (code === 1) return size;
    if (code < 0) {
      this.#fail(code);
      return 0;
    }
    this.#pending++;
    const { promise, resolve } = Promise.withResolvers();
    this.#waiting.push(() => resolve(size));
    return promise;
  }

  #onWritten(failed) {
    this.#pending--;
    if (failed !== 0) this.#fail(failed);
    if (this.#pending > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  // The child has closed its input: what else is written goes nowhere, as in Bun.
  #fail(code) {
    this.#error = code;
    this.end();
  }

  flush() {
    if (this.#pending === 0) return 0;
    const { promise, resolve } = Promise.withResolvers();
    this.#waiting.push(() => resolve(0));
    return promise;
  }

  start() {}

  end(error) {
    if (this.#isEnded) return 0;
    this.#isEnded = true;
    const { promise, resolve } = Promise.withResolvers();
    pipe.close(this.#handle, () => resolve(0));
    return error === undefined && this.#pending === 0 ? 0 : promise;
  }

  close() {
    return this.end();
  }

  ref() {
    pipe.setRef(this.#handle, true);
  }

  unref() {
    pipe.setRef(this.#handle, false);
  }
}

exports.FileSink = FileSink;
