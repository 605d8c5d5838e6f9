// internal/inspect/bun_table -- console.table and Bun.inspect.table.
//
// Two walks over the rows: the first finds the columns and how wide they are, the second prints.

const k = require("internal/inspect/slots");
const { Printer } = require("internal/inspect/bun_print");
const { codePointsWidth, stripVTControlCharacters } = require("internal/inspect/string_width");
const { hasOwn, isArray, kindOf, keysOf } = k;

const repeat = k.uncurry(String.prototype.repeat);

const DEPTH_MAX = 5;

const isObject = (v) => (typeof v === "object" && v !== null) || typeof v === "function";
const widthOf = (text) => codePointsWidth(stripVTControlCharacters(text));

class Table {
  /**
   * @param {object} data
   * @param {unknown[]} [properties] Names of the columns, in order.
   * @param {object} options colors, sorted, isLoose (compact: false), depth to start from.
   */
  constructor(data, properties, options) {
    this.options = options;
    this.isMap = isObject(data) && kindOf(data) === "Map";
    this.hasColumns = properties !== undefined;
    this.columns = [{ name: " ", width: 1 }];
    if (this.isMap) this.columns[1] = { name: "Key", width: 1 };
    this.values = undefined; // the column for rows that are no objects
    if (this.hasColumns) {
      for (let i = 0; i < properties.length; i++) this.addColumn(`${properties[i]}`);
    }
    this.rows = rowsOf(data);
  }

  addColumn(name) {
    const column = { name, width: 1 };
    this.columns[this.columns.length] = column;
    return column;
  }

  columnOf(name) {
    const { columns } = this;
    for (let i = 1; i < columns.length; i++) if (columns[i].name === name) return columns[i];
    return this.addColumn(name);
  }

  /** Text of a cell. Strings are not quoted at the top. */
  cell(v) {
    const { colors, sorted, isLoose, depth } = this.options;
    const p = new Printer({
      colors,
      sorted,
      compact: isLoose !== true,
      depth: DEPTH_MAX,
      quoteStrings: typeof v !== "string",
    });
    p.depth = depth ?? 0;
    p.value(v, false);
    return p.out;
  }

  widen(column, v) {
    const width = widthOf(this.cell(v));
    if (width > column.width) column.width = width;
  }

  valuesColumn() {
    this.values ??= { name: "Values", width: 1 };
    return this.values;
  }

  measure({ key, value }) {
    const first = this.columns[0];
    const width = widthOf(key);
    if (width > first.width) first.width = width;
    if (this.isMap) {
      this.widen(this.columns[1], value[0]);
      this.widen(this.valuesColumn(), value[1]);
    } else if (!isObject(value)) {
      if (!this.hasColumns) this.widen(this.valuesColumn(), value);
    } else if (this.hasColumns) {
      for (let i = 1; i < this.columns.length; i++) {
        const column = this.columns[i];
        if (hasOwn(value, column.name)) this.widen(column, value[column.name]);
      }
    } else {
      const names = keysOf(value);
      for (let i = 0; i < names.length; i++) {
        const v = value[names[i]];
        this.widen(this.columnOf(names[i]), v);
      }
    }
  }

  /** What stands in a column of a row, as [value], or [] where there is nothing. */
  at({ value }, column, index) {
    if (this.isMap && index === 1) return [value[0]];
    if (column === this.values) {
      if (this.isMap) return [value[1]];
      return isObject(value) ? [] : [value];
    }
    return isObject(value) && hasOwn(value, column.name) ? [value[column.name]] : [];
  }

  row(row) {
    const first = this.columns[0];
    const pad = first.width - widthOf(row.key);
    let line = `\u2502${repeat(" ", pad + 1)}${row.key} `;
    for (let i = 1; i < this.columns.length; i++) {
      const column = this.columns[i];
      const found = this.at(row, column, i);
      const text = found.length === 0 ? "" : this.cell(found[0]);
      const left = column.width - widthOf(text);
      line += `\u2502 ${text}${repeat(" ", left > 0 ? left : 0)} `;
    }
    return `${line}\u2502\n`;
  }

  border(left, middle, right) {
    let line = left;
    for (let i = 0; i < this.columns.length; i++) {
      line += (i > 0 ? middle : "") + repeat("\u2500", this.columns[i].width + 2);
    }
    return `${line}${right}\n`;
  }

  header() {
    const off = this.options.colors ? "\x1b[0m" : "";
    const on = this.options.colors ? "\x1b[0m\x1b[1m" : "";
    let line = "";
    for (let i = 0; i < this.columns.length; i++) {
      const { name, width } = this.columns[i];
      line += `\u2502 ${on}${name}${off}${repeat(" ", width - widthOf(name) + 1)}`;
    }
    return `${line}\u2502\n`;
  }

  print() {
    for (let i = 0; i < this.rows.length; i++) this.measure(this.rows[i]);
    const { columns } = this;
    if (this.values !== undefined) columns[columns.length] = this.values;
    for (let i = 0; i < columns.length; i++) {
      const width = widthOf(columns[i].name);
      if (width > columns[i].width) columns[i].width = width;
    }
    let out = this.border("\u250c", "\u252c", "\u2510") + this.header();
    out += this.border("\u251c", "\u253c", "\u2524");
    for (let i = 0; i < this.rows.length; i++) out += this.row(this.rows[i]);
    return out + this.border("\u2514", "\u2534", "\u2518");
  }
}

/** Rows as { key, value }: numbered items of an iterable, else own properties. */
function rowsOf(data) {
  const rows = [];
  if (isArray(data)) {
    for (let i = 0; i < data.length; i++) rows[i] = { key: `${i}`, value: data[i] };
  } else if (typeof data[Symbol.iterator] === "function") {
    let i = 0;
    for (const value of data) rows[rows.length] = { key: `${i++}`, value };
  } else {
    const names = keysOf(data);
    for (let i = 0; i < names.length; i++) {
      rows[i] = { key: names[i], value: data[names[i]] };
    }
  }
  return rows;
}

/**
 * The table for an object, ending in a newline; "" for a primitive.
 * @param {unknown} data
 * @param {unknown[]} [properties]
 * @param {object} [options]
 */
function tableText(data, properties, options = {}) {
  return isObject(data) ? new Table(data, properties, options).print() : "";
}

/** Bun.inspect.table(data, properties?, options?). */
function inspectTable(data, properties, options) {
  const isList = isArray(properties);
  const given = isList || properties === undefined ? options : (options ?? properties);
  const { depthOption } = require("internal/inspect/bun_format");
  const from = { depth: DEPTH_MAX };
  if (typeof given === "object" && given !== null) {
    from.depth = depthOption(given.depth) ?? DEPTH_MAX;
    from.colors = !!given.colors;
    from.sorted = !!given.sorted;
    from.isLoose = given.compact !== undefined && !given.compact;
  }
  return tableText(data, isList ? properties : undefined, from);
}

Object.assign(exports, { tableText, inspectTable });
