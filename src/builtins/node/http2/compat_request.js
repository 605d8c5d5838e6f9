// node:http2/compat_request -- Http2ServerRequest: a stream as what node:http calls a request
// (Node: http2, "Compatibility API").
// @internal
const { Readable } = require("node:stream");
const errors = require("internal/errors");
const { nextTick } = require("internal/tick");
const { validateString } = require("internal/validators");
const { getAuthority } = require("node:http2/headers");
const { kState, kRequest, kProxySocket, kSocket } = require("node:http2/shared");

// ---- The stream's events

function onTrailers(trailers, flags, list) {
  const request = this[kRequest];
  if (request === undefined) return;
  Object.assign(request.trailers, trailers);
  request.rawTrailers.push(...list);
}

function onEnd() {
  this[kRequest]?.push(null);
}

function onAborted() {
  const request = this[kRequest];
  if (request === undefined || request[kState].isClosed) return;
  request[kState].isAborted = true;
  request.emit("aborted");
}

function onClose() {
  const request = this[kRequest];
  if (request === undefined) return;
  const state = request[kState];
  state.isClosed = true;
  request.push(null);
  // A body that nobody has looked at is thrown away, as HTTP/1 does.
  if (!state.didRead && !request._readableState.resumeScheduled) request.resume();
  this[kProxySocket] = null;
  this[kRequest] = undefined;
  request.emit("close");
}

function onTimeout() {
  this[kRequest]?.emit("timeout");
}

function onData(chunk) {
  const request = this[kRequest];
  if (request !== undefined && !request.push(chunk)) this.pause();
}

const ignore = () => {};

class Http2ServerRequest extends Readable {
  constructor(stream, headers, options, list) {
    super({ autoDestroy: false, ...options });
    this[kState] = {
      isClosed: false, didRead: false, isAborted: false, stream, headers, list, trailers: {},
      rawTrailers: [],
    };
    stream[kProxySocket] = null;
    stream[kRequest] = this;
    stream.on("trailers", onTrailers);
    stream.on("end", onEnd);
    // Errors are those of the stream: neither request nor response passes them on.
    stream.on("error", ignore);
    stream.on("aborted", onAborted);
    stream.on("close", onClose);
    stream.on("timeout", onTimeout);
    this.on("pause", () => stream.pause());
    this.on("resume", () => stream.resume());
  }

  get aborted() {
    return this[kState].isAborted;
  }

  get complete() {
    const { isAborted, isClosed, stream } = this[kState];
    return isAborted || this.readableEnded || isClosed || stream.destroyed;
  }

  get stream() {
    return this[kState].stream;
  }

  get headers() {
    return this[kState].headers;
  }

  get rawHeaders() {
    return this[kState].list;
  }

  get trailers() {
    return this[kState].trailers;
  }

  get rawTrailers() {
    return this[kState].rawTrailers;
  }

  get httpVersionMajor() {
    return 2;
  }

  get httpVersionMinor() {
    return 0;
  }

  get httpVersion() {
    return "2.0";
  }

  get socket() {
    return socketOf(this[kState].stream);
  }

  get connection() {
    return this.socket;
  }

  _read() {
    const state = this[kState];
    if (state.isClosed) return;
    if (!state.didRead) {
      state.didRead = true;
      state.stream.on("data", onData);
    } else nextTick(() => state.stream.resume());
  }

  get method() {
    return this.headers[":method"];
  }

  set method(method) {
    validateString(method, "method");
    if (method.trim() === "") throw new errors.ERR_INVALID_ARG_VALUE("method", method);
    this.headers[":method"] = method;
  }

  get authority() {
    return getAuthority(this.headers);
  }

  get scheme() {
    return this.headers[":scheme"];
  }

  get url() {
    return this.headers[":path"];
  }

  set url(url) {
    this.headers[":path"] = url;
  }

  setTimeout(msecs, callback) {
    if (!this[kState].isClosed) this[kState].stream.setTimeout(msecs, callback);
    return this;
  }
}

// ---- The socket that requests and responses show

const kOfStream = new Set(["on", "once", "end", "emit", "destroy"]);
const kShown = new Set(["writable", "destroyed"]);
const kForbidden = new Set(["write", "read", "pause", "resume"]);

const targetOf = (stream) => (stream.session !== undefined ? stream.session[kSocket] : stream);

const handler = {
  __proto__: null,

  has(stream, name) {
    return name in stream || name in targetOf(stream);
  },

  get(stream, name) {
    if (kOfStream.has(name)) return stream[name].bind(stream);
    if (kShown.has(name)) return stream[name];
    if (kForbidden.has(name)) throw new errors.ERR_HTTP2_NO_SOCKET_MANIPULATION();
    if (name === "readable") {
      if (stream.destroyed) return false;
      return (stream[kRequest] ?? stream).readable;
    }
    if (name === "setTimeout") {
      const owner = stream.session ?? stream;
      return owner.setTimeout.bind(owner);
    }
    const target = targetOf(stream);
    const value = target[name];
    return typeof value === "function" ? value.bind(target) : value;
  },

  getPrototypeOf(stream) {
    return Reflect.getPrototypeOf(targetOf(stream));
  },

  set(stream, name, value) {
    if (kForbidden.has(name)) throw new errors.ERR_HTTP2_NO_SOCKET_MANIPULATION();
    let target = targetOf(stream);
    if (kOfStream.has(name) || kShown.has(name) || name === "readable") target = stream;
    else if (name === "setTimeout") target = stream.session ?? stream;
    target[name] = value;
    return true;
  },
};

function socketOf(stream) {
  stream[kProxySocket] ??= new Proxy(stream, handler);
  return stream[kProxySocket];
}

// ---- From streams to requests

function expects(server, request, response, what) {
  if (what !== "100-continue") {
    if (server.listenerCount("checkExpectation") > 0) {
      server.emit("checkExpectation", request, response);
      return;
    }
    response.statusCode = 417;
    response.end();
  } else if (server.listenerCount("checkContinue") > 0) {
    server.emit("checkContinue", request, response);
  } else {
    response.writeContinue();
    server.emit("request", request, response);
  }
}

/** A request has come: whom it is for. */
exports.onServerStream = function onServerStream(server, request, response, headers) {
  if (headers[":method"] === "CONNECT") {
    if (server.emit("connect", request, response)) return;
    response.statusCode = 405;
    response.end();
  } else if (headers.expect !== undefined) expects(server, request, response, headers.expect);
  else server.emit("request", request, response);
};

exports.Http2ServerRequest = Http2ServerRequest;
exports.socketOf = socketOf;
