// @global MessageChannel MessagePort BroadcastChannel
// web/messaging -- ports between contexts and threads (HTML, "Channel messaging"; Node:
// worker_threads, MessagePort, which is an EventTarget with the methods of an emitter).
//
// native: pair() -> [port, port]; start(port, fn); take(port) -> [bytes, ports] | null | undefined;
// post(port, bytes, ports) -> 0 or -errno; close(port); setRef(port, bool); hasRef(port);
// channel(name) -> port; broadcast(port, bytes), which puts a number (f64) before them.
const { defineEventHandler, fire, kListenersChanged, makeTrusted } = require("web/events");
const { defineInterface } = require("internal/webidl/interface");
const errors = require("internal/errors");

const kUntransferable = new WeakSet();
/** A port of a channel -> a WeakRef to the other one, while both are here. */
const peers = new WeakMap();
const MESSAGES_MAX = 1000; // delivered in a row before the loop goes on

function notIterable(name) {
  const error = new TypeError(`Optional ${name} argument must be an iterable`);
  error.code = "ERR_INVALID_ARG_TYPE";
  return error;
}

/** The transfer list: an array, or { transfer }. */
function readTransfer(options) {
  if (options === undefined || options === null) return [];
  if (typeof options !== "object") throw notIterable("transferList");
  const isList = typeof options[Symbol.iterator] === "function";
  const list = isList ? options : options.transfer;
  if (list === undefined) return [];
  if (list === null || typeof list !== "object" || typeof list[Symbol.iterator] !== "function") {
    throw notIterable(isList ? "transferList" : "options.transfer");
  }
  try {
    return [...list];
  } catch {
    throw notIterable(isList ? "transferList" : "options.transfer");
  }
}

/** { places, buffers, ports }: what moves, checked; `self` cannot move through itself. */
function checkTransfers(list, self) {
  const { cloneError } = require("web/structured_clone/writer");
  const places = new Map();
  for (let i = 0; i < list.length; i++) {
    const object = list[i];
    const isMoving = isPort(object);
    if (!isMoving && !(object instanceof ArrayBuffer)) throw cloneError("Value not transferable");
    if (kUntransferable.has(object)) throw cloneError("An object is marked as untransferable");
    if (places.has(object)) {
      const kind = isMoving ? "MessagePort" : "ArrayBuffer";
      throw cloneError(`Transfer list contains duplicate ${kind}`);
    }
    if (isMoving && object === self) throw cloneError("Transfer list contains source port");
    if (isMoving && isPortClosed(object)) {
      throw cloneError("MessagePort in transfer list is already detached");
    }
    if (!isMoving && object.detached) throw cloneError("An ArrayBuffer is detached");
    places.set(object, places.size);
  }
  return places;
}

/**
 * The message as [bytes, native ports].  The first byte counts what was transferred, each then a
 * byte: 0 a port, 1 a buffer, whose content follows the clone.
 */
function pack(value, list, self) {
  const codec = require("web/messaging/codec");
  // A channel has many receivers; shared memory can only be counted for one.
  const share = self instanceof BroadcastChannel ? null : native.share;
  if (list.length === 0) return [frame([], codec.serialize(value, null, share)), undefined];
  const places = checkTransfers(list, self);
  const isLost = peers.has(self) && places.has(peers.get(self).deref());
  const clone = codec.serialize(value, places, share);
  const ports = [];
  const parts = [];
  for (const object of places.keys()) {
    if (isPort(object)) {
      parts.push(null);
      ports.push(takePort(object));
    } else {
      parts.push(new Uint8Array(object.transfer()));
    }
  }
  if (isLost) {
    process.emitWarning(
      "The target port was posted to itself, and the communication channel was lost",
    );
    self.close();
  }
  return [frame(parts, clone), ports];
}

function frame(parts, clone) {
  let size = 4 + clone.length;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    size += part === null ? 5 : 5 + part.length;
  }
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, parts.length, true);
  let at = 4;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    bytes[at] = part === null ? 0 : 1;
    if (part !== null) {
      view.setUint32(at + 1, part.length, true);
      bytes.set(part, at + 5);
      at += part.length;
    }
    at += 5;
  }
  bytes.set(clone, at);
  return bytes;
}

/** The value of a message, and the ports that came with it. */
function unpack(bytes, handles) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const n = view.getUint32(0, true);
  let at = 4;
  const transferred = [];
  const ports = [];
  for (let i = 0; i < n; i++) {
    if (bytes[at] === 0) {
      const port = new Port(handles[ports.length]);
      ports.push(port);
      transferred.push(port);
      at += 5;
    } else {
      const size = view.getUint32(at + 1, true);
      transferred.push(bytes.slice(at + 5, at + 5 + size).buffer);
      at += 5 + size;
    }
  }
  const codec = require("web/messaging/codec");
  return { value: codec.deserialize(bytes.subarray(at), transferred, native.claim), ports };
}

// Node's emitter methods on an EventTarget: listeners of "message" get the data.
class NodeEventTarget extends EventTarget {
  #wrappers = new Map(); // listener -> Map(type -> wrapper)

  // Said, because the engine's own hands its arguments on by their iterator.
  constructor() {
    super();
  }

  #add(type, listener, options) {
    const wrapper = (event) => {
      listener.call(this, event instanceof MessageEvent ? event.data : event.detail);
    };
    let types = this.#wrappers.get(listener);
    if (types === undefined) this.#wrappers.set(listener, (types = new Map()));
    types.set(type, wrapper);
    this.addEventListener(type, wrapper, options);
    return this;
  }

  on(type, listener) {
    return this.#add(type, listener);
  }

  addListener(type, listener) {
    return this.#add(type, listener);
  }

  once(type, listener) {
    return this.#add(type, listener, { once: true });
  }

  off(type, listener) {
    const wrapper = this.#wrappers.get(listener)?.get(type);
    this.#wrappers.get(listener)?.delete(type);
    this.removeEventListener(type, wrapper ?? listener);
    return this;
  }

  removeListener(type, listener) {
    return this.off(type, listener);
  }

  removeAllListeners(type) {
    const { getListeners } = require("web/events");
    for (const listener of getListeners(this, type)) this.removeEventListener(type, listener);
    return this;
  }

  emit(type, value) {
    const isMessage = type === "message" || type === "messageerror";
    const Kind = isMessage ? MessageEvent : CustomEvent;
    return fire(this, new Kind(type, isMessage ? { data: value } : { detail: value }));
  }

  listenerCount(type) {
    return require("web/events").getListeners(this, type).length;
  }

  eventNames() {
    return ["message", "messageerror", "close"].filter((name) => this.listenerCount(name) > 0);
  }

  setMaxListeners() {
    return this;
  }

  getMaxListeners() {
    return 10;
  }
}

class Port extends NodeEventTarget {
  #handle;
  #isStarted = false;
  #isStopped = false; // nobody listens: what comes waits
  #isClosed = false;
  #isDelivering = false;
  #nWaiting = 0; // sent here by the other port, before this one was started

  static is(value) {
    return typeof value === "object" && value !== null && #handle in value;
  }

  /** Delivers what is there. */
  static drain(port) {
    if (port.#isStarted && !port.#isClosed) port.#onReady();
  }

  static isClosed(port) {
    return port.#isClosed;
  }

  /** Its native port, which is another's from now on. */
  static take(port) {
    port.#isClosed = true;
    peers.delete(port);
    return port.#handle;
  }

  /** One message, or undefined. */
  static receive(port) {
    if (port.#isClosed) return undefined;
    const message = native.take(port.#handle);
    return message ? { message: unpack(message[0], message[1]).value } : undefined;
  }

  constructor(handle) {
    super();
    this.#handle = handle;
  }

  postMessage(value, options) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("message");
    const { 0: bytes, 1: ports } = pack(value, readTransfer(options), this);
    if (this.#isClosed) return;
    native.post(this.#handle, bytes, ports);
    const peer = peers.get(this)?.deref();
    if (peer !== undefined && !peer.#isStarted) peer.#nWaiting++;
  }

  start() {
    if (this.#isClosed) return;
    if (this.#isStopped) {
      this.#isStopped = false;
      setImmediate(() => this.#onReady());
    }
    if (this.#isStarted) return;
    this.#isStarted = true;
    native.start(this.#handle, require("internal/tick").inContext(() => this.#onReady()));
  }

  #onReady() {
    if (this.#isStopped) return;
    this.#isDelivering = true;
    try {
      for (let i = 0; i < MESSAGES_MAX && !this.#isClosed; i++) {
        const message = native.take(this.#handle);
        if (message === null) return;
        if (message === undefined) {
          this.close();
          return;
        }
        this.#deliver(message);
        require("internal/tick").runNextTicks();
      }
    } finally {
      this.#isDelivering = false;
    }
    // The rest after other events.
    if (!this.#isClosed) setImmediate(() => this.#onReady());
  }

  #deliver(message) {
    let event;
    try {
      const { value, ports } = unpack(message[0], message[1]);
      event = new MessageEvent("message", { data: value, ports });
      if (value === undefined) Object.defineProperty(event, "data", { value });
    } catch (error) {
      event = new MessageEvent("messageerror", { data: error });
    }
    fire(this, makeTrusted(event));
  }

  close(callback) {
    if (typeof callback === "function") this.once("close", callback);
    if (this.#isClosed) return;
    // What has come already is delivered, in spite of it.
    const rest = [];
    for (let m; this.#isDelivering && (m = native.take(this.#handle)); ) rest.push(m);
    this.#isClosed = true;
    native.close(this.#handle);
    setImmediate(() => {
      for (let i = 0; i < rest.length; i++) {
        const message = rest[i];
        this.#deliver(message);
      }
      fire(this, makeTrusted(new Event("close")));
      const peer = peers.get(this)?.deref();
      // One that listens for messages hears of it by itself.
      if (peer !== undefined && !peer.#isStarted && peer.#nWaiting === 0) peer.close();
    });
  }

  [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) {
    if (!isPort(this)) return this;
    const active = !this.#isClosed;
    const state = { active, refed: active && native.hasRef(this.#handle) };
    return `MessagePort [EventTarget] ${inspect?.(state, options) ?? ""}`;
  }

  ref() {
    this.start();
    native.setRef(this.#handle, true);
  }

  unref() {
    native.setRef(this.#handle, false);
  }

  hasRef() {
    return native.hasRef(this.#handle);
  }

  [kListenersChanged](type, count) {
    if (type !== "message" || this.#isClosed) return;
    if (count > 0) {
      this.ref();
      return;
    }
    this.unref();
    this.#isStopped = this.#isStarted;
  }
}
const { is: isPort, isClosed: isPortClosed, take: takePort, receive, drain } = Port;

/** What programs see of Port: nobody makes ports but channels. */
function MessagePort() {
  throw new errors.ERR_CONSTRUCT_CALL_INVALID();
}
Object.setPrototypeOf(MessagePort, NodeEventTarget);
Object.defineProperty(MessagePort, "prototype", {
  __proto__: null, value: Port.prototype, writable: false,
});
Object.defineProperty(Port.prototype, "constructor", {
  __proto__: null, value: MessagePort, writable: true, configurable: true, enumerable: false,
});
defineEventHandler(MessagePort, "message");
defineEventHandler(MessagePort, "messageerror");

function MessageChannel() {
  if (new.target === undefined) throw new errors.ERR_CONSTRUCT_CALL_REQUIRED("MessageChannel");
  const { 0: first, 1: second } = native.pair();
  this.port1 = new Port(first);
  this.port2 = new Port(second);
  peers.set(this.port1, new WeakRef(this.port2));
  peers.set(this.port2, new WeakRef(this.port1));
}

// The channels of this thread that are open, in the order of creation.
const openChannels = new Set();

/** What has come for any of them, in the order in which it was sent (HTML, BroadcastChannel). */
function deliverBroadcasts() {
  const all = [];
  for (const channel of openChannels) collectBroadcasts(channel, all);
  all.sort((a, b) => a.number - b.number);
  for (const { channel, bytes } of all) {
    deliverBroadcast(channel, bytes);
    require("internal/tick").runNextTicks();
  }
}

const kNumberSize = 8;
let collectBroadcasts;
let deliverBroadcast;

class BroadcastChannel extends NodeEventTarget {
  #name;
  #handle;
  #isClosed = false;

  constructor(name) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("name");
    super();
    this.#name = `${name}`;
    this.#handle = native.channel(this.#name);
    native.start(this.#handle, deliverBroadcasts);
    native.setRef(this.#handle, true);
    openChannels.add(this);
  }

  get name() {
    return this.#name;
  }

  postMessage(value) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("message");
    if (this.#isClosed) {
      throw new DOMException("BroadcastChannel is closed.", "InvalidStateError");
    }
    native.broadcast(this.#handle, pack(value, [], this)[0]);
  }

  static {
    collectBroadcasts = (channel, all) => {
      for (let i = 0; i < MESSAGES_MAX; i++) {
        const message = native.take(channel.#handle);
        if (!message) return;
        const { 0: bytes } = message;
        const number = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);
        all.push({ channel, number, bytes: bytes.subarray(kNumberSize) });
      }
      // The rest after other events.
      setImmediate(deliverBroadcasts);
    };

    deliverBroadcast = (channel, bytes) => {
      if (channel.#isClosed) return;
      let event;
      try {
        event = new MessageEvent("message", { data: unpack(bytes, undefined).value });
      } catch (error) {
        event = new MessageEvent("messageerror", { data: error });
      }
      fire(channel, makeTrusted(event));
    };
  }

  close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    openChannels.delete(this);
    native.close(this.#handle);
  }

  [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) {
    if (this === null || typeof this !== "object" || !(#isClosed in this)) {
      throw new errors.ERR_INVALID_THIS("BroadcastChannel");
    }
    if (depth < 0) return "BroadcastChannel";
    const shown = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `BroadcastChannel ${inspect({ name: this.#name, active: !this.#isClosed }, shown)}`;
  }

  ref() {
    if (!this.#isClosed) native.setRef(this.#handle, true);
    return this;
  }

  unref() {
    if (!this.#isClosed) native.setRef(this.#handle, false);
    return this;
  }
}
defineEventHandler(BroadcastChannel, "message");
defineEventHandler(BroadcastChannel, "messageerror");

defineInterface(MessagePort);
defineInterface(MessageChannel);
defineInterface(BroadcastChannel);
require("web/events/kinds").setMessagePortCheck(isPort);

Object.assign(exports, {
  BroadcastChannel,
  MessageChannel,
  MessagePort,
  NodeEventTarget,
  isPort,
  isPortClosed,
  /** The port that takes the place of one that has been transferred. */
  move: (port) => new Port(takePort(port)),
  /** A port over a native one. */
  wrap: (handle) => new Port(handle),
  /** [port, native port]: one for us, one to give away. */
  makePair() {
    const { 0: first, 1: second } = native.pair();
    return [new Port(first), second];
  },
  drain,
  /** Another WebAssembly.Module of the same code. */
  copyModule: (module) => native.claim(native.share(module), module),
  markAsUncloneable(object) {
    if ((typeof object !== "object" || object === null) && typeof object !== "function") return;
    require("web/structured_clone/writer").markAsUncloneable(object);
  },
  markAsUntransferable(object) {
    if (typeof object === "object" && object !== null) kUntransferable.add(object);
  },
  isMarkedAsUntransferable: (object) => kUntransferable.has(object),
  receiveMessageOnPort(port) {
    if (!isPort(port)) {
      const error = new errors.ERR_INVALID_ARG_TYPE("port", "MessagePort", port);
      error.message = 'The "port" argument must be a MessagePort instance';
      throw error;
    }
    return receive(port);
  },
});
