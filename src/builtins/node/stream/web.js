// node:stream/web -- the classes of the Streams Standard (Node: stream/web).
const kNames = [
  "ReadableStream", "ReadableStreamDefaultReader", "ReadableStreamBYOBReader",
  "ReadableStreamBYOBRequest", "ReadableByteStreamController", "ReadableStreamDefaultController",
  "TransformStream", "TransformStreamDefaultController", "WritableStream",
  "WritableStreamDefaultWriter", "WritableStreamDefaultController", "ByteLengthQueuingStrategy",
  "CountQueuingStrategy", "TextEncoderStream", "TextDecoderStream",
  "CompressionStream", "DecompressionStream",
];
const { lazies } = require("internal/process_util");
const sources = {
  __proto__: null,
  ReadableStream: () => require("web/streams/readable"),
  WritableStream: () => require("web/streams/writable"),
  WritableStreamDefaultWriter: () => require("web/streams/writable"),
  WritableStreamDefaultController: () => require("web/streams/writable"),
  TransformStream: () => require("web/streams/transform"),
  TransformStreamDefaultController: () => require("web/streams/transform"),
  ByteLengthQueuingStrategy: () => require("web/streams/strategies"),
  CountQueuingStrategy: () => require("web/streams/strategies"),
  CompressionStream: () => require("web/compression"),
  DecompressionStream: () => require("web/compression"),
  TextEncoderStream: () => require("web/streams/encoding"),
  TextDecoderStream: () => require("web/streams/encoding"),
};
lazies(exports, kNames, (name) => (sources[name]?.() ?? require("web/streams/globals"))[name]);
