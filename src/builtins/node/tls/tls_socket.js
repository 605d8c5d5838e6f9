// @internal
// node:tls/tls_socket -- TLSSocket: a net.Socket whose bytes are encrypted (Node: tls.TLSSocket).
//
// TLS runs in C on the connection itself, so a TLSSocket over a net.Socket takes its handle; any
// other Duplex is joined to one end of a pair of sockets.
const { nextTick } = require("internal/tick");
const errors = require("internal/errors");
const { ConnResetException, errnoException } = require("internal/errors/system");
const { validateFunction, validateObject, validateString, validateUint32,
  validateNumber } = require("internal/validators");
const { Socket, asBuffer } = require("node:net/socket");
const { createSecureContext } = require("node:tls/context");
const binding = require("node:tls/binding");

const WANTS_SESSION = 1;
const WANTS_FIND = 2;
const WANTS_KEYLOG = 4;
const WANTS_ALPN = 8;
const WANTS_HELLO = 16;
const WAIT = 0;
const GO_ON = 1;
const FAIL = -1;

const kErrorEmitted = Symbol("error-emitted");
const kSession = Symbol("session");
const kTimer = Symbol("handshake-timer");
const noop = () => {};

function TLSSocket(socket, opts) {
  const options = { ...opts };
  if (options.ALPNProtocols) {
    require("node:tls").convertALPNProtocols(options.ALPNProtocols, options);
  }
  this._tlsOptions = options;
  this._secureEstablished = false;
  this._securePending = false;
  this._newSessionPending = false;
  this._controlReleased = false;
  this.secureConnecting = true;
  this._SNICallback = null;
  this.servername = null;
  this.alpnProtocol = null;
  this.authorized = false;
  this.authorizationError = null;
  this[kErrorEmitted] = false;
  this[kSession] = options.session;
  this[kTimer] = undefined;
  this.ssl = null;
  // A client over a stream shakes hands when it is told to, or has something to say.
  this._isLazy = Boolean(socket) && !options.isServer;

  Socket.call(this, {
    allowHalfOpen: socket ? socket.allowHalfOpen : options.allowHalfOpen,
    pauseOnCreate: options.pauseOnConnect,
    manualStart: true,
    highWaterMark: options.highWaterMark,
    onread: socket ? undefined : options.onread,
    signal: options.signal,
    noDelay: options.noDelay,
    keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay,
  });
  this.encrypted = true;
  if (socket) takeSocket(this, socket);
  initTls(this, options);
  // Reading starts with the handshake.
  if (options.pauseOnConnect) this.readableFlowing = false;
  else if (socket && !socket.connecting) this.read(0);
}
Object.setPrototypeOf(TLSSocket.prototype, Socket.prototype);
Object.setPrototypeOf(TLSSocket, Socket);

// ---- Over another stream

/** The handle of a connection that now speaks for `tls`; a pair of sockets for other streams. */
function takeSocket(tls, socket) {
  tls._parent = socket;
  if (socket instanceof Socket && (socket._handle || socket.connecting)) {
    socket.on("close", () => tls.destroy());
    socket.on("error", (err) => {
      if (!tls.destroyed) tls.destroy(err);
    });
    if (socket.connecting) {
      tls.connecting = true;
      socket.once("connect", () => {
        tls.connecting = false;
        adopt(tls, socket);
        tls.emit("connect");
      });
      return;
    }
    adopt(tls, socket);
    return;
  }
  joinDuplex(tls, socket);
}

function adopt(tls, socket) {
  const handle = socket._handle;
  if (!handle) return;
  if (socket.readableLength) {
    // Bytes that were read before belong to the handshake.
    tls._head = socket.read();
  }
  handle.readStop();
  handle.owner = tls;
  tls._handle = handle;
  tls._host = socket._host;
  tls._peername = socket._peername;
  if (tls._tlsOptions.isServer && !socket.server) socket.server = null;
  startTls(tls);
}

function joinDuplex(tls, duplex) {
  if (typeof duplex.write !== "function") {
    throw new errors.ERR_INVALID_ARG_TYPE("socket", "Duplex", duplex);
  }
  const { JSStreamSocket } = require("node:tls/js_stream_socket");
  const wrap = new JSStreamSocket(duplex);
  wrap.on("error", (err) => tls.destroy(err));
  tls.on("close", () => duplex.destroy());
  const handle = wrap._handle;
  handle.owner = tls;
  handle._parentWrap = wrap;
  tls._handle = handle;
  startTls(tls);
}

// ---- The handshake

function wantsOf(tls, options) {
  const { server } = options;
  let wants = options.isServer ? 0 : WANTS_SESSION;
  if (options.isServer) {
    wants |= WANTS_HELLO;
    if (server?.listenerCount("resumeSession") > 0) wants |= WANTS_FIND;
    if (server?.listenerCount("newSession") > 0) wants |= WANTS_SESSION;
    if (server?.listenerCount("keylog") > 0) wants |= WANTS_KEYLOG;
    if (options.ALPNCallback) wants |= WANTS_ALPN;
  } else if (tls.listenerCount("keylog") > 0) {
    wants |= WANTS_KEYLOG;
  }
  return wants;
}

function initTls(tls, options) {
  const { isServer, ALPNCallback, ALPNProtocols, SNICallback } = options;
  if (ALPNCallback !== undefined && ALPNCallback !== null) {
    validateFunction(ALPNCallback, "options.ALPNCallback");
    if (ALPNProtocols) throw new errors.ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
  }
  if (isServer && SNICallback) {
    validateFunction(SNICallback, "options.SNICallback");
    tls._SNICallback = SNICallback;
  }
  tls.server = options.server || null;
  tls.on("error", noteError);
  if (options.handshakeTimeout > 0) {
    tls[kTimer] = setTimeout(() => {
      const error = new errors.ERR_TLS_HANDSHAKE_TIMEOUT();
      failHandshake(tls, error);
    }, options.handshakeTimeout);
    tls[kTimer].unref();
    tls.once("secure", () => clearTimeout(tls[kTimer]));
    tls.once("close", () => clearTimeout(tls[kTimer]));
  }
  if (tls._handle && !tls._tlsStarted) startTls(tls);
}

function noteError() {
  this[kErrorEmitted] = true;
}

/** Encryption begins on the handle that is there. */
function startTls(tls) {
  const options = tls._tlsOptions;
  if (tls._tlsStarted || !tls._handle) return;
  if (!options.isServer && tls._isLazy) return;
  tls._tlsStarted = true;
  const context = options.secureContext ?? options.credentials ?? createSecureContext(options);
  tls.ssl = tls._handle;
  const begun = binding.start(tls._handle.id, context.context, {
    isServer: options.isServer ? 1 : 0,
    servername: tls.servername ?? options.servername,
    requestCert: options.requestCert ? 1 : 0,
    alpn: options.ALPNProtocols,
    session: tls[kSession],
    wants: wantsOf(tls, options),
    head: tls._head,
  });
  tls._head = undefined;
  if (!begun) tls.destroy(new errors.ERR_SOCKET_CLOSED());
}

TLSSocket.prototype.onOpen = function onOpen(handle) {
  startTls(this);
  Socket.prototype.onOpen.call(this, handle);
};

TLSSocket.prototype._start = function _start() {
  if (this.connecting) {
    this.once("connect", this._start);
    return;
  }
  this._isLazy = false;
  startTls(this);
};

TLSSocket.prototype._write = function _write(chunk, encoding, callback) {
  if (this._isLazy) this._start();
  Socket.prototype._write.call(this, chunk, encoding, callback);
};

TLSSocket.prototype._writev = function _writev(chunks, callback) {
  if (this._isLazy) this._start();
  Socket.prototype._writev.call(this, chunks, callback);
};

TLSSocket.prototype.onSecure = function onSecure(handle) {
  if (this.destroyed) return;
  const info = binding.info(handle.id);
  this.alpnProtocol = info[4] === "" ? false : info[4];
  if (this._tlsOptions.isServer) this.servername = info[5] === "" ? false : info[5];
  this.secureConnecting = false;
  this._secureEstablished = true;
  if (this._tlsOptions.isServer) onServerSecure(this);
  this.emit("secure");
};

function onServerSecure(tls) {
  const options = tls._tlsOptions;
  if (options.requestCert) {
    const error = binding.verifyError(tls._handle.id);
    if (error) {
      tls.authorizationError = error.code;
      if (options.rejectUnauthorized) tls.destroy();
    } else {
      tls.authorized = true;
    }
  }
  if (!tls.destroyed && tls._releaseControl()) options.server?.emit("secureConnection", tls);
}

TLSSocket.prototype._releaseControl = function _releaseControl() {
  if (this._controlReleased) return false;
  this._controlReleased = true;
  this.removeListener("error", noteError);
  return true;
};

/** An error before the handshake was done is the server's to tell. */
function failHandshake(tls, error) {
  const { server, isServer } = tls._tlsOptions;
  if (isServer && server && !tls._controlReleased) {
    const wasEmitted = tls[kErrorEmitted];
    tls[kErrorEmitted] = true;
    tls.destroy();
    if (!wasEmitted) server.emit("tlsClientError", error, tls);
    return;
  }
  tls._hadError = true;
  tls.emit("_tlsError", error);
  tls.destroy(tls._controlReleased ? error : undefined);
}

TLSSocket.prototype.onError = function onError(error, handle) {
  if (this.connecting && !this._secureEstablished && typeof error === "number" &&
      !this._tlsStarted) {
    Socket.prototype.onError.call(this, error, handle);
    return;
  }
  if (this._secureEstablished || this.destroyed) {
    Socket.prototype.onError.call(this, error, handle);
    return;
  }
  let err = this._reason ?? error;
  if (typeof err === "number") {
    err = this._tlsOptions.isServer ? new ConnResetException("socket hang up")
      : disconnectedEarly(this);
    if (error !== -104) err = errnoException(error, "read");
  }
  handle.waiting = null;
  failHandshake(this, err);
};

function disconnectedEarly(tls) {
  const options = tls._connectOptions ?? {};
  const error = new ConnResetException(
    "Client network socket disconnected before secure TLS connection was established");
  error.path = options.path;
  error.host = options.host;
  error.port = options.port;
  error.localAddress = options.localAddress;
  return error;
}

TLSSocket.prototype._destroy = function _destroy(error, callback) {
  this.ssl = null;
  const parent = this._parent;
  const { server, isServer } = this._tlsOptions;
  const isEarly = isServer && server && !this._controlReleased && !this[kErrorEmitted];
  if (isEarly && !error && !this._secureEstablished) {
    this[kErrorEmitted] = true;
    const err = new ConnResetException("socket hang up");
    nextTick(() => server.emit("tlsClientError", err, this));
  }
  if (parent instanceof Socket && parent._handle === this._handle && this._handle) {
    Socket.prototype._destroy.call(this, error, callback);
    this.once("close", () => {
      parent._handle = null;
      parent.destroy();
    });
    return;
  }
  Socket.prototype._destroy.call(this, error, callback);
  if (parent instanceof Socket && !parent.destroyed) parent.destroy();
};

// ---- What C asks while it shakes hands

TLSSocket.prototype.onTls = function onTls(event, value) {
  switch (event) {
    case 10:
      return onHello(this, value);
    case 11:
      return onAlpn(this, value);
    case 12:
      return onSession(this, value[0], value[1]);
    case 13:
      return onFindSession(this, value);
    case 14:
      asBuffer(value);
      return this._tlsOptions.isServer
        ? this._tlsOptions.server.emit("keylog", value, this) : this.emit("keylog", value);
    default:
      return undefined;
  }
};

function onHello(tls, servername) {
  tls.servername = servername === "" ? false : servername;
  if (!tls._SNICallback || servername === "") return GO_ON;
  let isInside = true;
  let answer = WAIT;
  let called = false;
  tls._SNICallback(servername, (err, context) => {
    if (called) {
      tls.destroy(new errors.ERR_MULTIPLE_CALLBACK());
      return;
    }
    called = true;
    if (!tls._handle) return;
    let error = err;
    if (!error && context && !context.context) error = new TypeError("Invalid SNI context");
    if (error) {
      answer = FAIL;
      tls._reason = error;
      if (!isInside) nextTick(() => tls._handle && binding.resume(tls._handle.id, FAIL));
      return;
    }
    const found = context ? context.context : undefined;
    if (isInside && found === undefined) answer = GO_ON;
    else nextTick(() => tls._handle && binding.resume(tls._handle.id, GO_ON, found));
  });
  isInside = false;
  return answer;
}

function onAlpn(tls, list) {
  const protocols = [];
  for (let i = 0; i < list.length; i += 1 + list[i]) {
    protocols.push(String.fromCharCode(...list.subarray(i + 1, i + 1 + list[i])));
  }
  const picked = tls._tlsOptions.ALPNCallback.call(tls, {
    servername: tls.servername || "", protocols,
  });
  if (picked === undefined) return undefined;
  if (!protocols.includes(picked)) {
    tls._reason = new errors.ERR_TLS_ALPN_CALLBACK_INVALID_RESULT(picked, protocols);
    return undefined;
  }
  return require("node:buffer").Buffer.from(picked, "latin1");
}

function onSession(tls, id, der) {
  const { server, isServer } = tls._tlsOptions;
  if (!isServer) {
    if (tls._secureEstablished && tls._isVerified) tls.emit("session", asBuffer(der));
    else tls._pendingSession = asBuffer(der);
    return;
  }
  server?.emit("newSession", asBuffer(id), asBuffer(der), noop);
}

function onFindSession(tls, id) {
  const { server } = tls._tlsOptions;
  let isInside = true;
  let known;
  let isKnown = false;
  server.emit("resumeSession", asBuffer(id), (err, session) => {
    if (!tls._handle) return;
    if (err) {
      nextTick(failHandshake, tls, err);
      return;
    }
    known = session ?? new Uint8Array(0);
    isKnown = true;
    if (!isInside) binding.resume(tls._handle.id, GO_ON, known);
  });
  isInside = false;
  if (isKnown) {
    nextTick(() => tls._handle && binding.resume(tls._handle.id, GO_ON, known));
  }
  return WAIT;
}

// ---- What was agreed on

const withHandle = (tls, fn) => (tls._handle && tls._tlsStarted ? fn(tls._handle.id) : undefined);
const bufferOr = (value) => (value === undefined ? undefined : asBuffer(value));

Object.assign(TLSSocket.prototype, {
  _destroySSL() {
    this.ssl = null;
  },
  getProtocol() {
    return withHandle(this, (id) => (this._secureEstablished ? binding.info(id)[0] : "unknown"))
      ?? null;
  },
  getCipher() {
    return withHandle(this, (id) => {
      const [, name, standardName, version] = binding.info(id);
      return name === null ? {} : { name, standardName, version };
    }) ?? null;
  },
  getPeerCertificate(isDetailed) {
    if (!this._handle) return null;
    return linkChain(withHandle(this, (id) => binding.peer(id, Boolean(isDetailed))) ?? [],
      isDetailed);
  },
  getCertificate() {
    const cert = withHandle(this, (id) => binding.own(id));
    return cert === undefined ? null : cert === null ? {} : translate(cert);
  },
  getPeerX509Certificate() {
    const list = withHandle(this, (id) => binding.peer(id, true)) ?? [];
    return require("node:crypto/x509").chainOf(list.map(({ raw }) => raw));
  },
  getX509Certificate() {
    const cert = withHandle(this, (id) => binding.own(id));
    return cert ? require("node:crypto/x509").chainOf([cert.raw]) : undefined;
  },
  getSession() {
    return bufferOr(withHandle(this, (id) => binding.session(id)));
  },
  getTLSTicket() {
    return bufferOr(withHandle(this, (id) => binding.ticket(id)));
  },
  isSessionReused() {
    return withHandle(this, (id) => binding.info(id)[6]) ?? false;
  },
  getFinished() {
    return bufferOr(withHandle(this, (id) => binding.finished(id, false)));
  },
  getPeerFinished() {
    return bufferOr(withHandle(this, (id) => binding.finished(id, true)));
  },
  getEphemeralKeyInfo() {
    if (!this._handle) return null;
    const info = this._tlsOptions.isServer ? null
      : withHandle(this, (id) => binding.ephemeral(id));
    if (info === null) return null;
    if (info === undefined) return {};
    const [type, name, size] = info;
    return name === undefined ? { type, size } : { type, name, size };
  },
  getSharedSigalgs() {
    throw errors.notImplemented("TLSSocket.getSharedSigalgs");
  },
  exportKeyingMaterial(length, label, context) {
    validateUint32(length, "length", true);
    validateString(label, "label");
    if (context !== undefined && !ArrayBuffer.isView(context)) {
      throw new errors.ERR_INVALID_ARG_TYPE("context", ["Buffer", "TypedArray", "DataView"],
        context);
    }
    if (!this._secureEstablished) throw new errors.ERR_TLS_INVALID_STATE();
    return bufferOr(withHandle(this, (id) => binding.exportKeys(id, length, label, context)));
  },
  setServername(name) {
    validateString(name, "name");
    if (this._tlsOptions.isServer) throw new errors.ERR_TLS_SNI_FROM_SERVER();
    this.servername = name;
  },
  setSession(session) {
    this[kSession] = typeof session === "string"
      ? require("node:buffer").Buffer.from(session, "latin1") : session;
  },
  setMaxSendFragment(size) {
    validateNumber(size, "size");
    return size >= 512 && size <= 16384;
  },
  disableRenegotiation: noop,
  enableTrace: noop,
  renegotiate(options, callback) {
    validateObject(options, "options");
    if (callback !== undefined) validateFunction(callback, "callback");
    if (this.destroyed) return undefined;
    throw errors.notImplemented("TLSSocket.renegotiate");
  },
  setKeyCert(context) {
    if (!this._handle) return;
    binding.resume(this._handle.id, GO_ON, (context.context ? context
      : createSecureContext(context)).context);
  },
});

function translate(cert) {
  asBuffer(cert.raw);
  if (cert.pubkey) asBuffer(cert.pubkey);
  return cert;
}

/** Each certificate points to the one that has signed it; the last to itself. */
function linkChain(list, isDetailed) {
  if (list.length === 0) return {};
  list.forEach(translate);
  if (isDetailed) {
    for (let i = 0; i < list.length; i++) {
      const isRoot = i + 1 === list.length;
      const signsItself = JSON.stringify(list[i].subject) === JSON.stringify(list[i].issuer);
      if (!isRoot) list[i].issuerCertificate = list[i + 1];
      else if (signsItself) list[i].issuerCertificate = list[i];
    }
  }
  return list[0];
}

exports.TLSSocket = TLSSocket;
exports.disconnectedEarly = disconnectedEarly;
