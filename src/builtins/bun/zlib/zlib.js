// @internal
// bun:zlib -- Bun.gzipSync, Bun.zstdCompress and so on: node:zlib under Bun's names, with Bun's
// defaults (raw deflate, Uint8Array for deflate and gzip, Buffer for zstd).
const zlib = require("node:zlib");
const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
const { constants } = require("node:zlib/constants");
const { isAnyArrayBuffer, isArrayBufferView } = require("node:util/types");

function takeBytes(data) {
  if (typeof data === "string" || isArrayBufferView(data)) return data;
  if (isAnyArrayBuffer(data)) return new Uint8Array(data);
  throw new ERR_INVALID_ARG_TYPE("data", ["string", "ArrayBuffer", "ArrayBufferView"], data);
}

const toBytes = (buffer) => new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);

/** zlib's options among Bun's; a window below 0 (raw) is the caller's business. */
function zlibOptions(options) {
  if (options === undefined || options === null) return {};
  const { library, level, memLevel, strategy, windowBits } = options;
  if (library !== undefined && library !== "zlib" && library !== "libdeflate") {
    throw new TypeError("Expected library to be one of 'zlib' or 'libdeflate'");
  }
  // libdeflate has twelve levels, the format nine.
  const most = library === "libdeflate" ? Math.min(level ?? 6, 9) : level;
  return { level: most, memLevel, strategy, windowBits };
}

const isRaw = (windowBits) => windowBits === undefined || windowBits < 0;
const isGzip = (windowBits) => windowBits > 15;
const plainBits = (windowBits) => {
  if (windowBits === undefined) return undefined;
  const bits = Math.abs(windowBits);
  return bits > 15 ? bits - 16 : bits;
};

exports.gzipSync = function gzipSync(data, options = undefined) {
  const bytes = takeBytes(data);
  const zlibOpts = zlibOptions(options);
  zlibOpts.windowBits = plainBits(zlibOpts.windowBits);
  return toBytes(zlib.gzipSync(bytes, zlibOpts));
};

exports.deflateSync = function deflateSync(data, options = undefined) {
  const bytes = takeBytes(data);
  const zlibOpts = zlibOptions(options);
  const { windowBits } = zlibOpts;
  zlibOpts.windowBits = plainBits(windowBits);
  if (isGzip(windowBits)) return toBytes(zlib.gzipSync(bytes, zlibOpts));
  if (isRaw(windowBits)) return toBytes(zlib.deflateRawSync(bytes, zlibOpts));
  return toBytes(zlib.deflateSync(bytes, zlibOpts));
};

exports.gunzipSync = function gunzipSync(data) {
  return toBytes(zlib.gunzipSync(takeBytes(data)));
};

exports.inflateSync = function inflateSync(data, options = undefined) {
  const bytes = takeBytes(data);
  const windowBits = options?.windowBits;
  if (isGzip(windowBits)) return toBytes(zlib.unzipSync(bytes));
  return toBytes(isRaw(windowBits) ? zlib.inflateRawSync(bytes) : zlib.inflateSync(bytes));
};

// ---- zstd ---------------------------------------------------------------------------------------

function zstdOptions(options) {
  const level = options?.level ?? constants.ZSTD_CLEVEL_DEFAULT;
  if (typeof level !== "number" || !(level >= 1 && level <= 22)) {
    const error = new TypeError("Compression level must be between 1 and 22");
    error.code = "ERR_INVALID_ARG_TYPE";
    throw error;
  }
  return { params: { [constants.ZSTD_c_compressionLevel]: level } };
}

const later = (fn, ...args) =>
  new Promise((resolve, reject) => {
    fn(...args, (error, buffer) => (error ? reject(error) : resolve(buffer)));
  });

exports.zstdCompressSync = function zstdCompressSync(data, options = undefined) {
  return zlib.zstdCompressSync(takeBytes(data), zstdOptions(options));
};

exports.zstdDecompressSync = function zstdDecompressSync(data) {
  return zlib.zstdDecompressSync(takeBytes(data));
};

exports.zstdCompress = async function zstdCompress(data, options = undefined) {
  return later(zlib.zstdCompress, takeBytes(data), zstdOptions(options));
};

exports.zstdDecompress = async function zstdDecompress(data) {
  return later(zlib.zstdDecompress, takeBytes(data));
};
