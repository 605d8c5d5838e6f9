// internal/inspect/node_error -- errors as util.inspect prints them: the stack, made to tell the
// class and name of the error, repeated frames left out; the properties follow as for any object.

const k = require("internal/inspect/slots");
const { prefixOf } = require("internal/inspect/node_names");
const { indentText } = require("internal/inspect/node_print");
const { slice, startsWith, hasOwn, regexpExec, join } = k;

const split = k.uncurry(String.prototype.split);
const indexOf = k.uncurry(String.prototype.indexOf);
const includes = k.uncurry(String.prototype.includes);
const endsWith = k.uncurry(String.prototype.endsWith);
const splice = k.uncurry(Array.prototype.splice);
const arrayIndexOf = k.uncurry(Array.prototype.indexOf);

const FRAME = "\n    at";
const RUN_MIN = 3; // shorter repetitions of frames are left alone
const FRAMES_MIN = 10;

// Own properties that the engine puts on every error.
const ENGINE_KEYS = { __proto__: null, line: true, column: true, sourceURL: true };

/** Value of a getter, or a default when it throws. */
function read(v, key, otherwise) {
  try {
    return v[key];
  } catch {
    return otherwise;
  }
}

const THREW = { threw: true };

/**
 * The text of an error without its properties. Changes `shape.keys`: removes what the text shows,
 * adds `cause` and `errors`.
 */
function errorBase(p, error, shape) {
  let stack;
  try {
    stack = stackOf(p, error);
  } catch {
    return k.objToString(error);
  }
  const message = read(error, "message", THREW);
  let name = read(error, "name", THREW);
  adjustKeys(p, error, shape, { stack, message, name });
  if (name === THREW || name === undefined || name === null) name = "Error";
  stack = improve(stack, shape, name);
  return indentText(withFrames(p, error, stack, message), p.indentationLvl);
}

/** The stack; what is no string is printed below the message. */
function stackOf(p, error) {
  const stack = read(error, "stack", undefined);
  if (!stack) return k.errorToString(error);
  if (typeof stack === "string") return stack;
  const wasOpen = k.setHas(p.open, error);
  k.setAdd(p.open, error);
  p.indentationLvl += 4;
  const text = p.value(stack, NaN); // no depth: never joined into one line
  p.indentationLvl -= 4;
  if (!wasOpen) k.setDelete(p.open, error);
  return `${k.errorToString(error)}\n    ${text}`;
}

function adjustKeys(p, error, shape, { stack, message, name }) {
  const kept = [];
  for (let i = 0; i < shape.keys.length; i++) {
    const key = shape.keys[i];
    if (p.showHidden ? isEngineKey(error, key) : isShown(key, { stack, message, name })) continue;
    kept[kept.length] = key;
  }
  addKey(kept, error, "cause", hasOwn(error, "cause"));
  const errors = read(error, "errors", undefined);
  addKey(kept, error, "errors", k.isArray(errors) && hasOwn(error, "errors"));
  shape.keys = kept;
}

function isEngineKey(error, key) {
  return ENGINE_KEYS[key] === true && k.getOwnPropertyDescriptor(error, key)?.enumerable === false;
}

/** Does the stack show this property? */
function isShown(key, { stack, message, name }) {
  if (key === "stack") return true;
  if (key !== "message" && key !== "name") return false;
  const value = key === "message" ? message : name;
  return value !== THREW && (typeof value !== "string" || includes(stack, value));
}

function addKey(keys, error, key, isWanted) {
  if (isWanted && arrayIndexOf(keys, key) < 0) keys[keys.length] = key;
}

// ---- first line

/** Puts the class of the error into the first line, where that starts with the plain name. */
function improve(text, { constructorName, tag }, name) {
  let stack = text;
  if (typeof name !== "string") {
    const label = textOf(name);
    const at = indexOf(stack, label);
    const added = ` [${slice(prefixOf(constructorName, tag, "Error"), 0, -1)}]`;
    if (at >= 0)
      stack = slice(stack, 0, at + label.length) + added + slice(stack, at + label.length);
  }
  if (constructorName !== null && !isRegular(stack, name)) return stack;
  let fallback = "Error";
  let { length } = name;
  if (constructorName === null) {
    fallback = leadingName(stack);
    length = fallback.length;
    fallback ||= "Error";
  }
  const prefix = slice(prefixOf(constructorName, tag, fallback), 0, -1);
  if (name === prefix) return stack;
  if (!includes(prefix, textOf(name))) return `${prefix} [${textOf(name)}]${slice(stack, length)}`;
  return length === 0 ? `${prefix}: ${stack}` : `${prefix}${slice(stack, length)}`;
}

function textOf(v) {
  return typeof v === "symbol" ? k.symbolToString(v) : `${v}`;
}

/** Does the stack start with a name that ends in Error? */
function isRegular(stack, name) {
  if (typeof name !== "string" || !endsWith(name, "Error") || !startsWith(stack, name))
    return false;
  if (stack.length === name.length) return true;
  const next = stack[name.length];
  return next === ":" || next === "\n";
}

const LEADING = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n {4}at)/;
const ALONE = /^([a-z_A-Z0-9-]*Error)$/;

function leadingName(stack) {
  const m = regexpExec(LEADING, stack) ?? regexpExec(ALONE, stack);
  return m === null ? "" : m[1];
}

// ---- frames

/** Brackets around an error without frames; else its frames, shortened and coloured. */
function withFrames(p, error, stack, message) {
  let from = typeof message === "string" && message !== "" ? indexOf(stack, message) : -1;
  if (from >= 0) from += message.length;
  const start = indexOf(stack, FRAME, from);
  if (start < 0) return `[${stack}]`;
  const lines = framesOf(p, error, slice(stack, start + 1));
  const shown = p.colors ? colored(p, lines) : lines;
  return `${slice(stack, 0, start)}\n${join(shown, "\n")}`;
}

function framesOf(p, error, text) {
  const frames = split(text, "\n");
  const cause = read(error, "cause", undefined);
  if (typeof cause === "object" && cause !== null && isErrorLike(cause)) {
    dropCommon(p, frames, stackOf(p, cause));
  }
  if (frames.length > FRAMES_MIN) collapse(p, frames);
  return frames;
}

const isErrorLike = (v) => k.kindOf(v) === "Error" || v instanceof Error;

/** Replaces frames that stand in the stack of the cause as well. */
function dropCommon(p, frames, causeStack) {
  const start = indexOf(causeStack, FRAME);
  if (start < 0) return;
  const { length, at } = commonRun(frames, split(slice(causeStack, start + 1), "\n"));
  if (length === 0) return;
  const skipped = length - 2;
  const text = `    ... ${skipped} lines matching cause stack trace ...`;
  splice(frames, at + 1, skipped, p.stylize(text, "undefined"));
}

/** First run of more than three lines of `a` that stands in `b`. */
function commonRun(a, b) {
  for (let at = 0; at < a.length - RUN_MIN; at++) {
    const other = arrayIndexOf(b, a[at]);
    if (other < 0 || b.length - other <= RUN_MIN) continue;
    let length = 1;
    while (
      at + length < a.length &&
      other + length < b.length &&
      a[at + length] === b[other + length]
    ) {
      length++;
    }
    if (length > RUN_MIN) return { length, at };
  }
  return { length: 0, at: 0 };
}

/** Replaces repetitions of a block of frames by one line each. */
function collapse(p, frames) {
  const found = repetitions(frames);
  for (let i = found.length - 1; i >= 0; i--) {
    const { at, length, times } = found[i];
    const total = length * times;
    const which = times > 1 ? `${length} lines ${times} times...` : "lines ...";
    const text = `    ... collapsed ${total} duplicate lines matching above ${which}`;
    splice(frames, at, total, p.stylize(text, "undefined"));
  }
}

/**
 * Blocks that are repeated right after themselves, at least three lines in all. At each frame the
 * block length that hides most lines wins; the shortest of equals.
 */
function repetitions(frames) {
  const out = [];
  const places = placesOf(frames);
  if (frames.length - k.mapSize(places) <= RUN_MIN) return out;
  for (let i = 0; i < frames.length - RUN_MIN; i++) {
    const best = bestBlock(frames, i, k.mapGet(places, frames[i]));
    if (best.times === 0) continue;
    out[out.length] = { at: i + best.length, length: best.length, times: best.times };
    i += best.length * (best.times + 1) - 1;
  }
  return out;
}

function placesOf(frames) {
  const places = new Map();
  for (let i = 0; i < frames.length; i++) {
    const list = k.mapGet(places, frames[i]);
    if (list === undefined) k.mapSet(places, frames[i], [i]);
    else list[list.length] = i;
  }
  return places;
}

function bestBlock(frames, at, places) {
  let best = { length: 0, times: 0 };
  for (let j = 0; j < places.length; j++) {
    const length = places[j] - at;
    if (length <= 0) continue;
    const times = repeats(frames, at, length);
    if (times * length >= RUN_MIN && times * length > best.times * best.length) {
      best = { length, times };
    }
  }
  return best;
}

/** How often the block of `length` frames at `at` follows itself. */
function repeats(frames, at, length) {
  let times = 0;
  for (let next = at + length; next + length <= frames.length; next += length) {
    for (let j = 0; j < length; j++) {
      if (frames[at + j] !== frames[next + j]) return times;
    }
    times++;
  }
  return times;
}

// ---- colours

const CORE_FRAME = /^ {4}at (?:[^/\\(]+ \(|)node:(.+):\d+:\d+\)?$/;

/** Dims frames of built-in modules and the directory, underlines packages. */
function colored(p, lines) {
  const cwd = workingDirectory();
  const out = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (regexpExec(CORE_FRAME, line) !== null) out[i] = p.stylize(line, "undefined");
    else out[i] = cwd === "" ? markPackages(p, line) : markDirectory(p, markPackages(p, line), cwd);
  }
  return out;
}

function workingDirectory() {
  try {
    return require("node:process").cwd();
  } catch {
    return ""; // the directory is gone, or there is no process module yet
  }
}

const PACKAGE = /([\\/]node_modules[\\/])((?:@[^\\/]*[\\/])?[^\\/]*)/;

function markPackages(p, line) {
  let rest = line;
  let out = "";
  for (let m = regexpExec(PACKAGE, rest); m !== null; m = regexpExec(PACKAGE, rest)) {
    out += slice(rest, 0, m.index) + m[1] + p.stylize(m[2], "module");
    rest = slice(rest, m.index + m[0].length);
  }
  return out + rest;
}

function markDirectory(p, line, cwd) {
  let at = indexOf(line, cwd);
  if (at < 0) return line;
  let { length } = cwd;
  if (slice(line, at - 7, at) === "file://") {
    at -= 7;
    length += 7;
  }
  const isInParens = line[at - 1] === "(";
  const start = isInParens ? at - 1 : at;
  const end = at + length + 1;
  const isClosed = isInParens && endsWith(line, ")");
  const tail = isClosed ? slice(line, end, -1) + p.stylize(")", "undefined") : slice(line, end);
  return slice(line, 0, start) + p.stylize(slice(line, start, end), "undefined") + tail;
}

exports.errorBase = errorBase;
