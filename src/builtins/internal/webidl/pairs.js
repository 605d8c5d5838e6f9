// internal/webidl/pairs -- iterators of interfaces that are lists of pairs: Headers, FormData, ...
// Source: https://webidl.spec.whatwg.org/#js-default-iterator-object

const errors = require("internal/errors");

const { defineProperty, getPrototypeOf, setPrototypeOf } = Object;
const kIteratorPrototype = getPrototypeOf(getPrototypeOf(new Map().entries()));

/**
 * Makes the default iterator class of an interface. `new Iterator(target, kind)` walks what
 * `pairsOf(target)` gives, a flat list name, value, name, value, ... that may change meanwhile;
 * kind is "entries", "keys" or "values". A list that is made for each call has
 * `versionOf(target)`: another number means that the list is to be made again.
 */
exports.makePairIterator = function makePairIterator(name, pairsOf, versionOf = () => 0) {
  class PairIterator {
    #target;
    #kind;
    #version = -1;
    #pairs;
    #i = 0;

    constructor(target, kind) {
      this.#target = target;
      this.#kind = kind;
    }

    next() {
      if (typeof this !== "object" || this === null || !(#pairs in this)) {
        throw new errors.ERR_INVALID_THIS(`${name}Iterator`);
      }
      const version = versionOf(this.#target);
      if (version !== this.#version) {
        this.#pairs = pairsOf(this.#target);
        this.#version = version;
      }
      const pairs = this.#pairs;
      const i = this.#i;
      if (i >= pairs.length) return { value: undefined, done: true };
      this.#i = i + 2;
      const kind = this.#kind;
      if (kind === "keys") return { value: pairs[i], done: false };
      if (kind === "values") return { value: pairs[i + 1], done: false };
      return { value: [pairs[i], pairs[i + 1]], done: false };
    }
  }
  const { prototype } = PairIterator;
  delete prototype.constructor;
  setPrototypeOf(prototype, kIteratorPrototype);
  defineProperty(prototype, "next", { __proto__: null, enumerable: true });
  defineProperty(prototype, Symbol.toStringTag, {
    __proto__: null, value: `${name} Iterator`, configurable: true,
  });
  return PairIterator;
};

/** `Class.prototype[Symbol.iterator]` is its `entries`. */
exports.iterateEntries = function iterateEntries(Class) {
  defineProperty(Class.prototype, Symbol.iterator, {
    __proto__: null, value: Class.prototype.entries, configurable: true, writable: true,
  });
};
