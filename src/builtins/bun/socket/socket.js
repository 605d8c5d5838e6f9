// @internal
// bun:socket -- Bun.listen and Bun.connect: sockets with one set of handlers for many of them.
//
// write() takes what fits and says how much that was; drain() comes when there is room again.
const errors = require("internal/errors");
const { systemErrorName } = require("internal/errors/system");
const { Handle, native: sockets } = require("internal/sockets");

const handlerNames = ["open", "data", "drain", "close", "error", "end", "timeout", "handshake",
  "connectError"];
let bufferProto;

/** A checked copy of the `socket` option. */
function takeHandlers(socket) {
  if (socket === null || typeof socket !== "object") {
    throw errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE",
      "SocketOptions.socket is required");
  }
  const handlers = { binaryType: socket.binaryType ?? "buffer" };
  for (const name of handlerNames) {
    const fn = socket[name];
    if (fn !== undefined && fn !== null && typeof fn !== "function") {
      const shown = `on${name[0].toUpperCase()}${name.slice(1)}`;
      throw errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE",
        `Expected "${shown}" callback to be a function`);
    }
    handlers[name] = fn ?? undefined;
  }
  if (handlers.data === undefined && handlers.drain === undefined) {
    throw errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE",
      'Expected at least "data" or "drain" callback');
  }
  return handlers;
}

function takePort(port) {
  const n = Number(port ?? 0);
  if (!(n >= 0 && n <= 65535)) {
    throw errors.makeCoded("RangeError", "ERR_OUT_OF_RANGE",
      `SocketOptions.port must be in the range [0, 65535] (received ${port})`);
  }
  return n | 0;
}

function convert(bytes, binaryType) {
  if (binaryType === "uint8array") return bytes;
  if (binaryType === "arraybuffer") return bytes.slice().buffer;
  bufferProto ??= require("node:buffer").Buffer.prototype;
  return Object.setPrototypeOf(bytes, bufferProto);
}

function failure(message, rc, more) {
  const errno = typeof rc === "number" ? rc : undefined;
  if (errno === undefined) return rc;
  return Object.assign(new Error(message), { code: systemErrorName(errno), errno, ...more });
}

class TCPSocket {
  data;
  #handle = null;
  #handlers;
  #listener = null;
  #pending = null; // { resolve, reject, host } of a connect
  #tls = null; // { isSecure, context, options }
  #hasEnded = false; // the peer
  #isEnding = false; // we
  #hasFinished = false; // all is written
  #isHalfOpen;
  #failed;
  #written = 0;
  #isOpen = false;

  constructor(handlers, options) {
    this.#handlers = handlers;
    this.data = options.data;
    this.#listener = options.listener ?? null;
    this.#isHalfOpen = Boolean(options.allowHalfOpen);
    this.#tls = options.tls ?? null;
    this.#pending = options.pending ?? null;
    this.#handle = options.handle ?? null;
  }

  /** The handle is there and connected. */
  _begin(handle) {
    this.#handle = handle;
    this.#isOpen = true;
    handle.owner = this;
    if (this.#tls !== null) this.#startTls();
    this.#call(this.#handlers.open, this);
    if (this.#handle !== null && !handle.isClosed) handle.readStart();
  }

  #startTls() {
    const tls = this.#tls;
    require("node:tls/binding").start(this.#handle.id, tls.context.context, {
      isServer: tls.isServer ? 1 : 0,
      servername: tls.servername,
      requestCert: tls.requestCert ? 1 : 0,
      alpn: tls.alpn,
      wants: 0,
    });
  }

  #call(fn, ...args) {
    if (fn === undefined) return undefined;
    try {
      const result = fn.call(this, ...args);
      if (result instanceof Promise) result.catch((error) => this.#report(error));
      return result;
    } catch (error) {
      this.#report(error);
      return undefined;
    }
  }

  #report(error) {
    if (this.#handlers.error === undefined) throw error;
    this.#handlers.error.call(this, this, error);
  }

  // ---- Events of the handle

  onOpen(handle) {
    const pending = this.#pending;
    this.#pending = null;
    this._begin(handle);
    pending?.resolve(this);
  }

  onData(bytes) {
    const { data, binaryType } = this.#handlers;
    if (data === undefined) return;
    try {
      const result = data.call(this, this, convert(bytes, binaryType));
      if (result instanceof Promise) result.catch((error) => this.#report(error));
    } catch (error) {
      this.#report(error);
    }
  }

  onDrain() {
    this.#call(this.#handlers.drain, this);
  }

  onEnd() {
    this.#hasEnded = true;
    this.#call(this.#handlers.end, this);
    if (this.#handle === null) return;
    if (!this.#isHalfOpen) this.#finish();
    this.#closeIfDone();
  }

  onFinish() {
    this.#hasFinished = true;
    this.#closeIfDone();
  }

  #finish() {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#hasFinished = this.#handle.end();
    this.#closeIfDone();
  }

  /** A connection that is not half-open closes with our end, as in Bun. */
  #closeIfDone() {
    if (this.#hasFinished && (this.#hasEnded || !this.#isHalfOpen)) this.#handle?.close();
  }

  onSecure(handle) {
    const error = this.#verifyError(handle);
    this.#tls.isSecure = true;
    this.authorized = error === null;
    const isRefused = error !== null && this.#tls.rejectUnauthorized;
    if (this.#handlers.handshake !== undefined) {
      this.#call(this.#handlers.handshake, this, error === null, error);
    } else if (isRefused) {
      this.#failed = error;
      handle.close();
      return;
    }
    if (!handle.isClosed) this.#call(this.#handlers.drain, this);
  }

  #verifyError(handle) {
    const tls = this.#tls;
    if (tls.isServer && !tls.requestCert) return null;
    const binding = require("node:tls/binding");
    const error = binding.verifyError(handle.id);
    if (error || tls.isServer || !tls.servername) return error;
    const cert = binding.peer(handle.id, false)[0] ?? {};
    return require("node:tls").checkServerIdentity(tls.servername, cert) ?? null;
  }

  onTls() {
    return undefined;
  }

  onTimeout() {
    this.#call(this.#handlers.timeout, this);
  }

  onError(rc) {
    if (this.#pending !== null) {
      this.#failConnect(rc);
      return;
    }
    this.#failed = typeof rc === "number" ? failure(systemErrorName(rc), rc, { syscall: "read" })
      : rc;
  }

  #failConnect(rc) {
    const { host, reject } = this.#pending;
    this.#pending = null;
    const isName = rc <= -3000 && rc > -4000;
    const error = isName
      ? require("internal/errors/system").dnsException(rc, "getaddrinfo", host)
      : failure("Failed to connect", rc, { syscall: "connect" });
    this.#call(this.#handlers.connectError, this, error);
    reject(error);
  }

  onClose() {
    if (this.#pending !== null) this.#failConnect(-125);
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    this.#written = this.#handle?.bytesWritten ?? 0;
    this.#handle = null;
    this.#listener?._forget(this);
    if (wasOpen) this.#call(this.#handlers.close, this, this.#failed);
  }

  // ---- Writing

  write(data, byteOffset, byteLength) {
    if (this.#handle === null || this.#isEnding || this.#handle.isClosed) return -1;
    const isText = typeof data === "string";
    if (!isText && !ArrayBuffer.isView(data) && !(data instanceof ArrayBuffer)) {
      throw new errors.ERR_INVALID_ARG_TYPE("data", ["string", "Buffer", "ArrayBuffer"], data);
    }
    if (isText && byteOffset !== undefined) {
      data = require("node:buffer").Buffer.from(data,
        typeof byteOffset === "string" ? byteOffset : "utf8");
    }
    if (this.#tls !== null && !this.#tls.isSecure) {
      return sockets.write(this.#handle.id, cut(data, byteOffset, byteLength), false);
    }
    const at = typeof byteOffset === "number" ? byteOffset : undefined;
    const n = this.#handle.tryWrite(data, at, at === undefined ? undefined
      : byteLength ?? data.byteLength - at);
    return n === -32 || n === -107 ? -1 : n;
  }

  end(data, byteOffset, byteLength) {
    if (this.#handle === null || this.#isEnding) return -1;
    const n = data === undefined ? 0 : this.write(data, byteOffset, byteLength);
    this.#finish();
    return n;
  }

  shutdown() {
    if (this.#handle !== null && !this.#isEnding) this.#finish();
  }

  flush() {}

  close() {
    this.end();
  }

  terminate() {
    this.#handle?.close();
  }

  pause() {
    this.#handle?.readStop();
    return true;
  }

  resume() {
    this.#handle?.readStart();
    return true;
  }

  timeout(seconds) {
    this.#handle?.setTimeout(Math.max(0, Number(seconds)) * 1000);
  }

  ref() {
    this.#handle?.ref();
  }

  unref() {
    this.#handle?.unref();
  }

  reload(options) {
    const handlers = takeHandlers(options?.socket ?? options);
    this.#handlers = handlers;
  }

  setNoDelay(on = true) {
    return this.#handle !== null && this.#handle.setNoDelay(Boolean(on)) === 0;
  }

  setKeepAlive(on = false, initialDelay = 0) {
    const seconds = Math.trunc(initialDelay / 1000);
    return this.#handle !== null && this.#handle.setKeepAlive(Boolean(on), seconds) === 0;
  }

  [Symbol.dispose]() {
    this.terminate();
  }

  /** [this, the encrypted socket]: it has the connection from now on. */
  upgradeTLS(options) {
    if (this.#handle === null || this.#tls !== null) {
      throw new Error("Cannot upgrade a socket that is closed or encrypted already");
    }
    const handlers = takeHandlers(options?.socket);
    const tls = takeTls(options.tls, this.#listener !== null, undefined);
    const upgraded = new TCPSocket(handlers, { data: options.data, tls });
    const handle = this.#handle;
    this.#handle = null;
    upgraded._begin(handle);
    return [this, upgraded];
  }

  // ---- What it is

  get listener() {
    return this.#listener ?? undefined;
  }
  get fd() {
    return this.#handle === null ? -1 : this.#handle.fd;
  }
  get readyState() {
    if (this.#handle === null || this.#handle.isClosed) return -1;
    return this.#isEnding ? -2 : this.#pending !== null ? 2 : 1;
  }
  get bytesWritten() {
    return this.#handle?.bytesWritten ?? this.#written;
  }
  #name(isPeer, part) {
    if (this.#handle === null) return undefined;
    const name = isPeer ? this.#handle.getpeername() : this.#handle.getsockname();
    return typeof name === "number" ? undefined : name[part];
  }
  get localAddress() {
    return this.#name(false, "address");
  }
  get localPort() {
    return this.#name(false, "port");
  }
  get localFamily() {
    return this.#name(false, "family");
  }
  get remoteAddress() {
    return this.#name(true, "address");
  }
  get remotePort() {
    return this.#name(true, "port");
  }
  get remoteFamily() {
    return this.#name(true, "family");
  }

  // ---- TLS

  #info(i) {
    if (this.#handle === null || this.#tls === null) return undefined;
    return require("node:tls/binding").info(this.#handle.id)[i];
  }
  authorized = false;
  get alpnProtocol() {
    return this.#info(4) || null;
  }
  getServername() {
    return this.#info(5);
  }
  getTLSVersion() {
    return this.#info(0);
  }
  isSessionReused() {
    return this.#info(6) ?? false;
  }
  getCipher() {
    if (this.#tls === null) return undefined;
    return { name: this.#info(1), standardName: this.#info(2), version: this.#info(3) };
  }
  getPeerCertificate(isDetailed) {
    if (this.#handle === null || this.#tls === null) return undefined;
    return require("node:tls/binding").peer(this.#handle.id, Boolean(isDetailed))[0];
  }
  getCertificate() {
    if (this.#handle === null || this.#tls === null) return undefined;
    return require("node:tls/binding").own(this.#handle.id) ?? undefined;
  }
  getSession() {
    if (this.#handle === null || this.#tls === null) return undefined;
    return require("node:tls/binding").session(this.#handle.id);
  }
  getAuthorizationError() {
    if (this.#handle === null || this.#tls === null) return null;
    return require("node:tls/binding").verifyError(this.#handle.id);
  }
}

function cut(data, offset, length) {
  if (typeof data === "string" || typeof offset !== "number") return data;
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);
  return bytes.subarray(offset, length === undefined ? undefined : offset + length);
}

/** What TCPSocket needs to know; null without TLS. */
function takeTls(tls, isServer, host) {
  if (!tls) return null;
  const options = tls === true ? {} : Array.isArray(tls) ? tls[0] : tls;
  const { createSecureContext } = require("node:tls/context");
  const out = {};
  if (options.ALPNProtocols) {
    const list = typeof options.ALPNProtocols === "string" ? [options.ALPNProtocols]
      : options.ALPNProtocols;
    require("node:tls").convertALPNProtocols(list, out);
  }
  const { isIP } = require("node:net/addresses");
  const name = options.serverName ?? options.servername ?? (isServer ? undefined : host);
  return {
    context: createSecureContext(readFiles(options)),
    isServer,
    isSecure: false,
    requestCert: Boolean(options.requestCert),
    rejectUnauthorized: options.rejectUnauthorized ?? !isServer,
    servername: name && !isIP(name) ? name : undefined,
    alpn: out.ALPNProtocols,
  };
}

/** Bun.file()s and paths become text. */
function readFiles(options) {
  const { readFileSync } = require("node:fs");
  const read = (value) => {
    if (Array.isArray(value)) return value.map(read);
    if (value !== null && typeof value === "object" && typeof value.name === "string" &&
        !ArrayBuffer.isView(value)) {
      return readFileSync(value.name);
    }
    return value;
  };
  const result = { ...options };
  for (const name of ["cert", "key", "ca"]) if (result[name]) result[name] = read(result[name]);
  if (options.certFile) result.cert = readFileSync(options.certFile);
  if (options.keyFile) result.key = readFileSync(options.keyFile);
  if (options.caFile) result.ca = readFileSync(options.caFile);
  if (options.dhParamsFile) result.dhparam = readFileSync(options.dhParamsFile);
  return result;
}

// ---- Listening

class TCPSocketListener {
  data;
  #sockets = new Set();

  _forget(socket) {
    this.#sockets.delete(socket);
  }

  #handle;
  #handlers;
  #options;
  #tls;
  #name;

  constructor(handlers, options, tls) {
    this.#handlers = handlers;
    this.#options = options;
    this.#tls = tls;
    this.data = options.data;
  }

  _listen() {
    const { hostname, port, unix, fd, ipv6Only, reusePort, backlog = 0 } = this.#options;
    const handle = new Handle(unix === undefined ? "TCP" : "Pipe", this);
    const flags = (ipv6Only ? 1 : 0) | (reusePort ? 2 : 0);
    const ip = hostname === "localhost" ? "127.0.0.1" : hostname ?? "";
    let rc;
    if (fd !== undefined) rc = handle.listenFd(fd, backlog);
    else if (unix !== undefined) rc = handle.listen("", 0, String(unix), backlog, flags);
    else rc = handle.listen(ip, takePort(port), "", backlog, flags);
    if (rc !== 0) {
      const where = unix ?? hostname ?? "0.0.0.0";
      const error = failure(`Failed to listen at ${where}`, rc, { syscall: "listen" });
      error.errno = -rc;
      if (unix === undefined) error.port = port;
      throw error;
    }
    this.#handle = handle;
    this.#name = handle.getsockname();
    return this;
  }

  onConnection(handle) {
    const socket = new TCPSocket(this.#handlers, {
      data: this.data, listener: this, allowHalfOpen: this.#options.allowHalfOpen,
      tls: this.#tls && { ...this.#tls },
    });
    this.#sockets.add(socket);
    if (handle.kind === "TCP") handle.setNoDelay(true);
    socket._begin(handle);
  }

  onClose() {}
  onError() {}

  stop(closeActive = false) {
    this.#handle.close();
    if (!closeActive) return;
    for (const socket of [...this.#sockets]) socket.terminate();
  }

  [Symbol.dispose]() {
    this.stop(true);
  }

  reload(options) {
    this.#handlers = takeHandlers(options?.socket);
    for (const socket of this.#sockets) socket.reload(options.socket);
  }

  ref() {
    this.#handle.ref();
  }

  unref() {
    this.#handle.unref();
  }

  get hostname() {
    return this.#options.unix === undefined ? this.#options.hostname : undefined;
  }
  get port() {
    return this.#options.unix === undefined ? this.#name.port : undefined;
  }
  get unix() {
    return this.#options.unix;
  }
  get fd() {
    return this.#handle.fd;
  }
}

function checkTarget(options) {
  if (options === null || typeof options !== "object") {
    throw errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", "Expected options to be an object");
  }
}

function listen(options) {
  checkTarget(options);
  const handlers = takeHandlers(options.socket);
  const { hostname, unix, fd } = options;
  if (unix === undefined && fd === undefined && (hostname === undefined || hostname === null)) {
    throw errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE",
      'Expected "hostname" to be a string');
  }
  if (unix === undefined && fd === undefined) takePort(options.port);
  const tls = takeTls(options.tls, true, undefined);
  return new TCPSocketListener(handlers, { ...options }, tls)._listen();
}

// ---- Connecting

function connect(options) {
  checkTarget(options);
  const handlers = takeHandlers(options.socket);
  const { hostname, unix, fd } = options;
  const port = unix === undefined && fd === undefined ? takePort(options.port) : 0;
  const tls = takeTls(options.tls, false, hostname);
  return new Promise((resolve, reject) => {
    const pending = { resolve, reject, host: hostname };
    const handle = new Handle(unix === undefined ? "TCP" : "Pipe", null);
    const socket = new TCPSocket(handlers, {
      data: options.data, allowHalfOpen: options.allowHalfOpen, tls, pending, handle,
    });
    handle.owner = socket;
    let rc;
    if (fd !== undefined) rc = handle.open(fd);
    else if (unix !== undefined) rc = handle.connectPath(String(unix));
    else rc = handle.connectHost(String(hostname ?? "localhost"), port);
    if (rc !== 0) queueMicrotask(() => socket.onError(rc));
    else if (fd !== undefined) queueMicrotask(() => socket.onOpen(handle));
  });
}

exports.listen = listen;
exports.connect = connect;
exports.TCPSocket = TCPSocket;
