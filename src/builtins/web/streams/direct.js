// web/streams/direct -- Bun's streams of `type: "direct"`.
const { notImplemented } = require("internal/errors");

exports.setUp = () => {
  throw notImplemented('ReadableStream of type "direct"');
};
