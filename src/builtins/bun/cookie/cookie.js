// @internal
// bun:cookie -- Bun.Cookie and Bun.CookieMap (RFC 6265bis, with Bun's defaults: Path=/ and
// SameSite=Lax).

const errors = require("internal/errors");

const kToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const kPath = /^[\x20-\x3a\x3c-\x7e]*$/;
const kDomain = /^[A-Za-z0-9.\-_:[\]]*$/;
const kSites = { __proto__: null, strict: "Strict", lax: "Lax", none: "None" };

function check(pattern, text, name) {
  if (!pattern.test(text)) {
    throw new TypeError(`Invalid cookie ${name}: contains invalid characters`);
  }
  return text;
}

function toName(value) {
  const text = `${value}`;
  if (text === "") throw new TypeError("name is required");
  return check(kToken, text, "name");
}

function toSite(value) {
  const text = `${value}`.toLowerCase();
  if (kSites[text] === undefined) {
    throw new TypeError("Invalid sameSite value. Must be 'strict', 'lax', or 'none'");
  }
  return text;
}

/** A Date from a Date, text, or seconds since 1970. */
function toExpires(value) {
  if (value === undefined || value === null) return undefined;
  const time = typeof value === "number" ? value * 1000 :
    value instanceof Date ? value.getTime() : Date.parse(`${value}`);
  if (Number.isNaN(time)) throw new TypeError("Invalid cookie expiration date");
  return new Date(time);
}

function encodeValue(text) {
  return encodeURIComponent(text.toWellFormed());
}

function decodeValue(text) {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

class Cookie {
  #name;
  #value = "";
  #domain = null;
  #path = "/";
  #expires;
  #maxAge;
  #secure = false;
  #httpOnly = false;
  #sameSite = "lax";
  #partitioned = false;

  constructor(name, value, options) {
    if (arguments.length === 0) {
      throw errors.makeCoded("TypeError", "ERR_MISSING_ARGS", "Not enough arguments");
    }
    if (arguments.length === 1) {
      if (typeof name === "string") {
        if (!name.includes("=") && name.length < 2) {
          throw new TypeError("Invalid cookie string: empty");
        }
        this.#parse(name);
        return;
      }
      if (typeof name !== "object" || name === null) {
        throw new TypeError("Invalid cookie string: empty");
      }
      options = name;
      ({ name, value = "" } = options);
    }
    this.#name = toName(name);
    this.#value = `${value}`;
    if (options !== undefined && options !== null) this.#apply(options);
  }

  #apply(options) {
    const { domain, path, expires, maxAge, secure, httpOnly, sameSite, partitioned } = options;
    if (domain !== undefined && domain !== null) this.domain = domain;
    if (path !== undefined && path !== null) this.path = path;
    if (expires !== undefined) this.expires = expires;
    if (typeof maxAge === "number") this.maxAge = maxAge;
    this.#secure = !!secure;
    this.#httpOnly = !!httpOnly;
    if (sameSite !== undefined && sameSite !== null) this.sameSite = sameSite;
    this.#partitioned = !!partitioned;
  }

  /** A Set-Cookie header. */
  #parse(text) {
    const parts = text.split(";");
    const at = parts[0].indexOf("=");
    if (at < 0) throw new TypeError("Invalid cookie string: no '=' found");
    const name = parts[0].slice(0, at).trim();
    if (name === "") throw new TypeError("Invalid cookie string: name cannot be empty");
    this.#name = toName(name);
    this.#value = parts[0].slice(at + 1).trim();
    for (const part of parts.slice(1)) {
      const i = part.indexOf("=");
      const key = (i < 0 ? part : part.slice(0, i)).trim().toLowerCase();
      this.#parseAttribute(key, i < 0 ? "" : part.slice(i + 1).trim());
    }
  }

  #parseAttribute(key, value) {
    switch (key) {
      case "domain":
        if (value !== "" && kDomain.test(value)) this.#domain = value.toLowerCase();
        break;
      case "path": if (value.startsWith("/") && kPath.test(value)) this.#path = value; break;
      case "expires": {
        const time = Date.parse(value);
        if (!Number.isNaN(time)) this.#expires = new Date(time);
        break;
      }
      case "max-age": if (/^-?\d+$/.test(value)) this.#maxAge = Number(value); break;
      case "secure": this.#secure = true; break;
      case "httponly": this.#httpOnly = true; break;
      case "partitioned": this.#partitioned = true; break;
      case "samesite": if (kSites[value.toLowerCase()]) this.#sameSite = value.toLowerCase(); break;
      default: break;
    }
  }

  static parse(text) {
    return new Cookie(`${text}`);
  }

  static from(name, value, options) {
    return new Cookie(name, value, options);
  }

  get name() { return this.#name; }
  get value() { return this.#value; }
  set value(value) { this.#value = `${value}`; }
  get domain() { return this.#domain; }
  set domain(value) {
    this.#domain = value === null ? null : check(kDomain, `${value}`, "domain") || null;
  }
  get path() { return this.#path; }
  set path(value) { this.#path = check(kPath, `${value}`, "path"); }
  get expires() { return this.#expires; }
  set expires(value) { this.#expires = toExpires(value); }
  get maxAge() { return this.#maxAge; }
  set maxAge(value) {
    this.#maxAge = value === undefined || value === null ? undefined : Math.trunc(Number(value));
  }
  get secure() { return this.#secure; }
  set secure(value) { this.#secure = !!value; }
  get httpOnly() { return this.#httpOnly; }
  set httpOnly(value) { this.#httpOnly = !!value; }
  get sameSite() { return this.#sameSite; }
  set sameSite(value) { this.#sameSite = toSite(value); }
  get partitioned() { return this.#partitioned; }
  set partitioned(value) { this.#partitioned = !!value; }

  isExpired() {
    if (this.#maxAge !== undefined) return this.#maxAge <= 0;
    return this.#expires !== undefined && this.#expires.getTime() <= Date.now();
  }

  serialize() {
    let text = `${this.#name}=${encodeValue(this.#value)}`;
    if (this.#domain !== null) text += `; Domain=${this.#domain}`;
    if (this.#path !== "") text += `; Path=${this.#path}`;
    if (this.#expires !== undefined) text += `; Expires=${this.#expires.toUTCString()}`;
    if (this.#maxAge !== undefined) text += `; Max-Age=${this.#maxAge}`;
    if (this.#secure) text += "; Secure";
    if (this.#httpOnly) text += "; HttpOnly";
    if (this.#partitioned) text += "; Partitioned";
    return `${text}; SameSite=${kSites[this.#sameSite]}`;
  }

  toString() {
    return this.serialize();
  }

  toJSON() {
    const out = { __proto__: null, name: this.#name, value: this.#value };
    if (this.#domain !== null) out.domain = this.#domain;
    out.path = this.#path;
    if (this.#expires !== undefined) out.expires = this.#expires;
    if (this.#maxAge !== undefined) out.maxAge = this.#maxAge;
    out.secure = this.#secure;
    out.sameSite = this.#sameSite;
    out.httpOnly = this.#httpOnly;
    out.partitioned = this.#partitioned;
    return out;
  }
}

/** [name, value, ...] of a Cookie header. */
function parseList(text) {
  const list = [];
  for (const part of text.split(";")) {
    const at = part.indexOf("=");
    if (at < 0) continue;
    const name = part.slice(0, at).trim();
    if (name !== "") list.push([name, decodeValue(part.slice(at + 1).trim())]);
  }
  return list;
}

class CookieMap {
  /** What came with the request. */
  #list = [];
  /** Changes by name: Cookie, deleted ones with isDeleted. */
  #changes = new Map();

  constructor(init) {
    if (init === undefined || init === null) return;
    if (typeof init === "string") this.#list = parseList(init);
    else if (typeof init[Symbol.iterator] === "function") {
      for (const pair of init) {
        const [name, value, ...rest] = pair;
        if (value === undefined || rest.length > 0) {
          throw new TypeError("Expected arrays of exactly two strings");
        }
        this.#list.push([`${name}`, `${value}`]);
      }
    } else if (typeof init === "object") {
      for (const name of Object.keys(init)) this.#list.push([name, `${init[name]}`]);
    } else throw new TypeError("Invalid initializer type");
  }

  get(name) {
    const key = typeof name === "object" && name !== null ? `${name.name}` : `${name}`;
    const changed = this.#changes.get(key);
    if (changed !== undefined) return changed.isDeleted ? null : changed.cookie.value;
    return this.#list.find((entry) => entry[0] === key)?.[1] ?? null;
  }

  has(name) {
    return this.get(name) !== null;
  }

  set(name, value, options) {
    const cookie = name instanceof Cookie ? name :
      typeof name === "object" && name !== null ? new Cookie(name) :
        new Cookie(name, value, options);
    this.#replace(cookie, false);
  }

  delete(name, options) {
    const init = typeof name === "object" && name !== null ? name : options ?? {};
    const key = typeof name === "object" && name !== null ? name.name : name;
    const { domain, path } = init;
    this.#replace(new Cookie(key, "", { domain, path, expires: 0 }), true);
  }

  #replace(cookie, isDeleted) {
    const { name } = cookie;
    this.#list = this.#list.filter((entry) => entry[0] !== name);
    this.#changes.set(name, { cookie, isDeleted });
  }

  toSetCookieHeaders() {
    const out = [];
    for (const { cookie } of this.#changes.values()) out.push(cookie.serialize());
    return out;
  }

  #entries() {
    const out = [];
    for (const [name, { cookie, isDeleted }] of this.#changes) {
      if (!isDeleted) out.push([name, cookie.value]);
    }
    for (const entry of this.#list) out.push([...entry]);
    return out;
  }

  * entries() {
    yield* this.#entries();
  }

  * keys() {
    for (const entry of this.#entries()) yield entry[0];
  }

  * values() {
    for (const entry of this.#entries()) yield entry[1];
  }

  forEach(fn, self = undefined) {
    if (typeof fn !== "function") throw new errors.ERR_INVALID_ARG_TYPE("callback", "Function", fn);
    for (const [name, value] of this.#entries()) Reflect.apply(fn, self, [value, name, this]);
  }

  toJSON() {
    const out = {};
    for (const [name, value] of this.#entries()) {
      if (Object.hasOwn(out, name)) continue;
      Object.defineProperty(out, name, {
        value, writable: true, enumerable: true, configurable: true,
      });
    }
    return out;
  }

  get size() {
    return this.#entries().length;
  }

  [Symbol.iterator]() {
    return this.entries();
  }
}

const kInspect = Symbol.for("nodejs.util.inspect.custom");
for (const Class of [Cookie, CookieMap]) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    value: Class.name, configurable: true,
  });
  Object.defineProperty(Class.prototype, kInspect, {
    value(depth, options, inspect) {
      return inspect({ ...this.toJSON() }, options);
    },
    configurable: true,
  });
}

exports.Cookie = Cookie;
exports.CookieMap = CookieMap;
