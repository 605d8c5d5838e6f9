// node:dgram -- datagram sockets (Node: dgram).
const EventEmitter = require("node:events");
const { nextTick } = require("internal/tick");
const errors = require("internal/errors");
const { errnoException, exceptionWithHostPort, systemErrorName, systemErrorMessage, SystemError } =
  require("internal/errors/system");
const {
  validateAbortSignal, validateFunction, validateNumber, validatePort, validateString,
  validateUint32,
} = require("internal/validators");
const { BlockList } = require("node:net/addresses");
const { asBuffer } = require("node:net/socket");
const { onAbort } = require("internal/util/abort_listener");
const { UdpHandle, kState, udp } = require("node:dgram/binding");
const { checkBuffer, fixBufferList, sliceBuffer } = require("node:dgram/args");

const UNBOUND = 0;
const BINDING = 1;
const BOUND = 2;
const DISCONNECTED = 0;
const CONNECTING = 1;
const CONNECTED = 2;
const IPV6_ONLY = 1;
const REUSE_ADDR = 2;
const REUSE_PORT = 4;
const EBADF = -9;

function checkOptions(options) {
  for (const name of ["receiveBlockList", "sendBlockList"]) {
    if (options[name] && !BlockList.isBlockList(options[name])) {
      throw new errors.ERR_INVALID_ARG_TYPE(`options.${name}`, "net.BlockList", options[name]);
    }
  }
  for (const name of ["recvBufferSize", "sendBufferSize"]) {
    if (options[name]) validateUint32(options[name], `options.${name}`);
  }
  if (options.lookup !== undefined) validateFunction(options.lookup, "lookup");
  if (options.signal !== undefined) validateAbortSignal(options.signal, "options.signal");
}

function Socket(type, listener) {
  EventEmitter.call(this);
  const options = type !== null && typeof type === "object" ? type : {};
  this.type = options === type ? options.type : type;
  if (this.type !== "udp4" && this.type !== "udp6") throw new errors.ERR_SOCKET_BAD_TYPE();
  checkOptions(options);
  if (typeof listener === "function") this.on("message", listener);
  this[kState] = {
    handle: new UdpHandle(this),
    family: this.type === "udp4" ? 4 : 6,
    lookup: options.lookup,
    receiving: false,
    bindState: UNBOUND,
    connectState: DISCONNECTED,
    queue: undefined,
    reuseAddr: options.reuseAddr,
    reusePort: options.reusePort,
    ipv6Only: options.ipv6Only,
    recvBufferSize: options.recvBufferSize,
    sendBufferSize: options.sendBufferSize,
    receiveBlockList: options.receiveBlockList,
    sendBlockList: options.sendBlockList,
    isUnref: false,
  };
  const { signal } = options;
  if (signal === undefined) return;
  const close = () => this.close();
  if (signal.aborted) nextTick(close);
  else onAbort(signal, () => this[kState].handle && close());
}
Object.setPrototypeOf(Socket.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Socket, EventEmitter);

function createSocket(type, listener) {
  return new Socket(type, listener);
}

// ---- Events of the handle

Socket.prototype.onMessage = function onMessage(bytes, address, port, family) {
  const state = this[kState];
  if (state.receiveBlockList?.check(address, `ipv${family}`)) return;
  const info = { address, family: `IPv${family}`, port, size: bytes.length };
  this.emit("message", asBuffer(bytes), info);
};

Socket.prototype.onReceiveError = function onReceiveError(errno) {
  this.emit("error", errnoException(errno, "recvmsg"));
};

// ---- Binding

function healthCheck(socket) {
  if (!socket[kState].handle) throw new errors.ERR_SOCKET_DGRAM_NOT_RUNNING();
}

/** done(error, ip): the address of a host in the family of the socket. */
function lookup(socket, address, done) {
  const { family, lookup: custom } = socket[kState];
  const host = address || (family === 4 ? "127.0.0.1" : "::1");
  (custom ?? require("node:dns").lookup)(host, family, done);
}

function startListening(socket) {
  const state = socket[kState];
  udp.start(state.handle.id);
  if (state.isUnref) udp.ref(state.handle.id, false);
  state.receiving = true;
  state.bindState = BOUND;
  if (state.recvBufferSize) bufferSize(socket, state.recvBufferSize, false);
  if (state.sendBufferSize) bufferSize(socket, state.sendBufferSize, true);
  socket.emit("listening");
}

function listenOnce(socket, callback) {
  function removeListeners() {
    socket.removeListener("error", removeListeners);
    socket.removeListener("listening", onListening);
  }
  function onListening(...args) {
    removeListeners();
    callback.apply(this, args);
  }
  socket.on("error", removeListeners);
  socket.on("listening", onListening);
}

Socket.prototype.bind = function bind(port, address, callback) {
  healthCheck(this);
  const state = this[kState];
  if (state.bindState !== UNBOUND) throw new errors.ERR_SOCKET_ALREADY_BOUND();
  state.bindState = BINDING;
  const last = arguments[arguments.length - 1];
  if (typeof last === "function") listenOnce(this, last);
  let host = typeof address === "function" ? "" : address;
  let number = typeof port === "function" ? 0 : port;
  if (port !== null && typeof port === "object") {
    if (Number.isInteger(port.fd) && port.fd >= 0) return bindFd(this, port.fd);
    host = port.address || "";
    number = port.port;
  }
  if (!host) host = state.family === 4 ? "0.0.0.0" : "::";
  lookup(this, host, (error, ip) => {
    if (!state.handle) return;
    if (error) {
      state.bindState = UNBOUND;
      this.emit("error", error);
      return;
    }
    let flags = state.ipv6Only ? IPV6_ONLY : 0;
    if (state.reuseAddr) flags |= REUSE_ADDR;
    if (state.reusePort) flags |= REUSE_PORT;
    const isOwn = port !== null && typeof port === "object" && port.exclusive;
    const cluster = require("node:dgram/binding").cluster?.();
    if (cluster !== undefined && !isOwn && !state.reusePort) {
      bindShared(this, cluster, { address: ip, port: number || 0, flags });
      return;
    }
    const rc = bindHandle(state, ip, number || 0, flags);
    if (rc !== 0) {
      state.bindState = UNBOUND;
      this.emit("error", exceptionWithHostPort(rc, "bind", ip, number));
      return;
    }
    startListening(this);
  });
  return this;
};

/** In a worker of node:cluster the primary binds. */
function bindShared(socket, cluster, { address, port, flags }) {
  const state = socket[kState];
  const what = { address, port, addressType: socket.type, fd: -1, flags };
  cluster._getServer(socket, what, (errno, handle) => {
    if (errno) {
      state.bindState = UNBOUND;
      socket.emit("error", exceptionWithHostPort(errno, "bind", address, port));
      return;
    }
    if (!state.handle) {
      handle.close();
      return;
    }
    if (state.handle.id !== 0) state.handle.close();
    state.handle = handle;
    startListening(socket);
  });
}

function bindHandle(state, ip, port, flags) {
  if (state.handle.id !== 0) state.handle.close();
  return state.handle.bind(ip, port, state.family, flags);
}

function bindFd(socket, fd) {
  const state = socket[kState];
  const rc = state.handle.open(fd);
  if (rc !== 0) throw errnoException(rc, "open");
  startListening(socket);
  return socket;
}

/** Does it when the socket is bound. */
function enqueue(socket, action) {
  const state = socket[kState];
  if (state.queue === undefined) {
    state.queue = [];
    socket.once(EventEmitter.errorMonitor, onListenError);
    socket.once("listening", onListenSuccess);
  }
  state.queue.push(action);
}

function onListenSuccess() {
  this.removeListener(EventEmitter.errorMonitor, onListenError);
  const { queue } = this[kState];
  this[kState].queue = undefined;
  for (const action of queue) action();
}

function onListenError() {
  this.removeListener("listening", onListenSuccess);
  this[kState].queue = undefined;
}

// ---- Connecting

Socket.prototype.connect = function connect(port, address, callback) {
  const number = validatePort(port, "Port", false);
  if (typeof address === "function") {
    callback = address;
    address = "";
  } else if (address === undefined) {
    address = "";
  }
  validateString(address, "address");
  const state = this[kState];
  if (state.connectState !== DISCONNECTED) throw new errors.ERR_SOCKET_DGRAM_IS_CONNECTED();
  state.connectState = CONNECTING;
  if (state.bindState === UNBOUND) this.bind({ port: 0, exclusive: true }, null);
  const go = () => connectNow(this, number, address, callback);
  if (state.bindState !== BOUND) enqueue(this, go);
  else go();
};

function connectNow(socket, port, address, callback) {
  const state = socket[kState];
  if (callback) socket.once("connect", callback);
  lookup(socket, address, (error, ip) => {
    if (!state.handle) return;
    let ex = error;
    if (!ex && state.sendBlockList?.check(ip, `ipv${state.family}`)) {
      ex = new errors.ERR_IP_BLOCKED(ip);
    }
    if (!ex) {
      const rc = udp.connect(state.handle.id, ip, port);
      if (rc < 0) ex = exceptionWithHostPort(rc, "connect", address, port);
    }
    if (ex) {
      state.connectState = DISCONNECTED;
      nextTick(() => {
        if (callback) {
          socket.removeListener("connect", callback);
          callback(ex);
        } else {
          socket.emit("error", ex);
        }
      });
      return;
    }
    state.connectState = CONNECTED;
    nextTick(() => socket.emit("connect"));
  });
}

Socket.prototype.disconnect = function disconnect() {
  const state = this[kState];
  if (state.connectState !== CONNECTED) throw new errors.ERR_SOCKET_DGRAM_NOT_CONNECTED();
  const rc = udp.connect(state.handle.id, undefined, 0);
  if (rc < 0) throw errnoException(rc, "connect");
  state.connectState = DISCONNECTED;
};

// ---- Sending

/** The forms of send() as { buffer, port, address, callback }. */
function sendArgs(isConnected, buffer, offset, length, port, address, callback) {
  if (isConnected) {
    if (typeof length === "number") {
      buffer = sliceBuffer(buffer, offset, length);
      if (typeof port === "function") {
        callback = port;
        port = null;
      }
    } else {
      callback = offset;
    }
    if (port || address) throw new errors.ERR_SOCKET_DGRAM_IS_CONNECTED();
    return { buffer, port, address, callback };
  }
  if (address || (port && typeof port !== "function")) {
    return { buffer: sliceBuffer(buffer, offset, length), port, address, callback };
  }
  return { buffer, port: offset, address: length, callback: port };
}

function toList(buffer) {
  if (!Array.isArray(buffer)) return [checkBuffer(buffer)];
  const list = fixBufferList(buffer);
  if (list !== null) return list;
  throw new errors.ERR_INVALID_ARG_TYPE(
    "buffer list arguments", ["Buffer", "TypedArray", "DataView", "string"], buffer);
}

Socket.prototype.send = function send(...args) {
  const state = this[kState];
  const isConnected = state.connectState === CONNECTED;
  let { buffer, port, address, callback } = sendArgs(isConnected, ...args);
  const list = toList(buffer);
  if (!isConnected) port = validatePort(port, "Port", false);
  if (typeof callback !== "function") callback = undefined;
  if (typeof address === "function") {
    callback = address;
    address = undefined;
  } else if (address !== undefined && address !== null) {
    validateString(address, "address");
  }
  healthCheck(this);
  if (state.bindState === UNBOUND) this.bind({ port: 0, exclusive: true }, null);
  if (list.length === 0) list.push(new Uint8Array(0));
  if (state.bindState !== BOUND) {
    enqueue(this, () => this.send(list, port, address, callback));
    return;
  }
  const go = (error, ip) => sendNow(this, error, ip, list, address, port, callback);
  if (isConnected) go(null, undefined);
  else lookup(this, address, go);
};

function sendFailed(socket, error, callback) {
  if (typeof callback === "function") nextTick(callback, error);
  else nextTick(() => socket.emit("error", error));
}

function sendNow(socket, error, ip, list, address, port, callback) {
  const state = socket[kState];
  if (error) {
    sendFailed(socket, error, callback);
    return;
  }
  if (!state.handle) return;
  if (ip && state.sendBlockList?.check(ip, `ipv${state.family}`)) {
    if (callback) nextTick(callback, new errors.ERR_IP_BLOCKED(ip));
    return;
  }
  const size = list.reduce((n, part) => n + part.byteLength, 0);
  const sent = callback && ((rc) => {
    if (rc === 0) callback(null, size);
    else callback(exceptionWithHostPort(rc, "send", address, port));
  });
  const rc = udp.send(state.handle.id, list, port ?? 0, ip, sent);
  if (rc === -11) return;
  if (rc >= 0) {
    if (callback) nextTick(callback, null, rc);
  } else if (callback) {
    nextTick(callback, exceptionWithHostPort(rc, "send", address, port));
  }
}

Socket.prototype.sendto = function sendto(buffer, offset, length, port, address, callback) {
  validateNumber(offset, "offset");
  validateNumber(length, "length");
  validateNumber(port, "port");
  validateString(address, "address");
  this.send(buffer, offset, length, port, address, callback);
};

// ---- Closing

Socket.prototype.close = function close(callback) {
  const state = this[kState];
  if (typeof callback === "function") this.on("close", callback);
  if (state.queue !== undefined) {
    state.queue.push(() => this.close());
    return this;
  }
  healthCheck(this);
  state.receiving = false;
  state.handle.close();
  state.handle = null;
  nextTick(() => this.emit("close"));
  return this;
};

Socket.prototype[Symbol.asyncDispose] = async function () {
  if (!this[kState].handle) return;
  await new Promise((resolve) => this.close(resolve));
};

// ---- Addresses and options

function nameOf(socket, isPeer, syscall) {
  healthCheck(socket);
  const parts = udp.name(socket[kState].handle.id, isPeer);
  if (typeof parts === "number") throw errnoException(parts, syscall);
  return { address: parts[0], family: parts[1], port: parts[2] };
}

Socket.prototype.address = function address() {
  return nameOf(this, false, "getsockname");
};

Socket.prototype.remoteAddress = function remoteAddress() {
  healthCheck(this);
  if (this[kState].connectState !== CONNECTED) throw new errors.ERR_SOCKET_DGRAM_NOT_CONNECTED();
  return nameOf(this, true, "getpeername");
};

function check(rc, syscall) {
  if (rc < 0) throw errnoException(rc, syscall);
}

const idOf = (socket) => {
  healthCheck(socket);
  return socket[kState].handle.id;
};

/** A socket that groups can be joined with has an address. */
function boundId(socket) {
  healthCheck(socket);
  const state = socket[kState];
  if (state.handle.id === 0) {
    check(state.handle.bind(state.family === 4 ? "0.0.0.0" : "::", 0, state.family, 0), "bind");
  }
  return state.handle.id;
}

function ttl(socket, which, value, syscall, min) {
  const rc = value < min || value > 255 ? -22 : udp.option(idOf(socket), which, value);
  check(idOf(socket) === 0 ? EBADF : rc, syscall);
  return value;
}

Object.assign(Socket.prototype, {
  setBroadcast(on) {
    check(udp.option(idOf(this), 0, on ? 1 : 0), "setBroadcast");
  },
  setTTL(value) {
    validateNumber(value, "ttl");
    return ttl(this, 1, value, "setTTL", 1);
  },
  setMulticastTTL(value) {
    validateNumber(value, "ttl");
    return ttl(this, 2, value, "setMulticastTTL", 0);
  },
  setMulticastLoopback(value) {
    check(udp.option(idOf(this), 3, value ? 1 : 0), "setMulticastLoopback");
    return value;
  },
  setMulticastInterface(interfaceAddress) {
    healthCheck(this);
    validateString(interfaceAddress, "interfaceAddress");
    check(udp.multicastInterface(idOf(this), interfaceAddress), "setMulticastInterface");
  },
  addMembership(group, interfaceAddress) {
    healthCheck(this);
    if (!group) throw new errors.ERR_MISSING_ARGS("multicastAddress");
    check(udp.membership(boundId(this), group, interfaceAddress, true), "addMembership");
  },
  dropMembership(group, interfaceAddress) {
    healthCheck(this);
    if (!group) throw new errors.ERR_MISSING_ARGS("multicastAddress");
    check(udp.membership(boundId(this), group, interfaceAddress, false), "dropMembership");
  },
  addSourceSpecificMembership(source, group, interfaceAddress) {
    healthCheck(this);
    validateString(source, "sourceAddress");
    validateString(group, "groupAddress");
    const rc = udp.sourceMembership(boundId(this), source, group, interfaceAddress, true);
    check(rc, "addSourceSpecificMembership");
  },
  dropSourceSpecificMembership(source, group, interfaceAddress) {
    healthCheck(this);
    validateString(source, "sourceAddress");
    validateString(group, "groupAddress");
    const rc = udp.sourceMembership(boundId(this), source, group, interfaceAddress, false);
    check(rc, "dropSourceSpecificMembership");
  },
  ref() {
    setRef(this[kState], true);
    return this;
  },
  unref() {
    setRef(this[kState], false);
    return this;
  },
  setRecvBufferSize(size) {
    bufferSize(this, size, false);
  },
  setSendBufferSize(size) {
    bufferSize(this, size, true);
  },
  getRecvBufferSize() {
    return bufferSize(this, 0, false);
  },
  getSendBufferSize() {
    return bufferSize(this, 0, true);
  },
  getSendQueueSize() {
    return udp.queue(idOf(this))[0];
  },
  getSendQueueCount() {
    return udp.queue(idOf(this))[1];
  },
});

function setRef(state, on) {
  state.isUnref = !on;
  if (state.handle) udp.ref(state.handle.id, on);
}

/** Size 0 only asks. */
function bufferSize(socket, size, isSend) {
  if (size !== 0) {
    if (size >>> 0 !== size) throw new errors.ERR_SOCKET_BAD_BUFFER_SIZE();
  }
  const rc = udp.buffer(idOf(socket), isSend, size);
  if (rc >= 0) return rc;
  const syscall = isSend ? "uv_send_buffer_size" : "uv_recv_buffer_size";
  throw new SystemError("ERR_SOCKET_BUFFER_SIZE", "Could not get or set buffer size", {
    errno: rc, code: systemErrorName(rc), message: systemErrorMessage(rc), syscall,
  });
}

exports.createSocket = createSocket;
exports.Socket = Socket;
exports._createSocketHandle = function _createSocketHandle(...args) {
  const { 0: address, 1: port, 2: addressType, 3: fd, 4: flags = 0 } = args;
  const handle = new UdpHandle(null);
  const rc = fd >= 0 ? handle.open(fd)
    : handle.bind(address ?? "0.0.0.0", port ?? 0, addressType === "udp6" ? 6 : 4, flags);
  return rc === 0 ? handle : rc;
};
