// internal/inspect/node_style -- colours, quoting and numbers of util.inspect.

const k = require("internal/inspect/slots");
const { regexpExec, slice, hasOwn } = k;

const charCodeAt = k.uncurry(String.prototype.charCodeAt);
const includes = k.uncurry(String.prototype.includes);
const numberToString = k.uncurry(Number.prototype.toString);

// ---- colours: the public tables inspect.colors and inspect.styles

const FOREGROUND = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const EFFECTS = {
  reset: [0, 0],
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  blink: [5, 25],
  inverse: [7, 27],
  hidden: [8, 28],
  strikethrough: [9, 29],
  doubleunderline: [21, 24],
};
const ALIASES = {
  grey: "gray",
  blackBright: "gray",
  bgGrey: "bgGray",
  bgBlackBright: "bgGray",
  faint: "dim",
  crossedout: "strikethrough",
  strikeThrough: "strikethrough",
  crossedOut: "strikethrough",
  conceal: "hidden",
  swapColors: "inverse",
  swapcolors: "inverse",
  doubleUnderline: "doubleunderline",
};
const STYLES = {
  special: "cyan",
  number: "yellow",
  bigint: "yellow",
  boolean: "yellow",
  undefined: "grey",
  null: "bold",
  string: "green",
  symbol: "green",
  date: "magenta",
  regexp: "red",
  module: "underline",
};

const colors = Object.assign(Object.create(null), EFFECTS);
const styles = Object.assign(Object.create(null), STYLES);

/** Adds the eight colours from `first` on; the bright black one is called gray. */
function addColors(first, reset, prefix, suffix) {
  for (let i = 0; i < FOREGROUND.length; i++) {
    let name = FOREGROUND[i] + suffix;
    if (name === "blackBright") name = "gray";
    if (prefix !== "") name = prefix + name[0].toUpperCase() + name.slice(1);
    colors[name] = [first + i, reset];
  }
}
addColors(30, 39, "", "");
addColors(40, 49, "bg", "");
colors.framed = [51, 54];
colors.overlined = [53, 55];
addColors(90, 39, "", "Bright");
addColors(100, 49, "bg", "Bright");

for (const alias in ALIASES) {
  const target = ALIASES[alias];
  Object.defineProperty(colors, alias, {
    get() {
      return this[target];
    },
    set(value) {
      this[target] = value;
    },
    configurable: true,
    enumerable: false,
  });
}

/** Wraps text in the colour that the program's tables give for a style. */
function stylizeWithColor(text, style) {
  const name = styles[style];
  const pair = name === undefined ? undefined : colors[name];
  return pair === undefined ? text : `\x1b[${pair[0]}m${text}\x1b[${pair[1]}m`;
}

const stylizeNoColor = (text) => text;

// ---- strings

const SAFE = /^[ -&(-[\]-~\xa0-\ud7ff\ue000-\uffff]*$/;
const SHORT = { 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 92: "\\\\" };

/** Escapes control characters, backslashes, lone surrogates and the character `quote`. */
function escapeText(s, quote) {
  let out = "";
  let from = 0;
  for (let i = 0; i < s.length; i++) {
    const code = charCodeAt(s, i);
    let escape = "";
    if (code === quote) escape = "\\'";
    else if (code < 32 || code === 92 || (code > 126 && code < 160)) escape = escapeCode(code);
    else if (code >= 0xd800 && code <= 0xdfff) {
      if (isPair(s, i, code)) i++;
      else escape = `\\u${numberToString(code, 16)}`;
    }
    if (escape !== "") {
      out += slice(s, from, i) + escape;
      from = i + 1;
    }
  }
  return from === 0 ? s : out + slice(s, from);
}

function escapeCode(code) {
  if (hasOwn(SHORT, code)) return SHORT[code];
  return `\\x${code < 16 ? "0" : ""}${upperHex(code)}`;
}

const HEX = "0123456789ABCDEF";
const upperHex = (code) => (code < 16 ? HEX[code] : HEX[code >> 4] + HEX[code & 15]);

function isPair(s, i, code) {
  if (code > 0xdbff || i + 1 >= s.length) return false;
  const next = charCodeAt(s, i + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

const SINGLE = 39;

/** Quotes a string: with ' unless that would need escapes and " or ` would not. */
function quote(s) {
  if (regexpExec(SAFE, s) !== null) return `'${s}'`;
  if (!includes(s, "'")) return `'${escapeText(s, -1)}'`;
  if (!includes(s, '"')) return `"${escapeText(s, -1)}"`;
  if (!includes(s, "`") && !includes(s, "${")) return `\`${escapeText(s, -1)}\``;
  return `'${escapeText(s, SINGLE)}'`;
}

/** The text of a symbol as it stands among keys. */
const symbolText = (symbol) => escapeText(k.symbolToString(symbol), SINGLE);

// ---- numbers

/** 1234567 -> 1_234_567 */
function groupFromEnd(digits) {
  const start = digits[0] === "-" ? 1 : 0;
  let out = "";
  let end = digits.length;
  for (; end - start > 3; end -= 3) out = `_${slice(digits, end - 3, end)}${out}`;
  return slice(digits, 0, end) + out;
}

/** The digits after the point: 1234567 -> 123_456_7 */
function groupFromStart(digits) {
  let out = "";
  let at = 0;
  for (; digits.length - at > 3; at += 3) out += `${slice(digits, at, at + 3)}_`;
  return out + slice(digits, at);
}

/**
 * @param {number} n
 * @param {boolean} isGrouped Option numericSeparator.
 */
function numberText(n, isGrouped) {
  if (n === 0 && 1 / n < 0) return "-0";
  const s = `${n}`;
  if (!isGrouped || n - n !== 0 || includes(s, "e")) return s;
  const m = regexpExec(/^([^.]*)(?:\.(.*))?$/, s);
  return m[2] === undefined ? groupFromEnd(s) : `${groupFromEnd(m[1])}.${groupFromStart(m[2])}`;
}

const bigintText = (n, isGrouped) => `${isGrouped ? groupFromEnd(`${n}`) : n}n`;

Object.assign(exports, {
  colors,
  styles,
  stylizeWithColor,
  stylizeNoColor,
  quote,
  symbolText,
  numberText,
  bigintText,
});
