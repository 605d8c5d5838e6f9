// internal/inspect/node_lists -- the entries of arrays, collections, iterators, buffers and
// promises as util.inspect prints them. Each takes (printer, value, level) and gives an array of
// strings.

const k = require("internal/inspect/slots");
const style = require("internal/inspect/node_style");
const { getOwnPropertyDescriptor, hasOwn } = k;

const sort = k.uncurry(Array.prototype.sort);
const { max, min } = Math;
const INDEX_END = 2 ** 32 - 2;

const shownCount = (p, length) => min(max(0, p.maxArrayLength), length);

function addRemaining(out, left) {
  if (left > 0) out[out.length] = `... ${left} more item${left > 1 ? "s" : ""}`;
}

// ---- arrays

function arrayEntries(p, v, level) {
  const { length } = v;
  const count = shownCount(p, length);
  const out = [];
  for (let i = 0; i < count; i++) {
    const d = getOwnPropertyDescriptor(v, i);
    if (d === undefined) return sparseEntries(p, v, level, { out, count, at: i });
    out[i] = p.element(v, i, level, d);
  }
  addRemaining(out, length - count);
  return out;
}

/** The rest of an array with holes; a run of holes counts as one entry. */
function sparseEntries(p, v, level, { out, count, at }) {
  const keys = k.keysOf(v);
  let index = at;
  for (let i = at; i < keys.length && out.length < count; i++) {
    const key = keys[i];
    if (!k.isIndexKey(key) || +key > INDEX_END) break;
    if (+key !== index) {
      addHoles(p, out, +key - index);
      index = +key;
      if (out.length === count) break;
    }
    out[out.length] = p.element(v, key, level);
    index++;
  }
  const left = v.length - index;
  if (out.length === count) addRemaining(out, left);
  else if (left > 0) addHoles(p, out, left);
  return out;
}

function addHoles(p, out, holes) {
  out[out.length] = p.stylize(`<${holes} empty item${holes > 1 ? "s" : ""}>`, "undefined");
}

function typedArrayEntries(p, v) {
  const length = k.typedArrayLength(v);
  const count = shownCount(p, length);
  const out = [];
  for (let i = 0; i < count; i++) {
    const item = v[i];
    const isBig = typeof item === "bigint";
    const text = (isBig ? style.bigintText : style.numberText)(item, p.numericSeparator);
    out[i] = p.stylize(text, isBig ? "bigint" : "number");
  }
  addRemaining(out, length - count);
  return out;
}

// ---- collections

/** Prints at most as many items as the option allows, two columns further in. */
function collect(p, length, each) {
  const count = shownCount(p, length);
  const out = [];
  p.indentationLvl += 2;
  each(count, (text) => {
    out[out.length] = text;
  });
  p.indentationLvl -= 2;
  return { out, left: length - count };
}

function setEntries(p, v, level) {
  const { out, left } = collect(p, k.setSize(v), (count, add) => {
    let i = 0;
    k.setForEach(v, (item) => {
      if (i++ < count) add(p.value(item, level));
    });
  });
  addRemaining(out, left);
  return out;
}

function mapEntries(p, v, level) {
  const { out, left } = collect(p, k.mapSize(v), (count, add) => {
    let i = 0;
    k.mapForEach(v, (value, key) => {
      if (i++ < count) add(`${p.value(key, level)} => ${p.value(value, level)}`);
    });
  });
  addRemaining(out, left);
  return out;
}

function iteratorEntries(p, items, isPairs, level) {
  const length = isPairs ? items.length / 2 : items.length;
  const { out, left } = collect(p, length, (count, add) => {
    for (let i = 0; i < count; i++) {
      if (!isPairs) add(p.value(items[i], level));
      else add(pair(p, items[i * 2], items[i * 2 + 1], level));
    }
  });
  addRemaining(out, left);
  return out;
}

function pair(p, key, value, level) {
  const { layOut } = require("internal/inspect/node_layout");
  const texts = [p.value(key, level), p.value(value, level)];
  return layOut(p, texts, { base: "", open: "[", close: "]", isList: true }, level);
}

function weakEntries(p, v, level, isMap) {
  const { 0: items } = k.previewIterator(v);
  const { out, left } = collect(p, isMap ? items.length / 2 : items.length, (count, add) => {
    for (let i = 0; i < count; i++) {
      if (!isMap) add(p.value(items[i], level));
      else add(`${p.value(items[i * 2], level)} => ${p.value(items[i * 2 + 1], level)}`);
    }
  });
  if (!p.sorted) sort(out); // the collection has no order of its own
  addRemaining(out, left);
  return out;
}

const weakSetEntries = (p, v, level) => weakEntries(p, v, level, false);
const weakMapEntries = (p, v, level) => weakEntries(p, v, level, true);
const unknownEntries = (p) => [p.stylize("<items unknown>", "special")];

// ---- buffers, promises, modules

const HEX = "0123456789abcdef";

function byteEntries(p, v) {
  let bytes;
  try {
    bytes = new Uint8Array(v);
  } catch {
    return [p.stylize("(detached)", "special")];
  }
  const length = k.typedArrayLength(bytes);
  const count = shownCount(p, length);
  let text = "";
  for (let i = 0; i < count; i++) {
    text += `${i > 0 ? " " : ""}${HEX[bytes[i] >> 4]}${HEX[bytes[i] & 15]}`;
  }
  const left = length - p.maxArrayLength;
  if (left > 0) text += ` ... ${left} more byte${left > 1 ? "s" : ""}`;
  return [`${p.stylize("[Uint8Contents]", "special")}: <${text}>`];
}

function promiseEntries(p, v, level) {
  const { 0: state, 1: result } = k.promiseDetails(v);
  if (state === 0) return [p.stylize("<pending>", "special")];
  p.indentationLvl += 2;
  const text = p.value(result, level);
  p.indentationLvl -= 2;
  return [state === 2 ? `${p.stylize("<rejected>", "special")} ${text}` : text];
}

/** A binding of a module; reading one that is not initialised throws. */
function moduleProperty(p, v, key, level) {
  try {
    return p.property(v, key, level, false);
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return `${p.propertyName(key)}: ${p.stylize("<uninitialized>", "special")}`;
  }
}

Object.assign(exports, {
  arrayEntries,
  typedArrayEntries,
  setEntries,
  mapEntries,
  iteratorEntries,
  weakSetEntries,
  weakMapEntries,
  unknownEntries,
  byteEntries,
  promiseEntries,
  moduleProperty,
  hasOwn,
});
