// node:stream/promises -- pipeline and finished as promises (Node: stream/promises).
const { finished } = require("internal/streams/end_of_stream");
const { pipelinePromise } = require("internal/streams/pipeline");

exports.finished = finished;
exports.pipeline = pipelinePromise;
