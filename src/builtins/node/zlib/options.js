// @internal
// node:zlib/options -- what the three families of streams accept, as the native half takes it.
const errors = require("internal/errors");
const { constants } = require("node:zlib/constants");
const { isArrayBufferView } = require("node:util/types");

const { isAnyArrayBuffer } = require("node:util/types");
const { DEFLATERAW, GZIP, GUNZIP, INFLATE, UNZIP, BROTLI_DECODE, ZSTD_COMPRESS } = constants;

// As it was when the module was loaded.
const { kMaxLength } = require("node:buffer");

/** false for what is absent (undefined, NaN); throws for what is no finite number. */
function checkFiniteNumber(number, name) {
  if (number === undefined || Number.isNaN(number)) return false;
  if (Number.isFinite(number)) return true;
  if (typeof number !== "number") throw new errors.ERR_INVALID_ARG_TYPE(name, "number", number);
  throw new errors.ERR_OUT_OF_RANGE(name, "a finite number", number);
}

function rangeOr(number, name, lower, upper, otherwise) {
  if (!checkFiniteNumber(number, name)) return otherwise;
  if (number < lower || number > upper) {
    throw new errors.ERR_OUT_OF_RANGE(name, `>= ${lower} and <= ${upper}`, number);
  }
  return number;
}

/** Bytes of a dictionary, or undefined. */
function takeDictionary(value) {
  if (value === undefined || isArrayBufferView(value)) return value;
  if (isAnyArrayBuffer(value)) return new Uint8Array(value);
  throw new errors.ERR_INVALID_ARG_TYPE(
    "options.dictionary", ["Buffer", "TypedArray", "DataView", "ArrayBuffer"], value,
  );
}

function takeWindowBits(opts, mode) {
  const bits = opts?.windowBits;
  const isDecoder = mode === INFLATE || mode === GUNZIP || mode === UNZIP;
  if (isDecoder && (bits === undefined || bits === null || bits === 0)) return 0;
  // zlib itself refuses a window of 256 bytes, except for formats that say how large it is.
  const lower = mode === GZIP ? constants.Z_MIN_WINDOWBITS + 1 : constants.Z_MIN_WINDOWBITS;
  const checked = rangeOr(bits, "options.windowBits", lower, constants.Z_MAX_WINDOWBITS, 15);
  return mode === DEFLATERAW && checked === 8 ? 9 : checked;
}

function zlibOptions(opts, mode) {
  return {
    mode,
    list: new Int32Array([
      takeWindowBits(opts, mode),
      rangeOr(opts?.level, "options.level", constants.Z_MIN_LEVEL, constants.Z_MAX_LEVEL, -1),
      rangeOr(opts?.memLevel, "options.memLevel", 1, constants.Z_MAX_MEMLEVEL, 8),
      rangeOr(opts?.strategy, "options.strategy", 0, constants.Z_FIXED, 0),
    ]),
    dictionary: takeDictionary(opts?.dictionary),
    size: -1,
  };
}

// The greatest numbers of parameters.
const kBrotliMax = constants.BROTLI_PARAM_NDIRECT;
const kParamsMax = 32;
const kZstdMax = { c: constants.ZSTD_c_overlapLog, d: constants.ZSTD_d_windowLogMax };

/** [number, value, ...] of `params`, each a number or boolean and no more than once. */
function takeParams(params, max, ErrorOfKey) {
  const list = [];
  const seen = new Set();
  if (!params) return list;
  for (let i = 0, all = Object.keys(params); i < all.length; i++) {
    const key = all[i];
    const number = Number(key);
    const isKnown = number >= 0 && number <= max && seen.size < kParamsMax;
    if (!isKnown || seen.has(number)) throw new ErrorOfKey(key);
    seen.add(number);
    const value = params[key];
    if (typeof value !== "number" && typeof value !== "boolean") {
      throw new errors.ERR_INVALID_ARG_TYPE("options.params[key]", "number", params[key]);
    }
    list.push(number, Number(value));
  }
  return list;
}

function brotliOptions(opts, mode) {
  const params = takeParams(opts?.params, kBrotliMax, errors.ERR_BROTLI_INVALID_PARAM);
  if (opts?.dictionary !== undefined) throw errors.notImplemented("dictionaries for brotli");
  return { mode, list: new Int32Array([0, 0, 0, 0, ...params]), dictionary: undefined, size: -1 };
}

function zstdOptions(opts, mode) {
  const max = mode === ZSTD_COMPRESS ? kZstdMax.c : kZstdMax.d;
  const params = takeParams(opts?.params, max, errors.ERR_ZSTD_INVALID_PARAM);
  const size = opts?.pledgedSrcSize ?? -1;
  if (size !== -1) rangeOr(size, "options.pledgedSrcSize", 0, 2 ** 53 - 1, -1);
  return {
    mode,
    list: new Int32Array([0, 0, 0, 0, ...params]),
    dictionary: takeDictionary(opts?.dictionary),
    size,
  };
}

/** Flush values of a family: of writes, of the end, of flush(), and the greatest there is. */
const zlibFlushes = { run: constants.Z_NO_FLUSH, finish: constants.Z_FINISH,
  full: constants.Z_FULL_FLUSH, max: constants.Z_BLOCK };
const brotliFlushes = { run: 0, finish: 2, full: 1, max: 3 };
const zstdFlushes = { run: 0, finish: 2, full: 1, max: 2 };

exports.flushesOf = function flushesOf(mode) {
  if (mode < BROTLI_DECODE) return zlibFlushes;
  return mode < ZSTD_COMPRESS ? brotliFlushes : zstdFlushes;
};

/** The native form of the options of mode `mode`; throws for what is wrong with them. */
exports.nativeOptions = function nativeOptions(opts, mode) {
  if (mode < BROTLI_DECODE) return zlibOptions(opts, mode);
  return mode < ZSTD_COMPRESS ? brotliOptions(opts, mode) : zstdOptions(opts, mode);
};

/** The options that every family has. */
exports.baseOptions = function baseOptions(opts, mode) {
  const { run, finish, full, max } = exports.flushesOf(mode);
  const base = {
    chunkSize: constants.Z_DEFAULT_CHUNK, flush: run, finishFlush: finish, fullFlush: full,
    maxOutputLength: kMaxLength,
  };
  if (!opts) return base;
  if (checkFiniteNumber(opts.chunkSize, "options.chunkSize")) {
    if (opts.chunkSize < constants.Z_MIN_CHUNK) {
      throw new errors.ERR_OUT_OF_RANGE(
        "options.chunkSize", `>= ${constants.Z_MIN_CHUNK}`, opts.chunkSize,
      );
    }
    base.chunkSize = opts.chunkSize;
  }
  base.flush = rangeOr(opts.flush, "options.flush", run, max, run);
  base.finishFlush = rangeOr(opts.finishFlush, "options.finishFlush", run, max, finish);
  base.maxOutputLength = rangeOr(
    opts.maxOutputLength, "options.maxOutputLength", 1, base.maxOutputLength, base.maxOutputLength,
  );
  return base;
};

/** Level and strategy of params(). */
exports.checkParams = function checkParams(level, strategy) {
  rangeOr(level, "level", constants.Z_MIN_LEVEL, constants.Z_MAX_LEVEL);
  rangeOr(strategy, "strategy", 0, constants.Z_FIXED);
};

/** The error of a native failure [number, code, message]. */
exports.errorOf = function errorOf([number, code, message]) {
  const error = new Error(message);
  error.errno = number;
  error.code = code;
  return error;
};

