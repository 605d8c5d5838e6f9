// @global CryptoKey
// web/crypto/crypto_key -- CryptoKey (https://w3c.github.io/webcrypto/#cryptokey-interface): a key
// object of node:crypto together with what it may be used for.
const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const { kClone } = require("web/structured_clone/clone_key");

const kInspect = Symbol.for("nodejs.util.inspect.custom");
const kToken = Symbol("make");
let make;
let slotsOf;

/** A copy of an algorithm: its members may be typed arrays and hashes. */
function copyAlgorithm(algorithm) {
  const copy = { ...algorithm };
  if (copy.hash !== undefined) copy.hash = { ...copy.hash };
  if (copy.publicExponent !== undefined) copy.publicExponent = copy.publicExponent.slice();
  return copy;
}

class CryptoKey {
  // What counts; programs get copies, which they may change as they like.
  #slots;
  #algorithm;
  #usages;

  constructor(token = undefined, object, algorithm, extractable, usages) {
    if (token !== kToken) throw new errors.ERR_ILLEGAL_CONSTRUCTOR();
    this.#slots = { object, type: object.type, algorithm, extractable, usages };
  }

  static #check(value) {
    const slots = slotsOf(value);
    if (slots === undefined) throw new errors.ERR_INVALID_THIS("CryptoKey");
    return slots;
  }

  get type() {
    return CryptoKey.#check(this).type;
  }

  get extractable() {
    return CryptoKey.#check(this).extractable;
  }

  get algorithm() {
    const { algorithm } = CryptoKey.#check(this);
    this.#algorithm ??= copyAlgorithm(algorithm);
    return this.#algorithm;
  }

  get usages() {
    const { usages } = CryptoKey.#check(this);
    this.#usages ??= [...usages];
    return this.#usages;
  }

  // Of what counts, not of the copies.
  [kInspect](depth, options, inspect) {
    const slots = slotsOf(this);
    if (slots === undefined || depth < 0) return this;
    const { type, extractable, algorithm, usages } = slots;
    const deeper = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `CryptoKey ${inspect({ type, extractable, algorithm, usages }, deeper)}`;
  }

  [kClone]() {
    return ["CryptoKey", CryptoKey.#check(this)];
  }

  static {
    make = (...args) => new CryptoKey(kToken, ...args);
    slotsOf = (value) =>
      typeof value === "object" && value !== null && #slots in value ? value.#slots : undefined;
  }
}

exports.cloning = {
  make: ({ object, algorithm, extractable, usages }) =>
    make(object, algorithm, extractable, usages),
};
exports.CryptoKey = defineInterface(CryptoKey);
/** (KeyObject, algorithm, is extractable, usages) -> CryptoKey */
exports.makeCryptoKey = make;
/** { object, type, algorithm, extractable, usages } of a CryptoKey, else undefined. */
exports.slotsOf = slotsOf;
/** The KeyObject inside, or undefined for anything else. */
exports.keyObjectOf = (value) => slotsOf(value)?.object;
