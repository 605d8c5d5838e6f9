// internal/serve/websocket -- the WebSockets of a server: upgrading, sending, topics.

const ws = require("internal/http_host/http_ws");
const answer = require("internal/http_host/http_answer");
const host = require("internal/http_host");
const { kEvents } = host;

const kText = 1;
const kBinary = 2;
const kPing = 9;
const kPong = 10;
const kSizeMax = 16 * 1024 * 1024;
const kCloses = 1;
const kPings = 2;
const kHandlers = ["open", "message", "close", "drain", "ping", "pong", "error"];
const kKey = /^[A-Za-z0-9+/]{22}==$/;
const REASON_MAX = 123;
const { isView } = ArrayBuffer;

function number(value, fallback, name) {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== "number" || !(value >= 0)) {
    throw new TypeError(`websocket expects ${name} to be a number`);
  }
  return value;
}

exports.readOptions = function readOptions(options) {
  if (typeof options !== "object") throw new TypeError("websocket expects an object");
  const out = { __proto__: null };
  for (const name of kHandlers) {
    const fn = options[name];
    if (fn !== undefined && fn !== null && typeof fn !== "function") {
      throw new TypeError(`websocket expects ${name} to be a function`);
    }
    out[name] = fn ?? null;
  }
  const { perMessageDeflate } = options;
  out.sizeMax = number(options.maxPayloadLength, kSizeMax, "maxPayloadLength") || kSizeMax;
  out.queueMax = number(options.backpressureLimit, kSizeMax, "backpressureLimit");
  out.idleMs = number(options.idleTimeout, 120, "idleTimeout") * 1000;
  out.flags = (options.closeOnBackpressureLimit ? kCloses : 0) |
    (options.sendPings ?? true ? kPings : 0);
  out.publishToSelf = !!options.publishToSelf;
  out.deflates = perMessageDeflate === true ||
    (typeof perMessageDeflate === "object" && perMessageDeflate !== null);
  return out;
};

/** The window of an offer of permessage-deflate that we take, or 0 (RFC 7692, 7.1). */
function acceptDeflate(header) {
  for (const offer of header.split(",")) {
    const [name, ...params] = offer.split(";").map((part) => part.trim());
    if (name !== "permessage-deflate") continue;
    let bits = 15;
    let isFine = true;
    const seen = new Set();
    for (const param of params) {
      const at = param.indexOf("=");
      const key = at < 0 ? param : param.slice(0, at).trim();
      const value = at < 0 ? "" : param.slice(at + 1).trim().replace(/^"(.*)"$/, "$1");
      const isBits = key === "server_max_window_bits" || key === "client_max_window_bits";
      const isFlag = key === "server_no_context_takeover" || key === "client_no_context_takeover";
      if (seen.has(key) || (!isBits && !isFlag) || (isFlag && at >= 0)) isFine = false;
      seen.add(key);
      if (isBits && (at >= 0 || key[0] === "s") && !/^(?:[89]|1[0-5])$/.test(value)) isFine = false;
      if (key === "server_max_window_bits") bits = Number(value);
    }
    // zlib cannot do windows of 256 bytes.
    if (isFine && bits > 8) return bits;
  }
  return 0;
}

function extraLines(headers) {
  if (headers === undefined || headers === null) return { lines: "", protocol: null };
  const { Headers } = globalThis;
  const list = require("web/headers").listOf(new Headers(headers));
  let lines = "";
  let protocol = null;
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i];
    if (name === "sec-websocket-protocol") protocol = list[i + 1];
    else if (name !== "sec-websocket-accept" && name !== "upgrade" && name !== "connection" &&
      name !== "sec-websocket-extensions") lines += `${name}: ${list[i + 1]}\r\n`;
  }
  return { lines, protocol };
}

exports.upgrade = function upgrade(core, parts, options) {
  if (parts.isUpgraded || parts.method !== "GET" || (parts.info & host.kInfo.UPGRADE) === 0) {
    return false;
  }
  const key = parts.header("sec-websocket-key");
  if (parts.header("upgrade")?.toLowerCase() !== "websocket" || key === null || !kKey.test(key) ||
    parts.header("sec-websocket-version") !== "13") return false;
  const { websocket } = core;
  let { lines, protocol } = extraLines(options?.headers);
  const offered = parts.header("sec-websocket-protocol");
  if (protocol === null && offered !== null) protocol = offered.split(",")[0].trim();
  if (protocol !== null) lines += `Sec-WebSocket-Protocol: ${protocol}\r\n`;
  if (parts.cookies !== null) {
    for (const text of parts.cookies.toSetCookieHeaders()) lines += `set-cookie: ${text}\r\n`;
  }
  const extensions = websocket.deflates ? parts.header("sec-websocket-extensions") : null;
  const bits = extensions === null ? 0 : acceptDeflate(extensions);
  if (bits > 0) {
    lines += "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; " +
      `client_no_context_takeover${bits < 15 ? `; server_max_window_bits=${bits}` : ""}\r\n`;
  }
  const peer = host.native.peer(core.sid, parts.id, false);
  const { sizeMax, queueMax, idleMs, flags } = websocket;
  if (!ws.start(core.sid, parts.id, key, lines, bits, sizeMax, queueMax, idleMs, flags)) {
    return false;
  }
  parts.isUpgraded = true;
  core.forget(parts.id);
  const socket = new ServerWebSocket(core, parts.id, options?.data, peer?.[0] ?? "");
  core.sockets ??= new Map();
  core.sockets.set(parts.id, socketState(socket));
  callHandler(core, websocket.open, [socket], socket);
  return true;
};

/** Calls a handler; what it throws goes to `error`, or is reported. */
function callHandler(core, fn, args, socket) {
  if (fn === null) return;
  const fail = (error) => {
    const { websocket } = core;
    if (websocket.error === null) {
      require("internal/report").reportException(error);
      return;
    }
    Reflect.apply(websocket.error, core.server, [error, socket]);
  };
  try {
    const result = Reflect.apply(fn, core.server, args);
    if (result instanceof Promise) result.then(undefined, fail);
  } catch (error) {
    fail(error);
  }
}

let socketState;

class ServerWebSocket {
  #core;
  #id;
  #topics = null;
  #binaryType = "nodebuffer";
  #readyState = 1;
  #remoteAddress;

  constructor(core, id, data, remoteAddress) {
    this.#core = core;
    this.#id = id;
    this.#remoteAddress = remoteAddress;
    this.data = data;
  }

  get binaryType() { return this.#binaryType; }
  set binaryType(value) {
    if (value !== "nodebuffer" && value !== "arraybuffer" && value !== "uint8array") {
      throw new TypeError(
        "binaryType must be either \"arraybuffer\", \"nodebuffer\" or \"uint8array\"",
      );
    }
    this.#binaryType = value;
  }

  get readyState() { return this.#readyState; }
  get remoteAddress() { return this.#remoteAddress; }
  get subscriptions() { return this.#topics === null ? [] : [...this.#topics]; }

  send(data, compress) {
    return this.#send(typeof data === "string" ? kText : kBinary, data, compress);
  }

  sendText(data, compress) {
    if (typeof data !== "string") throw new TypeError("sendText expects a string");
    return this.#send(kText, data, compress);
  }

  sendBinary(data, compress) {
    if (typeof data === "string") throw new TypeError("sendBinary expects an ArrayBufferView");
    return this.#send(kBinary, data, compress);
  }

  #send(opcode, data, compress) {
    if (typeof data !== "string") data = toContent(data);
    if (this.#readyState !== 1) return 0;
    return ws.send(this.#core.sid, this.#id, opcode, data, compress === true);
  }

  ping(data = "") {
    return this.#control(kPing, data);
  }

  pong(data = "") {
    return this.#control(kPong, data);
  }

  #control(opcode, data) {
    const content = typeof data === "string" ? Buffer.from(data) : toContent(data);
    if (content.byteLength > 125) throw new RangeError("Control frames carry at most 125 bytes");
    if (this.#readyState !== 1) return 0;
    return ws.send(this.#core.sid, this.#id, opcode, content, false);
  }

  close(code = 1000, reason = "") {
    if (this.#readyState >= 2) return;
    if (typeof code !== "number") throw new TypeError("close requires a numeric code or undefined");
    const text = `${reason}`;
    if (Buffer.byteLength(text) > REASON_MAX) {
      throw new RangeError("The close reason must not be longer than 123 bytes");
    }
    this.#readyState = 2;
    ws.close(this.#core.sid, this.#id, code, text);
  }

  terminate() {
    if (this.#readyState === 3) return;
    const { sid } = this.#core;
    answer.close(sid, this.#id, true);
  }

  subscribe(topic) {
    if (this.#readyState !== 1) return;
    const name = `${topic}`;
    const core = this.#core;
    core.topics ??= new Map();
    let members = core.topics.get(name);
    if (members === undefined) core.topics.set(name, members = new Set());
    members.add(this);
    (this.#topics ??= new Set()).add(name);
  }

  unsubscribe(topic) {
    const name = `${topic}`;
    this.#topics?.delete(name);
    const members = this.#core.topics?.get(name);
    if (members === undefined) return;
    members.delete(this);
    if (members.size === 0) this.#core.topics.delete(name);
  }

  isSubscribed(topic) {
    return this.#topics?.has(`${topic}`) ?? false;
  }

  publish(topic, data, compress) {
    return exports.publish(this.#core, this, topic, data, compress);
  }

  publishText(topic, data, compress) {
    if (typeof data !== "string") throw new TypeError("publishText expects a string");
    return exports.publish(this.#core, this, topic, data, compress);
  }

  publishBinary(topic, data, compress) {
    return exports.publish(this.#core, this, topic, toContent(data), compress);
  }

  /** What is sent from handlers goes out together anyway. */
  cork(fn) {
    if (typeof fn !== "function") throw new TypeError("cork expects a function");
    return Reflect.apply(fn, this, [this]);
  }

  getBufferedAmount() {
    return ws.queued(this.#core.sid, this.#id);
  }

  pause() {
    answer.pause(this.#core.sid, this.#id, true);
  }

  resume() {
    answer.pause(this.#core.sid, this.#id, false);
  }

  #onEvent(event, value) {
    const core = this.#core;
    const { websocket } = core;
    switch (event) {
      case kEvents.WS_TEXT: callHandler(core, websocket.message, [this, value], this); break;
      case kEvents.WS_BINARY:
        callHandler(core, websocket.message, [this, this.#binary(value)], this);
        break;
      case kEvents.DRAIN: callHandler(core, websocket.drain, [this], this); break;
      case kEvents.WS_PING:
        callHandler(core, websocket.ping, [this, this.#binary(value)], this);
        break;
      case kEvents.WS_PONG:
        callHandler(core, websocket.pong, [this, this.#binary(value)], this);
        break;
      case kEvents.WS_CLOSE: this.#onClose(value[0], value[1]); break;
      default: break;
    }
  }

  #onClose(code, reason) {
    this.#readyState = 3;
    const core = this.#core;
    core.sockets.delete(this.#id);
    callHandler(core, core.websocket.close, [this, code, reason], this);
    for (const topic of [...this.#topics ?? []]) this.unsubscribe(topic);
  }

  #binary(bytes) {
    if (this.#binaryType === "nodebuffer") return Buffer.from(bytes.buffer, 0, bytes.byteLength);
    return this.#binaryType === "uint8array" ? bytes : bytes.buffer;
  }

  static {
    socketState = (socket) => ({
      socket,
      onEvent: (event, value) => socket.#onEvent(event, value),
    });
  }
}

Object.defineProperty(ServerWebSocket.prototype, Symbol.toStringTag, {
  value: "ServerWebSocket", configurable: true,
});

function toContent(data) {
  if (isView(data)) return data;
  if (data instanceof ArrayBuffer || data instanceof SharedArrayBuffer) return new Uint8Array(data);
  throw new TypeError("Expected a string, ArrayBuffer or ArrayBufferView");
}

/** To every subscriber of the topic but `from` (unless publishToSelf). */
exports.publish = function publish(core, from, topic, data, compress) {
  const members = core.topics?.get(`${topic}`);
  const content = typeof data === "string" ? data : toContent(data);
  if (members === undefined) return 0;
  let result = 0;
  const toSelf = core.websocket.publishToSelf;
  for (const socket of [...members]) {
    if (socket === from && !toSelf) continue;
    const sent = socket.send(content, compress);
    if (result !== -1 && sent !== 0) result = sent;
  }
  return result;
};
