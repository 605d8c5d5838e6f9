// internal/subprocess/handles -- servers and sockets that go along with messages between processes
// (Node: subprocess.send, sendHandle).
//
// A message with a handle is { cmd: "NODE_HANDLE", type, msg } with the descriptor beside its first
// byte. The receiver answers NODE_HANDLE_ACK; the sender gives its own descriptor up then.
const errors = require("internal/errors");

/** Detaches a socket from its handle, which lives on until it has arrived. */
function takeFromSocket(socket) {
  const handle = socket._handle;
  if (!handle) return undefined;
  socket.setTimeout(0);
  socket._handle = null;
  handle.readStop?.();
  handle.owner = { onClose() {}, onError() {}, onRead() {}, onEnd() {}, onDrain() {} };
  const { server } = socket;
  if (server) {
    server._connections--;
    server._emitCloseIfDrained?.();
  }
  return handle;
}

/**
 * { message, fd, finish } of a message with a handle; undefined when a socket is closed already.
 * `finish` is to be called when the other side has it.
 */
exports.wrap = function wrap(message, handle, options) {
  const net = require("node:net");
  const { Handle } = require("internal/sockets");
  let type;
  let native;
  let isKept = true;
  if (handle instanceof net.Socket) {
    type = "net.Socket";
    isKept = options?.keepOpen === true;
    native = isKept ? handle._handle : takeFromSocket(handle);
  } else if (handle instanceof net.Server) {
    type = "net.Server";
    native = handle._handle;
  } else if (handle instanceof Handle) {
    type = "net.Native";
    native = handle;
  } else {
    const dgram = require("node:dgram");
    const { UdpHandle, kState } = require("node:dgram/binding");
    if (handle instanceof dgram.Socket) type = "dgram.Socket";
    else if (handle instanceof UdpHandle) type = "dgram.Native";
    else throw new errors.ERR_INVALID_HANDLE_TYPE();
    native = type === "dgram.Native" ? handle : handle[kState].handle;
  }
  const fd = native?.fd ?? -1;
  if (!(fd >= 0)) return undefined;
  const wrapped = { cmd: "NODE_HANDLE", type, msg: message };
  if (type === "dgram.Socket") wrapped.dgramType = handle.type;
  return { message: wrapped, fd, finish: isKept ? undefined : () => native.close() };
};

/** What has arrived for node:cluster. */
class Descriptor {
  isDescriptor = true;

  constructor(fd) {
    this.fd = fd;
  }

  close(callback) {
    require("internal/subprocess").closeFd(this.fd);
    if (callback !== undefined) setImmediate(callback);
  }
}

/** Gives `done(message, handle)` what has arrived; the descriptor is taken. */
exports.unwrap = function unwrap({ type, msg, dgramType }, fd, done) {
  const { Handle } = require("internal/sockets");
  switch (type) {
    case "net.Socket": {
      const handle = new Handle("TCP", null);
      if (handle.open(fd) !== 0) return done(msg, undefined);
      const { Socket } = require("node:net");
      const socket = new Socket({ handle, readable: true, writable: true });
      return done(msg, socket);
    }
    case "net.Server": {
      const handle = new Handle("TCP", null);
      if (handle.listenFd(fd, 0) !== 0) return done(msg, undefined);
      const { Server } = require("node:net");
      const server = new Server();
      return void server.listen(handle, () => done(msg, server));
    }
    case "dgram.Socket": {
      const socket = require("node:dgram").createSocket(dgramType);
      return void socket.bind({ fd }, () => done(msg, socket));
    }
    default:
      // node:cluster knows what it is.
      return done(msg, new Descriptor(fd));
  }
};
