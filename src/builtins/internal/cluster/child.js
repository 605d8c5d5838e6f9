// internal/cluster/child -- a worker (Node: internal/cluster/child).
const { sendHelper, internal, Worker } = require("internal/cluster");
const { nextTick } = require("internal/tick");

const handles = new Map(); // key -> the handle of a server
const indexes = new Map(); // what is listened to -> how often it was asked for
let cluster;

const send = (message, callback) => sendHelper(process, message, undefined, callback);

exports.prepare = function prepare(object) {
  cluster = object;
  cluster.worker = null;
  cluster._setupWorker = setupWorker;
  cluster._getServer = getServer;
  for (const name of ["_setupWorker", "_getServer"]) {
    Object.defineProperty(cluster, name, { enumerable: false });
  }
};

function setupWorker() {
  const worker = new Worker({
    id: +process.env.NODE_UNIQUE_ID | 0, process, state: "online",
  });
  delete process.env.NODE_UNIQUE_ID;
  worker._disconnect = () => disconnect(worker, false);
  worker._destroy = () => destroy(worker);
  for (const name of ["_disconnect", "_destroy"]) {
    Object.defineProperty(worker, name, { enumerable: false });
  }
  cluster.worker = worker;
  require("node:net/server").cluster = () => cluster;
  require("node:dgram/binding").cluster = () => cluster;
  process.once("disconnect", () => {
    process.channel = null;
    worker.emit("disconnect");
    // The primary has gone: so does the worker, unless it was told to disconnect.
    if (!worker.exitedAfterDisconnect) process.exit(0);
  });
  process.on("internalMessage", internal(worker, onMessage));
  send({ act: "online" });
}

function onMessage(message, handle) {
  if (message.act === "newconn") onConnection(message, handle);
  else if (message.act === "disconnect") disconnect(this, true);
}

/** A connection that the primary gives us. */
function onConnection(message, descriptor) {
  const server = handles.get(message.key)?.owner;
  const { maxConnections, _connections } = server ?? {};
  const isFull = maxConnections != null && _connections >= maxConnections;
  const accepted = descriptor !== undefined && server?._handle != null && !isFull;
  send({ ack: message.seq, accepted });
  if (descriptor === undefined) return;
  if (!accepted) {
    descriptor.close();
    return;
  }
  const { Handle } = require("internal/sockets");
  const handle = new Handle("TCP", null);
  if (handle.open(descriptor.fd) === 0) server.onConnection(handle);
}

/**
 * `done(errno, handle)` gets a handle for what `server` listens on: { address, port, addressType,
 * fd, flags, backlog }, with isRaw when connections cannot be handed over.
 */
function getServer(server, options, done) {
  const { address, port, addressType } = options;
  const what = `${address}:${port}:${addressType}`;
  const index = indexes.get(what) ?? 0;
  indexes.set(what, index + 1);
  const message = { act: "queryServer", index, data: null, cwd: process.cwd(), ...options };
  if (server._getServerData) message.data = server._getServerData();
  send(message, (reply, handle) => {
    server._setServerData?.(reply.data);
    if (handle !== undefined) shared(reply, handle, server, done);
    else roundRobin(reply, server, done);
  });
  const report = () => {
    cluster.worker.state = "listening";
    const bound = server.address();
    const info = { act: "listening", ...options, port: (bound && bound.port) || options.port };
    send(info);
  };
  server.once("listening", report);
}

function shared(reply, descriptor, server, done) {
  const { key } = reply;
  const handle = makeShared(descriptor, server);
  if (typeof handle === "number") {
    done(handle, null);
    return;
  }
  const close = handle.close.bind(handle);
  handle.close = () => {
    send({ act: "close", key });
    handles.delete(key);
    return close();
  };
  handles.set(key, handle);
  done(reply.errno, handle);
}

function makeShared({ fd }, server) {
  if (server instanceof require("node:net").Server) {
    const { Handle } = require("internal/sockets");
    const handle = new Handle("TCP", null);
    const rc = handle.listenFd(fd, 0, server._listenFlags ?? 0);
    return rc === 0 ? handle : rc;
  }
  const { UdpHandle } = require("node:dgram/binding");
  const handle = new UdpHandle(server);
  const rc = handle.open(fd);
  return rc === 0 ? handle : rc;
}

/** Stands for a listening socket that is the primary's. */
class Stand {
  isClosed = false;
  owner = null;
  kind = "TCP";
  fd = -1;
  isUnref = false;
  #sockname;
  #key;
  #alive = setInterval(() => {}, 2 ** 31 - 1);

  constructor(key, sockname) {
    this.#key = key;
    this.#sockname = sockname;
  }

  listen() {
    return 0;
  }

  close() {
    if (this.isClosed) return false;
    this.isClosed = true;
    clearInterval(this.#alive);
    send({ act: "close", key: this.#key });
    handles.delete(this.#key);
    return false;
  }

  ref() {
    this.isUnref = false;
    this.#alive.ref();
  }

  unref() {
    this.isUnref = true;
    this.#alive.unref();
  }

  hasRef() {
    return !this.isClosed && !this.isUnref;
  }

  getsockname() {
    return this.#sockname ?? { address: "", family: "", port: 0 };
  }

  pauseAccept() {}
}

function roundRobin(reply, server, done) {
  if (reply.errno) {
    done(reply.errno, null);
    return;
  }
  const handle = new Stand(reply.key, reply.sockname);
  handles.set(reply.key, handle);
  done(0, handle);
}

// ---- Going away

function disconnect(worker, isAsked) {
  worker.exitedAfterDisconnect = true;
  const { connected } = process;
  const leave = () => {
    // What is on its way to the primary goes first.
    if (!isAsked && process.connected) {
      send({ act: "exitedAfterDisconnect" }, () => process.connected && process.disconnect());
    } else if (process.connected) {
      process.disconnect();
    }
  };
  let left = 1;
  const check = () => {
    if (--left === 0 && connected) leave();
  };
  for (const handle of [...handles.values()]) {
    const server = handle.owner;
    if (server?.listening) {
      left++;
      server.close(check);
    } else {
      handle.close();
    }
  }
  handles.clear();
  nextTick(check);
  return worker;
}

function destroy(worker) {
  if (worker.exitedAfterDisconnect) return;
  worker.exitedAfterDisconnect = true;
  if (!worker.isConnected()) {
    process.exit(0);
  }
  send({ act: "exitedAfterDisconnect" }, () => process.connected && process.disconnect());
  process.once("disconnect", () => process.exit(0));
}
