// internal/inspect/node_table -- the tables of Node's console.table.

const k = require("internal/inspect/slots");
const { inspect } = require("internal/inspect/node_print");
const { stringWidth } = require("internal/inspect/string_width");

const { hasOwn, isArray, kindOf } = k;
const repeat = k.uncurry(String.prototype.repeat);

const INDEX = "(index)";
const ITERATION = "(iteration index)";

/**
 * The text of a table, without a final newline.
 * @param {string[]} head
 * @param {string[][]} columns Cells by column; holes are empty cells.
 */
function drawTable(head, columns) {
  const widths = [];
  let rows = 0;
  for (let i = 0; i < head.length; i++) {
    let width = stringWidth(head[i]);
    for (let j = 0; j < columns[i].length; j++) {
      const cell = columns[i][j];
      if (cell !== undefined && stringWidth(cell) > width) width = stringWidth(cell);
    }
    widths[i] = width + 2;
    if (columns[i].length > rows) rows = columns[i].length;
  }
  const line = [];
  for (let i = 0; i < widths.length; i++) line[i] = repeat("\u2500", widths[i]);
  let out = `\u250c${k.join(line, "\u252c")}\u2510\n${drawRow(head, widths)}\n`;
  out += `\u251c${k.join(line, "\u253c")}\u2524\n`;
  for (let j = 0; j < rows; j++) {
    const cells = [];
    for (let i = 0; i < columns.length; i++) cells[i] = hasOwn(columns[i], j) ? columns[i][j] : "";
    out += `${drawRow(cells, widths)}\n`;
  }
  return `${out}\u2514${k.join(line, "\u2534")}\u2518`;
}

function drawRow(cells, widths) {
  let out = "\u2502";
  for (let i = 0; i < cells.length; i++) {
    const gap = repeat(" ", widths[i] - stringWidth(cells[i]) - 1);
    out += ` ${cells[i]}${gap}\u2502`;
  }
  return out;
}

const isObject = (v) => (typeof v === "object" && v !== null) || typeof v === "function";

/** Prints the cells of a table. */
function cellPrinter(options) {
  return (v) => {
    const isBig = typeof v === "object" && v !== null && !isArray(v) && k.keysOf(v).length > 2;
    const depth = isBig ? -1 : 0;
    return inspect(v, { depth, maxArrayLength: 3, breakLength: Infinity, ...options });
  };
}

function indexes(count, print) {
  const out = [];
  for (let i = 0; i < count; i++) out[i] = print(i);
  return out;
}

/** A table with a row for each entry of a Map, or each pair that its iterator has yet to give. */
function pairsTable(pairs, print) {
  const keys = [];
  const values = [];
  for (let i = 0; i < pairs.length; i += 2) {
    keys[i / 2] = print(pairs[i]);
    values[i / 2] = print(pairs[i + 1]);
  }
  return drawTable([ITERATION, "Key", "Values"], [indexes(keys.length, print), keys, values]);
}

function valuesTable(items, print) {
  const values = [];
  for (let i = 0; i < items.length; i++) values[i] = print(items[i]);
  return drawTable([ITERATION, "Values"], [indexes(values.length, print), values]);
}

/** A table for the entries of a collection, undefined for any other object. */
function collectionTable(data, print) {
  const kind = kindOf(data);
  const items = [];
  if (kind === "Map") {
    k.mapForEach(data, (value, key) => {
      items[items.length] = key;
      items[items.length] = value;
    });
    return pairsTable(items, print);
  }
  if (kind === "Set") {
    k.setForEach(data, (value) => {
      items[items.length] = value;
    });
    return valuesTable(items, print);
  }
  if (kind !== "Map Iterator" && kind !== "Set Iterator") return undefined;
  const { 0: left, 1: isPairs } = k.previewIterator(data);
  return isPairs && kind === "Map Iterator" ? pairsTable(left, print) : valuesTable(left, print);
}

function rowsTable(data, properties, print) {
  const columns = Object.create(null);
  const values = [];
  let hasValues = false;
  const rows = k.keysOf(data);
  for (let i = 0; i < rows.length; i++) {
    const item = data[rows[i]];
    if (!isObject(item)) {
      hasValues = true;
      values[i] = print(item);
      continue;
    }
    const keys = properties ?? k.keysOf(item);
    for (let j = 0; j < keys.length; j++) {
      columns[keys[j]] ??= [];
      columns[keys[j]][i] = hasOwn(item, keys[j]) ? print(item[keys[j]]) : "";
    }
  }
  const head = [INDEX];
  const cells = [rows];
  const names = k.keysOf(columns);
  for (let i = 0; i < names.length; i++) {
    head[i + 1] = names[i];
    cells[i + 1] = columns[names[i]];
  }
  if (hasValues) {
    head[head.length] = "Values";
    cells[cells.length] = values;
  }
  return drawTable(head, cells);
}

/**
 * @param {object} data
 * @param {string[]} [properties]
 * @param {object} options For inspect.
 */
exports.nodeTable = (data, properties, options) => {
  const print = cellPrinter(options);
  return collectionTable(data, print) ?? rowsTable(data, properties, print);
};
