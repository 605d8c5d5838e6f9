// internal/inspect/kinds -- what a value is, without running its code.
//
// Both printers ask the questions of this file and nothing else about the identity of a value. It
// keeps its own copies of the intrinsics that it relies on, so that a program which has replaced
// `Map.prototype.has` or `Array.prototype.join` still gets its objects printed.
//
// This is what plain objects and arrays need; the first console.log of an object loads it. What
// reads the insides of other objects is in slots.js.
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
 * @property {(v: object) => number} [shapeOf] Optional. The same for objects with the same
 *   prototype and own properties, elements left out; 0 when it cannot be told.
 * @property {(f: Function) => string} [displayName] Optional. The name that a function has in its
 *   source, whatever `f.name` has become; "" when it has none. Without it the source text is read.
 */

const { getPrototypeOf, getOwnPropertyDescriptor, ownKeys, apply } = Reflect;
const { hasOwn } = Object;
const { stringify } = JSON;
const ObjectPrototype = Object.prototype;
const FunctionPrototype = Function.prototype;

/** A function that takes `this` as its first argument. (`bind` takes several times as long.) */
const uncurry =
  (f) =>
  (self, ...args) =>
    apply(f, self, args);

const slice = uncurry(String.prototype.slice);
const regexpExec = uncurry(RegExp.prototype.exec);
const fnToString = uncurry(FunctionPrototype.toString);
const descriptionOf = uncurry(getOwnPropertyDescriptor(Symbol.prototype, "description").get);

/** Description of a symbol, "" when it has none. */
const symbolDescription = (symbol) => descriptionOf(symbol) ?? "";

/** Target and handler of a Proxy, both null once it is revoked; undefined for other values. */
function proxyDetails(v) {
  const details = native.proxyDetails(v);
  if (details === undefined || (details[0] && details[1])) return details;
  return [null, null];
}

/** Is it the namespace of a module? */
const isNamespace = (v) => require("internal/util/brands").isNamespace(v);

const classNameOf = native.classNameOf([]) === "Array" ? native.classNameOf : guessClassName;

/** Without the engine's own names. */
function guessClassName(v) {
  if (proxyDetails(v) !== undefined) return "ProxyObject";
  return require("internal/inspect/kinds_fallback").guessClassName(v, native.promiseDetails);
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
  if (name === "ProxyObject") return "Proxy";
  if (typeof v === "function") return "Function";
  if (name === "Object" || name === "Array" || name === "Error" || name === "Function") return name;
  return require("internal/inspect/slots").kindOfClass(v, name);
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

const HUGE_LIST = 1e5; // the engine stores the elements of such arrays in another way
const bareShapes = { usual: undefined, huge: undefined };

function shapesOf(samples) {
  const shapes = { __proto__: null };
  for (let i = 0; i < samples.length; i++) shapes[native.shapeOf(samples[i])] = true;
  delete shapes[0];
  return shapes;
}

/** The shapes of lists that have elements and nothing else, by kind of element. */
function usualShapes() {
  const samples = [[], [1], [1.5], ["a"], new Array(4), new Array(4).fill(1)];
  for (let i = 0, all = [1, 1.5, {}]; i < all.length; i++) {
    const first = all[i];
    const array = [];
    array.push(first);
    samples.push(array);
  }
  for (let i = 0, all = ["Int8", "Uint8", "Uint8Clamped", "Int16", "Uint16", "Int32", "Uint32",
    "Float16", "Float32", "Float64", "BigInt64", "BigUint64"]; i < all.length; i++) {
    const name = all[i];
    const { [`${name}Array`]: Class } = globalThis;
    if (typeof Class === "function") samples.push(new Class(1));
  }
  samples.push(require("node:buffer").Buffer.alloc(1));
  return shapesOf(samples);
}

/**
 * Has an array or typed array of `length` elements surely no other property?  For long ones: to
 * list a million indexes takes a second.
 */
function isBareList(v, length) {
  if (native.shapeOf === undefined) return false;
  const shape = native.shapeOf(v);
  bareShapes.usual ??= usualShapes();
  if (bareShapes.usual[shape] === true) return true;
  if (length <= HUGE_LIST) return false;
  bareShapes.huge ??= shapesOf([new Array(HUGE_LIST + 1)]);
  return bareShapes.huge[shape] === true;
}

Object.assign(exports, {
  native,
  isBareList,
  uncurry,
  getPrototypeOf,
  getOwnPropertyDescriptor,
  ownKeys,
  apply,
  hasOwn,
  stringify,
  slice,
  regexpExec,
  fnToString,
  symbolDescription,
  ObjectPrototype,
  FunctionPrototype,
  className,
  classNameOf,
  proxyDetails,
  isNamespace,
  kindOf,
  ownData,
  functionName,
  inheritedData,
  isIndexKey,
  isNativeSource,
});
