// internal/source_map -- module.SourceMap: positions in generated code and where they come from
// (Node: module.SourceMap; source maps, version 3).

const { validateObject } = require("internal/validators");

const kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const digitOf = new Map(Array.from(kDigits, (c, i) => [c, i]));

/** A copy of the payload, with arrays of its own. */
function copyPayload(payload) {
  validateObject(payload, "payload");
  const copy = { ...payload };
  for (const key of Object.keys(copy)) {
    if (Array.isArray(copy[key])) copy[key] = copy[key].slice();
  }
  return copy;
}

/** The numbers of one segment (base 64 VLQ); characters that are no digits are left out. */
function decodeSegment(text) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const c of text) {
    const digit = digitOf.get(c) ?? 0;
    value += (digit & 31) * 2 ** shift;
    shift += 5;
    if (digit & 32) continue;
    const half = Math.floor(value / 2);
    numbers.push(value % 2 === 1 ? -half : half);
    value = 0;
    shift = 0;
  }
  return numbers;
}

/** Entries [line, column, source, line, column, name] of a map that begins at `line`, `column`. */
function readMap({ mappings, sources = [], names }, line, column, out) {
  let source = 0;
  let sourceLine = 0;
  let sourceColumn = 0;
  let name = 0;
  mappings.split(";").forEach((text, i) => {
    let at = i === 0 ? column : 0;
    for (const segment of text.split(",")) {
      if (segment === "") continue;
      const numbers = decodeSegment(segment);
      at += numbers[0] ?? 0;
      if (numbers.length < 4) {
        out.push([line + i, at]);
        continue;
      }
      source += numbers[1];
      sourceLine += numbers[2];
      sourceColumn += numbers[3];
      const hasName = numbers.length > 4;
      if (hasName) name += numbers[4];
      const shownName = hasName ? names?.[name] : undefined;
      out.push([line + i, at, sources[source], sourceLine, sourceColumn, shownName]);
    }
  });
}

const compare = (a, b) => a[0] - b[0] || a[1] - b[1];

class SourceMap {
  #payload;
  #entries = [];
  #lineLengths;

  constructor(payload, { lineLengths } = { __proto__: null }) {
    this.#payload = copyPayload(payload);
    if (this.#payload.sections) {
      for (const { map, offset } of this.#payload.sections) {
        readMap(map, offset.line, offset.column, this.#entries);
      }
    } else {
      readMap(this.#payload, 0, 0, this.#entries);
    }
    this.#entries.sort(compare);
    if (Array.isArray(lineLengths) && lineLengths.length > 0) this.#lineLengths = lineLengths;
  }

  get payload() {
    return copyPayload(this.#payload);
  }

  get lineLengths() {
    return this.#lineLengths?.slice();
  }

  /** The last entry that is not behind a position; both count from 0. */
  findEntry(lineOffset, columnOffset) {
    const wanted = [lineOffset, columnOffset];
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.#entries[middle], wanted) <= 0) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return {};
    const entry = this.#entries[low - 1];
    return {
      generatedLine: entry[0],
      generatedColumn: entry[1],
      originalSource: entry[2],
      originalLine: entry[3],
      originalColumn: entry[4],
      name: entry[5],
    };
  }

  /** The same for a place in a stack; both count from 1. */
  findOrigin(lineNumber, columnNumber) {
    const entry = this.findEntry(lineNumber - 1, columnNumber - 1);
    if (entry.originalSource === undefined || entry.originalLine === undefined) return {};
    return {
      name: entry.name,
      fileName: entry.originalSource,
      lineNumber: entry.originalLine + lineNumber - entry.generatedLine,
      columnNumber: entry.originalColumn + columnNumber - entry.generatedColumn,
    };
  }
}

exports.SourceMap = SourceMap;
