// tests/fuzz/api.cjs SEED CALLS -- calls what programs can reach with values that nobody expects.
//
// Every function of the globals and of the built-in modules is called CALLS times in all, chosen by
// SEED: as a function, as a method of things that earlier calls made, with new. Exceptions are what
// should come; the end of the process is what must not. COB_FUZZ_LOG=FILE: each call is written there
// first, so its last line names what broke. COB_FUZZ_AT=N prints the arguments of call N.
"use strict";

const fs = require("node:fs");
const { builtinModules } = require("node:module");
const { inspect } = require("node:util");

const [seed, calls] = process.argv.slice(2).map(Number);
const log = process.env.COB_FUZZ_LOG ? fs.openSync(process.env.COB_FUZZ_LOG, "w") : -1;

// What ends the process, waits for ever, reaches beyond it, or takes addresses (FFI).
const SKIPPED = new RegExp(`^(${[
  "_?kill", "abort", "exit", "reallyExit", "execve", "_debug.*", "set(e?[ug]id|groups)", "initgroups",
  "chdir", "setPriority", "dlopen", "binding", "_linkedBinding", "runMain", "_rawDebug", "suspend",
  "rm(dir)?(Sync)?", "unlink(Sync)?", "chmod", "chown", "openInEditor", "alert", "prompt", "confirm",
  "readSync", "spawnSync", "exec(File)?Sync", "wait", "sleepSync", "gc", ".*[hH]eapSnapshot.*",
  "setFlagsFromString", "reportError", "FFI",
].join("|")})$`);
const LIMITS = { depth: 4, functions: 9000, made: 60, milliseconds: 20000 };

let state = Math.imul(seed, 2654435761) >>> 0 || 1;
function random() { // xorshift32
  state ^= state << 13;
  state >>>= 0;
  state ^= state >>> 17;
  state ^= state << 5;
  state >>>= 0;
  return state / 2 ** 32;
}
const below = (n) => Math.floor(random() * n);
const pick = (list) => list[below(list.length)];

const OPTION_NAMES = [
  "length", "encoding", "name", "flag", "mode", "signal", "highWaterMark", "key", "iv", "type",
  "timeout", "port", "host", "data", "cause", "size", "then", "path", "recursive", "stdio", "input",
  "format", "cipher", "passphrase", "padding", "modulusLength", "namedCurve", "level", "chunkSize",
  "start", "end", "write", "read", "objectMode",
];
const THROWS = {
  valueOf() { throw new Error("valueOf"); },
  toString() { throw new Error("toString"); },
};
const MAKERS = [
  () => undefined, () => null, () => true, () => false,
  () => pick([0, -0, -1, 1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, NaN, Infinity, 2 ** 53 - 1]),
  () => pick(["", "x", "\0", "\ud800", "utf8", "hex", "base64", "latin1", "sha256", "aes-128-cbc",
    "rsa", "pem", "gzip", "a=1&b", "http://127.0.0.1:1/x", "a\nb", "%zz", "__proto__"]),
  () => "a".repeat(1 + below(5000)), () => Symbol("s"), () => 12n, () => () => {},
  () => Buffer.alloc(below(100), 7), () => new Uint8Array(below(40)),
  () => new ArrayBuffer(16, { maxByteLength: 64 }), () => new Uint16Array(new SharedArrayBuffer(8)),
  () => THROWS, () => [1, "x", null], () => new Date(NaN), () => /x/g,
  () => new Proxy({}, { get() { if (random() < 0.2) throw new Error("get"); } }),
  () => { // a view whose buffer is gone
    const view = new Uint8Array(32);
    structuredClone(view.buffer, { transfer: [view.buffer] });
    return view;
  },
  (depth) => {
    const options = {};
    for (let n = depth < 3 ? below(4) : 0; n > 0; n--) options[pick(OPTION_NAMES)] = value(depth + 1);
    return options;
  },
];
const made = []; // what calls gave
function value(depth = 0) {
  return made.length && random() < 0.12 ? pick(made) : pick(MAKERS)(depth);
}

const functions = []; // { path, call, owner }
const seen = new Set();
function walk(path, object, depth, owner) {
  if (object === null || typeof object !== "object" && typeof object !== "function") return;
  if (seen.has(object) || functions.length >= LIMITS.functions) return;
  seen.add(object);
  if (typeof object === "function") functions.push({ path, call: object, owner });
  if (depth > LIMITS.depth) return;
  for (const key of Reflect.ownKeys(object)) {
    const name = String(key);
    if (SKIPPED.test(name) || ["mainModule", "cache", "_cache", "env"].includes(name)) continue;
    const { get, set, value: member } = Object.getOwnPropertyDescriptor(object, key);
    walk(`get ${path}.${name}`, get, depth + 1, object);
    walk(`set ${path}.${name}`, set, depth + 1, object);
    walk(`${path}.${name}`, member, depth + 1, object);
    if (get) walkGot(`${path}.${name}`, object, key, depth);
  }
}
function walkGot(path, object, key, depth) {
  try {
    walk(path, object[key], depth + 1, object);
  } catch {
    // A getter of instances, asked of their prototype.
  }
}

function callOne({ path, call, owner }, i) {
  const args = Array.from({ length: below(5) }, () => value());
  if (log >= 0) fs.writeSync(log, `${i} ${path}\n`);
  if (process.env.COB_FUZZ_AT === String(i)) fs.writeSync(2, `${inspect(args)}\n`);
  const how = random();
  let result;
  if (how < 0.3 && call.prototype) result = Reflect.construct(call, args);
  else if (how < 0.55 && made.length) result = Reflect.apply(call, pick(made), args);
  else result = Reflect.apply(call, owner, args);
  if (result === null || typeof result !== "object" && typeof result !== "function") return;
  if (random() < 0.7) made[made.length < LIMITS.made ? made.length : below(LIMITS.made)] = result;
  if (typeof result.then === "function") result.then(() => {}, () => {});
  if (typeof result.on === "function") result.on("error", () => {});
}

const leave = process.reallyExit.bind(process, 0); // by then `process` may be anything
process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});
for (const name of builtinModules) {
  if (/^_|repl|inspector|trace_events|^bun|test|cluster|domain/.test(name)) continue;
  walk(name, require(name), 0);
}
for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (SKIPPED.test(name) || /^(process|global(This)?|self|window|require)$/.test(name)) continue;
  walk(name, globalThis[name], 0);
}
functions.sort((a, b) => (a.path < b.path ? -1 : 1));

const end = Date.now() + LIMITS.milliseconds;
const { now } = Date;
for (let i = 0; i < calls && now() < end; i++) {
  try {
    callOne(pick(functions), i);
  } catch {
    // As it should be.
  }
}
setTimeout(leave, 200); // for what the calls have begun
