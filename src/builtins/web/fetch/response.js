// @global Response
// web/fetch/response -- Response (Fetch Standard, section 5.5).
//
// For other built-ins (docs/internals/fetch.md):
//   makeResponse(parts)  a response from the network or a file: { status, statusText, url,
//                        isRedirected, headers (flat list), type, kind, value }
//   takeResponse(response, parts)  takes it apart: writes status, statusText, headers (flat list or
//                        null), type (content type that the body brings, or null), kind and value

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const { Body, cloneBody, kinds, mixBody, setBody, takeBody, typeOf } = require("web/fetch/body");

// Most messages are made without any.
let headersModule;
const headersOf = () => (headersModule ??= require("web/headers"));

const kJson = "application/json;charset=utf-8";
const kReason = /^[\t\x20-\x7e\x80-\xff]*$/;
const kStringify = JSON.stringify;

let isResponse;
let jsonResponse;
let makeResponse;
let takeResponse;

function checkStatus(value) {
  const status = toShort(value);
  if ((status < 200 || status > 599) && status !== 101) {
    throw new RangeError(
      `The status provided (${status}) must be 101 or in the range of [200, 599]`,
    );
  }
  return status;
}

/** ToUint16 */
function toShort(value) {
  const n = Math.trunc(Number(value));
  return Number.isFinite(n) ? n & 0xffff : 0;
}

function checkReason(value) {
  const text = `${value}`;
  if (!kReason.test(text)) throw new TypeError("statusText has invalid characters");
  return text;
}

/** The headers of an init; `type` is what the body brings. */
function makeInitHeaders(init, type) {
  const headers = new (headersOf().Headers)(init);
  if (type !== null) {
    const list = headersOf().listOf(headers);
    for (let i = 0; i < list.length; i += 2) if (list[i] === "content-type") return headers;
    list.push("content-type", type);
  }
  return headers;
}

class Response extends Body {
  #status = 200;
  #statusText = "";
  /** Headers, a flat list that nobody has asked for yet, or null. */
  #headers = null;
  /** { url, type, isRedirected } of responses from elsewhere. */
  #origin = null;

  constructor(body = null, init = undefined) {
    super(body);
    if (init !== undefined && init !== null) this.#apply(init);
  }

  #apply(init) {
    if (typeof init !== "object" && typeof init !== "function") {
      if (typeof init !== "number") {
        throw errors.makeCoded(
          "TypeError", "ERR_INVALID_ARG_TYPE", "Failed to construct 'Response': init is no object",
        );
      }
      // Bun: a status alone.
      this.#status = checkStatus(init);
      return;
    }
    const { headers, status, statusText } = init;
    if (status !== undefined) this.#status = checkStatus(status);
    if (statusText !== undefined) this.#statusText = checkReason(statusText);
    if (headers !== undefined && headers !== null) {
      this.#headers = makeInitHeaders(headers, typeOf(this));
    }
  }

  static #of(value) {
    if (!isResponse(value)) throw new errors.ERR_INVALID_THIS("Response");
    return value;
  }

  static error() {
    const response = new Response();
    response.#status = 0;
    response.#origin = { url: "", type: "error", isRedirected: false };
    return response;
  }

  static redirect(url, init = 302) {
    const location = `${url}`;
    let target = location;
    try {
      const { URL } = require("web/url");
      target = new URL(location).href;
    } catch {
      // Relative ones are fine for a server.
    }
    const status = typeof init === "object" && init !== null ? init.status ?? 302 : toShort(init);
    if (![301, 302, 303, 307, 308].includes(status)) {
      throw new RangeError("Failed to execute 'redirect' on 'Response': Invalid status code");
    }
    const response = new Response();
    if (typeof init === "object" && init !== null) response.#apply(init);
    response.#status = status;
    response.headers.set("location", target);
    return response;
  }

  static json(data, init = undefined) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("data");
    return jsonResponse(data, init);
  }

  get type() {
    return Response.#of(this).#origin?.type ?? "default";
  }

  get url() {
    return Response.#of(this).#origin?.url ?? "";
  }

  get redirected() {
    return Response.#of(this).#origin?.isRedirected ?? false;
  }

  get status() {
    return Response.#of(this).#status;
  }

  get ok() {
    const status = Response.#of(this).#status;
    return status >= 200 && status <= 299;
  }

  get statusText() {
    return Response.#of(this).#statusText;
  }

  get headers() {
    const self = Response.#of(this);
    const headers = self.#headers;
    if (headers === null) {
      const type = typeOf(self);
      self.#headers = headersOf().makeHeaders(type === null ? [] : ["content-type", type]);
    } else if (Array.isArray(headers)) self.#headers = headersOf().makeHeaders(headers);
    return self.#headers;
  }

  clone() {
    const self = Response.#of(this);
    const copy = new Response();
    cloneBody(self, copy);
    copy.#status = self.#status;
    copy.#statusText = self.#statusText;
    copy.#origin = self.#origin;
    const headers = self.#headers;
    if (headers !== null) {
      copy.#headers = [...(Array.isArray(headers) ? headers : headersOf().listOf(headers))];
    }
    return copy;
  }

  static {
    isResponse = (value) => typeof value === "object" && value !== null && #status in value;

    jsonResponse = (data, init) => {
      const text = kStringify(data);
      if (text === undefined) throw new TypeError("Value is not JSON serializable");
      const response = new Response();
      setBody(response, kinds.STRING, text, kJson);
      if (init !== undefined && init !== null) response.#apply(init);
      return response;
    };

    makeResponse = (parts) => {
      const response = new Response();
      response.#status = parts.status;
      response.#statusText = parts.statusText;
      response.#headers = parts.headers;
      response.#origin = parts;
      if (parts.kind !== kinds.NONE) setBody(response, parts.kind, parts.value, null);
      return response;
    };

    takeResponse = (response, parts) => {
      takeBody(response, parts);
      parts.status = response.#status;
      parts.statusText = response.#statusText;
      const headers = response.#headers;
      const isList = headers === null || Array.isArray(headers);
      parts.headers = isList ? headers : headersOf().listOf(headers);
      return parts;
    };
  }
}

mixBody(Response);
defineInterface(Response);

exports.Response = Response;
exports.isResponse = isResponse;
exports.makeResponse = makeResponse;
exports.takeResponse = takeResponse;
