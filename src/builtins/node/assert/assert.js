// node:assert -- assertions (Node: assert). Whatever it takes to compare values or to describe a
// failure is loaded when it is needed.

const { ERR_INVALID_ARG_TYPE, ERR_MISSING_ARGS } = require("internal/errors");

const kOptions = Symbol("options");
const { is, isNaN } = { is: Object.is, isNaN: Number.isNaN };
const isMissing = (v) => v === undefined || v === null;

let AssertionError;
const errorClass = () => (AssertionError ??= require("internal/assert/error").AssertionError);
const deep = () => require("internal/deep_equal");

function fail(self, options) {
  if (options.message instanceof Error) throw options.message;
  throw new (errorClass())({ ...options, diff: self?.[kOptions]?.diff });
}

function checkTwo(count) {
  if (count < 2) throw new ERR_MISSING_ARGS("actual", "expected");
}

function checkTruth(fn, count, value, message) {
  if (value) return;
  let text = message;
  let isGenerated = false;
  if (count === 0) {
    isGenerated = true;
    text = "No value argument passed to `assert.ok()`";
  } else if (isMissing(message)) {
    isGenerated = true;
    const source = require("internal/assert/source").failedExpression(fn);
    text = source && `The expression evaluated to a falsy value:\n\n  ${source}\n`;
  } else if (message instanceof Error) {
    throw message;
  }
  const error = new (errorClass())({
    actual: value, expected: true, message: text, operator: "==", stackStartFn: fn,
  });
  error.generatedMessage = isGenerated;
  throw error;
}

// ---- The class; the functions of the module are its methods, called without an object -----------

function Assert(options) {
  if (!new.target) {
    const { ERR_CONSTRUCT_CALL_REQUIRED } = require("internal/errors");
    throw new ERR_CONSTRUCT_CALL_REQUIRED("Assert");
  }
  const own = Object.assign({ __proto__: null, strict: true, skipPrototype: false }, options);
  if (own.diff !== undefined) {
    require("internal/validators").validateOneOf(own.diff, "options.diff", ["simple", "full"]);
  }
  this.AssertionError = errorClass();
  Object.defineProperty(this, kOptions, { __proto__: null, value: own });
  if (own.strict) {
    this.equal = this.strictEqual;
    this.deepEqual = this.deepStrictEqual;
    this.notEqual = this.notStrictEqual;
    this.notDeepEqual = this.notDeepStrictEqual;
  }
}
const methods = Assert.prototype;

let hasWarnedOfFail = false;

function warnOfFail() {
  if (hasWarnedOfFail) return;
  hasWarnedOfFail = true;
  process.emitWarning(
    "assert.fail() with more than one argument is deprecated. " +
      "Please use assert.strictEqual() instead or only pass a message.",
    "DeprecationWarning",
    "DEP0094",
  );
}

methods.fail = function fail(actual, expected, message, operator, stackStartFn) {
  const count = arguments.length;
  const isGenerated = isMissing(actual) && count <= 1;
  const options = { actual, expected, message, operator: operator ?? "fail" };
  if (isGenerated) {
    options.message = "Failed";
  } else if (count === 1) {
    options.message = actual;
    options.actual = undefined;
  } else {
    warnOfFail();
    if (count === 2) options.operator = "!=";
  }
  if (options.message instanceof Error) throw options.message;
  options.stackStartFn = stackStartFn || fail;
  options.diff = this?.[kOptions]?.diff;
  const error = new (errorClass())(options);
  if (isGenerated) error.generatedMessage = true;
  throw error;
};

methods.ok = function ok(...args) {
  checkTruth(ok, args.length, args[0], args[1]);
};

methods.equal = function equal(actual, expected, message) {
  checkTwo(arguments.length);
  if (actual == expected || (isNaN(actual) && isNaN(expected))) return;
  fail(this, { actual, expected, message, operator: "==", stackStartFn: equal });
};

methods.notEqual = function notEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (actual != expected && !(isNaN(actual) && isNaN(expected))) return;
  fail(this, { actual, expected, message, operator: "!=", stackStartFn: notEqual });
};

methods.deepEqual = function deepEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (deep().isDeepEqual(actual, expected)) return;
  fail(this, { actual, expected, message, operator: "deepEqual", stackStartFn: deepEqual });
};

methods.notDeepEqual = function notDeepEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (!deep().isDeepEqual(actual, expected)) return;
  fail(this, { actual, expected, message, operator: "notDeepEqual", stackStartFn: notDeepEqual });
};

methods.deepStrictEqual = function deepStrictEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (deep().isDeepStrictEqual(actual, expected, this?.[kOptions]?.skipPrototype)) return;
  const operator = "deepStrictEqual";
  fail(this, { actual, expected, message, operator, stackStartFn: deepStrictEqual });
};

methods.notDeepStrictEqual = function notDeepStrictEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (!deep().isDeepStrictEqual(actual, expected, this?.[kOptions]?.skipPrototype)) return;
  const operator = "notDeepStrictEqual";
  fail(this, { actual, expected, message, operator, stackStartFn: notDeepStrictEqual });
};

methods.strictEqual = function strictEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (is(actual, expected)) return;
  fail(this, { actual, expected, message, operator: "strictEqual", stackStartFn: strictEqual });
};

methods.notStrictEqual = function notStrictEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (!is(actual, expected)) return;
  const operator = "notStrictEqual";
  fail(this, { actual, expected, message, operator, stackStartFn: notStrictEqual });
};

methods.partialDeepStrictEqual = function partialDeepStrictEqual(actual, expected, message) {
  checkTwo(arguments.length);
  if (deep().isPartialStrictEqual(actual, expected)) return;
  const operator = "partialDeepStrictEqual";
  fail(this, { actual, expected, message, operator, stackStartFn: partialDeepStrictEqual });
};

const throwing = () => require("internal/assert/throws");
// `below`: the stack begins with the caller of that.
const contextOf = (self, fn, below = fn) => ({ fn, below, diff: self?.[kOptions]?.diff });

methods.throws = function throws(fn, ...args) {
  throwing().expectThrown(contextOf(this, throws), throwing().thrownBy(fn), args);
};

methods.rejects = async function rejects(promiseFn, ...args) {
  const actual = await throwing().rejectionOf(promiseFn);
  const { expectThrown } = throwing();
  expectThrown(contextOf(this, rejects, expectThrown), actual, args);
};

methods.doesNotThrow = function doesNotThrow(fn, ...args) {
  throwing().expectNothing(contextOf(this, doesNotThrow), throwing().thrownBy(fn), args);
};

methods.doesNotReject = async function doesNotReject(fn, ...args) {
  const actual = await throwing().rejectionOf(fn);
  const { expectNothing } = throwing();
  expectNothing(contextOf(this, doesNotReject, expectNothing), actual, args);
};

/** Puts the frames of the first error behind those of the second, without the ones they share. */
function joinStacks(error, first) {
  if (typeof first !== "string") return;
  const at = first.indexOf("\n    at");
  if (at < 0) return;
  const frames = first.slice(at + 1).split("\n");
  let own = error.stack.split("\n");
  const shared = frames.find((frame) => own.includes(frame));
  if (shared !== undefined) own = own.slice(0, own.indexOf(shared));
  error.stack = `${own.join("\n")}\n${frames.join("\n")}`;
}

function describeError(error) {
  if (typeof error !== "object" || typeof error.message !== "string") {
    return require("internal/inspect").inspect(error);
  }
  return error.message.length === 0 && error.constructor ? error.constructor.name : error.message;
}

methods.ifError = function ifError(err) {
  if (isMissing(err)) return;
  const error = new (errorClass())({
    actual: err,
    expected: null,
    operator: "ifError",
    message: `ifError got unwanted exception: ${describeError(err)}`,
    stackStartFn: ifError,
    diff: this?.[kOptions]?.diff,
  });
  joinStacks(error, err.stack);
  throw error;
};

function checkMatch(self, fn, string, regexp, message) {
  const { isRegExp } = require("internal/util/types").types;
  if (!isRegExp(regexp)) throw new ERR_INVALID_ARG_TYPE("regexp", "RegExp", regexp);
  const isWanted = fn === methods.match;
  const isText = typeof string === "string";
  if (isText && (RegExp.prototype.exec.call(regexp, string) !== null) === isWanted) return;
  if (message instanceof Error) throw message;
  const { inspect } = require("internal/inspect");
  const text = message || (isText
    ? `The input ${isWanted ? "did not match" : "was expected to not match"} the regular ` +
      `expression ${inspect(regexp)}. Input:\n\n${inspect(string)}\n`
    : 'The "string" argument must be of type string. Received type ' +
      `${typeof string} (${inspect(string)})`);
  const error = new (errorClass())({
    actual: string,
    expected: regexp,
    message: text,
    operator: fn.name,
    stackStartFn: fn,
    diff: self?.[kOptions]?.diff,
  });
  error.generatedMessage = !message;
  throw error;
}

methods.match = function match(string, regexp, message) {
  checkMatch(this, match, string, regexp, message);
};

methods.doesNotMatch = function doesNotMatch(string, regexp, message) {
  checkMatch(this, doesNotMatch, string, regexp, message);
};

// ---- The module ---------------------------------------------------------------------------------

function ok(...args) {
  checkTruth(ok, args.length, args[0], args[1]);
}

function strict(...args) {
  checkTruth(strict, args.length, args[0], args[1]);
}

const names = [
  "fail", "equal", "notEqual", "deepEqual", "notDeepEqual", "deepStrictEqual",
  "notDeepStrictEqual", "strictEqual", "notStrictEqual", "partialDeepStrictEqual", "match",
  "doesNotMatch", "throws", "rejects", "doesNotThrow", "doesNotReject", "ifError",
];
const { lazy } = require("internal/process_util");

lazy(ok, "AssertionError", errorClass);
ok.ok = ok;
for (let i = 0; i < names.length; i++) {
  const name = names[i];
  ok[name] = methods[name];
}
lazy(strict, "AssertionError", errorClass);
strict.ok = ok;
for (let i = 0; i < names.length; i++) {
  const name = names[i];
  strict[name] = methods[name];
}
strict.equal = methods.strictEqual;
strict.deepEqual = methods.deepStrictEqual;
strict.notEqual = methods.notStrictEqual;
strict.notDeepEqual = methods.notDeepStrictEqual;
strict.Assert = Assert;
strict.strict = strict;
ok.strict = strict;
ok.Assert = Assert;
return ok;
