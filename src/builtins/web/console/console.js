// @global console
// web/console -- the console object.
//
// Evaluated by nearly every program, so this file only holds what a line of plain values needs.
// Objects, % formats, tables, timers and the Console class load the rest when they are first used:
// console_more.js beside this file, and internal/inspect.
//
// Output does not pass through process.stdout: a line is one write to the file descriptor, done
// when the method returns.
//
/**
 * @typedef {object} ConsoleNative
 * @property {(fd: 1|2, text: string) => void} writeOut Writes all of `text` as UTF-8 (lone
 *   surrogates as U+FFFD) before it returns; a closed or full-for-ever descriptor is not an error.
 * @property {(fd: number) => boolean} hasColors
 * @property {(fd: number) => number} columns Width of the terminal, 0 when there is none.
 * @property {() => Uint32Array} indent One number: how many groups are open.
 * @property {() => object | undefined} object The console that programs see, when it is the
 *   engine's (console_native.c): its functions call the ones here.
 * @property {() => number} depth Option --console-depth, 0 for everything.
 */

const groups = native.indent();

/** Shared with console_more.js. */
const state = {
  get indent() {
    return groups[0];
  },
  depth: undefined,
};

/** @type {(fd: 1|2) => boolean} Whether text for a descriptor is coloured. */
const { hasColors } = native;

const COLOR = { __proto__: null, number: "33", bigint: "33", boolean: "33", undefined: "2" };

/** Text of a primitive that no one else needs to know how to print, else undefined. */
function plain(v, fd) {
  let text;
  const type = typeof v;
  if (type === "string") return v;
  if (type === "number") text = v === 0 && 1 / v < 0 ? "-0" : `${v}`;
  else if (type === "boolean" || v === undefined) text = `${v}`;
  else if (type === "bigint") text = `${v}n`;
  else if (v === null) text = "null";
  else return undefined;
  return hasColors(fd) ? `\x1b[0m\x1b[${COLOR[type] ?? "33"}m${text}\x1b[0m` : text;
}

// Both do without methods of strings, which a program may have replaced.

function hasPercent(s) {
  for (let i = 0; i < s.length; i++) if (s[i] === "%") return true;
  return false;
}

function indentText() {
  let text = "";
  for (let i = 0; i < state.indent; i++) text += "  ";
  return text;
}

/** The line for arguments that are all primitives and hold no format, else undefined. */
function plainLine(args, fd, level) {
  const n = args.length;
  const first = args[0];
  let line = "";
  for (let i = 0; i < n; i++) {
    // As in Bun, a string with anything behind it may be a format, not only the first one.
    if (i < n - 1 && typeof args[i] === "string" && hasPercent(args[i])) return undefined;
    const text = plain(args[i], fd);
    if (text === undefined) return undefined;
    line += i === 0 ? text : ` ${text}`;
  }
  const isRed = level === "error" && (n > 1 || typeof first === "string") && hasColors(fd);
  return isRed ? `\x1b[0m\x1b[31m${line}\x1b[0m` : line;
}

/**
 * Writes one line.
 * @param {1|2} fd
 * @param {"log"|"error"|"warn"} level
 * @param {unknown[]} args
 */
function print(fd, level, args) {
  if (args.length === 0) {
    native.writeOut(1, "\n");
    return;
  }
  const line = plainLine(args, fd, level);
  if (line === undefined) printObjects(fd, level, args);
  else native.writeOut(fd, `${state.indent === 0 ? "" : indentText()}${line}\n`);
}

const shared = { state, native, print, hasColors };

function printObjects(fd, level, args) {
  const { lineOf } = require("web/console/console_objects");
  native.writeOut(fd, `${lineOf(shared, { fd, level }, args)}\n`);
}

let loaded;
function more() {
  if (loaded === undefined) {
    loaded = require("web/console/console_more");
    loaded.attach(shared);
  }
  return loaded;
}

const anonymous = (f) => f;

// The order is the one in which Bun lists them.
const methods = {
  debug: (...args) => print(1, "log", args),
  error: (...args) => print(2, "error", args),
  log: (...args) => print(1, "log", args),
  info: (...args) => print(1, "log", args),
  warn: (...args) => print(2, "warn", args),
  clear: (...args) => more().clear(args),
  dir: (...args) => more().dir(args),
  dirxml: (...args) => more().dirxml(args),
  table: (...args) => more().table(args),
  trace: (...args) => more().trace(args, shown.trace),
  assert: (...args) => {
    if (!args[0]) more().failed(args);
  },
  count: (...args) => more().count(args[0]),
  countReset: (...args) => more().countReset(args[0]),
  profile: (...args) => void args,
  profileEnd: (...args) => void args,
  time: (...args) => more().time(args[0]),
  timeLog: (...args) => more().timeLog(args),
  timeEnd: (...args) => more().timeEnd(args[0]),
  timeStamp: (...args) => void args,
  takeHeapSnapshot: (...args) => more().takeHeapSnapshot(args),
  group: (...args) => {
    if (args.length > 0) print(1, "log", args);
    groups[0]++;
  },
  // Unlike a group, it does not indent.
  groupCollapsed: (...args) => {
    if (args.length > 0) print(1, "log", args);
  },
  groupEnd: (...args) => {
    void args;
    if (groups[0] > 0) groups[0]--;
  },
  record: (...args) => void args,
  recordEnd: (...args) => void args,
  screenshot: (...args) => void args,
  write: anonymous((first, ...rest) =>
    more().write(rest.length === 0 && first === undefined ? [] : [first].concat(rest)),
  ),
};

exports.lines = (...args) => more().lines(args);

/** Properties that are made when they are first read. */
const makers = {
  __proto__: null,
  Console: () => more().consoleClass(shown),
  _stdout: () => more().stream("_stdout"),
  _stderr: () => more().stream("_stderr"),
};

/** Replaces a lazy accessor of the console by its value. */
exports.replace = (key, value) => {
  const enumerable = key === "Console";
  Object.defineProperty(shown, key, { value, enumerable, writable: true, configurable: true });
};

exports.reveal = (key) => {
  const value = makers[key]();
  exports.replace(key, value);
  return value;
};

/** Where the console that programs see is not the engine's, it is the object with the methods. */
function complete(console) {
  for (let i = 0, all = Object.keys(makers); i < all.length; i++) {
    const key = all[i];
    Object.defineProperty(console, key, {
      get: () => exports.reveal(key),
      set: (value) => exports.replace(key, value),
      enumerable: key === "Console",
      configurable: true,
    });
  }
  Object.defineProperty(console, Symbol.toStringTag, { value: "console", configurable: true });
  console[Symbol.asyncIterator] = { [Symbol.asyncIterator]: (...args) => exports.lines(...args) }[
    Symbol.asyncIterator
  ];
  Object.setPrototypeOf(console, {});
  return console;
}

const shown = native.object() ?? complete(methods);
exports.console = shown;
exports.methods = methods;
exports.hasColors = hasColors;

/** Sets how deep objects are printed; 0 for everything. */
exports.setDepth = (depth) => {
  state.depth = depth;
};
