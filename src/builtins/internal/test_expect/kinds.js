// internal/test_expect/kinds -- matchers of what kind of value it is, and of numbers.
const { define, misuse } = require("internal/test_expect");
const { types } = require("internal/util/types");
const { equals } = require("internal/test_expect/equal");
const { green, red, inspect } = require("internal/test_expect/message");

const received = (value) => `Received: ${red(inspect(value))}\n`;

// ---- Kinds ----

const isNumber = (v) => typeof v === "number";
const isDate = (v) => Object.prototype.toString.call(v) === "[object Date]";
const kinds = {
  __proto__: null,
  toBeNaN: (v) => Number.isNaN(v),
  toBeArray: (v) => Array.isArray(v),
  toBeBoolean: (v) => typeof v === "boolean",
  toBeDate: isDate,
  toBeValidDate: (v) => isDate(v) && !Number.isNaN(v.getTime()),
  toBeEmptyObject(v) {
    if (Array.isArray(v)) return v.length === 0;
    if (typeof v !== "object" || v === null || types.isMap(v) || types.isSet(v)) return false;
    if (types.isDate(v) || types.isRegExp(v)) return false;
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
