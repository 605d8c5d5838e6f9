// node:http2/client_stream -- ClientHttp2Stream (Node: http2, "Class: ClientHttp2Stream").
// @internal
const { Http2Stream } = require("node:http2/stream");
const { kState, kInit, kHeadersSent } = require("node:http2/shared");

class ClientHttp2Stream extends Http2Stream {
  constructor(session, id, options) {
    super(session, options);
    this[kState].flags |= kHeadersSent;
    if (id !== undefined) this[kInit](id);
    this.on("headers", onHeaders);
  }
}

function onHeaders(headers) {
  if (headers[":status"] === 100) this.emit("continue");
}

exports.ClientHttp2Stream = ClientHttp2Stream;
