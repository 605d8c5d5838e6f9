// node:http2/server -- createServer(), createSecureServer() (Node: http2).
// @internal
const EventEmitter = require("node:events");
const net = require("node:net");
const errors = require("internal/errors");
const { validateBoolean, validateFunction, validateUint32 } = require("internal/validators");
const shared = require("node:http2/shared");
const { validateSettings } = require("node:http2/settings");
const { ServerHttp2Session } = require("node:http2/server_session");
const { kServer, kSessions, kOptions, assertIsObject, assertIsArray } = shared;

const UNKNOWN_PROTOCOL_MS = 10_000;

// ---- Options

function checkNumbers(options) {
  for (const name of ["maxSessionInvalidFrames", "maxSessionRejectedStreams",
    "unknownProtocolTimeout"]) {
    if (options[name] !== undefined) validateUint32(options[name], `options.${name}`);
  }
  options.unknownProtocolTimeout ??= UNKNOWN_PROTOCOL_MS;
}

function sessionOptions(given) {
  assertIsObject(given, "options");
  const options = { ...given };
  assertIsObject(options.settings, "options.settings");
  options.settings = { ...options.settings };
  assertIsArray(options.remoteCustomSettings, "options.remoteCustomSettings");
  if (options.remoteCustomSettings?.length > 10) {
    throw new errors.ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
  }
  checkNumbers(options);
  if (options.strictSingleValueFields === undefined) options.strictSingleValueFields = true;
  else validateBoolean(options.strictSingleValueFields, "options.strictSingleValueFields");
  options.http1Options = { ...options.http1Options };
  options.http1Options.IncomingMessage ??= options.Http1IncomingMessage;
  options.http1Options.ServerResponse ??= options.Http1ServerResponse;
  options.Http2ServerRequest ||= require("node:http2/compat_request").Http2ServerRequest;
  options.Http2ServerResponse ||= require("node:http2/compat_response").Http2ServerResponse;
  return options;
}

function tlsOptions(given, servername) {
  const options = sessionOptions(given);
  if (!options.ALPNCallback) {
    options.ALPNProtocols = ["h2"];
    if (options.allowHTTP1 === true) options.ALPNProtocols.push("http/1.1");
  }
  if (servername !== undefined && !options.servername) options.servername = servername;
  return options;
}

// ---- Connections

function onSessionStream(stream, headers, flags, list) {
  this[kServer]?.emit("stream", stream, headers, flags, list);
}

function onSessionPriority(stream, parent, weight, exclusive) {
  this[kServer]?.emit("priority", stream, parent, weight, exclusive);
}

function onSessionError(error) {
  this[kServer]?.emit("sessionError", error, this);
}

function onSessionTimeout() {
  if (this.destroyed || this.closed) return;
  if (!this[kServer].emit("timeout", this)) this.destroy();
}

const kUnknown = "HTTP/1.0 403 Forbidden\r\nContent-Type: text/plain\r\n\r\n" +
  "Missing ALPN Protocol, expected `h2` to be available.\nIf this is a HTTP request: The server " +
  "was not configured with the `allowHTTP1` option or a listener for the `unknownProtocol` " +
  "event.\n";

function onUnknownProtocol(server, socket, ms) {
  if (server.emit("unknownProtocol", socket)) return;
  const timer = setTimeout(() => {
    if (!socket.destroyed) socket.destroy();
  }, ms);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
  socket.end(kUnknown);
}

function onConnection(socket) {
  const options = this[kOptions] ?? {};
  if (socket.alpnProtocol === false || socket.alpnProtocol === "http/1.1") {
    if (options.allowHTTP1 === true) {
      require("node:_http_server")._connectionListener.call(this, socket);
    } else onUnknownProtocol(this, socket, options.unknownProtocolTimeout);
    return;
  }
  const session = new ServerHttp2Session(options, socket, this);
  session.on("stream", onSessionStream);
  session.on("error", onSessionError);
  session.on("priority", onSessionPriority);
  if (this.timeout) session.setTimeout(this.timeout, onSessionTimeout);
  socket[kServer] = this;
  this.emit("session", session);
}

/** Somebody wants requests: streams become such. */
function onNewListener(event) {
  if (event !== "request") return;
  this.removeListener("newListener", onNewListener);
  const { Http2ServerRequest, Http2ServerResponse } = this[kOptions];
  const { onServerStream } = require("node:http2/compat_request");
  this.on("stream", function onStream(stream, headers, flags, list) {
    onServerStream(this, new Http2ServerRequest(stream, headers, undefined, list),
      new Http2ServerResponse(stream), headers);
  });
}

function setServerTimeout(msecs, callback) {
  this.timeout = msecs;
  if (callback !== undefined) {
    validateFunction(callback, "callback");
    this.on("timeout", callback);
  }
  return this;
}

function updateServerSettings(settings) {
  assertIsObject(settings, "settings");
  validateSettings(settings);
  this[kOptions].settings = { ...this[kOptions].settings, ...settings };
}

function setUp(server, options, listener) {
  server[kOptions] = options;
  server[kSessions] = new Set();
  server.timeout = 0;
  server.on("newListener", onNewListener);
  if (typeof listener === "function") server.on("request", listener);
}

class Http2Server extends net.Server {
  constructor(given, listener) {
    const options = sessionOptions(given);
    super(options, onConnection);
    setUp(this, options, listener);
  }

  close(callback) {
    super.close(callback);
    for (const session of [...this[kSessions]]) session.close();
    return this;
  }

  async [Symbol.asyncDispose]() {
    await new Promise((resolve, reject) => {
      super.close((error) => (error ? reject(error) : resolve()));
    });
  }
}

Http2Server.prototype.setTimeout = setServerTimeout;
Http2Server.prototype.updateSettings = updateServerSettings;

function answerFailedRequest(res) {
  if (res.headersSent || res.finished) {
    res.destroy();
    return;
  }
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  res.statusCode = 500;
  res.end("Internal Server Error");
}

Http2Server.prototype[EventEmitter.captureRejectionSymbol] = function onRejection(
  error, event, ...args
) {
  if (event === "stream") {
    const [stream] = args;
    if (stream.sentHeaders) {
      stream.destroy(error);
    } else {
      stream.respond({ ":status": 500 });
      stream.end();
    }
  } else if (event === "request") answerFailedRequest(args[1]);
  else net.Server.prototype[EventEmitter.captureRejectionSymbol].call(this, error, event, ...args);
};

let SecureServer;

/** node:tls is loaded when somebody wants such a server. */
function secureServerClass() {
  if (SecureServer !== undefined) return SecureServer;
  const tls = require("node:tls");
  const http = require("node:_http_server");
  SecureServer = class Http2SecureServer extends tls.Server {
    constructor(given, listener) {
      const options = tlsOptions(given);
      super(options, onConnection);
      setUp(this, options, listener);
      if (options.allowHTTP1 === true) {
        this.kClasses = http.kClasses;
      http.storeHTTPOptions.call(this, { ...options, ...options.http1Options });
        this.shouldUpgradeCallback = () => this.listenerCount("upgrade") > 0;
        this.on("listening", http.setupConnectionsTracking);
      }
      this.on("tlsClientError", (error, socket) => {
        if (!this.emit("clientError", error, socket)) socket.destroy(error);
      });
    }

    close(callback) {
      super.close(callback);
      if (this[kOptions].allowHTTP1 === true) http.httpServerPreClose(this);
      for (const session of [...this[kSessions]]) session.close();
      return this;
    }

    closeIdleConnections() {
      if (this[kOptions].allowHTTP1 !== true) return;
      http.Server.prototype.closeIdleConnections.call(this);
    }
  };
  SecureServer.prototype.setTimeout = setServerTimeout;
  SecureServer.prototype.updateSettings = updateServerSettings;
  return SecureServer;
}

exports.tlsOptions = tlsOptions;

exports.createServer = function createServer(options, listener) {
  if (typeof options === "function") return new Http2Server({}, options);
  return new Http2Server(options, listener);
};

exports.createSecureServer = function createSecureServer(options, listener) {
  return new (secureServerClass())(options, listener);
};

exports.performServerHandshake = function performServerHandshake(socket, options = {}) {
  return new ServerHttp2Session(sessionOptions(options), socket, undefined);
};
