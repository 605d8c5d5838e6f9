// @global CompressionStream DecompressionStream
// web/compression -- Compression Streams (https://compression.spec.whatwg.org), with brotli and zstd
// beside the formats of the standard.
const errors = require("internal/errors");
const binding = require("node:zlib/native");
const { constants } = require("node:zlib/constants");
const { defineInterface } = require("internal/webidl/interface");
const { makeTransform } = require("web/streams/transform");
const { isAnyArrayBuffer, isArrayBufferView } = require("node:util/types");

const kInspect = Symbol.for("nodejs.util.inspect.custom");
const CHUNK_SIZE = 16384;
const CHUNK_MAX = 1 << 20;

const formats = {
  __proto__: null,
  deflate: [constants.DEFLATE, constants.INFLATE],
  "deflate-raw": [constants.DEFLATERAW, constants.INFLATERAW],
  gzip: [constants.GZIP, constants.GUNZIP],
  brotli: [constants.BROTLI_ENCODE, constants.BROTLI_DECODE],
  zstd: [constants.ZSTD_COMPRESS, constants.ZSTD_DECOMPRESS],
};

function takeFormat(value) {
  const format = String(value);
  if (formats[format] !== undefined) return format;
  throw new errors.ERR_INVALID_ARG_VALUE(
    "format", value, `must be one of: ${Object.keys(formats).join(", ")}`,
  );
}

function checkChunk(chunk) {
  if (chunk === null) throw new errors.ERR_STREAM_NULL_VALUES();
  const isBytes = isArrayBufferView(chunk) || isAnyArrayBuffer(chunk);
  const buffer = chunk?.buffer ?? chunk;
  const isShared = typeof SharedArrayBuffer === "function" && buffer instanceof SharedArrayBuffer;
  if (!isBytes || isShared) {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "chunk", ["ArrayBuffer", "Buffer", "TypedArray", "DataView"], chunk,
    );
  }
  return chunk;
}

function broken([, , message], isDecoder) {
  const cause = message;
  return new TypeError(`${isDecoder ? "inflate" : "deflate"} failed`, { cause });
}

/** Works through `chunk`, giving out what comes; the chunks of output grow with the input. */
class Codec {
  #handle;
  #isDecoder;
  #flushes;
  #state = new Uint32Array(3);
  #size = CHUNK_SIZE;

  constructor(format, isDecoder) {
    const mode = formats[format][isDecoder ? 1 : 0];
    const windowBits = 15;
    this.#isDecoder = isDecoder;
    this.#flushes = require("node:zlib/options").flushesOf(mode);
    this.#handle = binding.create(
      mode, new Int32Array([windowBits, -1, 8, 0]), undefined, -1,
    );
    if (Array.isArray(this.#handle)) throw broken(this.#handle, isDecoder);
  }

  #run(chunk, flush, controller) {
    const state = this.#state;
    let offset = 0;
    let left = chunk.byteLength;
    for (;;) {
      const out = new Uint8Array(this.#size);
      const failure = binding.step(
        this.#handle, flush, chunk, offset, left, out, 0, out.length, state,
      );
      if (failure !== undefined) throw broken(failure, this.#isDecoder);
      const [room, rest, isEnded] = state;
      if (room < out.length) controller.enqueue(room ? out.slice(0, out.length - room) : out);
      offset += left - rest;
      left = rest;
      if (isEnded && left > 0 && this.#isDecoder) {
        throw new TypeError("There is data behind the end of the compressed stream");
      }
      if (room > 0 || (isEnded && this.#isDecoder)) return;
      if (this.#size < CHUNK_MAX) this.#size *= 2;
    }
  }

  transform(chunk, controller) {
    checkChunk(chunk);
    if (chunk.byteLength === 0) return;
    if (this.#isDecoder && this.#state[2]) {
      throw new TypeError("There is data behind the end of the compressed stream");
    }
    this.#run(chunk, this.#flushes.run, controller);
  }

  flush(controller) {
    const isAtEnd = this.#isDecoder && this.#state[2];
    if (!isAtEnd) this.#run(new Uint8Array(0), this.#flushes.finish, controller);
    const isCut = this.#isDecoder && !this.#state[2];
    this.close();
    if (isCut) throw new TypeError("The compressed stream ends too early");
  }

  close() {
    binding.close(this.#handle);
  }
}

function makeCodec(format, isDecoder) {
  const codec = new Codec(format, isDecoder);
  return makeTransform({
    transform(chunk, controller) {
      codec.transform(chunk, controller);
    },
    flush(controller) {
      codec.flush(controller);
    },
    cancel() {
      codec.close();
    },
  });
}

function inspectPair(name, stream, options, inspect) {
  const { show } = require("web/streams/inspect");
  return show(name, { readable: stream.readable, writable: stream.writable }, options, inspect);
}

class CompressionStream {
  #transform;

  constructor(format) {
    this.#transform = makeCodec(takeFormat(format), false);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#transform in value)) {
      throw new errors.ERR_INVALID_THIS("CompressionStream");
    }
    return value.#transform;
  }

  get readable() {
    return CompressionStream.#of(this).readable;
  }

  get writable() {
    return CompressionStream.#of(this).writable;
  }

  [kInspect](depth, options, inspect) {
    return inspectPair("CompressionStream", this, options, inspect);
  }
}

class DecompressionStream {
  #transform;

  constructor(format) {
    this.#transform = makeCodec(takeFormat(format), true);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#transform in value)) {
      throw new errors.ERR_INVALID_THIS("DecompressionStream");
    }
    return value.#transform;
  }

  get readable() {
    return DecompressionStream.#of(this).readable;
  }

  get writable() {
    return DecompressionStream.#of(this).writable;
  }

  [kInspect](depth, options, inspect) {
    return inspectPair("DecompressionStream", this, options, inspect);
  }
}

exports.CompressionStream = defineInterface(CompressionStream);
exports.DecompressionStream = defineInterface(DecompressionStream);
