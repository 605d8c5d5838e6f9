// internal/inspect/bun_array -- arrays and arguments in the Bun flavour.

const k = require("internal/inspect/kinds");
const props = require("internal/inspect/bun_props");
const { SIMPLE } = require("internal/inspect/bun_print");
const { getOwnPropertyDescriptor, hasOwn } = k;

const ITEMS_MAX = 100;
const ONE_LINE_MAX = 10;
const HOLE_MAX = 1000;
const MORE_WIDTH = 16; // what `... N more items` adds to the estimate, whatever N is

const HOLE = { hole: true };

/** Own element, else what an accessor or a prototype with elements gives; HOLE when absent. */
function elementOf(v, i) {
  const d = getOwnPropertyDescriptor(v, i);
  if (d === undefined) return HOLE;
  if (hasOwn(d, "value")) return d.value;
  try {
    return v[i];
  } catch {
    return undefined;
  }
}

function argumentsLength(v) {
  const { length } = v;
  return typeof length === "number" && length > 0 ? length - (length % 1) : 0;
}

function indexKeys(v) {
  const keys = k.ownKeys(v);
  const out = [];
  for (let i = 0; i < keys.length && k.isIndexKey(keys[i]); i++) out[i] = +keys[i];
  return out;
}

function printArray(p, v, kind) {
  const length = kind === "Array" ? v.length : argumentsLength(v);
  if (length === 0) {
    p.text("[]", 2);
    return;
  }
  if (p.depth > p.depthMax) {
    p.ellipsis("Array");
    return;
  }
  const quoteStrings = p.quoteStrings;
  p.quoteStrings = true;
  p.indent++;
  p.depth++;
  p.line += 2;
  const isOpen = elements(p, v, length, kind === "Array");
  p.depth--;
  p.indent--;
  p.quoteStrings = quoteStrings;
  if (!p.isCompact && (p.isSorted || isOpen || p.isLineFull())) {
    p.resetLine();
    p.newline();
    p.out += "]";
    p.resetLine();
    p.line += 1;
  } else p.text(" ]", 2);
}

/** Everything between the brackets. Returns whether the closing one needs its own line. */
function elements(p, v, length, hasExtras) {
  const walk = {
    isOpen: length > ONE_LINE_MAX,
    holeAt: -1,
    printed: 0,
  };
  openBracket(p, v, walk);
  const end = someElements(p, v, length, walk);
  if (walk.holeAt >= 0) holes(p, walk, length);
  if (hasExtras) {
    const isBreak = !p.isCompact && p.isLineFull();
    if (length > ITEMS_MAX && k.isBareList(v, length)) return walk.isOpen;
    const keys = k.ownKeys(v);
    const isBare = keys.length === length + 1 && keys[length] === "length";
    if (isBare) return walk.isOpen;
    const list = props.listNonIndexed(v, keys);
    for (let i = 0; i < list.keys.length; i++) {
      if (end > 0) p.separator(isBreak);
      p.property(list.keys[i], list.values[i]);
    }
  }
  return walk.isOpen;
}

function openBracket(p, v, walk) {
  const first = elementOf(v, 0);
  const tag = first === HOLE ? "undefined" : p.tagOf(first);
  walk.isOpen = walk.isOpen || SIMPLE[tag] !== true || p.isLineFull();
  if (!p.isCompact && (p.isSorted || walk.isOpen)) {
    p.resetLine();
    p.out += "[";
    p.newline();
    p.line += 1;
  } else p.text("[ ", 2);
  walk.printed = 1;
  if (first === HOLE) walk.holeAt = 0;
  else element(p, tag, first);
}

function element(p, tag, v) {
  p.tagged(tag, v);
  if (tag === "string" || tag === "String") p.out += p.c.r;
}

/** Elements from 1 on. Returns the index where it stopped. */
function someElements(p, v, length, walk) {
  let indexes;
  let at = 0;
  for (let i = 1; i < length; i++) {
    // After a long hole the indexes that exist are looked for.
    if (indexes === undefined && walk.holeAt >= 0 && i - walk.holeAt > HOLE_MAX) {
      indexes = indexKeys(v);
    }
    if (indexes !== undefined) {
      while (at < indexes.length && indexes[at] < i) at++;
      const next = at < indexes.length ? indexes[at] : length;
      if (next > i) {
        if (walk.holeAt < 0) walk.holeAt = i;
        i = next;
        if (i >= length) break;
      }
    }
    const item = elementOf(v, i);
    if (item === HOLE) {
      if (walk.holeAt < 0) walk.holeAt = i;
      continue;
    }
    if (walk.printed >= ITEMS_MAX) {
      moreItems(p, length - i);
      return i;
    }
    walk.printed++;
    if (walk.holeAt >= 0) holes(p, walk, i);
    elementBreak(p, walk);
    element(p, p.tagOf(item), item);
  }
  return length;
}

function elementBreak(p, walk) {
  p.comma();
  if (!p.isCompact && (p.isSorted || p.isLineFull())) {
    walk.isOpen = true;
    p.newline();
  } else p.text(" ", 1);
}

function moreItems(p, count) {
  p.comma();
  p.newline();
  p.line = 0;
  const text = `... ${count} more items`;
  p.text(`${p.c.r}${p.c.d}${text}${p.c.r}`, MORE_WIDTH);
}

function holes(p, walk, end) {
  const count = end - walk.holeAt;
  if (walk.holeAt > 0) elementBreak(p, walk);
  walk.holeAt = -1;
  const text = count === 1 ? "empty item" : `${count} x empty items`;
  p.text(`${p.c.r}${p.c.d}${text}${p.c.r}`, text.length);
}

exports.printArray = printArray;
