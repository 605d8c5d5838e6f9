// internal/process_env -- process.env: an ordinary object of strings behind a Proxy that turns what
// is assigned into strings (Node: process.env).  Reading has no trap, so it stays fast.
//
// native: environ() -> [name, value, name, value, ...]; setTimeZone(text)
const { ERR_INVALID_OBJECT_DEFINE_PROPERTY } = require("internal/errors");

function toText(value) {
  if (typeof value === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
  return `${value}`;
}

let store; // what is shared with other threads, if it is
let current; // process.env, once it is made, and what is behind it
let currentTarget;
let pairs; // ["NAME=value", ...] of it, until it changes

const traps = {
  __proto__: null,
  set(target, key, value) {
    if (typeof key === "symbol") throw new TypeError("Cannot convert a Symbol value to a string");
    const text = toText(value);
    if (key === "") return true; // the system has no such variable
    target[key] = text;
    pairs = undefined;
    if (key === "TZ") native.setTimeZone(target[key]);
    return true;
  },
  defineProperty(target, key, descriptor) {
    if ("get" in descriptor || "set" in descriptor) {
      throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY(
        "'process.env' does not accept an accessor(getter/setter) descriptor",
      );
    }
    const { value, configurable, writable, enumerable } = descriptor;
    if (!("value" in descriptor) || !configurable || !writable || !enumerable) {
      throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY(
        "'process.env' only accepts a configurable, writable, and enumerable data descriptor",
      );
    }
    return traps.set(target, key, value);
  },
  deleteProperty(target, key) {
    pairs = undefined;
    const isDeleted = Reflect.deleteProperty(target, key);
    if (key === "TZ") native.setTimeZone(undefined);
    return isDeleted;
  },
};

/** The environment as it was at start, or another, as process.env shows it. */
exports.makeEnv = function makeEnv(env = undefined) {
  const target = { ...env };
  const list = env === undefined ? native.environ() : [];
  for (let i = 0; i < list.length; i += 2) target[list[i]] = list[i + 1];
  currentTarget = target;
  current = new Proxy(target, traps);
  return current;
};

/** The strings behind process.env, for who copies it; undefined for another object. */
exports.targetOf = function targetOf(env) {
  if (env !== current) return undefined;
  return store === undefined ? currentTarget : { ...env };
};

/** Shares process.env with a thread that will have it too: the number of its store. */
exports.share = function share() {
  const { idOf, make, trapsOf } = require("internal/process_env/store");
  if (store === undefined) {
    store = make(currentTarget);
    Object.assign(traps, trapsOf(store, traps.set));
  }
  return idOf(store);
};

/** process.env of a thread that shares its parent's. */
exports.makeShared = function makeShared(id) {
  const { open, trapsOf } = require("internal/process_env/store");
  store = open(id);
  // Nobody has it any more: the parent has ended.
  if (store !== undefined) Object.assign(traps, trapsOf(store, traps.set));
  return exports.makeEnv({});
};

/** What a child of ours gets for process.env; undefined for another object.  Not to be changed. */
exports.pairsOf = function pairsOf(env) {
  if (env !== current) return undefined;
  if (store !== undefined) return require("internal/process_env/store").pairsOf(store);
  if (pairs === undefined) {
    pairs = Object.keys(currentTarget).map((name) => `${name}=${currentTarget[name]}`);
    if (pairs.some((pair) => pair.includes("\0"))) pairs = undefined;
  }
  return pairs;
};
