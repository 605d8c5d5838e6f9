// web/streams/inspect -- how streams are printed (console.log, util.inspect).
const kStates = ["readable", "closed", "errored"];

function show(name, fields, options, inspect) {
  const print = inspect ?? require("internal/inspect").inspect;
  return `${name} ${print(fields, { ...options, depth: options?.depth ?? 2 })}`;
}
exports.show = show;

exports.inspectReadable = (stream, rs, options, inspect) => {
  if (rs === undefined) return "ReadableStream {}";
  const { ByteController } = require("web/streams/byte_controller");
  const fields = {
    locked: rs.reader !== null,
    state: kStates[rs.state],
    supportsBYOB: rs.controller instanceof ByteController,
  };
  return show("ReadableStream", fields, options, inspect);
};

exports.inspectReader = (reader, state, options, inspect) => {
  const fields = {
    stream: state.rs === null ? undefined : state.rs.stream,
    readRequests: state.requests.length,
    close: state.closed.get(),
  };
  const name = state.isByob ? "ReadableStreamBYOBReader" : "ReadableStreamDefaultReader";
  return show(name, fields, options, inspect);
};

exports.inspectWritable = (stream, ws, options, inspect) => {
  if (ws === undefined) return "WritableStream {}";
  const fields = { locked: ws.writer !== null, state: ws.stateName() };
  return show("WritableStream", fields, options, inspect);
};

exports.inspectTransform = (stream, ts, options, inspect) => {
  if (ts === undefined) return "TransformStream {}";
  const fields = {
    readable: stream.readable, writable: stream.writable, backpressure: ts.hasBackpressure,
  };
  return show("TransformStream", fields, options, inspect);
};
