// web/structured_clone/writer -- walks a value and writes the tokens of its clone.

const { isMadePlatformObject } = require("internal/webidl/interface");
const { resizeBuffer } = require("web/structured_clone/reader");
const { ERROR_NAMES, OP } = require("web/structured_clone/tokens");

const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, keys } = Object;
const ObjectPrototype = Object.prototype;

// What kindOf says, see structured_clone.c.
const NONE = 0;
const ARRAY = 2;
const MAP = 3;
const SET = 4;
const DATE = 5;
const REGEXP = 6;
const ERROR = 7;
const BOXED = 8;
const BUFFER = 9;
const SHARED_BUFFER = 10;
const VIEW = 11;
const WASM_MODULE = 12;

// Arrays that are longer may be mostly holes, which must not be counted one by one.
const SPARSE_MIN = 1 << 24;

/**
 * A class of Cob's whose objects can be cloned has a method under this key: it returns its name
 * in web/structured_clone/classes and what the clone is made of.
 */
const { kClone } = require("web/structured_clone/clone_key");

const { call } = Function.prototype;
const uncurry = (fn) => call.bind(fn);
const getterOf = (proto, name) => uncurry(getOwnPropertyDescriptor(proto, name).get);
const kViewPrototype = getPrototypeOf(Uint8Array.prototype);
const viewTag = getterOf(kViewPrototype, Symbol.toStringTag);
const viewBuffer = getterOf(kViewPrototype, "buffer");
const viewOffset = getterOf(kViewPrototype, "byteOffset");
const viewLength = getterOf(kViewPrototype, "length");
const viewSize = getterOf(kViewPrototype, "byteLength");
const viewKeys = uncurry(kViewPrototype.keys);
const dataBuffer = getterOf(DataView.prototype, "buffer");
const dataOffset = getterOf(DataView.prototype, "byteOffset");
const dataSize = getterOf(DataView.prototype, "byteLength");
const bufferSize = getterOf(ArrayBuffer.prototype, "byteLength");
const bufferMax = getterOf(ArrayBuffer.prototype, "maxByteLength");
const isResizable = getterOf(ArrayBuffer.prototype, "resizable");
const isDetached = getterOf(ArrayBuffer.prototype, "detached");
const sliceBuffer = uncurry(ArrayBuffer.prototype.slice);
const mapForEach = uncurry(Map.prototype.forEach);
const setForEach = uncurry(Set.prototype.forEach);
const timeOf = uncurry(Date.prototype.getTime);
const sourceOf = getterOf(RegExp.prototype, "source");
const flagsOf = getterOf(RegExp.prototype, "flags");
const unboxers = [Boolean, Number, String, BigInt].map((Class) =>
  uncurry(Class.prototype.valueOf),
);

const { get: mapGet, set: mapSet } = Map.prototype;
const NewMap = Map;

/** A Map that does not look for its methods where the program can change them. */
function makeMap() {
  const map = new NewMap();
  map.get = mapGet;
  map.set = mapSet;
  return map;
}

/** What worker_threads.markAsUncloneable() was given; null until it is called. */
let uncloneable = null;

function cloneError(message) {
  const { DOMException } = require("web/exception");
  return new DOMException(message, "DataCloneError");
}

function cannotClone(value) {
  if (typeof value === "function" || typeof value === "symbol") {
    return cloneError(`${String(value)} could not be cloned.`);
  }
  if (require("web/messaging").isPort(value)) {
    return cloneError(
      "Object that needs transfer was found in message but not listed in transferList",
    );
  }
  let name;
  try {
    name = value.constructor?.name;
  } catch {
    // The program's own trouble.
  }
  return cloneError(`#<${typeof name === "string" ? name : "Object"}> could not be cloned.`);
}

/** The primitive inside a Boolean, Number, String or BigInt object. */
function unbox(value) {
  for (let i = 0; i < unboxers.length; i++) {
    const valueOf = unboxers[i];
    try {
      return valueOf(value);
    } catch {
      // Another of the four.
    }
  }
  throw cannotClone(value);
}

/** { isData, offset, size, length } of a view; throws when it is out of bounds or detached. */
function measureView(value, tag) {
  try {
    if (tag === undefined) {
      const size = dataSize(value);
      return { isData: true, offset: dataOffset(value), size, length: size };
    }
    viewKeys(value);
    const size = viewSize(value);
    return { isData: false, offset: viewOffset(value), size, length: viewLength(value) };
  } catch {
    throw cloneError("A view is out of bounds or detached and could not be cloned.");
  }
}

/**
 * Does the length of a view follow its buffer? The language does not tell, so the buffer gets
 * another size for a moment: too small for what the view shows, or larger when it shows nothing.
 */
function isTracking(value, tag, buffer, { offset, size }) {
  const total = bufferSize(buffer);
  if (!isResizable(buffer)) return false;
  const unit = tag === undefined ? 1 : value.BYTES_PER_ELEMENT;
  const wanted = size > 0 ? offset + size - 1 : offset + unit;
  if (total - offset - size >= unit || wanted > bufferMax(buffer)) return false;
  const tail = sliceBuffer(buffer, Math.min(wanted, total), total);
  resizeBuffer(buffer, wanted);
  let follows = false;
  try {
    if (tag === undefined) dataSize(value);
    else viewKeys(value);
    follows = (tag === undefined ? dataSize(value) : viewSize(value)) !== size;
  } catch {
    // A view of fixed length is out of bounds now.
  }
  resizeBuffer(buffer, total);
  new Uint8Array(buffer, total - tail.byteLength).set(new Uint8Array(tail));
  return follows;
}

let plainShapes;

/** The shapes of arrays that have elements and nothing else. */
function findPlainShapes(shapeOf) {
  const samples = [[], [1], [1.5], ["a"], new Array(4), new Array(4).fill(1)];
  for (let i = 0, all = [1, 1.5, {}]; i < all.length; i++) {
    const first = all[i];
    const array = [];
    array.push(first);
    samples.push(array);
  }
  const shapes = [];
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i];
    const shape = shapeOf(sample);
    if (shape !== 0 && !shapes.includes(shape)) shapes.push(shape);
  }
  return shapes;
}

class Writer {
  tokens = [];
  #native;
  #kindOf;
  #seen = makeMap();
  #n_seen = 0;
  #transfers;

  /** `transfers` is null or maps an object to its place in the transfer list. */
  constructor(native, transfers) {
    this.#native = native;
    this.#kindOf = native.kindOf;
    this.#transfers = transfers;
  }

  write(value) {
    if (typeof value !== "object" || value === null) {
      if (typeof value === "symbol" || typeof value === "function") throw cannotClone(value);
      this.tokens.push(value);
      return;
    }
    const seen = this.#seen;
    const id = seen.get(value);
    if (id !== undefined) {
      this.tokens.push(OP.SEEN, id);
      return;
    }
    seen.set(value, this.#n_seen++);
    this.#writeObject(value, this.#kindOf(value));
  }

  #writeObject(value, kind) {
    const { tokens } = this;
    if (uncloneable !== null && kind < BUFFER && uncloneable.has(value)) throw cannotClone(value);
    switch (kind) {
      case NONE: this.#writeEnv(value); break;
      case ARRAY: this.#writeArray(value); break;
      case MAP: this.#writeMap(value); break;
      case SET: this.#writeSet(value); break;
      case DATE: tokens.push(OP.DATE, timeOf(value)); break;
      case REGEXP: tokens.push(OP.REGEXP, sourceOf(value), flagsOf(value)); break;
      case ERROR: this.#writeError(value); break;
      case BOXED: tokens.push(OP.BOXED, unbox(value)); break;
      case BUFFER: this.#writeBuffer(value); break;
      case SHARED_BUFFER: tokens.push(OP.SHARED, value); break;
      case WASM_MODULE: tokens.push(OP.WASM, value); break;
      case VIEW: this.#writeView(value); break;
      default: this.#writePlain(value);
    }
  }

  /** Own enumerable string keys, each with its value; END behind the last. */
  #writeProperties(value, names) {
    const { tokens } = this;
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      const member = value[name];
      // A getter of another property may have deleted this one.
      if (member === undefined && !hasOwn(value, name)) continue;
      if (typeof member === "string" || typeof member === "number") {
        tokens.push(name, member);
      } else {
        tokens.push(name);
        this.write(member);
      }
    }
    tokens.push(OP.END);
  }

  /** process.env is cloned, unlike other proxies. */
  #writeEnv(value) {
    const env = require("internal/process_env").targetOf(value);
    if (env === undefined) throw cannotClone(value);
    this.tokens.push(OP.OBJECT);
    this.#writeProperties(env, keys(env));
  }

  #writeCustom(value) {
    const clone = value[kClone];
    if (typeof clone !== "function") return false;
    const { 0: name, 1: data } = clone.call(value);
    this.tokens.push(OP.CUSTOM, name, data);
    return true;
  }

  #writePlain(value) {
    const proto = getPrototypeOf(value);
    if (proto !== ObjectPrototype && proto !== null) {
      const place = this.#transfers?.get(value); // a port
      if (place !== undefined) {
        this.tokens.push(OP.TRANSFER, place);
        return;
      }
      if (this.#writeCustom(value)) return;
      if (isMadePlatformObject(value)) throw cannotClone(value);
    }
    this.tokens.push(OP.OBJECT);
    this.#writeProperties(value, keys(value));
  }

  /** Has the array own properties beside its elements? Listing them is slow, so ask its shape. */
  #isPlainArray(value) {
    const { shapeOf } = this.#native;
    plainShapes ??= findPlainShapes(shapeOf);
    const shape = shapeOf(value);
    for (let i = 0; i < plainShapes.length; i++) if (plainShapes[i] === shape) return true;
    return false;
  }

  #writeArray(value) {
    const { tokens } = this;
    const { length } = value;
    if (length > SPARSE_MIN || !this.#isPlainArray(value)) {
      const names = keys(value);
      if (names.length !== length || (length > 0 && names[length - 1] !== `${length - 1}`)) {
        tokens.push(OP.SPARSE, length);
        this.#writeProperties(value, names);
        return;
      }
    }
    tokens.push(OP.ARRAY, length);
    for (let i = 0; i < length; i++) {
      const item = value[i];
      if (typeof item === "number" || typeof item === "string") tokens.push(item);
      else if (item === undefined && !hasOwn(value, i)) tokens.push(OP.HOLE);
      else this.write(item);
    }
  }

  #writeMap(value) {
    const entries = [];
    mapForEach(value, (member, key) => entries.push(key, member));
    this.tokens.push(OP.MAP, entries.length);
    for (let i = 0; i < entries.length; i++) this.write(entries[i]);
  }

  #writeSet(value) {
    const items = [];
    setForEach(value, (item) => items.push(item));
    this.tokens.push(OP.SET, items.length);
    for (let i = 0; i < items.length; i++) this.write(items[i]);
  }

  #writeError(value) {
    const { tokens } = this;
    const { cloneData, isDOMException } = require("web/exception");
    if (isDOMException(value)) {
      tokens.push(OP.CUSTOM, "DOMException", cloneData(value));
      return;
    }
    const { name } = value;
    const known = name !== undefined && ERROR_NAMES.has(`${name}`) ? `${name}` : "Error";
    const message = getOwnPropertyDescriptor(value, "message");
    const text = message !== undefined && "value" in message ? `${message.value}` : undefined;
    const { stack } = value;
    const hasCause = hasOwn(value, "cause");
    tokens.push(OP.ERROR, known, text, typeof stack === "string" ? stack : undefined, hasCause);
    if (hasCause) this.write(value.cause);
  }

  #writeBuffer(value) {
    const { tokens } = this;
    const place = this.#transfers?.get(value);
    if (place !== undefined) {
      tokens.push(OP.TRANSFER, place);
      return;
    }
    if (isDetached(value)) throw cloneError("An ArrayBuffer is detached and could not be cloned.");
    const max = isResizable(value) ? bufferMax(value) : -1;
    tokens.push(OP.BUFFER, sliceBuffer(value, 0, bufferSize(value)), max);
  }

  #writeView(value) {
    const tag = viewTag(value);
    const measure = measureView(value, tag);
    const buffer = measure.isData ? dataBuffer(value) : viewBuffer(value);
    const isShared = this.#kindOf(buffer) === SHARED_BUFFER;
    const follows = !isShared && isTracking(value, tag, buffer, measure);
    this.tokens.push(OP.VIEW, tag ?? "DataView", measure.offset, follows ? -1 : measure.length);
    this.write(buffer);
  }
}

exports.Writer = Writer;
exports.kClone = kClone;
exports.markAsUncloneable = (object) => {
  uncloneable ??= new WeakSet();
  uncloneable.add(object);
};
exports.cloneError = cloneError;
