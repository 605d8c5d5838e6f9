// internal/assert/error -- AssertionError (Node: assert.AssertionError).

const { setOf } = require("internal/set_of");
const { validateObject } = require("internal/validators");

const kDiffOperators = setOf(["deepStrictEqual", "strictEqual", "partialDeepStrictEqual"]);
const kInspect = Symbol.for("nodejs.util.inspect.custom");
const LINES_MAX = 10;
const LONG_MAX = 512;

const isErrorLike = (v) =>
  typeof v === "object" && v !== null && "stack" in v && v instanceof Error;

/** An error without its stack, which would only be noise in a message. */
function withoutStack(source) {
  const copy = Object.assign({ __proto__: Object.getPrototypeOf(source) }, source);
  Object.defineProperty(copy, "message", { __proto__: null, value: source.message });
  if (Object.hasOwn(source, "cause")) {
    const { cause } = source;
    const value = cause instanceof Error ? withoutStack(cause) : cause;
    Object.defineProperty(copy, "cause", { __proto__: null, value });
  }
  return copy;
}

function messageOf(options) {
  const { message, operator } = options;
  const isDiff = kDiffOperators.has(operator);
  if (message !== undefined && message !== null && !isDiff) return String(message);
  const text = require("internal/assert/message");
  if (isDiff) return text.diffMessage(options, message);
  return operator === "notDeepStrictEqual" || operator === "notStrictEqual"
    ? text.unequalMessage(options)
    : text.plainMessage(options);
}

function cutLong(text) {
  const lines = text.split("\n", LINES_MAX + 1);
  if (lines.length > LINES_MAX) return `${lines.slice(0, LINES_MAX).join("\n")}\n...`;
  return text.length > LONG_MAX ? `${text.slice(LONG_MAX)}...` : text;
}

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, "options");
    const {
      message,
      operator,
      stackStartFn,
      details,
      stackStartFunction,
      diff = "simple",
    } = options;
    let { actual, expected } = options;
    if (
      (message === undefined || message === null) &&
      isErrorLike(actual) &&
      isErrorLike(expected)
    ) {
      actual = withoutStack(actual);
      expected = withoutStack(expected);
    }
    super(messageOf({ message, operator, actual, expected, diff }));
    this.generatedMessage = !message;
    Object.defineProperty(this, "name", {
      __proto__: null,
      value: "AssertionError",
      enumerable: false,
      writable: true,
      configurable: true,
    });
    this.code = "ERR_ASSERTION";
    if (details) {
      addDetails(this, details);
    } else {
      this.actual = actual;
      this.expected = expected;
      this.operator = operator;
    }
    Error.captureStackTrace(this, stackStartFn || stackStartFunction);
    this.diff = diff;
  }

  get "%stackName%"() {
    return "AssertionError [ERR_ASSERTION]";
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [kInspect](depth, options) {
    const { actual, expected } = this;
    if (typeof actual === "string") this.actual = cutLong(actual);
    if (typeof expected === "string") this.expected = cutLong(expected);
    const { inspect } = require("internal/inspect");
    // The message has both values already.
    const text = inspect(this, { ...options, customInspect: false, depth: 0 });
    this.actual = actual;
    this.expected = expected;
    return text;
  }
}

function addDetails(error, details) {
  error.actual = undefined;
  error.expected = undefined;
  error.operator = undefined;
  for (let i = 0; i < details.length; i++) {
    error[`message ${i}`] = details[i].message;
    error[`actual ${i}`] = details[i].actual;
    error[`expected ${i}`] = details[i].expected;
    error[`operator ${i}`] = details[i].operator;
    error[`stack trace ${i}`] = details[i].stack;
  }
}

exports.AssertionError = AssertionError;
