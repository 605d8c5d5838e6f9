// internal/util/types -- the questions of util.types, and how to read what they find (Node:
// util.types). The engine answers them: what a program does to prototypes and tags changes nothing.

const k = require("internal/inspect/slots");
const { classNameOf, kindOfClass } = k;

const { isView } = ArrayBuffer;
const isObject = (v) => typeof v === "object" && v !== null;

/** A test for objects whose engine class is `name`; prototype objects are none. */
const ofClass = (name) => (v) =>
  isObject(v) && classNameOf(v) === name && kindOfClass(v, name) === name;

/** A test for functions whose engine class is one of the names. */
const ofFunctionClass =
  (...names) =>
  (v) =>
    typeof v === "function" && names.includes(classNameOf(v));

/** Name of the class of a typed array; undefined for other values, also DataViews. */
const typedArrayName = (v) => (isView(v) ? k.typedArrayTag(v) : undefined);

const isBuffer = (v) => isObject(v) && classNameOf(v) === "ArrayBuffer";
const kUnbox = {
  __proto__: null,
  Number: k.numberValue,
  String: k.stringValue,
  Boolean: k.booleanValue,
  Symbol: k.symbolValue,
  BigInt: k.bigintValue,
};

/** "Number", "String", ... for a boxed primitive; undefined for other values. */
function boxName(v) {
  if (!isObject(v)) return undefined;
  const name = classNameOf(v);
  const unbox = kUnbox[name];
  return unbox !== undefined && k.hasSlot(unbox, v) ? name : undefined;
}

const boxed = (name) => (v) => boxName(v) === name;
const typed = (name) => (v) => isView(v) && k.typedArrayTag(v) === name;
const brands = () => require("internal/util/brands");

exports.typedArrayName = typedArrayName;
exports.boxName = boxName;
/** The primitive in a boxed one. */
exports.unbox = (v) => kUnbox[classNameOf(v)](v);
/** The time of a Date. */
exports.dateTime = k.dateGetTime;

// The public functions, in Node's order.
exports.types = {
  isExternal: ofClass("NapiExternal"),
  isDate: ofClass("Date"),
  isArgumentsObject: ofClass("Arguments"),
  isBigIntObject: boxed("BigInt"),
  isBooleanObject: boxed("Boolean"),
  isNumberObject: boxed("Number"),
  isStringObject: boxed("String"),
  isSymbolObject: boxed("Symbol"),
  isBoxedPrimitive: (v) => boxName(v) !== undefined,
  isNativeError: (v) => isObject(v) && classNameOf(v) === "Error",
  isRegExp: ofClass("RegExp"),
  isAsyncFunction: ofFunctionClass(
    "AsyncFunction", "JSAsyncGeneratorFunction", "AsyncGeneratorFunction",
  ),
  isGeneratorFunction: ofFunctionClass(
    "GeneratorFunction", "JSAsyncGeneratorFunction", "AsyncGeneratorFunction",
  ),
  isGeneratorObject: (v) => ofClass("Generator")(v) || ofClass("AsyncGenerator")(v),
  isPromise: (v) => isObject(v) && k.promiseDetails(v) !== undefined,
  isMap: ofClass("Map"),
  isSet: ofClass("Set"),
  isMapIterator: ofClass("Map Iterator"),
  isSetIterator: ofClass("Set Iterator"),
  isWeakMap: ofClass("WeakMap"),
  isWeakSet: ofClass("WeakSet"),
  isArrayBuffer: (v) => isBuffer(v) && k.hasSlot(k.bufferLength, v),
  isDataView: (v) => isView(v) && k.typedArrayTag(v) === undefined,
  isSharedArrayBuffer: (v) => isBuffer(v) && k.hasSlot(k.sharedLength, v),
  isProxy: (v) =>
    (isObject(v) || typeof v === "function") && k.native.proxyDetails(v) !== undefined &&
    !brands().isNamespace(v),
  isModuleNamespaceObject: (v) => isObject(v) && brands().isNamespace(v),
  isAnyArrayBuffer: (v) =>
    isBuffer(v) && (k.hasSlot(k.bufferLength, v) || k.hasSlot(k.sharedLength, v)),
  isCryptoKey: (v) => isObject(v) && brands().isCryptoKey(v),
  isKeyObject: (v) => isObject(v) && brands().isKeyObject(v),
  isArrayBufferView: (v) => isView(v),
  isTypedArray: (v) => typedArrayName(v) !== undefined,
  isUint8Array: typed("Uint8Array"),
  isUint8ClampedArray: typed("Uint8ClampedArray"),
  isUint16Array: typed("Uint16Array"),
  isUint32Array: typed("Uint32Array"),
  isInt8Array: typed("Int8Array"),
  isInt16Array: typed("Int16Array"),
  isInt32Array: typed("Int32Array"),
  isFloat16Array: typed("Float16Array"),
  isFloat32Array: typed("Float32Array"),
  isFloat64Array: typed("Float64Array"),
  isBigInt64Array: typed("BigInt64Array"),
  isBigUint64Array: typed("BigUint64Array"),
};
for (let i = 0, all = Object.keys(exports.types); i < all.length; i++) {
  const name = all[i];
  Object.defineProperty(exports.types[name], "name", { value: name });
}
