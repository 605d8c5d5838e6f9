// @global URL URLSearchParams
// web/url -- URL (https://url.spec.whatwg.org/). URLSearchParams is in web/url/search_params.
//
// An instance is its href and ten numbers: where the components are in it, as struct Url of
// codec/url.h has them. Parsing and setters cross into C once; getters slice.
//
// native: parse(input, base, offsets) -> href | undefined; set(part, value, href, offsets) -> href;
//   blobOrigin(path); domainToASCII(text); domainToUnicode(text); formEncode(text);
//   formDecode(text).

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");

const kInspect = Symbol.for("nodejs.util.inspect.custom");
const { parse: nativeParse, set: nativeSet } = native;

// Filled by every native call, read at once.
const offsets = new Uint32Array(10);

// enum UrlPart
const PROTOCOL = 0;
const USERNAME = 1;
const PASSWORD = 2;
const HOST = 3;
const HOSTNAME = 4;
const PORT = 5;
const PATHNAME = 6;
const SEARCH = 7;
const HASH = 8;

const HAS_HOST = 1;
const SCHEME_SHIFT = 8;
const SCHEME_FILE = 6;

// The marker with which URL.parse makes an object from what the native call has left behind.
const kParsed = Symbol("parsed");

let isURL;
let hrefOf;
let setQuery;

/** A value as text; the message for symbols is Node's. */
function textOf(value) {
  if (typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
  return `${value}`;
}

/** A plain TypeError with a code, as Node and Bun throw it. */
function invalidUrl(input, base) {
  const error = new TypeError("Invalid URL");
  error.code = "ERR_INVALID_URL";
  error.input = input;
  if (base !== undefined) error.base = base;
  return error;
}

class URL {
  #href;
  #protocolEnd = 0;
  #userEnd = 0;
  #credentialsEnd = 0;
  #hostStart = 0;
  #hostEnd = 0;
  #portEnd = 0;
  #pathStart = 0;
  #searchStart = 0;
  #hashStart = 0;
  #flags = 0;
  #searchParams = null;

  constructor(url, base = undefined) {
    if (url === kParsed) {
      this.#read(base);
      return;
    }
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("url");
    const input = textOf(url);
    const baseText = base === undefined ? undefined : textOf(base);
    const href = nativeParse(input, baseText, offsets);
    if (href === undefined) throw invalidUrl(input, baseText);
    this.#read(href);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#href in value)) {
      throw new errors.ERR_INVALID_THIS("URL");
    }
    return value;
  }

  #read(href) {
    this.#href = href;
    this.#protocolEnd = offsets[0];
    this.#userEnd = offsets[1];
    this.#credentialsEnd = offsets[2];
    this.#hostStart = offsets[3];
    this.#hostEnd = offsets[4];
    this.#portEnd = offsets[5];
    this.#pathStart = offsets[6];
    this.#searchStart = offsets[7];
    this.#hashStart = offsets[8];
    this.#flags = offsets[9];
  }

  #set(part, value) {
    offsets[0] = this.#protocolEnd;
    offsets[1] = this.#userEnd;
    offsets[2] = this.#credentialsEnd;
    offsets[3] = this.#hostStart;
    offsets[4] = this.#hostEnd;
    offsets[5] = this.#portEnd;
    offsets[6] = this.#pathStart;
    offsets[7] = this.#searchStart;
    offsets[8] = this.#hashStart;
    offsets[9] = this.#flags;
    this.#read(nativeSet(part, value, this.#href, offsets));
  }

  static parse(url, base = undefined) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("url");
    const href = nativeParse(textOf(url), base === undefined ? undefined : textOf(base), offsets);
    return href === undefined ? null : new URL(kParsed, href);
  }

  static canParse(url, base = undefined) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("url");
    const baseText = base === undefined ? undefined : textOf(base);
    return nativeParse(textOf(url), baseText, offsets) !== undefined;
  }

  static createObjectURL(obj) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("obj");
    return require("web/blob/object_url").createObjectURL(obj);
  }

  static revokeObjectURL(url) {
    if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("url");
    require("web/blob/object_url").revokeObjectURL(url);
  }

  toString() {
    return URL.#of(this).#href;
  }

  get href() {
    return URL.#of(this).#href;
  }

  set href(value) {
    const self = URL.#of(this);
    const input = textOf(value);
    const href = nativeParse(input, undefined, offsets);
    if (href === undefined) throw invalidUrl(input, undefined);
    self.#read(href);
    self.#updateParams();
  }

  get origin() {
    const self = URL.#of(this);
    const scheme = self.#flags >> SCHEME_SHIFT;
    if (scheme !== 0 && scheme !== SCHEME_FILE) {
      const host = self.#href.slice(self.#hostStart, self.#portEnd);
      return `${self.#href.slice(0, self.#protocolEnd)}//${host}`;
    }
    if (self.#href.startsWith("blob:")) return native.blobOrigin(self.pathname);
    return "null";
  }

  get protocol() {
    const self = URL.#of(this);
    return self.#href.slice(0, self.#protocolEnd);
  }

  set protocol(value) {
    URL.#of(this).#set(PROTOCOL, textOf(value));
  }

  get username() {
    const self = URL.#of(this);
    if (!(self.#flags & HAS_HOST)) return "";
    return self.#href.slice(self.#protocolEnd + 2, self.#userEnd);
  }

  set username(value) {
    URL.#of(this).#set(USERNAME, textOf(value));
  }

  get password() {
    const self = URL.#of(this);
    return self.#href.slice(self.#userEnd + 1, self.#credentialsEnd);
  }

  set password(value) {
    URL.#of(this).#set(PASSWORD, textOf(value));
  }

  get host() {
    const self = URL.#of(this);
    return self.#href.slice(self.#hostStart, self.#portEnd);
  }

  set host(value) {
    URL.#of(this).#set(HOST, textOf(value));
  }

  get hostname() {
    const self = URL.#of(this);
    return self.#href.slice(self.#hostStart, self.#hostEnd);
  }

  set hostname(value) {
    URL.#of(this).#set(HOSTNAME, textOf(value));
  }

  get port() {
    const self = URL.#of(this);
    return self.#href.slice(self.#hostEnd + 1, self.#portEnd);
  }

  set port(value) {
    URL.#of(this).#set(PORT, textOf(value));
  }

  get pathname() {
    const self = URL.#of(this);
    return self.#href.slice(self.#pathStart, self.#searchStart);
  }

  set pathname(value) {
    URL.#of(this).#set(PATHNAME, textOf(value));
  }

  get search() {
    const self = URL.#of(this);
    if (self.#hashStart - self.#searchStart <= 1) return "";
    return self.#href.slice(self.#searchStart, self.#hashStart);
  }

  set search(value) {
    const self = URL.#of(this);
    self.#set(SEARCH, textOf(value));
    self.#updateParams();
  }

  get searchParams() {
    const self = URL.#of(this);
    if (self.#searchParams === null) {
      const { paramsOf } = require("web/url/search_params");
      self.#searchParams = paramsOf(self, self.#href.slice(self.#searchStart + 1, self.#hashStart));
    }
    return self.#searchParams;
  }

  get hash() {
    const self = URL.#of(this);
    if (self.#href.length - self.#hashStart <= 1) return "";
    return self.#href.slice(self.#hashStart);
  }

  set hash(value) {
    URL.#of(this).#set(HASH, textOf(value));
  }

  toJSON() {
    return URL.#of(this).#href;
  }

  [kInspect](depth, options, inspect) {
    const self = URL.#of(this);
    if (typeof depth === "number" && depth < 0) return self;
    const { href, origin, protocol, username, password, host, hostname } = self;
    const { port, pathname, search, searchParams, hash } = self;
    const shown = {
      href, origin, protocol, username, password, host, hostname, port, pathname, search,
      searchParams, hash,
    };
    const name = self.constructor?.name || "URL";
    return `${name} ${(inspect ?? require("internal/inspect").inspect)(shown, options)}`;
  }

  #updateParams() {
    if (this.#searchParams === null) return;
    const { resetParams } = require("web/url/search_params");
    resetParams(this.#searchParams, this.#href.slice(this.#searchStart + 1, this.#hashStart));
  }

  static {
    isURL = (value) => typeof value === "object" && value !== null && #href in value;
    hrefOf = (url) => url.#href;
    setQuery = (url, query) => {
      const text = query === "" ? "" : `?${query}`;
      const start = url.#searchStart;
      url.#href = url.#href.slice(0, start) + text + url.#href.slice(url.#hashStart);
      url.#hashStart = start + text.length;
    };
  }
}

defineInterface(URL);

exports.URL = URL;
Object.defineProperty(exports, "URLSearchParams", {
  __proto__: null,
  enumerable: true,
  configurable: true,
  get: () => require("web/url/search_params").URLSearchParams,
});
exports.isURL = isURL;
/** The href of a URL object, whatever its properties have become. */
exports.hrefOf = hrefOf;
/** Replaces the query by one that is encoded already. */
exports.setQuery = setQuery;
exports.formEncode = native.formEncode;
exports.formDecode = native.formDecode;
exports.domainToASCII = (domain) => native.domainToASCII(`${domain}`);
exports.domainToUnicode = (domain) => native.domainToUnicode(`${domain}`);
