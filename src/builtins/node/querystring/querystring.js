// node:querystring -- (Node: querystring).

const { isArray } = Array;
const { isFinite } = Number;

const unhex = (code) => {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};

/** Decodes %XX to bytes; what is no such escape stays. */
exports.unescapeBuffer = function unescapeBuffer(s, decodeSpaces) {
  const out = require("node:buffer").Buffer.allocUnsafe(s.length);
  let n = 0;
  for (let i = 0; i < s.length; i++) {
    let code = s.charCodeAt(i);
    if (code === 43 && decodeSpaces) code = 32;
    else if (code === 37 && i < s.length - 2) {
      const high = unhex(s.charCodeAt(i + 1));
      const low = unhex(s.charCodeAt(i + 2));
      if (high >= 0 && low >= 0) {
        code = high * 16 + low;
        i += 2;
      }
    }
    out[n++] = code;
  }
  return n === s.length ? out : out.slice(0, n);
};

exports.unescape = function unescape(s, decodeSpaces) {
  try {
    return decodeURIComponent(s);
  } catch {
    return exports.unescapeBuffer(s, decodeSpaces).toString();
  }
};
const ownUnescape = exports.unescape;

/** A surrogate without its other half makes a pair with whatever comes next, as in Node. */
function joinSurrogates(text) {
  return text.replace(/[\ud800-\udfff][^]?/g, (units) => {
    if (units.length < 2) {
      const { ERR_INVALID_URI } = require("internal/errors");
      throw new ERR_INVALID_URI();
    }
    const high = units.charCodeAt(0) & 0x3ff;
    return String.fromCodePoint(0x10000 + ((high << 10) | (units.charCodeAt(1) & 0x3ff)));
  });
}

exports.escape = function escape(str) {
  const text = typeof str === "string" ? str : typeof str === "object" ? String(str) : `${str}`;
  return encodeURIComponent(text.isWellFormed() ? text : joinSurrogates(text));
};
const ownEscape = exports.escape;

function textOf(v) {
  switch (typeof v) {
    case "string":
      return v;
    case "number":
      return isFinite(v) ? `${v}` : "";
    case "bigint":
    case "boolean":
      return `${v}`;
    default:
      return "";
  }
}

/** What our own escape would change is text, and numbers with a "+". */
function encodeOwn(v) {
  if (typeof v === "string") return v.length > 0 ? ownEscape(v) : "";
  const text = textOf(v);
  return typeof v === "number" && text.includes("+") ? ownEscape(text) : text;
}

exports.stringify = function stringify(obj, sep, eq, options) {
  if (obj === null || typeof obj !== "object") return "";
  const between = sep || "&";
  const equals = eq || "=";
  const custom = options?.encodeURIComponent;
  const encode = typeof custom === "function" ? custom : exports.escape;
  const convert = encode === ownEscape ? encodeOwn : (v) => encode(textOf(v));
  let out = "";
  for (let k = 0, all = Object.keys(obj); k < all.length; k++) {
    const key = all[k];
    const value = obj[key];
    const head = convert(key) + equals;
    if (!isArray(value)) {
      out += (out === "" ? "" : between) + head + convert(value);
      continue;
    }
    for (let i = 0; i < value.length; i++) {
      out += (out === "" ? "" : between) + head + convert(value[i]);
    }
  }
  return out;
};

// ---- Parsing ------------------------------------------------------------------------------------

const kEscape = /%[0-9a-f]{2}/i;

function decodeWith(decode, text) {
  try {
    return decode(text);
  } catch {
    return exports.unescape(text, true);
  }
}

function add(obj, key, value) {
  const current = obj[key];
  if (current === undefined) obj[key] = value;
  else if (isArray(current)) current[current.length] = value;
  else obj[key] = [current, value];
}

exports.parse = function parse(qs, sep, eq, options) {
  const obj = { __proto__: null };
  if (typeof qs !== "string" || qs.length === 0) return obj;
  const between = sep ? String(sep) : "&";
  const equals = eq ? String(eq) : "=";
  const { maxKeys, decodeURIComponent: custom } = options ?? {};
  const decode = typeof custom === "function" ? custom : exports.unescape;
  const isCustom = decode !== ownUnescape;
  const part = (text) => {
    if (text === "") return text;
    const spaced = text.includes("+") ? text.replaceAll("+", isCustom ? "%20" : " ") : text;
    return isCustom || kEscape.test(spaced) ? decodeWith(decode, spaced) : spaced;
  };
  let left = typeof maxKeys === "number" ? (maxKeys > 0 ? maxKeys : Infinity) : 1000;
  for (let from = 0, to; from < qs.length && left > 0; from = to + between.length, left--) {
    to = between === "" ? -1 : qs.indexOf(between, from);
    if (to < 0) to = qs.length;
    if (to === from) continue;
    const at = qs.indexOf(equals, from);
    if (at < 0 || at >= to) add(obj, part(qs.slice(from, to)), "");
    else add(obj, part(qs.slice(from, at)), part(qs.slice(at + equals.length, to)));
  }
  return obj;
};

exports.encode = exports.stringify;
exports.decode = exports.parse;
