// internal/streams/from -- Readable.from(iterable): a stream of what an iterable gives.
const { nextTick } = require("internal/tick");
const { ERR_INVALID_ARG_TYPE, ERR_STREAM_NULL_VALUES } = require("internal/errors");

function ofOneChunk(Readable, chunk, options) {
  return new Readable({
    objectMode: true,
    ...options,
    read() {
      this.push(chunk);
      this.push(null);
    },
  });
}

/** Pulls from the iterator as long as the stream takes more. */
class Source {
  constructor(stream, iterator, isAsync) {
    this.stream = stream;
    this.iterator = iterator;
    this.isAsync = isAsync;
    this.isReading = false;
  }

  /** Gives one value to the stream: does it take more? */
  give(value) {
    if (value === null) {
      this.isReading = false;
      throw new ERR_STREAM_NULL_VALUES();
    }
    if (this.stream.push(value)) return true;
    this.isReading = false;
    return false;
  }

  async next() {
    const { iterator, isAsync } = this;
    try {
      while (true) {
        const result = isAsync ? await iterator.next() : iterator.next();
        if (result.done) {
          this.stream.push(null);
          return;
        }
        const { value } = result;
        const isPromise = value !== null && value !== undefined && typeof value.then === "function";
        if (!this.give(isPromise ? await value : value)) return;
      }
    } catch (err) {
      this.stream.destroy(err);
    }
  }

  async close(error) {
    const { iterator } = this;
    const hasError = error !== undefined && error !== null;
    if (hasError && typeof iterator.throw === "function") {
      const { value, done } = await iterator.throw(error);
      await value;
      if (done) return;
    }
    if (typeof iterator.return === "function") {
      const { value } = await iterator.return();
      await value;
    }
  }
}

exports.from = function from(Readable, iterable, options) {
  const { Buffer } = require("node:buffer");
  if (typeof iterable === "string" || iterable instanceof Buffer) {
    return ofOneChunk(Readable, iterable, options);
  }
  const isAsync = typeof iterable?.[Symbol.asyncIterator] === "function";
  if (!isAsync && typeof iterable?.[Symbol.iterator] !== "function") {
    throw new ERR_INVALID_ARG_TYPE("iterable", ["Iterable"], iterable);
  }
  const iterator = iterable[isAsync ? Symbol.asyncIterator : Symbol.iterator]();
  const stream = new Readable({ objectMode: true, highWaterMark: 1, ...options });
  const source = new Source(stream, iterator, isAsync);
  const originalDestroy = stream._destroy;
  stream._read = function _read() {
    if (source.isReading) return;
    source.isReading = true;
    source.next();
  };
  stream._destroy = function _destroy(error, cb) {
    originalDestroy.call(this, error, (destroyError) => {
      const err = destroyError || error;
      source.close(error).then(
        () => nextTick(cb, err),
        (e) => nextTick(cb, e || err),
      );
    });
  };
  return stream;
};
