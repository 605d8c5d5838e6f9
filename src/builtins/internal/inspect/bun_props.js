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
const { getPrototypeOf, getOwnPropertyDescriptor, ownKeys, hasOwn } = k;
const { ObjectPrototype, FunctionPrototype, isIndexKey, kindOf, classNameOf } = k;

/** Stand-ins for accessors among the values. */
const GETTER = { text: "[Getter]" };
const SETTER = { text: "[Setter]" };
const GETTER_SETTER = { text: "[Getter/Setter]" };

/** Key of a method by which a built-in class prints itself; see bun_print.js. Never listed. */
const kPrint = Symbol.for("cob.print");
const kTag = Symbol.toStringTag;

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

function markerOf(d) {
  if (d.get === undefined) return SETTER;
  return d.set === undefined ? GETTER : GETTER_SETTER;
}

const isHiddenName = (key) => key === "__proto__" || key === "__esModule" || key === kTag;
const isRoot = (o) => o === ObjectPrototype || o === FunctionPrototype;

// A list is { keys, values, seen }: `seen` has a key for each property listed so far, once a second
// object is looked at.

function add(list, key, value) {
  const n = list.keys.length;
  list.keys[n] = key;
  list.values[n] = value;
  if (list.seen !== undefined) list.seen[key] = true;
}

function isSeen(list, key) {
  if (list.seen === undefined) {
    if (list.keys.length === 0) return false;
    list.seen = { __proto__: null };
    for (let i = 0; i < list.keys.length; i++) list.seen[list.keys[i]] = true;
  }
  return list.seen[key] === true;
}

/**
 * Table walk of one object, all or nothing.
 * @returns {boolean | undefined} Whether it listed anything; undefined, with nothing listed, when
 *   the object cannot be listed from its table.
 */
function takeTable(list, target, o, keys) {
  if (EXOTIC[kindOf(o)] === true || isIndexKey(keys[0])) return undefined;
  const before = list.keys.length;
  const hasSymbols = typeof keys[keys.length - 1] === "symbol";
  const order = hasSymbols && k.native.tableKeys !== undefined ? k.native.tableKeys(o) : keys;
  for (let i = 0; i < order.length; i++) {
    const key = order[i];
    const d = getOwnPropertyDescriptor(o, key);
    if (d === undefined || !hasOwn(d, "value") || key === "__proto__") {
      list.keys.length = list.values.length = before;
      list.seen = undefined;
      return undefined;
    }
    if (key === "constructor" || key === kTag || key === kPrint) continue;
    if (o !== target && (key === "__esModule" || isSeen(list, key))) continue;
    add(list, key, d.value);
  }
  return list.keys.length > before;
}

/** Names walk of one object. */
function takeNames(list, target, keys, isNonIndexed, read = markerOf) {
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (key === "constructor" || key === kPrint) continue;
    if (isNonIndexed && (key === "length" || isIndexKey(key))) continue;
    if (isSeen(list, key)) continue;
    const d = findDescriptor(target, key);
    if (d === undefined || (!d.enumerable && isHiddenName(key))) continue;
    add(list, key, hasOwn(d, "value") ? d.value : read(d, target, key));
  }
}

const readAttribute = (d, target, key) =>
  require("internal/inspect/bun_web").readAttribute(target, key);

/** Puts a property at the beginning, from where it is now or as a new one. */
function putFirst(list, key, value) {
  const { keys, values } = list;
  let at = 0;
  while (at < keys.length && keys[at] !== key) at++;
  for (; at > 0; at--) {
    keys[at] = keys[at - 1];
    values[at] = values[at - 1];
  }
  keys[0] = key;
  values[0] = value;
}

/** Names walk of the prototype of an interface of the web; false, with nothing done, of others. */
function takeInterface(list, target, o) {
  const d = getOwnPropertyDescriptor(o, kTag);
  if (d === undefined || typeof d.value !== "string") return false;
  const web = require("internal/inspect/bun_web");
  const name = web.interfaceName(o);
  if (name === undefined) return false;
  takeNames(list, target, web.membersOf(o, name), false, readAttribute);
  const isTrusted = name === "Event" ? web.trustOf(target) : undefined;
  if (isTrusted !== undefined) putFirst(list, "isTrusted", isTrusted);
  return true;
}

/** Descriptor of the property that `v[key]` would find. A Proxy on the chain is asked once. */
function findDescriptor(v, key) {
  for (let o = v; o !== null; o = getPrototypeOf(o)) {
    const d = getOwnPropertyDescriptor(o, key);
    if (d !== undefined) return d;
    if (classNameOf(o) === "ProxyObject") return undefined;
  }
  return undefined;
}

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
  const list = { keys: [], values: [], seen: undefined };
  let o = v;
  let keys = ownKeys(v);
  let steps = 0;
  let found = takeTable(list, v, v, keys);
  if (found === true && getPrototypeOf(v) === ObjectPrototype) return list;
  if (found === false && keys.length === 0) {
    o = prototypeOrNull(v);
    steps = 1;
    if (o === null || isRoot(o)) return list;
    keys = keysOrNone(o);
    found = takeTable(list, v, o, keys);
  }
  while (found === true) {
    o = prototypeOrNull(o);
    if (steps++ >= MAX_PROTOTYPES || o === null || isRoot(o)) return list;
    keys = keysOrNone(o);
    found = takeTable(list, v, o, keys);
  }
  for (; o !== null && !isRoot(o) && steps < MAX_PROTOTYPES; steps++) {
    if (!takeInterface(list, v, o)) takeNames(list, v, keys, false);
    if (typeof o === "function") break;
    o = prototypeOrNull(o);
    if (o !== null) keys = keysOrNone(o);
  }
  return list;
}

/** Lists the own properties of an array that are no elements. */
function listNonIndexed(v, keys) {
  const list = { keys: [], values: [], seen: undefined };
  takeNames(list, v, keys, true);
  return list;
}

function ownAttribute(d, target, key) {
  if (key !== "isTrusted" && !hasOwn(target, kTag)) return markerOf(d);
  const own = require("internal/inspect/bun_web").ownAttribute(target, key, d);
  return own === undefined ? markerOf(d) : own.value;
}

function compareKeys(a, b) {
  const x = typeof a === "symbol" ? k.symbolDescription(a) : a;
  const y = typeof b === "symbol" ? k.symbolDescription(b) : b;
  return x < y ? -1 : x > y ? 1 : 0;
}

const arraySort = k.uncurry(Array.prototype.sort);

/** Lists own properties only, ordered by name (option `sorted`). */
function listSorted(v) {
  const list = { keys: [], values: [], seen: undefined };
  takeNames(list, v, arraySort(ownKeys(v), compareKeys), false, ownAttribute);
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
