// internal/inspect/node_names -- what util.inspect calls an object, and the properties of
// prototypes that it lists with option showHidden.

const k = require("internal/inspect/slots");
const { setOf } = require("internal/set_of");
const { getPrototypeOf, getOwnPropertyDescriptor, ownKeys, hasOwn, setHas, setAdd } = k;

const lastIndexOf = k.uncurry(String.prototype.lastIndexOf);
const hasInstance = k.uncurry(Function.prototype[Symbol.hasInstance]);

const LAYERS_MAX = 3;

/** Names of the constructors of the language, as far as Node counts them in. */
const BUILT_IN = setOf(
  (
    "Object Function Array Number NaN Infinity Boolean String Symbol Date Promise RegExp Error " +
    "AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError JSON Math " +
    "Intl ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array " +
    "Int32Array Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array " +
    "DataView Map BigInt Set Iterator WeakMap WeakSet WeakRef Proxy Reflect " +
    "FinalizationRegistry WebAssembly"
  ).split(" "),
);
const isBuiltIn = (name) => setHas(BUILT_IN, name);

/** Prototypes whose `constructor` may have been changed: their true constructors. */
const WELL_KNOWN = new Map();
const TypedArray = getPrototypeOf(Uint8Array);
for (let i = 0, all = [
  Array,
  ArrayBuffer,
  Function,
  Map,
  Set,
  Object,
  TypedArray,
  RegExp,
  Date,
  DataView,
  Error,
  AggregateError,
  RangeError,
  TypeError,
  Boolean,
  Number,
  String,
  Promise,
  WeakMap,
  WeakSet,
]; i < all.length; i++) {
  const c = all[i];
  WELL_KNOWN.set(c.prototype, { constructor: c, name: c.name });
}

function isInstance(v, constructor) {
  try {
    return v instanceof constructor;
  } catch {
    return false;
  }
}

/** A name for an object whose constructors are of no use: tag, inherited constructor, class. */
function lastName(v) {
  const tag = k.inheritedData(v, Symbol.toStringTag);
  if (typeof tag === "string") return tag;
  const proto = getPrototypeOf(v);
  const constructor = proto === null ? undefined : k.inheritedData(proto, "constructor");
  const name = typeof constructor === "function" ? k.functionName(constructor) : "";
  if (name !== "") return name;
  const engine = k.classNameOf(v);
  return engine === "Prototype" ? "Object" : engine;
}

/**
 * The name of the constructor that made `v`, "X <Y>" where only a prototype further up has one,
 * null without prototypes.
 * @param {string[]} [protoEntries] Gets the printed properties of user-made prototypes.
 */
function constructorNameOf(p, v, level, protoEntries) {
  let first;
  for (let o = v; o !== null; o = getPrototypeOf(o)) {
    if (o !== v && first === undefined) first = o;
    const known = k.mapGet(WELL_KNOWN, o);
    if (known !== undefined && hasInstance(known.constructor, v)) {
      if (protoEntries !== undefined && first !== o) {
        addPrototypes(p, v, first ?? v, level, protoEntries);
      }
      return known.name;
    }
    const constructor = getOwnPropertyDescriptor(o, "constructor")?.value;
    if (typeof constructor !== "function") continue;
    const { name } = constructor;
    if (name === "" || !isInstance(v, constructor)) continue;
    if (protoEntries !== undefined && (first !== o || !isBuiltIn(name))) {
      addPrototypes(p, v, first ?? v, level, protoEntries);
    }
    return `${name}`;
  }
  if (first === undefined) return null;
  return complexName(p, v, first, level, protoEntries);
}

function complexName(p, v, first, level, protoEntries) {
  const name = lastName(v);
  if (p.isTooDeep(level)) return `${name} <Complex prototype>`;
  const parent = constructorNameOf(p, first, level + 1, protoEntries);
  if (parent !== null) return `${name} <${parent}>`;
  const { inspect } = require("internal/inspect");
  const options = { ...p.optionsForUser(false), customInspect: false, depth: -1 };
  return `${name} <${inspect(first, options)}>`;
}

/** Prints what up to three prototypes that are not built in add to `v`, methods left out. */
function addPrototypes(p, v, start, level, out) {
  const seen = new Set();
  let o = start;
  for (let layer = 0; layer < LAYERS_MAX; layer++) {
    if (layer > 0 || v === start) {
      o = getPrototypeOf(o);
      if (o === null) return;
      const constructor = getOwnPropertyDescriptor(o, "constructor")?.value;
      if (typeof constructor === "function" && isBuiltIn(constructor.name)) return;
    }
    addPrototype(p, v, o, level, { out, seen });
  }
}

function addPrototype(p, v, o, level, { out, seen }) {
  const keys = ownKeys(o);
  const wasOpen = setHas(p.open, v);
  setAdd(p.open, v);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (key === "constructor" || hasOwn(v, key) || setHas(seen, key)) continue;
    const d = getOwnPropertyDescriptor(o, key);
    if (typeof d.value === "function") continue;
    const text = p.property(o, key, level, false, d, v);
    out[out.length] = p.colors ? `\x1b[2m${text}\x1b[22m` : text;
  }
  for (let i = 0; i < keys.length; i++) setAdd(seen, keys[i]);
  if (!wasOpen) k.setDelete(p.open, v);
}

/**
 * What stands before the bracket, with a space after it.
 * @param {string|null} constructor
 * @param {string} tag
 * @param {string} fallback Type to name when there is no constructor.
 * @param {string} [size] "(3)"
 */
function prefixOf(constructor, tag, fallback, size = "") {
  if (constructor === null) {
    const type = `[${fallback}${size}: null prototype] `;
    return tag !== "" && fallback !== tag ? `${type}[${tag}] ` : type;
  }
  if (tag === "") return `${constructor}${size} `;
  const dot = lastIndexOf(tag, ".");
  const last = dot >= 1 ? k.slice(tag, dot + 1) : tag;
  return constructor === last ? `${tag}${size} ` : `${constructor}${size} [${tag}] `;
}

Object.assign(exports, { constructorNameOf, lastName, prefixOf, isBuiltIn });
