// internal/readline/text -- characters of a line: how long, how wide.

/** Units of the character that ends before `i`, 0 at the beginning. */
exports.charLengthLeft = (text, i) => {
  if (i <= 0) return 0;
  const isPair = i > 1 && text.codePointAt(i - 2) >= 0x10000;
  return isPair ? 2 : 1;
};

/** Units of the character that begins at `i`; 1 at the end, as a paste may have cut a pair. */
exports.charLengthAt = (text, i) => {
  if (text.length <= i) return 1;
  return text.codePointAt(i) >= 0x10000 ? 2 : 1;
};

exports.commonPrefix = (words) => {
  if (words.length === 0) return "";
  if (words.length === 1) return words[0];
  const sorted = [...words].sort();
  const min = sorted[0];
  const max = sorted[sorted.length - 1];
  for (let i = 0; i < min.length; i++) if (min[i] !== max[i]) return min.slice(0, i);
  return min;
};

/** Where the cursor is behind `text` on a screen of `columns`: { cols, rows } */
exports.displayPos = (text, columns, tabSize) => {
  const { stringWidth } = require("internal/inspect/string_width");
  const { stripVTControlCharacters } = require("node:util");
  let offset = 0;
  let rows = 0;
  for (const char of stripVTControlCharacters(text)) {
    if (char === "\n") {
      rows += Math.ceil(offset / columns) || 1;
      offset = 0;
      continue;
    }
    if (char === "\t") {
      offset += tabSize - (offset % tabSize);
      continue;
    }
    const width = stringWidth(char);
    if (width === 2) {
      // Does not fit into the last column.
      if ((offset + 1) % columns === 0) offset++;
      offset += 2;
    } else {
      offset += width;
    }
  }
  const cols = offset % columns;
  rows += (offset - cols) / columns;
  return { cols, rows };
};
