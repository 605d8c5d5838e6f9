// @internal
// bun:streams -- Bun.readableStreamTo* and Bun.ArrayBufferSink.
const { makeCoded } = require("internal/errors");

function checkStream(value, name) {
  const { stateOf } = require("web/streams/readable");
  if (stateOf(value) !== undefined) return;
  throw makeCoded(
    "TypeError", "ERR_INVALID_ARG_TYPE", `${name} expected a ReadableStream as its first argument`,
  );
}

function define(name, kind) {
  const fn = {
    [name](stream) {
      checkStream(stream, name);
      return require("web/streams/consume")[kind](stream);
    },
  }[name];
  exports[name] = fn;
}
define("readableStreamToArray", "array");
define("readableStreamToArrayBuffer", "arrayBuffer");
define("readableStreamToBlob", "blob");
define("readableStreamToBytes", "bytes");
define("readableStreamToJSON", "json");
define("readableStreamToText", "text");

/** With a boundary multipart/form-data, else application/x-www-form-urlencoded. */
exports.readableStreamToFormData = function readableStreamToFormData(stream, boundary) {
  checkStream(stream, "readableStreamToFormData");
  let type = "application/x-www-form-urlencoded";
  if (boundary !== undefined) {
    const text = typeof boundary === "string" ? boundary : new TextDecoder().decode(boundary);
    type = `multipart/form-data; boundary="${text}"`;
  }
  return new Response(stream, { headers: { "content-type": type } }).formData();
};

function toBytes(chunk) {
  if (typeof chunk === "string") return new TextEncoder().encode(chunk);
  if (ArrayBuffer.isView(chunk)) {
    return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  if (chunk instanceof ArrayBuffer || chunk instanceof SharedArrayBuffer) {
    return new Uint8Array(chunk);
  }
  throw new TypeError("write() expects a string, ArrayBufferView, or ArrayBuffer");
}

const kSizeMin = 64;

exports.ArrayBufferSink = class ArrayBufferSink {
  #bytes = new Uint8Array(0);
  #size = 0;
  #flushed = 0;
  #isStream = false;
  #asUint8Array = false;

  start(options = undefined) {
    this.#isStream = !!options?.stream;
    this.#asUint8Array = !!options?.asUint8Array;
    this.#size = 0;
    this.#flushed = 0;
    const mark = options?.highWaterMark;
    if (mark > 0) this.#bytes = new Uint8Array(Math.min(Number(mark), 2 ** 31 - 1));
    return undefined;
  }

  write(chunk) {
    const data = toBytes(chunk);
    const needed = this.#size + data.length;
    if (needed > this.#bytes.length) {
      const bigger = new Uint8Array(Math.max(needed, this.#bytes.length * 2, kSizeMin));
      bigger.set(this.#bytes.subarray(0, this.#size));
      this.#bytes = bigger;
    }
    this.#bytes.set(data, this.#size);
    this.#size = needed;
    return data.length;
  }

  #take() {
    const bytes = this.#bytes.slice(0, this.#size);
    this.#size = 0;
    this.#flushed = 0;
    return this.#asUint8Array ? bytes : bytes.buffer;
  }

  flush() {
    if (this.#isStream) return this.#take();
    const n = this.#size - this.#flushed;
    this.#flushed = this.#size;
    return n;
  }

  end() {
    const all = this.#take();
    this.#bytes = new Uint8Array(0);
    return all;
  }
};
