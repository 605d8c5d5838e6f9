// @internal
// bun:udp -- Bun.udpSocket.
const errors = require("internal/errors");
const { errnoException } = require("internal/errors/system");
const { UdpHandle, udp } = require("node:dgram/binding");

const IPV6_ONLY = 1;
const REUSE_ADDR = 2;
const REUSE_PORT = 4;
const EAGAIN = -11;
let bufferProto;

function convert(bytes, binaryType) {
  if (binaryType === "uint8array") return bytes;
  if (binaryType === "arraybuffer") return bytes.slice().buffer;
  bufferProto ??= require("node:buffer").Buffer.prototype;
  return Object.setPrototypeOf(bytes, bufferProto);
}

function takeHandlers(socket) {
  const handlers = { data: socket?.data, drain: socket?.drain, error: socket?.error };
  for (const name of Object.keys(handlers)) {
    const fn = handlers[name];
    if (fn !== undefined && typeof fn !== "function") {
      throw new errors.ERR_INVALID_ARG_TYPE(`socket.${name}`, "Function", fn);
    }
  }
  return handlers;
}

class UDPSocket {
  #handle = new UdpHandle(this);
  #handlers;
  #name;
  #peer;
  #family;
  binaryType;

  constructor(options, ip, family) {
    this.#handlers = takeHandlers(options.socket);
    this.binaryType = options.binaryType ?? options.socket?.binaryType ?? "buffer";
    this.hostname = options.hostname ?? (family === 6 ? "::" : "0.0.0.0");
    this.#family = family;
    const flags = options.flags ?? {};
    const bits = (options.ipv6Only ? IPV6_ONLY : 0) | (flags.reuseAddr ? REUSE_ADDR : 0) |
      (options.reusePort || flags.reusePort ? REUSE_PORT : 0);
    const rc = this.#handle.bind(ip, options.port ?? 0, family, bits);
    if (rc !== 0) throw errnoException(rc, "bind");
    this.#name = this.#nameOf(false);
  }

  _connect(ip, port) {
    const rc = udp.connect(this.#handle.id, ip, port);
    if (rc < 0) throw errnoException(rc, "connect");
    this.#peer = this.#nameOf(true);
  }

  _start() {
    udp.start(this.#handle.id);
    return this;
  }

  #nameOf(isPeer) {
    const parts = udp.name(this.#handle.id, isPeer);
    if (typeof parts === "number") return undefined;
    return { address: parts[0], family: parts[1], port: parts[2] };
  }

  onMessage(bytes, address, port, family, isCut) {
    const { data } = this.#handlers;
    if (data === undefined) return;
    data.call(this, this, convert(bytes, this.binaryType), port, address, { truncated: isCut });
  }

  onReceiveError(errno) {
    const error = errnoException(errno, "recv");
    if (this.#handlers.error === undefined) throw error;
    this.#handlers.error.call(this, error);
  }

  onDrain() {
    this.#handlers.drain?.call(this, this);
  }

  #send(data, port, address) {
    if (this.closed) throw new Error("Socket is closed");
    if (this.#peer === undefined && (port === undefined || address === undefined)) {
      throw new TypeError("send requires a port and an address unless the socket is connected");
    }
    const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
    if (typeof bytes !== "string" && !ArrayBuffer.isView(bytes)) {
      throw new errors.ERR_INVALID_ARG_TYPE("data", ["string", "Buffer", "ArrayBuffer"], data);
    }
    if (udp.queue(this.#handle.id)[1] > 0) return EAGAIN;
    const to = this.#peer === undefined ? String(address) : undefined;
    return udp.send(this.#handle.id, bytes, Number(port ?? 0), to, undefined);
  }

  /** false: there is no room; drain() follows. */
  send(data, port, address) {
    const rc = this.#send(data, port, address);
    if (rc >= 0) return true;
    if (rc === EAGAIN) return false;
    throw errnoException(rc, "send");
  }

  /** Datagrams as [data, port, address, ...], or only data when connected; how many went out. */
  sendMany(list) {
    if (!Array.isArray(list)) throw new errors.ERR_INVALID_ARG_TYPE("packets", "Array", list);
    const step = this.#peer === undefined ? 3 : 1;
    if (list.length % step !== 0) {
      throw new TypeError("Expected 3 arguments for each packet");
    }
    let n = 0;
    for (let i = 0; i < list.length; i += step) {
      const rc = this.#send(list[i], list[i + 1], list[i + 2]);
      if (rc === EAGAIN) break;
      if (rc < 0) throw errnoException(rc, "send");
      n++;
    }
    return n;
  }

  close() {
    this.#handle.close();
  }

  [Symbol.dispose]() {
    this.close();
  }

  ref() {
    udp.ref(this.#handle.id, true);
    return this;
  }

  unref() {
    udp.ref(this.#handle.id, false);
    return this;
  }

  reload(options) {
    this.#handlers = takeHandlers(options?.socket);
  }

  #option(which, value, syscall) {
    const rc = udp.option(this.#handle.id, which, value);
    if (rc < 0) throw errnoException(rc, syscall);
    return value;
  }
  setBroadcast(on) {
    return Boolean(this.#option(0, on ? 1 : 0, "setBroadcast"));
  }
  setTTL(ttl) {
    return this.#option(1, ttl, "setTTL");
  }
  setMulticastTTL(ttl) {
    return this.#option(2, ttl, "setMulticastTTL");
  }
  setMulticastLoopback(on) {
    return Boolean(this.#option(3, on ? 1 : 0, "setMulticastLoopback"));
  }
  #check(rc, syscall) {
    if (rc < 0) throw errnoException(rc, syscall);
    return true;
  }
  setMulticastInterface(address) {
    return this.#check(udp.multicastInterface(this.#handle.id, address), "setMulticastInterface");
  }
  addMembership(group, iface) {
    return this.#check(udp.membership(this.#handle.id, group, iface, true), "addMembership");
  }
  dropMembership(group, iface) {
    return this.#check(udp.membership(this.#handle.id, group, iface, false), "dropMembership");
  }
  addSourceSpecificMembership(source, group, iface) {
    const rc = udp.sourceMembership(this.#handle.id, source, group, iface, true);
    return this.#check(rc, "addSourceSpecificMembership");
  }
  dropSourceSpecificMembership(source, group, iface) {
    const rc = udp.sourceMembership(this.#handle.id, source, group, iface, false);
    return this.#check(rc, "dropSourceSpecificMembership");
  }

  get closed() {
    return this.#handle.id === 0;
  }
  get port() {
    return this.#name?.port;
  }
  get address() {
    return this.#name;
  }
  get remoteAddress() {
    return this.#peer;
  }
  get fd() {
    return udp.fd(this.#handle.id);
  }
}

async function resolve(host, family) {
  const { isIP } = require("node:net/addresses");
  if (isIP(host)) return { address: host, family: isIP(host) };
  return require("node:dns/promises").lookup(host, { family });
}

async function udpSocket(options = {}) {
  const local = options.hostname === undefined
    ? undefined : await resolve(String(options.hostname), 0);
  const to = options.connect;
  const peer = to && (await resolve(String(to.hostname ?? "127.0.0.1"), local?.family ?? 0));
  const family = local?.family ?? peer?.family ?? 4;
  const ip = local?.address ?? (family === 6 ? "::" : "0.0.0.0");
  const socket = new UDPSocket(options, ip, family);
  if (peer) socket._connect(peer.address, to.port);
  return socket._start();
}

exports.udpSocket = udpSocket;
