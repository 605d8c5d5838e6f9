// internal/test_expect/calls -- matchers of mock functions: their calls, what they returned.
const { define, misuse, addMatcher, Expect } = require("internal/test_expect");
const { equals } = require("internal/test_expect/equal");
const { green, red, inspect, difference } = require("internal/test_expect/message");

const SHOWN_MAX = 10;

function mockOf(v) {
  const mock = typeof v === "function" ? v.mock : undefined;
  if (mock === undefined || mock === null || !Array.isArray(mock.calls)) {
    misuse(`Expected value must be a mock function: ${inspect(v)}`);
  }
  return mock;
}
/** Arguments that were left out are not undefined ones. */
const sameCall = (call, args) => call.length === args.length && equals(call, args);
const callsOf = (v) => mockOf(v).calls;
const resultsOf = (v) => mockOf(v).results;
const returnsOf = (v) => resultsOf(v).filter((result) => result.type === "return");

function checkCount(n) {
  if (typeof n !== "number" || !Number.isInteger(n) || n < 0) {
    misuse("toHaveBeenCalledTimes() requires 1 non-negative integer argument");
  }
  return n;
}

function checkNth(n, name) {
  if (typeof n !== "number" || !Number.isInteger(n) || n < 1) {
    misuse(`${name}() requires a positive integer argument`);
  }
  return n;
}

/** The same matcher under each name. */
function defineAll(names, signature, test, text) {
  define(names[0], signature, test, text);
  const { value } = Object.getOwnPropertyDescriptor(Expect.prototype, names[0]);
  for (const name of names.slice(1)) {
    addMatcher(name, value);
  }
}

// ---- Calls ----

defineAll(["toHaveBeenCalled", "toBeCalled"], "", (v) => callsOf(v).length > 0, (v, isNot) =>
  `Expected number of calls: ${isNot ? "" : ">= "}${green(isNot ? 0 : 1)}\n` +
  `Received number of calls: ${red(callsOf(v).length)}\n`);

const countText = (v, isNot, n) => `Expected number of calls: ${isNot ? "not " : ""}${green(n)}\n` +
  `Received number of calls: ${red(callsOf(v).length)}\n`;
defineAll(["toHaveBeenCalledTimes", "toBeCalledTimes"], "expected",
  (v, [n]) => callsOf(v).length === checkCount(n), (v, isNot, [n]) => countText(v, isNot, n));
define("toHaveBeenCalledOnce", "expected", (v) => callsOf(v).length === 1,
  (v, isNot) => countText(v, isNot, 1));

const NOT_CALLED = "But it was not called.";

function listText(expected, items, what) {
  const lines = items.slice(0, SHOWN_MAX).map((item, i) =>
    `              ${i + 1}: ${red(inspect(item))}`);
  if (items.length > SHOWN_MAX) lines.push(`              ... ${items.length - SHOWN_MAX} more`);
  return `    Expected: ${green(inspect(expected))}\n    Received:\n${lines.join("\n")}\n\n` +
    `    Number of ${what}: ${items.length}\n`;
}

defineAll(["toHaveBeenCalledWith", "toBeCalledWith"], "...expected",
  (v, args) => callsOf(v).some((call) => sameCall(call, args)), (v, isNot, args) => {
    const calls = callsOf(v);
    if (isNot) {
      const shown = green(inspect(args));
      return `Expected mock function not to have been called with: ${shown}\nBut it was.`;
    }
    if (calls.length === 0) return `Expected: ${green(inspect(args))}\n${NOT_CALLED}`;
    return calls.length === 1 ? difference(calls[0], args) : listText(args, calls, "calls");
  });

defineAll(["toHaveBeenLastCalledWith", "lastCalledWith"], "...expected", (v, args) => {
  const calls = callsOf(v);
  return calls.length > 0 && sameCall(calls.at(-1), args);
}, (v, isNot, args) => {
  const calls = callsOf(v);
  if (isNot) return `Expected last call not to be with: ${green(inspect(args))}\nBut it was.`;
  if (calls.length === 0) return `Expected: ${green(inspect(args))}\n${NOT_CALLED}`;
  return difference(calls.at(-1), args);
});

defineAll(["toHaveBeenNthCalledWith", "nthCalledWith"], "n, ...expected", (v, [n, ...args]) => {
  const calls = callsOf(v);
  checkNth(n, "toHaveBeenNthCalledWith");
  return calls.length >= n && sameCall(calls[n - 1], args);
}, (v, isNot, [n, ...args]) => {
  const calls = callsOf(v);
  if (isNot) return `Expected call #${n} not to be with: ${green(inspect(args))}\nBut it was.`;
  if (calls.length < n) {
    const times = `${calls.length} time${calls.length === 1 ? "" : "s"}`;
    return `The mock function was called ${times}, but call ${n} was requested.`;
  }
  return `Call #${n}:\n${difference(calls[n - 1], args)}`;
});

// ---- Returns ----

function returnsText(v, first) {
  return `Expected number of succesful returns: ${first}\n` +
    `Received number of succesful returns: ${first.startsWith("<") ? "" : " "}` +
    `  ${red(returnsOf(v).length)}\n` +
    `Received number of calls:              ${first.startsWith("<") ? "" : " "}` +
    ` ${red(callsOf(v).length)}\n`;
}

defineAll(["toHaveReturned", "toReturn"], "expected", (v) => returnsOf(v).length > 0,
  (v, isNot) => {
    const thrown = resultsOf(v).findLast((result) => result.type === "throw");
    const text = returnsText(v, isNot ? `< ${green(1)}` : `>= ${green(1)}`);
    if (thrown === undefined) return text;
    return `${text}Function threw an exception: ${inspect(thrown.value)}\n`;
  });
define("toHaveReturnedTimes", "expected", (v, [n]) => returnsOf(v).length === checkCount(n),
  (v, isNot, [n]) => returnsText(v, `${isNot ? "!=" : "=="} ${green(n)}`));

define("toHaveReturnedWith", "expected",
  (v, [value]) => returnsOf(v).some((result) => equals(result.value, value)),
  (v, isNot, [value]) => {
    const returns = returnsOf(v).map((result) => result.value);
    if (isNot) return `Expected mock function not to have returned: ${green(inspect(value))}\n`;
    if (returns.length === 0) return `Expected: ${green(inspect(value))}\nBut it did not return.\n`;
    if (returns.length > 1) return listText(value, returns, "returns");
    return `Expected: ${green(inspect(value))}\nReceived: ${red(inspect(returns[0]))}\n`;
  });

const isReturn = (result, value) =>
  result !== undefined && result.type === "return" && equals(result.value, value);

function resultText(result, value) {
  const expected = `Expected: ${green(inspect(value))}\n`;
  if (result === undefined) return `${expected}${NOT_CALLED}`;
  if (result.type === "throw") return `${expected}Function threw: ${red(inspect(result.value))}`;
  return `${expected}Received: ${red(inspect(result.value))}`;
}

defineAll(["toHaveLastReturnedWith", "lastReturnedWith"], "expected",
  (v, [value]) => isReturn(resultsOf(v).at(-1), value), (v, isNot, [value]) => isNot
    ? `Expected mock function not to have last returned: ${green(inspect(value))}\nBut it did.\n`
    : resultText(resultsOf(v).at(-1), value));

defineAll(["toHaveNthReturnedWith", "nthReturnedWith"], "n, expected", (v, [n, value]) => {
  checkNth(n, "toHaveNthReturnedWith");
  return isReturn(resultsOf(v)[n - 1], value);
}, (v, isNot, [n, value]) => {
  if (!isNot) return `Call ${n}:\n${resultText(resultsOf(v)[n - 1], value)}`;
  const shown = green(inspect(value));
  return `Expected mock function not to have returned on call ${n}: ${shown}\nBut it did.\n`;
});
