// node:http2 (Node: http2). What it consists of is loaded when somebody asks for it.
const { lazy } = require("internal/process_util");

lazy(exports, "connect", () => require("node:http2/client").connect);
lazy(exports, "constants", () => require("node:http2/constants"));
for (const name of ["createServer", "createSecureServer", "performServerHandshake"]) {
  lazy(exports, name, () => require("node:http2/server")[name]);
}
for (const name of ["getDefaultSettings", "getPackedSettings", "getUnpackedSettings"]) {
  lazy(exports, name, () => require("node:http2/settings")[name]);
}
lazy(exports, "sensitiveHeaders", () => require("node:http2/shared").kSensitiveHeaders);
lazy(exports, "ClientHttp2Session", () => require("node:http2/client").ClientHttp2Session);
lazy(exports, "Http2ServerRequest",
  () => require("node:http2/compat_request").Http2ServerRequest);
lazy(exports, "Http2ServerResponse",
  () => require("node:http2/compat_response").Http2ServerResponse);
