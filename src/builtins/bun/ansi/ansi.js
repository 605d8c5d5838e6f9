// @internal
// bun:ansi -- Bun.wrapAnsi: lines of a terminal that are no longer than so many columns, with the
// results of the package wrap-ansi, whose options it has.
const { notImplemented } = require("internal/errors");
const { stringWidth } = require("internal/inspect/string_width");

const TOKEN = /\x1b\][^]*?(?:\x07|\x1b\\)|[\x1b\x9b]\[?[\d;:]*[A-Za-z]|[^]/gu;
// Styles of several numbers are not followed, as in wrap-ansi.
const SGR = /^(?:\x1b\[|\x9b)(\d+)m$/;
const LINK = /^\x1b\]8;[^;]*;([^]*?)(?:\x07|\x1b\\)$/;

const isEscape = (token) => token.length > 1 && (token[0] === "\x1b" || token[0] === "\x9b");
const widthOf = (token) => (isEscape(token) ? 0 : stringWidth(token));

function addToLast(rows, text) {
  rows[rows.length - 1] += text;
}

/** Cuts a word wherever a row is full. */
function wrapWord(rows, word, columns) {
  const tokens = word.match(TOKEN) ?? [];
  let width = stringWidth(rows.at(-1));
  for (let i = 0; i < tokens.length; i++) {
    const own = widthOf(tokens[i]);
    if (width + own <= columns) {
      addToLast(rows, tokens[i]);
    } else {
      rows.push(tokens[i]);
      width = 0;
    }
    width += own;
    if (own > 0 && width === columns && i < tokens.length - 1) {
      rows.push("");
      width = 0;
    }
  }
  // A row of nothing but escapes belongs to the one before.
  if (width === 0 && rows.at(-1).length > 0 && rows.length > 1) {
    const last = rows.pop();
    addToLast(rows, last);
  }
}

/** Removes spaces at the end, not the escapes among them. */
function trimRight(text) {
  const words = text.split(" ");
  let n = words.length;
  while (n > 0 && stringWidth(words[n - 1]) === 0) n--;
  if (n === words.length) return text;
  return words.slice(0, n).join(" ") + words.slice(n).join("");
}

/** Puts one word behind what is there; `width` is that of the last row. */
function addWord(rows, word, width, options) {
  const { columns, hard, wordWrap } = options;
  const own = stringWidth(word);
  if (hard && wordWrap && own > columns) {
    const breaksHere = 1 + Math.floor((own - (columns - width) - 1) / columns);
    if (Math.floor((own - 1) / columns) < breaksHere) rows.push("");
    wrapWord(rows, word, columns);
    return;
  }
  if (width + own > columns && width > 0 && own > 0) {
    if (!wordWrap && width < columns) {
      wrapWord(rows, word, columns);
      return;
    }
    rows.push("");
  }
  if (width + own > columns && !wordWrap) wrapWord(rows, word, columns);
  else addToLast(rows, word);
}

function wrapLine(line, options) {
  const { columns, trim, wordWrap } = options;
  if (trim && line.trim() === "") return "";
  const rows = [""];
  line.split(" ").forEach((word, i) => {
    if (trim) rows.push(rows.pop().trimStart());
    let width = stringWidth(rows.at(-1));
    if (i > 0) {
      if (width >= columns && (!wordWrap || !trim)) {
        rows.push("");
        width = 0;
      }
      if (width > 0 || !trim) {
        addToLast(rows, " ");
        width++;
      }
    }
    addWord(rows, word, width, options);
  });
  return (trim ? rows.map(trimRight) : rows).join("\n");
}

/** What ends a style; undefined for those that begin none. */
function endOf(style) {
  const code = parseInt(style, 10);
  if (code === 1 || code === 2) return 22;
  if (code >= 3 && code <= 9 && code !== 6) return code + 20;
  if (code === 53) return 55;
  if ((code >= 30 && code <= 38) || (code >= 90 && code <= 97)) return 39;
  if ((code >= 40 && code <= 48) || (code >= 100 && code <= 107)) return 49;
  return undefined;
}

/** Styles and links end with their line and begin again on the next. */
function closeAtBreaks(text) {
  if (!text.includes("\x1b") && !text.includes("\x9b")) return text;
  let out = "";
  let style = "";
  let link = "";
  for (const token of text.match(TOKEN) ?? []) {
    const sgr = SGR.exec(token);
    const url = LINK.exec(token);
    if (sgr !== null) style = endOf(sgr[1]) === undefined ? "" : sgr[1];
    if (url !== null) link = url[1];
    if (token !== "\n") {
      out += token;
      continue;
    }
    if (link !== "") out += "\x1b]8;;\x07";
    if (style !== "") out += `\x1b[${endOf(style)}m`;
    out += "\n";
    if (style !== "") out += `\x1b[${style}m`;
    if (link !== "") out += `\x1b]8;;${link}\x07`;
  }
  return out;
}

/** `text` in rows of at most that many columns. */
exports.wrapAnsi = function wrapAnsi(text, columns, options) {
  const string = `${text}`;
  const max = Math.trunc(Number(columns));
  if (!(max > 0) || max === Infinity) return string;
  const { hard = false, wordWrap = true, trim = true, ambiguousIsNarrow = true } = options ?? {};
  if (!ambiguousIsNarrow) throw notImplemented("Bun.wrapAnsi with ambiguousIsNarrow: false");
  const lines = string.replaceAll("\r\n", "\n").split("\n");
  const all = { columns: max, hard: !!hard, wordWrap: !!wordWrap, trim: !!trim };
  return closeAtBreaks(lines.map((line) => wrapLine(line, all)).join("\n"));
};

// For bun:ansi/slice.
Object.assign(exports, { LINK, SGR, TOKEN, endOf, isEscape });
