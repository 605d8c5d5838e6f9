// internal/inspect/bun_print -- the printer behind console.log and Bun.inspect.
//
// One pass over the value, appending to `out`. Nothing is measured in advance: `line` is a running
// estimate of the width of the current line, and a break is put where it has passed 80. Several
// results depend on when exactly the estimate grows, so its bookkeeping is part of the format.
//
// A built-in class prints itself when it has a method under the key Symbol.for("cob.print"): it is
// called with the Printer and uses what the section "for built-in classes" below offers. Classes
// made by defineInterface of internal/webidl need none, see bun_web.js.

const k = require("internal/inspect/kinds");
const props = require("internal/inspect/bun_props");
const { GETTER, SETTER, GETTER_SETTER, kPrint } = props;
const { kindOf, getPrototypeOf, getOwnPropertyDescriptor, hasOwn, stringify } = k;
const { className, regexpExec, symbolDescription } = k;

const kCustom = Symbol.for("nodejs.util.inspect.custom");
const kElement = Symbol.for("react.element");
const kElement19 = Symbol.for("react.transitional.element");
const kFragment = Symbol.for("react.fragment");

const ErrorPrototype = Error.prototype;

const LINE_MAX = 80;

/** Escape sequences by the letter or name used in this folder. */
const PALETTE = {
  r: "\x1b[0m",
  b: "\x1b[1m",
  d: "\x1b[2m",
  i: "\x1b[3m",
  red: "\x1b[31m",
  green: "\x1b[32m",
  yellow: "\x1b[33m",
  blue: "\x1b[34m",
  magenta: "\x1b[35m",
  cyan: "\x1b[36m",
};
const NO_PALETTE = {
  r: "",
  b: "",
  d: "",
  i: "",
  red: "",
  green: "",
  yellow: "",
  blue: "",
  magenta: "",
  cyan: "",
};

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
const WIDE = /[^\0-\xff]/;
const PLAIN = /^[ !#-[\]-\xff]*$/;

const isWide = (s) => regexpExec(WIDE, s) !== null;

/** Quotes a string: wide ones exactly as JSON does, the others with upper-case hex digits. */
function quote(s) {
  if (regexpExec(PLAIN, s) !== null) return `"${s}"`;
  if (isWide(s)) return stringify(s);
  let out = "";
  for (let i = 0; i < s.length; i++) {
    const c = s[i];
    if (c >= " " && c !== '"' && c !== "\\") out += c;
    else out += escapeOf(c);
  }
  return `"${out}"`;
}

const UPPER = { __proto__: null, a: "A", b: "B", c: "C", d: "D", e: "E", f: "F" };

/** As JSON escapes a character, but \u001B rather than \u001b. */
function escapeOf(c) {
  const text = k.slice(stringify(c), 1, -1);
  if (text.length !== 6) return text;
  return k.slice(text, 0, 5) + (UPPER[text[5]] ?? text[5]);
}

/** Two spaces for each step. */
function spaces(steps) {
  let text = "";
  for (let i = 0; i < steps; i++) text += "  ";
  return text;
}

/** Prefix of a printed object, "" for a plain one. */
function objectName(v) {
  const proto = getPrototypeOf(v);
  const isPlain = proto === k.ObjectPrototype && !hasOwn(v, "constructor");
  if (isPlain && !hasOwn(v, Symbol.toStringTag)) return "";
  const name = className(v);
  if (name === "") {
    const tag = classString(v);
    return tag !== undefined && isInstance(v) ? `${tag} ` : "";
  }
  if (name !== "Object") return `${name} `;
  return proto === null ? "[Object: null prototype] " : "";
}

/** The class string that an object inherits as a plain value. */
function classString(v) {
  for (let o = getPrototypeOf(v); o !== null && o !== k.ObjectPrototype; o = getPrototypeOf(o)) {
    if (k.classNameOf(o) === "ProxyObject") return undefined;
    const d = getOwnPropertyDescriptor(o, Symbol.toStringTag);
    if (d !== undefined) return typeof d.value === "string" ? d.value : undefined;
  }
  return undefined;
}

/** The name of an object that is too deep to print. */
function shortName(v) {
  if (typeof v === "function") return k.functionName(v) || "Object";
  const name = k.classNameOf(v);
  const tag = classString(v);
  if (name !== "Object") return tag ?? name;
  if (tag === undefined) return name;
  return k.slice(tag, 0, 5) === "Intl." || isInstance(v) ? tag : name;
}

const isInstance = (v) => require("internal/webidl/interface").isPlatformObject(v);

// Tags for which an ancestor that is met again is [Circular].
const CYCLIC = {
  __proto__: null,
  Function: true,
  Class: true,
  Array: true,
  Object: true,
  Map: true,
  Set: true,
  Error: true,
  Element: true,
};
// Tags after which an array need not start on a new line.
const SIMPLE = {
  __proto__: null,
  string: true,
  number: true,
  boolean: true,
  undefined: true,
  null: true,
  symbol: true,
  bigint: true,
  String: true,
  RegExp: true,
  Number: true,
  Boolean: true,
};

class Printer {
  /**
   * @param {object} options
   * @param {boolean} [options.colors]
   * @param {number} [options.depth] Objects deeper than this print as [Object ...].
   * @param {boolean} [options.compact] Everything on one line.
   * @param {boolean} [options.sorted] Own properties by name.
   * @param {boolean} [options.quoteStrings] Quote strings at the top too.
   * @param {number} [options.indent] Steps of two spaces before every line.
   * @param {"full"|"warn"|"normal"} [options.errorLevel] How much of an error to show.
   */
  constructor(options) {
    this.out = "";
    this.colors = options.colors === true;
    this.c = this.colors ? PALETTE : NO_PALETTE;
    this.depthMax = options.depth ?? 2;
    this.isCompact = options.compact === true;
    this.isSorted = options.sorted === true;
    this.quoteStrings = options.quoteStrings === true;
    this.quoteKeys = false;
    this.indent = options.indent ?? 0;
    this.errorLevel = options.errorLevel ?? "full";
    this.depth = 0;
    this.line = 0;
    this.open = []; // objects being printed, outermost first
    this.custom = undefined;
    this.isPlain = false; // inside an error: no custom functions, bytes as text
    this.rest = []; // arguments not yet printed, for % formats
  }

  // ---- bookkeeping

  /** Appends text; `width` is what the line estimate grows by. */
  text(s, width = 0) {
    this.out += s;
    this.line += width;
  }

  newline() {
    this.out += `\n${spaces(this.indent)}`;
  }

  resetLine() {
    this.line = this.indent * 2;
  }

  /** Has the line become too long? If so, the caller must break it. */
  isLineFull() {
    if (this.line <= LINE_MAX) return false;
    this.resetLine();
    return true;
  }

  comma() {
    this.text(`${this.c.r}${this.c.d},${this.c.r}`, 1);
  }

  /** Text in one colour, preceded by a reset as every coloured item is. */
  paint(color, s, width = s.length) {
    this.text(`${this.c.r}${color}${s}${this.c.r}`, width);
  }

  // ---- values

  /**
   * Prints a value.
   * @param {unknown} v
   * @param {boolean} [isInner] Inside another value the global object is only named.
   */
  value(v, isInner = true) {
    this.tagged(this.tagOf(v, isInner), v);
  }

  /** Decides how `v` is printed. A custom function is left in `this.custom`. */
  tagOf(v, isInner = true) {
    if (v === null) return "null";
    const type = typeof v;
    if (type !== "object" && type !== "function") return type;
    if (v === GETTER || v === SETTER || v === GETTER_SETTER) return "Accessor";
    const kind = kindOf(v);
    if (kind === "Proxy") return k.proxyDetails(v)[0] === null ? "Revoked" : "Proxy";
    const custom = this.customOf(v, kind);
    if (custom !== undefined) return custom;
    if (kind === "Function") return slots().isClass(v) ? "Class" : "Function";
    if (hasOwn(v, "$$typeof") && isElement(v)) return "Element";
    if (kind === "Global") return isInner ? "Global" : "Object";
    return kind;
  }

  customOf(v, kind) {
    if (typeof v[kPrint] === "function") return "Print";
    if (kind === "Object" || kind === "Error") {
      const proto = getPrototypeOf(v);
      const isOwn = proto === null || proto === k.ObjectPrototype || proto === ErrorPrototype;
      if (!isOwn && this.findFormat(v)) return "Web";
    }
    if (this.isPlain) return undefined;
    const custom = v[kCustom];
    if (typeof custom !== "function" || isInterface(v)) return undefined;
    this.custom = custom;
    return "Custom";
  }

  /** Looks for the format of a built-in class; it is left in `this.custom`. */
  findFormat(v) {
    const tag = classString(v);
    if (tag === undefined && !hasOwn(v, "_destroyed")) return false;
    const format = require("internal/inspect/bun_web").formatOf(v, tag);
    if (format !== undefined) this.custom = format;
    return format !== undefined;
  }

  tagged(tag, v) {
    if (CYCLIC[tag] !== true) {
      this.byTag(tag, v);
      return;
    }
    const { open } = this;
    for (let i = 0; i < open.length; i++) {
      if (open[i] === v) {
        this.text(`${this.c.r}${this.c.cyan}[Circular]${this.c.r}`);
        return;
      }
    }
    open[open.length] = v;
    this.byTag(tag, v);
    if (open[open.length - 1] === v) open.length--;
    else this.leave(v);
  }

  byTag(tag, v) {
    if (tag === "Object") this.asObject(v);
    else if (tag === "Array") require("internal/inspect/bun_array").printArray(this, v, tag);
    else {
      const print = PRIMITIVES[tag] ?? require("internal/inspect/bun_values").PRINTERS[tag];
      if (print !== undefined) print(this, v);
      else if (AS_JSON[tag] === true) this.asJson(v);
      else this.asObject(v);
    }
  }

  isOpen(v) {
    const { open } = this;
    for (let i = 0; i < open.length; i++) if (open[i] === v) return true;
    return false;
  }

  enter(v) {
    this.open[this.open.length] = v;
  }

  leave(v) {
    const { open } = this;
    let i = open.length - 1;
    while (i >= 0 && open[i] !== v) i--;
    if (i < 0) return;
    for (; i < open.length - 1; i++) open[i] = open[i + 1];
    open.length--;
  }

  asJson(v) {
    const s = stringify(v, null, this.indent) ?? "undefined";
    this.text(s, s.length);
  }

  // ---- objects

  asObject(v) {
    if (!this.isCompact) this.isLineFull();
    if (this.depth > this.depthMax) {
      this.objectEllipsis(shortName(v));
      return;
    }
    const list = this.isSorted ? props.listSorted(v) : props.listProperties(v);
    if (list.keys.length === 0) this.emptyObject(v);
    else this.object(objectName(v), list.keys, list.values);
  }

  emptyObject(v) {
    if (typeof v === "function") this.byTag(slots().isClass(v) ? "Class" : "Function", v);
    else this.text(`${objectName(v)}{}`);
  }

  /** `[Object ...]`, in place of an object that is too deep. Its width is not counted. */
  objectEllipsis(name) {
    const { line } = this;
    if (this.isCompact) this.out += " ";
    this.ellipsis(name);
    this.line = line;
  }

  ellipsis(name) {
    this.paint(this.c.cyan, `[${name} ...]`);
  }

  /**
   * Prints properties in braces. `keys` must not be empty.
   * @param {string} name With its space, or "".
   */
  object(name, keys, values) {
    const quoteStrings = this.quoteStrings;
    this.quoteStrings = true;
    this.out += name;
    this.line = this.indent * 2 + 1;
    this.indent++;
    this.depth++;
    this.out += this.isCompact ? "{ " : "{";
    if (!this.isCompact) this.newline();
    for (let i = 0; i < keys.length; i++) {
      if (i > 0) this.separator(true);
      this.property(keys[i], values[i]);
    }
    this.depth--;
    if (this.isCompact)
      this.text(" }", 2); // the indentation stays: it shows in long arrays
    else {
      this.indent--;
      this.comma();
      this.newline();
      this.text("}", 1);
    }
    this.quoteStrings = quoteStrings;
  }

  /** Comma, then a break or a space. */
  separator(isBreak) {
    this.comma();
    if (!this.isCompact && (isBreak || this.isLineFull())) {
      this.newline();
      this.resetLine();
    } else this.text(" ", 1);
  }

  property(key, value) {
    const tag = this.tagOf(value);
    this.key(key);
    const isString = tag === "string" || tag === "String";
    if (isString) this.out += this.c.r + this.c.green;
    this.tagged(tag, value);
    if (isString) this.out += this.c.r;
  }

  key(key) {
    const { r, d, green, blue } = this.c;
    if (typeof key === "symbol") {
      const name = symbolDescription(key);
      this.text(`${r}${d}[${r}${blue}Symbol(${name})${r}${d}]:${r} `, name.length + 12);
    } else if (!this.quoteKeys && regexpExec(IDENTIFIER, key) !== null) {
      this.text(`${r}${key}${d}:${r} `, key.length + 1);
    } else {
      const text = isWide(key) ? `"${key}"` : quote(key);
      this.text(`${r}${green}${text}${r}${d}:${r} `, key.length + 2);
    }
  }

  // ---- for built-in classes

  /**
   * Prints an instance with the values of its accessors, like one of a class of the engine.
   * @param {object} v
   * @param {string[]} [keys] What to show, in order; all that is there by default.
   * @param {string} [name] Default: the name of its class.
   */
  attributes(v, keys, name = className(v)) {
    const list = keys === undefined ? props.listProperties(v) : { keys, values: [] };
    for (let i = 0; i < list.keys.length; i++) list.values[i] = v[list.keys[i]];
    if (list.keys.length === 0) this.text(`${name} {}`);
    else this.object(`${name} `, list.keys, list.values);
  }

  /** Prints properties in braces with every key quoted, as of Headers. */
  quoted(name, keys, values, lead = this.c.r) {
    const { quoteKeys } = this;
    this.quoteKeys = true;
    this.out += lead;
    if (keys.length === 0) this.text(`${name} {}`);
    else this.object(`${name} `, keys, values);
    this.quoteKeys = quoteKeys;
  }

  /** Prints a MessageEvent or ErrorEvent: its type, a message if it is text, and one more field. */
  event(v, name, field) {
    require("internal/inspect/bun_event").printEvent(this, v, name, field);
  }
}

/** Whether `v` is the prototype of a class of the web, which is no instance of it. */
const isInterface = (v) =>
  hasOwn(v, kCustom) &&
  hasOwn(v, Symbol.toStringTag) &&
  require("internal/inspect/bun_web").interfaceName(v) !== undefined;

const slots = () => require("internal/inspect/slots");

function isElement(v) {
  const type = v.$$typeof;
  return type === kElement || type === kElement19 || type === kFragment;
}

// ---- primitives

function printString(p, s) {
  if (!p.quoteStrings) p.text(s, s.length);
  else if (s === "") p.text('""');
  else p.text(`${p.c.r}${p.c.green}${quote(s)}${p.c.r}`, quotedWidth(s));
}

/** What a quoted string adds to the estimate; a wide one counts twice. */
const quotedWidth = (s) => s.length + (isWide(s) ? quote(s).length : 0);

/** A number as it is shown: like String(n), but -0 keeps its sign. */
const numberText = (n) => (n === 0 && 1 / n < 0 ? "-0" : `${n}`);

const PRIMITIVES = {
  __proto__: null,
  string: printString,
  number: (p, n) => p.paint(p.c.yellow, numberText(n)),
  bigint: (p, n) => p.paint(p.c.yellow, `${n}n`, `${n}`.length),
  boolean: (p, v) => p.paint(p.c.yellow, v ? "true" : "false"),
  null: (p) => p.paint(p.c.yellow, "null"),
  undefined: (p) => p.paint(p.c.d, "undefined"),
  symbol(p, s) {
    const text = `Symbol(${symbolDescription(s)})`;
    p.paint(p.c.blue, text, text === "Symbol()" ? 6 : text.length);
  },
  Accessor: (p, v) => p.text(`${p.c.cyan}${v.text}${p.c.r}`),
};

// Kinds which JSON.stringify prints; all others without a printer are objects.
const AS_JSON = {
  __proto__: null,
  "String Iterator": true,
  Generator: true,
  AsyncGenerator: true,
};

// ---- lines

/**
 * The text of one console call, without indentation of the group and without a newline.
 * @param {unknown[]} args At least one.
 * @param {object} options For the Printer; and `level`: "error" paints text red.
 * @returns {string}
 */
function formatLog(args, options) {
  const p = new Printer(options);
  const first = args[0];
  const isRed = options.colors === true && options.level === "error";
  if (args.length === 1) {
    if (typeof first === "string") return isRed ? `${p.c.r}${p.c.red}${first}${p.c.r}` : first;
    p.value(first, false);
    return p.out;
  }
  if (isRed) p.out = `${p.c.r}${p.c.red}`;
  p.rest = args;
  p.next = 0;
  while (p.next < args.length) {
    if (p.next > 0) p.out += " ";
    const v = args[p.next++];
    if (typeof v !== "string" || p.next === args.length || !hasPercent(v)) p.value(v, false);
    else require("internal/inspect/bun_format").expand(p, v);
  }
  if (isRed) p.out += p.c.r;
  return p.out;
}

function hasPercent(s) {
  for (let i = 0; i < s.length; i++) if (s[i] === "%") return true;
  return false;
}

Object.assign(exports, {
  Printer,
  PALETTE,
  NO_PALETTE,
  SIMPLE,
  PRIMITIVES,
  formatLog,
  quote,
  quotedWidth,
  isWide,
  numberText,
  objectName,
  spaces,
  kCustom,
  kPrint,
});
