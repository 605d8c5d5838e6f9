// internal/assert/throws -- throws, rejects and their opposites: what was thrown against what was
// expected. `ctx` in all of it: { fn, below, diff }, the public function, where stacks begin, and
// the diff option.

const {
  ERR_AMBIGUOUS_ARGUMENT,
  ERR_INVALID_ARG_TYPE,
  ERR_INVALID_ARG_VALUE,
  ERR_INVALID_RETURN_VALUE,
} = require("internal/errors");
const { AssertionError } = require("internal/assert/error");
const { validateFunction } = require("internal/validators");
const { types } = require("internal/util/types");
const { isRegExp, isPromise, isNativeError } = types;

/** Stands for "nothing was thrown". */
const kNothing = { __proto__: null };
const kErrorKinds = ["Object", "Error", "Function", "RegExp"];

const inspect = (value, options) => require("internal/inspect").inspect(value, options);
const isError = (v) => isNativeError(v) || v instanceof Error;
const isErrorClass = (v) => Object.prototype.isPrototypeOf.call(Error, v);
const matches = (regexp, text) => RegExp.prototype.exec.call(regexp, text) !== null;

function fail(ctx, options) {
  if (options.message instanceof Error) throw options.message;
  throw new AssertionError({ ...options, stackStartFn: ctx.below, diff: ctx.diff });
}

exports.thrownBy = function thrownBy(fn) {
  validateFunction(fn, "fn");
  try {
    fn();
  } catch (error) {
    return error;
  }
  return kNothing;
};

const isThenable = (v) =>
  isPromise(v) ||
  (v !== null &&
    typeof v === "object" &&
    typeof v.then === "function" &&
    typeof v.catch === "function");

exports.rejectionOf = async function rejectionOf(promiseFn) {
  let promise = promiseFn;
  if (typeof promiseFn === "function") {
    promise = promiseFn();
    if (!isThenable(promise)) {
      throw new ERR_INVALID_RETURN_VALUE("instance of Promise", "promiseFn", promise);
    }
  } else if (!isThenable(promiseFn)) {
    throw new ERR_INVALID_ARG_TYPE("promiseFn", ["Function", "Promise"], promiseFn);
  }
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return kNothing;
};

// ---- What is expected ---------------------------------------------------------------------------

function failGenerated(ctx, actual, expected, own, generated) {
  const message = own || generated();
  const error = new AssertionError({
    actual,
    expected,
    message,
    operator: ctx.fn.name,
    stackStartFn: ctx.below,
    diff: ctx.diff,
  });
  error.generatedMessage = !own;
  throw error;
}

function checkRegExp(ctx, actual, expected, message) {
  const text = String(actual);
  if (matches(expected, text)) return;
  failGenerated(
    ctx,
    actual,
    expected,
    message,
    () =>
      `The input did not match the regular expression ${inspect(expected)}. ` +
      `Input:\n\n${inspect(text)}\n`,
  );
}

function describeThrown(actual, expected) {
  const head = `The error is expected to be an instance of "${expected.name}". Received `;
  if (!isError(actual)) return `${head}"${inspect(actual, { depth: -1 })}"`;
  const name = actual.constructor?.name || actual.name;
  const what =
    name === expected.name
      ? "an error with identical name but a different prototype."
      : `"${name}"`;
  return head + what + (actual.message ? `\n\nError message:\n\n${actual.message}` : "");
}

function checkFunction(ctx, actual, expected, message) {
  if (expected.prototype !== undefined && actual instanceof expected) return;
  if (isErrorClass(expected)) {
    failGenerated(ctx, actual, expected, message, () => describeThrown(actual, expected));
  }
  const result = expected.call({}, actual);
  if (result === true) return;
  failGenerated(ctx, actual, expected, message, () => {
    const name = expected.name ? `"${expected.name}" ` : "";
    const head =
      `The ${name}validation function is expected to return "true". ` +
      `Received ${inspect(result)}`;
    return isError(actual) ? `${head}\n\nCaught error:\n\n${actual}` : head;
  });
}

/** Only the properties that are compared, for the message: those that match look the same. */
class Comparison {
  constructor(object, keys, actual) {
    for (const key of keys) {
      if (!(key in object)) continue;
      const isMatch =
        actual !== undefined &&
        typeof actual[key] === "string" &&
        isRegExp(object[key]) &&
        matches(object[key], actual[key]);
      this[key] = isMatch ? actual[key] : object[key];
    }
  }
}

function checkProperty(ctx, actual, expected, key, { keys, message }) {
  const { isDeepStrictEqual } = require("internal/deep_equal");
  if (typeof actual[key] === "string" && isRegExp(expected[key])) {
    if (matches(expected[key], actual[key])) return;
  }
  if (key in actual && isDeepStrictEqual(actual[key], expected[key])) return;
  if (message) fail(ctx, { actual, expected, message, operator: ctx.fn.name });
  const error = new AssertionError({
    actual: new Comparison(actual, keys),
    expected: new Comparison(expected, keys, actual),
    operator: "deepStrictEqual",
    stackStartFn: ctx.below,
    diff: ctx.diff,
  });
  error.actual = actual;
  error.expected = expected;
  error.operator = ctx.fn.name;
  throw error;
}

function checkObject(ctx, actual, expected, message) {
  if (typeof actual !== "object" || actual === null) {
    const error = new AssertionError({
      actual,
      expected,
      message,
      operator: "deepStrictEqual",
      stackStartFn: ctx.below,
      diff: ctx.diff,
    });
    error.operator = ctx.fn.name;
    throw error;
  }
  const keys = Object.keys(expected);
  if (expected instanceof Error) keys.push("name", "message");
  else if (keys.length === 0) {
    throw new ERR_INVALID_ARG_VALUE("error", expected, "may not be an empty object");
  }
  for (const key of keys) checkProperty(ctx, actual, expected, key, { keys, message });
}

function checkAmbiguous(actual, text) {
  if (typeof actual === "object" && actual !== null) {
    if (actual.message !== text) return;
    throw new ERR_AMBIGUOUS_ARGUMENT(
      "error/message",
      `The error message "${actual.message}" is identical to the message.`,
    );
  }
  if (actual !== text) return;
  throw new ERR_AMBIGUOUS_ARGUMENT(
    "error/message",
    `The error "${actual}" is identical to the message.`,
  );
}

function failMissing(ctx, error, message) {
  const name = error?.name ? ` (${error.name})` : "";
  const kind = ctx.fn.name === "rejects" ? "rejection" : "exception";
  fail(ctx, {
    actual: undefined,
    expected: error,
    operator: ctx.fn.name,
    message: `Missing expected ${kind}${name}${message ? `: ${message}` : "."}`,
  });
}

/** `args`: what the caller gave behind the function: [error[, message]] or [message]. */
exports.expectThrown = function expectThrown(ctx, actual, args) {
  let { 0: error, 1: message } = args;
  if (typeof error === "string") {
    if (args.length > 1) throw new ERR_INVALID_ARG_TYPE("error", kErrorKinds, error);
    checkAmbiguous(actual, error);
    message = error;
    error = undefined;
  } else if (
    error !== undefined &&
    error !== null &&
    typeof error !== "object" &&
    typeof error !== "function"
  ) {
    throw new ERR_INVALID_ARG_TYPE("error", kErrorKinds, error);
  }
  if (actual === kNothing) failMissing(ctx, error, message);
  if (!error) return;
  if (typeof error === "function") checkFunction(ctx, actual, error, message);
  else if (isRegExp(error)) checkRegExp(ctx, actual, error, message);
  else checkObject(ctx, actual, error, message);
};

function isUnwanted(actual, expected) {
  if (typeof expected !== "function") {
    if (isRegExp(expected)) return matches(expected, String(actual));
    throw new ERR_INVALID_ARG_TYPE("expected", ["Function", "RegExp"], expected);
  }
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  return !isErrorClass(expected) && expected.call({}, actual) === true;
}

exports.expectNothing = function expectNothing(ctx, actual, args) {
  if (actual === kNothing) return;
  let { 0: error, 1: message } = args;
  if (typeof error === "string") {
    message = error;
    error = undefined;
  }
  if (error && !isUnwanted(actual, error)) throw actual;
  const kind = ctx.fn.name === "doesNotReject" ? "rejection" : "exception";
  fail(ctx, {
    actual,
    expected: error,
    operator: ctx.fn.name,
    message:
      `Got unwanted ${kind}${message ? `: ${message}` : "."}\n` +
      `Actual message: "${actual?.message}"`,
  });
};
