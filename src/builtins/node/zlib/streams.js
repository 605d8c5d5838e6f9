// @internal
// node:zlib/streams -- Deflate, Gzip, BrotliCompress, ... : a Transform over a native stream.
//
// A chunk is worked through in steps on the thread pool, each filling what room is left in the
// stream's output buffer; when the reader has enough, the next step waits until it reads again.
const errors = require("internal/errors");
const { inContext } = require("internal/tick");
const binding = require("node:zlib/native");
const options = require("node:zlib/options");
const { constants } = require("node:zlib/constants");
const { Buffer } = require("node:buffer");
const { Transform, finished } = require("node:stream");

// State of a stream behind its public properties.
const kZlib = Symbol("kZlib");
const kFlushFlag = Symbol("kFlushFlag");
const { Z_SYNC_FLUSH } = constants;

/** Empty chunks that stand for flush(kind) in the queue of writes. */
const flushBuffers = [];
function flushBuffer(kind) {
  if (flushBuffers[kind] === undefined) {
    const buffer = Buffer.alloc(0);
    buffer[kFlushFlag] = kind;
    flushBuffers[kind] = buffer;
  }
  return flushBuffers[kind];
}

// Strength of zlib's flushes: Z_PARTIAL_FLUSH (1) is weaker than Z_BLOCK (5) only.
const strengths = [0, 2, 3, 4, 5, 1];
const stronger = (a, b) => (strengths[a] > strengths[b] ? a : b);

/**
 * What `_handle` is: packages (minizlib) replace its close() for a while so that a stream survives
 * _processChunk(), and put it back afterwards.
 */
class Handle {
  constructor(inner) {
    this.inner = inner;
  }

  close() {
    binding.close(this.inner);
  }

  reset() {
    return binding.reset(this.inner);
  }

  params(level, strategy) {
    return binding.params(this.inner, level, strategy);
  }
}

function ZlibBase(opts, mode) {
  const base = options.baseOptions(opts, mode);
  const parts = options.nativeOptions(opts, mode);
  const inner = binding.create(parts.mode, parts.list, parts.dictionary, parts.size);
  if (Array.isArray(inner)) throw options.errorOf(inner);
  const handle = new Handle(inner);
  if (opts?.encoding || opts?.objectMode || opts?.writableObjectMode) {
    opts = { ...opts, encoding: null, objectMode: false, writableObjectMode: false };
  }
  Reflect.apply(Transform, this, [{ autoDestroy: true, ...opts }]);
  this.bytesWritten = 0;
  this._handle = handle;
  this._outBuffer = Buffer.allocUnsafe(base.chunkSize);
  this._outOffset = 0;
  this._chunkSize = base.chunkSize;
  this._defaultFlushFlag = base.flush;
  this._finishFlushFlag = base.finishFlush;
  this._defaultFullFlushFlag = base.fullFlush;
  this._info = opts?.info;
  this._maxOutputLength = base.maxOutputLength;
  this[kZlib] = {
    settings: [parts.list[1], parts.list[3]],
    state: new Uint32Array(3),
    isRejectingGarbage: opts?.rejectGarbageAfterEnd === true,
    work: null,
  };
}
Object.setPrototypeOf(ZlibBase.prototype, Transform.prototype);
Object.setPrototypeOf(ZlibBase, Transform);

Object.defineProperty(ZlibBase.prototype, "_closed", {
  configurable: true,
  enumerable: true,
  get() {
    return !this._handle;
  },
});

function closeHandle(stream) {
  if (!stream._handle) return;
  stream._handle.close();
  stream._handle = null;
}

ZlibBase.prototype.reset = function reset() {
  require("node:assert")(this._handle, "zlib binding closed");
  const failure = this._handle.reset();
  if (failure !== undefined) this.destroy(options.errorOf(failure));
};

ZlibBase.prototype._flush = function _flush(callback) {
  this._transform(Buffer.alloc(0), "", callback);
};

ZlibBase.prototype._final = function _final(callback) {
  callback();
};

ZlibBase.prototype.flush = function flush(kind, callback) {
  if (typeof kind === "function" || (kind === undefined && !callback)) {
    callback = kind;
    kind = this._defaultFullFlushFlag;
  }
  if (this.writableFinished) {
    if (callback) process.nextTick(callback);
  } else if (this.writableEnded) {
    if (callback) this.once("end", callback);
  } else {
    this.write(flushBuffer(kind), "", callback);
  }
};

ZlibBase.prototype.close = function close(callback) {
  if (callback) finished(this, callback);
  this.destroy();
};

ZlibBase.prototype._destroy = function _destroy(err, callback) {
  closeHandle(this);
  callback(err);
};

ZlibBase.prototype._transform = function _transform(chunk, encoding, callback) {
  let flushFlag = this._defaultFlushFlag;
  if (typeof chunk[kFlushFlag] === "number") flushFlag = chunk[kFlushFlag];
  // The last chunk is worked through together with the end.
  if (this.writableEnded && this.writableLength === chunk.byteLength) {
    flushFlag = stronger(flushFlag, this._finishFlushFlag);
  }
  processChunk(this, chunk, flushFlag, callback);
};

ZlibBase.prototype._processChunk = function _processChunk(chunk, flushFlag, callback) {
  if (typeof callback === "function") return processChunk(this, chunk, flushFlag, callback);
  return exports.processChunkSync(this, chunk, flushFlag);
};

// ---- All at once --------------------------------------------------------------------------------

function fail(stream, error) {
  closeHandle(stream);
  throw error;
}

/** Everything that comes out of `chunk`; closes the stream. */
exports.processChunkSync = function processChunkSync(stream, chunk, flushFlag) {
  const { state, isRejectingGarbage } = stream[kZlib];
  if (!stream._handle) throw new errors.ERR_INTERNAL_ASSERTION("zlib binding closed");
  const parts = [];
  let total = 0;
  let offset = 0;
  let left = chunk.byteLength;
  for (;;) {
    const { _outBuffer: out, _outOffset: outOffset } = stream;
    const room = stream._chunkSize - outOffset;
    const failure = binding.step(
      stream._handle.inner, flushFlag, chunk, offset, left, out, outOffset, room, state,
    );
    if (failure !== undefined) fail(stream, options.errorOf(failure));
    offset += left - state[1];
    left = state[1];
    const have = room - state[0];
    if (have > 0) {
      parts.push(out.slice(outOffset, outOffset + have));
      stream._outOffset += have;
      total += have;
      if (total > stream._maxOutputLength) {
        fail(stream, new errors.ERR_BUFFER_TOO_LARGE(stream._maxOutputLength));
      }
    }
    if (state[0] === 0 || stream._outOffset >= stream._chunkSize) {
      stream._outOffset = 0;
      stream._outBuffer = Buffer.allocUnsafe(stream._chunkSize);
    }
    if (state[0] !== 0 || (state[2] !== 0 && left === 0)) break;
  }
  if (left > 0 && isRejectingGarbage) fail(stream, new errors.ERR_TRAILING_JUNK_AFTER_STREAM_END());
  stream.bytesWritten = offset;
  closeHandle(stream);
  return parts.length === 1 ? parts[0] : Buffer.concat(parts, total);
};

// ---- In steps -----------------------------------------------------------------------------------

function step(stream, work) {
  work.room = stream._chunkSize - stream._outOffset;
  binding.stepLater(
    stream._handle.inner, work.flushFlag, work.chunk, work.offset, work.left,
    stream._outBuffer, stream._outOffset, work.room, stream[kZlib].state, work.onStep,
  );
}

function processChunk(stream, chunk, flushFlag, callback) {
  if (!stream._handle) return process.nextTick(callback);
  const work = {
    chunk, flushFlag, callback, offset: 0, left: chunk.byteLength, room: 0,
    onStep: inContext((failure) => afterStep(stream, work, failure)),
  };
  stream[kZlib].work = work;
  step(stream, work);
}

/** The next step of the same chunk, when the reader wants more. */
function stepWhenRead(stream, work) {
  const oldRead = stream._read;
  stream._read = (n) => {
    stream._read = oldRead;
    if (stream._handle) step(stream, work);
    stream._read(n);
  };
}

/** Takes what came out; false when the reader has enough. */
function takeOutput(stream, have) {
  let wantsMore = true;
  if (have > 0) {
    const out = stream._outBuffer.slice(stream._outOffset, stream._outOffset + have);
    stream._outOffset += have;
    wantsMore = stream.push(out);
  }
  return wantsMore;
}

function endOfChunk(stream, work) {
  stream[kZlib].work = null;
  work.callback();
}

function afterStep(stream, work, failure) {
  if (stream.destroyed) return endOfChunk(stream, work);
  if (failure !== undefined) {
    closeHandle(stream);
    return stream.destroy(options.errorOf(failure));
  }
  const { 0: roomLeft, 1: left, 2: isEnded } = stream[kZlib].state;
  stream.bytesWritten += work.left - left;
  const wantsMore = takeOutput(stream, work.room - roomLeft);
  if (stream.destroyed) return endOfChunk(stream, work);
  if (roomLeft === 0 || stream._outOffset >= stream._chunkSize) {
    stream._outOffset = 0;
    stream._outBuffer = Buffer.allocUnsafe(stream._chunkSize);
  }
  work.offset += work.left - left;
  work.left = left;
  if (roomLeft === 0 && !(isEnded && left === 0)) {
    if (wantsMore) step(stream, work);
    else stepWhenRead(stream, work);
    return undefined;
  }
  if (left > 0) {
    // There was room and still it stopped: the compressed stream ended before the input.
    if (stream[kZlib].isRejectingGarbage) {
      const error = new errors.ERR_TRAILING_JUNK_AFTER_STREAM_END();
      stream.destroy(error);
      return work.callback(error);
    }
    stream.push(null);
  }
  return endOfChunk(stream, work);
}

// ---- Classes ------------------------------------------------------------------------------------

function Zlib(opts, mode) {
  Reflect.apply(ZlibBase, this, [opts, mode]);
  [this._level, this._strategy] = this[kZlib].settings;
}
Object.setPrototypeOf(Zlib.prototype, ZlibBase.prototype);
Object.setPrototypeOf(Zlib, ZlibBase);

Zlib.prototype.params = function params(level, strategy, callback) {
  options.checkParams(level, strategy);
  if (this._level === level && this._strategy === strategy) return process.nextTick(callback);
  return this.flush(Z_SYNC_FLUSH, () => {
    require("node:assert")(this._handle, "zlib binding closed");
    this._handle.params(level, strategy);
    if (this.destroyed) return;
    this._level = level;
    this._strategy = strategy;
    if (callback) callback();
  });
};

function define(name, mode, Base) {
  // A plain function, as in Node: `zlib.Gzip()` works without `new`.
  const Stream = {
    [name]: function (opts) {
      if (!(this instanceof Stream)) return new Stream(opts);
      Reflect.apply(Base, this, [opts, mode]);
      return undefined;
    },
  }[name];
  Object.setPrototypeOf(Stream.prototype, Base.prototype);
  Object.setPrototypeOf(Stream, Base);
  exports[name] = Stream;
}

define("Deflate", constants.DEFLATE, Zlib);
define("Inflate", constants.INFLATE, Zlib);
define("Gzip", constants.GZIP, Zlib);
define("Gunzip", constants.GUNZIP, Zlib);
define("DeflateRaw", constants.DEFLATERAW, Zlib);
define("InflateRaw", constants.INFLATERAW, Zlib);
define("Unzip", constants.UNZIP, Zlib);
define("BrotliCompress", constants.BROTLI_ENCODE, ZlibBase);
define("BrotliDecompress", constants.BROTLI_DECODE, ZlibBase);
define("ZstdCompress", constants.ZSTD_COMPRESS, ZlibBase);
define("ZstdDecompress", constants.ZSTD_DECOMPRESS, ZlibBase);
