// node:_http_common -- what the parts of node:http share (Node: lib/_http_common.js).

const kToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const kBadValue = /[^\t\x20-\x7e\x80-\xff]/;

/** Methods that the parser knows, as http.METHODS lists them. */
exports.methods = [
  "ACL", "BIND", "CHECKOUT", "CONNECT", "COPY", "DELETE", "GET", "HEAD", "LINK", "LOCK",
  "M-SEARCH", "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MOVE", "NOTIFY", "OPTIONS", "PATCH",
  "POST", "PROPFIND", "PROPPATCH", "PURGE", "PUT", "QUERY", "REBIND", "REPORT", "SEARCH",
  "SOURCE", "SUBSCRIBE", "TRACE", "UNBIND", "UNLINK", "UNLOCK", "UNSUBSCRIBE",
];
exports._checkIsHttpToken = (value) => kToken.test(value);
exports._checkInvalidHeaderChar = (value) => kBadValue.test(value);
exports.chunkExpression = /(?:^|\W)chunked(?:$|\W)/i;
exports.continueExpression = /(?:^|\W)100-continue(?:$|\W)/i;
exports.CRLF = "\r\n";
exports.kIncomingMessage = Symbol("IncomingMessage");
exports.kTimeout = Symbol("kTimeout");

/** Date header of this second. */
let dateText = "";
let dateUntil = 0;
exports.utcDate = function utcDate() {
  const now = Date.now();
  if (now >= dateUntil) {
    dateText = new Date(now).toUTCString();
    dateUntil = now - now % 1000 + 1000;
  }
  return dateText;
};

exports.prepareError = function prepareError(error, parser, rawPacket) {
  error.rawPacket = rawPacket ?? parser?.getCurrentBuffer?.();
  if (typeof error.reason === "string") error.message = `Parse Error: ${error.reason}`;
};

/** An error of the parser; `rc` is minus the number of http/http_error.def. */
exports.parseError = function parseError(rc, bytesParsed, rawPacket) {
  const [code, reason] = require("internal/http_parser").errorOf(rc);
  const error = new Error(`Parse Error: ${reason}`);
  error.bytesParsed = bytesParsed;
  error.code = code;
  error.reason = reason;
  error.rawPacket = rawPacket;
  return error;
};

/** Milliseconds for a timer, checked. */
exports.getTimerDuration = function getTimerDuration(msecs, name) {
  const errors = require("internal/errors");
  require("internal/validators").validateNumber(msecs, name);
  if (msecs < 0 || !Number.isFinite(msecs)) {
    throw new errors.ERR_OUT_OF_RANGE(name, "a non-negative finite number", msecs);
  }
  const MAX = 2 ** 31 - 1;
  if (msecs <= MAX) return msecs;
  process.emitWarning(
    `${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${MAX}.`,
    "TimeoutOverflowWarning",
  );
  return MAX;
};

Object.defineProperty(exports, "HTTPParser", {
  configurable: true,
  enumerable: true,
  get: () => require("node:_http_common/parser").HTTPParser,
});
