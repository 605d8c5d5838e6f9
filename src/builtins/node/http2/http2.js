// node:http2 -- the names and constants of Node's HTTP/2 (Node: http2); sessions are not there yet.
const { lazy } = require("internal/process_util");
const settings = {
  headerTableSize: 4096,
  enablePush: true,
  initialWindowSize: 65535,
  maxFrameSize: 16384,
  maxConcurrentStreams: 4294967295,
  maxHeaderListSize: 65535,
  maxHeaderSize: 65535,
  enableConnectProtocol: false,
};

lazy(exports, "constants", () => require("node:http2/constants"));
exports.sensitiveHeaders = Symbol("sensitiveHeaders");
exports.getDefaultSettings = function getDefaultSettings() {
  return { __proto__: null, ...settings };
};
require("internal/unavailable").define(exports, "http2", [
  "connect", "createServer", "createSecureServer", "getPackedSettings", "getUnpackedSettings",
  "performServerHandshake", "Http2ServerRequest", "Http2ServerResponse",
]);
