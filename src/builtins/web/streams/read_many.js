// web/streams/read_many -- reader.readMany(), which Bun adds to default readers.
const { readFrom, READABLE } = require("web/streams/core");
const { PromiseRead } = require("web/streams/reader");
const { DefaultController } = require("web/streams/default_controller");
const { then } = require("web/streams/promises");

const sizeOf = (chunk) =>
  typeof chunk === "string" ? chunk.length : (chunk?.byteLength ?? chunk?.size ?? 1);

function result(chunks, done) {
  let size = 0;
  for (const chunk of chunks) size += sizeOf(chunk);
  return { value: chunks, size, done };
}

/** How many chunks can be read without waiting. */
function countReady(rs) {
  if (rs.state !== READABLE) return 0;
  const { controller } = rs;
  return controller instanceof DefaultController || controller.queue ? controller.queue.length : 0;
}

exports.readMany = function readMany(state) {
  const { rs } = state;
  const count = countReady(rs);
  const chunks = [];
  for (let i = 0; i < count && rs.state === READABLE; i++) {
    readFrom(state, { chunk: (c) => chunks.push(c), close() {}, error() {} });
  }
  if (chunks.length > 0) return result(chunks, false);
  const request = new PromiseRead();
  readFrom(state, request);
  return then(request.promise(), ({ value, done }) => result(done ? [] : [value], done));
};
