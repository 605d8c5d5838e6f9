// node:http -- what programs see of the HTTP server and client; each part is loaded when it is
// first asked for.

const { lazy } = require("internal/process_util");
const common = require("node:_http_common");

const HEADER_SIZE = 16 * 1024;

exports.METHODS = common.methods.slice().sort();
exports.createServer = function createServer(options, listener) {
  return new (require("node:_http_server").Server)(options, listener);
};
exports.request = function request(url, options, callback) {
  return new (require("node:_http_client").ClientRequest)(url, options, callback);
};
exports.get = function get(url, options, callback) {
  const req = exports.request(url, options, callback);
  req.end();
  return req;
};
exports.validateHeaderName = function validateHeaderName(name, label) {
  return require("node:_http_outgoing").validateHeaderName(name, label);
};
exports.validateHeaderValue = function validateHeaderValue(name, value) {
  return require("node:_http_outgoing").validateHeaderValue(name, value);
};
exports.setMaxIdleHTTPParsers = function setMaxIdleHTTPParsers(max) {
  require("internal/validators").validateInteger(max, "max", 1);
};
lazy(exports, "maxHeaderSize", () => {
  const given = /--max-http-header-size[= ](\d+)/;
  const found = given.exec(process.execArgv.join(" ")) ??
    given.exec(process.env.NODE_OPTIONS ?? "");
  return found === null ? HEADER_SIZE : +found[1];
});
lazy(exports, "STATUS_CODES", () => require("node:_http_server/status").STATUS_CODES);
lazy(exports, "Server", () => require("node:_http_server").Server);
lazy(exports, "ServerResponse", () => require("node:_http_server").ServerResponse);
lazy(exports, "_connectionListener", () => require("node:_http_server")._connectionListener);
lazy(exports, "IncomingMessage", () => require("node:_http_incoming").IncomingMessage);
lazy(exports, "OutgoingMessage", () => require("node:_http_outgoing").OutgoingMessage);
lazy(exports, "ClientRequest", () => require("node:_http_client").ClientRequest);
lazy(exports, "Agent", () => require("node:_http_agent").Agent);
lazy(exports, "WebSocket", () => globalThis.WebSocket);
lazy(exports, "MessageEvent", () => globalThis.MessageEvent);
lazy(exports, "CloseEvent", () => globalThis.CloseEvent);

let agent;
Object.defineProperty(exports, "globalAgent", {
  configurable: true,
  enumerable: true,
  get() {
    agent ??= require("node:_http_agent").globalAgent;
    return agent;
  },
  set(value) {
    agent = value;
    require("node:_http_agent").setGlobalAgent(value);
  },
});
