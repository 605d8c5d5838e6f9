// internal/inspect/node_layout -- puts the printed entries of an object onto lines (util.inspect).

const k = require("internal/inspect/slots");
const { stringWidth, stripVTControlCharacters } = require("internal/inspect/string_width");

const { join } = k;
const includes = k.uncurry(String.prototype.includes);
const repeat = k.uncurry(String.prototype.repeat);
const { sqrt, min, max, round, floor } = Math;

const SEPARATOR = ", ";
const GROUP_MIN = 6;
const COLUMNS_MAX = 15;
const CHAR_HEIGHT = 2.5; // a character is about as many times as high as it is wide
const SLACK = 10; // what else there may be on a line before an object

/**
 * @param {object} p The printer: compact, breakLength, colors, maxArrayLength, indentationLvl,
 *   currentDepth.
 * @param {string[]} entries
 * @param {object} shape base, open, close; isList; `list`, the array whose elements come first.
 * @param {number} level Depth of the object, from 1.
 */
function layOut(p, entries, shape, level) {
  if (p.compact === true) return layOutCompact(p, entries, shape);
  const { base, open, close } = shape;
  const prefix = base === "" ? open : `${base} ${open}`;
  let lines = entries;
  if (typeof p.compact === "number" && p.compact >= 1) {
    if (shape.isList && entries.length > GROUP_MIN) lines = intoColumns(p, entries, shape.list);
    if (p.currentDepth - level < p.compact && lines.length === entries.length) {
      const start = lines.length + p.indentationLvl + open.length + base.length + SLACK;
      if (fitsLine(p, lines, start, base)) {
        const line = join(lines, SEPARATOR);
        if (!includes(line, "\n")) return `${prefix} ${line} ${close}`;
      }
    }
  }
  const indent = `\n${repeat(" ", p.indentationLvl)}`;
  return `${prefix}${indent}  ${chain(lines, `,${indent}  `)}${indent}${close}`;
}

/** As join, but the text is not copied: at each level around, that would be all of it again. */
function chain(lines, separator) {
  let text = lines[0] ?? "";
  for (let i = 1; i < lines.length; i++) text += separator + lines[i];
  return text;
}

/** Option compact: true. Only breaks what does not fit, and keeps brackets on the lines. */
function layOutCompact(p, entries, { base, open, close }) {
  if (fitsLine(p, entries, 0, base)) {
    return `${open}${base === "" ? "" : ` ${base}`} ${join(entries, SEPARATOR)} ${close}`;
  }
  const indent = `\n${repeat(" ", p.indentationLvl)}`;
  const isShort = base === "" && open.length === 1;
  const start = isShort ? " " : `${base === "" ? "" : ` ${base}`}${indent}  `;
  return `${open}${start}${join(entries, `,${indent}  `)} ${close}`;
}

function fitsLine(p, entries, start, base) {
  if (p.breakLength === Infinity) {
    if (includes(base, "\n")) return false;
    for (let i = 0; i < entries.length; i++) if (includes(entries[i], "\n")) return false;
    return true;
  }
  let width = entries.length + start;
  if (width + entries.length > p.breakLength) return false;
  for (let i = 0; i < entries.length; i++) {
    width += (p.colors ? stripVTControlCharacters(entries[i]) : entries[i]).length;
    if (width > p.breakLength) return false;
  }
  return !includes(base, "\n");
}

/**
 * Arranges the entries of a list in columns, if there are many of similar width.
 * @returns {string[]} Lines; or `entries` itself when it is better left alone.
 */
function intoColumns(p, entries, list) {
  const hasMore = p.maxArrayLength < entries.length;
  const count = hasMore ? entries.length - 1 : entries.length;
  const widths = [];
  let total = 0;
  let widest = 0;
  for (let i = 0; i < count; i++) {
    const width = stringWidth(entries[i], p.colors);
    widths[i] = width;
    total += width + SEPARATOR.length;
    if (width > widest) widest = width;
  }
  const cell = widest + SEPARATOR.length;
  const isWorthIt =
    cell * 3 + p.indentationLvl < p.breakLength && (total / cell > 5 || widest <= 6);
  if (!isWorthIt) return entries;
  const columns = columnCount(p, count, cell, total / entries.length);
  if (columns <= 1) return entries;
  const lines = fillLines(entries, widths, columns, isNumeric(list, entries.length));
  if (hasMore) lines[lines.length] = entries[count];
  return lines;
}

/** As many columns as make the block about square, within the limits. */
function columnCount(p, count, cell, average) {
  const biased = max(cell - 3 - sqrt(cell - average), 1);
  const square = round(sqrt(CHAR_HEIGHT * biased * count) / biased);
  const fitting = floor((p.breakLength - p.indentationLvl) / cell);
  return min(square, fitting, p.compact * 4, COLUMNS_MAX);
}

/** Numbers are aligned at their end. */
function isNumeric(list, length) {
  if (list === undefined) return true;
  for (let i = 0; i < length; i++) {
    const type = typeof list[i];
    if (type !== "number" && type !== "bigint") return false;
  }
  return true;
}

function fillLines(entries, widths, columns, isRight) {
  const count = widths.length;
  const columnWidths = [];
  for (let c = 0; c < columns; c++) {
    let width = 0;
    for (let i = c; i < count; i += columns) if (widths[i] > width) width = widths[i];
    columnWidths[c] = width;
  }
  const lines = [];
  for (let i = 0; i < count; i += columns) {
    const end = min(i + columns, count);
    let line = "";
    for (let j = i; j < end; j++) {
      const isLast = j === end - 1;
      const gap = repeat(" ", columnWidths[j - i] - widths[j]);
      const text = isLast ? entries[j] : `${entries[j]}${SEPARATOR}`;
      if (isRight) line += gap + text;
      else line += isLast ? text : text + gap;
    }
    lines[lines.length] = line;
  }
  return lines;
}

exports.layOut = layOut;
