// node:http2/compat_response -- Http2ServerResponse: a stream as what node:http calls a response
// (Node: http2, "Compatibility API").
// @internal
const { Stream } = require("node:stream");
const errors = require("internal/errors");
const { nextTick } = require("internal/tick");
const { validateFunction, validateObject, validateString } = require("internal/validators");
const { _checkIsHttpToken } = require("node:_http_common");
const { assertRequestPseudo } = require("node:http2/headers");
const { socketOf } = require("node:http2/compat_request");
const { kState, kRequest, kResponse, kProxySocket } = require("node:http2/shared");

const kPseudo = new Set([":status", ":method", ":path", ":authority", ":scheme"]);
const warned = { status: false, connection: false };

function warnOnce(key, text) {
  if (warned[key]) return;
  warned[key] = true;
  process.emitWarning(text, "UnsupportedWarning");
}

function warnStatus() {
  warnOnce("status", "Status message is not supported by HTTP/2 (RFC7540 8.1.2.4)");
}

const isAllowed = (name, value) => name !== "connection" || value === "trailers";

function assertHeader(name, value) {
  if (name === "" || typeof name !== "string" || name.includes(" ")) {
    throw new errors.ERR_INVALID_HTTP_TOKEN("Header name", name);
  }
  if (kPseudo.has(name)) throw new errors.ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED();
  if (value === undefined || value === null) {
    throw new errors.ERR_HTTP2_INVALID_HEADER_VALUE(value, name);
  }
  if (isAllowed(name, value)) return;
  warnOnce(
    "connection", "The provided connection header is not valid, the value will be dropped from " +
      "the header and will never be in use.",
  );
}

function keyOf(name) {
  validateString(name, "name");
  return name.trim().toLowerCase();
}

// ---- The stream's events

function onDrain() {
  this[kResponse]?.emit("drain");
}

function onClose() {
  const response = this[kResponse];
  if (response === undefined) return;
  const state = response[kState];
  if (this.headRequest !== state.headRequest) return;
  state.isClosed = true;
  this[kProxySocket] = null;
  this.removeListener("wantTrailers", onWantTrailers);
  this[kResponse] = undefined;
  response.emit("finish");
  response.emit("close");
}

function onWantTrailers() {
  this.sendTrailers(this[kResponse][kState].trailers);
}

function onTimeout() {
  this[kResponse]?.emit("timeout");
}

/** Puts a field among the headers; `add` says how. */
function putHeader(response, name, value, add) {
  const key = name.trim().toLowerCase();
  assertHeader(key, value);
  if (!isAllowed(key, value)) return;
  if (key[0] === ":") assertRequestPseudo(key);
  else if (!_checkIsHttpToken(key)) {
    response.destroy(new errors.ERR_INVALID_HTTP_TOKEN("Header name", key));
  }
  add(response[kState].headers, key, value);
}

const set = (headers, key, value) => {
  headers[key] = value;
};

const append = (headers, key, value) => {
  if (!headers[key]) {
    headers[key] = value;
    return;
  }
  const old = Array.isArray(headers[key]) ? headers[key] : [headers[key]];
  headers[key] = old.concat(value);
};

function putList(response, list) {
  const isPairs = list.length > 0 && Array.isArray(list[0]);
  if (!isPairs && list.length % 2 !== 0) throw new errors.ERR_INVALID_ARG_VALUE("headers", list);
  const pairs = [];
  if (isPairs) pairs.push(...list);
  else for (let i = 0; i < list.length; i += 2) pairs.push([list[i], list[i + 1]]);
  for (const [name] of pairs) response.removeHeader(name);
  for (const [name, value] of pairs) putHeader(response, name, value, append);
}

class Http2ServerResponse extends Stream {
  constructor(stream, options) {
    super(options);
    this[kState] = {
      isClosed: false, isEnding: false, isDestroyed: false, headRequest: false, sendDate: true,
      statusCode: 200, stream, headers: { __proto__: null }, trailers: { __proto__: null },
    };
    stream[kProxySocket] = null;
    stream[kResponse] = this;
    this.writable = true;
    this.req = stream[kRequest];
    stream.on("drain", onDrain);
    stream.on("close", onClose);
    stream.on("wantTrailers", onWantTrailers);
    stream.on("timeout", onTimeout);
  }

  get _header() {
    return this.headersSent;
  }

  get writableEnded() {
    return this[kState].isEnding;
  }

  get finished() {
    return this[kState].isEnding;
  }

  get socket() {
    return this[kState].isClosed ? undefined : socketOf(this[kState].stream);
  }

  get connection() {
    return this.socket;
  }

  get stream() {
    return this[kState].stream;
  }

  get headersSent() {
    return this[kState].stream.headersSent;
  }

  get sendDate() {
    return this[kState].sendDate;
  }

  set sendDate(on) {
    this[kState].sendDate = Boolean(on);
  }

  get statusCode() {
    return this[kState].statusCode;
  }

  set statusCode(value) {
    const code = value | 0;
    if (code >= 100 && code < 200) throw new errors.ERR_HTTP2_INFO_STATUS_NOT_ALLOWED();
    if (code < 100 || code > 599) throw new errors.ERR_HTTP2_STATUS_INVALID(code);
    this[kState].statusCode = code;
  }

  get statusMessage() {
    warnStatus();
    return "";
  }

  set statusMessage(text) {
    warnStatus();
  }

  setTrailer(name, value) {
    const key = keyOf(name);
    assertHeader(key, value);
    this[kState].trailers[key] = value;
  }

  addTrailers(headers) {
    for (const key of Object.keys(headers)) this.setTrailer(key, headers[key]);
  }

  getHeader(name) {
    return this[kState].headers[keyOf(name)];
  }

  getHeaderNames() {
    return Object.keys(this[kState].headers);
  }

  getHeaders() {
    return Object.assign({ __proto__: null }, this[kState].headers);
  }

  hasHeader(name) {
    return Object.hasOwn(this[kState].headers, keyOf(name));
  }

  removeHeader(name) {
    const key = keyOf(name);
    if (this.headersSent) throw new errors.ERR_HTTP2_HEADERS_SENT();
    if (key === "date") this[kState].sendDate = false;
    else delete this[kState].headers[key];
  }

  setHeader(name, value) {
    validateString(name, "name");
    if (this.headersSent) throw new errors.ERR_HTTP2_HEADERS_SENT();
    putHeader(this, name, value, set);
  }

  appendHeader(name, value) {
    validateString(name, "name");
    if (this.headersSent) throw new errors.ERR_HTTP2_HEADERS_SENT();
    putHeader(this, name, value, append);
  }

  flushHeaders() {
    if (!this[kState].isClosed && !this.headersSent) this.writeHead(this[kState].statusCode);
  }

  writeHead(statusCode, statusMessage, headers) {
    const state = this[kState];
    if (state.isClosed || state.stream.destroyed || state.stream.closed) return this;
    if (this.headersSent) throw new errors.ERR_HTTP2_HEADERS_SENT();
    if (typeof statusMessage === "string") warnStatus();
    const given = headers === undefined && typeof statusMessage === "object" ? statusMessage :
      headers;
    if (Array.isArray(given)) putList(this, given);
    else if (typeof given === "object" && given !== null) {
      for (const key of Object.keys(given)) putHeader(this, key, given[key], set);
    }
    state.statusCode = statusCode;
    state.headers[":status"] = statusCode;
    state.stream.respond(state.headers, {
      endStream: state.isEnding, waitForTrailers: true, sendDate: state.sendDate,
    });
    return this;
  }

  cork() {
    this[kState].stream.cork();
  }

  uncork() {
    this[kState].stream.uncork();
  }

  write(chunk, encoding, callback) {
    const state = this[kState];
    if (typeof encoding === "function") {
      callback = encoding;
      encoding = "utf8";
    }
    let error;
    if (state.isEnding) error = new errors.ERR_STREAM_WRITE_AFTER_END();
    else if (state.isClosed) error = new errors.ERR_HTTP2_INVALID_STREAM();
    else if (state.isDestroyed) return false;
    if (error !== undefined) {
      if (typeof callback === "function") nextTick(callback, error);
      this.destroy(error);
      return false;
    }
    if (!this.headersSent) this.writeHead(state.statusCode);
    return state.stream.write(chunk, encoding, callback);
  }

  end(chunk, encoding, callback) {
    const state = this[kState];
    const { stream } = state;
    if (typeof chunk === "function") {
      callback = chunk;
      chunk = null;
    } else if (typeof encoding === "function") {
      callback = encoding;
      encoding = "utf8";
    }
    if ((state.isClosed || state.isEnding) && state.headRequest === stream.headRequest) {
      if (typeof callback === "function") nextTick(callback);
      return this;
    }
    if (chunk !== null && chunk !== undefined) this.write(chunk, encoding);
    state.headRequest = stream.headRequest;
    state.isEnding = true;
    if (typeof callback === "function") {
      (stream.writableEnded ? this : stream).once("finish", callback);
    }
    if (!this.headersSent) this.writeHead(state.statusCode);
    if (state.isClosed || stream.destroyed) onClose.call(stream);
    else stream.end();
    return this;
  }

  destroy(error) {
    if (this[kState].isDestroyed) return;
    this[kState].isDestroyed = true;
    this[kState].stream.destroy(error);
  }

  setTimeout(msecs, callback) {
    if (!this[kState].isClosed) this[kState].stream.setTimeout(msecs, callback);
  }

  createPushResponse(headers, callback) {
    validateFunction(callback, "callback");
    if (this[kState].isClosed) {
      nextTick(callback, new errors.ERR_HTTP2_INVALID_STREAM());
      return;
    }
    this[kState].stream.pushStream(headers, {}, (error, stream) => {
      if (error) callback(error);
      else callback(null, new Http2ServerResponse(stream));
    });
  }

  writeInformation(statusCode, given) {
    const isStatus = typeof statusCode === "number" && statusCode >= 100 && statusCode <= 199;
    if (!isStatus || statusCode === 101) throw new errors.ERR_HTTP2_STATUS_INVALID(statusCode);
    if (this.headersSent || this[kState].isClosed) return false;
    if (given !== undefined && given !== null) validateObject(given, "headers");
    this[kState].stream.additionalHeaders({ ...given, ":status": statusCode });
    return true;
  }

  writeContinue() {
    return this.writeInformation(100);
  }

  writeEarlyHints(hints) {
    validateObject(hints, "hints");
    const headers = { __proto__: null };
    const link = require("node:_http_server/links").validateLinkHeaderValue(hints.link);
    for (const key of Object.keys(hints)) {
      if (key === "link") continue;
      const name = key.trim().toLowerCase();
      assertHeader(name, hints[key]);
      if (!_checkIsHttpToken(name)) throw new errors.ERR_INVALID_HTTP_TOKEN("Header name", name);
      headers[name] = hints[key];
    }
    if (link.length === 0) return false;
    headers.Link = link;
    return this.writeInformation(103, headers);
  }
}

for (const name of ["writableCorked", "writableHighWaterMark", "writableObjectMode",
  "writableFinished", "writableLength", "writableNeedDrain"]) {
  Object.defineProperty(Http2ServerResponse.prototype, name, {
    configurable: true,
    enumerable: false,
    get() {
      return this[kState].stream[name];
    },
  });
}

exports.Http2ServerResponse = Http2ServerResponse;
