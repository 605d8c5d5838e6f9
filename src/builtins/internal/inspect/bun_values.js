// internal/inspect/bun_values -- how the Bun flavour prints values other than objects and arrays.

const k = require("internal/inspect/slots");
const { PRIMITIVES, quote, quotedWidth, kPrint } = require("internal/inspect/bun_print");

const { functionName, getPrototypeOf } = k;
const { isClass, className } = k;

/** How each tag is printed: (printer, value). */
const PRINTERS = { __proto__: null };

// ---- wrappers

function printStringObject(p, v) {
  const s = k.stringValue(v);
  if (p.quoteStrings) PRIMITIVES.string(p, s);
  else p.text(`${p.c.r}${p.c.green}[String: ${quote(s)}]${p.c.r}`, quotedWidth(s));
}

function wrapper(type) {
  return (p, v) => {
    const name = className(v);
    const label = name === type ? type : `${type} (${name})`;
    const s = `[${label}: ${type === "Number" ? +k.numberValue(v) : k.booleanValue(v)}]`;
    p.paint(p.c.yellow, s, s.length - (type === "Number" && name !== type ? 1 : 0));
  };
}

Object.assign(PRINTERS, {
  String: printStringObject,
  Number: wrapper("Number"),
  Boolean: wrapper("Boolean"),
});

// ---- functions

function printFunction(p, f) {
  const proto = getPrototypeOf(f);
  const name = functionName(f);
  const type = proto === null ? "" : functionTypeOf(proto);
  const shown = name === "" || name === type ? `[${type || "Function"}]` : "";
  p.text(`${p.c.cyan}${shown || `[${type || "Function"}: ${name}]`}${p.c.r}`);
}

/** "Function", "AsyncFunction", ... from the prototype of a function. */
function functionTypeOf(proto) {
  if (typeof proto === "function") return functionName(proto);
  const tag = k.ownData(proto, Symbol.toStringTag);
  return typeof tag === "string" ? tag : "";
}

function printClass(p, f) {
  const name = functionName(f);
  const proto = getPrototypeOf(f);
  const isSub = typeof proto === "function" && k.kindOf(proto) !== "Proxy" && isClass(proto);
  const parent = isSub ? functionName(proto) : "";
  const tail = parent === "" ? "" : ` extends ${parent}`;
  const text = `[class ${name === "" ? "(anonymous)" : name}${tail}]`;
  p.text(`${p.c.cyan}${text}${p.c.r}`, name.length + parent.length);
}

// ---- dates, promises, proxies, custom

function printDate(p, v) {
  const hasJson = typeof v.toJSON === "function";
  if (!hasJson) p.asJson(v);
  else {
    const time = k.dateGetTime(v);
    const isValid = time === time;
    const text = isValid ? k.dateToISO(v) : "Invalid Date";
    // What counts for the line is the JSON of it.
    const width = isValid ? text.length + 2 : "null".length;
    p.text(`${p.c.r}${p.c.magenta}${text}${p.c.r}`, width);
  }
}

function printRegExp(p, v) {
  const s = `${v}`;
  p.text(`${p.c.r && p.c.r + p.c.red}${s}${p.c.r}`, s.length);
}

const PROMISE_STATES = ["<pending>", "<resolved>", "<rejected>"];

function printPromise(p, v) {
  if (!p.isCompact && p.isLineFull()) p.newline();
  const state = PROMISE_STATES[k.promiseDetails(v)[0]];
  p.text(`Promise { ${p.c.r}${p.c.cyan}${state}${p.c.r} }`);
}

function printCustom(p, v) {
  const left = p.depthMax - p.depth;
  const options = {
    depth: p.depthMax,
    colors: p.colors,
    stylize: p.colors ? stylizeWithColors : stylizeNot,
  };
  const result = k.apply(p.custom, v, [left < 0 ? 0 : left, options, nodeInspect()]);
  if (typeof result === "string") p.out += result;
  else p.value(result, false);
}

const stylizeNot = (s) => s;
const stylizeWithColors = (s, style) =>
  require("internal/inspect/node_style").stylizeWithColor(s, style);
const nodeInspect = () => require("internal/inspect").inspect;

/** What is printed of a Proxy: its target, or the exports if it is the namespace of a module. */
function shownOfProxy(proxy) {
  const target = k.proxyDetails(proxy)[0];
  if (target === null || k.kindOf(target) === "Proxy") return target;
  if (k.ownData(target, Symbol.toStringTag) !== "Module") return target;
  if (Object.isExtensible(target)) return target;
  const shown = { __proto__: null, [Symbol.toStringTag]: "Module" };
  for (let i = 0, all = Object.keys(target); i < all.length; i++) {
    const key = all[i];
    try {
      shown[key] = proxy[key];
    } catch {
      shown[key] = undefined; // not initialized
    }
  }
  Object.defineProperty(shown, Symbol.toStringTag, { enumerable: false });
  return shown;
}

Object.assign(PRINTERS, {
  Function: printFunction,
  Class: printClass,
  Date: printDate,
  RegExp: printRegExp,
  Promise: printPromise,
  Custom: printCustom,
  Print: (p, v) => v[kPrint](p),
  Web: (p, v) => p.custom(p, v),
  Proxy: (p, v) => p.value(shownOfProxy(v), false),
  Revoked: (p) => p.paint(p.c.cyan, "<Revoked Proxy>"),
  Global: (p) => p.text(`${p.c.cyan}[Global Object]${p.c.r}`, 15),
  Arguments: (p, v) => require("internal/inspect/bun_array").printArray(p, v, "Arguments"),
  Error: (p, v) => require("internal/inspect/bun_error").printError(p, v),
  Element: (p, v) => require("internal/inspect/bun_element").printElement(p, v),
});

for (let i = 0, all = [
  "Map",
  "Set",
  "WeakMap",
  "WeakSet",
  "Map Iterator",
  "Set Iterator",
  "TypedArray",
  "ArrayBuffer",
  "DataView",
]; i < all.length; i++) {
  const tag = all[i];
  PRINTERS[tag] = (p, value) => {
    require("internal/inspect/bun_collections").PRINTERS[tag](p, value);
  };
}

exports.PRINTERS = PRINTERS;
