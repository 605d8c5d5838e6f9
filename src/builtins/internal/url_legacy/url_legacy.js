// internal/url_legacy -- url.parse, url.format and url.resolve: URLs as Node understood them before
// there was a standard (Node: url, "Legacy URL API").

const { setOf } = require("internal/set_of");
const { ERR_INVALID_ARG_TYPE, ERR_INVALID_URL } = require("internal/errors");
const { validateObject, validateString } = require("internal/validators");
const querystring = require("node:querystring");

const HOST_MAX = 255;

/** Schemes with "//" and a host, with and without the colon; those that never have a host. */
const kSlashed = new Set();
const kSchemes = ["http", "https", "ftp", "gopher", "file", "ws", "wss"];
for (let i = 0; i < kSchemes.length; i++) {
  const name = kSchemes[i];
  kSlashed.add(name).add(`${name}:`);
}
const kHostless = setOf(["javascript", "javascript:"]);

const kSimplePath = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/;
const kScheme = /^[a-z0-9.+-]+:/i;
const kAuthAndHost = /^\/\/[^@/]+@[^@/]+/;
const kForbidden = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
const kForbiddenV6 = /[\0\t\n\r #%/<>?@\\^|]/;
const kEscaped = /[\t\n\r "'<>\\^`{|}]/g;

const escapeChar = (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
const isSpace = (code) => code < 33 || code === 0xa0 || code === 0xfeff;
const isV6 = (hostname) => hostname.startsWith("[") && hostname.endsWith("]");

function Url() {
  this.protocol = null;
  this.slashes = null;
  this.auth = null;
  this.host = null;
  this.port = null;
  this.hostname = null;
  this.hash = null;
  this.search = null;
  this.query = null;
  this.pathname = null;
  this.path = null;
  this.href = null;
}

// ---- Parsing ------------------------------------------------------------------------------------

function trim(text) {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Where the query or the fragment begins. */
function splitAt(text) {
  const at = text.search(/[?#]/);
  return at < 0 ? text.length : at;
}

function emptyQuery(self, isParsed) {
  if (!isParsed) return;
  self.search = null;
  self.query = { __proto__: null };
}

/** The usual argument in a server: a path and perhaps a query. */
function parseSimple(self, text, isParsed) {
  const found = kSimplePath.exec(text);
  if (found === null) return false;
  self.path = text;
  self.href = text;
  self.pathname = found[1];
  if (found[2]) {
    self.search = found[2];
    const query = found[2].slice(1);
    self.query = isParsed ? querystring.parse(query) : query;
  } else {
    emptyQuery(self, isParsed);
  }
  return true;
}

/**
 * Where the host ends, and the last "@" before that. "@" may come before characters that no host
 * may have: then these belong to the user's name.
 */
function scanHost(text) {
  let at = -1;
  let end = -1;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === "/" || c === "?" || c === "#") return { at, end: end < 0 ? i : end };
    if (c === "@") {
      at = i;
      end = -1;
    } else if (end < 0 && " \"%';<>\\^`{|}".includes(c)) {
      end = i;
    }
  }
  return { at, end: end < 0 ? text.length : end };
}

/** Tabs and line ends are not there for the host; behind it they are. */
function withoutBreaks(text) {
  const end = splitAt(text);
  const slash = text.indexOf("/");
  const cut = slash < 0 ? end : Math.min(slash, end);
  return text.slice(0, cut).replace(/[\t\n\r]/g, "") + text.slice(cut);
}

let hasWarnedOfPort = false;

/** A hostname ends before what cannot be in one; the rest goes to the path. */
function cutHostname(self, hostname, rest, url) {
  const at = hostname.search(/[/\\#?:]/);
  if (at < 0) return rest;
  if (hostname[at] === ":" && !hasWarnedOfPort) {
    hasWarnedOfPort = true;
    process.emitWarning(
      `The URL ${url} is invalid. Future versions of Node.js will throw an error.`,
      "DeprecationWarning",
      "DEP0170",
    );
  }
  self.hostname = hostname.slice(0, at);
  return `/${hostname.slice(at)}${rest}`;
}

function toASCII(hostname) {
  if (!/[^\0-\x7f]/.test(hostname)) return hostname;
  return require("web/url").domainToASCII(hostname);
}

function checkHostname(self, isIp6, url) {
  if (isIp6) {
    if (kForbiddenV6.test(self.hostname)) throw new ERR_INVALID_URL(url);
    return;
  }
  self.hostname = toASCII(self.hostname);
  if (self.hostname === "" || kForbidden.test(self.hostname)) throw new ERR_INVALID_URL(url);
}

/** Takes user, host and port from the start of `text`; gives back what comes behind. */
function parseAuthority(self, source, url) {
  const text = withoutBreaks(source);
  const { at, end } = scanHost(text);
  if (at >= 0) self.auth = decodeURIComponent(text.slice(0, at));
  self.host = text.slice(at + 1, end);
  let rest = text.slice(end);
  self.parseHost();
  if (typeof self.hostname !== "string") self.hostname = "";
  const isIp6 = isV6(self.hostname);
  if (!isIp6) rest = cutHostname(self, self.hostname, rest, url);
  self.hostname = self.hostname.length > HOST_MAX ? "" : self.hostname.toLowerCase();
  if (self.hostname !== "") checkHostname(self, isIp6, url);
  self.host = self.hostname + (self.port ? `:${self.port}` : "");
  if (!isIp6) return rest;
  self.hostname = self.hostname.slice(1, -1);
  return rest[0] === "/" ? rest : `/${rest}`;
}

function parseTail(self, text, isParsed) {
  const hashAt = text.indexOf("#");
  const head = hashAt < 0 ? text : text.slice(0, hashAt);
  if (hashAt >= 0) self.hash = text.slice(hashAt);
  const queryAt = head.indexOf("?");
  if (queryAt >= 0) {
    self.search = head.slice(queryAt);
    const query = head.slice(queryAt + 1);
    self.query = isParsed ? querystring.parse(query) : query;
  } else {
    emptyQuery(self, isParsed);
  }
  const path = queryAt < 0 ? head : head.slice(0, queryAt);
  if (path !== "") self.pathname = path;
}

const joinPath = (self) => `${self.pathname || ""}${self.search || ""}`;

Url.prototype.parse = function parse(url, parseQueryString, slashesDenoteHost) {
  validateString(url, "url");
  const trimmed = trim(url);
  const split = splitAt(trimmed);
  const head = trimmed.slice(0, split);
  let rest = head.replaceAll("\\", "/") + trimmed.slice(split);
  if (!slashesDenoteHost && !trimmed.includes("#") && !head.includes("@")) {
    if (parseSimple(this, rest, parseQueryString)) return this;
  }
  const scheme = kScheme.exec(rest)?.[0];
  const protocol = scheme?.toLowerCase();
  if (scheme !== undefined) {
    this.protocol = protocol;
    rest = rest.slice(scheme.length);
  }
  const isHostless = kHostless.has(protocol);
  let hasSlashes = false;
  if (slashesDenoteHost || scheme !== undefined || kAuthAndHost.test(rest)) {
    hasSlashes = rest.startsWith("//");
    if (hasSlashes && !isHostless) {
      rest = rest.slice(2);
      this.slashes = true;
    }
  }
  if (!isHostless && (hasSlashes || (scheme !== undefined && !kSlashed.has(scheme)))) {
    rest = parseAuthority(this, rest, url);
  }
  if (!isHostless) rest = rest.replace(kEscaped, escapeChar);
  parseTail(this, rest, parseQueryString);
  if (kSlashed.has(protocol) && this.hostname && !this.pathname) this.pathname = "/";
  if (this.pathname || this.search) this.path = joinPath(this);
  this.href = this.format();
  return this;
};

Url.prototype.parseHost = function parseHost() {
  const { host } = this;
  const port = /:[0-9]*$/.exec(host)?.[0];
  let rest = host;
  if (port !== undefined) {
    if (port !== ":") this.port = port.slice(1);
    rest = host.slice(0, host.length - port.length);
  }
  if (rest) this.hostname = rest;
};

// ---- Writing ------------------------------------------------------------------------------------

/** As encodeURIComponent, but ":" stays. */
const encodeAuth = (auth) => querystring.escape(auth).replaceAll("%3A", ":");

function hostText(self) {
  const auth = self.auth ? `${encodeAuth(self.auth)}@` : "";
  if (self.host) return auth + self.host;
  if (!self.hostname) return "";
  const { hostname } = self;
  const shown = hostname.includes(":") && !isV6(hostname) ? `[${hostname}]` : hostname;
  return auth + shown + (self.port ? `:${self.port}` : "");
}

const withPrefix = (text, prefix) => (text && !text.startsWith(prefix) ? prefix + text : text);

Url.prototype.format = function format() {
  let protocol = this.protocol || "";
  if (protocol && !protocol.endsWith(":")) protocol += ":";
  let host = hostText(this);
  let query = "";
  if (this.query !== null && typeof this.query === "object") {
    query = querystring.stringify(this.query);
  }
  let search = this.search || (query && `?${query}`) || "";
  let pathname = (this.pathname || "").replace(/[?#]/g, escapeChar);
  if (this.slashes || kSlashed.has(protocol)) {
    if (this.slashes || host) {
      pathname = withPrefix(pathname, "/");
      host = `//${host}`;
    } else if (protocol.startsWith("file")) {
      host = "//";
    }
  }
  search = withPrefix(search.replaceAll("#", "%23"), "?");
  return protocol + host + pathname + search + withPrefix(this.hash || "", "#");
};

/** A WHATWG URL object without some of its parts. */
function formatUrl(url, options) {
  const wants = { fragment: true, unicode: false, search: true, auth: true };
  if (options) {
    validateObject(options, "options");
    for (let i = 0, all = Object.keys(wants); i < all.length; i++) {
      const name = all[i];
      if (options[name] !== undefined && options[name] !== null)
        wants[name] = Boolean(options[name]);
    }
  }
  const copy = new URL(require("web/url").hrefOf(url));
  if (!wants.fragment) copy.hash = "";
  if (!wants.search) copy.search = "";
  if (!wants.auth) {
    copy.username = "";
    copy.password = "";
  }
  if (!wants.unicode || copy.hostname === "") return copy.href;
  const host = require("web/url").domainToUnicode(copy.hostname) || copy.hostname;
  return copy.href.replace(copy.hostname, () => host);
}

function format(urlObject, options) {
  if (typeof urlObject === "string") return parse(urlObject).format();
  if (typeof urlObject !== "object" || urlObject === null) {
    throw new ERR_INVALID_ARG_TYPE("urlObject", ["Object", "string"], urlObject);
  }
  if (require("web/url").isURL(urlObject)) return formatUrl(urlObject, options);
  return Url.prototype.format.call(urlObject);
}

// ---- The module's functions ---------------------------------------------------------------------

let hasWarned = false;

function warn() {
  const sites = require("internal/util/call_sites").callSites(4, parse);
  const isInPackage = sites.some((site) => /[\\/]node_modules[\\/]/.test(site.getFileName() ?? ""));
  if (isInPackage) return;
  hasWarned = true;
  process.emitWarning(
    "`url.parse()` behavior is not standardized and prone to errors that have security " +
      "implications. Use the WHATWG URL API instead. CVEs are not issued for `url.parse()` " +
      "vulnerabilities.",
    "DeprecationWarning",
    "DEP0169",
  );
}

function parse(url, parseQueryString, slashesDenoteHost) {
  if (!hasWarned) warn();
  if (url instanceof Url) return url;
  return new Url().parse(url, parseQueryString, slashesDenoteHost);
}

Url.prototype.resolve = function resolve(relative) {
  return this.resolveObject(parse(relative, false, true)).format();
};

Url.prototype.resolveObject = function resolveObject(relative) {
  return require("internal/url_legacy/resolve").resolveObject(this, relative);
};

exports.Url = Url;
exports.parse = parse;
exports.format = format;
exports.isSlashed = (protocol) => kSlashed.has(protocol);
exports.isHostless = (protocol) => kHostless.has(protocol);
exports.resolve = function resolve(source, relative) {
  return parse(source, false, true).resolve(relative);
};
exports.resolveObject = function resolveObject(source, relative) {
  if (!source) return relative;
  return parse(source, false, true).resolveObject(relative);
};
