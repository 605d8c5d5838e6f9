// internal/test_expect/extend -- matchers that programs add with expect.extend.
const state = require("internal/test_runner/state");
const { equals, strictEquals } = require("internal/test_expect/equal");
const { inspect, makeError, pretty, difference } = require("internal/test_expect/message");
const { note, later, addMatcher } = require("internal/test_expect");
const { Custom } = require("internal/test_expect/asymmetric");

const plain = (text) => text.replace(/\u0001[rdbgR]/g, "");

const utils = {
  stringify: (value) => pretty(value),
  printReceived: (value) => inspect(value),
  printExpected: (value) => inspect(value),
  diff: (expected, received) => plain(difference(received, expected)),
  matcherHint(name, received = "received", expected = "expected", options = {}) {
    const how = options.promise ? `.${options.promise}` : "";
    return `expect(${received})${how}${options.isNot ? ".not" : ""}.${name}(${expected})`;
  },
  EXPECTED_COLOR: (text) => text,
  RECEIVED_COLOR: (text) => text,
  iterableEquality: () => undefined,
  subsetEquality: () => undefined,
  printWithType: (name, value, print) =>
    `${name} has type: ${typeof value}\n${name} has value: ${print(value)}`,
};

function contextOf(self) {
  const test = state.current()?.test;
  return {
    isNot: self.isNot,
    promise: self.promise,
    equals: (a, b, testers, isStrict) => (isStrict ? strictEquals(a, b) : equals(a, b)),
    utils,
    expand: false,
    dontThrow() {},
    customTesters: [],
    currentTestName: test === undefined ? undefined : state.nameOf(test),
    testPath: state.file,
    snapshotState: {},
  };
}

function check(name, result, self, above) {
  if (typeof result !== "object" || result === null || !("pass" in result)) {
    throw makeError(
      `Unexpected return from matcher function \`${name}\`.\n` +
        "Matcher functions should return an object in the following format:\n" +
        "  {message?: string | function, pass: boolean}\n" +
        `'${inspect(result)}' was returned`,
      above,
    );
  }
  if (Boolean(result.pass) !== self.isNot) return undefined;
  const { message } = result;
  const text = typeof message === "function" ? message.call(result) : message;
  throw makeError(`${text ?? "No message was specified for this matcher."}`, above);
}

/** Those of a class and what it extends, too. */
function namesOf(matchers) {
  const names = new Set();
  for (let o = matchers; o !== null && o !== Object.prototype; o = Object.getPrototypeOf(o)) {
    for (const name of Object.getOwnPropertyNames(o)) {
      if (name !== "constructor" && o !== Function.prototype) names.add(name);
    }
  }
  return names;
}

/** Adds them to the prototype and, as asymmetric ones, to expect and expect.not. */
exports.extend = function extend(expect, matchers) {
  for (const name of namesOf(matchers)) {
    const matcher = matchers[name];
    if (typeof matcher !== "function") {
      throw new TypeError(`expect.extend: \`${name}\` is not a valid matcher. ` +
        `Must be a function, is "${matcher === null ? "null" : typeof matcher}"`);
    }
    const wrapper = function (...args) {
      note();
      if (this.promise !== "") return later(this, name, "", args, wrapper);
      const result = matcher.call(contextOf(this), this.value, ...args);
      if (typeof result?.then !== "function") return check(name, result, this, wrapper);
      const place = makeError("", wrapper);
      return result.then((settled) => {
        try {
          return check(name, settled, this, undefined);
        } catch (error) {
          const frames = place.stack.split("\n").slice(1).join("\n");
          error.stack = `${error.name}: ${error.message}\n${frames}`;
          throw error;
        }
      });
    };
    Object.defineProperty(wrapper, "name", { value: name });
    addMatcher(name, wrapper);
    const make = (isNot) => (...args) => {
      const self = { isNot, promise: "" };
      const match = (other) => matcher.call(contextOf(self), other, ...args);
      return new Custom(name, match, args, isNot);
    };
    expect[name] = make(false);
    expect.not[name] = make(true);
  }
};
