// internal/util/style_text -- util.styleText and util.stripVTControlCharacters.

const { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } = require("internal/errors");
const {
  validateBoolean,
  validateObject,
  validateOneOf,
  validateString,
} = require("internal/validators");

const kHexColor = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** What begins and ends a style. Bold and dim share their end: it has to stay where it is. */
function sequencesOf([open, close]) {
  return { open: `\x1b[${open}m`, close: `\x1b[${close}m`, keepsEnd: open === 1 || open === 2 };
}

function hexSequences(key) {
  if (!kHexColor.test(key)) {
    throw new ERR_INVALID_ARG_VALUE("format", key, "must be a valid hex color (#RGB or #RRGGBB)");
  }
  const digits = key.length === 4 ? key.slice(1).replace(/./g, "$&$&") : key.slice(1);
  const n = parseInt(digits, 16);
  const open = `\x1b[38;2;${n >> 16};${(n >> 8) & 255};${n & 255}m`;
  return { open, close: "\x1b[39m", keepsEnd: false };
}

function styleOf(key) {
  if (typeof key === "string" && key[0] === "#") return hexSequences(key);
  const { colors } = require("internal/inspect").inspect;
  const codes = colors[key];
  if (!codes) validateOneOf(key, "format", Object.getOwnPropertyNames(colors));
  return sequencesOf(codes);
}

/** Begins the style anew where the text ends it, but not at the end of the text. */
function reopen(text, { open, close, keepsEnd }) {
  let out = "";
  let from = 0;
  for (let at = text.indexOf(close); at >= 0; at = text.indexOf(close, from)) {
    if (at + close.length >= text.length) break;
    out += text.slice(from, at) + (keepsEnd ? close + open : open);
    from = at + close.length;
  }
  return out + text.slice(from);
}

function isStream(v) {
  if (v === null || typeof v !== "object") return false;
  const { ReadableStream, WritableStream } = globalThis;
  return (
    (ReadableStream !== undefined && v instanceof ReadableStream) ||
    (WritableStream !== undefined && v instanceof WritableStream) ||
    isNodeStream(v)
  );
}

function isNodeStream(v) {
  if (v._readableState || v._writableState) return true;
  return (
    typeof v.on === "function" && (typeof v.write === "function" || typeof v.pipe === "function")
  );
}

function isColored(stream) {
  if (!isStream(stream)) {
    throw new ERR_INVALID_ARG_TYPE(
      "stream",
      ["ReadableStream", "WritableStream", "Stream"],
      stream,
    );
  }
  return require("internal/util/colors").shouldColorize(stream);
}

exports.styleText = function styleText(format, text, options) {
  validateString(text, "text");
  if (options !== undefined) validateObject(options, "options");
  const validateStream = options?.validateStream ?? true;
  validateBoolean(validateStream, "options.validateStream");
  const isPlain = validateStream && !isColored(options?.stream ?? process.stdout);
  let before = "";
  let after = "";
  let out = text;
  for (let i = 0, all = Array.isArray(format) ? format : [format]; i < all.length; i++) {
    const key = all[i];
    if (key === "none") continue;
    const style = styleOf(key);
    before += style.open;
    after = style.close + after;
    out = reopen(out, style);
  }
  return isPlain ? text : before + out + after;
};

// OSC sequences with their text; all others (CSI, and two-character ones) with their parameters.
const kControl = new RegExp(
  "\\x1b\\][^]*?(?:\\x07|\\x1b\\\\|\\x9c)" +
    "|[\\x1b\\x9b][[\\]()#;?]*(?:\\d{1,4}(?:[;:]\\d{0,4})*)?[\\dA-PR-TZcf-nq-uy=><~]",
  "g",
);

exports.stripVTControlCharacters = function stripVTControlCharacters(str) {
  validateString(str, "str");
  if (!str.includes("\x1b") && !str.includes("\x9b")) return str;
  return str.replace(kControl, "");
};
