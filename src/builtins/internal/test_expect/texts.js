// internal/test_expect/texts -- matchers of texts.
const { define, misuse } = require("internal/test_expect");
const { isAsymmetric } = require("internal/test_expect/equal");
const { green, red, inspect } = require("internal/test_expect/message");

const received = (value) => `Received: ${red(inspect(value))}\n`;

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
