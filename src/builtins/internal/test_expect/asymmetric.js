// internal/test_expect/asymmetric -- expect.any(...) and the like: values that decide themselves
// what they are equal to.
const { equals, kAsymmetric } = require("internal/test_expect/equal");

class Asymmetric {
  constructor(sample, isNot = false) {
    this.sample = sample;
    this.inverse = isNot;
    this.$$typeof = kAsymmetric;
  }

  asymmetricMatch(other) {
    return this.test(other) !== this.inverse;
  }

  toString() {
    return this.constructor.name;
  }

  /** For printers that know Jest's matchers. */
  toAsymmetricMatcher() {
    return this.text(require("internal/test_snapshot/format").format);
  }
}

const primitives = new Map([
  [String, "string"],
  [Number, "number"],
  [Boolean, "boolean"],
  [BigInt, "bigint"],
  [Symbol, "symbol"],
  [Function, "function"],
]);

class Any extends Asymmetric {
  constructor(sample) {
    if (typeof sample !== "function") {
      throw new TypeError(
        "any() expects to be passed a constructor function. " +
          "Please pass one or use anything() to match any object.",
      );
    }
    super(sample);
  }

  test(other) {
    const { sample } = this;
    if (sample === Object) return typeof other === "object";
    if (sample === Array) return Array.isArray(other);
    const type = primitives.get(sample);
    // eslint-disable-next-line valid-typeof
    if (type !== undefined && typeof other === type) return true;
    return other instanceof sample;
  }

  text() {
    return `Any<${this.sample.name}>`;
  }
}

class Anything extends Asymmetric {
  test(other) {
    return other !== undefined && other !== null;
  }

  text() {
    return "Anything";
  }
}

class ObjectContaining extends Asymmetric {
  constructor(sample, isNot) {
    if (typeof sample !== "object" || sample === null) {
      throw new TypeError("Expected an object");
    }
    super(sample, isNot);
  }

  test(other) {
    if (typeof other !== "object" || other === null) return false;
    for (const key of Reflect.ownKeys(this.sample)) {
      if (!Object.prototype.propertyIsEnumerable.call(this.sample, key)) continue;
      if (!(key in other) || !equals(other[key], this.sample[key])) return false;
    }
    return true;
  }

  text(format) {
    return `Object${this.inverse ? "Not" : ""}Containing ${format(this.sample)}`;
  }
}

class ArrayContaining extends Asymmetric {
  constructor(sample, isNot) {
    if (!Array.isArray(sample)) throw new TypeError("Expected an array");
    super(sample, isNot);
  }

  test(other) {
    if (!Array.isArray(other)) return false;
    return this.sample.every((item) => other.some((candidate) => equals(candidate, item)));
  }

  text(format) {
    return this.inverse ? `ArrayNotContaining ${format(this.sample)}` : "ExpectArrayContaining {}";
  }
}

class ArrayOf extends Asymmetric {
  test(other) {
    return Array.isArray(other) && other.every((item) => equals(item, this.sample));
  }

  text(format) {
    return `${this.inverse ? "Not" : ""}ArrayOf ${format(this.sample)}`;
  }
}

class StringContaining extends Asymmetric {
  constructor(sample, isNot) {
    if (typeof sample !== "string" && !(sample instanceof String)) {
      throw new TypeError("Expected a string");
    }
    super(`${sample}`, isNot);
  }

  test(other) {
    return typeof other === "string" && other.includes(this.sample);
  }

  text(format) {
    return `String${this.inverse ? "Not" : ""}Containing ${format(this.sample)}`;
  }
}

class StringMatching extends Asymmetric {
  constructor(sample, isNot) {
    if (typeof sample !== "string" && !(sample instanceof RegExp)) {
      throw new TypeError("Expected a string or regular expression");
    }
    super(sample, isNot);
  }

  test(other) {
    return typeof other === "string" && new RegExp(this.sample).test(other);
  }

  text(format) {
    return `String${this.inverse ? "Not" : ""}Matching ${format(this.sample)}`;
  }
}

class CloseTo extends Asymmetric {
  constructor(sample, digits = 2, isNot = false) {
    if (typeof sample !== "number") throw new TypeError("Expected a number value");
    if (typeof digits !== "number") throw new TypeError("Precision is not a number");
    super(sample, isNot);
    this.digits = digits;
  }

  test(other) {
    if (typeof other !== "number") return this.inverse; // neither close nor far
    if (Math.abs(this.sample) === Infinity || Math.abs(other) === Infinity) {
      return other === this.sample;
    }
    return Math.abs(this.sample - other) < 10 ** -this.digits / 2;
  }

  text() {
    const digits = this.digits === 1 ? "digit" : "digits";
    return `Number${this.inverse ? "Not" : ""}CloseTo ${this.sample} (${this.digits} ${digits})`;
  }
}

/** What a promise has come to by now, when nothing but microtasks was in the way. */
function settled(promise) {
  require("internal/test_runner/state").native.drain();
  const { peek } = require("bun:glob");
  const status = peek.status(promise);
  promise.then(undefined, () => {}); // what it is rejected with is thrown here
  if (status === "pending") {
    throw new TypeError("An asymmetric matcher returned a promise that is still pending");
  }
  if (status === "rejected") throw peek(promise);
  return peek(promise);
}

/** A matcher of expect.extend. */
class Custom extends Asymmetric {
  constructor(name, match, sample, isNot) {
    super(sample, isNot);
    this.name = name;
    this.match = match;
  }

  test(other) {
    const result = this.match(other, this.sample);
    return Boolean(typeof result?.then === "function" ? settled(result)?.pass : result?.pass);
  }

  text(format) {
    return `${this.inverse ? "not." : ""}${this.name} ${format(this.sample)}`;
  }
}

/** resolvesTo and rejectsTo: equal to a promise once it is settled; compared when it is. */
class Settled extends Asymmetric {
  constructor(how, sample, isNot) {
    super(sample, isNot);
    this.how = how;
  }

  test(other) {
    const { peek } = require("bun:glob");
    if (!(other instanceof Promise)) return false;
    const status = peek.status(other);
    if (status !== (this.how === "resolvesTo" ? "fulfilled" : "rejected")) return false;
    return equals(peek(other), this.sample);
  }

  text(format) {
    return `${this.how} ${format(this.sample)}`;
  }
}

const both = (Class) => [(sample) => new Class(sample), (sample) => new Class(sample, true)];
const [objectContaining, notObject] = both(ObjectContaining);
const [arrayContaining, notArray] = both(ArrayContaining);
const [arrayOf, notArrayOf] = both(ArrayOf);
const [stringContaining, notContaining] = both(StringContaining);
const [stringMatching, notMatching] = both(StringMatching);

/** Adds the factories to `expect`. */
exports.install = function install(expect) {
  Object.assign(expect, {
    any: (Class) => new Any(Class),
    anything: () => new Anything(),
    closeTo: (number, digits) => new CloseTo(number, digits),
    objectContaining, arrayContaining, arrayOf, stringContaining, stringMatching,
  });
  expect.not = {
    any: (Class) => Object.assign(new Any(Class), { inverse: true }),
    closeTo: (number, digits) => new CloseTo(number, digits, true),
    objectContaining: notObject,
    arrayContaining: notArray,
    arrayOf: notArrayOf,
    stringContaining: notContaining,
    stringMatching: notMatching,
  };
  for (const how of ["resolvesTo", "rejectsTo"]) {
    const make = (isNot) =>
      Object.fromEntries(
        ["any", "objectContaining", "arrayContaining", "stringContaining", "stringMatching",
          "closeTo", "anything"].map((name) => [
          name, (...args) => new Settled(how, expect[name](...args), isNot),
        ]),
      );
    expect[how] = make(false);
    expect.not[how] = make(true);
  }
};
Object.assign(exports, { Asymmetric, Custom });
