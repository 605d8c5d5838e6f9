// internal/util/mime -- util.MIMEType and util.MIMEParams (WHATWG MIME Sniffing, "parsing").

const { ERR_INVALID_MIME_SYNTAX } = require("internal/errors");

const kNotToken = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;
const kNotQuotable = /[^\t\x20-~\x80-\xff]/;
const kUpper = /[A-Z]+/g;

const lower = (text) => text.replace(kUpper, (letters) => letters.toLowerCase());
const trimEnd = (text) => text.replace(/[\r\n\t ]+$/, "");

function checkToken(text, what, shown) {
  const at = text.search(kNotToken);
  if (text === "" || at >= 0) throw new ERR_INVALID_MIME_SYNTAX(what, shown, at);
}

/** { type, subtype, rest } of a MIME type's text; `rest` is what stands behind the semicolon. */
function splitEssence(text) {
  const start = text.search(/[^\r\n\t ]|$/);
  const slash = text.indexOf("/", start);
  const type = text.slice(start, slash < 0 ? undefined : slash);
  const at = type.search(kNotToken);
  if (type === "" || at >= 0 || slash < 0) throw new ERR_INVALID_MIME_SYNTAX("type", text, at);
  const semicolon = text.indexOf(";", slash + 1);
  const end = semicolon < 0 ? text.length : semicolon;
  const subtype = trimEnd(text.slice(slash + 1, end));
  checkToken(subtype, "subtype", text);
  return { type: lower(type), subtype: lower(subtype), rest: text.slice(end + 1) };
}

/** The text of a quoted string that begins behind the quote at `from`, and where it ends. */
function takeQuoted(text, from) {
  let value = "";
  let at = from;
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] === "\\" && at + 1 < text.length) at++;
    value += text[at];
  }
  return { value, end: Math.min(at + 1, text.length) };
}

function takeValue(text, from) {
  if (text[from] === '"') {
    const { value, end } = takeQuoted(text, from + 1);
    const semicolon = text.indexOf(";", end);
    return { value, end: semicolon < 0 ? text.length : semicolon };
  }
  const semicolon = text.indexOf(";", from);
  const end = semicolon < 0 ? text.length : semicolon;
  const value = trimEnd(text.slice(from, end));
  return { value: value === "" ? null : value, end };
}

/** Fills `params` from the text behind the essence; what is ill-formed is left out. */
function parseParams(source, params) {
  const text = trimEnd(source);
  for (let at = 0; at < text.length; at++) {
    while (/[\r\n\t ]/.test(text[at])) at++;
    const nameEnd = at + text.slice(at).search(/[;=]|$/);
    const name = lower(text.slice(at, nameEnd));
    at = nameEnd;
    if (text[at] !== "=") continue;
    const { value, end } = takeValue(text, at + 1);
    at = end;
    const isFine =
      value !== null && name !== "" && !kNotToken.test(name) && !kNotQuotable.test(value);
    if (isFine && !params.has(name)) params.set(name, value);
  }
}

function quote(value) {
  if (value !== "" && !kNotToken.test(value)) return value;
  return `"${value.replace(/["\\]/g, "\\$&")}"`;
}

let fill;
let stringify;

class MIMEParams {
  #map = new Map();
  #source = ""; // not parsed yet

  static {
    fill = (params, source) => {
      params.#source = source;
    };
    stringify = (params) =>
      [...params.#parsed()].map(({ 0: name, 1: value }) => `${name}=${quote(value)}`).join(";");
  }

  #parsed() {
    if (this.#source !== "") {
      const source = this.#source;
      this.#source = "";
      parseParams(source, this.#map);
    }
    return this.#map;
  }

  delete(name) {
    this.#parsed().delete(lower(`${name}`));
  }

  get(name) {
    return this.#parsed().get(lower(`${name}`)) ?? null;
  }

  has(name) {
    return this.#parsed().has(lower(`${name}`));
  }

  set(name, value) {
    const map = this.#parsed();
    const key = lower(`${name}`);
    const text = `${value}`;
    checkToken(key, "parameter name", key);
    const at = text.search(kNotQuotable);
    if (at >= 0) throw new ERR_INVALID_MIME_SYNTAX("parameter value", text, at);
    map.set(key, text);
  }

  *entries() {
    yield* this.#parsed().entries();
  }

  *keys() {
    yield* this.#parsed().keys();
  }

  *values() {
    yield* this.#parsed().values();
  }

  toString() {
    return stringify(this);
  }
}

const define = (proto, key, value) =>
  Object.defineProperty(proto, key, { value, writable: true, configurable: true });
define(MIMEParams.prototype, Symbol.iterator, MIMEParams.prototype.entries);
define(MIMEParams.prototype, "toJSON", MIMEParams.prototype.toString);

class MIMEType {
  #type;
  #subtype;
  #params = new MIMEParams();

  constructor(string) {
    const { type, subtype, rest } = splitEssence(`${string}`);
    this.#type = type;
    this.#subtype = subtype;
    fill(this.#params, rest);
  }

  /** The same as the constructor, but null for what is no MIME type. */
  static parse(string) {
    const text = `${string}`;
    try {
      return new MIMEType(text);
    } catch {
      return null;
    }
  }

  get type() {
    return this.#type;
  }

  set type(value) {
    const text = `${value}`;
    checkToken(text, "type", text);
    this.#type = lower(text);
  }

  get subtype() {
    return this.#subtype;
  }

  set subtype(value) {
    const text = `${value}`;
    checkToken(text, "subtype", text);
    this.#subtype = lower(text);
  }

  get essence() {
    return `${this.#type}/${this.#subtype}`;
  }

  get params() {
    return this.#params;
  }

  toString() {
    const params = stringify(this.#params);
    return params === "" ? this.essence : `${this.#type}/${this.#subtype};${params}`;
  }
}
define(MIMEType.prototype, "toJSON", MIMEType.prototype.toString);

exports.MIMEType = MIMEType;
exports.MIMEParams = MIMEParams;
