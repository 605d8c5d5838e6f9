// web/fetch/streams -- what bodies and blobs need of streams.

const { concat, encode, copy } = require("web/blob/bytes");

/** A readable byte stream; `source` as the constructor of ReadableStream takes it. */
exports.makeByteStream = (source) => {
  const { ReadableStream } = globalThis;
  return new ReadableStream({ ...source, type: "bytes" }, { highWaterMark: 0 });
};

exports.isReadableStream = (value) => {
  const { ReadableStream } = globalThis;
  return typeof ReadableStream === "function" && value instanceof ReadableStream;
};

exports.isDisturbed = (stream) => require("node:stream").isDisturbed(stream);

/** A stream that was read already, for the body of what was. */
exports.usedStream = () => {
  const stream = exports.makeByteStream({});
  stream.getReader().cancel();
  return stream;
};

/** A stream over an iterable of chunks: bytes or strings. */
exports.streamFrom = (iterable) => {
  const method = iterable[Symbol.asyncIterator] ?? iterable[Symbol.iterator];
  let iterator;
  return exports.makeByteStream({
    async pull(controller) {
      iterator ??= method.call(iterable);
      while (true) {
        const { done, value } = await iterator.next();
        if (done) {
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        const chunk = toBytes(value);
        if (chunk.byteLength === 0) continue;
        controller.enqueue(chunk);
        return;
      }
    },
    async cancel(reason) {
      await iterator?.return?.(reason);
    },
  });
};

/** The bytes of a chunk of a body, or TypeError. */
function toBytes(chunk) {
  if (typeof chunk === "string") return encode(chunk);
  const data = copy(chunk);
  if (data === undefined) throw new TypeError("Expected text, ArrayBuffer or ArrayBufferView");
  return data;
}

/** All bytes of a stream that nobody reads. */
exports.readStream = async (stream) => {
  const reader = stream.getReader();
  const chunks = [];
  let total = 0;
  while (true) {
    const { done, value } = await reader.read();
    if (done) break;
    let chunk = value;
    if (typeof value === "string") chunk = encode(value);
    else if (!ArrayBuffer.isView(value)) chunk = toBytes(value);
    chunks.push(chunk);
    total += chunk.byteLength;
  }
  return concat(chunks, total);
};

exports.tee = (stream) => stream.tee();

/** A stream with the same chunks; the one it comes from is locked then. */
exports.moveStream = (stream) => {
  const reader = stream.getReader();
  return exports.makeByteStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) controller.enqueue(toBytes(value));
      else {
        controller.close();
        controller.byobRequest?.respond(0);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

exports.toBytes = toBytes;
