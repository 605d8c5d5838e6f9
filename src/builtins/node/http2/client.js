// node:http2/client -- connect() and ClientHttp2Session (Node: http2).
// @internal
const errors = require("internal/errors");
const { nextTick } = require("internal/tick");
const { validateAbortSignal, validateBoolean, validateNumber } = require("internal/validators");
const shared = require("node:http2/shared");
const { Http2Session } = require("node:http2/session");
const { ClientHttp2Stream } = require("node:http2/client_stream");
const { prepareRequest, isPayloadMeaningless } = require("node:http2/headers");
const {
  kState, kLink, kInit, kUpdateTimer, kAuthority, kProtocol, kOrigin, kSentHeaders, kHasTrailers,
  kClientType, kEndStream, kGetTrailers, nghttpError, assertIsObject, assertIsArray, publish,
} = shared;

const ERR_STREAM_ID_NOT_AVAILABLE = -509;
const ERR_INVALID_ARGUMENT = -501;
const DEFAULT_WEIGHT = 16;
const ORIGINS_MAX = 128;

let warnedWeight = false;

function checkPriority(options) {
  if (options.weight !== undefined && !warnedWeight) {
    warnedWeight = true;
    process.emitWarning(
      "Priority signaling has been deprecated as of RFC 9113.", "DeprecationWarning", "DEP0194",
    );
  }
  if (options.parent === undefined) options.parent = 0;
  else validateNumber(options.parent, "options.parent", 0);
  for (const name of ["exclusive", "silent"]) {
    if (options[name] === undefined) options[name] = false;
    else validateBoolean(options[name], `options.${name}`);
  }
}

/** The session is connected: the request goes out. */
function submit(stream, session, text, options) {
  if (stream.destroyed || session.destroyed) return;
  if (session.closed) {
    stream.destroy(new errors.ERR_HTTP2_GOAWAY_SESSION());
    return;
  }
  const flags = (options.endStream ? kEndStream : 0) |
    (options.waitForTrailers ? kGetTrailers : 0);
  const rc = session[kLink].stream(
    "request", text, flags, options.parent | 0, DEFAULT_WEIGHT, options.exclusive,
  );
  if (rc === ERR_STREAM_ID_NOT_AVAILABLE) stream.destroy(new errors.ERR_HTTP2_OUT_OF_STREAMS());
  else if (rc === ERR_INVALID_ARGUMENT) {
    stream.destroy(new errors.ERR_HTTP2_STREAM_SELF_DEPENDENCY());
  } else if (rc < 0) session.destroy(nghttpError(rc));
  if (rc < 0) return;
  stream[kInit](rc);
  publish("client.stream.start", () => ({ stream, headers: stream.sentHeaders }));
}

function abortBy(stream, signal) {
  validateAbortSignal(signal, "options.signal");
  const abort = () => stream.destroy(new errors.AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    abort();
    return;
  }
  signal.addEventListener("abort", abort, { once: true });
  stream.once("close", () => signal.removeEventListener("abort", abort));
}

class ClientHttp2Session extends Http2Session {
  #waiting = null;

  constructor(options, socket) {
    super(kClientType, options, socket);
  }

  #whenConnected(action) {
    if (!this.connecting) {
      action();
      return;
    }
    if (this.#waiting !== null) {
      this.#waiting.push(action);
      return;
    }
    this.#waiting = [action];
    this.once("connect", () => {
      const list = this.#waiting;
      this.#waiting = null;
      for (const one of list) one();
    });
  }

  request(headers, given) {
    let error;
    if (this.destroyed) error = new errors.ERR_HTTP2_INVALID_SESSION();
    else if (this.closed) error = new errors.ERR_HTTP2_GOAWAY_SESSION();
    this[kUpdateTimer]();
    const request = prepareRequest(headers, this);
    assertIsObject(given, "options");
    const options = { ...given };
    checkPriority(options);
    if (options.endStream === undefined) options.endStream = isPayloadMeaningless(request.method);
    else validateBoolean(options.endStream, "options.endStream");

    const stream = new ClientHttp2Stream(this, undefined, {});
    const state = stream[kState];
    stream[kSentHeaders] = request.headers;
    state.raw = request.raw;
    stream[kOrigin] = `${request.scheme}://${request.authority}`;
    const { AsyncResource } = require("node:async_hooks");
    state.resource = new AsyncResource("PendingRequest");
    if (options.endStream) stream.end();
    if (options.waitForTrailers) state.flags |= kHasTrailers;
    if (options.signal) abortBy(stream, options.signal);
    const inScope = (action) => () => state.resource.runInAsyncScope(action);
    if (error !== undefined) nextTick(inScope(() => stream.destroy(error)));
    else this.#whenConnected(inScope(() => submit(stream, this, request.text, options)));
    publish("client.stream.created", () => ({ stream, headers: stream.sentHeaders }));
    return stream;
  }
}

// ---- connect()

function readOptions(given) {
  assertIsObject(given, "options");
  const options = { ...given };
  if (options.maxOriginSetSize !== undefined && options.maxOriginSetSize !== null) {
    validateNumber(options.maxOriginSetSize, "options.maxOriginSetSize", 0);
  }
  assertIsArray(options.remoteCustomSettings, "options.remoteCustomSettings");
  if (options.remoteCustomSettings?.length > 10) {
    throw new errors.ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
  }
  if (options.strictSingleValueFields === undefined) options.strictSingleValueFields = true;
  else validateBoolean(options.strictSingleValueFields, "options.strictSingleValueFields");
  return options;
}

function hostOf(authority) {
  if (!authority.hostname) return authority.host || "localhost";
  const { hostname } = authority;
  return hostname[0] === "[" ? hostname.slice(1, -1) : hostname;
}

function openSocket(protocol, port, host, options, authority) {
  if (typeof options.createConnection === "function") {
    return options.createConnection(authority, options);
  }
  const net = require("node:net");
  if (protocol === "http:") return net.connect({ port, host, ...options });
  if (protocol !== "https:") throw new errors.ERR_HTTP2_UNSUPPORTED_PROTOCOL(protocol);
  const { tlsOptions } = require("node:http2/server");
  const name = net.isIP(host) ? undefined : host;
  return require("node:tls").connect(port, host, tlsOptions(options, name));
}

function connect(where, given, listener) {
  if (typeof given === "function") {
    listener = given;
    given = undefined;
  }
  const options = readOptions(given);
  const authority = typeof where === "string" ? new URL(where) : where;
  assertIsObject(authority, "authority", ["string", "Object", "URL"]);
  const protocol = authority.protocol || options.protocol || "https:";
  const fallback = authority.protocol === "http:" ? 80 : 443;
  const port = `${authority.port !== "" ? authority.port : fallback}`;
  const host = hostOf(authority);
  const socket = openSocket(protocol, port, host, options, authority);
  const session = new ClientHttp2Session(options, socket);
  session[kAuthority] = `${options.servername || host}:${port}`;
  session[kProtocol] = protocol;
  session[kState].originsMax = options.maxOriginSetSize ?? ORIGINS_MAX;
  if (typeof listener === "function") session.once("connect", listener);
  return session;
}

/** What util.promisify makes of it. */
function connectPromise(authority, options) {
  return new Promise((resolve, reject) => {
    const session = connect(authority, options, () => {
      session.removeListener("error", reject);
      resolve(session);
    });
    session.once("error", reject);
  });
}

Object.defineProperty(connectPromise, "name", { value: "connect" });
Object.defineProperty(connect, Symbol.for("nodejs.util.promisify.custom"), {
  value: connectPromise,
});

exports.connect = connect;
exports.ClientHttp2Session = ClientHttp2Session;
