// internal/test_snapshot/format -- values as snapshots and differences show them: the text that Bun
// writes, byte for byte.
//
// Strings are not escaped, keys are quoted and sorted. Two oddities are part of the format: a text
// of several lines, a Map and a Set stand on lines of their own inside objects.
const { types, typedArrayName } = require("internal/util/types");
const { isAsymmetric } = require("internal/test_expect/equal");
const toTag = Function.prototype.call.bind(Object.prototype.toString);

const DEPTH_MAX = 200;
const serializers = []; // newest first
const NO_COLORS = Object.fromEntries(["comment", "content", "prop", "tag", "value"].map((name) =>
  [name, { open: "", close: "" }]));
const CONFIG = {
  callToJSON: true, colors: NO_COLORS, compareKeys: undefined, edgeSpacing: "\n",
  escapeRegex: true, escapeString: false, highlight: false, indent: "  ", maxDepth: Infinity,
  maxWidth: Infinity, min: false, plugins: serializers, printBasicPrototype: false,
  printFunctionName: true, spacingInner: "\n", spacingOuter: "\n",
};

class Printer {
  /** @param {boolean} isJest without the oddities: the text that Jest writes */
  constructor(isJest) {
    this.open = [];
    this.isJest = isJest;
  }

  /** @param {unknown} v @param {string} indent of the line that the value begins in */
  value(v, indent, isInside) {
    if (serializers.length > 0) {
      const text = this.serialized(v, indent);
      if (text !== undefined) return text;
    }
    switch (typeof v) {
      case "string":
        return isInside && !this.isJest && v.includes("\n") ? `\n"${v}"\n` : `"${v}"`;
      case "number":
        return Object.is(v, -0) ? "-0" : `${v}`;
      case "bigint":
        return `${v}n`;
      case "symbol":
        return `Symbol(${v.description ?? ""})`;
      case "function":
        return this.isJest ? "[Function]" : functionText(v);
      case "object":
        return v === null ? "null" : this.object(v, indent, isInside);
      default:
        return `${v}`;
    }
  }

  /** What a serializer of the program makes of it (Jest: expect.addSnapshotSerializer). */
  serialized(v, indent) {
    for (const one of serializers) {
      if (!one.test(v)) continue;
      const print = (inner, at = indent) => this.value(inner, at, true);
      if (typeof one.serialize === "function") {
        return `${one.serialize(v, CONFIG, indent, this.open.length, [...this.open],
          (inner, config, at) => print(inner, at))}`;
      }
      const indented = (text) =>
        text.split("\n").map((line) => (line === "" ? line : `${indent}  ${line}`)).join("\n");
      return `${one.print(v, print, indented, CONFIG, NO_COLORS)}`;
    }
    return undefined;
  }

  object(v, indent, isInside) {
    if (this.open.includes(v)) return "[Circular]";
    if (this.open.length >= DEPTH_MAX) return "[...]";
    this.open.push(v);
    const text = this.composed(v, indent, isInside);
    this.open.pop();
    return text;
  }

  composed(v, indent, isInside) {
    if (isAsymmetric(v)) return this.asymmetric(v, indent);
    if (Array.isArray(v)) return this.list("[", v, indent, "]");
    if (types.isDate(v)) return Number.isNaN(v.getTime()) ? "Invalid Date" : v.toISOString();
    if (types.isRegExp(v)) {
      return this.isJest ? `${v}`.replace(/[\\^$*+?.()|[\]{}]/g, "\\$&") : `${v}`;
    }
    if (v instanceof Error) return `[${v.name}: ${v.message}]`.replace(/: \]$/, "]");
    if (types.isMap(v)) return this.map(v, indent, isInside);
    if (types.isSet(v)) return this.set(v, indent, isInside);
    if (types.isPromise(v)) return "Promise {}";
    if (types.isWeakMap(v)) return "WeakMap {}";
    if (types.isWeakSet(v)) return "WeakSet {}";
    if (toTag(v) === "[object Arguments]") return JSON.stringify(v);
    if (types.isAnyArrayBuffer(v)) {
      return this.list("ArrayBuffer [", new Uint8Array(v), indent, "]");
    }
    if (v instanceof Buffer) return this.properties(v.toJSON(), "", indent);
    if (ArrayBuffer.isView(v) && typedArrayName(v) !== undefined) {
      return this.list(`${typedArrayName(v)} [`, v, indent, "]");
    }
    if (v.$$typeof !== undefined) return require("internal/inspect").bunInspect(v);
    return this.properties(v, nameOf(v), indent);
  }

  asymmetric(v, indent) {
    if (typeof v.text === "function") return v.text((inner) => this.value(inner, indent, false));
    const name = v.toAsymmetricMatcher?.() ?? v.toString?.() ?? "";
    return `${name}`;
  }

  list(start, items, indent, end) {
    if (items.length === 0) return `${start}${end}`;
    const inner = `${indent}  `;
    let text = `${start}\n`;
    for (let i = 0; i < items.length; i++) {
      const item = this.value(items[i], inner, true);
      text += `${inner}${item},\n`;
    }
    return `${text}${indent}${end}`;
  }

  properties(v, name, indent) {
    const keys = Object.keys(v).sort();
    const symbols = Object.getOwnPropertySymbols(v).filter((key) =>
      Object.prototype.propertyIsEnumerable.call(v, key));
    const start = name === "" ? "" : `${name} `;
    if (keys.length + symbols.length === 0) return `${start}{}`;
    const inner = `${indent}  `;
    let text = `${start}{\n`;
    for (const key of [...keys, ...symbols]) {
      const label = typeof key === "symbol" ? `[${key.toString()}]` : JSON.stringify(key);
      const own = Object.getOwnPropertyDescriptor(v, key);
      const isRead = this.isJest || own?.get === undefined;
      const shown = isRead ? this.value(v[key], inner, true) : "[native code]";
      text += `${inner}${label}: ${shown},\n`;
    }
    return `${text}${indent}}`;
  }

  map(v, indent, isInside) {
    if (v.size === 0) return "Map {}";
    const inner = `${indent}  `;
    let text = "Map {\n";
    for (const [key, value] of v) {
      const left = this.value(key, inner, true);
      text += `${inner}${left} => ${this.value(value, inner, true)},\n`;
    }
    text += `${indent}}`;
    return isInside && !this.isJest ? `\n${text}\n` : text;
  }

  set(v, indent, isInside) {
    const isOdd = isInside && !this.isJest;
    const lead = isOdd ? indent : "";
    if (v.size === 0) return `${lead}Set {}`;
    const inner = `${indent}  `;
    let text = "Set {\n";
    for (const value of v) text += `${inner}${this.value(value, inner, true)},\n`;
    text += `${indent}}`;
    return isOdd ? `${lead}\n${text}\n` : text;
  }
}

function functionText(fn) {
  const isClass = /^class\b/.test(Function.prototype.toString.call(fn));
  if (isClass) return fn.name === "" ? "[class (anonymous)]" : `[class ${fn.name}]`;
  if (fn.name === "" || /^\(|=>/.test(Function.prototype.toString.call(fn).slice(0, 80))) {
    return "[Function]";
  }
  return `[Function: ${fn.name}]`;
}

/** The class, "" for plain objects. */
function nameOf(v) {
  const proto = Object.getPrototypeOf(v);
  if (proto === null || proto === Object.prototype) return "";
  const name = v.constructor?.name;
  return typeof name === "string" && name !== "Object" ? name : "";
}

/** @returns {string} */
exports.format = (value, isJest = false) => new Printer(isJest).value(value, "", false);

/** Adds one, before all that there are. */
exports.addSerializer = (serializer) => {
  if (typeof serializer?.test !== "function" ||
    (typeof serializer.serialize !== "function" && typeof serializer.print !== "function")) {
    throw new TypeError("expect.addSnapshotSerializer expects an object with the functions " +
      "`test` and `serialize` or `print`");
  }
  serializers.unshift(serializer);
};

/** Those that preloaded files have added stay. */
exports.keptSerializers = () => serializers.length;
exports.dropSerializers = (kept) => {
  serializers.splice(0, serializers.length - kept);
};
