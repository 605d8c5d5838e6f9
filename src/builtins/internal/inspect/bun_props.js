// internal/inspect/bun_props -- which properties the Bun flavour shows, and in which order.
//
// What is listed: own properties and then those of up to five prototypes below Object.prototype and
// Function.prototype, enumerable or not, except `constructor`. An accessor is never called; it is
// listed as one of the three markers below.
//
// An object without accessors and index keys is listed in the order in which its properties were
// made, symbols among strings ("table" walk); every other one with strings first ("names" walk).
// The two walks also differ in what they hide, see `takeTable` and `takeNames`.

const k = require("internal/inspect/kinds");
const { getPrototypeOf, getOwnPropertyDescriptor, ownKeys, hasOwn, setAdd, setHas } = k;
const { ObjectPrototype, FunctionPrototype, isIndexKey, kindOf, classNameOf } = k;

/** Stand-ins for accessors among the values. */
const GETTER = { text: "[Getter]" };
const SETTER = { text: "[Setter]" };
const GETTER_SETTER = { text: "[Getter/Setter]" };

/** Key of a method by which a built-in class prints itself; see bun_print.js. Never listed. */
const kPrint = Symbol.for("cob.print");

const MAX_PROTOTYPES = 5;

// Kinds whose own keys are not all in the property table.
const EXOTIC = {
  __proto__: null,
  Function: true,
  Array: true,
  String: true,
  TypedArray: true,
  Arguments: true,
  Error: true,
  RegExp: true,
  Proxy: true,
  Module: true,
  Global: true,
};

const isAccessor = (d) => !hasOwn(d, "value");

function markerOf(d) {
  if (d.get === undefined) return SETTER;
  return d.set === undefined ? GETTER : GETTER_SETTER;
}

/** Can `o` be listed from its property table? */
function hasPlainTable(o, keys) {
  if (EXOTIC[kindOf(o)] === true) return false;
  for (let i = 0; i < keys.length; i++) {
    if (keys[i] === "__proto__" || (i === 0 && isIndexKey(keys[i]))) return false;
    const d = getOwnPropertyDescriptor(o, keys[i]);
    if (d === undefined || isAccessor(d)) return false;
  }
  return true;
}

function inTableOrder(o, keys) {
  const n = keys.length;
  const isMixed = n > 1 && typeof keys[n - 1] === "symbol" && typeof keys[0] === "string";
  return isMixed && k.tableKeys !== undefined ? k.tableKeys(o) : keys;
}

class Listing {
  constructor(target) {
    this.target = target;
    this.keys = [];
    this.values = [];
    this.seen = new Set();
  }

  add(key, value) {
    setAdd(this.seen, key);
    this.keys[this.keys.length] = key;
    this.values[this.values.length] = value;
  }

  /** Table walk of one object. Returns whether it listed anything. */
  takeTable(o, keys) {
    const before = this.keys.length;
    const order = inTableOrder(o, keys);
    for (let i = 0; i < order.length; i++) {
      const key = order[i];
      if (key === "constructor" || key === Symbol.toStringTag || key === kPrint) continue;
      if (key === "__esModule" && o !== this.target) continue;
      if (setHas(this.seen, key)) continue;
      const d = getOwnPropertyDescriptor(o, key);
      if (d !== undefined) this.add(key, isAccessor(d) ? markerOf(d) : d.value);
    }
    return this.keys.length > before;
  }

  /** Names walk of one object. */
  takeNames(o, keys, isNonIndexed) {
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (key === "constructor" || key === kPrint) continue;
      if (isNonIndexed && (key === "length" || isIndexKey(key))) continue;
      if (setHas(this.seen, key)) continue;
      const d = findDescriptor(this.target, key);
      if (d === undefined) continue;
      if (!d.enumerable && isHiddenName(key)) continue;
      this.add(key, isAccessor(d) ? markerOf(d) : d.value);
    }
  }
}

const isHiddenName = (key) =>
  key === "__proto__" || key === "__esModule" || key === Symbol.toStringTag;

/** Descriptor of the property that `v[key]` would find. A Proxy on the chain is asked once. */
function findDescriptor(v, key) {
  for (let o = v; o !== null; o = getPrototypeOf(o)) {
    const d = getOwnPropertyDescriptor(o, key);
    if (d !== undefined) return d;
    if (classNameOf(o) === "ProxyObject") return undefined;
  }
  return undefined;
}

const isRoot = (o) => o === ObjectPrototype || o === FunctionPrototype;

function keysOrNone(o) {
  try {
    return ownKeys(o);
  } catch {
    return []; // a Proxy on the prototype chain whose trap throws
  }
}

function prototypeOrNull(o) {
  try {
    return getPrototypeOf(o);
  } catch {
    return null;
  }
}

/**
 * Lists the properties of an object.
 * @param {object} v Not a Proxy.
 * @returns {{keys: (string|symbol)[], values: unknown[]}} An accessor's value is a marker.
 */
function listProperties(v) {
  const list = new Listing(v);
  let o = v;
  let keys = ownKeys(v);
  let steps = 0;
  let isTable = hasPlainTable(o, keys);
  if (isTable && keys.length === 0) {
    o = prototypeOrNull(v);
    steps = 1;
    if (o === null) return list;
    keys = keysOrNone(o);
    isTable = hasPlainTable(o, keys);
  }
  while (isTable && !(o !== v && isRoot(o)) && list.takeTable(o, keys)) {
    o = prototypeOrNull(o);
    if (steps++ >= MAX_PROTOTYPES || o === null || isRoot(o)) return list;
    keys = keysOrNone(o);
    isTable = hasPlainTable(o, keys);
  }
  for (; o !== null && !isRoot(o) && steps < MAX_PROTOTYPES; steps++) {
    list.takeNames(o, keys, false);
    if (typeof o === "function") break;
    o = prototypeOrNull(o);
    if (o !== null) keys = keysOrNone(o);
  }
  return list;
}

/** Lists the own properties of an array that are no elements. */
function listNonIndexed(v) {
  const list = new Listing(v);
  list.takeNames(v, ownKeys(v), true);
  return list;
}

function compareKeys(a, b) {
  const x = typeof a === "symbol" ? (k.symbolDescription(a) ?? "") : a;
  const y = typeof b === "symbol" ? (k.symbolDescription(b) ?? "") : b;
  return x < y ? -1 : x > y ? 1 : 0;
}

const arraySort = k.uncurry(Array.prototype.sort);

/** Lists own properties only, ordered by name (option `sorted`). */
function listSorted(v) {
  const list = new Listing(v);
  list.takeNames(v, arraySort(ownKeys(v), compareKeys), false);
  return list;
}

Object.assign(exports, {
  GETTER,
  SETTER,
  GETTER_SETTER,
  kPrint,
  listProperties,
  listNonIndexed,
  listSorted,
});
