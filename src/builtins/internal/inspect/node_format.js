// internal/inspect/node_format -- util.format: printf-like strings in Node's flavour.

const k = require("internal/inspect/slots");
const { inspect, defaults } = require("internal/inspect/node_print");
const { numberText, bigintText } = require("internal/inspect/node_style");
const { isBuiltIn } = require("internal/inspect/node_names");
const { slice, hasOwn, getPrototypeOf, getOwnPropertyDescriptor } = k;

const charAt = k.uncurry(String.prototype.charAt);
const includes = k.uncurry(String.prototype.includes);
const { parseFloat: toFloat, parseInt: toInteger } = Number;

const isGrouped = (options) => options?.numericSeparator ?? defaults.numericSeparator;
const numberOf = (n, options) => numberText(n, isGrouped(options));
const bigintOf = (n, options) => bigintText(n, isGrouped(options));

/** Is text conversion of an object the one of the language, which says nothing about it? */
function hasBuiltInToString(object) {
  let v = object;
  for (let p = k.proxyDetails(v); p !== undefined; p = k.proxyDetails(v)) {
    if (p[0] === null) return true;
    v = p[0];
  }
  const keys = [];
  if (typeof v.toString === "function") keys[0] = "toString";
  if (typeof v[Symbol.toPrimitive] === "function") keys[keys.length] = Symbol.toPrimitive;
  if (keys.length === 0) return true;
  const has = (o) => hasOwn(o, keys[0]) || (keys.length > 1 && hasOwn(o, keys[1]));
  if (has(v)) return false;
  let holder = getPrototypeOf(v);
  while (!has(holder)) holder = getPrototypeOf(holder);
  const constructor = getOwnPropertyDescriptor(holder, "constructor")?.value;
  return typeof constructor === "function" && isBuiltIn(constructor.name);
}

function formatString(v, options) {
  if (typeof v === "number") return numberOf(v, options);
  if (typeof v === "bigint") return bigintOf(v, options);
  if (typeof v !== "object" || v === null || !hasBuiltInToString(v)) {
    return typeof v === "symbol" ? k.symbolToString(v) : `${v}`;
  }
  return inspect(v, { ...options, compact: 3, colors: false, depth: 0 });
}

function formatNumber(v, options, convert) {
  if (typeof v === "bigint") return bigintOf(v, options);
  return typeof v === "symbol" ? "NaN" : numberOf(convert(v), options);
}

function formatJson(v) {
  try {
    return `${k.stringify(v)}`;
  } catch (error) {
    if (isCircularError(error)) return "[Circular]";
    throw error;
  }
}

const isCircularError = (error) =>
  error instanceof TypeError && includes(`${error.message}`, "cyclic structures");

const FORMATS = {
  __proto__: null,
  s: formatString,
  d: (v, options) => formatNumber(v, options, Number),
  i: (v, options) => formatNumber(v, options, toInteger),
  f: (v, options) => (typeof v === "symbol" ? "NaN" : numberOf(toFloat(v), options)),
  j: formatJson,
  O: (v, options) => inspect(v, options),
  o: (v, options) => inspect(v, { ...options, showHidden: true, showProxy: true, depth: 4 }),
  c: () => "",
};

/** Replaces the formats of `args[0]`. Returns the text and how many arguments it has used. */
function expand(options, args) {
  const text = args[0];
  let out = "";
  let from = 0;
  let used = 1;
  for (let i = 0; i < text.length - 1; i++) {
    if (charAt(text, i) !== "%") continue;
    const letter = charAt(text, ++i);
    if (letter === "%") {
      out += slice(text, from, i);
      from = i + 1;
    } else if (used < args.length && FORMATS[letter] !== undefined) {
      out += slice(text, from, i - 1) + FORMATS[letter](args[used++], options);
      from = i + 1;
    }
  }
  return { text: out + slice(text, from), used };
}

/**
 * util.format.
 * @param {object|undefined} options For inspect.
 * @param {unknown[]} args
 */
function format(options, args) {
  let out = "";
  let next = 0;
  if (typeof args[0] === "string") {
    if (args.length === 1) return args[0];
    const { text, used } = expand(options, args);
    out = text;
    next = used;
  }
  for (; next < args.length; next++) {
    const v = args[next];
    if (next > 0) out += " ";
    out += typeof v === "string" ? v : inspect(v, options);
  }
  return out;
}

/** util.formatWithOptions. */
function formatWithOptions(options, args) {
  const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
  if (typeof options !== "object" || options === null) {
    throw new ERR_INVALID_ARG_TYPE("inspectOptions", "Object", options);
  }
  return format(options, args);
}

Object.assign(exports, { format, formatWithOptions });
