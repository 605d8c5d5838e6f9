// internal/inspect/string_width -- how many columns of a terminal a string takes.

const k = require("internal/inspect/slots");
const { slice, regexpExec } = k;

const charCodeAt = k.uncurry(String.prototype.charCodeAt);
const codePointAt = k.uncurry(String.prototype.codePointAt);
const normalize = k.uncurry(String.prototype.normalize);
const indexOf = k.uncurry(String.prototype.indexOf);

// One escape sequence: OSC up to its end, or CSI and the two-byte ones.
const OSC = "\\x1b\\][\\s\\S]*?(?:\\x07|\\x1b\\\\|\\x9c)";
const CSI = "[\\x1b\\x9b][[\\]()#;?]*(?:\\d{1,4}(?:[;:]\\d{0,4})*)?[\\dA-PR-TZcf-nq-uy=><~]";

/** Removes escape sequences. */
function stripVTControlCharacters(s) {
  if (indexOf(s, "\x1b") < 0 && indexOf(s, "\x9b") < 0) return s;
  const sequence = new RegExp(`${OSC}|${CSI}`, "g");
  let out = "";
  let from = 0;
  for (let m = regexpExec(sequence, s); m !== null; m = regexpExec(sequence, s)) {
    out += slice(s, from, m.index);
    from = sequence.lastIndex;
  }
  return out + slice(s, from);
}

// Ranges of two columns: East Asian Wide and Fullwidth (Unicode 15), and emoji presentation.
const WIDE = [
  0x1100, 0x115f, 0x231a, 0x231b, 0x2329, 0x232a, 0x23e9, 0x23ec, 0x23f0, 0x23f0, 0x23f3, 0x23f3,
  0x25fd, 0x25fe, 0x2614, 0x2615, 0x2648, 0x2653, 0x267f, 0x267f, 0x2693, 0x2693, 0x26a1, 0x26a1,
  0x26aa, 0x26ab, 0x26bd, 0x26be, 0x26c4, 0x26c5, 0x26ce, 0x26ce, 0x26d4, 0x26d4, 0x26ea, 0x26ea,
  0x26f2, 0x26f3, 0x26f5, 0x26f5, 0x26fa, 0x26fa, 0x26fd, 0x26fd, 0x2705, 0x2705, 0x270a, 0x270b,
  0x2728, 0x2728, 0x274c, 0x274c, 0x274e, 0x274e, 0x2753, 0x2755, 0x2757, 0x2757, 0x2795, 0x2797,
  0x27b0, 0x27b0, 0x27bf, 0x27bf, 0x2b1b, 0x2b1c, 0x2b50, 0x2b50, 0x2b55, 0x2b55, 0x2e80, 0x2e99,
  0x2e9b, 0x2ef3, 0x2f00, 0x2fd5, 0x2ff0, 0x2fff, 0x3000, 0x303e, 0x3041, 0x3096, 0x3099, 0x30ff,
  0x3105, 0x312f, 0x3131, 0x318e, 0x3190, 0x31e3, 0x31ef, 0x321e, 0x3220, 0x3247, 0x3250, 0x4dbf,
  0x4e00, 0xa48c, 0xa490, 0xa4c6, 0xa960, 0xa97c, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19,
  0xfe30, 0xfe52, 0xfe54, 0xfe66, 0xfe68, 0xfe6b, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x16fe4,
  0x16ff0, 0x16ff1, 0x17000, 0x187f7, 0x18800, 0x18cd5, 0x18d00, 0x18d08, 0x1aff0, 0x1aff3, 0x1aff5,
  0x1affb, 0x1affd, 0x1affe, 0x1b000, 0x1b122, 0x1b132, 0x1b132, 0x1b150, 0x1b152, 0x1b155, 0x1b155,
  0x1b164, 0x1b167, 0x1b170, 0x1b2fb, 0x1f004, 0x1f004, 0x1f0cf, 0x1f0cf, 0x1f18e, 0x1f18e, 0x1f191,
  0x1f19a, 0x1f200, 0x1f202, 0x1f210, 0x1f23b, 0x1f240, 0x1f248, 0x1f250, 0x1f251, 0x1f260, 0x1f265,
  0x1f300, 0x1f320, 0x1f32d, 0x1f335, 0x1f337, 0x1f37c, 0x1f37e, 0x1f393, 0x1f3a0, 0x1f3ca, 0x1f3cf,
  0x1f3d3, 0x1f3e0, 0x1f3f0, 0x1f3f4, 0x1f3f4, 0x1f3f8, 0x1f43e, 0x1f440, 0x1f440, 0x1f442, 0x1f4fc,
  0x1f4ff, 0x1f53d, 0x1f54b, 0x1f54e, 0x1f550, 0x1f567, 0x1f57a, 0x1f57a, 0x1f595, 0x1f596, 0x1f5a4,
  0x1f5a4, 0x1f5fb, 0x1f64f, 0x1f680, 0x1f6c5, 0x1f6cc, 0x1f6cc, 0x1f6d0, 0x1f6d2, 0x1f6d5, 0x1f6d7,
  0x1f6dc, 0x1f6df, 0x1f6eb, 0x1f6ec, 0x1f6f4, 0x1f6fc, 0x1f7e0, 0x1f7eb, 0x1f7f0, 0x1f7f0, 0x1f90c,
  0x1f93a, 0x1f93c, 0x1f945, 0x1f947, 0x1f9ff, 0x1fa70, 0x1fa7c, 0x1fa80, 0x1fa88, 0x1fa90, 0x1fabd,
  0x1fabf, 0x1fac5, 0x1face, 0x1fadb, 0x1fae0, 0x1fae8, 0x1faf0, 0x1faf8, 0x20000, 0x2fffd, 0x30000,
  0x3fffd,
];

const ZERO = /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7c6\ud7cb-\ud7fb]/u;
const JOINER = 0x200d;

function isWide(code) {
  if (code < WIDE[0]) return false;
  let low = 0;
  let high = WIDE.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (code < WIDE[middle * 2]) high = middle - 1;
    else if (code > WIDE[middle * 2 + 1]) low = middle + 1;
    else return true;
  }
  return false;
}

/** Columns of one code point by itself. */
function widthOfCode(code, char) {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0;
  if (code < 0x300) return code === 0xad ? 0 : 1;
  if (isWide(code)) return 2;
  return regexpExec(ZERO, char) !== null ? 0 : 1;
}

const REGIONAL_FIRST = 0x1f1e6;
const REGIONAL_LAST = 0x1f1ff;
const isRegional = (code) => code >= REGIONAL_FIRST && code <= REGIONAL_LAST;
const isModifier = (code) => code >= 0x1f3fb && code <= 0x1f3ff;

/** Width of text beyond ASCII; an emoji sequence counts once. */
function wideWidth(text) {
  const s = normalize(text, "NFC");
  let width = 0;
  let previous = 0;
  for (let i = 0; i < s.length;) {
    const code = codePointAt(s, i);
    const size = code > 0xffff ? 2 : 1;
    const own = widthOfCode(code, slice(s, i, i + size));
    i += size;
    const isPart =
      (previous === JOINER && own === 2) ||
      (isModifier(code) && isWide(previous)) ||
      (isRegional(code) && isRegional(previous));
    if (!isPart) width += isRegional(code) ? 2 : own;
    previous = isPart && isRegional(code) ? 0 : code;
  }
  return width;
}

/**
 * Columns of a string without line breaks.
 * @param {string} text
 * @param {boolean} [hasEscapes] Whether to leave out escape sequences first.
 */
function stringWidth(text, hasEscapes = true) {
  const s = hasEscapes ? stripVTControlCharacters(text) : text;
  let width = 0;
  for (let i = 0; i < s.length; i++) {
    const code = charCodeAt(s, i);
    if (code >= 127) return width + wideWidth(slice(s, i));
    if (code >= 32) width++;
  }
  return width;
}

// Where Bun's tables differ from the rules above: first, last, columns.
const BUN = [
  0x890, 0x891, 1, 0x1ade, 0x1adf, 0, 0x1aec, 0x1aff, 0, 0x2065, 0x2065, 0, 0x20f1, 0x20ff, 0,
  0x2630, 0x2637, 2, 0x268a, 0x268f, 2, 0x302a, 0x302d, 0, 0x3099, 0x309a, 0, 0x31e4, 0x31e5, 2,
  0x4dc0, 0x4dff, 2, 0xd7c7, 0xd7ca, 0, 0xd7fc, 0xd7ff, 0, 0xfff9, 0xfffb, 1, 0x110bd, 0x110bd, 1,
  0x110cd, 0x110cd, 1, 0x13430, 0x1343f, 1, 0x16d98, 0x16d98, 1, 0x16d9d, 0x16d9d, 1, 0x16fe4,
  0x16fe4, 0, 0x16ff2, 0x16ff6, 2, 0x187f8, 0x187ff, 2, 0x18cff, 0x18cff, 2, 0x18d09, 0x18d1e, 2,
  0x18d80, 0x18df2, 2, 0x1d300, 0x1d356, 2, 0x1d360, 0x1d376, 2, 0x1f6d8, 0x1f6d8, 2, 0x1fa89,
  0x1fa8a, 2, 0x1fa8e, 0x1fa8f, 2, 0x1fabe, 0x1fabe, 2, 0x1fac6, 0x1fac6, 2, 0x1fac8, 0x1fac8, 2,
  0x1facd, 0x1facd, 2, 0x1fadc, 0x1fadc, 2, 0x1fadf, 0x1fadf, 2, 0x1fae9, 0x1faea, 2, 0x1faef,
  0x1faef, 2,
];

/** Marks of the scripts of India, which Bun finds by their place in the block. */
function isIndicMark(code) {
  if (code < 0x900 || code > 0xd4f) return false;
  const at = code & 0x7f;
  if (at <= 2 || at === 0x62 || at === 0x63) return true;
  return (at >= 0x3a && at <= 0x4d && at !== 0x3d) || (at >= 0x51 && at <= 0x57);
}

function bunWidthOfCode(code, char) {
  if (isIndicMark(code)) return 0;
  for (let i = 0; i < BUN.length && code >= BUN[i]; i += 3)
    if (code <= BUN[i + 1]) return BUN[i + 2];
  return widthOfCode(code, char);
}

/** Columns when every code point counts by itself, as in Bun's tables. */
function codePointsWidth(s) {
  let width = 0;
  for (let i = 0; i < s.length;) {
    const code = codePointAt(s, i);
    const size = code > 0xffff ? 2 : 1;
    width += code < 127 ? (code < 32 ? 0 : 1) : bunWidthOfCode(code, slice(s, i, i + size));
    i += size;
  }
  return width;
}

Object.assign(exports, { stringWidth, codePointsWidth, stripVTControlCharacters });
