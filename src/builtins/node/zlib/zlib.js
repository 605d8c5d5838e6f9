// node:zlib (Node: doc/api/zlib) -- the calls for whole texts, and the names of everything.
//
// Streams (node:zlib/streams) are loaded when one is made; gzipSync() and the like need none: the
// native half does the whole text at once.
const errors = require("internal/errors");
const binding = require("node:zlib/native");
const options = require("node:zlib/options");
const validators = require("internal/validators");
const { codes, constants } = require("node:zlib/constants");
const { isAnyArrayBuffer, isArrayBufferView } = require("node:util/types");

const { Buffer } = require("node:buffer");

const streams = () => require("node:zlib/streams");

const modes = {
  Deflate: constants.DEFLATE, Inflate: constants.INFLATE, Gzip: constants.GZIP,
  Gunzip: constants.GUNZIP, DeflateRaw: constants.DEFLATERAW, InflateRaw: constants.INFLATERAW,
  Unzip: constants.UNZIP, BrotliCompress: constants.BROTLI_ENCODE,
  BrotliDecompress: constants.BROTLI_DECODE, ZstdCompress: constants.ZSTD_COMPRESS,
  ZstdDecompress: constants.ZSTD_DECOMPRESS,
};

function takeBytes(buffer) {
  if (typeof buffer === "string") return Buffer.from(buffer);
  if (isArrayBufferView(buffer)) return buffer;
  if (isAnyArrayBuffer(buffer)) return Buffer.from(buffer);
  throw new errors.ERR_INVALID_ARG_TYPE(
    "buffer", ["string", "Buffer", "TypedArray", "DataView", "ArrayBuffer"], buffer,
  );
}

/** What came back from whole(): a Buffer, or an error. */
function outcome(result, maxLength) {
  if (result === null) return new errors.ERR_BUFFER_TOO_LARGE(maxLength);
  if (Array.isArray(result)) return options.errorOf(result);
  return Buffer.from(result.buffer, result.byteOffset, result.byteLength);
}

/** Options that only a stream understands. */
const needsStream = (opts) => Boolean(opts?.info || opts?.rejectGarbageAfterEnd);

function streamSync(name, bytes, opts) {
  const stream = new (streams()[name])(opts);
  const { processChunkSync } = require("node:zlib/streams");
  const buffer = processChunkSync(stream, bytes, stream._finishFlushFlag);
  return opts.info ? { buffer, engine: stream } : buffer;
}

function wholeSync(name, bytes, opts) {
  const base = options.baseOptions(opts, modes[name]);
  const { mode, list, dictionary, size } = options.nativeOptions(opts, modes[name]);
  const result = outcome(
    binding.whole(mode, list, dictionary, size, bytes, base.finishFlush, base.maxOutputLength),
    base.maxOutputLength,
  );
  if (result instanceof Error) {
    Error.captureStackTrace?.(result, wholeSync);
    throw result;
  }
  return result;
}

function streamLater(name, bytes, opts, callback) {
  const stream = new (streams()[name])(opts);
  const parts = [];
  let total = 0;
  stream.on("data", (chunk) => {
    total += chunk.length;
    if (total > stream._maxOutputLength) {
      stream.destroy(new errors.ERR_BUFFER_TOO_LARGE(stream._maxOutputLength));
    } else {
      parts.push(chunk);
    }
  });
  stream.on("error", callback);
  stream.on("end", () => {
    const buffer = Buffer.concat(parts, total);
    stream.close();
    callback(null, opts.info ? { buffer, engine: stream } : buffer);
  });
  stream.end(bytes);
}

function wholeLater(name, bytes, opts, callback) {
  const base = options.baseOptions(opts, modes[name]);
  const { mode, list, dictionary, size } = options.nativeOptions(opts, modes[name]);
  const max = base.maxOutputLength;
  const done = require("internal/tick").inContext((value) => {
    const result = outcome(value, max);
    if (result instanceof Error) callback(result);
    else callback(null, result);
  });
  binding.wholeLater(mode, list, dictionary, size, bytes, base.finishFlush, max, done);
}

/** The pair gzip() and gzipSync() for the class Gzip. */
function defineWhole(name, later, sync) {
  exports[later] = {
    [later](buffer, opts, callback) {
      if (typeof opts === "function") {
        callback = opts;
        opts = {};
      }
      validators.validateFunction(callback, "callback");
      const bytes = takeBytes(buffer);
      if (needsStream(opts)) streamLater(name, bytes, opts, callback);
      else wholeLater(name, bytes, opts, callback);
    },
  }[later];
  exports[sync] = {
    [sync](buffer, opts) {
      const bytes = takeBytes(buffer);
      return needsStream(opts) ? streamSync(name, bytes, opts) : wholeSync(name, bytes, opts);
    },
  }[sync];
}

/** The class, loaded when it is first looked at, and its maker. */
function defineClass(name) {
  Object.defineProperty(exports, name, {
    configurable: true,
    enumerable: true,
    get() {
      const value = streams()[name];
      Object.defineProperty(exports, name, {
        value, configurable: true, enumerable: true, writable: true,
      });
      return value;
    },
    set(value) {
      Object.defineProperty(exports, name, {
        value, configurable: true, enumerable: true, writable: true,
      });
    },
  });
}

exports.crc32 = function crc32(data, value = 0) {
  if (typeof data !== "string" && !isArrayBufferView(data)) {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "data", ["Buffer", "TypedArray", "DataView", "string"], data,
    );
  }
  validators.validateUint32(value, "value");
  return binding.crc32(data, value);
};

const names = Object.keys(modes);
for (let i = 0; i < names.length; i++) {
  const name = names[i];
  defineClass(name);
}
for (let i = 0, all = [
  ["deflate", "Deflate"], ["gzip", "Gzip"], ["deflateRaw", "DeflateRaw"], ["unzip", "Unzip"],
  ["inflate", "Inflate"], ["gunzip", "Gunzip"], ["inflateRaw", "InflateRaw"],
  ["brotliCompress", "BrotliCompress"], ["brotliDecompress", "BrotliDecompress"],
  ["zstdCompress", "ZstdCompress"], ["zstdDecompress", "ZstdDecompress"],
]; i < all.length; i++) {
  const { 0: later, 1: name } = all[i];
  defineWhole(name, later, `${later}Sync`);
}
for (let i = 0; i < names.length; i++) {
  const name = names[i];
  const maker = `create${name}`;
  Object.defineProperty(exports, maker, {
    value: { [maker]: (opts) => new (streams()[name])(opts) }[maker],
    configurable: true,
    enumerable: true,
    writable: false,
  });
}
for (let i = 0, all = [["constants", constants], ["codes", codes]]; i < all.length; i++) {
  const { 0: name, 1: value } = all[i];
  Object.defineProperty(exports, name, {
    value, enumerable: true, configurable: false, writable: false,
  });
}
// The old names: each constant but those of brotli is on the module, too.
for (let i = 0, all = Object.keys(constants); i < all.length; i++) {
  const name = all[i];
  if (name.startsWith("BROTLI")) continue;
  Object.defineProperty(exports, name, {
    value: constants[name], enumerable: false, configurable: false, writable: false,
  });
}
