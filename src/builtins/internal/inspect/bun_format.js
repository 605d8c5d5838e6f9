// internal/inspect/bun_format -- a whole line of console.log, and Bun.inspect with its options.

const k = require("internal/inspect/slots");
const { Printer } = require("internal/inspect/bun_print");
const { PRINTERS } = require("internal/inspect/bun_values");

const charAt = k.uncurry(String.prototype.charAt);

const { trunc } = Math;

/** Above and below these, numbers are written with an exponent. */
const EXPONENT_MIN = 1e21;
const EXPONENT_MAX = 1e-6;
const INT64_MAX = "9223372036854775807";

/** Prints a string, replacing % formats by the arguments that follow while there are any. */
function expand(p, s) {
  p.line += s.length;
  let from = 0;
  let i = 0;
  while (i < s.length) {
    if (charAt(s, i) !== "%") {
      i++;
      continue;
    }
    if (i + 1 >= s.length || p.next >= p.rest.length) break;
    const letter = charAt(s, i + 1);
    if (letter === "%") {
      p.out += k.slice(s, from, i + 1);
      from = i + 2;
      i += 3; // the character after %% never starts a format
    } else if (FORMATS[letter] !== undefined) {
      p.out += k.slice(s, from, i);
      from = i = i + 2;
      FORMATS[letter](p, p.rest[p.next++]);
      if (p.next >= p.rest.length) break;
    } else i += 2;
  }
  p.out += k.slice(s, from);
}

function formatString(p, v) {
  if (typeof v === "object" && v !== null) {
    const kind = k.kindOf(v);
    if (kind === "String" || kind === "RegExp") {
      PRINTERS[kind](p, v);
      return;
    }
  }
  if (typeof v === "symbol") throw new TypeError("Cannot convert a symbol to a string");
  const s = `${v}`;
  p.text(s, s.length);
}

/** What parseInt makes of the text of a number, clamped to 64 bits. */
function integerText(n) {
  if (n !== n || n === Infinity || n === -Infinity) return "NaN";
  const size = n < 0 ? -n : n;
  if (size >= EXPONENT_MIN || (size > 0 && size < EXPONENT_MAX)) {
    return `${n < 0 ? "-" : ""}${charAt(`${size}`, 0)}`;
  }
  const whole = trunc(n);
  if (size >= 2 ** 63) return n < 0 ? "-9223372036854775808" : INT64_MAX;
  return `${BigInt(whole)}`;
}

function formatInteger(p, v) {
  const s = typeof v === "symbol" ? "NaN" : integerText(+v);
  p.text(s, s.length);
}

function formatFloat(p, v) {
  const n = typeof v === "symbol" ? NaN : +v;
  const s = `${n}`;
  p.text(s, s.length);
}

function formatValue(p, v) {
  p.value(v, false);
}

function formatJson(p, v) {
  const s = k.stringify(v) ?? "";
  p.text(s, s.length);
}

const FORMATS = {
  __proto__: null,
  s: formatString,
  d: formatInteger,
  i: formatInteger,
  f: formatFloat,
  o: formatValue,
  O: formatValue,
  j: formatJson,
  c: () => undefined,
};

const DEPTH_MAX = 65535;
const INSPECT_DEPTH = 8;

function depthOption(depth) {
  if (typeof depth !== "number") return undefined;
  if (depth === Infinity || depth === -Infinity) return DEPTH_MAX;
  if ((depth | 0) !== depth) throw badDepth(`expected depth to be an integer, got ${depth}`);
  if (depth < 0) {
    throw badDepth(`expected depth to be greater than or equal to 0, got ${depth}`);
  }
  return depth > DEPTH_MAX ? DEPTH_MAX : depth;
}

function badDepth(message) {
  const error = new TypeError(message);
  error.code = "ERR_INVALID_ARG_TYPE";
  return error;
}

/**
 * Bun.inspect(value, options) and the older Bun.inspect(value, depth, colors).
 * @param {unknown} value
 * @param {object|number} [options] depth (8), colors, sorted, compact.
 * @param {boolean} [colors]
 * @returns {string}
 */
function bunInspect(value, options, colors) {
  const given = { depth: INSPECT_DEPTH, quoteStrings: true };
  if (typeof options === "object" && options !== null) {
    given.depth = depthOption(options.depth) ?? INSPECT_DEPTH;
    given.colors = !!options.colors;
    given.sorted = !!options.sorted;
    given.compact = !!options.compact;
  } else {
    given.depth = depthOption(options) ?? INSPECT_DEPTH;
    given.colors = !!colors;
  }
  const p = new Printer(given);
  p.value(value, false);
  return p.out;
}

Object.assign(exports, { expand, bunInspect, depthOption });
