// internal/inspect/bun_error -- how the Bun flavour prints errors: source lines, message, the
// properties that were added, the stack, then the errors that caused it.
//
// Where the source lines and the frames come from is the runtime's business: it installs a hook.

const k = require("internal/inspect/slots");
const { ownData, hasOwn, getOwnPropertyDescriptor } = k;
const { startsWith, slice, isIndexKey } = k;

/**
 * @typedef {object} ErrorFrame What the hook tells about an error. Lines and columns count from 1.
 * @property {{name: string, file: string, line: number, column: number}[]} frames Innermost first;
 *   `name` may start with "new " or "async ", and is "" where there is none.
 * @property {string[]} [source] Up to six lines of source, the one with the error last.
 * @property {number} [line] Number of that last line.
 * @property {number} [column] Where in it the caret goes.
 * @property {string} [cwd] Directory to be shown dimmed in front of files below it.
 */

/** @type {(error: object) => ErrorFrame | undefined} */
let frameHook = (error) => require("internal/report/frames").locate(error, framesOfStack);

/** Replaces where the stack frames and source lines of printed errors come from. */
exports.setErrorFrameHook = (hook) => {
  frameHook = hook;
};

function locate(error) {
  let place;
  try {
    place = frameHook(error);
  } catch {
    place = undefined; // an error that cannot be located is still printed
  }
  return place ?? { frames: framesOfStack(error) };
}

const NAME_WIDTH_MAX = 10;
const NESTING_MAX = 200; // of errors in errors, however deep one may print
const CODE_TEXT_MIN = 2; // a message of one character is not taken for `CODE: message`
const SOURCE_WIDTH_MAX = 1024;
const CARET_WIDTH_MAX = 512;
const FRAMES_MAX = 100;

const repeat = k.uncurry(String.prototype.repeat);
const trimEnd = k.uncurry(String.prototype.trimEnd);
const split = k.uncurry(String.prototype.split);
const indexOf = k.uncurry(String.prototype.indexOf);
const lastIndexOf = k.uncurry(String.prototype.lastIndexOf);

/** Prints an error and, after it, its causes. The output ends with a newline. */
function printError(p, error) {
  const errors = aggregated(error);
  if (errors === undefined || errors.length === 0) {
    printOne(p, error);
    return;
  }
  // Its errors may refer to it: then it is printed there, by itself.
  p.leave(error);
  if (p.depth >= p.depthMax || p.depth > NESTING_MAX) {
    printOne(p, error);
    for (let i = 0; i < errors.length; i++) printEllipsis(p, "\n");
    return;
  }
  p.depth++;
  for (let i = 0; i < errors.length; i++) {
    if (isError(errors[i])) p.tagged("Error", errors[i]);
    else printOther(p, errors[i]);
  }
  p.depth--;
}

/** The errors of an AggregateError. */
function aggregated(error) {
  for (let o = k.getPrototypeOf(error); o !== null; o = k.getPrototypeOf(o)) {
    if (o === AggregatePrototype) {
      const errors = ownData(error, "errors");
      return k.isArray(errors) ? errors : undefined;
    }
    if (k.classNameOf(o) === "ProxyObject") return undefined;
  }
  return undefined;
}
const AggregatePrototype = AggregateError.prototype;

const isObject = (v) => typeof v === "object" && v !== null;
const isError = (v) => isObject(v) && k.kindOf(v) === "Error" && !isException(v);

/** A DOMException is no error here. */
function isException(v) {
  const isOne = read(v, Symbol.toStringTag) === "DOMException";
  return isOne && require("web/exception").isDOMException(v);
}

function printEllipsis(p, end) {
  p.out += `${p.c.r}${p.c.cyan}[Error ...]${p.c.r}${end}`;
}

/** A value that was given where an error belongs. */
function printOther(p, v) {
  if (isObject(v) || typeof v === "function") {
    printMessage(p, textOf(read(v, "name")), textOf(read(v, "message")), undefined);
  } else printMessage(p, "", typeof v === "symbol" ? k.symbolDescription(v) : `${v}`);
  p.value(v, false);
  p.out += "\n";
}

/** Value of a property, undefined if reading it throws. */
function read(v, key) {
  try {
    return v[key];
  } catch {
    return undefined;
  }
}

/** Text of a primitive; "" for what has none to show. */
function textOf(v) {
  if (v === undefined || v === null || typeof v === "symbol") return "";
  return isObject(v) || typeof v === "function" ? "" : `${v}`;
}

function printOne(p, error) {
  const place = locate(error);
  const entries = propertiesOf(p, error);
  if (p.errorLevel !== "warn") printSource(p, place);
  printMessage(p, nameOf(error), messageOf(error), entries.code);
  const causes = [];
  printProperties(p, entries, causes);
  printFrames(p, place);
  for (let i = 0; i < causes.length; i++) {
    p.out += "\n";
    if (p.depth >= p.depthMax) {
      printEllipsis(p, "");
      continue;
    }
    p.enter(causes[i]);
    p.depth++;
    printOne(p, causes[i]);
    p.depth--;
    p.leave(causes[i]);
  }
}

/** The name: an own data property, or one of the prototype; further up it is not looked for. */
function nameOf(error) {
  const proto = k.getPrototypeOf(error);
  const d =
    getOwnPropertyDescriptor(error, "name") ??
    (proto === null ? undefined : getOwnPropertyDescriptor(proto, "name"));
  if (d === undefined || !hasOwn(d, "value")) return "Error";
  const { value } = d;
  if (
    value === undefined ||
    typeof value === "symbol" ||
    isObject(value) ||
    typeof value === "function"
  )
    return "Error";
  return `${value}`;
}

function messageOf(error) {
  try {
    return "message" in error ? `${error.message}` : "";
  } catch {
    return "";
  }
}

// ---- message

const LEVEL_COLORS = { __proto__: null, normal: "", warn: "yellow", full: "red" };

function printMessage(p, name, message, code) {
  const { r, b, d } = p.c;
  let label = name;
  let text = message;
  if (name === "Error" && message !== "") {
    label = "";
    if (isCoded(message, code)) {
      label = code;
      text = slice(message, code.length + 2);
    }
  }
  if (label === "") label = p.errorLevel === "warn" ? "warn" : "error";
  const color = LEVEL_COLORS[p.errorLevel];
  const paint = color === "" ? "" : p.c[color];
  p.out += `${r}${paint}${label}`;
  if (name === "" && message === "") p.out += `${r}\n`;
  else {
    p.out += p.colors ? `${r}${d}:${r} ` : ": ";
    p.out += message === "" ? "\n" : `${b}${text}${r}\n`;
  }
}

/** Is the message of the form `CODE: text`? */
function isCoded(message, code) {
  if (code === undefined || k.regexpExec(/[^\0-\x7f]/, code) !== null) return false;
  return message.length >= code.length + 2 + CODE_TEXT_MIN && startsWith(message, `${code}: `);
}

// ---- properties

const HIDDEN = {
  __proto__: null,
  message: true,
  name: true,
  stack: true,
  line: true,
  column: true,
  sourceURL: true,
  originalLine: true,
  originalColumn: true,
};

/** Own enumerable data properties worth printing; `code` apart, and a hidden `cause`. */
function propertiesOf(p, error) {
  const out = { keys: [], values: [], code: undefined, cause: undefined, width: 0 };
  const keys = k.ownKeys(error);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const d = getOwnPropertyDescriptor(error, key);
    if (d === undefined || !hasOwn(d, "value") || isIndexKey(key)) continue;
    const { value } = d;
    const isHiddenCause = key === "cause" && !d.enumerable && isError(value);
    if (isHiddenCause && !p.isOpen(value)) out.cause = value;
    else if (d.enumerable || isHiddenCause) addProperty(out, key, value);
  }
  if (out.width > NAME_WIDTH_MAX) out.width = NAME_WIDTH_MAX;
  return out;
}

const isWide = (s) => k.regexpExec(/[^\0-\xff]/, s) !== null;

function addProperty(out, key, value) {
  if (HIDDEN[key] === true) return;
  const label = typeof key === "symbol" ? k.symbolDescription(key) : key;
  if (label === "") return;
  if (label.length > out.width) out.width = label.length;
  if (key === "code" && typeof value === "string" && !isWide(value)) {
    out.code = value;
    return;
  }
  out.keys[out.keys.length] = label;
  out.values[out.values.length] = value;
}

function printProperties(p, entries, causes) {
  const { r, d, green } = p.c;
  const { depthMax, quoteStrings, isPlain } = p;
  p.depth++;
  p.depthMax = p.depth;
  p.quoteStrings = true;
  p.isPlain = true;
  let isEmpty = true;
  for (let i = 0; i < entries.keys.length; i++) {
    const value = entries.values[i];
    if (isError(value) && !p.isOpen(value)) {
      causes[causes.length] = value;
      continue;
    }
    isEmpty = false;
    printLabel(p, entries.keys[i], entries.width);
    p.value(value);
    p.out += `${r}${d},${r}\n`;
  }
  p.depth--;
  p.depthMax = depthMax;
  p.quoteStrings = quoteStrings;
  p.isPlain = isPlain;
  if (entries.code !== undefined) {
    isEmpty = false;
    printLabel(p, "code", entries.width, true);
    p.out += `${green}${k.stringify(entries.code)}${r}\n`;
  }
  if (!isEmpty) p.out += "\n";
  if (entries.cause !== undefined) causes[causes.length] = entries.cause;
}

function printLabel(p, label, width) {
  const { r, d } = p.c;
  const pad = label.length < width ? repeat(" ", width - label.length) : "";
  p.out += `${pad} ${label}${r}${d}:${r} `;
}

// ---- source lines

function printSource(p, place) {
  const { source, line } = place;
  if (source === undefined || source.length === 0) return;
  const { r, b, d, red } = p.c;
  const width = `${line}`.length;
  for (let i = 0; i < source.length; i++) {
    const number = `${line - source.length + 1 + i}`;
    const text = trimEnd(source[i]);
    const shown = text.length > SOURCE_WIDTH_MAX ? slice(text, 0, SOURCE_WIDTH_MAX) : text;
    const cut = shown === text || !p.colors ? "" : `${r}${d} | ... truncated ${r}`;
    const code = p.colors ? highlight(shown) : shown;
    p.out += `${repeat(" ", width - number.length)}${r}${b}${number} |${r} ${code}${cut}\n`;
  }
  const { column } = place;
  const last = trimEnd(source[source.length - 1]);
  if (column === undefined || column < 1) return;
  const isFar = last.length >= CARET_WIDTH_MAX && column - 1 <= CARET_WIDTH_MAX;
  if (isFar || last.length > SOURCE_WIDTH_MAX) p.out += "\n";
  else p.out += `${repeat(" ", width + 2 + column)}${red}${b}^${r}\n`;
}

const highlight = (text) => require("internal/inspect/highlight").highlight(text);

// ---- frames

function printFrames(p, place) {
  const { frames } = place;
  const end = frames.length < FRAMES_MAX ? frames.length : FRAMES_MAX;
  for (let i = 0; i < end; i++) p.out += frameText(frames[i], p.c, place.cwd);
}

const DIM_NAMES = { __proto__: null, "<anonymous>": true, eval: true, "async <anonymous>": true };

function frameText(frame, c, cwd) {
  const { r, d, b, i } = c;
  const { name } = frame;
  const where = placeText(frame, c, cwd);
  const start = `${r}      ${d}at ${r}`;
  if (name === "") return `${start}${where}\n`;
  let shown;
  if (startsWith(name, "new ")) shown = name;
  else shown = DIM_NAMES[name] === true ? `${r}${d}${name}${r}` : `${r}${b}${i}${name}${r}`;
  return `${start}${shown}${d} (${r}${where}${d})${r}\n`;
}

function placeText(frame, c, cwd) {
  const { r, d, cyan, yellow } = c;
  let { file } = frame;
  const dir = cwd === undefined || cwd === "/" || cwd === "" ? "" : `${cwd}/`;
  if (dir !== "" && startsWith(file, dir)) file = `${d}${dir}${r}${cyan}${slice(file, dir.length)}`;
  const at = frame.line > 0 ? `${r}${d}:${r}${yellow}${frame.line}` : "";
  const column = at !== "" && frame.column > 0 ? `${r}${d}:${yellow}${frame.column}` : "";
  return `${r}${cyan}${file}${at}${column}${r}`;
}

/** Stack of an error without the hook, from the text of its `stack`. */
function framesOfStack(error) {
  const stack = ownData(error, "stack");
  if (typeof stack !== "string") return [];
  const lines = split(stack, "\n");
  const frames = [];
  for (let i = 0; i < lines.length && frames.length < FRAMES_MAX; i++) {
    const frame = frameOfLine(lines[i]);
    if (frame !== undefined) frames[frames.length] = frame;
  }
  return frames;
}

/** Reads `    at name (file:line:column)` or `    at file:line:column`. */
function frameOfLine(line) {
  const at = indexOf(line, "    at ");
  if (at !== 0) return undefined;
  const rest = slice(line, 7);
  const paren = lastIndexOf(rest, " (");
  const name = paren < 0 ? "" : slice(rest, 0, paren);
  const where = paren < 0 ? rest : slice(rest, paren + 2, -1);
  const m = k.regexpExec(/^(.*?)(?::(\d+))?(?::(\d+))?$/, where);
  return { name, file: m[1], line: +(m[2] ?? 0), column: +(m[3] ?? 0) };
}

/** The lines of the stack of an error, as console.trace prints them. */
exports.stackText = (error, colors) => {
  const { PALETTE, NO_PALETTE } = require("internal/inspect/bun_print");
  const place = locate(error);
  let out = "";
  for (let i = 0; i < place.frames.length; i++) {
    out += frameText(place.frames[i], colors ? PALETTE : NO_PALETTE, place.cwd);
  }
  return out;
};

exports.printError = printError;
