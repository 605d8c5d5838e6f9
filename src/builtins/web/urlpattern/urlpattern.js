// @global URLPattern
// web/urlpattern -- URLPattern (URL Pattern Standard, https://urlpattern.spec.whatwg.org/).

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const canon = require("web/urlpattern/canon");
const { NAMES, SPECIAL, parseString, processInit } = require("web/urlpattern/init");
const { hasRegexpParts, parsePattern, toPattern, toRegexp } = require("web/urlpattern/parse");

const kPlain = { __proto__: null, delimiter: "", prefix: "" };
const kHost = { __proto__: null, delimiter: ".", prefix: "" };
const kPath = { __proto__: null, delimiter: "/", prefix: "/" };
const kDefaultPorts = {
  __proto__: null, http: "80", https: "443", ws: "80", wss: "443", ftp: "21",
};

/** { pattern, regexp, names, hasGroups } of one component. */
function compile(text, encode, options, ignoreCase = false) {
  const parts = parsePattern(text, options, encode);
  const { source, names } = toRegexp(parts, options);
  let regexp;
  try {
    regexp = new RegExp(source, ignoreCase ? "vi" : "v");
  } catch {
    throw new TypeError(`Invalid URLPattern: "${text}" is no pattern`);
  }
  return { pattern: toPattern(parts, options), regexp, names, hasGroups: hasRegexpParts(parts) };
}

const matchesSpecial = (component) => SPECIAL.some((scheme) => component.regexp.test(scheme));

function isSpecialPattern(text) {
  return matchesSpecial(compile(text, canon.protocol, kPlain));
}

const isIpv6 = (text) =>
  text.length >= 2 && (text[0] === "[" || text.startsWith("{[") || text.startsWith("\\["));

/** The components of a pattern. */
function build(init, ignoreCase) {
  const texts = processInit(init, true, {});
  for (const name of NAMES) texts[name] ??= "*";
  const { protocol } = texts;
  if (SPECIAL.includes(protocol) && texts.port === kDefaultPorts[protocol]) texts.port = "";
  const out = { __proto__: null };
  out.protocol = compile(protocol, canon.protocol, kPlain);
  out.username = compile(texts.username, canon.username, kPlain);
  out.password = compile(texts.password, canon.password, kPlain);
  const host = isIpv6(texts.hostname) ? canon.ipv6Hostname : canon.hostname;
  out.hostname = compile(texts.hostname, host, kHost);
  out.port = compile(texts.port, (value) => canon.port(value), kPlain);
  out.pathname = matchesSpecial(out.protocol)
    ? compile(texts.pathname, canon.pathname, kPath, ignoreCase)
    : compile(texts.pathname, canon.opaquePathname, kPlain, ignoreCase);
  out.search = compile(texts.search, canon.search, kPlain, ignoreCase);
  out.hash = compile(texts.hash, canon.hash, kPlain, ignoreCase);
  return out;
}

function toInit(input, baseURL) {
  if (typeof input === "object" && input !== null) {
    if (baseURL !== undefined) {
      throw new TypeError("URLPattern: a base URL cannot be given with an object");
    }
    return input;
  }
  const init = parseString(`${input}`.toWellFormed(), isSpecialPattern);
  if (baseURL === undefined && init.protocol === undefined) {
    throw new TypeError("URLPattern: a pattern without a protocol needs a base URL");
  }
  if (baseURL !== undefined) init.baseURL = baseURL;
  return init;
}

/** The components of what is to be matched, or null when it is no URL. */
function toTexts(input, baseURL) {
  const texts = {};
  for (const name of NAMES) texts[name] = "";
  if (typeof input === "object" && input !== null) {
    if (baseURL !== undefined) {
      throw new TypeError("URLPattern: a base URL cannot be given with an object");
    }
    try {
      return processInit(input, false, texts);
    } catch {
      return null;
    }
  }
  const { URL } = require("web/url");
  let url;
  try {
    url = new URL(`${input}`.toWellFormed(), baseURL);
  } catch {
    return null;
  }
  const { protocol, username, password, hostname, port, pathname, search, hash } = url;
  return {
    protocol: protocol.slice(0, -1), username, password, hostname, port, pathname,
    search: search.slice(1), hash: hash.slice(1),
  };
}

function match(components, input, baseURL) {
  const texts = toTexts(input, baseURL);
  if (texts === null) return null;
  const results = [];
  for (const name of NAMES) {
    const found = components[name].regexp.exec(texts[name]);
    if (found === null) return null;
    results.push(found);
  }
  return { texts, results };
}

class URLPattern {
  #components;

  constructor(input = {}, baseOrOptions = undefined, options = undefined) {
    let base = baseOrOptions;
    let init = options;
    const isOptions = typeof base === "object" && base !== null &&
      !require("web/url").isURL(base);
    if (arguments.length < 3 && isOptions) [base, init] = [undefined, base];
    const baseURL = base === undefined ? undefined : `${base}`.toWellFormed();
    this.#components = build(toInit(input, baseURL), !!init?.ignoreCase);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#components in value)) {
      throw new errors.ERR_INVALID_THIS("URLPattern");
    }
    return value.#components;
  }

  get protocol() {
    return URLPattern.#of(this).protocol.pattern;
  }

  get username() {
    return URLPattern.#of(this).username.pattern;
  }

  get password() {
    return URLPattern.#of(this).password.pattern;
  }

  get hostname() {
    return URLPattern.#of(this).hostname.pattern;
  }

  get port() {
    return URLPattern.#of(this).port.pattern;
  }

  get pathname() {
    return URLPattern.#of(this).pathname.pattern;
  }

  get search() {
    return URLPattern.#of(this).search.pattern;
  }

  get hash() {
    return URLPattern.#of(this).hash.pattern;
  }

  get hasRegExpGroups() {
    const components = URLPattern.#of(this);
    return NAMES.some((name) => components[name].hasGroups);
  }

  test(input = {}, baseURL = undefined) {
    const components = URLPattern.#of(this);
    return match(components, input, baseURL === undefined ? undefined : `${baseURL}`) !== null;
  }

  exec(input = {}, baseURL = undefined) {
    const components = URLPattern.#of(this);
    const base = baseURL === undefined ? undefined : `${baseURL}`;
    const found = match(components, input, base);
    if (found === null) return null;
    const out = { inputs: base === undefined ? [input] : [input, base] };
    NAMES.forEach((name, i) => {
      const groups = {};
      components[name].names.forEach((key, k) => {
        groups[key] = found.results[i][k + 1];
      });
      out[name] = { input: found.texts[name], groups };
    });
    return out;
  }
}

exports.URLPattern = defineInterface(URLPattern);
