// internal/inspect/node_shapes -- how util.inspect begins and ends each kind of object.
//
// shapeOf gives a finished string for what has no entries, or a shape:
//   constructorName  as printed, null without a prototype
//   name()           prefix with its trailing space, for [Name] when it is too deep
//   base, open, close, isList, list      see node_layout.js
//   entries(p, v, level)                 printed entries that are no properties
//   extraKeys, keys, property            what follows them
//   protoEntries                         printed properties of prototypes (showHidden)

const k = require("internal/inspect/slots");
const style = require("internal/inspect/node_style");
const { shownKeysOf, extraKeysOf } = require("internal/inspect/node_print");
const { constructorNameOf, lastName, prefixOf } = require("internal/inspect/node_names");
const lists = require("internal/inspect/node_lists");

const { getPrototypeOf, hasOwn, isEnumerable, slice, startsWith, regexpExec } = k;

const lastOf = k.uncurry(String.prototype.at);
const indexOf = k.uncurry(String.prototype.indexOf);
const toLowerCase = k.uncurry(String.prototype.toLowerCase);

const plainProperty = (p, v, key, level) => p.property(v, key, level, false);
const listProperty = (p, v, key, level) => p.property(v, key, level, true);

/** The tag to print: own tags that are listed as properties are not. */
function tagOf(p, v) {
  let tag;
  try {
    tag = v[Symbol.toStringTag];
  } catch {
    return "";
  }
  if (typeof tag !== "string" || tag === "") return "";
  const isListed = p.showHidden
    ? hasOwn(v, Symbol.toStringTag)
    : isEnumerable(v, Symbol.toStringTag);
  return isListed ? "" : tag;
}

function shapeOf(p, v, level, isInTypedArray) {
  const protoEntries = p.showHidden && !p.isTooDeep(level) ? [] : undefined;
  const name = constructorNameOf(p, v, level, protoEntries);
  const tag = tagOf(p, v);
  const shape = {
    constructorName: name,
    tag,
    name: () => prefixOf(name, tag, name === null ? fallbackName(v, tag) : ""),
    base: "",
    open: "{",
    close: "}",
    isList: false,
    list: undefined,
    entries: undefined,
    extraKeys: undefined,
    keys: undefined,
    property: plainProperty,
    protoEntries: protoEntries?.length > 0 ? protoEntries : undefined,
    isInTypedArray,
  };
  const kind = kindOf(v);
  if (name === null || Symbol.iterator in v) {
    const make = ITERABLES[kind];
    if (make !== undefined) return make(p, v, shape);
  }
  shape.keys = shownKeysOf(v, p.showHidden);
  if (kind === "Function") return functionShape(p, v, shape);
  if (name === "Object") return plainShape(v, shape, kind);
  const make = OTHERS[kind];
  if (make !== undefined) return make(p, v, shape, level);
  if (name === "URL" && typeof v.href === "string" && !p.isTooDeep(level)) {
    return withBase(shape, v.href);
  }
  return objectShape(v, shape);
}

function kindOf(v) {
  const kind = errorKind(v) ?? k.kindOf(v);
  return kind === "Proxy" && k.isNamespace(v) ? "Module" : kind;
}

/** "Error" for errors and for what only inherits from Error.prototype. */
function errorKind(v) {
  if (typeof v === "function") return undefined;
  if (k.kindOf(v) === "Error") return "Error";
  return isInstance(v, Error) ? "Error" : undefined;
}

function isInstance(v, constructor) {
  try {
    return k.apply(Function.prototype[Symbol.hasInstance], constructor, [v]);
  } catch {
    return false;
  }
}

function fallbackName(v, tag) {
  const name = lastName(v);
  return name === tag ? "Object" : name;
}

const isBare = (shape) => shape.keys.length === 0 && shape.protoEntries === undefined;

/** A shape whose text is complete when there are no properties. */
function withBase(shape, base, finish) {
  if (isBare(shape)) return finish === undefined ? base : finish(base);
  shape.base = base;
  return shape;
}

function plainShape(v, shape, kind) {
  if (kind === "Arguments") shape.open = "[Arguments] {";
  else if (shape.tag !== "") shape.open = `${prefixOf("Object", shape.tag, "Object")}{`;
  return isBare(shape) ? `${shape.open}}` : shape;
}

function objectShape(v, shape) {
  if (isBare(shape)) return `${shape.name()}{}`;
  shape.open = `${shape.name()}{`;
  return shape;
}

// ---- lists and collections

function listShape(p, shape, prefix, entries) {
  shape.open = `${prefix}[`;
  shape.close = "]";
  shape.isList = true;
  shape.property = listProperty;
  shape.entries = entries;
  return shape;
}

function arrayShape(p, v, shape) {
  const { constructorName, tag } = shape;
  const isPlain = constructorName === "Array" && tag === "";
  const prefix = isPlain ? "" : prefixOf(constructorName, tag, "Array", `(${v.length})`);
  shape.keys = extraKeysOf(v, p.showHidden, v.length);
  if (v.length === 0 && isBare(shape)) return `${prefix}[]`;
  shape.list = v;
  return listShape(p, shape, prefix, lists.arrayEntries);
}

const TYPED_EXTRAS = ["BYTES_PER_ELEMENT", "length", "byteLength", "byteOffset", "buffer"];

function typedArrayShape(p, v, shape) {
  const { constructorName, tag } = shape;
  const fallback = constructorName === null ? k.typedArrayTag(v) : "";
  const length = k.typedArrayLength(v);
  const prefix = prefixOf(constructorName, tag, fallback, `(${length})`);
  shape.keys = extraKeysOf(v, p.showHidden, length);
  if (length === 0 && shape.keys.length === 0 && !p.showHidden) return `${prefix}[]`;
  if (p.showHidden) {
    shape.extraKeys = TYPED_EXTRAS;
    shape.isInTypedArray = true;
  }
  shape.list = v;
  return listShape(p, shape, prefix, lists.typedArrayEntries);
}

function collectionShape(type, sizeOf, entries) {
  return (p, v, shape) => {
    const prefix = prefixOf(shape.constructorName, shape.tag, type, `(${sizeOf(v)})`);
    shape.keys = shownKeysOf(v, p.showHidden);
    if (sizeOf(v) === 0 && isBare(shape)) return `${prefix}{}`;
    shape.open = `${prefix}{`;
    shape.entries = entries;
    return shape;
  };
}

function iteratorShape(type) {
  return (p, v, shape) => {
    const { tag } = shape;
    const { 0: items, 1: isPairs } = k.previewIterator(v);
    const own = `${type} Iterator`;
    const label = tag === own ? tag : `${tag === "" ? "" : `${tag}] [`}${own}`;
    const shown = isPairs ? `${slice(label, 0, -"Iterator".length)}Entries` : label;
    shape.keys = shownKeysOf(v, p.showHidden);
    shape.open = `[${shown}] {`;
    shape.entries = (q, it, level) => lists.iteratorEntries(q, items, isPairs, level);
    return shape;
  };
}

const ITERABLES = {
  __proto__: null,
  Array: arrayShape,
  Set: collectionShape("Set", k.setSize, lists.setEntries),
  Map: collectionShape("Map", k.mapSize, lists.mapEntries),
  TypedArray: typedArrayShape,
  "Map Iterator": iteratorShape("Map"),
  "Set Iterator": iteratorShape("Set"),
};

// ---- functions

const COMMENTS = /(\/\/.*?\n)|(\/\*(.|\n)*?\*\/)/;
const CLASS_HEAD = /^(\s+[^(]*?)\s*\{/;

/** Is it `class` syntax? A function may be called `class...` in its source. */
function isClassSource(source) {
  if (!startsWith(source, "class") || lastOf(source, -1) !== "}") return false;
  const body = slice(source, 5, -1);
  const brace = indexOf(body, "{");
  if (brace < 0) return false;
  if (indexOf(slice(body, 0, brace), "(") < 0) return true;
  return regexpExec(CLASS_HEAD, withoutComments(body)) !== null;
}

function withoutComments(text) {
  let rest = text;
  let out = "";
  for (let m = regexpExec(COMMENTS, rest); m !== null; m = regexpExec(COMMENTS, rest)) {
    out += slice(rest, 0, m.index);
    rest = slice(rest, m.index + m[0].length);
  }
  return out + rest;
}

function functionShape(p, f, shape) {
  const base = isClassSource(k.fnToString(f)) ? classBase(f, shape) : functionBase(p, f, shape);
  return withBase(shape, base, (text) => p.stylize(text, "special"));
}

function classBase(f, { constructorName, tag }) {
  const name = (hasOwn(f, "name") && f.name) || "(anonymous)";
  let text = `class ${name}`;
  if (constructorName !== "Function" && constructorName !== null) text += ` [${constructorName}]`;
  if (tag !== "" && constructorName !== tag) text += ` [${tag}]`;
  if (constructorName === null) return `[${text} extends [null prototype]]`;
  const parent = getPrototypeOf(f).name;
  return parent ? `[${text} extends ${parent}]` : `[${text}]`;
}

const FUNCTION_TYPES = {
  __proto__: null,
  AsyncFunction: "AsyncFunction",
  GeneratorFunction: "GeneratorFunction",
  JSAsyncGeneratorFunction: "AsyncGeneratorFunction",
  AsyncGeneratorFunction: "AsyncGeneratorFunction",
};

function functionBase(p, f, { constructorName, tag }) {
  const type = FUNCTION_TYPES[k.classNameOf(f)] ?? "Function";
  const { name } = f;
  let text = constructorName === null ? `[${type} (null prototype)` : `[${type}`;
  if (name === "") text += " (anonymous)";
  else text += `: ${typeof name === "string" ? name : p.value(name, 0)}`;
  text += "]";
  if (constructorName !== type && constructorName !== null) text += ` ${constructorName}`;
  if (tag !== "" && constructorName !== tag) text += ` [${tag}]`;
  return text;
}

// ---- what stands for itself

function regexpShape(p, v, shape, level) {
  const own = shape.constructorName === null ? new RegExp(v) : v;
  const prefix = prefixOf(shape.constructorName, shape.tag, "RegExp");
  const base = `${prefix === "RegExp " ? "" : prefix}${k.regexpToString(own)}`;
  if (isBare(shape) || p.isTooDeep(level)) return p.stylize(base, "regexp");
  shape.base = base;
  return shape;
}

function dateShape(p, v, shape) {
  const time = k.dateGetTime(v);
  const text = time === time ? k.dateToISO(v) : k.dateToString(v);
  const prefix = prefixOf(shape.constructorName, shape.tag, "Date");
  const base = `${prefix === "Date " ? "" : prefix}${text}`;
  return withBase(shape, base, (s) => p.stylize(s, "date"));
}

function errorShape(p, v, shape) {
  const { errorBase } = require("internal/inspect/node_error");
  return withBase(shape, errorBase(p, v, shape));
}

function boxedShape(type, valueOf) {
  return (p, v, shape) => {
    const { constructorName, tag } = shape;
    const value = valueOf(v);
    if (type === "String") shape.keys = withoutIndexes(shape.keys, value.length);
    let base = `[${type}`;
    if (constructorName === null) base += " (null prototype)";
    else if (constructorName !== type) base += ` (${constructorName})`;
    base += `: ${p.primitive(value, style.stylizeNoColor)}]`;
    if (tag !== "" && tag !== constructorName) base += ` [${tag}]`;
    if (shape.keys.length === 0) base = p.stylize(base, toLowerCase(type));
    return withBase(shape, base);
  };
}

function withoutIndexes(keys, count) {
  const out = [];
  for (let i = count; i < keys.length; i++) out[out.length] = keys[i];
  return out;
}

// ---- bytes

function bufferShape(p, v, shape) {
  const type = k.hasSlot(k.bufferLength, v) ? "ArrayBuffer" : "SharedArrayBuffer";
  const prefix = prefixOf(shape.constructorName, shape.tag, type);
  if (shape.isInTypedArray === undefined) shape.entries = lists.byteEntries;
  else if (isBare(shape)) {
    return `${prefix}{ [byteLength]: ${p.stylize(`${v.byteLength}`, "number")} }`;
  }
  shape.open = `${prefix}{`;
  shape.extraKeys = ["byteLength"];
  return shape;
}

function dataViewShape(p, v, shape) {
  shape.open = `${prefixOf(shape.constructorName, shape.tag, "DataView")}{`;
  shape.extraKeys = ["byteLength", "byteOffset", "buffer"];
  return shape;
}

// ---- the rest

function opened(type, entriesOf) {
  return (p, v, shape) => {
    shape.open = `${prefixOf(shape.constructorName, shape.tag, type)}{`;
    shape.entries = entriesOf(p);
    return shape;
  };
}

const weak = (entries) => (p) => (p.showHidden ? entries : lists.unknownEntries);

function moduleShape(p, v, shape) {
  shape.open = `${prefixOf(shape.constructorName, shape.tag, "Module")}{`;
  shape.property = lists.moduleProperty;
  return shape;
}

const OTHERS = {
  __proto__: null,
  RegExp: regexpShape,
  Date: dateShape,
  Error: errorShape,
  ArrayBuffer: bufferShape,
  DataView: dataViewShape,
  Promise: opened("Promise", () => lists.promiseEntries),
  WeakSet: opened("WeakSet", weak(lists.weakSetEntries)),
  WeakMap: opened("WeakMap", weak(lists.weakMapEntries)),
  Module: moduleShape,
  Number: boxedShape("Number", k.numberValue),
  String: boxedShape("String", k.stringValue),
  Boolean: boxedShape("Boolean", k.booleanValue),
  BigInt: boxedShape("BigInt", k.bigintValue),
  Symbol: boxedShape("Symbol", k.symbolValue),
};

exports.shapeOf = shapeOf;
