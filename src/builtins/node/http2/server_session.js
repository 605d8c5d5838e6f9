// node:http2/server_session -- ServerHttp2Session (Node: http2, "Class: ServerHttp2Session").
// @internal
const errors = require("internal/errors");
const { validateString } = require("internal/validators");
const { Http2Session } = require("node:http2/session");
const { kServer, kSessions, kLink, kServerType } = require("node:http2/shared");

const FRAME_MAX = 16382;
/** What may stand in an ALTSVC frame. */
const kAltSvc = /^[\x09\x20-\x5b\x5d-\x7e\x80-\xff]*$/;

function altsvcOrigin(given) {
  if (typeof given === "string") {
    const { origin } = new URL(given);
    if (origin === "null") throw new errors.ERR_HTTP2_ALTSVC_INVALID_ORIGIN();
    return origin;
  }
  const origin = given !== null && typeof given === "object" ? given.origin : undefined;
  if (typeof origin !== "string") {
    throw new errors.ERR_INVALID_ARG_TYPE(
      "originOrStream", ["string", "number", "URL", "object"], given,
    );
  }
  if (origin === "null" || origin === "") throw new errors.ERR_HTTP2_ALTSVC_INVALID_ORIGIN();
  return origin;
}

function originOf(given) {
  let origin = given;
  if (typeof given === "string") origin = new URL(given).origin;
  else if (given !== null && typeof given === "object") origin = given.origin;
  validateString(origin, "origin");
  if (origin === "null") throw new errors.ERR_HTTP2_INVALID_ORIGIN();
  return origin;
}

class ServerHttp2Session extends Http2Session {
  constructor(options, socket, server) {
    super(kServerType, options, socket);
    this[kServer] = server;
    server?.[kSessions]?.add(this);
  }

  get server() {
    return this[kServer];
  }

  altsvc(alt, originOrStream) {
    if (this.destroyed) throw new errors.ERR_HTTP2_INVALID_SESSION();
    let id = 0;
    let origin = "";
    if (typeof originOrStream === "number") {
      if (originOrStream >>> 0 !== originOrStream || originOrStream === 0) {
        throw new errors.ERR_OUT_OF_RANGE("originOrStream", `> 0 && < ${2 ** 32}`, originOrStream);
      }
      id = originOrStream;
    } else if (originOrStream !== undefined) origin = altsvcOrigin(originOrStream);
    validateString(alt, "alt");
    if (!kAltSvc.test(alt)) throw new errors.ERR_INVALID_CHAR("alt");
    if (alt.length + origin.length > FRAME_MAX) throw new errors.ERR_HTTP2_ALTSVC_LENGTH();
    this[kLink].call("altsvc", id, origin, alt);
  }

  origin(...origins) {
    if (this.destroyed) throw new errors.ERR_HTTP2_INVALID_SESSION();
    if (origins.length === 0) return;
    const list = origins.map(originOf);
    const size = list.reduce((sum, one) => sum + one.length, 0);
    if (size > FRAME_MAX) throw new errors.ERR_HTTP2_ORIGIN_LENGTH();
    this[kLink].call("origin", list.map((one) => `${one}\0`).join(""));
  }
}

exports.ServerHttp2Session = ServerHttp2Session;
