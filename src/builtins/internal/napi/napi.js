// internal/napi -- native add-ons: process.dlopen, and what src/napi leaves to JavaScript.
//
// `helpers` are called by src/napi, in the order of its enum NapiJs.  They take what it has checked
// and use copies of the built-ins, so that a program's changes to those do not matter.

const { freeze, seal, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } =
  Object;
const { ownKeys } = Reflect;
const hasOwn = Object.prototype.hasOwnProperty;
const { call, bind } = Function.prototype;
const uncurry = bind.bind(call);
const hasOwnProperty = uncurry(hasOwn);
const push = uncurry(Array.prototype.push);
const getTime = uncurry(Date.prototype.getTime);
const bigintToString = uncurry(BigInt.prototype.toString);
const transfer = uncurry(ArrayBuffer.prototype.transfer);
const { for: symbolFor, keyFor } = Symbol;
const getter = (proto, name) => uncurry(getOwnPropertyDescriptor(proto, name).get);
const viewProto = getPrototypeOf(Uint8Array.prototype);
const bufferOfArray = getter(viewProto, "buffer");
const offsetOfArray = getter(viewProto, "byteOffset");
const bufferOfView = getter(DataView.prototype, "buffer");
const offsetOfView = getter(DataView.prototype, "byteOffset");
const isView = ArrayBuffer.isView;
const tagOfArray = getter(viewProto, Symbol.toStringTag);
const { Object: ObjectOf, Symbol: SymbolOf, BigInt: BigIntOf } = globalThis;

const WRITABLE = 1;
const ENUMERABLE = 2;
const CONFIGURABLE = 4;
const ERRORS = [Error, TypeError, RangeError, SyntaxError];
// In the order of napi_typedarray_type.
const ARRAYS = [
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
  Float32Array, Float64Array, BigInt64Array, BigUint64Array, Float16Array,
];

// ---- Properties
// ------------------------------------------------------------------------------------

function define(object, key, value, flags) {
  defineProperty(object, key, {
    __proto__: null,
    value,
    writable: (flags & WRITABLE) !== 0,
    enumerable: (flags & ENUMERABLE) !== 0,
    configurable: (flags & CONFIGURABLE) !== 0,
  });
  return true;
}

function defineAccessor(object, key, get, set, flags) {
  defineProperty(object, key, {
    __proto__: null,
    get,
    set,
    enumerable: (flags & ENUMERABLE) !== 0,
    configurable: (flags & CONFIGURABLE) !== 0,
  });
  return true;
}

const INDEX_MAX = 4294967295;
const KEY_WRITABLE = 1;
const KEY_ENUMERABLE = 2;
const KEY_CONFIGURABLE = 4;
const KEY_SKIP_STRINGS = 8;
const KEY_SKIP_SYMBOLS = 16;

function isWanted(object, key, filter) {
  if (filter & (typeof key === "symbol" ? KEY_SKIP_SYMBOLS : KEY_SKIP_STRINGS)) return false;
  if ((filter & (KEY_WRITABLE | KEY_ENUMERABLE | KEY_CONFIGURABLE)) === 0) return true;
  const descriptor = getOwnPropertyDescriptor(object, key);
  if (descriptor === undefined) return false;
  if (filter & KEY_WRITABLE && !descriptor.writable) return false;
  if (filter & KEY_ENUMERABLE && !descriptor.enumerable) return false;
  return !(filter & KEY_CONFIGURABLE) || descriptor.configurable;
}

function keys(object, isOwn, filter, keepsNumbers) {
  const seen = new Set();
  const list = [];
  for (let at = object; at !== null; at = isOwn ? null : getPrototypeOf(at)) {
    for (const key of ownKeys(at)) {
      if (seen.has(key)) continue;
      seen.add(key);
      if (!isWanted(at, key, filter)) continue;
      const index = keepsNumbers && typeof key === "string" ? key >>> 0 : INDEX_MAX;
      push(list, index !== INDEX_MAX && `${index}` === key ? index : key);
    }
  }
  return list;
}

// ---- Values
// ----------------------------------------------------------------------------------------

function makeError(kind, message, code) {
  const error = new ERRORS[kind](message);
  if (code !== undefined) error.code = code;
  return error;
}

/** An object as `new target` makes it. */
function newObject(target) {
  const proto = target.prototype;
  const object = {};
  if (proto !== null && (typeof proto === "object" || typeof proto === "function")) {
    setPrototypeOf(object, proto);
  }
  return object;
}

const FastBuffer = require("node:buffer").Buffer[Symbol.species];

function makeBuffer(buffer, offset, length) {
  return new FastBuffer(buffer, offset, length);
}

const isArray = (view) => tagOfArray(view) !== undefined;

function detach(buffer) {
  try {
    transfer(buffer);
    return true;
  } catch {
    return false;
  }
}

function makeBigInt(hex, isNegative) {
  const value = BigIntOf(`0x${hex}`);
  return isNegative ? -value : value;
}

const registry = new FinalizationRegistry((id) => native.died(id));
const kept = new WeakMap();

exports.helpers = [
  define,
  defineAccessor,
  keys,
  hasOwnProperty,
  freeze,
  seal,
  (description) => SymbolOf(description),
  (description) => symbolFor(description),
  makeError,
  (type, buffer, offset, length) => new ARRAYS[type](buffer, offset, length),
  (buffer, offset, length) => new DataView(buffer, offset, length),
  makeBuffer,
  (view) => (isArray(view) ? bufferOfArray(view) : bufferOfView(view)),
  (view) => (isArray(view) ? offsetOfArray(view) : offsetOfView(view)),
  detach,
  makeBigInt,
  (value) => bigintToString(value, 16),
  (time) => new Date(time),
  getTime,
  (object, id) => registry.register(object, id),
  (object, id) => kept.set(object, id),
  (object) => kept.get(object),
  (value) => ObjectOf(value),
  (length) => new Array(length),
  newObject,
  (length) => new SharedArrayBuffer(length),
  (buffer) => require("web/messaging").markAsUntransferable(buffer),
  (symbol) => keyFor(symbol),
  new FastBuffer(0),
];

// ---- Loading
// ---------------------------------------------------------------------------------------

/** process.dlopen(module, filename[, flags]) */
exports.dlopen = function dlopen(module, filename, flags = 1) {
  const { validateObject, validateInteger } = require("internal/validators");
  validateObject(module, "module");
  if (typeof filename !== "string") {
    const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
    throw new ERR_INVALID_ARG_TYPE("filename", "string", filename);
  }
  validateInteger(flags, "flags");
  const url = require("node:url").pathToFileURL(filename).href;
  const given = module.exports;
  const exports = native.load(filename, url, flags, given);
  if (exports !== given) module.exports = exports;
};
