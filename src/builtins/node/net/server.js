// @internal
// node:net/server -- net.Server (Node: net.Server).
const EventEmitter = require("node:events");
const { nextTick } = require("internal/tick");
const { Handle } = require("internal/sockets");
const errors = require("internal/errors");
const { uvExceptionWithHostPort } = require("internal/errors/system");
const { validateAbortSignal, validateNumber, validatePort } =
  require("internal/validators");
const { normalizeArgs, isPipeName } = require("node:net/args");
const { BlockList, isIP } = require("node:net/addresses");
const { getDefaultHighWaterMark } = require("internal/streams/high_water_mark");

const IPV6_ONLY = 1;
const REUSE_PORT = 2;
const READABLE_ALL = 4;
const WRITABLE_ALL = 8;

function Server(options, connectionListener) {
  if (!(this instanceof Server)) return new Server(options, connectionListener);
  EventEmitter.call(this, options);
  if (typeof options === "function") {
    connectionListener = options;
    options = {};
  } else if (options == null || typeof options === "object") {
    options = { ...options };
  } else {
    throw new errors.ERR_INVALID_ARG_TYPE("options", "Object", options);
  }
  if (typeof connectionListener === "function") this.on("connection", connectionListener);
  if (options.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, "options.keepAliveInitialDelay");
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
  if (options.highWaterMark !== undefined) {
    validateNumber(options.highWaterMark, "options.highWaterMark");
    if (options.highWaterMark < 0) options.highWaterMark = getDefaultHighWaterMark();
  }
  this._connections = 0;
  this._handle = null;
  this._usingWorkers = false;
  this._workers = [];
  this._unref = false;
  this._listeningId = 1;
  this.allowHalfOpen = options.allowHalfOpen || false;
  this.pauseOnConnect = Boolean(options.pauseOnConnect);
  this.noDelay = Boolean(options.noDelay);
  this.keepAlive = Boolean(options.keepAlive);
  this.keepAliveInitialDelay = ~~(options.keepAliveInitialDelay / 1000);
  this.highWaterMark = options.highWaterMark ?? getDefaultHighWaterMark();
  if (options.blockList) {
    if (!BlockList.isBlockList(options.blockList)) {
      throw new errors.ERR_INVALID_ARG_TYPE("options.blockList", "net.BlockList",
        options.blockList);
    }
    this.blockList = options.blockList;
  }
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

// ---- Listening

/** A handle that listens, or an errno. */
function createServerHandle(address, port, addressType, fd, flags, backlog = 0) {
  if (typeof fd === "number" && fd >= 0) {
    const handle = new Handle("TCP", null);
    let rc = handle.listenFd(fd, backlog, flags ?? 0);
    // What is no socket, or nothing at all, is EINVAL for Node.
    const { EBADF, EINVAL, ENOTSOCK } = require("node:os").constants.errno;
    if (rc === -ENOTSOCK || rc === -EBADF) rc = -EINVAL;
    return rc === 0 ? handle : rc;
  }
  const isPipe = port === -1 && addressType === -1;
  const handle = new Handle(isPipe ? "Pipe" : "TCP", null);
  const rc = isPipe
    ? handle.listen("", 0, address, backlog, flags ?? 0)
    : handle.listen(address ?? "", port, "", backlog, flags ?? 0);
  return rc === 0 ? handle : rc;
}

function failListening(server, error) {
  nextTick(() => {
    server._handle?.close();
    server._handle = null;
    server.emit("error", error);
  });
}

function setupListenHandle(server, address, port, addressType, backlog, fd, flags) {
  let result = server._handle;
  if (!result) {
    // An http.Server takes its connections itself.
    flags = (flags ?? 0) | (server._listenFlags ?? 0);
    result = createServerHandle(address, port, addressType, fd, flags, backlog);
  }
  if (typeof result === "number") {
    failListening(server, uvExceptionWithHostPort(result, "listen", address, port));
    return;
  }
  server._handle = result;
  result.owner = server;
  if (addressType !== -1 && addressType !== undefined && port !== undefined) {
    server._connectionKey = `${addressType}:${address}:${port}`;
  } else {
    server._connectionKey = `-1:${address}:-1`;
  }
  if (server._unref) server.unref();
  nextTick(emitListening, server);
}

function emitListening(server) {
  if (server._handle) server.emit("listening");
}

function toBacklog(args) {
  const n = Number(args);
  return n >= 0 ? n : 0;
}

Server.prototype.listen = function listen(...args) {
  const { 0: options, 1: callback } = normalizeArgs(args);
  if (this._handle) throw new errors.ERR_SERVER_ALREADY_LISTEN();
  if (callback !== null) this.once("listening", callback);
  const backlog = (args.length > 1 && toBacklog(args[1])) ||
    (args.length > 2 && toBacklog(args[2])) || options.backlog || 0;
  const given = options._handle || options.handle || options;
  if (given instanceof Handle) {
    this._handle = given;
    setupListenHandle(this, null, -1, -1, backlog);
    return this;
  }
  listenBySignal(this, options);
  let flags = options.ipv6Only ? IPV6_ONLY : 0;
  if (options.reusePort) flags |= REUSE_PORT;
  if (typeof options.fd === "number" && options.fd >= 0) {
    listenShared(this, {
      address: null, port: null, addressType: null, backlog, fd: options.fd,
      exclusive: !!options.exclusive,
    });
    return this;
  }
  if (args.length === 0 || typeof args[0] === "function" ||
      (options.port === undefined && "port" in options) || options.port === null) {
    options.port = 0;
  }
  if (typeof options.port === "number" || typeof options.port === "string") {
    const port = validatePort(options.port, "options.port");
    const exclusive = !!options.exclusive || !!options.reusePort;
    listenOnPort(this, options.host, port, { backlog, flags, exclusive });
    return this;
  }
  return listenOnPath(this, options, backlog);
};

function listenBySignal(server, { signal }) {
  if (signal === undefined) return;
  validateAbortSignal(signal, "options.signal");
  const onAborted = () => server.close();
  if (signal.aborted) {
    nextTick(onAborted);
    return;
  }
  const listener = () => onAborted();
  require("internal/util/abort_listener").onAbort(signal, listener);
  server.once("close", () => signal.removeEventListener("abort", listener));
}

/** In a worker of node:cluster the primary listens, unless the server is to be its own. */
function listenShared(server, { address, port, addressType, backlog, fd, flags, exclusive }) {
  const listenHere = () =>
    setupListenHandle(server, address, port, addressType, backlog, fd, flags);
  const cluster = exclusive ? undefined : clusterOfWorker();
  if (cluster === undefined) {
    listenHere();
    return;
  }
  // Connections of TLS and HTTP are taken by native code: they need the socket itself.
  const isRaw = server._listenFlags !== undefined || typeof server.setSecureContext === "function";
  const what = { address, port, addressType, fd, flags, backlog };
  if (isRaw) what.isRaw = true;
  cluster._getServer(server, what, (errno, handle) => {
    if (errno) {
      failListening(server, uvExceptionWithHostPort(errno, "bind", address, port));
      return;
    }
    server._handle = handle;
    setupListenHandle(server, address, port, addressType, backlog, fd, flags);
  });
}

function clusterOfWorker() {
  if (exports.cluster === undefined && Object.hasOwn(process.env, "NODE_UNIQUE_ID")) {
    require("node:cluster");
  }
  const cluster = exports.cluster?.();
  return cluster?.isWorker && cluster.worker !== null ? cluster : undefined;
}

function listenOnPort(server, host, port, rest) {
  const { backlog, flags, exclusive } = rest;
  if (!host) {
    listenShared(server, { address: null, port, addressType: 4, backlog, flags, exclusive });
    if (server._handle) server._connectionKey = `6::::${port}`;
    return;
  }
  const family = isIP(host);
  if (family !== 0 && !host.includes("%")) {
    listenShared(server, { address: host, port, addressType: family, backlog, flags, exclusive });
    return;
  }
  const id = ++server._listeningId;
  require("node:dns").lookup(host, { all: true }, (err, addresses) => {
    if (server._listeningId !== id) return;
    if (err) {
      server.emit("error", err);
      return;
    }
    // The first that does not need an interface to be named.
    const usable = addresses.find((a) => !/^fe80:/i.test(a.address)) ?? addresses[0];
    listenShared(server, {
      address: usable.address, port, addressType: usable.family, backlog, flags, exclusive,
    });
  });
}

function listenOnPath(server, options, backlog) {
  if (options.path && isPipeName(options.path)) {
    let flags = options.readableAll ? READABLE_ALL : 0;
    if (options.writableAll) flags |= WRITABLE_ALL;
    server._pipeName = options.path;
    listenShared(server, {
      address: options.path, port: -1, addressType: -1, backlog, flags,
      exclusive: !!options.exclusive,
    });
    return server;
  }
  if (!("port" in options || "path" in options)) {
    throw new errors.ERR_INVALID_ARG_VALUE(
      "options", options, 'must have the property "port" or "path"');
  }
  throw new errors.ERR_INVALID_ARG_VALUE("options", options);
}

// ---- Events of the handle

Server.prototype.onConnection = function onConnection(handle) {
  if (overLimit(this)) {
    const local = handle.getsockname();
    const remote = handle.getpeername();
    const isAddress = typeof local === "object" && local.family !== "";
    handle.owner = { onClose() {}, onError() {} };
    handle.close();
    this.emit("drop", isAddress ? dropped(local, remote) : undefined);
    return;
  }
  if (isBlocked(this, handle)) return;
  const { Socket } = require("node:net/socket");
  const socket = new Socket({
    handle,
    allowHalfOpen: this.allowHalfOpen,
    pauseOnCreate: this.pauseOnConnect,
    readable: true,
    writable: true,
    readableHighWaterMark: this.highWaterMark,
    writableHighWaterMark: this.highWaterMark,
    noDelay: this.noDelay,
    keepAlive: this.keepAlive,
    keepAliveInitialDelay: this.keepAliveInitialDelay * 1000,
  });
  if (handle.kind === "TCP") socket._applyOptions();
  this._connections++;
  socket.server = this;
  socket._server = this;
  this.emit("connection", socket);
};

function overLimit(server) {
  if (server.maxConnections == null || server._connections < server.maxConnections) return false;
  return true;
}

function dropped(local, remote) {
  return {
    localAddress: local.address, localPort: local.port, localFamily: local.family,
    remoteAddress: remote.address, remotePort: remote.port, remoteFamily: remote.family,
  };
}

function isBlocked(server, handle) {
  if (!server.blockList) return false;
  const remote = handle.getpeername();
  if (typeof remote !== "object" || remote.family === "") return false;
  const address = remote.address.replace(/^::ffff:(?=\d+\.)/, "");
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  if (!server.blockList.check(address, family)) return false;
  handle.owner = { onClose() {}, onError() {} };
  handle.close();
  return true;
}

Server.prototype.onClose = function onClose() {
  this._onHandleClosed?.();
};

Server.prototype.onError = function onError() {};

// ---- Closing

Server.prototype.close = function close(callback) {
  this._listeningId++;
  if (typeof callback === "function") {
    if (!this._handle) {
      this.once("close", () => callback(new errors.ERR_SERVER_NOT_RUNNING()));
    } else {
      this.once("close", callback);
    }
  }
  if (this._handle) {
    this._handle.close();
    this._handle = null;
  }
  this._emitCloseIfDrained();
  return this;
};

Server.prototype._emitCloseIfDrained = function _emitCloseIfDrained() {
  if (this._handle || this._connections) return;
  nextTick(() => this.emit("close"));
};

Server.prototype[Symbol.asyncDispose] = async function () {
  if (!this._handle) return;
  await new Promise((resolve, reject) => {
    this.close((err) => (err ? reject(err) : resolve()));
  });
};

// ---- The rest

Server.prototype.address = function address() {
  if (!this._handle) return null;
  if (this._pipeName) return this._pipeName;
  const name = this._handle.getsockname();
  if (typeof name === "number") {
    throw require("internal/errors/system").errnoException(name, "address");
  }
  return name.family === "" ? name.address : name;
};

Server.prototype.getConnections = function getConnections(callback) {
  nextTick(callback, null, this._handle || this._connections ? this._connections : 0);
  return this;
};

Server.prototype.ref = function ref() {
  this._unref = false;
  this._handle?.ref();
  return this;
};

Server.prototype.unref = function unref() {
  this._unref = true;
  this._handle?.unref();
  return this;
};

Object.defineProperty(Server.prototype, "listening", {
  __proto__: null, configurable: true, enumerable: true,
  get() {
    return Boolean(this._handle);
  },
});

Server.prototype[EventEmitter.captureRejectionSymbol] = function (err, event, socket) {
  if (event === "connection") socket.destroy(err);
  else this.emit("error", err);
};

Server.prototype._setupWorker = function _setupWorker(socketList) {
  this._usingWorkers = true;
  this._workers.push(socketList);
  socketList.once("exit", (list) => {
    this._workers.splice(this._workers.indexOf(list), 1);
  });
};

/** Set in a worker of node:cluster: gives that module. */
exports.cluster = undefined;
exports.Server = Server;
exports.createServerHandle = createServerHandle;
