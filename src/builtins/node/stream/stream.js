// node:stream -- the module that programs see (Node: stream). The classes and functions are in
// internal/streams; what few programs use is loaded when it is first asked for.
const { Stream } = require("internal/streams/legacy");
const { Readable } = require("internal/streams/readable");
const { Writable } = require("internal/streams/writable");
const { Duplex } = require("internal/streams/duplex");
const { Transform, PassThrough } = require("internal/streams/transform");
const { eos } = require("internal/streams/end_of_stream");
const { pipeline } = require("internal/streams/pipeline");
const { destroyer } = require("internal/streams/destroy");
const is = require("internal/streams/predicates");
const marks = require("internal/streams/high_water_mark");
const { addAbortSignal } = require("internal/streams/add_abort_signal");

const kCustom = Symbol.for("nodejs.util.promisify.custom");

const isReadable = (stream) => is.isReadable(stream);
const isWritable = (stream) => is.isWritable(stream);

Object.assign(Stream, {
  isDestroyed: is.isDestroyed,
  isDisturbed: is.isDisturbed,
  isErrored: is.isErrored,
  isReadable,
  isWritable,
  Readable,
  Writable,
  Duplex,
  Transform,
  PassThrough,
  pipeline,
  addAbortSignal,
  finished: eos,
  destroy: destroyer,
  compose(...streams) {
    return Reflect.apply(require("internal/streams/compose").compose, undefined, streams);
  },
  setDefaultHighWaterMark: marks.setDefaultHighWaterMark,
  getDefaultHighWaterMark: marks.getDefaultHighWaterMark,
  duplexPair(options) {
    return require("internal/streams/duplex_pair").duplexPair(options);
  },
  Stream,
  _isArrayBufferView: ArrayBuffer.isView,
  _isUint8Array: (value) => value instanceof Uint8Array,
  _uint8ArrayToBuffer: (chunk) =>
    require("node:buffer").Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength),
});

Object.defineProperties(Stream, {
  promises: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => require("node:stream/promises"),
  },
});
for (let i = 0, all = [[eos, "finished"], [pipeline, "pipeline"]]; i < all.length; i++) {
  const { 0: fn, 1: name } = all[i];
  Object.defineProperty(fn, kCustom, {
    __proto__: null, enumerable: true, get: () => require("node:stream/promises")[name],
  });
}
Object.defineProperty(eos, "name", { __proto__: null, value: "eos", configurable: true });

return Stream;
