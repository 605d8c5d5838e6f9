// web/console/console_class -- console.Console: a console over streams, in the format of Node.
//
// Every instance has its own bound copies of the methods, so that they can be passed around.

const { now } = require("internal/clock");
const { apply } = Reflect;
const errors = require("internal/errors");
const { validateArray, validateInteger, validateObject } = require("internal/validators");

const inspector = () => require("internal/inspect");

const INDENT_MAX = 1000;

/** Instances, and the global console. */
const consoles = new WeakSet();
/** Of each instance: colorMode, inspectOptions, indent, indentText, counts. */
const states = new WeakMap();

function checkStream(stream, name) {
  if (stream === null || stream === undefined || typeof stream.write !== "function") {
    throw new errors.ERR_CONSOLE_WRITABLE_STREAM(name);
  }
}

/** One object of options, or a Map that has one for each stream. */
function checkInspectOptions(inspectOptions, colorMode) {
  if (inspectOptions instanceof Map) {
    for (const each of inspectOptions.values()) checkInspectOptions(each, colorMode);
    return;
  }
  validateObject(inspectOptions, "options.inspectOptions");
  if (inspectOptions.colors !== undefined && colorMode !== "auto") {
    throw new errors.ERR_INCOMPATIBLE_OPTION_PAIR("options.inspectOptions.color", "colorMode");
  }
}

/** Options as given to the constructor, checked and completed. */
function readOptions(first, rest) {
  const isStream = !first || typeof first.write === "function";
  const options = isStream ? { stdout: first, stderr: rest[0], ignoreErrors: rest[1] } : first;
  const { stdout, stderr = stdout, ignoreErrors = true, colorMode = "auto" } = options;
  const { inspectOptions, groupIndentation = 2 } = options;
  checkStream(stdout, "stdout");
  checkStream(stderr, "stderr");
  if (typeof colorMode !== "boolean" && colorMode !== "auto") {
    const { validateOneOf } = require("internal/validators");
    validateOneOf(colorMode, "colorMode", ["auto", true, false]);
  }
  validateInteger(groupIndentation, "groupIndentation", 0, INDENT_MAX);
  if (inspectOptions !== undefined) checkInspectOptions(inspectOptions, colorMode);
  return { stdout, stderr, ignoreErrors, colorMode, inspectOptions, groupIndentation };
}

/** Options of inspect for a stream: the user's, and colours where the stream shows them. */
function inspectOptionsFor(console, stream) {
  const state = states.get(console);
  const { colorMode } = state;
  let { inspectOptions } = state;
  if (inspectOptions instanceof Map) inspectOptions = inspectOptions.get(stream);
  let colors = colorMode;
  if (colors === "auto") {
    const hasDepth = typeof stream.getColorDepth === "function";
    colors = !!stream.isTTY && (!hasDepth || stream.getColorDepth() > 2);
  }
  if (inspectOptions === undefined) return colors ? { colors: true } : {};
  return { colors, ...inspectOptions };
}

function formatFor(console, stream, args) {
  const options = inspectOptionsFor(console, stream);
  return apply(inspector().formatWithOptions, undefined, [options].concat(args));
}

const ignore = () => undefined;

/** Writes a line to a stream, indented by the groups. Errors of the stream are dropped. */
function writeLine(console, stream, text) {
  const { indentText } = states.get(console);
  let line = text;
  if (indentText !== "") line = indentText + text.replaceAll("\n", `\n${indentText}`);
  line += "\n";
  if (console._ignoreErrors === false) {
    stream.write(line);
    return;
  }
  if (typeof stream.once !== "function") {
    stream.write(line);
    return;
  }
  stream.once("error", ignore);
  try {
    stream.write(line, (error) => {
      // It is emitted after this.
      const isToCome = error !== null && error !== undefined &&
        !stream._writableState?.errorEmitted && stream.listenerCount("error") === 0;
      if (isToCome) stream.once("error", ignore);
    });
  } catch (error) {
    if (errors.isStackOverflowError(error)) throw error;
  } finally {
    stream.removeListener("error", ignore);
  }
}

const toStdout = (console, args) =>
  writeLine(console, console._stdout, formatFor(console, console._stdout, args));
const toStderr = (console, args) =>
  writeLine(console, console._stderr, formatFor(console, console._stderr, args));

function warn(text) {
  require("node:process").emitWarning(text);
}

// ---- time

const pad = (n) => `${n}`.padStart(2, "0");

/** 1.5ms, 1.500s, 1:01.500 (m:ss.mmm), 1:00:01.500 (h:mm:ss.mmm) */
function durationText(ms) {
  if (ms < 1000) return `${Number(ms.toFixed(3))}ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(3)}s`;
  const hours = Math.floor(ms / 3600000);
  const minutes = Math.floor((ms % 3600000) / 60000);
  const seconds = ((ms % 60000) / 1000).toFixed(3).padStart(6, "0");
  if (hours === 0) return `${minutes}:${seconds} (m:ss.mmm)`;
  return `${hours}:${pad(minutes)}:${seconds} (h:mm:ss.mmm)`;
}

/** Prints the time since console.time. Returns whether there is such a timer. */
function logTime(console, label, { method, args }) {
  const started = console._times.get(label);
  if (started === undefined) {
    warn(`No such label '${label}' for console.${method}()`);
    return false;
  }
  const text = `${label}: ${durationText(now() - started)}`;
  if (args === undefined) toStdout(console, ["%s", text]);
  else toStdout(console, ["%s", text].concat(args));
  return true;
}

/** The frames above a function, each line after a line break. */
function framesAbove(caller) {
  const error = new Error("");
  Error.captureStackTrace(error, caller);
  const { stack } = error;
  const at = typeof stack === "string" ? stack.indexOf("\n    at") : -1;
  return at < 0 ? "" : stack.slice(at);
}

// ---- the methods; `this` is the console

const methods = {
  log(...args) {
    toStdout(this, args);
  },
  info(...args) {
    toStdout(this, args);
  },
  debug(...args) {
    toStdout(this, args);
  },
  warn(...args) {
    toStderr(this, args);
  },
  error(...args) {
    toStderr(this, args);
  },
  dir(object, options) {
    const own = { customInspect: false, ...inspectOptionsFor(this, this._stdout), ...options };
    writeLine(this, this._stdout, inspector().inspect(object, own));
  },
  time(label = "default") {
    const name = `${label}`;
    if (this._times.has(name)) warn(`Label '${name}' already exists for console.time()`);
    else this._times.set(name, now());
  },
  timeEnd(label = "default") {
    const name = `${label}`;
    if (logTime(this, name, { method: "timeEnd" })) this._times.delete(name);
  },
  timeLog(label = "default", ...args) {
    logTime(this, `${label}`, { method: "timeLog", args });
  },
  trace: function trace(...args) {
    const message = formatFor(this, this._stderr, args);
    this.error(`Trace${message === "" ? "" : `: ${message}`}${framesAbove(trace)}`);
  },
  assert(expression, ...args) {
    if (expression) return;
    const { 0: first } = args;
    if (typeof first === "string") args[0] = `Assertion failed: ${first}`;
    else args.unshift("Assertion failed");
    apply(this.warn, this, args);
  },
  clear() {
    const stdout = this._stdout;
    if (stdout.isTTY && require("node:process").env.TERM !== "dumb") {
      stdout.write("\x1b[1;1H\x1b[0J");
    }
  },
  count(label = "default") {
    const name = `${label}`;
    const { counts } = states.get(this);
    const n = (counts.get(name) ?? 0) + 1;
    counts.set(name, n);
    this.log(`${name}: ${n}`);
  },
  countReset(label = "default") {
    const { counts } = states.get(this);
    if (!counts.delete(`${label}`)) warn(`Count for '${label}' does not exist`);
  },
  group(...args) {
    if (args.length > 0) apply(this.log, this, args);
    const own = states.get(this);
    own.indentText += " ".repeat(own.width);
  },
  groupEnd() {
    const own = states.get(this);
    own.indentText = own.indentText.slice(0, Math.max(0, own.indentText.length - own.width));
  },
  table(data, properties) {
    if (data === null || typeof data !== "object") {
      this.log(data);
      return;
    }
    if (properties !== undefined) validateArray(properties, "properties");
    const { nodeTable } = require("internal/inspect/node_table");
    this.log(nodeTable(data, properties, inspectOptionsFor(this, this._stdout)));
  },
};

const ALIASES = { dirxml: "log", groupCollapsed: "group" };

function Console(options, ...rest) {
  if (new.target === undefined) return Reflect.construct(Console, [options].concat(rest));
  const own = readOptions(options, rest);
  consoles.add(this);
  states.set(this, {
    colorMode: own.colorMode,
    inspectOptions: own.inspectOptions,
    width: own.groupIndentation,
    indentText: "",
    counts: new Map(),
  });
  for (let i = 0, all = Object.keys(Console.prototype); i < all.length; i++) {
    const name = all[i];
    const bound = this[name].bind(this);
    Object.defineProperty(bound, "name", { value: name });
    this[name] = bound;
  }
  hide(this, "_stdout", own.stdout);
  hide(this, "_stderr", own.stderr);
  hide(this, "_ignoreErrors", own.ignoreErrors);
  hide(this, "_times", new Map());
  Object.defineProperty(this, Symbol.toStringTag, { value: "console", configurable: true });
}

function hide(target, key, value) {
  Object.defineProperty(target, key, { value, writable: true, configurable: true });
}

for (let i = 0, all = Object.keys(methods); i < all.length; i++) {
  const name = all[i];
  Console.prototype[name] = methods[name];
}
for (let i = 0, all = Object.keys(ALIASES); i < all.length; i++) {
  const name = all[i];
  Console.prototype[name] = methods[ALIASES[name]];
}
Object.defineProperty(Console, Symbol.hasInstance, { value: (v) => consoles.has(v) });

/** The class; the given console counts as an instance of it. */
exports.makeConsole = (console) => {
  consoles.add(console);
  return Console;
};
