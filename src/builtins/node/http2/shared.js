// node:http2/shared -- the keys and small things that the modules of node:http2 have in common.
// @internal
const errors = require("internal/errors");
const session = require("node:http2/http2_session");
const { getTimerDuration } = require("node:_http_common");
const { validateFunction } = require("internal/validators");

/** Where sessions and streams keep what is theirs. */
exports.kState = Symbol("state");
exports.kSession = Symbol("session");
exports.kBoundSession = Symbol("bound-session");
exports.kServer = Symbol("server");
exports.kSessions = Symbol("sessions");
exports.kOptions = Symbol("options");
exports.kSocket = Symbol("socket");
exports.kProxySocket = Symbol("proxySocket");
exports.kRequest = Symbol("request");
exports.kResponse = Symbol("response");
exports.kTimeout = Symbol("timeout");
exports.kUpdateTimer = Symbol("update-timer");
exports.kMaybeDestroy = Symbol("maybe-destroy");
exports.kLink = Symbol("link");
exports.kInit = Symbol("init");
exports.kOrigin = Symbol("origin");
exports.kAuthority = Symbol("authority");
exports.kProtocol = Symbol("protocol");
exports.kSentHeaders = Symbol("sent-headers");
exports.kStrict = Symbol("strict-single-value-fields");
exports.kSensitiveHeaders = Symbol("nodejs.http2.sensitiveHeaders");

/** Bits of a stream's flags. */
exports.kReady = 1;
exports.kClosed = 2;
exports.kHeadersSent = 4;
exports.kHead = 8;
exports.kAborted = 16;
exports.kHasTrailers = 32;
/** Bits of a session's flags. */
exports.kSessionReady = 1;
exports.kSessionClosed = 2;
exports.kSessionDestroyed = 4;

exports.kServerType = 0;
exports.kClientType = 1;
/** What natives are told of a head that goes out. */
exports.kEndStream = 1;
exports.kGetTrailers = 2;

const kNames = ["NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR",
  "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL",
  "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY",
  "HTTP_1_1_REQUIRED"];

exports.codeName = (code) => (kNames[code] === undefined ? code : `NGHTTP2_${kNames[code]}`);

/** An error of the library. */
exports.nghttpError = function nghttpError(errno) {
  const error = errors.makeCoded("Error", "ERR_HTTP2_ERROR", session.errorText(errno));
  error.errno = errno;
  return error;
};

exports.assertIsObject = function assertIsObject(value, name, types) {
  if (value !== undefined &&
      (value === null || typeof value !== "object" || Array.isArray(value))) {
    throw new errors.ERR_INVALID_ARG_TYPE(name, types ?? "Object", value);
  }
};

exports.assertIsArray = function assertIsArray(value, name) {
  if (value !== undefined && (value === null || !Array.isArray(value))) {
    throw new errors.ERR_INVALID_ARG_TYPE(name, "Array", value);
  }
};

exports.isUint32 = (value) => value === value >>> 0;

exports.emit = function emit(self, ...args) {
  self.emit(...args);
};

/** The method of sessions and streams. */
exports.setTimeout = function setTimeout(msecs, callback) {
  if (this.destroyed) return this;
  this.timeout = msecs;
  const duration = getTimerDuration(msecs, "msecs");
  clearTimeout(this[exports.kTimeout]);
  this[exports.kTimeout] = null;
  if (duration === 0) {
    if (callback === undefined) return this;
    validateFunction(callback, "callback");
    this.removeListener("timeout", callback);
    return this;
  }
  this[exports.kTimeout] = globalThis.setTimeout(() => this._onTimeout(), duration);
  this[exports.kTimeout].unref();
  this[exports.kSession]?.[exports.kUpdateTimer]();
  if (callback === undefined) return this;
  validateFunction(callback, "callback");
  this.once("timeout", callback);
  return this;
};

const { clearTimeout } = globalThis;

/** A time-out has come: unless something is still going out, it is told. */
exports.callTimeout = function callTimeout(self, link) {
  if (self.destroyed) return;
  const state = self[exports.kState];
  if (state.writeQueueSize > 0 && link !== undefined && state.bytesAtTimeout !== link.bytesOut) {
    state.bytesAtTimeout = link.bytesOut;
    self[exports.kUpdateTimer]();
    return;
  }
  self.emit("timeout");
};

const channels = { __proto__: null };

/** Tells those who listen to http2.NAME (node:diagnostics_channel). */
exports.publish = function publish(name, make) {
  let channel = channels[name];
  if (channel === undefined) {
    channel = channels[name] = require("node:diagnostics_channel").channel(`http2.${name}`);
  }
  if (channel.hasSubscribers) channel.publish(make());
};
