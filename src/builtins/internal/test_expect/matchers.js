// internal/test_expect/matchers -- matchers of values: identity, equality, kinds, numbers, texts,
// what functions throw.
const { define, misuse, note, fail, later, addMatcher } = require("internal/test_expect");
const { types } = require("internal/util/types");
const state = require("internal/test_runner/state");
const { equals, strictEquals, matches, isAsymmetric } = require("internal/test_expect/equal");
const { green, red, inspect, pretty, difference } = require("internal/test_expect/message");

const received = (value) => `Received: ${red(inspect(value))}\n`;

// ---- Equality: written out, because most expectations are these ----

function defineEquality(name, test) {
  const matcher = { [name](expected) {
    note();
    if (this.promise !== "") return later(this, name, "expected", [expected], matcher);
    if (test(this.value, expected) !== this.isNot) return undefined;
    const text = this.isNot
      ? `Expected: not ${green(pretty(expected))}\n`
      : difference(this.value, expected);
    return fail(this, name, "expected", text, matcher);
  } }[name];
  addMatcher(name, matcher);
}
defineEquality("toBe", Object.is);
defineEquality("toEqual", equals);
defineEquality("toStrictEqual", strictEquals);
defineEquality("toMatchObject", (value, expected) => {
  const need = (v, what) => {
    if (typeof v !== "object" || v === null) misuse(`${what} value must be a non-null object`);
  };
  need(expected, "Expected");
  need(value, "Received");
  return matches(value, expected);
});

// ---- Kinds ----

const isNumber = (v) => typeof v === "number";
const isDate = (v) => Object.prototype.toString.call(v) === "[object Date]";
const kinds = {
  __proto__: null,
  toBeNull: (v) => v === null,
  toBeUndefined: (v) => v === undefined,
  toBeDefined: (v) => v !== undefined,
  toBeNaN: (v) => Number.isNaN(v),
  toBeTruthy: (v) => Boolean(v),
  toBeFalsy: (v) => !v,
  toBeArray: (v) => Array.isArray(v),
  toBeBoolean: (v) => typeof v === "boolean",
  toBeDate: isDate,
  toBeValidDate: (v) => isDate(v) && !Number.isNaN(v.getTime()),
  toBeEmptyObject(v) {
    if (Array.isArray(v)) return v.length === 0;
    if (typeof v !== "object" || v === null || types.isMap(v) || types.isSet(v)) return false;
    return Object.keys(v).length === 0;
  },
  toBeEven: (v) => (typeof v === "bigint" ? v % 2n === 0n : Number.isInteger(v) && v % 2 === 0),
  toBeOdd: (v) => (typeof v === "bigint" ? v % 2n !== 0n : Number.isInteger(v) && v % 2 !== 0),
  toBeFinite: (v) => Number.isFinite(v),
  toBeInteger: (v) => Number.isInteger(v),
  toBeNegative: (v) => isNumber(v) && v < 0 && v !== -Infinity,
  toBePositive: (v) => isNumber(v) && v > 0 && v !== Infinity,
  toBeFunction: (v) => typeof v === "function",
  toBeNil: (v) => v === null || v === undefined,
  toBeNumber: isNumber,
  toBeString: (v) => typeof v === "string" || v instanceof String,
  toBeSymbol: (v) => typeof v === "symbol",
  toBeTrue: (v) => v === true,
  toBeFalse: (v) => v === false,
};
for (const name of Object.keys(kinds)) {
  define(name, "", (value) => kinds[name](value), (value) => received(value));
}

define("toBeObject", "", (v) => (typeof v === "object" && v !== null) || typeof v === "function",
  (v, isNot) => `Expected value ${isNot ? "not " : ""}to be an object\n\n${received(v)}`);

define("toBeTypeOf", "", (v, [type]) => {
  const known = [
    "function", "object", "bigint", "boolean", "number", "string", "symbol", "undefined",
  ];
  if (!known.includes(type)) {
    misuse(`toBeTypeOf() requires a valid type string argument ('${known.join("', '")}')`);
  }
  // eslint-disable-next-line valid-typeof
  return typeof v === type;
}, (v, isNot, [type]) => `Expected type: ${isNot ? "not " : ""}${green(inspect(type))}\n` +
  `Received type: ${red(inspect(typeof v))}\nReceived value: ${red(inspect(v))}\n`);

define("toBeInstanceOf", "expected", (v, [Class]) => {
  if (typeof Class !== "function") misuse(`Expected value must be a function: ${inspect(Class)}`);
  return v instanceof Class;
}, (v, isNot, [Class]) => {
  const first = `Expected constructor: ${isNot ? "not " : ""}${green(inspect(Class))}\n`;
  return `${first}Received value: ${red(inspect(v))}\n`;
});

define("toBeOneOf", "expected", (v, [list]) => {
  if (typeof list?.[Symbol.iterator] !== "function") misuse("Expected value must be an iterable");
  for (const item of list) if (equals(v, item)) return true;
  return false;
}, (v, isNot, [list]) =>
  `Expected to ${isNot ? "not " : ""}be one of: ${green(inspect(list))}\n${received(v)}`);

define("toSatisfy", "expected", (v, [predicate]) => {
  if (typeof predicate !== "function") misuse("toSatisfy() argument must be a function");
  try {
    return Boolean(predicate(v));
  } catch {
    return misuse("toSatisfy() predicate threw an exception");
  }
}, (v, isNot, [predicate]) => isNot
  ? `Expected: not ${green(inspect(predicate))}\n`
  : `Expected: ${green(inspect(predicate))}\n${received(v)}`);

function defineResult(name, isPass) {
  define(name, "", (v, [text]) => {
    if (text !== undefined && typeof text !== "string") {
      misuse(`Expected message to be a string for '${name}'.`);
    }
    return isPass;
  }, (v, isNot, [text]) => `${text ?? `${name}${isPass ? "es" : "s"} by .${name}() assertion`}\n`);
}
defineResult("pass", true);
defineResult("fail", false);

// ---- Numbers ----

const isNumeric = (v) => typeof v === "number" || typeof v === "bigint";

function defineOrder(name, sign, test) {
  define(name, "expected", (v, [other]) => {
    if (!isNumeric(v) || !isNumeric(other)) {
      misuse("Expected and actual values must be numbers or bigints");
    }
    return test(v, other);
  }, (v, isNot, [other]) =>
    `Expected: ${isNot ? "not " : ""}${sign} ${green(inspect(other))}\n${received(v)}`);
}
defineOrder("toBeGreaterThan", ">", (a, b) => a > b);
defineOrder("toBeGreaterThanOrEqual", ">=", (a, b) => a >= b);
defineOrder("toBeLessThan", "<", (a, b) => a < b);
defineOrder("toBeLessThanOrEqual", "<=", (a, b) => a <= b);

define("toBeWithin", "start, end", (v, [start, end]) => {
  if (!isNumeric(start)) misuse("toBeWithin() requires the first argument to be a number");
  if (!isNumeric(end)) misuse("toBeWithin() requires the second argument to be a number");
  return isNumeric(v) && v >= start && v < end;
}, (v, isNot, [start, end]) => `Expected: ${isNot ? "not " : ""}between ${green(start)} ` +
  `(inclusive) and ${green(end)} (exclusive)\n${received(v)}`);

define("toBeCloseTo", "expected, precision", (v, [other, digits = 2]) => {
  if (typeof other !== "number") misuse(`Expected value must be a number: ${inspect(other)}`);
  if (typeof v !== "number") misuse(`Received value must be a number: ${inspect(v)}`);
  if (v === other) return true;
  return Math.abs(v - other) < 10 ** -digits / 2;
}, (v, isNot, [other, digits = 2]) => `Expected: ${green(other)}\nReceived: ${red(v)}\n\n` +
  `Expected precision: ${digits}\nExpected difference: < ${green(10 ** -digits / 2)}\n` +
  `Received difference: ${red(Math.abs(v - other))}\n`);

// ---- Texts ----

function needText(v, what) {
  if (typeof v !== "string") misuse(`${what} value must be a string: ${inspect(v)}`);
}

define("toMatch", "expected", (v, [pattern]) => {
  needText(v, "Received");
  if (typeof pattern === "string") return v.includes(pattern);
  if (isAsymmetric(pattern)) return pattern.asymmetricMatch(v);
  if (!(pattern instanceof RegExp)) {
    misuse(`Expected value must be a string or regular expression: ${inspect(pattern)}`);
  }
  return new RegExp(pattern).test(v);
}, (v, isNot, [pattern]) =>
  `Expected substring or pattern: ${isNot ? "not " : ""}${green(inspect(pattern))}\n` +
  received(v));

function defineText(name, verb, test) {
  define(name, "expected", (v, [text]) => {
    needText(text, "Expected");
    return typeof v === "string" && test(v, text);
  }, (v, isNot, [text]) =>
    `Expected to ${isNot ? "not " : ""}${verb}: ${green(inspect(text))}\n${received(v)}`);
}
defineText("toInclude", "include", (v, text) => v.includes(text));
defineText("toStartWith", "start with", (v, text) => v.startsWith(text));
defineText("toEndWith", "end with", (v, text) => v.endsWith(text));

define("toIncludeRepeated", "expected", (v, [text, times]) => {
  needText(text, "Expected");
  if (!Number.isInteger(times) || times < 0 || Object.is(times, -0)) {
    misuse("toIncludeRepeated() requires the second argument to be a number");
  }
  if (text === "") {
    misuse("toIncludeRepeated() requires the first argument to be a non-empty string");
  }
  const found = typeof v === "string" ? v.split(text).length - 1 : 0;
  return times === 0 ? found === 0 : found >= times;
}, (v, isNot, [text, times]) => `Expected ${isNot ? "not to" : "to"} include: ` +
  `${green(inspect(text))} ${times} times \n${received(v)}`);

define("toEqualIgnoringWhitespace", "expected", (v, [text]) => {
  if (typeof text !== "string") {
    misuse("toEqualIgnoringWhitespace() requires argument to be a string");
  }
  needText(v, "Received");
  return v.replace(/\s/g, "") === text.replace(/\s/g, "");
}, (v, isNot, [text]) =>
  `Expected: ${isNot ? "not " : ""}${green(inspect(text))}\n${received(v)}`);

// ---- What is thrown ----

/** An async function has thrown when its promise is rejected by now, as in Bun. */
function rejectionOf(value) {
  if (!(value instanceof Promise)) return undefined;
  const { peek } = require("bun:glob");
  if (peek.status(value) === "pending") state.drain?.();
  if (peek.status(value) !== "rejected") return undefined;
  value.catch(() => {});
  return { error: peek(value) };
}

/** { error } or undefined. */
function thrownBy(self) {
  const { value } = self;
  if (self.isSettled) return { error: value };
  if (typeof value !== "function") misuse("Expected value must be a function");
  try {
    self.returned = value();
    return rejectionOf(self.returned);
  } catch (error) {
    if (error instanceof Promise) error.catch(() => {}); // thrown as a value: nobody waits for it
    return { error };
  }
}

const messageOf = (error) =>
  typeof error === "object" && error !== null && "message" in error ? error.message : `${error}`;

function throwsAs({ error }, expected) {
  if (expected === undefined) return true;
  if (isAsymmetric(expected)) return expected.asymmetricMatch(error);
  if (typeof expected === "function") return error instanceof expected;
  const message = messageOf(error);
  if (typeof expected === "string") return `${message}`.includes(expected);
  if (expected instanceof RegExp) return new RegExp(expected).test(`${message}`);
  if (typeof expected === "object" && expected !== null) return message === expected.message;
  return misuse("Expected value must be string or Error");
}

function expectedLine(expected, isNot) {
  const not = isNot ? "not " : "";
  if (isAsymmetric(expected)) return `Expected value: ${not}${green(pretty(expected))}\n`;
  if (typeof expected === "function") {
    return `Expected constructor: ${not}${green(expected.name)}\n`;
  }
  if (typeof expected === "string") {
    return `Expected substring: ${not}${green(inspect(expected))}\n`;
  }
  if (expected instanceof RegExp) return `Expected pattern: ${not}${green(`${expected}`)}\n`;
  return `Expected message: ${not}${green(inspect(expected.message))}\n`;
}

function throwText(self, isNot, expected) {
  const { thrown } = self;
  if (thrown === undefined) {
    const first = expected === undefined ? "" : `${expectedLine(expected, false)}\n`;
    const returned = red(inspect(self.returned));
    return `${first}Received function did not throw\nReceived value: ${returned}\n`;
  }
  const { error } = thrown;
  const message = inspect(`${messageOf(error)}`);
  if (expected === undefined) {
    if (!(error instanceof Error)) return `Thrown value: ${red(inspect(error))}\n`;
    return `Error name: ${red(inspect(error.name))}\nError message: ${red(message)}\n`;
  }
  if (typeof expected === "function" && !isAsymmetric(expected)) {
    const name = error?.constructor?.name ?? typeof error;
    const line = isNot ? "" : `Received constructor: ${red(name)}\n`;
    return `${expectedLine(expected, isNot)}${line}\nReceived message: ${red(message)}\n`;
  }
  const first = expectedLine(expected, isNot);
  if (isAsymmetric(expected)) return `${first}Received value: ${red(inspect(error))}\n`;
  return `${first}Received message: ${red(message)}\n`;
}

for (const name of ["toThrow", "toThrowError"]) {
  const matcher = { [name](expected) {
    note();
    const signature = arguments.length === 0 ? "" : "expected";
    if (this.promise !== "") return later(this, name, signature, [...arguments], matcher);
    this.thrown = thrownBy(this);
    const isSo = this.thrown !== undefined && throwsAs(this.thrown, expected);
    if (isSo !== this.isNot) return undefined;
    return fail(this, name, signature, throwText(this, this.isNot, expected), matcher);
  } }[name];
  addMatcher(name, matcher);
}
exports.thrownBy = thrownBy;
exports.messageOf = messageOf;
