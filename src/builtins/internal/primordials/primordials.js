// internal/primordials -- private copies of the language's built-ins.
//
// Programs may replace any method of any prototype. Code that has to keep working, or to keep a
// secret, after that uses these copies. Names are those of Node's table: `ArrayIsArray` is
// Array.isArray, `ArrayPrototypePush(array, x)` calls the original push, `MapPrototypeGetSize` is
// an original getter. SafeMap and its kin carry their own methods, so `safe_map.get(k)` is immune.
//
// Making the table takes about a millisecond (binding a native function is slow), so nothing on
// the way to a hello world may require it: such a module takes the two or three copies that it
// needs itself. The list is explicit; add what you need to the row where it belongs.

const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } =
  Reflect;
const { bind, call } = Function.prototype;

/** Turns a method into a function that takes `this` as its first argument. */
const uncurryThis = bind.bind(call);

function upperFirst(name) {
  return name[0].toUpperCase() + name.slice(1);
}

/** Copies `names` of a namespace or constructor as `PrefixName`. */
function copyStatics(prefix, holder, names) {
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    exports[prefix + upperFirst(name)] = holder[name];
  }
}

/** The same with `this` bound, for statics that read it (Promise.resolve, Array.from). */
function copyBoundStatics(prefix, holder, names) {
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    exports[prefix + upperFirst(name)] = bind.call(holder[name], holder);
  }
}

/** Copies methods as `PrefixPrototypeName`, and getters as `PrefixPrototypeGetName`. */
function copyPrototype(prefix, proto, methods, getters) {
  for (const name of methods) {
    exports[`${prefix}Prototype${upperFirst(name)}`] = uncurryThis(proto[name]);
  }
  for (const name of getters || []) {
    const getter = getOwnPropertyDescriptor(proto, name).get;
    exports[`${prefix}PrototypeGet${upperFirst(name)}`] = uncurryThis(getter);
  }
}

/** A subclass whose prototype owns everything it offers. */
function makeSafe(Base, Safe) {
  const proto = Base.prototype;
  for (let i = 0, all = ownKeys(proto); i < all.length; i++) {
    const key = all[i];
    if (key === "constructor") continue;
    defineProperty(Safe.prototype, key, getOwnPropertyDescriptor(proto, key));
  }
  Object.setPrototypeOf(Safe.prototype, null);
  Object.freeze(Safe.prototype);
  Object.freeze(Safe);
  return Safe;
}

exports.uncurryThis = uncurryThis;
exports.FunctionPrototypeBind = uncurryThis(bind);
exports.FunctionPrototypeCall = uncurryThis(call);
exports.FunctionPrototypeToString = uncurryThis(Function.prototype.toString);
exports.FunctionPrototypeSymbolHasInstance = uncurryThis(Function.prototype[Symbol.hasInstance]);
exports.SymbolIterator = Symbol.iterator;
exports.SymbolAsyncIterator = Symbol.asyncIterator;
exports.SymbolToStringTag = Symbol.toStringTag;
exports.SymbolFor = Symbol.for;
exports.ObjectPrototype = Object.prototype;
exports.TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
exports.ReflectApply = apply;
exports.ReflectConstruct = construct;

copyStatics("Reflect", Reflect, [
  "defineProperty", "deleteProperty", "get", "getOwnPropertyDescriptor", "getPrototypeOf", "has",
  "ownKeys", "set", "setPrototypeOf",
]);
copyStatics("Object", Object, [
  "assign", "create", "defineProperties", "defineProperty", "entries", "freeze",
  "getOwnPropertyDescriptor", "getOwnPropertyNames", "getOwnPropertySymbols", "getPrototypeOf",
  "hasOwn", "is", "isExtensible", "keys", "setPrototypeOf", "values",
]);
copyPrototype("Object", Object.prototype, [
  "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toString",
]);
copyBoundStatics("Array", Array, ["from", "isArray", "of"]);
copyPrototype("Array", Array.prototype, [
  "concat", "fill", "filter", "find", "findIndex", "flat", "forEach", "includes", "indexOf",
  "join", "lastIndexOf", "map", "pop", "push", "reduce", "reverse", "shift", "slice", "some",
  "sort", "splice", "unshift",
]);
copyStatics("String", String, ["fromCharCode", "fromCodePoint"]);
copyPrototype("String", String.prototype, [
  "charAt", "charCodeAt", "codePointAt", "endsWith", "includes", "indexOf", "isWellFormed",
  "lastIndexOf", "padEnd", "padStart", "repeat", "slice", "startsWith", "substring",
  "toLowerCase", "toUpperCase", "toWellFormed", "trim",
]);
copyStatics("Math", Math, [
  "abs", "ceil", "floor", "fround", "max", "min", "pow", "round", "sign", "trunc",
]);
copyStatics("Number", Number, [
  "isFinite", "isInteger", "isNaN", "isSafeInteger", "MAX_SAFE_INTEGER", "MIN_SAFE_INTEGER",
  "parseFloat", "parseInt",
]);
copyStatics("JSON", JSON, ["parse", "stringify"]);
copyStatics("ArrayBuffer", ArrayBuffer, ["isView"]);
copyPrototype("ArrayBuffer", ArrayBuffer.prototype, ["slice"], [
  "byteLength", "detached", "maxByteLength", "resizable",
]);
copyPrototype("TypedArray", exports.TypedArrayPrototype, ["fill", "set", "slice", "subarray"], [
  "buffer", "byteLength", "byteOffset", "length",
]);
exports.TypedArrayPrototypeGetSymbolToStringTag = uncurryThis(
  getOwnPropertyDescriptor(exports.TypedArrayPrototype, Symbol.toStringTag).get,
);
copyPrototype("DataView", DataView.prototype, [], ["buffer", "byteLength", "byteOffset"]);
copyPrototype("RegExp", RegExp.prototype, ["exec", "test"], ["flags", "source"]);
copyPrototype("Map", Map.prototype, ["clear", "delete", "forEach", "get", "has", "set"], ["size"]);
copyPrototype("Set", Set.prototype, ["add", "clear", "delete", "forEach", "has"], ["size"]);
copyPrototype("WeakMap", WeakMap.prototype, ["delete", "get", "has", "set"]);
copyPrototype("Date", Date.prototype, ["getTime", "toISOString"]);
copyPrototype("Symbol", Symbol.prototype, ["toString"], ["description"]);
copyPrototype("Error", Error.prototype, ["toString"]);
copyBoundStatics("Promise", Promise, ["reject", "resolve", "withResolvers"]);
copyPrototype("Promise", Promise.prototype, ["then"]);

const kSafe = {
  __proto__: null,
  SafeMap: () => makeSafe(Map, class SafeMap extends Map {}),
  SafeSet: () => makeSafe(Set, class SafeSet extends Set {}),
  SafeWeakMap: () => makeSafe(WeakMap, class SafeWeakMap extends WeakMap {}),
  SafeWeakSet: () => makeSafe(WeakSet, class SafeWeakSet extends WeakSet {}),
  SafeWeakRef: () => makeSafe(WeakRef, class SafeWeakRef extends WeakRef {}),
  SafeFinalizationRegistry: () =>
    makeSafe(
      FinalizationRegistry,
      class SafeFinalizationRegistry extends FinalizationRegistry {},
    ),
};
for (const name in kSafe) exports[name] = kSafe[name]();
