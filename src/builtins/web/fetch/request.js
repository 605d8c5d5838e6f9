// @global Request
// web/fetch/request -- Request (Fetch Standard, section 5.4).
//
// For other built-ins (docs/internals/fetch.md):
//   makeRequest(parts)    a request whose parts are made when they are asked for: `parts` has
//                         method (string), hasBody, and the methods url() -> string,
//                         headers() -> flat list, body() -> source, signal() -> AbortSignal;
//                         a second argument is a class that extends Request
//   stateOf(request)      { url, method, headers (flat list), signal or null, options, extra }

const { setOf } = require("internal/set_of");
const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const {
  Body, cloneBody, isUnusable, kinds, mixBody, setBody, takeBody, typeOf, usedError,
} = require("web/fetch/body");

// Most messages are made without any.
let headersModule;
const headersOf = () => (headersModule ??= require("web/headers"));

const kMethods = {
  __proto__: null,
  GET: "GET", HEAD: "HEAD", POST: "POST", PUT: "PUT", DELETE: "DELETE", OPTIONS: "OPTIONS",
  PATCH: "PATCH", get: "GET", head: "HEAD", post: "POST", put: "PUT", delete: "DELETE",
  options: "OPTIONS", patch: "PATCH",
};
/** Methods that are written in capitals whatever case they come in. */
const kNormal = setOf(["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH"]);
const kToken = /^[!#$%&'*+\-.^_`|~A-Za-z0-9]+$/;
const kForbidden = /^(?:CONNECT|TRACE|TRACK)$/i;
const kEnums = {
  __proto__: null,
  cache: ["default", "no-store", "reload", "no-cache", "force-cache", "only-if-cached"],
  credentials: ["omit", "same-origin", "include"],
  mode: ["same-origin", "no-cors", "cors"],
  redirect: ["follow", "error", "manual"],
  referrerPolicy: [
    "", "no-referrer", "no-referrer-when-downgrade", "same-origin", "origin", "strict-origin",
    "origin-when-cross-origin", "strict-origin-when-cross-origin", "unsafe-url",
  ],
};
const kDefaults = Object.freeze({
  __proto__: null,
  cache: "default", credentials: "same-origin", mode: "cors", redirect: "follow",
  referrerPolicy: "", referrer: "about:client", integrity: "", keepalive: false,
});

/** What the constructor gets for an empty object. */
const kEmpty = Symbol("empty");

let isRequest;
let makeRequest;
let partsOf;
let stateOf;
let urlOf;

function toMethod(value) {
  const known = kMethods[value];
  if (known !== undefined) return known;
  const text = `${value}`;
  if (!kToken.test(text)) throw new TypeError(`'${text}' is not a valid HTTP method.`);
  if (kForbidden.test(text)) throw new TypeError(`'${text}' HTTP method is unsupported.`);
  const upper = text.toUpperCase();
  return kNormal.has(upper) ? upper : text;
}

function toHref(value) {
  const { URL, hrefOf, isURL } = require("web/url");
  if (isURL(value)) return hrefOf(value);
  const text = `${value}`;
  if (text === "") throw new TypeError("Failed to construct 'Request': url is required.");
  try {
    return new URL(text).href;
  } catch {
    throw errors.makeCoded(
      "TypeError", "ERR_INVALID_URL", `Failed to construct 'Request': Invalid URL "${text}"`,
    );
  }
}

function toReferrer(value) {
  const text = `${value}`;
  if (text === "") return "no-referrer";
  const { URL } = require("web/url");
  let url;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError(`Failed to construct 'Request': invalid referrer "${text}"`);
  }
  return url.protocol === "about:" && url.pathname === "client" ? "about:client" : url.href;
}

/** Members of an init that few requests have, over those of `base`. */
function readOptions(init, base) {
  let out = null;
  const set = (key, value) => {
    out ??= { ...(base ?? kDefaults) };
    out[key] = value;
  };
  for (const key in kEnums) {
    const value = init[key];
    if (value === undefined) continue;
    const text = `${value}`;
    if (!kEnums[key].includes(text)) {
      // Programs for browsers say "navigate" too; only `redirect` means something here.
      if (key === "mode" && text === "navigate") continue;
      throw errors.makeCoded(
        "TypeError", "ERR_INVALID_ARG_TYPE",
        `${key} must be one of ${kEnums[key].map((name) => `'${name}'`).join(", ")
          .replace(/, ([^,]*)$/, " or $1")}`,
      );
    }
    set(key, text);
  }
  if (init.referrer !== undefined) set("referrer", toReferrer(init.referrer));
  if (init.integrity !== undefined) set("integrity", `${init.integrity}`);
  if (init.keepalive !== undefined) set("keepalive", !!init.keepalive);
  if (init.duplex !== undefined && `${init.duplex}` !== "half") {
    throw new TypeError("Failed to construct 'Request': duplex must be 'half'");
  }
  return out ?? base;
}

class Request extends Body {
  /** Where parts come from that were not asked for yet; null once there is none. */
  #parts = null;
  #url = null;
  #method = "GET";
  #headers = null;
  #signal = null;
  #options = null;
  /** The init that a program gave, for what only fetch() understands. */
  #extra = null;

  constructor(input, init = undefined) {
    if (arguments.length === 0) {
      throw new TypeError(
        "Failed to construct 'Request': 1 argument required, but only 0 present.",
      );
    }
    super(null);
    if (input === kEmpty) return;
    const isCopy = isRequest(input);
    if (isCopy) this.#copy(input);
    else if (isInit(input, init)) {
      init = input;
      this.#url = toHref(input.url);
    } else this.#url = toHref(input);
    if (init !== undefined && init !== null) this.#apply(init);
    if (isCopy) this.#takeBody(input, init);
    else if (init?.body !== undefined && init.body !== null) this.#setBody(init.body);
  }

  /** Everything of another request but the body. */
  #copy(other) {
    this.#url = urlOf(other);
    this.#method = other.#method;
    this.#options = other.#options;
    this.#extra = other.#extra;
    this.#headers = [...headersOf().listOf(other.headers)];
    if (other.#signal !== null || other.#parts !== null) this.#follow(other.signal);
  }

  #follow(signal) {
    const { AbortSignal } = require("web/abort");
    this.#signal = AbortSignal.any([signal]);
  }

  #apply(init) {
    if (typeof init !== "object" && typeof init !== "function") {
      throw errors.makeCoded(
        "TypeError", "ERR_INVALID_ARG_TYPE", "Failed to construct 'Request': init is no object",
      );
    }
    this.#extra = init;
    const { method, headers, signal } = init;
    if (method !== undefined) this.#method = toMethod(method);
    this.#options = readOptions(init, this.#options);
    if (headers !== undefined && headers !== null) {
      this.#headers = new (headersOf().Headers)(headers);
    }
    if (signal === undefined) return;
    if (signal === null) {
      this.#signal = null;
      return;
    }
    if (!require("web/abort").isAbortSignal(signal)) {
      throw new TypeError("Failed to construct 'Request': signal is not of type AbortSignal.");
    }
    this.#follow(signal);
  }

  #setBody(body) {
    const holder = new Body(body);
    const parts = takeBody(holder, {});
    if (parts.kind === kinds.STREAM && this.#options?.keepalive) {
      throw new TypeError("Failed to construct 'Request': keepalive and a stream as body");
    }
    setBody(this, parts.kind, parts.value, parts.type);
    if (parts.type === null) return;
    const list = headersOf().listOf(this.headers);
    for (let i = 0; i < list.length; i += 2) if (list[i] === "content-type") return;
    list.push("content-type", parts.type);
  }

  #takeBody(input, init) {
    const body = init?.body;
    if (body !== undefined && body !== null) {
      this.#setBody(body);
      return;
    }
    if (isUnusable(input)) throw usedError("Body already used");
    const parts = takeBody(input, {});
    let { value } = parts;
    if (parts.kind === kinds.STREAM) value = require("web/fetch/streams").moveStream(value);
    setBody(this, parts.kind, value, parts.type);
  }

  static #of(value) {
    if (!isRequest(value)) throw new errors.ERR_INVALID_THIS("Request");
    return value;
  }

  get method() {
    return Request.#of(this).#method;
  }

  get url() {
    return urlOf(Request.#of(this));
  }

  get headers() {
    const self = Request.#of(this);
    const headers = self.#headers;
    if (headers === null) self.#headers = headersOf().makeHeaders(self.#parts?.headers() ?? []);
    else if (Array.isArray(headers)) self.#headers = headersOf().makeHeaders(headers);
    return self.#headers;
  }

  get destination() {
    Request.#of(this);
    return "";
  }

  get signal() {
    const self = Request.#of(this);
    self.#signal ??= self.#parts?.signal() ?? require("web/abort").makeSignal();
    return self.#signal;
  }

  get cache() {
    return Request.#of(this).#option("cache");
  }

  get credentials() {
    return Request.#of(this).#option("credentials");
  }

  get integrity() {
    return Request.#of(this).#option("integrity");
  }

  get keepalive() {
    return Request.#of(this).#option("keepalive");
  }

  get mode() {
    return Request.#of(this).#option("mode");
  }

  get redirect() {
    return Request.#of(this).#option("redirect");
  }

  get referrer() {
    const referrer = Request.#of(this).#option("referrer");
    return referrer === "no-referrer" ? "" : referrer;
  }

  get referrerPolicy() {
    return Request.#of(this).#option("referrerPolicy");
  }

  get duplex() {
    Request.#of(this);
    return "half";
  }

  #option(key) {
    return (this.#options ?? kDefaults)[key];
  }

  clone() {
    const self = Request.#of(this);
    if (isUnusable(self)) throw usedError("Body is disturbed or locked");
    const copy = new Request(kEmpty);
    cloneBody(self, copy);
    copy.#copy(self);
    return copy;
  }

  static {
    urlOf = (request) => (request.#url ??= request.#parts.url());

    isRequest = (value) => typeof value === "object" && value !== null && #method in value;

    makeRequest = (parts, Class = Request) => {
      const request = new Class(kEmpty);
      request.#parts = parts;
      request.#url = null;
      request.#method = parts.method;
      if (parts.hasBody) setBody(request, kinds.SOURCE, parts.body(), null);
      return request;
    };

    partsOf = (request) => request.#parts;

    stateOf = (request) => ({
      url: urlOf(request), method: request.#method, headers: headersOf().listOf(request.headers),
      cases: headersOf().casesOf(request.headers),
      signal: request.#signal, options: request.#options ?? kDefaults, extra: request.#extra,
    });
  }
}

/** Bun: new Request({ url, method, ... }). */
function isInit(input, init) {
  if (init !== undefined || typeof input !== "object" || input === null) return false;
  return !require("web/url").isURL(input) && typeof input.url === "string" &&
    !Object.hasOwn(input, Symbol.toPrimitive);
}

mixBody(Request);
defineInterface(Request);

exports.Request = Request;
exports.isRequest = isRequest;
exports.makeRequest = makeRequest;
/** What a request was made from, or null. */
exports.partsOf = partsOf;
exports.readOptions = readOptions;
exports.stateOf = stateOf;
exports.toMethod = toMethod;
