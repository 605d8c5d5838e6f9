// @global Headers
// web/headers -- Headers (Fetch Standard, section 5.1) with Bun's toJSON, count and getAll.
//
// The list is flat: name in lower case, value, name, value, in the order of arrival. Equal names
// are combined when they are read. For other built-ins: makeHeaders(list) takes over such a list,
// listOf(headers) is the list itself (do not change it), isHeaders(value).

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const { iterateEntries, makePairIterator } = require("internal/webidl/pairs");

const kInspect = Symbol.for("nodejs.util.inspect.custom");
const kToken = /^[!#$%&'*+\-.^_`|~A-Za-z0-9]+$/;
const kNotPlain = /[^\t\x20-\x7e]/;
const kBadValue = /[\0\r\n\u0100-\uffff]/;
const kSpaces = /^[\t\n\r ]+|[\t\n\r ]+$/g;

// Names that were seen to be fine, and their lower case.
const NAMES_MAX = 512;
const NAME_LENGTH_MAX = 64;
const names = new Map();

let casesOf;
let isHeaders;
let listOf;
let makeHeaders;
let setImmutable;
let versionOf;

/** The lower case of a header name, or TypeError. */
function toName(value) {
  const known = names.get(value);
  if (known !== undefined) return known;
  const text = `${value}`;
  if (!kToken.test(text)) throw new TypeError(`Invalid header name: '${text}'`);
  const lower = text.toLowerCase();
  if (typeof value === "string" && text.length <= NAME_LENGTH_MAX) {
    if (names.size >= NAMES_MAX) names.clear();
    names.set(text, lower);
  }
  return lower;
}

/** The value without white space around it, or TypeError. */
function toValue(value, name) {
  let text = typeof value === "string" ? value : `${value}`;
  if (text === "") return text;
  const last = text.charCodeAt(text.length - 1);
  if (last <= 32 || text.charCodeAt(0) <= 32) text = text.replace(kSpaces, "");
  if (kNotPlain.test(text) && kBadValue.test(text)) {
    throw new TypeError(`Header '${name}' has invalid value: '${text}'`);
  }
  return text;
}

function missing(...args) {
  throw new errors.ERR_MISSING_ARGS(...args);
}

const glue = (name) => (name === "cookie" ? "; " : ", ");

function find(list, name) {
  for (let i = 0; i < list.length; i += 2) if (list[i] === name) return i;
  return -1;
}

function valueOf(list, name, first) {
  let value = list[first + 1];
  for (let i = first + 2; i < list.length; i += 2) {
    if (list[i] === name) value += glue(name) + list[i + 1];
  }
  return value;
}

/** Takes out every entry of that name. */
function remove(list, name) {
  let n = 0;
  for (let i = 0; i < list.length; i += 2) {
    if (list[i] === name) continue;
    list[n] = list[i];
    list[n + 1] = list[i + 1];
    n += 2;
  }
  list.length = n;
}

/** "Sort and combine": a flat list by name, each name once but for set-cookie. */
function sortedList(list) {
  const combined = new Map();
  const cookies = [];
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i];
    if (name === "set-cookie") {
      cookies.push(list[i + 1]);
      if (cookies.length > 1) continue;
    }
    const old = combined.get(name);
    combined.set(name, old === undefined ? list[i + 1] : old + glue(name) + list[i + 1]);
  }
  const out = [];
  for (let i = 0, all = [...combined.keys()].sort(); i < all.length; i++) {
    const name = all[i];
    if (name !== "set-cookie") out.push(name, combined.get(name));
    else for (const cookie of cookies) out.push(name, cookie);
  }
  return out;
}

/** Remembers how a program wrote a name: what goes out is written the same. */
function noteCase(cases, name, text) {
  if (name === text || typeof text !== "string") return cases;
  cases ??= new Map();
  if (!cases.has(name)) cases.set(name, text);
  return cases;
}

function fillFromSequence(list, init, method) {
  let cases = null;
  const iterable = { __proto__: null, [Symbol.iterator]: () => method.call(init) };
  for (const pair of iterable) {
    const isObject = pair !== null && (typeof pair === "object" || typeof pair === "function");
    if (!isObject || typeof pair[Symbol.iterator] !== "function") {
      throw errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", "Value is not a sequence");
    }
    const items = [...pair];
    if (items.length !== 2) {
      throw new TypeError("Header sub-sequence must contain exactly two items");
    }
    const name = toName(items[0]);
    cases = noteCase(cases, name, items[0]);
    list.push(name, toValue(items[1], name));
  }
  return cases;
}

function fillFromRecord(list, init) {
  let cases = null;
  for (let i = 0, all = Reflect.ownKeys(init); i < all.length; i++) {
    const key = all[i];
    const desc = Reflect.getOwnPropertyDescriptor(init, key);
    if (desc === undefined || !desc.enumerable) continue;
    if (typeof key === "symbol") throw new TypeError("Cannot convert a symbol to a string");
    const name = toName(key);
    cases = noteCase(cases, name, key);
    const value = init[key];
    // As Bun does, the parts of an array of cookies stay apart.
    if (name === "set-cookie" && Array.isArray(value)) {
      for (const part of value) list.push(name, toValue(part, name));
    } else list.push(name, toValue(value, name));
  }
  return cases;
}

function fill(list, init) {
  if (init === null || (typeof init !== "object" && typeof init !== "function")) {
    throw new TypeError("Type error");
  }
  const method = init[Symbol.iterator];
  if (isHeaders(init) && method === entries) {
    for (const item of listOf(init)) list.push(item);
    const cases = casesOf(init);
    return cases === null ? null : new Map(cases);
  }
  if (method === undefined || method === null) return fillFromRecord(list, init);
  if (typeof method === "function") return fillFromSequence(list, init, method);
  throw new TypeError("Type error");
}

class Headers {
  #list = [];
  #isImmutable = false;
  /** A Map of names to how they were written, when that was not in lower case. */
  #cases = null;
  /** Counts changes, for iterators. */
  #version = 0;

  constructor(init = undefined) {
    if (init !== undefined) this.#cases = fill(this.#list, init);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#list in value)) {
      throw new errors.ERR_INVALID_THIS("Headers");
    }
    return value;
  }

  #change() {
    if (this.#isImmutable) {
      throw errors.makeCoded("TypeError", "ERR_INVALID_STATE", "Headers are immutable");
    }
    this.#version++;
    return this.#list;
  }

  append(name, value) {
    const self = Headers.#of(this);
    if (arguments.length < 2) missing("name", "value");
    const key = toName(name);
    const text = toValue(value, key);
    self.#cases = noteCase(self.#cases, key, name);
    self.#change().push(key, text);
  }

  delete(name) {
    const self = Headers.#of(this);
    if (arguments.length < 1) missing("name");
    const key = toName(name);
    remove(self.#change(), key);
  }

  get(name) {
    const list = Headers.#of(this).#list;
    if (arguments.length < 1) missing("name");
    const key = toName(name);
    const i = find(list, key);
    return i < 0 ? null : valueOf(list, key, i);
  }

  getAll(name) {
    const self = Headers.#of(this);
    if (arguments.length < 1) missing("name");
    if (`${name}`.toLowerCase() !== "set-cookie") {
      throw new TypeError('Only "set-cookie" is supported.');
    }
    return self.getSetCookie();
  }

  has(name) {
    const list = Headers.#of(this).#list;
    if (arguments.length < 1) missing("name");
    return find(list, toName(name)) >= 0;
  }

  set(name, value) {
    const self = Headers.#of(this);
    if (arguments.length < 2) missing("name", "value");
    const key = toName(name);
    const text = toValue(value, key);
    self.#cases = noteCase(self.#cases, key, name);
    const list = self.#change();
    const i = find(list, key);
    if (i < 0) {
      list.push(key, text);
      return;
    }
    list[i] = "";
    remove(list, key);
    list[i] = key;
    list[i + 1] = text;
  }

  entries() {
    return new HeadersIterator(Headers.#of(this), "entries");
  }

  keys() {
    return new HeadersIterator(Headers.#of(this), "keys");
  }

  values() {
    return new HeadersIterator(Headers.#of(this), "values");
  }

  forEach(callback, thisArg = undefined) {
    const self = Headers.#of(this);
    if (typeof callback !== "function") {
      throw new errors.ERR_INVALID_ARG_TYPE("callback", "function", callback);
    }
    const all = new HeadersIterator(self, "entries");
    for (let step = all.next(); !step.done; step = all.next()) {
      callback.call(thisArg, step.value[1], step.value[0], self);
    }
  }

  toJSON() {
    const list = Headers.#of(this).#list;
    const out = {};
    for (let i = 0; i < list.length; i += 2) {
      const name = list[i];
      const value = list[i + 1];
      const old = Object.hasOwn(out, name) ? out[name] : undefined;
      let next = value;
      if (name === "set-cookie") next = old === undefined ? [value] : [...old, value];
      else if (old !== undefined) next = old + glue(name) + value;
      if (name !== "__proto__") out[name] = next;
      else {
        Object.defineProperty(out, name, {
          __proto__: null, value: next, configurable: true, enumerable: true, writable: true,
        });
      }
    }
    return out;
  }

  get count() {
    return sortedList(Headers.#of(this).#list).length / 2;
  }

  getSetCookie() {
    const list = Headers.#of(this).#list;
    const out = [];
    for (let i = 0; i < list.length; i += 2) if (list[i] === "set-cookie") out.push(list[i + 1]);
    return out;
  }

  [kInspect](depth, options, inspect) {
    const show = inspect ?? require("internal/inspect").inspect;
    if (typeof depth === "number" && depth < 0) return "[Headers]";
    return `Headers ${show(this.toJSON(), options)}`;
  }

  static {
    isHeaders = (value) => typeof value === "object" && value !== null && #list in value;
    listOf = (headers) => headers.#list;
    casesOf = (headers) => headers.#cases;
    versionOf = (headers) => headers.#version;
    makeHeaders = (list) => {
      const headers = new Headers();
      headers.#list = list;
      return headers;
    };
    setImmutable = (headers) => {
      headers.#isImmutable = true;
      return headers;
    };
  }
}

const { entries } = Headers.prototype;
const pairsOf = (headers) => sortedList(listOf(headers));
const HeadersIterator = makePairIterator("Headers", pairsOf, versionOf);

defineInterface(Headers);
iterateEntries(Headers);
for (let i = 0, all = ["toJSON", "count", "getAll"]; i < all.length; i++) {
  const key = all[i];
  Object.defineProperty(Headers.prototype, key, { enumerable: false });
}

/** The combined value of a name in lower case in a flat list, or null. */
function getFrom(list, name) {
  const i = find(list, name);
  return i < 0 ? null : valueOf(list, name, i);
}

/** A flat list as it goes out: names as they were written, equal ones combined. */
function wireList(list, cases) {
  const combined = new Map();
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i];
    const old = combined.get(name);
    combined.set(name, old === undefined ? list[i + 1] : old + glue(name) + list[i + 1]);
  }
  const out = [];
  for (const [name, value] of combined) out.push(cases?.get(name) ?? name, value);
  return out;
}

exports.Headers = Headers;
exports.casesOf = casesOf;
exports.wireList = wireList;
exports.isHeaders = isHeaders;
exports.listOf = listOf;
exports.makeHeaders = makeHeaders;
/** From then on every change throws; returns its argument. */
exports.setImmutable = setImmutable;
exports.getFrom = getFrom;
/** Header name and value as the class takes them: the converted text, or TypeError. */
exports.toName = toName;
exports.toValue = toValue;
