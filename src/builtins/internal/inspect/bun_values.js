// internal/inspect/bun_values -- how the Bun flavour prints values other than objects and arrays.

const k = require("internal/inspect/kinds");
const { PRINTERS, quote, isWide, kPrint, TYPED_ITEMS_MAX } = require("internal/inspect/bun_print");
const { functionName, isClass, getPrototypeOf } = k;

// ---- primitives and their wrappers

function printString(p, s) {
  if (!p.quoteStrings) {
    p.text(s, s.length);
    return;
  }
  if (s === "") p.text('""');
  else p.text(`${p.c.r}${p.c.green}${quote(s)}${p.c.r}`, quotedWidth(s));
}

/** What a quoted string adds to the estimate; a wide one counts twice. */
const quotedWidth = (s) => s.length + (isWide(s) ? quote(s).length : 0);

function printStringObject(p, v) {
  const s = k.stringValue(v);
  if (p.quoteStrings) printString(p, s);
  else p.text(`${p.c.r}${p.c.green}[String: ${quote(s)}]${p.c.r}`, quotedWidth(s));
}

/** A number as it is shown: like String(n), but -0 keeps its sign. */
const numberText = (n) => (n === 0 && 1 / n < 0 ? "-0" : `${n}`);

function wrapper(type) {
  return (p, v) => {
    const name = k.className(v);
    const label = name === type ? type : `${type} (${name})`;
    const s = `[${label}: ${type === "Number" ? +k.numberValue(v) : k.booleanValue(v)}]`;
    p.paint(p.c.yellow, s, s.length - (type === "Number" && name !== type ? 1 : 0));
  };
}

Object.assign(PRINTERS, {
  string: printString,
  number: (p, n) => p.paint(p.c.yellow, numberText(n)),
  bigint: (p, n) => p.paint(p.c.yellow, `${n}n`, `${n}`.length),
  boolean: (p, v) => p.paint(p.c.yellow, v ? "true" : "false"),
  null: (p) => p.paint(p.c.yellow, "null"),
  undefined: (p) => p.paint(p.c.d, "undefined"),
  symbol(p, s) {
    const text = `Symbol(${k.symbolDescription(s) ?? ""})`;
    p.paint(p.c.blue, text, text === "Symbol()" ? 6 : text.length);
  },
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

Object.assign(PRINTERS, {
  Function: printFunction,
  Class: printClass,
  Date: printDate,
  RegExp: printRegExp,
  Promise: printPromise,
  Custom: printCustom,
  Print: (p, v) => v[kPrint](p),
  Proxy: (p, v) => p.value(k.proxyDetails(v)[0], false),
  Revoked: (p) => p.paint(p.c.cyan, "<Revoked Proxy>"),
  Global: (p) => p.text(`${p.c.cyan}[Global Object]${p.c.r}`, 15),
  Accessor: (p, v) => p.text(`${p.c.cyan}${v.text}${p.c.r}`),
  Array: (p, v) => p.asArray(v, "Array"),
  Arguments: (p, v) => p.asArray(v, "Arguments"),
  Error: (p, v) => require("internal/inspect/bun_error").printError(p, v),
  Element: (p, v) => require("internal/inspect/bun_element").printElement(p, v),
});

// ---- collections

/** Opens a scope of quoted strings one level in, runs `body`, closes the scope. */
function inside(p, body) {
  const quoteStrings = p.quoteStrings;
  p.quoteStrings = true;
  p.indent++;
  p.depth++;
  body();
  p.depth--;
  p.indent--;
  p.quoteStrings = quoteStrings;
}

const sizeOf = (v) => (+v.size || 0) | 0;

function collection(name, each) {
  return (p, v) => {
    const size = sizeOf(v);
    if (size === 0) {
      p.text(`${name} {}`);
      return;
    }
    if (p.depth > p.depthMax) {
      p.ellipsis(name);
      return;
    }
    p.out += `${name}(${size}) {`;
    let count = 0;
    inside(p, () => {
      each(v, (value, key) => {
        if (p.isCompact) p.out += " ";
        else p.newline();
        if (count++ > 0 && p.isCompact) p.out = `${k.slice(p.out, 0, -1)}`;
        entry(p, name, key, value, count);
      });
    });
    if (p.isCompact) p.out += " }";
    else {
      p.newline();
      p.out += "}";
    }
  };
}

function entry(p, name, key, value, count) {
  if (p.isCompact && count > 1) {
    p.comma();
    p.out += " ";
  }
  if (name === "Map") {
    p.value(key);
    p.out += ": ";
  }
  p.value(value);
  if (!p.isCompact) p.comma();
}

function iterator(name) {
  return (p, v) => {
    if (p.depth > p.depthMax) {
      p.ellipsis(name);
      return;
    }
    const { 0: items, 1: isPairs } = k.previewIterator(v);
    const list = isPairs ? pairsOf(items) : items;
    p.out += `${name} { `;
    inside(p, () => {
      for (let i = 0; i < list.length; i++) {
        if (!p.isCompact) p.newline();
        else if (i > 0) {
          p.comma();
          p.out += " ";
        }
        p.value(list[i]);
        if (!p.isCompact) p.comma();
      }
    });
    if (list.length > 0) {
      if (!p.isCompact) p.newline();
      else if (name === "MapIterator") p.out += " ";
    } else if (!p.isCompact) p.out += k.slice("                ", 0, p.indent * 2);
    p.out += "}";
  };
}

function pairsOf(items) {
  const out = [];
  for (let i = 0; i + 1 < items.length; i += 2) out[out.length] = [items[i], items[i + 1]];
  return out;
}

Object.assign(PRINTERS, {
  Map: collection("Map", k.mapForEach),
  Set: collection("Set", k.setForEach),
  WeakMap: (p) => p.text("WeakMap {}"),
  WeakSet: (p) => p.text("WeakSet {}"),
  "Map Iterator": iterator("MapIterator"),
  "Set Iterator": iterator("SetIterator"),
});

// ---- bytes

function printElements(p, name, items, suffix) {
  if (items.length === 0) {
    p.text(`${name}(0) []`);
    return;
  }
  p.out += `${name}(${items.length}) [ `;
  const end = items.length < TYPED_ITEMS_MAX ? items.length : TYPED_ITEMS_MAX;
  for (let i = 0; i < end; i++) {
    if (i > 0) {
      p.comma();
      p.text(" ", 1);
    }
    p.out += `${p.c.r}${p.c.yellow}${items[i]}${suffix}${p.c.r}`;
  }
  if (end < items.length) {
    const more = `${suffix}, ... ${items.length - end} more`;
    p.out += `${p.c.r}${p.c.d}${more}${p.c.r}`;
  }
  p.out += " ]";
}

function printTypedArray(p, v) {
  const name = k.typedArrayTag(v);
  const text = p.isPlain && name === "Uint8Array" ? utf8Text(v) : undefined;
  if (text !== undefined) {
    p.out += `${p.c.r}${p.c.green}${quote(text)}${p.c.r}`;
    return;
  }
  const suffix = name === "BigInt64Array" || name === "BigUint64Array" ? "n" : "";
  printElements(p, name, v, suffix);
}

/** Bytes as text, undefined when they are none. */
function utf8Text(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function printBuffer(p, v) {
  const isShared = !k.hasSlot(k.bufferLength, v);
  printElements(p, isShared ? "SharedArrayBuffer" : "ArrayBuffer", bytesOf(v), "");
}

const bytesOf = (buffer) => {
  try {
    return new Uint8Array(buffer);
  } catch {
    return new Uint8Array(0); // detached
  }
};

function printDataView(p, v) {
  let bytes;
  try {
    bytes = new Uint8Array(k.viewBuffer(v), k.viewOffset(v), k.viewLength(v));
  } catch {
    bytes = new Uint8Array(0);
  }
  printElements(p, "DataView", bytes, "");
}

Object.assign(PRINTERS, {
  TypedArray: printTypedArray,
  ArrayBuffer: printBuffer,
  DataView: printDataView,
});

exports.numberText = numberText;
