// internal/deep_equal -- deep equality with the meaning of node:assert and util.isDeepStrictEqual.
//
// Four modes: LOOSE (assert.deepEqual), STRICT (deepStrictEqual), SHAPE (STRICT without looking at
// prototypes) and PARTIAL (partialDeepStrictEqual: `a` may have more than `b`).
//
// Circles are found by keeping the objects that are being compared: when both of a pair are among
// them already, they are equal so far. Few values are deep, so a short list is looked through.
// Sets, maps and what they contain are in internal/deep_equal/collections.

const { setOf } = require("internal/set_of");
const { types, typedArrayName, boxName, unbox, dateTime } = require("internal/util/types");

const LOOSE = 0;
const PARTIAL = 1;
const STRICT = 2;
const SHAPE = 3;
const LIST_MAX = 24; // longer ones have a set beside them

const { getPrototypeOf, hasOwn, is, keys: keysOf, getOwnPropertySymbols } = Object;
const { getOwnPropertyDescriptor, ownKeys } = Reflect;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const toTag = Function.prototype.call.bind(Object.prototype.toString);
const isEnumerable = Function.prototype.call.bind(Object.prototype.propertyIsEnumerable);
const kTag = Symbol.toStringTag;

class Context {
  constructor(mode) {
    this.mode = mode;
    this.list = []; // what is being compared, left and right in turn
    this.set = undefined;
  }

  has(object) {
    return this.set === undefined ? this.list.includes(object) : this.set.has(object);
  }

  push(a, b) {
    this.list.push(a, b);
    if (this.set !== undefined) this.set.add(a).add(b);
    else if (this.list.length > LIST_MAX) this.set = setOf(this.list);
  }

  pop(a, b) {
    this.list.length -= 2;
    if (this.set === undefined) return;
    this.set.delete(a);
    this.set.delete(b);
  }
}

/** Are two values equal in the mode of `ctx`? */
function equal(a, b, ctx) {
  if (a === b) return a !== 0 || ctx.mode === LOOSE || is(a, b);
  const isObjectA = typeof a === "object" && a !== null;
  const isObjectB = typeof b === "object" && b !== null;
  if (isObjectA && isObjectB) return equalObjects(a, b, ctx);
  const areNaN = a !== a && b !== b;
  if (ctx.mode !== LOOSE) return areNaN;
  return !isObjectA && !isObjectB && (areNaN || a == b);
}

// ---- What two objects are -----------------------------------------------------------------------

function sameClass(a, b) {
  if (getPrototypeOf(a) === getPrototypeOf(b)) return true;
  const { constructor } = a;
  return constructor !== undefined && constructor === b.constructor && !hasOwn(a, "constructor");
}

function sameTag(a, b) {
  // The global object has a tag of its own in Node.
  if (a === globalThis || b === globalThis) return a === b;
  const tagA = a[kTag];
  const tagB = b[kTag];
  if (tagA !== undefined && tagB !== undefined) return tagA === tagB;
  return toTag(a) === toTag(b);
}

const isError = (v) => types.isNativeError(v) || v instanceof Error;

/** What `a` is, as far as it matters here: the name of a function in `comparers`. */
function kindOf(a) {
  if (isArray(a)) return "array";
  if (a[kTag] === undefined && toTag(a) === "[object Object]") return "plain";
  if (types.isSet(a)) return "set";
  if (types.isMap(a)) return "map";
  if (isView(a)) return "view";
  if (types.isDate(a)) return "date";
  if (types.isRegExp(a)) return "regexp";
  if (types.isAnyArrayBuffer(a)) return "buffer";
  return "other";
}

function equalObjects(a, b, ctx) {
  if (ctx.mode === STRICT && !sameClass(a, b)) return false;
  return comparers[kindOf(a)](a, b, ctx);
}

const fits = (sizeA, sizeB, ctx) => sizeA === sizeB || (ctx.mode === PARTIAL && sizeA > sizeB);

/** Float arrays: 0 and -0 are equal in LOOSE mode, and NaN is not equal to itself. */
function sameFloats(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const bytesOf = (v) =>
  isView(v) ? new Uint8Array(v.buffer, v.byteOffset, v.byteLength) : new Uint8Array(v);

/** Are the bytes of `b` among those of `a`, in order? */
function containsBytes(a, b) {
  const all = bytesOf(a);
  const wanted = bytesOf(b);
  let found = 0;
  for (let i = 0; i < all.length && found < wanted.length; i++) {
    if (all[i] === wanted[found]) found++;
  }
  return found === wanted.length;
}

function sameContent(a, b, ctx) {
  if (ctx.mode === PARTIAL && a.byteLength !== b.byteLength) {
    return a.byteLength > b.byteLength && containsBytes(a, b);
  }
  return native.sameBytes(a, b);
}

const comparers = {
  __proto__: null,
  array(a, b, ctx) {
    if (!isArray(b) || !fits(a.length, b.length, ctx) || a[kTag] !== b[kTag]) return false;
    return compareElements(a, b, ctx, equalElements);
  },
  plain: (a, b, ctx) => sameTag(a, b) && compareProperties(a, b, ctx, undefined),
  set(a, b, ctx) {
    if (!types.isSet(b) || !fits(a.size, b.size, ctx) || a[kTag] !== b[kTag]) return false;
    const { equalSets } = require("internal/deep_equal/collections");
    return compareProperties(a, b, ctx, equalSets);
  },
  map(a, b, ctx) {
    if (!types.isMap(b) || !fits(a.size, b.size, ctx) || a[kTag] !== b[kTag]) return false;
    const { equalMaps } = require("internal/deep_equal/collections");
    return compareProperties(a, b, ctx, equalMaps);
  },
  view(a, b, ctx) {
    if (!isView(b) || typedArrayName(a) !== typedArrayName(b)) return false;
    const isFloat = types.isFloat64Array(a) || types.isFloat32Array(a) || types.isFloat16Array(a);
    const same = isFloat && ctx.mode === LOOSE ? sameFloats(a, b) : sameContent(a, b, ctx);
    return same && compareElements(a, b, ctx, undefined);
  },
  date(a, b, ctx) {
    if (!types.isDate(b) || a[kTag] !== b[kTag]) return false;
    return is(dateTime(a), dateTime(b)) && compareProperties(a, b, ctx, undefined);
  },
  regexp(a, b, ctx) {
    if (!types.isRegExp(b) || a[kTag] !== b[kTag]) return false;
    if (a.source !== b.source || a.flags !== b.flags || a.lastIndex !== b.lastIndex) return false;
    return compareProperties(a, b, ctx, undefined);
  },
  buffer(a, b, ctx) {
    if (!types.isAnyArrayBuffer(b) || a[kTag] !== b[kTag]) return false;
    return sameContent(a, b, ctx) && compareProperties(a, b, ctx, undefined);
  },
  other(a, b, ctx) {
    if (!sameTag(a, b) || (kindOf(b) !== "other" && kindOf(b) !== "plain")) return false;
    return sameSpecial(a, b, ctx) && compareProperties(a, b, ctx, undefined);
  },
};

/** Errors, boxed primitives and other objects whose content is not in their properties. */
function sameSpecial(a, b, ctx) {
  if (isError(a)) return sameErrors(a, b, ctx);
  if (types.isBoxedPrimitive(a)) return types.isBoxedPrimitive(b) && sameBoxes(a, b);
  const isUrl = (v) => require("internal/util/brands").isURL(v);
  if (typeof a.href === "string" && isUrl(a)) return isUrl(b) && a.href === b.href;
  if (types.isKeyObject(a)) return types.isKeyObject(b) && a.equals(b);
  if (types.isCryptoKey(a)) return false; // two keys are never the same key
  if (types.isBoxedPrimitive(b) || isError(b)) return false;
  return !types.isWeakMap(a) && !types.isWeakSet(a) && !types.isPromise(a);
}

function sameBoxes(a, b) {
  const kind = boxName(a);
  return kind === boxName(b) && is(unbox(a), unbox(b));
}

/** Properties of errors count although they are not enumerable; enumerable ones come later. */
function sameErrorPart(a, b, name, ctx) {
  if (hasOwn(b, name) && isEnumerable(b, name)) return true;
  if (ctx.mode === PARTIAL) {
    if (b[name] === undefined || (name === "message" && b[name] === "")) return true;
  }
  return equal(a[name], b[name], ctx);
}

function sameErrors(a, b, ctx) {
  if (!isError(b)) return false;
  for (let i = 0, all = ["message", "name", "cause", "errors"]; i < all.length; i++) {
    const name = all[i];
    if (!sameErrorPart(a, b, name, ctx)) return false;
  }
  const hasCause = hasOwn(b, "cause");
  return hasCause === hasOwn(a, "cause") || (ctx.mode === PARTIAL && !hasCause);
}

// ---- Properties ---------------------------------------------------------------------------------

function addSymbols(object, keys) {
  const symbols = getOwnPropertySymbols(object);
  for (let i = 0; i < symbols.length; i++) {
    if (isEnumerable(object, symbols[i])) keys[keys.length] = symbols[i];
  }
}

let isBareList;

/** Own enumerable keys of an array or view that are no indices. */
function namedKeys(v, ctx) {
  // Spares listing the indices of those that have nothing else.
  isBareList ??= require("internal/inspect/kinds").isBareList;
  if (isBareList(v, v.length)) return [];
  return ownKeys(v).filter(
    (key) =>
      isNamed(key) && (typeof key === "string" || ctx.mode !== LOOSE) && isEnumerable(v, key),
  );
}

function isNamed(key) {
  if (typeof key === "symbol") return true;
  const n = +key;
  return key !== "length" && !(n >>> 0 === n && n !== 4294967295 && `${n}` === key);
}

function compareElements(a, b, ctx, rest) {
  const keys = namedKeys(b, ctx);
  if (ctx.mode !== PARTIAL && keys.length !== namedKeys(a, ctx).length) return false;
  if (keys.length === 0 && (rest === undefined || b.length === 0)) return true;
  return guarded(a, b, keys, rest, ctx);
}

/** The enumerable properties of both, then `rest`. */
function compareProperties(a, b, ctx, rest) {
  const keys = keysOf(b);
  if (ctx.mode === PARTIAL) {
    addSymbols(b, keys);
  } else {
    const own = keysOf(a);
    if (own.length !== keys.length) return false;
    if (ctx.mode !== LOOSE) {
      addSymbols(a, own);
      addSymbols(b, keys);
      if (own.length !== keys.length) return false;
    }
  }
  if (keys.length === 0 && (rest === undefined || b.size === 0)) return true;
  return guarded(a, b, keys, rest, ctx);
}

/** Goes one level down, unless `a` or `b` is met again on the way. */
function guarded(a, b, keys, rest, ctx) {
  const isSeen = ctx.has(a);
  if (isSeen || ctx.has(b)) return isSeen && ctx.has(b);
  ctx.push(a, b);
  const isEqual = equalParts(a, b, keys, rest, ctx);
  ctx.pop(a, b);
  return isEqual;
}

function equalParts(a, b, keys, rest, ctx) {
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const own = getOwnPropertyDescriptor(a, key);
    if (own === undefined || !own.enumerable) return false;
    if (!equal(own.get === undefined ? own.value : a[key], b[key], ctx)) return false;
  }
  return rest === undefined || rest(a, b, ctx);
}

const isHole = (array, i) => array[i] === undefined && !hasOwn(array, i);

function equalElements(a, b, ctx) {
  if (ctx.mode === PARTIAL) return containsElements(a, b, ctx);
  for (let i = 0; i < a.length; i++) {
    const x = a[i];
    const y = b[i];
    if (y === undefined && !hasOwn(b, i)) return equalSparse(a, b, i, ctx);
    // A hole is equal to a hole only; in LOOSE mode a null does for it.
    if (x === undefined && y !== undefined && !(ctx.mode === LOOSE && y === null)) return false;
    if (y === undefined && isHole(a, i)) return false;
    if (!equal(x, y, ctx)) return false;
  }
  return true;
}

/** Arrays with holes, from the key with number `from` on. */
function equalSparse(a, b, from, ctx) {
  const keys = keysOf(b);
  if (keys.length !== keysOf(a).length) return false;
  for (let i = from; i < keys.length; i++) {
    if (isHole(a, keys[i]) || !equal(a[keys[i]], b[keys[i]], ctx)) return false;
  }
  return true;
}

/** Are the elements of `b` among those of `a`, in order? Holes are passed over. */
function containsElements(a, b, ctx) {
  const isSparse =
    b.some === undefined || keysOf(b).length < b.length || keysOf(a).length < a.length;
  const left = isSparse ? keysOf(a).map((key) => a[key]) : a;
  const right = isSparse ? keysOf(b).map((key) => b[key]) : b;
  let at = 0;
  for (let i = 0; i < right.length; i++, at++) {
    while (at < left.length && !equal(left[at], right[i], ctx)) at++;
    if (left.length - at < right.length - i) return false;
  }
  return true;
}

// ---- Entrances ----------------------------------------------------------------------------------

const start = (a, b, mode) => equal(a, b, new Context(mode));

Object.assign(exports, { LOOSE, PARTIAL, STRICT, SHAPE, equal, namedKeys });
exports.isDeepEqual = (a, b) => start(a, b, LOOSE);
exports.isDeepStrictEqual = (a, b, skipPrototype) => start(a, b, skipPrototype ? SHAPE : STRICT);
exports.isPartialStrictEqual = (a, b) => start(a, b, PARTIAL);
