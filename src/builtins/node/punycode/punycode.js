// node:punycode -- (Node: punycode; RFC 3492).

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 128;
const MAX_INT = 0x7fffffff;

const kMessages = {
  overflow: "Overflow: input needs wider integers to process",
  "not-basic": "Illegal input >= 0x80 (not a basic code point)",
  "invalid-input": "Invalid input",
};

function fail(kind) {
  throw new RangeError(kMessages[kind]);
}

/** Code points of a string; surrogates that are no pair stay as they are. */
function decodeUcs2(string) {
  return Array.from(string, (c) => c.codePointAt(0));
}

const encodeUcs2 = (codePoints) => String.fromCodePoint(...codePoints);

/** RFC 3492, 6.1. */
function adapt(delta, n, isFirst) {
  let rest = isFirst ? Math.floor(delta / DAMP) : delta >> 1;
  rest += Math.floor(rest / n);
  let k = 0;
  while (rest > ((BASE - T_MIN) * T_MAX) >> 1) {
    rest = Math.floor(rest / (BASE - T_MIN));
    k += BASE;
  }
  return Math.floor(k + ((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}

function digitOf(code) {
  if (code >= 48 && code < 58) return 26 + (code - 48);
  if (code >= 65 && code < 91) return code - 65;
  if (code >= 97 && code < 123) return code - 97;
  return BASE;
}

const digitChar = (digit) => String.fromCharCode(digit < 26 ? digit + 97 : digit + 22);
const threshold = (k, bias) => (k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias);

/** One number of variable length that begins at `from`: { value, next }. */
function takeNumber(input, from, start, bias) {
  let value = start;
  let weight = 1;
  let next = from;
  for (let k = BASE; ; k += BASE) {
    if (next >= input.length) fail("invalid-input");
    const digit = digitOf(input.charCodeAt(next++));
    if (digit >= BASE) fail("invalid-input");
    if (digit > Math.floor((MAX_INT - value) / weight)) fail("overflow");
    value += digit * weight;
    const t = threshold(k, bias);
    if (digit < t) return { value, next };
    if (weight > Math.floor(MAX_INT / (BASE - t))) fail("overflow");
    weight *= BASE - t;
  }
}

/** A label of ASCII into Unicode (RFC 3492, 6.2). */
function decode(input) {
  const basic = Math.max(input.lastIndexOf("-"), 0);
  const out = [];
  for (let j = 0; j < basic; j++) {
    if (input.charCodeAt(j) >= 0x80) fail("not-basic");
    out.push(input.charCodeAt(j));
  }
  let n = INITIAL_N;
  let i = 0;
  let bias = INITIAL_BIAS;
  for (let at = basic > 0 ? basic + 1 : 0; at < input.length; ) {
    const before = i;
    const { value, next } = takeNumber(input, at, i, bias);
    at = next;
    const size = out.length + 1;
    bias = adapt(value - before, size, before === 0);
    if (Math.floor(value / size) > MAX_INT - n) fail("overflow");
    n += Math.floor(value / size);
    i = value % size;
    out.splice(i++, 0, n);
  }
  return String.fromCodePoint(...out);
}

function putNumber(value, bias) {
  let out = "";
  let rest = value;
  for (let k = BASE; ; k += BASE) {
    const t = threshold(k, bias);
    if (rest < t) return out + digitChar(rest);
    out += digitChar(t + ((rest - t) % (BASE - t)));
    rest = Math.floor((rest - t) / (BASE - t));
  }
}

/** A label of Unicode into ASCII (RFC 3492, 6.3). */
function encode(input) {
  const codes = decodeUcs2(input);
  let out = codes.filter((c) => c < 0x80).map((c) => String.fromCharCode(c)).join("");
  const basic = out.length;
  let handled = basic;
  if (basic > 0) out += "-";
  let n = INITIAL_N;
  let delta = 0;
  let bias = INITIAL_BIAS;
  while (handled < codes.length) {
    const m = codes.reduce((least, c) => (c >= n && c < least ? c : least), MAX_INT);
    if (m - n > Math.floor((MAX_INT - delta) / (handled + 1))) fail("overflow");
    delta += (m - n) * (handled + 1);
    n = m;
    for (const c of codes) {
      if (c < n && ++delta > MAX_INT) fail("overflow");
      if (c !== n) continue;
      out += putNumber(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic);
      delta = 0;
      handled++;
    }
    delta++;
    n++;
  }
  return out;
}

/** Applies `fn` to the labels of a domain; of a mail address, only to what is behind the "@". */
function mapDomain(domain, fn) {
  const parts = domain.split("@");
  const head = parts.length > 1 ? `${parts[0]}@` : "";
  const labels = (parts.length > 1 ? parts[1] : domain).replace(/[\x2e\u3002\uff0e\uff61]/g, ".");
  return head + labels.split(".").map(fn).join(".");
}

exports.version = "2.1.0";
exports.ucs2 = { decode: decodeUcs2, encode: encodeUcs2 };
exports.decode = decode;
exports.encode = encode;

exports.toASCII = function toASCII(input) {
  return mapDomain(input, (label) => (/[^\0-\x7f]/.test(label) ? `xn--${encode(label)}` : label));
};

exports.toUnicode = function toUnicode(input) {
  return mapDomain(input, (label) =>
    label.startsWith("xn--") ? decode(label.slice(4).toLowerCase()) : label,
  );
};
