// @internal
// node:_http_outgoing/fields -- the header methods of OutgoingMessage, and the text of a head.

const errors = require("internal/errors");
const common = require("node:_http_common");
const { chunkExpression, utcDate } = common;

/** Names that decide about framing. */
const kConnection = 1;
const kContentLength = 2;
const kTransferEncoding = 3;
const kDate = 4;
const kExpect = 5;
const kTrailer = 6;
const kKeepAlive = 7;
const kCookie = 8;
const kSpecial = new Map([
  ["connection", kConnection], ["content-length", kContentLength],
  ["transfer-encoding", kTransferEncoding], ["date", kDate], ["expect", kExpect],
  ["trailer", kTrailer], ["keep-alive", kKeepAlive], ["cookie", kCookie],
]);
const kClose = /(?:^|\W)close(?:$|\W)/i;
const kUpgrade = /(?:^|\W)upgrade(?:$|\W)/i;
/** Lower case of names that were seen; bounded. */
const NAMES_MAX = 512;
const lowered = new Map();

function lower(name) {
  let text = lowered.get(name);
  if (text === undefined) {
    text = name.toLowerCase();
    if (lowered.size >= NAMES_MAX) lowered.clear();
    lowered.set(name, text);
  }
  return text;
}

function validateHeaderName(name, label) {
  if (typeof name !== "string" || !name || !common._checkIsHttpToken(name)) {
    throw new errors.ERR_INVALID_HTTP_TOKEN(label || "Header name", name);
  }
}

function validateHeaderValue(name, value) {
  if (value === undefined) throw new errors.ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (common._checkInvalidHeaderChar(value)) {
    throw new errors.ERR_INVALID_CHAR("header content", name);
  }
}

function parseUniqueHeadersOption(headers) {
  if (!Array.isArray(headers)) return null;
  return new Set(headers.map((name) => {
    validateHeaderName(name);
    return name.toLowerCase();
  }));
}

function checkUnsent(self, what) {
  if (self._header) throw new errors.ERR_HTTP_HEADERS_SENT(what);
}

exports.install = function install(OutgoingMessage, keys) {
  installSetters(OutgoingMessage.prototype, keys);
  installGetters(OutgoingMessage.prototype, keys);
  installHead(OutgoingMessage.prototype, keys);
};

function installSetters(proto, { kHeaders }) {
  proto.setHeader = function setHeader(name, value) {
    checkUnsent(this, "set");
    validateHeaderName(name);
    validateHeaderValue(name, value);
    this[kHeaders] ??= { __proto__: null };
    this[kHeaders][lower(name)] = [name, value];
    return this;
  };

  proto.setHeaders = function setHeaders(headers) {
    checkUnsent(this, "set");
    const { Headers } = globalThis;
    const isMap = headers instanceof Map || headers instanceof Headers;
    if (!headers || Array.isArray(headers) || !isMap) {
      throw new errors.ERR_INVALID_ARG_TYPE("headers", ["Headers", "Map"], headers);
    }
    const cookies = [];
    for (const [name, value] of headers) {
      if (name === "set-cookie") {
        if (Array.isArray(value)) cookies.push(...value);
        else cookies.push(value);
      } else this.setHeader(name, value);
    }
    if (cookies.length > 0) this.setHeader("set-cookie", cookies);
    return this;
  };

  proto.appendHeader = function appendHeader(name, value) {
    checkUnsent(this, "append");
    validateHeaderName(name);
    validateHeaderValue(name, value);
    const field = lower(name);
    const old = this[kHeaders]?.[field];
    if (old === undefined) {
      this[kHeaders] ??= { __proto__: null };
      this[kHeaders][field] = [name, value];
      return this;
    }
    const list = Array.isArray(old[1]) ? [...old[1]] : [old[1]];
    old[1] = list.concat(value);
    return this;
  };
}

function installGetters(proto, { kHeaders }) {
  proto.getHeader = function getHeader(name) {
    const { validateString } = require("internal/validators");
    validateString(name, "name");
    return this[kHeaders]?.[lower(name)]?.[1];
  };

  proto.hasHeader = function hasHeader(name) {
    const { validateString } = require("internal/validators");
    validateString(name, "name");
    return this[kHeaders] !== null && this[kHeaders][lower(name)] !== undefined;
  };

  proto.removeHeader = function removeHeader(name) {
    const { validateString } = require("internal/validators");
    validateString(name, "name");
    checkUnsent(this, "remove");
    const key = lower(name);
    if (key === "connection") this._removedConnection = true;
    else if (key === "content-length") this._removedContLen = true;
    else if (key === "transfer-encoding") this._removedTE = true;
    else if (key === "date") this.sendDate = false;
    if (this[kHeaders] !== null) delete this[kHeaders][key];
  };

  proto.getHeaderNames = function getHeaderNames() {
    return this[kHeaders] === null ? [] : Object.keys(this[kHeaders]);
  };

  proto.getRawHeaderNames = function getRawHeaderNames() {
    return this[kHeaders] === null ? [] : Object.values(this[kHeaders]).map((entry) => entry[0]);
  };

  proto.getHeaders = function getHeaders() {
    const out = { __proto__: null };
    for (const key of this.getHeaderNames()) out[key] = this[kHeaders][key][1];
    return out;
  };

  proto._renderHeaders = function _renderHeaders() {
    if (this._header) throw new errors.ERR_HTTP_HEADERS_SENT("render");
    const out = {};
    for (const key of this.getHeaderNames()) out[this[kHeaders][key][0]] = this[kHeaders][key][1];
    return out;
  };
}

function installHead(proto, { kHeaders, kUniqueHeaders }) {
  proto._storeHeader = function _storeHeader(firstLine, headers) {
    const state = new HeadState(this, firstLine, kUniqueHeaders);
    if (headers) {
      if (headers === this[kHeaders]) {
        for (const key in headers) state.add(headers[key][0], headers[key][1], false, key);
      } else if (Array.isArray(headers)) addList(state, headers);
      else {
        for (const key in headers) {
          if (Object.hasOwn(headers, key)) state.add(key, headers[key], true, lower(key));
        }
      }
    }
    state.finish();
    this._header = `${state.text}\r\n`;
    this._headerSent = false;
    // Node: waiting for 100-continue, the head must go first.
    if (state.hasExpect) this._send("", "latin1", null);
  };
}

/** [[name, value], ...] or [name, value, ...] */
function addList(state, headers) {
  if (headers.length > 0 && Array.isArray(headers[0])) {
    for (const [name, value] of headers) state.add(name, value, true, lower(`${name}`));
    return;
  }
  if (headers.length % 2 !== 0) throw new errors.ERR_INVALID_ARG_VALUE("headers", headers);
  for (let i = 0; i < headers.length; i += 2) {
    state.add(headers[i], headers[i + 1], true, lower(`${headers[i]}`));
  }
}

/** A head while it is made. */
class HeadState {
  constructor(message, firstLine, kUniqueHeaders) {
    this.message = message;
    this.text = firstLine;
    this.unique = message[kUniqueHeaders];
    this.hasConnection = false;
    this.hasLength = false;
    this.hasCoding = false;
    this.hasDate = false;
    this.hasExpect = false;
    this.hasTrailer = false;
    this.hasKeepAlive = false;
  }

  add(name, value, isChecked, key) {
    if (isChecked) validateHeaderName(name);
    const special = kSpecial.get(key);
    if (!Array.isArray(value)) {
      this.#line(name, value, isChecked, special);
      return;
    }
    const isJoined = special !== undefined && special !== kCookie ? false :
      key === "cookie" || (value.length >= 2 && this.unique?.has(key));
    if (isJoined && (key !== "cookie" || this.message.constructor.name !== "ServerResponse")) {
      this.#line(name, value.join("; "), isChecked, special);
      return;
    }
    for (const item of value) this.#line(name, item, isChecked, special);
  }

  #line(name, value, isChecked, special) {
    if (isChecked) validateHeaderValue(name, value);
    this.text += `${name}: ${value}\r\n`;
    if (special !== undefined) this.#note(special, value);
  }

  #note(special, value) {
    const { message } = this;
    switch (special) {
      case kConnection:
        this.hasConnection = true;
        message._removedConnection = false;
        if (kClose.test(value)) message._last = true;
        else if (!kUpgrade.test(value)) message.shouldKeepAlive = true;
        break;
      case kTransferEncoding:
        this.hasCoding = true;
        message._removedTE = false;
        if (chunkExpression.test(value)) message.chunkedEncoding = true;
        break;
      case kContentLength:
        this.hasLength = true;
        message._contentLength = +value;
        message._removedContLen = false;
        break;
      case kDate: this.hasDate = true; break;
      case kExpect: this.hasExpect = true; break;
      case kTrailer: this.hasTrailer = true; break;
      case kKeepAlive:
        this.hasKeepAlive = true;
        message._defaultKeepAlive = false;
        break;
      default: break;
    }
  }

  finish() {
    const { message } = this;
    if (message.sendDate && !this.hasDate) this.text += `Date: ${utcDate()}\r\n`;
    // 204 and 304 have no body and no length (RFC 9110, 8.6).
    if (message.chunkedEncoding && (message.statusCode === 204 || message.statusCode === 304)) {
      message.chunkedEncoding = false;
      message.shouldKeepAlive = false;
    }
    this.#connection();
    this.#framing();
    // RFC 9112, 6.5.1: trailers come in chunks only.
    if (this.hasTrailer && !message.chunkedEncoding) {
      throw new errors.ERR_HTTP_TRAILER_INVALID();
    }
  }

  #connection() {
    const { message } = this;
    if (message._removedConnection) {
      message._last = !message.shouldKeepAlive;
      return;
    }
    if (this.hasConnection) return;
    const keeps = message.shouldKeepAlive &&
      (this.hasLength || message.useChunkedEncodingByDefault || message.agent);
    if (keeps && message.maxRequestsOnConnectionReached) this.text += "Connection: close\r\n";
    else if (keeps) {
      this.text += "Connection: keep-alive\r\n";
      if (message._keepAliveTimeout && message._defaultKeepAlive && !this.hasKeepAlive) {
        const seconds = Math.floor(message._keepAliveTimeout / 1000);
        const max = message._maxRequestsPerSocket;
        this.text += `Keep-Alive: timeout=${seconds}${max > 0 ? `, max=${max}` : ""}\r\n`;
      }
    } else {
      message._last = true;
      this.text += "Connection: close\r\n";
    }
  }

  #framing() {
    const { message } = this;
    if (this.hasLength || this.hasCoding) return;
    if (!message._hasBody) message.chunkedEncoding = false;
    else if (!message.useChunkedEncodingByDefault) message._last = true;
    else if (!this.hasTrailer && !message._removedContLen &&
      typeof message._contentLength === "number") {
      this.text += `Content-Length: ${message._contentLength}\r\n`;
    } else if (!message._removedTE) {
      this.text += "Transfer-Encoding: chunked\r\n";
      message.chunkedEncoding = true;
    } else message._last = true;
  }
}

exports.validateHeaderName = validateHeaderName;
exports.validateHeaderValue = validateHeaderValue;
exports.parseUniqueHeadersOption = parseUniqueHeadersOption;
