// internal/streams/compose -- compose(...streams): one Duplex that writes to the first and reads
// from the last (Node: stream.compose).
const { ERR_INVALID_ARG_VALUE, ERR_MISSING_ARGS } = require("internal/errors");
const { Duplex } = require("internal/streams/duplex");
const { pipelineImpl } = require("internal/streams/pipeline");
const { eos } = require("internal/streams/end_of_stream");
const { Sides } = require("internal/streams/duplex_sides");
const is = require("internal/streams/predicates");

const canRead = (s) => !!(is.isReadable(s) || is.isReadableStream(s) || is.isTransformStream(s));
const canWrite = (s) => !!(is.isWritable(s) || is.isWritableStream(s) || is.isTransformStream(s));

function check(streams, given) {
  const last = streams.length - 1;
  for (let i = 0; i <= last; i++) {
    const stream = streams[i];
    if (!is.isNodeStream(stream) && !is.isWebStream(stream)) continue;
    if (i < last && !canRead(stream)) {
      throw new ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], "must be readable");
    }
    if (i > 0 && !canWrite(stream)) {
      throw new ERR_INVALID_ARG_VALUE(`streams[${i}]`, given[i], "must be writable");
    }
  }
}

function writeToWeb(sides, head) {
  const writer = (is.isTransformStream(head) ? head.writable : head).getWriter();
  sides.duplex._write = async (chunk, encoding, callback) => {
    try {
      await writer.ready;
      writer.write(chunk).catch(() => {});
      callback();
    } catch (err) {
      callback(err);
    }
  };
  sides.duplex._final = async (callback) => {
    try {
      await writer.ready;
      writer.close().catch(() => {});
      sides.finish = callback;
    } catch (err) {
      callback(err);
    }
  };
}

function readFromWeb(sides, tail) {
  const reader = (is.isTransformStream(tail) ? tail.readable : tail).getReader();
  const { duplex } = sides;
  duplex._read = async () => {
    try {
      while (true) {
        const { value, done } = await reader.read();
        if (done) {
          duplex.push(null);
          return;
        }
        if (!duplex.push(value)) return;
      }
    } catch {
      // The pipeline reports it.
    }
  };
}

exports.compose = function compose(...given) {
  if (given.length === 0) throw new ERR_MISSING_ARGS("streams");
  if (given.length === 1) return Duplex.from(given[0]);
  const streams = given.slice();
  const last = streams.length - 1;
  for (let k = 0, all = [0, last]; k < all.length; k++) {
    const i = all[k];
    if (typeof streams[i] === "function") streams[i] = Duplex.from(streams[i]);
  }
  check(streams, given);
  const sides = new Sides();
  const head = streams[0];
  const tail = pipelineImpl(streams, (err) => {
    if (sides.finished(err) && !readable && !writable) sides.duplex.destroy();
  });
  const writable = canWrite(head);
  const readable = canRead(tail);
  sides.duplex = new Duplex({
    writableObjectMode: !!head?.writableObjectMode,
    readableObjectMode: !!tail?.readableObjectMode,
    writable,
    readable,
  });
  if (writable) {
    if (is.isNodeStream(head)) sides.writeTo(head);
    else writeToWeb(sides, head);
    eos(is.isTransformStream(tail) ? tail.readable : tail, () => sides.wake("finish"));
  }
  if (readable) {
    if (is.isNodeStream(tail)) sides.readFrom(tail);
    else readFromWeb(sides, tail);
  }
  sides.destroyWith(is.isNodeStream(tail) ? [tail] : [], true);
  return sides.duplex;
};
