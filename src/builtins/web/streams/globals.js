// @global ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamDefaultController
// @global ReadableByteStreamController ReadableStreamBYOBRequest
// web/streams/globals -- the classes around ReadableStream, loaded one by one.
const { lazy } = require("internal/process_util");

lazy(exports, "ReadableStreamDefaultReader",
  () => require("web/streams/reader").ReadableStreamDefaultReader);
lazy(exports, "ReadableStreamBYOBReader",
  () => require("web/streams/reader").ReadableStreamBYOBReader);
lazy(exports, "ReadableStreamDefaultController",
  () => require("web/streams/default_controller").ReadableStreamDefaultController);
lazy(exports, "ReadableByteStreamController",
  () => require("web/streams/byte_classes").ReadableByteStreamController);
lazy(exports, "ReadableStreamBYOBRequest",
  () => require("web/streams/byte_classes").ReadableStreamBYOBRequest);
