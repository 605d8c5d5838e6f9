// internal/test_expect/collections -- matchers of what is in arrays, objects, maps, sets and texts.
const { define, misuse } = require("internal/test_expect");
const { equals } = require("internal/test_expect/equal");
const { green, red, inspect, pretty, difference } = require("internal/test_expect/message");

const received = (value) => `Received: ${red(inspect(value))}\n`;
const isObject = (v) => (typeof v === "object" && v !== null) || typeof v === "function";
const isIterable = (v) => v !== null && v !== undefined && typeof v[Symbol.iterator] === "function";
const not = (isNot) => (isNot ? "not " : "");

// ---- Elements ----

/** Letters of a text are its elements. */
function containsEqual(v, item) {
  if (v === null || v === undefined || typeof v[Symbol.iterator] !== "function") {
    misuse(`Received value must be an array or iterable: ${inspect(v)}`);
  }
  for (const element of v) if (equals(element, item)) return true;
  return false;
}

define("toContainEqual", "expected", (v, [item]) => containsEqual(v, item),
  (v, isNot, [item]) => isNot
    ? `Expected to not contain: ${green(inspect(item))}\n`
    : `Expected to contain: ${green(inspect(item))}\n${received(v)}`);

define("toBeArrayOfSize", "", (v, [size]) => {
  if (typeof size !== "number") {
    misuse("toBeArrayOfSize() requires the first argument to be a number");
  }
  return Array.isArray(v) && v.length === size;
}, (v) => received(v));

function isEmpty(v) {
  if (typeof v === "string") return v.length === 0;
  if (!isObject(v)) {
    misuse(`Expected value to be a string, object, or iterable\n\nReceived: ${inspect(v)}`);
  }
  if (typeof v.length === "number" && typeof v !== "function") return v.length === 0;
  if (typeof v.size === "number") return v.size === 0;
  if (isIterable(v)) return v[Symbol.iterator]().next().done === true;
  return Object.keys(v).length === 0;
}
define("toBeEmpty", "", isEmpty, (v, isNot) => isNot
  ? `Expected value not to be a string, object, or iterable\n\n${received(v)}`
  : `Expected value to be empty\n\n${received(v)}`);

// ---- Properties ----

function pathOf(path) {
  if (Array.isArray(path)) return path;
  if (typeof path === "string") {
    return path.replace(/\[([^\]]*)\]/g, (_, key, at) => (at === 0 ? key : `.${key}`)).split(".");
  }
  if (typeof path === "number" || typeof path === "symbol") return [path];
  return misuse(`Expected path must be a string or array: ${inspect(path)}`);
}

/** { value } at the end of the path, or undefined. */
function lookUp(v, path) {
  let value = v;
  const isKey = typeof path === "string" && isObject(v) && path in v;
  const whole = isKey ? { value: v[path] } : undefined;
  for (const key of pathOf(path)) {
    if (value === null || value === undefined || !(key in Object(value))) return whole;
    value = value[key];
  }
  return { value };
}

define("toHaveProperty", (args) => (args.length > 1 ? "path, value" : "path"), (v, args) => {
  if (v === null || v === undefined) misuse("Received value must be neither null nor undefined");
  const found = lookUp(v, args[0]);
  if (found === undefined) return false;
  return args.length < 2 || equals(found.value, args[1]);
}, (v, isNot, args) => {
  const found = lookUp(v, args[0]);
  const isBare = args.length < 2;
  const path = `Expected path: ${isNot && isBare ? "not " : ""}${green(inspect(args[0]))}\n`;
  if (isNot) return isBare ? path : `${path}\nExpected value: not ${green(inspect(args[1]))}\n`;
  if (found !== undefined) return difference(found.value, args[1]);
  const value = isBare ? "" : `\nExpected value: ${green(pretty(args[1]))}\n`;
  return `${path}${value}\nUnable to find property\n`;
});

function hasKey(v, key) {
  if (!isObject(v)) misuse(`Expected value must be an object\nReceived: ${inspect(v)}`);
  return Object.hasOwn(v, key);
}
const valuesOf = (v) => {
  if (!isObject(v)) misuse(`Received value must be an object\nReceived: ${inspect(v)}`);
  return Object.values(v);
};
const has = (list, value) => list.some((item) => equals(item, value));
const needList = (list) => {
  if (!Array.isArray(list)) misuse(`Expected value must be an array: ${inspect(list)}`);
  return list;
};

function definePart(name, test, all = "contain", shown = (v) => v) {
  define(name, "expected", (v, [expected]) => test(v, expected), (v, isNot, [expected]) =>
    `Expected to ${not(isNot)}${all}: ${green(inspect(expected))}\n${received(shown(v))}`);
}
definePart("toContainKey", hasKey);
definePart("toContainKeys", (v, keys) =>
  needList(keys).every((key) => isObject(v) && Object.hasOwn(v, key)));
definePart("toContainAnyKeys", (v, keys) => needList(keys).some((key) => hasKey(v, key)));
definePart("toContainAllKeys", (v, keys) => {
  const own = isObject(v) ? Object.keys(v) : [];
  return own.length === needList(keys).length && keys.every((key) => has(own, `${key}`));
}, "contain all keys", (v) => (isObject(v) ? Object.keys(v) : v));
definePart("toContainValue", (v, value) => has(valuesOf(v), value));
definePart("toContainValues", (v, values) => needList(values).every((x) => has(valuesOf(v), x)));
definePart("toContainAnyValues", (v, values) => needList(values).some((x) => has(valuesOf(v), x)),
  "contain any of the following values");
definePart("toContainAllValues", (v, values) => {
  const own = valuesOf(v);
  return own.length === needList(values).length && values.every((value) => has(own, value));
}, "contain all values");
