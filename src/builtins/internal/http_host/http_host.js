// internal/http_host -- HTTP servers of the native half, for Bun.serve and node:http.
//
// open(onRequest, onEvent) -> sid; set(sid, option, number); listen(sid, address, port, flags,
// backlog) -> port or -errno; stop(sid, now); ...
// onRequest(id, raw, info, targetLength): raw is the head of the request as a string of bytes, from
// its method on; info: see kInfo. onEvent(id, event, value): see kEvents.

const native_ = native;

/** Bits of info; the lowest six are the number of the method. */
exports.kInfo = {
  __proto__: null, METHOD: 63, HTTP_11: 64, HAS_BODY: 128, UPGRADE: 256, BODY_IS_HERE: 512,
  CHUNKED: 2048, KEEP_ALIVE: 1024, EXPECTS: 4096, EXPECTS_OTHER: 8192, NO_HOST: 16384,
};
exports.kEvents = {
  __proto__: null, ABORT: 1, BODY: 2, DRAIN: 3, RAW: 4, CLOSE: 5, STOPPED: 6, BAD: 7, TIMEOUT: 8,
  CONNECT: 9, AHEAD: 10, WS_TEXT: 20, WS_BINARY: 21, WS_CLOSE: 22, WS_PING: 23, WS_PONG: 24,
};
exports.kOptions = {
  __proto__: null, IDLE: 0, HEAD_MS: 1, BUSY: 2, REQUEST: 3, BODY_MAX: 4, HEAD_SIZE: 5, FIELDS: 6,
  LENIENT: 7, HOST: 8, NO_DATE: 9, EXPECT: 10, HALF_OPEN: 11, CONNECT: 12, BAD: 13, TIMEOUT: 14,
  H2: 15, NO_H1: 16, FROM_CONNECT: 17, AHEAD: 18,
};
exports.native = native_;
/** By number, as http/http_method.def has them. */
exports.kMethods = [
  "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE", "COPY", "LOCK",
  "MKCOL", "MOVE", "PROPFIND", "PROPPATCH", "SEARCH", "UNLOCK", "BIND", "REBIND", "UNBIND", "ACL",
  "REPORT", "MKACTIVITY", "CHECKOUT", "MERGE", "M-SEARCH", "NOTIFY", "SUBSCRIBE", "UNSUBSCRIBE",
  "PURGE", "MKCALENDAR", "LINK", "UNLINK", "SOURCE", "QUERY",
];
