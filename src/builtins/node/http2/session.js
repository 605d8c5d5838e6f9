// node:http2/session -- Http2Session (Node: http2, "Class: Http2Session").
// @internal
const EventEmitter = require("node:events");
const errors = require("internal/errors");
const { nextTick } = require("internal/tick");
const { validateFunction, validateInt32, validateNumber } = require("internal/validators");
const shared = require("node:http2/shared");
const { Link } = require("node:http2/link");
const { validateSettings, flatPairs, settingsOf } = require("node:http2/settings");
const {
  kState, kBoundSession, kServer, kSessions, kSocket, kProxySocket, kTimeout, kUpdateTimer,
  kMaybeDestroy, kLink, kOptions, kStrict, kSessionReady, kSessionClosed, kSessionDestroyed,
  kServerType, nghttpError, assertIsObject, callTimeout,
} = shared;

const NO_ERROR = 0;
const INTERNAL_ERROR = 2;
const CANCEL = 8;
const ERR_NOMEM = -901;

function validateBytes(value, name) {
  if (ArrayBuffer.isView(value)) return;
  throw new errors.ERR_INVALID_ARG_TYPE(name, ["Buffer", "TypedArray", "DataView"], value);
}

function whenReady(session, action) {
  if (session.connecting) session.once("connect", action);
  else action();
}

// ---- The socket

function socketOnError(error) {
  const session = this[kBoundSession];
  if (session === undefined) return;
  // After GOAWAY the peer may go as it likes.
  if (error.code === "ECONNRESET" && session[kState].goawayCode !== null) session.destroy();
  else session.destroy(error);
}

function socketOnClose() {
  const session = this[kBoundSession];
  if (session === undefined) return;
  const error = session.connecting ? new errors.ERR_SOCKET_CLOSED() : null;
  const state = session[kState];
  for (const stream of [...state.streams.values()]) stream.close(CANCEL);
  for (const stream of [...state.pendingStreams]) stream.close(CANCEL);
  session.close();
  closeSession(session, NO_ERROR, error);
}

function connectEventOf(socket) {
  const { TLSSocket } = require("node:tls");
  return socket instanceof TLSSocket ? "secureConnect" : "connect";
}

function bindSocket(session, socket, options) {
  if (typeof socket.setNoDelay === "function") socket.setNoDelay();
  if (typeof socket.disableRenegotiation === "function") socket.disableRenegotiation();
  if (!socket.connecting && !socket.secureConnecting) {
    start(session, socket, options);
    return;
  }
  socket.once(connectEventOf(socket), () => {
    try {
      start(session, socket, options);
    } catch (error) {
      socket.destroy(error);
    }
  });
}

/** The socket is connected: the session begins to speak. */
function start(session, socket, options) {
  if (session.destroyed) {
    nextTick(() => session.emit("connect", session, socket));
    return;
  }
  session[kState].flags |= kSessionReady;
  const { onEvent } = require("node:http2/events");
  const link = new Link(
    session.type === kServerType, options,
    (event, id, a, b) => onEvent(session, event, id, a, b),
    (errno) => session.destroy(nghttpError(errno)),
  );
  session[kLink] = link;
  link.consume(socket);
  const isEncrypted = !!socket.encrypted;
  session[kState].isEncrypted = isEncrypted;
  session[kState].alpn = isEncrypted ? socket.alpnProtocol : "h2c";
  session.settings(typeof options.settings === "object" ? options.settings : {});
  if (session.type === kServerType && Array.isArray(options.origins)) {
    session.origin(...options.origins);
  }
  nextTick(() => session.emit("connect", session, socket));
}

// ---- The end

function emitClose(session, error) {
  if (error) session.emit("error", error);
  session.emit("close");
}

function unbind(session) {
  const socket = session[kSocket];
  session[kServer]?.[kSessions]?.delete(session);
  session[kProxySocket] = undefined;
  session[kSocket] = undefined;
  session[kLink] = undefined;
  if (socket !== undefined) {
    socket[kBoundSession] = undefined;
    socket[kServer] = undefined;
  }
}

function finishClose(session, error) {
  const socket = session[kSocket];
  unbind(session);
  if (socket === undefined || socket.destroyed) {
    nextTick(() => emitClose(session, error));
    return;
  }
  socket.on("close", () => emitClose(session, error));
  // The peer's end is only seen by those who read.
  if (session.closed) socket.resume();
  socket.end(() => {
    if (session.closed) return;
    setImmediate(() => socket.destroy(error ?? undefined));
  });
}

/** Pings and settings that nobody will answer any more. */
function cancelWaiting(state) {
  const { pings, settings } = state;
  state.pings = [];
  state.settings = [];
  setImmediate(() => {
    for (const callback of settings) callback(false);
    for (const callback of pings) callback(new errors.ERR_HTTP2_PING_CANCEL());
  });
}

function closeSession(session, code, error) {
  if (session.destroyed) return;
  const state = session[kState];
  state.flags |= kSessionDestroyed;
  state.destroyCode = code;
  clearTimeout(session[kTimeout]);
  session[kTimeout] = null;
  session.removeAllListeners("timeout");
  if (state.pendingStreams.size > 0 || state.streams.size > 0) {
    const cancel = new errors.ERR_HTTP2_STREAM_CANCEL(error);
    for (const stream of [...state.pendingStreams]) stream.destroy(cancel);
    for (const stream of [...state.streams.values()]) stream.destroy(error);
  }
  if (state.pings.length + state.settings.length > 0) cancelWaiting(state);
  const link = session[kLink];
  if (link === undefined) finishClose(session, error);
  else link.finish(code ?? NO_ERROR, () => finishClose(session, error));
}

const { clearTimeout } = globalThis;

// ---- Sessions

class Http2Session extends EventEmitter {
  constructor(type, options, socket) {
    super();
    if (socket[kBoundSession] !== undefined) throw new errors.ERR_HTTP2_SOCKET_BOUND();
    socket[kBoundSession] = this;
    socket.on("error", socketOnError);
    socket.on("close", socketOnClose);
    this[kState] = {
      type, flags: 0, destroyCode: NO_ERROR, goawayCode: null, goawayLastStreamID: null,
      streams: new Map(), pendingStreams: new Set(), pendingAck: 0, writeQueueSize: 0,
      bytesAtTimeout: -1, localCustom: undefined, remoteCustom: undefined,
      originSet: undefined, isEncrypted: undefined, alpn: undefined,
      local: undefined, remote: undefined, pings: [], settings: [], invalidFrames: 0,
    };
    this[kOptions] = options;
    this[kProxySocket] = null;
    this[kSocket] = socket;
    this[kTimeout] = null;
    this[kLink] = undefined;
    this[kStrict] = options.strictSingleValueFields;
    bindSocket(this, socket, options);
  }

  get encrypted() {
    return this[kState].isEncrypted;
  }

  get alpnProtocol() {
    return this[kState].alpn;
  }

  get originSet() {
    if (!this.encrypted || this.destroyed) return undefined;
    return Array.from(require("node:http2/events").originSetOf(this));
  }

  get connecting() {
    return (this[kState].flags & kSessionReady) === 0;
  }

  get closed() {
    return (this[kState].flags & kSessionClosed) !== 0;
  }

  get destroyed() {
    return (this[kState].flags & kSessionDestroyed) !== 0;
  }

  [kUpdateTimer]() {
    if (!this.destroyed && this[kTimeout] !== null) this[kTimeout].refresh();
  }

  setNextStreamID(id) {
    if (this.destroyed) throw new errors.ERR_HTTP2_INVALID_SESSION();
    validateNumber(id, "id");
    const max = 2 ** 32 - 1;
    if (id <= 0 || id > max) throw new errors.ERR_OUT_OF_RANGE("id", `> 0 and <= ${max}`, id);
    this[kLink]?.call("nextId", id);
  }

  setLocalWindowSize(windowSize) {
    if (this.destroyed) throw new errors.ERR_HTTP2_INVALID_SESSION();
    validateInt32(windowSize, "windowSize", 0);
    if (this[kLink]?.call("window", windowSize) === ERR_NOMEM) {
      this.destroy(new errors.ERR_HTTP2_NO_MEM());
    }
  }

  ping(payload, callback) {
    if (this.destroyed) throw new errors.ERR_HTTP2_INVALID_SESSION();
    if (typeof payload === "function") {
      callback = payload;
      payload = undefined;
    }
    if (payload) {
      validateBytes(payload, "payload");
      if (payload.byteLength !== 8) throw new errors.ERR_HTTP2_PING_LENGTH();
    }
    validateFunction(callback, "callback");
    if (this.connecting || this.closed) {
      nextTick(() => callback(new errors.ERR_HTTP2_PING_CANCEL()));
      return undefined;
    }
    const bytes = payload ?? require("node:crypto").randomBytes(8);
    if (this[kLink].call("ping", bytes) !== 0) {
      callback(new errors.ERR_HTTP2_PING_CANCEL());
      return false;
    }
    this[kState].pings.push(callback);
    return true;
  }

  get socket() {
    if (this[kProxySocket] === null) {
      this[kProxySocket] = require("node:http2/proxy").makeProxy(this);
    }
    return this[kProxySocket];
  }

  get type() {
    return this[kState].type;
  }

  get goawayCode() {
    return this[kState].goawayCode || NO_ERROR;
  }

  get goawayLastStreamID() {
    return this[kState].goawayLastStreamID || 0;
  }

  get pendingSettingsAck() {
    return this[kState].pendingAck > 0;
  }

  get state() {
    const at = this.connecting || this.destroyed ? undefined : this[kLink].ask("state");
    if (at === undefined) return {};
    return {
      effectiveLocalWindowSize: at[0], effectiveRecvDataLength: at[1], nextStreamID: at[2],
      localWindowSize: at[3], lastProcStreamID: at[4], remoteWindowSize: at[5],
      outboundQueueSize: at[6], deflateDynamicTableSize: at[7], inflateDynamicTableSize: at[8],
    };
  }

  get localSettings() {
    return settingsFor(this, "local", false);
  }

  get remoteSettings() {
    return settingsFor(this, "remote", true);
  }

  settings(settings, callback) {
    if (this.destroyed) throw new errors.ERR_HTTP2_INVALID_SESSION();
    assertIsObject(settings, "settings");
    validateSettings(settings);
    if (callback) validateFunction(callback, "callback");
    this[kState].pendingAck++;
    const pairs = flatPairs(settings);
    const custom = settings?.customSettings;
    whenReady(this, () => submitSettings(this, pairs, custom, callback));
  }

  goaway(code = NO_ERROR, lastStreamID = 0, opaqueData) {
    if (this.destroyed) throw new errors.ERR_HTTP2_INVALID_SESSION();
    if (opaqueData !== undefined) validateBytes(opaqueData, "opaqueData");
    validateNumber(code, "code");
    validateNumber(lastStreamID, "lastStreamID");
    whenReady(this, () => {
      if (this.destroyed) return;
      this[kUpdateTimer]();
      this[kLink].call("goaway", code, lastStreamID, opaqueData);
    });
  }

  destroy(error = NO_ERROR, code) {
    if (this.destroyed) return;
    if (typeof error === "number") {
      code = error;
      error = code !== NO_ERROR ? new errors.ERR_HTTP2_SESSION_ERROR(code) : undefined;
    }
    if (code === undefined && error !== undefined && error !== null) code = INTERNAL_ERROR;
    closeSession(this, code, error);
  }

  close(callback) {
    if (this.closed || this.destroyed) return;
    this[kState].flags |= kSessionClosed;
    if (typeof callback === "function") this.once("close", callback);
    this.goaway();
    this[kMaybeDestroy]();
  }

  [EventEmitter.captureRejectionSymbol](err, event, ...args) {
    if (event === "stream") args[0].destroy(err);
    else this.destroy(err);
  }

  /** Closed, and nothing is left to be done. */
  [kMaybeDestroy](error) {
    if (error === undefined || error === null) {
      const state = this[kState];
      if (!this.closed || state.streams.size > 0 || state.pendingStreams.size > 0) return;
      const link = this[kLink];
      if (link !== undefined && link.isPending) {
        link.whenReceived(() => this.#destroySoon(link));
        return;
      }
    }
    this.destroy(error);
  }

  /** The last frames go out first. */
  #destroySoon(link) {
    link.flush();
    if (link.isPending) setImmediate(() => this[kMaybeDestroy]());
    else this.destroy();
  }

  _onTimeout() {
    callTimeout(this, this[kLink]);
  }

  ref() {
    this[kSocket]?.ref?.();
  }

  unref() {
    this[kSocket]?.unref?.();
  }

  [Symbol.for("nodejs.util.inspect.custom")](depth) {
    if (typeof depth === "number" && depth < 0) return this;
    const { type, closed, destroyed, state, localSettings, remoteSettings } = this;
    const shown = { type, closed, destroyed, state, localSettings, remoteSettings };
    return `Http2Session ${require("node:util").format(shown)}`;
  }
}

Object.defineProperty(Http2Session.prototype, "setTimeout", {
  configurable: true, enumerable: true, writable: true, value: shared.setTimeout,
});

function settingsFor(session, key, ofPeer) {
  const state = session[kState];
  if (state[key] !== undefined) return state[key];
  if (session.destroyed || session.connecting) return {};
  const values = session[kLink].ask("getSettings", ofPeer);
  if (values === undefined) return {};
  state[key] = settingsOf(values);
  const custom = ofPeer ? state.remoteCustom : state.localCustom;
  if (custom !== undefined) state[key].customSettings = { ...custom };
  return state[key];
}

function submitSettings(session, pairs, custom, callback) {
  if (session.destroyed) return;
  const state = session[kState];
  session[kUpdateTimer]();
  if (session[kLink].call("settings", pairs) !== 0) {
    session.destroy(new errors.ERR_HTTP2_MAX_PENDING_SETTINGS_ACK());
    return;
  }
  if (custom) state.localCustom = { ...state.localCustom, ...custom };
  const began = performance.now();
  state.settings.push((isAck) => {
    state.pendingAck--;
    state.local = undefined;
    if (!isAck) {
      if (typeof callback === "function") callback(new errors.ERR_HTTP2_SETTINGS_CANCEL());
      return;
    }
    const settings = session.localSettings;
    if (typeof callback === "function") callback(null, settings, performance.now() - began);
    session.emit("localSettings", settings);
  });
}

exports.Http2Session = Http2Session;
