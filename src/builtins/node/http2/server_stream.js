// node:http2/server_stream -- ServerHttp2Stream (Node: http2, "Class: ServerHttp2Stream").
// @internal
const errors = require("internal/errors");
const { nextTick } = require("internal/tick");
const { validateFunction } = require("internal/validators");
const { Http2Stream } = require("node:http2/stream");
const shared = require("node:http2/shared");
const {
  headText, assertRequestPseudo, assertResponsePseudo, responseObject, responseList, getAuthority,
} = require("node:http2/headers");
const {
  kState, kSession, kLink, kInit, kUpdateTimer, kSentHeaders, kStrict, kAuthority, kProtocol,
  kHeadersSent, kHead, kHasTrailers, kEndStream, kGetTrailers, nghttpError, assertIsObject,
  publish,
} = shared;

const ERR_STREAM_ID_NOT_AVAILABLE = -509;
const ERR_STREAM_CLOSED = -510;
const kNoOptions = Object.freeze({});

const hasNoPayload = (status) => status === 204 || status === 205 || status === 304;

function assertOpen(stream) {
  if (stream.destroyed || stream.closed) throw new errors.ERR_HTTP2_INVALID_STREAM();
}

function pushError(rc) {
  if (rc === ERR_STREAM_ID_NOT_AVAILABLE) return new errors.ERR_HTTP2_OUT_OF_STREAMS();
  if (rc === ERR_STREAM_CLOSED) return new errors.ERR_HTTP2_INVALID_STREAM();
  return nghttpError(rc);
}

function pushHeaders(stream, given) {
  assertIsObject(given, "headers");
  const headers = Object.assign({ __proto__: null }, given);
  headers[":method"] ??= "GET";
  if (getAuthority(headers) === undefined) headers[":authority"] = stream[kAuthority];
  if (headers[":scheme"] === undefined) headers[":scheme"] = stream[kProtocol];
  if (headers[":path"] === undefined) headers[":path"] = "/";
  return headers;
}

class ServerHttp2Stream extends Http2Stream {
  constructor(session, id, options, headers) {
    super(session, options);
    this[kInit](id);
    this[kProtocol] = headers[":scheme"];
    this[kAuthority] = getAuthority(headers);
  }

  get pushAllowed() {
    return !this.destroyed && !this.closed && !this.session.closed && !this.session.destroyed &&
      this[kSession].remoteSettings.enablePush;
  }

  pushStream(given, options, callback) {
    if (!this.pushAllowed) throw new errors.ERR_HTTP2_PUSH_DISABLED();
    if (this.id % 2 === 0) throw new errors.ERR_HTTP2_NESTED_PUSH();
    this[kUpdateTimer]();
    if (typeof options === "function") {
      callback = options;
      options = undefined;
    }
    validateFunction(callback, "callback");
    assertIsObject(options, "options");
    const headers = pushHeaders(this, given);
    const isHead = headers[":method"] === "HEAD";
    const isEnd = isHead || !!options?.endStream;
    const session = this[kSession];
    const text = headText(headers, assertRequestPseudo, session[kStrict]);
    const id = session[kLink].stream("push", this.id, text, isEnd ? kEndStream : 0);
    if (id < 0) {
      nextTick(() => callback(pushError(id)));
      return;
    }
    const stream = new ServerHttp2Stream(session, id, {}, headers);
    stream[kSentHeaders] = headers;
    stream.push(null);
    if (isEnd) stream.end();
    if (isHead) stream[kState].flags |= kHead;
    nextTick(() => {
      publish("server.stream.start", () => ({ stream, headers }));
      callback(null, stream, headers, 0);
    });
    publish("server.stream.created", () => ({ stream, headers }));
  }

  respond(given, options) {
    assertOpen(this);
    if (this.headersSent) throw new errors.ERR_HTTP2_HEADERS_SENT();
    assertIsObject(options, "options");
    const { endStream, waitForTrailers, sendDate } = options ?? kNoOptions;
    const state = this[kState];
    this[kUpdateTimer]();
    if (waitForTrailers) state.flags |= kHasTrailers;
    const isList = Array.isArray(given);
    const { headers, status } = isList ? responseList(given, { sendDate }) :
      responseObject(given, { sendDate });
    if (isList) state.raw = headers;
    else this[kSentHeaders] = headers;
    const session = this[kSession];
    const text = headText(headers, assertResponsePseudo, session[kStrict]);
    state.flags |= kHeadersSent;
    if (endStream || hasNoPayload(status) || this.headRequest) this.end();
    const flags = (endStream ? kEndStream : 0) | (waitForTrailers ? kGetTrailers : 0);
    const rc = session[kLink].respond(this.id, text, flags);
    if (rc < 0) this.destroy(nghttpError(rc));
    else publish("server.stream.finish", () => ({ stream: this, headers, flags: state.flags }));
  }

  proceed() {
    this.respond();
  }

  respondWithFD(fd, headers, options) {
    require("node:http2/file").respondWithFD(this, fd, headers, options);
  }

  respondWithFile(path, headers, options) {
    require("node:http2/file").respondWithFile(this, path, headers, options);
  }

  additionalHeaders(given) {
    assertOpen(this);
    if (this.headersSent) throw new errors.ERR_HTTP2_HEADERS_AFTER_RESPOND();
    assertIsObject(given, "headers");
    const headers = Object.assign({ __proto__: null }, given);
    if (headers[":status"] !== undefined && headers[":status"] !== null) {
      const status = headers[":status"] |= 0;
      if (status === 101) throw new errors.ERR_HTTP2_STATUS_101();
      if (status < 100 || status >= 200) throw new errors.ERR_HTTP2_INVALID_INFO_STATUS(status);
    }
    this[kUpdateTimer]();
    const session = this[kSession];
    const text = headText(headers, assertResponsePseudo, session[kStrict]);
    const state = this[kState];
    if (state.sentInfo === undefined) state.sentInfo = [headers];
    else state.sentInfo.push(headers);
    const rc = session[kLink].stream("headers", this.id, text, false);
    if (rc < 0) this.destroy(nghttpError(rc));
  }
}

exports.ServerHttp2Stream = ServerHttp2Stream;
exports.assertOpen = assertOpen;
exports.hasNoPayload = hasNoPayload;
