// internal/inspect/kinds -- what a value is, without running its code.
//
// Both printers ask the questions of this file and nothing else about the identity of a value. It
// keeps its own copies of the intrinsics that it relies on, so that a program which has replaced
// `Map.prototype.has` or `Array.prototype.join` still gets its objects printed.
//
// Natives (kinds.c). None of them runs JavaScript or throws:
/**
 * @typedef {object} KindsNative
 * @property {(v: object) => string} classNameOf Name of the engine's own class of a cell, never
 *   affected by the program: "Object", "Array", "Function", "Error", "Map", "Set", "WeakMap",
 *   "WeakSet", "WeakRef", "Promise", "Date", "RegExp", "Arguments", "Number", "String", "Boolean",
 *   "Symbol", "BigInt", "ArrayBuffer", "DataView", "Uint8Array" ..., "Map Iterator",
 *   "Set Iterator", "Generator", "AsyncGenerator", "ProxyObject", "Module", "JSGlobalProxy" ...
 * @property {(v: object) => [object|null, object|null] | undefined} proxyDetails Target and handler
 *   of a Proxy (one of them null once it is revoked), undefined when `v` is no Proxy.
 * @property {(v: object) => [0|1|2, unknown] | undefined} promiseDetails State (0 pending,
 *   1 fulfilled, 2 rejected) and result of a Promise, undefined when `v` is no Promise.
 * @property {(source: object, fresh: object) => boolean | undefined} copyIterator Puts a fresh Map
 *   or Set iterator where `source` stands and tells whether it gives pairs; undefined when `source`
 *   is no such iterator.
 * @property {(v: object) => (string|symbol)[]} [tableKeys] Optional. Own non-index keys in the
 *   order of creation, strings and symbols mixed. Without it symbols come after strings.
 * @property {(f: Function) => string} [displayName] Optional. The name that a function has in its
 *   source, whatever `f.name` has become; "" when it has none. Without it the source text is read.
 */

const { getPrototypeOf, getOwnPropertyDescriptor, ownKeys, apply } = Reflect;

/** A function that takes `this` as its first argument. (`bind` takes several times as long.) */
const uncurry = (f) => (self, ...args) => apply(f, self, args);
const getterOf = (proto, key) => uncurry(Object.getOwnPropertyDescriptor(proto, key).get);

const { hasOwn, keys: keysOf } = Object;
const { isArray } = Array;
const { isView } = ArrayBuffer;

const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const fnToString = uncurry(Function.prototype.toString);
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
const symbolDescription = getterOf(Symbol.prototype, "description");
const startsWith = uncurry(String.prototype.startsWith);
const slice = uncurry(String.prototype.slice);
const join = uncurry(Array.prototype.join);
const regexpExec = uncurry(RegExp.prototype.exec);
const stringify = JSON.stringify;

const ObjectPrototype = Object.prototype;
const FunctionPrototype = Function.prototype;

const { promiseDetails } = native;

/** Target and handler of a Proxy, both null once it is revoked; undefined for other values. */
function proxyDetails(v) {
  const details = native.proxyDetails(v);
  if (details === undefined || (details[0] && details[1])) return details;
  return [null, null];
}

const classNameOf = native.classNameOf([]) === "Array" ? native.classNameOf : guessClassName;

/** Without the engine's own names. */
function guessClassName(v) {
  if (proxyDetails(v) !== undefined) return "ProxyObject";
  return require("internal/inspect/kinds_fallback").guessClassName(v, promiseDetails);
}

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
  const isPairs = native.copyIterator(v, fresh);
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
  if (native.copyIterator(v, fresh) === undefined) throw new TypeError("prototype");
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

/**
 * The kind of an object or function: the engine's class name, except that a prototype object which
 * only borrows the name is "Object", every callable is "Function", "JSGlobalProxy" is "Global" and
 * "ProxyObject" is "Proxy".
 * @param {object} v
 * @returns {string}
 */
function kindOf(v) {
  const name = classNameOf(v);
  if (name === "Object") return typeof v === "function" ? "Function" : "Object";
  if (name === "ProxyObject") return "Proxy";
  if (typeof v === "function") return "Function";
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

const NATIVE_SOURCE = /\{\s+\[native code\]\s+\}$/;
function isNativeSource(source) {
  return regexpExec(NATIVE_SOURCE, source) !== null;
}

/** Own data property of any key, or undefined; never runs a getter or a Proxy trap. */
function ownData(v, key) {
  const d = getOwnPropertyDescriptor(v, key);
  return d !== undefined && hasOwn(d, "value") ? d.value : undefined;
}

const SOURCE_NAME = /^(?:async\s+)?(?:function\s*\*?|class)\s*([\w$]+)/;

/**
 * The name to print for a function: where it can be known, the one in the source. A method whose
 * key is a symbol has none.
 */
function functionName(f) {
  const inSource = native.displayName === undefined ? declaredName(f) : native.displayName(f);
  if (inSource !== "") return inSource;
  const name = ownData(f, "name");
  if (typeof name !== "string" || name === "") return "";
  return name[0] !== "[" || isNativeSource(fnToString(f)) ? name : "";
}

function declaredName(f) {
  const m = regexpExec(SOURCE_NAME, fnToString(f));
  return m === null || m[1] === "extends" ? "" : m[1];
}

/** Data property found along the prototype chain without running code, else undefined. */
function inheritedData(v, key) {
  for (let i = 0, o = v; o !== null && i < 1000; i++, o = getPrototypeOf(o)) {
    if (classNameOf(o) === "ProxyObject") return undefined;
    const d = getOwnPropertyDescriptor(o, key);
    if (d !== undefined) return hasOwn(d, "value") ? d.value : undefined;
  }
  return undefined;
}

/** What the engine would call the class of `v`, looking at `constructor` and the tag. */
function className(v) {
  const own = ownConstructor(v);
  let name = own === undefined ? undefined : functionName(own);
  if (name === undefined) {
    const proto = getPrototypeOf(v);
    const inherited = proto === null ? undefined : inheritedData(proto, "constructor");
    if (typeof inherited === "function") name = functionName(inherited);
  }
  if (name !== undefined && name !== "Object") return name;
  const tag = inheritedData(v, Symbol.toStringTag);
  if (typeof tag === "string") return tag;
  const engine = classNameOf(v);
  return engine === "Prototype" ? "Object" : engine;
}

function ownConstructor(v) {
  const d = getOwnPropertyDescriptor(v, "constructor");
  return d !== undefined && typeof d.value === "function" ? d.value : undefined;
}

const isIndexKey = (key) => {
  if (typeof key !== "string" || key.length === 0 || key.length > 10) return false;
  const n = +key;
  return n >>> 0 === n && n !== 4294967295 && `${n}` === key;
};

Object.assign(exports, {
  uncurry,
  getPrototypeOf,
  getOwnPropertyDescriptor,
  ownKeys,
  apply,
  isArray,
  isView,
  fnToString,
  objToString,
  hasOwn,
  keysOf,
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
  symbolDescription,
  startsWith,
  slice,
  join,
  regexpExec,
  stringify,
  ObjectPrototype,
  FunctionPrototype,
  className,
  classNameOf,
  proxyDetails,
  promiseDetails,
  previewIterator,
  hasSlot,
  kindOf,
  isClass,
  ownData,
  functionName,
  inheritedData,
  isIndexKey,
  tableKeys: native.tableKeys,
});
