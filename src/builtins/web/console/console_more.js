// web/console/console_more -- the console methods that most programs never call.

let shared;
let host;
let print;
let hasColors;

/** Takes what it shares with console.js: state, native, print, hasColors. */
exports.attach = (from) => {
  shared = from;
  ({ native: host, print, hasColors } = from);
};

const inspect = () => require("internal/inspect");

// ---- dir, table

const { now } = require("internal/clock");
const { lineOf, depthOf, DEPTH_MAX } = require("web/console/console_objects");

exports.dir = (args) => {
  if (args.length === 0) return;
  const extra = {};
  const options = args[1];
  if (typeof options === "object" && options !== null) {
    const { depth, colors } = options;
    if (depth === null || depth === Infinity) extra.depth = DEPTH_MAX;
    else if (typeof depth === "number" || typeof depth === "bigint") extra.depth = Number(depth);
    if (typeof colors === "boolean") extra.colors = colors;
  }
  host.writeOut(1, `${lineOf(shared, { fd: 1, level: "log" }, [args[0]], extra)}\n`);
};

exports.dirxml = (args) => {
  if (args.length > 0) print(1, "log", args);
};

const isObject = (v) => (typeof v === "object" && v !== null) || typeof v === "function";

exports.table = (args) => {
  const { 0: data, 1: properties } = args;
  if (properties !== undefined && !Array.isArray(properties)) {
    throw new TypeError('The "properties" argument must be an instance of Array.');
  }
  if (isObject(data)) {
    host.writeOut(1, inspect().tableText(data, properties, { colors: hasColors(1) }));
  } else if (args.length > 0) print(1, "log", [data]);
};

exports.clear = () => {
  const fd = hasColors(2) ? 2 : hasColors(1) ? 1 : 0;
  if (fd !== 0) host.writeOut(fd, "\x1b[2J\x1b[3J\x1b[H");
};

// ---- trace, assert

/** @param {Function} caller The method that the program called; the stack starts above it. */
exports.trace = (args, caller) => {
  if (args.length > 0) print(1, "log", args);
  const error = new Error("trace output");
  if (typeof Error.captureStackTrace === "function") Error.captureStackTrace(error, caller);
  const text = inspect().stackText(error, hasColors(2));
  if (text !== "") host.writeOut(1, text);
};

exports.failed = (args) => {
  if (args.length > 1) print(2, "error", args.slice(1));
  else {
    const text = "Assertion failed";
    host.writeOut(2, hasColors(2) ? `\x1b[0m\x1b[31m${text}\x1b[0m\n` : `${text}\n`);
  }
};

// ---- counters and timers

const counts = new Map();
const timers = new Map();
const labelOf = (label) => (label === undefined ? "default" : `${label}`);

exports.count = (label) => {
  const name = labelOf(label);
  const n = (counts.get(name) ?? 0) + 1;
  counts.set(name, n);
  const line = hasColors(1) ? `\x1b[0m${name}\x1b[2m: \x1b[0m\x1b[33m${n}\x1b[0m` : `${name}: ${n}`;
  host.writeOut(1, `${line}\n`);
};

exports.countReset = (label) => {
  const name = labelOf(label);
  if (counts.has(name)) counts.set(name, 0);
};

exports.time = (label) => {
  const name = labelOf(label);
  if (!timers.has(name)) timers.set(name, now());
};

const SECONDS_FROM_MS = 1500;

/** `[1.23ms] label` */
function elapsedText(name, started) {
  const ms = now() - started;
  const isLong = Math.round(ms) > SECONDS_FROM_MS;
  const text = isLong ? `${(ms / 1000).toFixed(2)}s` : `${ms.toFixed(2)}ms`;
  const shown = hasColors(2) ? `\x1b[0m\x1b[2m[\x1b[1m${text}\x1b[0m\x1b[2m]\x1b[0m` : `[${text}]`;
  return name === "" ? shown : `${shown} ${name}`;
}

exports.timeEnd = (label) => {
  const name = labelOf(label);
  const started = timers.get(name);
  if (started === undefined) return;
  timers.delete(name);
  host.writeOut(2, `${elapsedText(name, started)}\n`);
};

exports.timeLog = (args) => {
  const name = labelOf(args[0]);
  const started = timers.get(name);
  if (started === undefined) return;
  let line = elapsedText(name, started);
  for (let i = 1; i < args.length; i++) {
    const options = { colors: hasColors(2), depth: depthOf(shared), errorLevel: "full" };
    line += ` ${inspect().formatLog([args[i]], options)}`;
  }
  host.writeOut(2, `${line}\n`);
};

// ---- streams

exports.stream = (key) => {
  const process = require("node:process");
  return key === "_stdout" ? process.stdout : process.stderr;
};

const WRITE_WHAT = "write() expects a string, ArrayBufferView, or ArrayBuffer";

const codedError = (code) => require("internal/errors").makeCoded("TypeError", code, WRITE_WHAT);

/** Text of a piece for console.write, with its size in bytes. */
function piece(v) {
  if (v === undefined || v === null) throw codedError("ERR_STREAM_NULL_VALUES");
  if (typeof v === "string") return { text: v, size: new TextEncoder().encode(v).length };
  if (ArrayBuffer.isView(v)) {
    return { bytes: new Uint8Array(v.buffer, v.byteOffset, v.byteLength), size: v.byteLength };
  }
  if (v instanceof ArrayBuffer) return { bytes: new Uint8Array(v), size: v.byteLength };
  throw codedError("ERR_INVALID_ARG_TYPE");
}

/** console.write: the pieces as they are, to standard output. Returns the number of bytes. */
exports.write = (args) => {
  const pieces = args.length === 0 ? [piece(undefined)] : args.map(piece);
  let size = 0;
  for (let i = 0; i < pieces.length; i++) {
    const p = pieces[i];
    if (p.text !== undefined) host.writeOut(1, p.text);
    else exports.stream("_stdout").write(p.bytes);
    size += p.size;
  }
  return size;
};

/** Lines of standard input without their ends, for `for await (const line of console)`. */
exports.lines = async function* lines() {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of require("node:process").stdin) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const parts = rest.split("\n");
    rest = parts.pop();
    for (let i = 0; i < parts.length; i++) {
      const line = parts[i];
      yield line.endsWith("\r") ? line.slice(0, -1) : line;
    }
  }
  rest += decoder.decode();
  if (rest !== "") yield rest;
};

exports.takeHeapSnapshot = () => {
  throw new Error("not implemented: console.takeHeapSnapshot");
};

exports.consoleClass = (console) => require("web/console/console_class").makeConsole(console);
