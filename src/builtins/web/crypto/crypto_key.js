// @global CryptoKey
// web/crypto/crypto_key -- CryptoKey (https://w3c.github.io/webcrypto/#cryptokey-interface): a key
// object of node:crypto together with what it may be used for.
const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");

const kToken = Symbol("make");
let make;
let keyObjectOf;

class CryptoKey {
  #key;
  #algorithm;
  #extractable;
  #usages;

  constructor(token = undefined, key, algorithm, extractable, usages) {
    if (token !== kToken) throw new errors.ERR_ILLEGAL_CONSTRUCTOR();
    this.#key = key;
    this.#algorithm = algorithm;
    this.#extractable = extractable;
    this.#usages = usages;
  }

  static #check(value) {
    if (typeof value !== "object" || value === null || !(#key in value)) {
      throw new errors.ERR_INVALID_THIS("CryptoKey");
    }
    return value;
  }

  get type() {
    return CryptoKey.#check(this).#key.type;
  }

  get extractable() {
    return CryptoKey.#check(this).#extractable;
  }

  get algorithm() {
    return CryptoKey.#check(this).#algorithm;
  }

  get usages() {
    return CryptoKey.#check(this).#usages;
  }

  static {
    make = (...args) => new CryptoKey(kToken, ...args);
    keyObjectOf = (value) =>
      typeof value === "object" && value !== null && #key in value ? value.#key : undefined;
  }
}

exports.CryptoKey = defineInterface(CryptoKey);
/** (KeyObject, algorithm, is extractable, usages) -> CryptoKey */
exports.makeCryptoKey = make;
/** The KeyObject inside, or undefined for anything else. */
exports.keyObjectOf = keyObjectOf;
