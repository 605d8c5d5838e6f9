// @internal
// bun:serve -- Bun.serve().
//
// A request is handed to the handler as a Request whose parts are made when they are asked for; a
// Response with a string, bytes or nothing goes out in one native call.

const host = require("internal/http_host");
const answer = require("internal/http_host/http_answer");
const { isResponse, takeResponse } = require("web/fetch/response");
const { makeRequest } = require("web/fetch/request");
const { kinds } = require("web/fetch/body");
const { kEvents, kInfo, kMethods, kOptions } = host;
const { open, listen, set } = host.native;
const { respond } = answer;

const out = { kind: 0, value: null, type: null, status: 200, statusText: "", headers: null };

class Parts {
  constructor(server, id, raw, info, length) {
    this.server = server;
    this.id = id;
    this.raw = raw;
    this.method = kMethods[info & 63];
    this.hasBody = (info & 128) !== 0;
    this.length = length;
  }

  url() {
    return answer.url(this.raw, this.method.length + 1, this.length, this.server.isSecure,
      this.server.authority);
  }

  headers() {
    return host.native.headers(this.raw, false);
  }

  body() {
    return this;
  }

  bytes() {
    const data = host.native.readAll(this.server.sid, this.id, false);
    return data === undefined ? this.server.waitBody(this.id, false) : data;
  }

  text() {
    const data = host.native.readAll(this.server.sid, this.id, true);
    return data === undefined ? this.server.waitBody(this.id, true) : data;
  }

  signal() {
    return this.server.signalOf(this.id);
  }
}

function linesOf(headers, type) {
  let lines = "";
  if (headers === null) return type === null ? "" : `content-type: ${type}\r\n`;
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return lines;
}

function send(sid, id, response) {
  takeResponse(response, out);
  const { kind, value, status } = out;
  const lines = linesOf(out.headers, out.type);
  if (kind <= kinds.BYTES) respond(sid, id, status, out.statusText, lines, value);
  else throw new Error("not implemented: response body");
}

exports.serve = function serve(options) {
  const { fetch } = options;
  const state = { sid: 0, isSecure: false, authority: "localhost" };
  const server = {};
  function onRequest(id, raw, info, length) {
    const request = makeRequest(new Parts(state, id, raw, info, length));
    const result = fetch.call(server, request, server);
    if (isResponse(result)) send(state.sid, id, result);
    else result.then((response) => send(state.sid, id, response));
  }
  state.sid = open(onRequest, () => {});
  server.port = listen(state.sid, "127.0.0.1", options.port, 0, 512);
  return server;
};
