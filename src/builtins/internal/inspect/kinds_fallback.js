// internal/inspect/kinds_fallback -- class names of objects on an engine build whose cells the host
// cannot read: found by calling what only works on one class. Slower, and blind to what has no such
// function (Proxies, module namespaces).

const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const getterOf = (proto, key) => uncurry(Object.getOwnPropertyDescriptor(proto, key).get);

const { isArray } = Array;
const { isError } = Error;
const { isView } = ArrayBuffer;
const toTag = uncurry(Object.prototype.toString);
const TypedArrayPrototype = Reflect.getPrototypeOf(Uint8Array.prototype);
const typedArrayTag = getterOf(TypedArrayPrototype, Symbol.toStringTag);

const PROBES = [
  ["Map", getterOf(Map.prototype, "size")],
  ["Set", getterOf(Set.prototype, "size")],
  ["Date", uncurry(Date.prototype.getTime)],
  ["RegExp", uncurry(RegExp.prototype.exec)],
  ["Number", uncurry(Number.prototype.valueOf)],
  ["String", uncurry(String.prototype.valueOf)],
  ["Boolean", uncurry(Boolean.prototype.valueOf)],
  ["Symbol", uncurry(Symbol.prototype.valueOf)],
  ["BigInt", uncurry(BigInt.prototype.valueOf)],
  ["WeakMap", uncurry(WeakMap.prototype.has)],
  ["WeakSet", uncurry(WeakSet.prototype.has)],
  ["WeakRef", uncurry(WeakRef.prototype.deref)],
  ["ArrayBuffer", getterOf(ArrayBuffer.prototype, "byteLength")],
];
if (typeof SharedArrayBuffer === "function") {
  PROBES[PROBES.length] = ["ArrayBuffer", getterOf(SharedArrayBuffer.prototype, "byteLength")];
}

const TAGS = {
  __proto__: null,
  "[object Arguments]": "Arguments",
  "[object Map Iterator]": "Map Iterator",
  "[object Set Iterator]": "Set Iterator",
  "[object Generator]": "Generator",
  "[object AsyncGenerator]": "AsyncGenerator",
  "[object String Iterator]": "String Iterator",
};

/**
 * @param {object} v
 * @param {(v: object) => unknown} promiseDetails
 * @returns {string} As classNameOf of kinds.js.
 */
exports.guessClassName = (v, promiseDetails) => {
  if (typeof v === "function") return "Function";
  if (isArray(v)) return "Array";
  if (isView(v)) return typedArrayTag(v) ?? "DataView";
  if (isError(v)) return "Error";
  for (let i = 0; i < PROBES.length; i++) {
    const { 0: name, 1: probe } = PROBES[i];
    try {
      probe(v);
      return name;
    } catch {
      // of another class
    }
  }
  if (promiseDetails(v) !== undefined) return "Promise";
  let tag = "";
  try {
    tag = toTag(v);
  } catch {
    // a getter for the tag that throws
  }
  return TAGS[tag] ?? "Object";
};
