// internal/serve/request -- what a Request of a server is made from.
//
// Nothing is read from the head before somebody asks. The head stays as a string, so that a Request
// which outlives its answer still knows its URL and headers; the body and the signal belong to the
// connection and end with the request.

const host = require("internal/http_host");
const answer = require("internal/http_host/http_answer");
const { Request, partsOf } = require("web/fetch/request");
const { kMethods } = host;
const { readAll, read } = host.native;

/** The parts of makeRequest (docs/internals/fetch.md), and the source of its body. */
class Parts {
  constructor(core, id, raw, info, length) {
    this.core = core;
    this.id = id;
    this.raw = raw;
    this.method = kMethods[info & 63];
    this.info = info;
    this.hasBody = (info & 128) !== 0;
    this.length = length;
    this.names = null;
    this.values = null;
    this.params = null;
    this.cookies = null;
    this.isUpgraded = false;
  }

  /** The path of the target as it came, without its query. */
  path() {
    const start = this.method.length + 1;
    const end = start + this.length;
    let from = start;
    if (this.raw.charCodeAt(start) !== 47) {
      // Absolute form: http://host/path
      const authority = this.raw.indexOf("://", start);
      from = authority < 0 || authority >= end ? start : this.raw.indexOf("/", authority + 3);
      if (from < 0 || from >= end) return "/";
    }
    const query = this.raw.indexOf("?", from);
    return this.raw.slice(from, query < 0 || query > end ? end : query);
  }

  url() {
    const { sid, isSecure, authority } = this.core;
    return answer.url(
      sid, this.id, this.raw, this.method.length + 1, this.length, isSecure, authority,
    );
  }

  headers() {
    return host.native.headers(this.raw, false);
  }

  header(name) {
    return host.native.header(this.raw, name);
  }

  body() {
    return this;
  }

  signal() {
    return this.core.signalOf(this.id);
  }

  // ---- The source of the body

  bytes() {
    const data = readAll(this.core.sid, this.id, false);
    return data !== undefined && data !== null ? data : this.core.waitForBody(this.id, data, false);
  }

  text() {
    const data = readAll(this.core.sid, this.id, true);
    return data !== undefined && data !== null ? data : this.core.waitForBody(this.id, data, true);
  }

  stream() {
    return require("web/fetch/streams").makeStream(this);
  }

  /** Of a stream's source: some bytes, or the end (web/streams/source). */
  pull(sink) {
    const data = read(this.core.sid, this.id);
    if (data === undefined) this.core.waitForBytes(this.id).then(() => this.pull(sink));
    else if (data !== null) sink.push(data);
    else {
      const error = this.core.recordOf(this.id)?.error;
      if (error === undefined) sink.close();
      else sink.error(error);
    }
  }

  cancel() {}
}

/** The Request of a route. */
class BunRequest extends Request {
  get params() {
    const parts = partsOf(this);
    if (parts === null) return {};
    parts.params ??= makeParams(parts.names, parts.values);
    return parts.params;
  }

  get cookies() {
    const parts = partsOf(this);
    if (parts === null) return undefined;
    if (parts.cookies === null) {
      const { CookieMap } = require("bun:cookie");
      parts.cookies = new CookieMap(parts.header("cookie") ?? "");
    }
    return parts.cookies;
  }
}

const kDecoder = { value: null };

function decodePart(text) {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // Bytes that are no UTF-8 become U+FFFD.
    const bytes = [];
    for (let i = 0; i < text.length; i++) {
      const hex = text[i] === "%" ? text.slice(i + 1, i + 3) : "";
      if (/^[0-9a-fA-F]{2}$/.test(hex)) {
        bytes.push(parseInt(hex, 16));
        i += 2;
      } else bytes.push(text.charCodeAt(i));
    }
    kDecoder.value ??= new TextDecoder();
    return kDecoder.value.decode(new Uint8Array(bytes));
  }
}

function makeParams(names, values) {
  const params = {};
  if (names === null) return params;
  for (let i = 0; i < names.length; i++) {
    const value = decodePart(values[i]);
    if (names[i] !== "__proto__") params[names[i]] = value;
    else {
      Object.defineProperty(params, "__proto__", {
        value, writable: true, enumerable: true, configurable: true,
      });
    }
  }
  return params;
}

exports.Parts = Parts;
exports.BunRequest = BunRequest;
