// internal/test_expect/matchers -- the matchers that most tests use, loaded with `expect`. The
// others come when they are first asked for.
const { define, misuse, note, fail, later, addMatcher } = require("internal/test_expect");
const { equals, strictEquals, matches } = require("internal/test_expect/equal");
const { green, red, inspect, pretty, difference } = require("internal/test_expect/message");

const received = (value) => `Received: ${red(inspect(value))}\n`;
const isObject = (v) => (typeof v === "object" && v !== null) || typeof v === "function";
const isIterable = (v) => v !== null && v !== undefined && typeof v[Symbol.iterator] === "function";
const not = (isNot) => (isNot ? "not " : "");

// ---- Equality: written out, because most expectations are these ----

/** toBe: values that are not the same are shown whole, unless they are texts or look alike. */
function identityDifference(value, expected) {
  const areTexts = typeof value === "string" && typeof expected === "string";
  const left = areTexts ? "" : inspect(expected);
  const right = areTexts ? "" : inspect(value);
  if (left === right) return difference(value, expected);
  return `Expected: ${green(left)}\nReceived: ${red(right)}\n`;
}

function defineEquality(name, test, explain = difference) {
  const matcher = { [name](expected) {
    note();
    if (this.promise !== "") return later(this, name, "expected", [expected], matcher);
    if (test(this.value, expected) !== this.isNot) return undefined;
    const text = this.isNot
      ? `Expected: not ${green(pretty(expected))}\n`
      : explain(this.value, expected);
    return fail(this, name, "expected", text, matcher);
  } }[name];
  addMatcher(name, matcher);
}
defineEquality("toBe", Object.is, identityDifference);
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

// ---- Kinds that are asked for most ----

const kinds = {
  __proto__: null,
  toBeNull: (v) => v === null,
  toBeUndefined: (v) => v === undefined,
  toBeDefined: (v) => v !== undefined,
  toBeTruthy: (v) => Boolean(v),
  toBeFalsy: (v) => !v,
};
for (const name of Object.keys(kinds)) define(name, "", kinds[name], received);

// ---- Elements ----

function contains(v, item, same) {
  if (Array.isArray(v)) {
    for (let i = 0; i < v.length; i++) if (same(v[i], item)) return true;
    return false;
  }
  if (typeof v === "string" && typeof item === "string") return v.includes(item);
  if (typeof v === "string" || !isIterable(v)) {
    misuse("Received value must be an array type, or both received and expected values must be " +
      "strings.");
  }
  for (const element of v) if (same(element, item)) return true;
  return false;
}

define("toContain", "expected", (v, [item]) => contains(v, item, Object.is),
  (v, isNot, [item]) =>
    `Expected to ${not(isNot)}contain: ${green(inspect(item))}\n${received(v)}`);

function lengthOf(v) {
  if (typeof v === "string" || (isObject(v) && "length" in v)) return v.length;
  if (isObject(v) && typeof v.size === "number") return v.size;
  return v instanceof Headers ? [...v].length : undefined;
}

define("toHaveLength", "expected", (v, [length]) => {
  if (lengthOf(v) === undefined) {
    misuse(`Received value does not have a length property: ${inspect(v)}`);
  }
  if (typeof length !== "number" || !(length >= 0) || !Number.isInteger(length)) {
    misuse(`Expected value must be a non-negative integer: ${inspect(length)}`);
  }
  return lengthOf(v) === length;
}, (v, isNot, [length]) => isNot
  ? `Expected length: not ${green(length)}\n`
  : `Expected length: ${green(length)}\nReceived length: ${red(inspect(lengthOf(v)))}\n`);
