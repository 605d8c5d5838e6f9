// @internal
// bun:ansi/slice -- Bun.sliceAnsi: a part of a text by columns of a terminal; styles and links that
// are open there are opened before it and closed behind it.
const { notImplemented } = require("internal/errors");
const { stringWidth } = require("internal/inspect/string_width");
const { LINK, SGR, endOf, isEscape, TOKEN } = require("bun:ansi");

const CLOSE_LINK = "\x1b]8;;\x07";

/** Escapes and graphemes. */
function piecesOf(text) {
  const pieces = [];
  let plain = "";
  const flush = () => {
    if (plain === "") return;
    for (const { segment } of new Intl.Segmenter().segment(plain)) pieces.push(segment);
    plain = "";
  };
  for (const token of text.match(TOKEN) ?? []) {
    if (!isEscape(token)) {
      plain += token;
      continue;
    }
    flush();
    pieces.push(token);
  }
  flush();
  return pieces;
}

/** What is open at a place of the text. */
class Styles {
  list = []; // { open, end }
  link = "";

  take(token) {
    const url = LINK.exec(token);
    if (url !== null) this.link = url[1] === "" ? "" : token;
    const sgr = SGR.exec(token);
    if (sgr === null) return;
    const code = parseInt(sgr[1], 10) || 0;
    const end = endOf(sgr[1]);
    if (code === 0) this.list = [];
    else this.list = this.list.filter((style) => style.end !== (end ?? code));
    if (end !== undefined) this.list.push({ open: token, end });
  }

  get opening() {
    return this.list.map((style) => style.open).join("");
  }

  get closing() {
    return this.list.map((style) => `\x1b[${style.end}m`).reverse().join("");
  }
}

/** The part of the pieces in [from, to), with what stands for the rest before and behind it. */
function cut(pieces, { from, to, total, before, behind }) {
  const styles = new Styles();
  let out = "";
  let at = 0;
  let isIn = false;
  for (const piece of pieces) {
    if (isEscape(piece)) {
      styles.take(piece);
      if (isIn) out += piece;
      continue;
    }
    const width = stringWidth(piece);
    if (at >= to && (width > 0 || to < total)) break; // a wide one that begins inside is all in
    if (at >= from) {
      if (!isIn) out += styles.opening + before + styles.link;
      isIn = true;
      out += piece;
    }
    at += width;
  }
  if (!isIn) return before + behind;
  if (styles.link !== "") out += CLOSE_LINK;
  return out + behind + styles.closing;
}

const columnOf = (value, otherwise, total) => {
  const n = value === undefined ? otherwise : Math.trunc(Number(value)) || 0;
  return Math.min(total, Math.max(0, n < 0 ? n + total : n));
};

/** The columns from `start` to `end`; negative ones count from the end. */
exports.sliceAnsi = function sliceAnsi(text, start, end, options) {
  const string = `${text}`;
  const { ellipsis = "", ambiguousIsNarrow = true } =
    typeof options === "string" ? { ellipsis: options } : options ?? {};
  if (!ambiguousIsNarrow) throw notImplemented("Bun.sliceAnsi with ambiguousIsNarrow: false");
  const pieces = piecesOf(string);
  let total = 0;
  for (const piece of pieces) if (!isEscape(piece)) total += stringWidth(piece);
  let from = columnOf(start, 0, total);
  let to = columnOf(end, total, total);
  if (from >= to) return "";
  if (from === 0 && to === total) return string;
  const own = stringWidth(`${ellipsis}`);
  if (own > 0 && own >= to - from) return `${ellipsis}`;
  const hasBefore = from > 0 && own > 0;
  const hasBehind = to < total && own > 0 && (hasBefore ? 2 : 1) * own < to - from;
  if (hasBefore) from += own;
  if (hasBehind) to -= own;
  const before = hasBefore ? ellipsis : "";
  return cut(pieces, { from, to, total, before, behind: hasBehind ? ellipsis : "" });
};
