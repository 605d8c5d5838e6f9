// internal/inspect/slots -- reads the insides of objects of the language, and tells them from their
// prototypes. Exports everything of kinds.js too.

const core = require("internal/inspect/kinds");
const { uncurry, getPrototypeOf, getOwnPropertyDescriptor, hasOwn, classNameOf } = core;
const { fnToString, isNativeSource, native: host } = core;

const getterOf = (proto, key) => uncurry(getOwnPropertyDescriptor(proto, key).get);

const { keys: keysOf } = Object;
const { isArray } = Array;
const { isView } = ArrayBuffer;

const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const objToString = uncurry(Object.prototype.toString);
const isEnumerable = uncurry(Object.prototype.propertyIsEnumerable);
const mapSize = getterOf(Map.prototype, "size");
const setSize = getterOf(Set.prototype, "size");
const mapForEach = uncurry(Map.prototype.forEach);
const setForEach = uncurry(Set.prototype.forEach);
const setAdd = uncurry(Set.prototype.add);
const setHas = uncurry(Set.prototype.has);
const setDelete = uncurry(Set.prototype.delete);
const mapGet = uncurry(Map.prototype.get);
const mapSet = uncurry(Map.prototype.set);
const typedArrayTag = getterOf(TypedArrayPrototype, Symbol.toStringTag);
const typedArrayLength = getterOf(TypedArrayPrototype, "length");
const bufferLength = getterOf(ArrayBuffer.prototype, "byteLength");
const sharedLength =
  typeof SharedArrayBuffer === "function"
    ? getterOf(SharedArrayBuffer.prototype, "byteLength")
    : () => {
        throw new TypeError("no SharedArrayBuffer");
      };
const viewLength = getterOf(DataView.prototype, "byteLength");
const viewOffset = getterOf(DataView.prototype, "byteOffset");
const viewBuffer = getterOf(DataView.prototype, "buffer");
const weakRefDeref = uncurry(WeakRef.prototype.deref);
const dateGetTime = uncurry(Date.prototype.getTime);
const dateToISO = uncurry(Date.prototype.toISOString);
const dateToString = uncurry(Date.prototype.toString);
const regexpToString = uncurry(RegExp.prototype.toString);
const errorToString = uncurry(Error.prototype.toString);
const numberValue = uncurry(Number.prototype.valueOf);
const stringValue = uncurry(String.prototype.valueOf);
const booleanValue = uncurry(Boolean.prototype.valueOf);
const symbolValue = uncurry(Symbol.prototype.valueOf);
const bigintValue = uncurry(BigInt.prototype.valueOf);
const symbolToString = uncurry(Symbol.prototype.toString);
const startsWith = uncurry(String.prototype.startsWith);
const join = uncurry(Array.prototype.join);

const { promiseDetails } = host;

const mapIterator = uncurry(Map.prototype.entries);
const setIterator = uncurry(Set.prototype.values);
const mapNext = uncurry(mapIterator(new Map()).next);
const setNext = uncurry(setIterator(new Set()).next);

/**
 * What a Map or Set iterator has yet to give, flat, and whether these are keys and values in turn;
 * the iterator does not advance. Of a WeakMap or WeakSet, whose entries cannot be known, it is
 * [[], false]. Undefined for other values.
 */
function previewIterator(v) {
  const kind = classNameOf(v);
  if (kind === "WeakMap" || kind === "WeakSet") return [[], false];
  const isMap = kind === "Map Iterator";
  const fresh = isMap ? mapIterator(new Map()) : setIterator(new Set());
  const isPairs = host.copyIterator(v, fresh);
  if (isPairs === undefined) return undefined;
  const entries = [];
  for (;;) {
    const { done, value } = isMap ? mapNext(fresh) : setNext(fresh);
    if (done) return [entries, isPairs];
    if (isPairs) {
      entries[entries.length] = value[0];
      entries[entries.length] = value[1];
    } else entries[entries.length] = value;
  }
}

function iteratorSlot(v, fresh) {
  if (host.copyIterator(v, fresh) === undefined) throw new TypeError("prototype");
}

/** True when `read(v)` does not throw: the test for an internal slot. */
function hasSlot(read, v) {
  try {
    read(v);
    return true;
  } catch {
    return false;
  }
}

// Engine class names which a prototype object shares with its instances, and the slot that tells.
const SLOTS = {
  __proto__: null,
  Map: mapSize,
  Set: setSize,
  WeakRef: weakRefDeref,
  ArrayBuffer: (v) => (hasSlot(bufferLength, v) ? 0 : sharedLength(v)),
  DataView: viewBuffer,
  Symbol: symbolValue,
  BigInt: bigintValue,
  RegExp: regexpSourceSlot,
  Promise: (v) => promiseDetails(v)[0],
  "Map Iterator": (v) => iteratorSlot(v, mapIterator(new Map())),
  "Set Iterator": (v) => iteratorSlot(v, setIterator(new Set())),
  WeakMap: uncurry(WeakMap.prototype.has),
  WeakSet: uncurry(WeakSet.prototype.has),
  Generator: (v) => hasOwnNext(v),
  AsyncGenerator: (v) => hasOwnNext(v),
};

function regexpSourceSlot(v) {
  if (!hasOwn(v, "lastIndex")) throw new TypeError("prototype");
}

/** The two generator prototypes carry `constructor`; generator objects have no own properties. */
function hasOwnNext(v) {
  if (hasOwn(v, "constructor") && hasOwn(v, Symbol.toStringTag)) throw new TypeError("prototype");
}

/** The kind of an object whose class has the given name and is none of the plain ones. */
function kindOfClass(v, name) {
  const read = SLOTS[name];
  if (read !== undefined) return hasSlot(read, v) ? name : "Object";
  if (name === "JSGlobalProxy" || name === "GlobalObject") return "Global";
  if (isView(v)) return "TypedArray";
  return name;
}

/** True for `class` syntax and for constructors of the engine, which print alike. */
function isClass(f) {
  if (f === Proxy) return true;
  const prototype = getOwnPropertyDescriptor(f, "prototype");
  if (prototype === undefined || prototype.writable !== false) return false;
  const source = fnToString(f);
  if (startsWith(source, "class")) return true;
  return f !== Promise && isNativeSource(source);
}

Object.assign(exports, core, {
  objToString,
  isEnumerable,
  mapSize,
  setSize,
  mapForEach,
  setForEach,
  setAdd,
  setHas,
  setDelete,
  mapGet,
  mapSet,
  typedArrayTag,
  typedArrayLength,
  bufferLength,
  sharedLength,
  viewLength,
  viewOffset,
  viewBuffer,
  dateGetTime,
  dateToISO,
  dateToString,
  regexpToString,
  errorToString,
  numberValue,
  stringValue,
  booleanValue,
  symbolValue,
  bigintValue,
  symbolToString,
  startsWith,
  join,
  previewIterator,
  hasSlot,
  kindOfClass,
  isClass,
  isArray,
  isView,
  keysOf,
  promiseDetails,
});
