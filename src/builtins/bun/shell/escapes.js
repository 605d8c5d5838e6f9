// @internal
// bun:shell/escapes -- backslash escapes of `echo -e` and $'...', and the quoting of $.escape.

const SIMPLE = {
  a: "\x07", b: "\b", e: "\x1b", E: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\",
};
const QUOTES = { "'": "'", '"': '"', "?": "?" };

/** A byte as the character that UTF-8 has for it; above ASCII the code point of Latin 1. */
const charOf = (code) => String.fromCodePoint(code);

/**
 * `\n`, `\x41`, `\0101` in `text` are what they stand for; { text, isEnded }: `\c` ends it.
 * `forEcho`: octal numbers begin with 0, and `\'` is no escape.
 */
function unescape(text, forEcho = false) {
  let isEnded = false;
  const octal = forEcho ? "0[0-7]{0,3}" : "[0-7]{1,3}";
  const form = new RegExp(`\\\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{4})|(${octal})|([^]))`, "g");
  const plain = text.replace(form, (whole, hex, unicode, digits, letter, at) => {
    if (isEnded) return "";
    if (hex !== undefined) return charOf(parseInt(hex, 16));
    if (unicode !== undefined) return forEcho ? whole : charOf(parseInt(unicode, 16));
    if (digits !== undefined) return charOf(parseInt(digits, 8) & 0xff);
    if (letter === "c" && forEcho) {
      isEnded = true;
      text = text.slice(0, at);
      return "\0";
    }
    return SIMPLE[letter] ?? (forEcho ? whole : (QUOTES[letter] ?? whole));
  });
  return { text: isEnded ? unescape(text, true).text : plain, isEnded };
}

const NEEDS_QUOTES = /[\s$`"'\\~*|{}#;()[\]?<>,&=]|^$/;

/** `text` as one word of a script. */
function escape(text) {
  if (!NEEDS_QUOTES.test(text)) return text;
  return `"${text.replace(/[$`"\\]/g, "\\$&")}"`;
}

exports.unescape = unescape;
exports.escape = escape;
