// internal/test_mock/automock -- what stands for a module that is mocked without a factory (Jest:
// jest.createMockFromModule; Vitest: vi.mock(path)): its functions become mocks that return
// undefined, or with `spy` spies on what they were; its values stay, its arrays are empty.
const { mock, isMock } = require("internal/test_mock");

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const isObject = (value) => typeof value === "object" && value !== null;
const KEPT = new Set(["length", "name", "prototype", "caller", "arguments", "constructor"]);

/** Objects that hold more than their properties say. */
const isPlain = (value) => {
  const proto = getPrototypeOf(value);
  return proto === null || Object.prototype.toString.call(value) === "[object Object]" ||
    value[Symbol.toStringTag] === "Module";
};

class Automock {
  constructor(isSpy) {
    this.isSpy = isSpy;
    this.seen = new Map();
  }

  of(value) {
    if (typeof value === "function") return this.ofFunction(value);
    if (!isObject(value)) return value;
    if (Array.isArray(value)) return this.isSpy ? value : [];
    if (!isPlain(value)) return value;
    const known = this.seen.get(value);
    if (known !== undefined) return known;
    const copy = {};
    this.seen.set(value, copy);
    this.fill(copy, value);
    return copy;
  }

  ofFunction(fn) {
    const known = this.seen.get(fn);
    if (known !== undefined) return known;
    const mocked = isMock(fn) || !this.isSpy ? mock() : mock(fn);
    this.seen.set(fn, mocked);
    defineProperty(mocked, "name", { value: fn.name, configurable: true });
    defineProperty(mocked, "length", { value: fn.length, configurable: true });
    this.fill(mocked, fn);
    if (isObject(fn.prototype) && !this.isSpy) {
      mocked.prototype = Object.create(getPrototypeOf(fn.prototype));
      defineProperty(mocked.prototype, "constructor", {
        value: mocked, writable: true, configurable: true,
      });
      this.fill(mocked.prototype, fn.prototype);
    }
    return mocked;
  }

  /** Properties of `from` and what it inherits; accessors are not asked. */
  fill(target, from) {
    const isModule = from[Symbol.toStringTag] === "Module";
    for (let o = from; o !== null && !isBase(o); o = getPrototypeOf(o)) {
      for (const key of Reflect.ownKeys(o)) {
        if (KEPT.has(key) || Object.hasOwn(target, key)) continue;
        const own = getOwnPropertyDescriptor(o, key);
        if (!isModule && own.get !== undefined) continue;
        if (isModule && typeof key === "symbol") continue;
        const value = this.of(isModule ? from[key] : own.value);
        defineProperty(target, key, {
          value, writable: true, enumerable: own.enumerable, configurable: true,
        });
      }
    }
  }
}

const isBase = (object) => object === Object.prototype || object === Function.prototype;

/** @param {unknown} value the exports @param {boolean} [isSpy] functions still do what they did */
exports.automock = (value, isSpy = false) => new Automock(isSpy).of(value);
