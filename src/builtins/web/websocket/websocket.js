// @global WebSocket
// web/websocket -- WebSocket (WebSockets Standard) with Bun's headers, tls and proxy options, ping,
// pong, terminate, pause and resume.

const errors = require("internal/errors");
const line = require("web/websocket/connection");
const { defineInterface } = require("internal/webidl/interface");
const { Event, EventTarget, defineEventHandler, fire, makeTrusted } = require("web/events");
const { CloseEvent, ErrorEvent, MessageEvent } = require("web/events/kinds");

const CONNECTING = 0;
const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;

const EVENT_OPEN = 0;
const EVENT_TEXT = 1;
const EVENT_BINARY = 2;
const EVENT_PING = 3;
const EVENT_PONG = 4;
const EVENT_CLOSE = 5;
const EVENT_FAIL = 6;
const TEXT = 1;
const BINARY = 2;
const PING = 9;
const PONG = 10;
const FLAG_UNVERIFIED = 1;
const FLAG_NO_DEFLATE = 2;
const NO_STATUS = 1005;
const ABNORMAL = 1006;
const REASON_MAX = 123;
const CONTROL_MAX = 125;

const kToken = /^[!#$%&'*+\-.^_`|~A-Za-z0-9]+$/;
const kBinaryTypes = ["blob", "arraybuffer", "nodebuffer", "uint8array"];

let handle;
let isSetUp = false;

function makeException(message, name) {
  const { DOMException } = require("web/exception");
  return new DOMException(message, name);
}

function toUrl(input) {
  const { URL } = require("web/url");
  let url;
  try {
    url = new URL(`${input}`);
  } catch {
    throw makeException(`Invalid url for WebSocket ${input}`, "SyntaxError");
  }
  if (url.protocol === "http:") url.protocol = "ws:";
  else if (url.protocol === "https:") url.protocol = "wss:";
  const isUnix = url.protocol === "ws+unix:" || url.protocol === "wss+unix:";
  if (url.protocol !== "ws:" && url.protocol !== "wss:" && !isUnix) {
    throw makeException(`Wrong url scheme for WebSocket ${url.href}`, "SyntaxError");
  }
  if (url.hash !== "" || url.href.endsWith("#")) {
    throw makeException(`URL has fragment component ${url.href}`, "SyntaxError");
  }
  return url;
}

function checkProtocols(list) {
  const seen = new Set();
  for (const protocol of list) {
    if (!kToken.test(protocol)) {
      throw makeException(`Wrong protocol for WebSocket '${protocol}'`, "SyntaxError");
    }
    if (seen.has(protocol)) {
      throw makeException(
        `WebSocket protocols contain duplicates: '${protocol}'`, "SyntaxError",
      );
    }
    seen.add(protocol);
  }
  return list;
}

/** { protocols, extra } of the second argument. */
function readInit(init) {
  if (init === undefined || init === null) return { protocols: [], extra: {} };
  if (typeof init !== "object") return { protocols: [`${init}`], extra: {} };
  if (typeof init[Symbol.iterator] === "function") {
    return { protocols: [...init].map((protocol) => `${protocol}`), extra: {} };
  }
  const own = init.protocols ?? init.protocol ?? [];
  const list = typeof own === "string" ? [own] : [...own].map((protocol) => `${protocol}`);
  return { protocols: list, extra: init };
}

/** Headers, flags and options of the native half. */
function readExtra(url, protocols, extra) {
  const { Headers, listOf } = require("web/headers");
  const headers = new Headers(extra.headers ?? undefined);
  let flags = 0;
  if (protocols.length > 0) headers.set("sec-websocket-protocol", protocols.join(", "));
  for (const name of ["sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions",
    "upgrade", "connection"]) headers.delete(name);
  const options = { __proto__: null };
  const { proxy } = extra;
  if (typeof proxy === "string") options.proxy = proxy;
  else if (typeof proxy === "object" && proxy !== null) {
    options.proxy = `${proxy.url}`;
    if (proxy.headers !== undefined) options.proxyHeaders = listOf(new Headers(proxy.headers));
  }
  if (extra.perMessageDeflate === false) flags |= FLAG_NO_DEFLATE;
  if (typeof extra.tls === "object" && extra.tls !== null) {
    const { context, serverName, isUnverified } = require("web/fetch/tls").readTls(extra.tls);
    if (context !== null) options.context = context;
    if (serverName !== undefined) options.serverName = `${serverName}`;
    if (isUnverified) flags |= FLAG_UNVERIFIED;
  } else if (url.protocol === "wss:" && process.env.NODE_TLS_REJECT_UNAUTHORIZED === "0") {
    flags |= FLAG_UNVERIFIED;
  }
  return { list: listOf(headers), flags, options };
}

/** [href for the request, path of a unix socket or undefined] */
function splitUnix(url) {
  if (!url.protocol.endsWith("+unix:")) return [url.href, undefined];
  const [socket, path = "/"] = url.pathname.split(":");
  const scheme = url.protocol === "wss+unix:" ? "wss" : "ws";
  return [`${scheme}://localhost${path}${url.search}`, decodeURIComponent(socket)];
}

class WebSocket extends EventTarget {
  #url;
  #state = CONNECTING;
  #protocols;
  #protocol = "";
  #extensions = "";
  #binaryType = "nodebuffer";
  #wrapper = null;
  /** Bytes that were to be sent after the connection began to close. */
  #unsent = 0;
  #isPaused = false;
  /** Messages wait for a Blob that is read before them; null: none. */
  #queue = null;

  constructor(url, protocols = undefined) {
    super();
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("url");
    const target = toUrl(url);
    const { protocols: list, extra } = readInit(protocols);
    this.#url = target;
    this.#protocols = checkProtocols(list);
    this.#connect(extra);
  }

  #connect(extra) {
    if (!isSetUp) {
      isSetUp = true;
      line.setup(handle);
    }
    const { list, flags, options } = readExtra(this.#url, this.#protocols, extra);
    const [href, socket] = splitUnix(this.#url);
    if (socket !== undefined) options.unix = socket;
    const wrapper = line.open(this, href, list, flags, options);
    if (typeof wrapper === "number") {
      if (wrapper === -6012) throw errors.notImplemented("WebSocket through an https proxy");
      throw makeException(`Invalid url for WebSocket ${href}`, "SyntaxError");
    }
    this.#wrapper = wrapper;
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#state in value)) {
      throw new errors.ERR_INVALID_THIS("WebSocket");
    }
    return value;
  }

  get URL() {
    return WebSocket.#of(this).#url.href;
  }

  get url() {
    return WebSocket.#of(this).#url.href;
  }

  get readyState() {
    return WebSocket.#of(this).#state;
  }

  get bufferedAmount() {
    const self = WebSocket.#of(this);
    const queued = self.#state === CONNECTING ? 0 : line.buffered(self.#wrapper);
    return queued + self.#unsent;
  }

  get protocol() {
    return WebSocket.#of(this).#protocol;
  }

  get extensions() {
    return WebSocket.#of(this).#extensions;
  }

  get binaryType() {
    return WebSocket.#of(this).#binaryType;
  }

  set binaryType(value) {
    const self = WebSocket.#of(this);
    const text = `${value}`;
    // As with every enumeration: what it does not have is ignored.
    if (kBinaryTypes.includes(text)) self.#binaryType = text;
  }

  send(data) {
    const self = WebSocket.#of(this);
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("data");
    if (self.#state === CONNECTING) {
      throw makeException("The object is in an invalid state.", "InvalidStateError");
    }
    const { isBlob, readAll } = require("web/blob");
    const { byteLength, copy } = require("web/blob/bytes");
    if (typeof data === "object" && data !== null) {
      if (isBlob(data)) {
        const bytes = readAll(data);
        if (!ArrayBuffer.isView(bytes) || self.#queue !== null) self.#sendLater(bytes);
        else self.#transmit(BINARY, bytes, bytes.byteLength);
        return;
      }
      const bytes = ArrayBuffer.isView(data) && self.#queue === null ? data : copy(data);
      if (bytes !== undefined) {
        if (self.#queue !== null) self.#sendLater(bytes);
        else self.#transmit(BINARY, bytes, bytes.byteLength);
        return;
      }
    }
    const text = `${data}`;
    if (self.#queue !== null) self.#sendLater(text);
    else if (self.#state === OPEN) line.send(self.#wrapper, TEXT, text);
    else self.#unsent += byteLength(text);
  }

  #transmit(opcode, bytes, size) {
    if (this.#state === OPEN) line.send(this.#wrapper, opcode, bytes);
    else this.#unsent += size;
  }

  /** Keeps the order of messages when one of them has to be read first. */
  #sendLater(data) {
    const before = this.#queue;
    const run = (async () => {
      if (before !== null) await before;
      const ready = await data;
      if (typeof ready === "string") this.#transmit(TEXT, ready, ready.length);
      else this.#transmit(BINARY, ready, ready.byteLength);
    })();
    this.#queue = run;
    const clear = () => {
      if (this.#queue === run) this.#queue = null;
    };
    run.then(clear, clear);
  }

  close(code = undefined, reason = undefined) {
    const self = WebSocket.#of(this);
    let number = NO_STATUS;
    if (code !== undefined) {
      number = Math.trunc(Math.min(Math.max(Number(code) || 0, 0), 65535));
      if (number !== 1000 && (number < 3000 || number > 4999)) {
        throw makeException(
          "The object does not support the operation or argument.", "InvalidAccessError",
        );
      }
    }
    const text = reason === undefined ? "" : `${reason}`.toWellFormed();
    if (require("web/blob/bytes").byteLength(text) > REASON_MAX) {
      throw makeException("WebSocket close message is too long.", "SyntaxError");
    }
    if (self.#state >= CLOSING) return;
    if (self.#state === CONNECTING) {
      self.#giveUp();
      return;
    }
    self.#state = CLOSING;
    if (number === NO_STATUS && text !== "") number = 1000;
    line.close(self.#wrapper, number, text);
  }

  /** Before the connection stands. */
  #giveUp() {
    this.#state = CLOSING;
    line.terminate(this.#wrapper);
    setTimeout(() => {
      this.#fail("WebSocket is closed before the connection is established");
    }, 0);
  }

  terminate() {
    const self = WebSocket.#of(this);
    if (self.#state === CLOSED) return;
    if (self.#state === CONNECTING) {
      self.#giveUp();
      return;
    }
    self.#state = CLOSING;
    line.terminate(self.#wrapper);
  }

  ping(data = undefined) {
    WebSocket.#of(this).#control(PING, data);
  }

  pong(data = undefined) {
    WebSocket.#of(this).#control(PONG, data);
  }

  #control(opcode, data) {
    if (this.#state === CONNECTING) {
      throw makeException("The object is in an invalid state.", "InvalidStateError");
    }
    if (this.#state !== OPEN) return;
    const { copy, encode } = require("web/blob/bytes");
    let bytes = new Uint8Array(0);
    if (data !== undefined && data !== null) {
      bytes = typeof data === "object" ? copy(data) : encode(`${data}`);
      bytes ??= encode(`${data}`);
    }
    if (bytes.byteLength > CONTROL_MAX) {
      throw new errors.ERR_INVALID_ARG_VALUE("data", data, "must be at most 125 bytes");
    }
    line.send(this.#wrapper, opcode, bytes);
  }

  pause() {
    const self = WebSocket.#of(this);
    if (self.#state === CONNECTING || self.#state === CLOSED) return;
    self.#isPaused = true;
    line.pause(self.#wrapper, true);
  }

  resume() {
    const self = WebSocket.#of(this);
    if (!self.#isPaused) return;
    self.#isPaused = false;
    line.pause(self.#wrapper, false);
  }

  get isPaused() {
    return WebSocket.#of(this).#isPaused;
  }

  // ---- what the native half says

  #opened(protocol, extensions) {
    if (this.#state !== CONNECTING) return;
    const isAsked = this.#protocols.includes(protocol);
    if ((protocol !== "" && !isAsked) || (protocol === "" && this.#protocols.length > 0)) {
      this.#state = CLOSING;
      line.terminate(this.#wrapper);
      this.#fail("Mismatch client protocol");
      return;
    }
    this.#protocol = protocol;
    this.#extensions = extensions;
    this.#state = OPEN;
    fire(this, makeTrusted(new Event("open")));
  }

  #toData(bytes) {
    switch (this.#binaryType) {
      case "arraybuffer": return bytes.buffer;
      case "blob": return require("web/blob").makeBlob([bytes], bytes.byteLength, "");
      case "uint8array": return bytes;
      default: {
        const { Buffer } = require("node:buffer");
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      }
    }
  }

  #message(type, data) {
    if (this.#state !== OPEN && this.#state !== CLOSING) return;
    const { protocol, host } = this.#url;
    const origin = `${protocol}//${host}`;
    fire(this, makeTrusted(new MessageEvent(type, { data, origin })));
  }

  #closed(code, reason, wasClean) {
    if (this.#state === CLOSED) return;
    this.#state = CLOSED;
    fire(this, makeTrusted(new CloseEvent("close", { code, reason, wasClean })));
  }

  #fail(text) {
    if (this.#state === CLOSED) return;
    this.#state = CLOSED;
    const message = `WebSocket connection to '${this.#url.href}' failed: ${text}`;
    const error = new Error(message);
    fire(this, makeTrusted(new ErrorEvent("error", { message, error })));
    const closed = { code: ABNORMAL, reason: "", wasClean: false };
    fire(this, makeTrusted(new CloseEvent("close", closed)));
  }

  static {
    handle = (self, event, a, b, c) => {
      switch (event) {
        case EVENT_OPEN: return self.#opened(a, b);
        case EVENT_TEXT: return self.#message("message", a);
        case EVENT_BINARY: return self.#message("message", self.#toData(a));
        case EVENT_PING: return self.#message("ping", self.#toData(a));
        case EVENT_PONG: return self.#message("pong", self.#toData(a));
        case EVENT_CLOSE: return self.#closed(a, b, c);
        case EVENT_FAIL: return self.#fail(a);
        default: return undefined;
      }
    };
  }
}

for (const name of ["open", "message", "error", "close"]) defineEventHandler(WebSocket, name);
defineInterface(WebSocket, { CONNECTING, OPEN, CLOSING, CLOSED });

exports.WebSocket = WebSocket;
