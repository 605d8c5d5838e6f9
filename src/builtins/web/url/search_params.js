// web/url/search_params -- URLSearchParams (URL Standard, section 6.2).
//
// The list is one flat array: name, value, name, value. One that belongs to a URL writes itself
// into it after each change.

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const { iterateEntries, makePairIterator } = require("internal/webidl/pairs");
const { formDecode, formEncode, setQuery } = require("web/url");

const kInspect = Symbol.for("nodejs.util.inspect.custom");
// Characters that application/x-www-form-urlencoded leaves alone.
const kPlain = /^[A-Za-z0-9*\-._]*$/;

let isParams;
let listOf;
let paramsOf;
let resetParams;

const toUSVString = (value) => `${value}`.toWellFormed();

const decode = (text) =>
  text.includes("%") ? formDecode(text) : text.includes("+") ? text.replaceAll("+", " ") : text;

const encode = (text) => (kPlain.test(text) ? text : formEncode(text));

function parseList(text) {
  const list = [];
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf("&", start);
    if (end < 0) end = text.length;
    if (end > start) {
      const equals = text.indexOf("=", start);
      if (equals < 0 || equals >= end) list.push(decode(text.slice(start, end)), "");
      else list.push(decode(text.slice(start, equals)), decode(text.slice(equals + 1, end)));
    }
    start = end + 1;
  }
  return list;
}

function serializeList(list) {
  let text = "";
  for (let i = 0; i < list.length; i += 2) {
    text += `${i === 0 ? "" : "&"}${encode(list[i])}=${encode(list[i + 1])}`;
  }
  return text;
}

function pairError() {
  return new errors.ERR_INVALID_TUPLE("Each query pair", "[name, value]");
}

function listFromSequence(init, method) {
  const list = [];
  const iterable = { __proto__: null, [Symbol.iterator]: () => method.call(init) };
  for (const pair of iterable) {
    const isObject = pair !== null && (typeof pair === "object" || typeof pair === "function");
    if (!isObject || typeof pair[Symbol.iterator] !== "function") throw pairError();
    const items = [];
    for (const item of pair) items.push(toUSVString(item));
    if (items.length !== 2) throw pairError();
    list.push(items[0], items[1]);
  }
  return list;
}

function listFromRecord(init) {
  const map = new Map();
  for (let i = 0, all = Reflect.ownKeys(init); i < all.length; i++) {
    const key = all[i];
    if (Reflect.getOwnPropertyDescriptor(init, key)?.enumerable !== true) continue;
    if (typeof key === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
    map.set(key.toWellFormed(), toUSVString(init[key]));
  }
  const list = [];
  for (const [name, value] of map) list.push(name, value);
  return list;
}

function listFrom(init) {
  if (typeof init !== "object" && typeof init !== "function" || init === null) {
    const text = toUSVString(init);
    return parseList(text[0] === "?" ? text.slice(1) : text);
  }
  const method = init[Symbol.iterator];
  if (method === entries && isParams(init)) return listOf(init).slice();
  if (method === null || method === undefined) return listFromRecord(init);
  if (typeof method !== "function") throw new errors.ERR_ARG_NOT_ITERABLE("Query pairs");
  return listFromSequence(init, method);
}

class URLSearchParams {
  #list = [];
  #url = null;

  constructor(init = undefined) {
    if (init !== undefined) this.#list = listFrom(init);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#list in value)) {
      throw new errors.ERR_INVALID_THIS("URLSearchParams");
    }
    return value;
  }

  #changed() {
    if (this.#url !== null) setQuery(this.#url, serializeList(this.#list));
  }

  get size() {
    return URLSearchParams.#of(this).#list.length / 2;
  }

  append(name, value) {
    const self = URLSearchParams.#of(this);
    if (arguments.length < 2) throw new errors.ERR_MISSING_ARGS("name", "value");
    const key = toUSVString(name);
    self.#list.push(key, toUSVString(value));
    self.#changed();
  }

  delete(name, value = undefined) {
    const self = URLSearchParams.#of(this);
    if (arguments.length < 1) throw new errors.ERR_MISSING_ARGS("name");
    const key = toUSVString(name);
    const only = value === undefined ? undefined : toUSVString(value);
    self.#filter((k, v) => k !== key || (only !== undefined && v !== only));
    self.#changed();
  }

  /** Keeps, in place, the pairs for which `keep` is true. */
  #filter(keep) {
    const list = this.#list;
    let n = 0;
    for (let i = 0; i < list.length; i += 2) {
      const key = list[i];
      const value = list[i + 1];
      if (!keep(key, value)) continue;
      list[n++] = key;
      list[n++] = value;
    }
    list.length = n;
  }

  get(name) {
    const list = URLSearchParams.#of(this).#list;
    if (arguments.length < 1) throw new errors.ERR_MISSING_ARGS("name");
    const key = toUSVString(name);
    for (let i = 0; i < list.length; i += 2) if (list[i] === key) return list[i + 1];
    return null;
  }

  getAll(name) {
    const list = URLSearchParams.#of(this).#list;
    if (arguments.length < 1) throw new errors.ERR_MISSING_ARGS("name");
    const key = toUSVString(name);
    const values = [];
    for (let i = 0; i < list.length; i += 2) if (list[i] === key) values.push(list[i + 1]);
    return values;
  }

  has(name, value = undefined) {
    const list = URLSearchParams.#of(this).#list;
    if (arguments.length < 1) throw new errors.ERR_MISSING_ARGS("name");
    const key = toUSVString(name);
    const only = value === undefined ? undefined : toUSVString(value);
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === key && (only === undefined || list[i + 1] === only)) return true;
    }
    return false;
  }

  set(name, value) {
    const self = URLSearchParams.#of(this);
    if (arguments.length < 2) throw new errors.ERR_MISSING_ARGS("name", "value");
    const key = toUSVString(name);
    const text = toUSVString(value);
    const list = self.#list;
    let first = -1;
    for (let i = 0; i < list.length && first < 0; i += 2) if (list[i] === key) first = i;
    if (first < 0) {
      list.push(key, text);
    } else {
      let isFirst = true;
      self.#filter((k) => k !== key || (isFirst && !(isFirst = false)));
      list[first + 1] = text;
    }
    self.#changed();
  }

  sort() {
    const self = URLSearchParams.#of(this);
    const list = self.#list;
    const pairs = [];
    for (let i = 0; i < list.length; i += 2) pairs.push([list[i], list[i + 1]]);
    pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    for (let i = 0; i < pairs.length; i++) {
      list[2 * i] = pairs[i][0];
      list[2 * i + 1] = pairs[i][1];
    }
    self.#changed();
  }

  entries() {
    return new ParamsIterator(URLSearchParams.#of(this), "entries");
  }

  forEach(callback, thisArg = undefined) {
    const self = URLSearchParams.#of(this);
    if (typeof callback !== "function") {
      throw new errors.ERR_INVALID_ARG_TYPE("callback", "function", callback);
    }
    const list = self.#list;
    for (let i = 0; i < list.length; i += 2) callback.call(thisArg, list[i + 1], list[i], self);
  }

  keys() {
    return new ParamsIterator(URLSearchParams.#of(this), "keys");
  }

  values() {
    return new ParamsIterator(URLSearchParams.#of(this), "values");
  }

  toString() {
    return serializeList(URLSearchParams.#of(this).#list);
  }

  toJSON() {
    const list = URLSearchParams.#of(this).#list;
    const out = {};
    for (let i = 0; i < list.length; i += 2) {
      const key = list[i];
      const value = list[i + 1];
      const old = Object.hasOwn(out, key) ? out[key] : undefined;
      let next = value;
      if (Array.isArray(old)) next = old.concat([value]);
      else if (old !== undefined) next = [old, value];
      Object.defineProperty(out, key, {
        __proto__: null, value: next, configurable: true, enumerable: true, writable: true,
      });
    }
    return out;
  }

  [kInspect](depth, options, inspect) {
    const list = URLSearchParams.#of(this).#list;
    if (typeof depth === "number" && depth < 0) return "[Object]";
    if (list.length === 0) return "URLSearchParams {}";
    const show = inspect ?? require("internal/inspect").inspect;
    const pairs = [];
    for (let i = 0; i < list.length; i += 2) {
      pairs.push(`${show(list[i], options)} => ${show(list[i + 1], options)}`);
    }
    const width = pairs.reduce((sum, pair) => sum + pair.length + 2, 0);
    if (width + 18 > (options?.breakLength ?? 80)) {
      return `URLSearchParams {\n  ${pairs.join(",\n  ")} }`;
    }
    return `URLSearchParams { ${pairs.join(", ")} }`;
  }

  static {
    isParams = (value) => typeof value === "object" && value !== null && #list in value;
    listOf = (params) => params.#list;
    paramsOf = (url, query) => {
      const params = new URLSearchParams();
      params.#list = parseList(query);
      params.#url = url;
      return params;
    };
    resetParams = (params, query) => {
      const fresh = parseList(query);
      const list = params.#list;
      list.length = 0;
      for (let i = 0; i < fresh.length; i++) list.push(fresh[i]);
    };
  }
}

const ParamsIterator = makePairIterator("URLSearchParams", listOf);

defineInterface(URLSearchParams);
const { entries } = URLSearchParams.prototype;
iterateEntries(URLSearchParams);
// Bun has the old name of `size` too.
Object.defineProperty(URLSearchParams.prototype, "length", {
  get() {
    return listOf(this).length / 2;
  },
});

exports.URLSearchParams = URLSearchParams;
/** The params object of a URL, from its query without the '?'. */
exports.paramsOf = paramsOf;
/** Reads a URL's query again after it has changed. */
exports.resetParams = resetParams;
exports.isURLSearchParams = isParams;
/** The flat list of a URLSearchParams, not copied. */
exports.listOf = listOf;
exports.parseList = parseList;
exports.serializeList = serializeList;
