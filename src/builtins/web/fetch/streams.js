// web/fetch/streams -- what bodies and blobs need of streams; their sources (web/streams/source).

const { copy, encode } = require("web/blob/bytes");
const { stateOf } = require("web/streams/readable");
const { makeReadable } = require("web/streams/source");

/** A byte stream over a source: { pull(sink), cancel(reason), takeAll() }. */
exports.makeStream = (source) => makeReadable(source, { highWaterMark: 0 });

exports.isReadableStream = (value) =>
  typeof value === "object" && value !== null && stateOf(value) !== undefined;

exports.isDisturbed = (stream) => stateOf(stream).isDisturbed;

/** A stream that was read already, for the body of what was. */
exports.usedStream = () => {
  const stream = makeReadable({
    pull(sink) {
      sink.close();
    },
  });
  stream.getReader().cancel();
  stateOf(stream).isDisturbed = true;
  return stream;
};

/** The bytes of a chunk of a body, or TypeError. */
function toBytes(chunk) {
  if (typeof chunk === "string") return encode(chunk);
  const data = copy(chunk);
  if (data === undefined) throw new TypeError("Expected text, ArrayBuffer or ArrayBufferView");
  return data;
}

/** Chunks of an iterator (of bytes or strings) as a source. */
class IteratorSource {
  constructor(iterable) {
    this.iterable = iterable;
    this.iterator = null;
  }

  async pull(sink) {
    try {
      if (this.iterator === null) {
        const { iterable } = this;
        const method = iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator];
        this.iterator = method.call(iterable);
      }
      while (true) {
        const { done, value } = await this.iterator.next();
        if (done) {
          sink.close();
          return;
        }
        const chunk = toBytes(value);
        if (chunk.byteLength === 0) continue;
        sink.push(chunk);
        return;
      }
    } catch (error) {
      sink.error(error);
    }
  }

  async cancel(reason) {
    await this.iterator?.return?.(reason);
  }
}

exports.streamFrom = (iterable) => exports.makeStream(new IteratorSource(iterable));

/** All bytes of a stream that nobody reads: a Uint8Array or a promise of one. */
exports.readStream = (stream) => require("web/streams/consume").takeBytes(stream);

exports.tee = (stream) => stream.tee();

/** The chunks of another stream as a source. */
class ReaderSource {
  constructor(stream) {
    this.reader = stream.getReader();
  }

  async pull(sink) {
    try {
      const { done, value } = await this.reader.read();
      if (done) sink.close();
      else sink.push(toBytes(value));
    } catch (error) {
      sink.error(error);
    }
  }

  cancel(reason) {
    return this.reader.cancel(reason);
  }
}

/** A stream with the same chunks; the one it comes from is locked then. */
exports.moveStream = (stream) => exports.makeStream(new ReaderSource(stream));

exports.toBytes = toBytes;
