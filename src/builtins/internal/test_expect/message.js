// internal/test_expect/message -- the texts of failed expectations: values, differences, colours.
//
// A text is written once, with marks where a colour begins: MARK and a letter. The error's message
// has none of them; the report shows the painted form.
const state = require("internal/test_runner/state");

const MARK = "\u0001";
const CODES = {
  __proto__: null, r: "\x1b[0m", d: "\x1b[2m", b: "\x1b[1m", g: "\x1b[32m", R: "\x1b[31m",
};

const green = (text) => `${MARK}g${text}${MARK}r`;
const red = (text) => `${MARK}R${text}${MARK}r`;
const dim = (text) => `${MARK}d${text}${MARK}r`;

const inspect = (value) => require("internal/inspect").bunInspect(value);
const pretty = (value) => require("internal/test_snapshot/format").format(value);

/** "expect(received).not.toBe(expected)" */
function head(name, signature, isNot, promise = "") {
  const parameters = signature === "" ? "" : `${MARK}g${signature}${MARK}r${MARK}d`;
  const how = promise === "" ? "" : `${promise}${MARK}d.${MARK}r`;
  const not = isNot ? `not${MARK}d.${MARK}r` : "";
  return `${MARK}dexpect(${MARK}r${MARK}Rreceived${MARK}r${MARK}d).${MARK}r${how}${not}${name}` +
    `${MARK}d(${MARK}r${parameters}${MARK}d)${MARK}r`;
}

/** @returns {Error} with the text's marks taken out; its stack begins below `above`. */
function makeError(text, above) {
  const limit = Error.stackTraceLimit;
  if (typeof limit === "number" && limit < 20) Error.stackTraceLimit = 20; // ours are taken out
  const error = new Error(text.replace(/\u0001[rdbgR]/g, ""));
  if (above !== undefined) Error.captureStackTrace(error, above);
  Error.stackTraceLimit = limit;
  state.paintedMessages ??= new WeakMap();
  if (text.includes(MARK)) {
    const painted = text.replace(/\u0001([rdbgR])/g, (_, letter) => CODES[letter]);
    state.paintedMessages.set(error, painted);
  }
  return error;
}

// ---- Differences ----

const LINES_MAX = 20000;

/** Lines only in one of them, in the order of Bun: what was expected first. */
function diffLines(received, expected) {
  const { myersDiff, isSame, first, INSERT, DELETE } = require("internal/util/diff");
  const a = received.split("\n");
  const b = expected.split("\n");
  if (a.length + b.length > LINES_MAX) return undefined;
  const steps = myersDiff(a, b, isSame, first).reverse();
  const out = [];
  let minus = [];
  let plus = [];
  let nMinus = 0;
  let nPlus = 0;
  const flush = () => {
    out.push(...minus, ...plus);
    minus = [];
    plus = [];
  };
  for (const [step, line] of steps) {
    if (step === INSERT) {
      nPlus++;
      plus.push(`${MARK}R+ ${line}${MARK}r`);
    } else if (step === DELETE) {
      nMinus++;
      minus.push(`${MARK}g- ${line}${MARK}r`);
    } else {
      flush();
      out.push(`${MARK}d  ${line}${MARK}r`);
    }
  }
  flush();
  return `${out.join("\n")}\n\n${MARK}g- Expected  - ${nMinus}${MARK}r\n` +
    `${MARK}R+ Received  + ${nPlus}${MARK}r\n`;
}

/** What an expected value that looks just like the received one differs in cannot be seen. */
function sameText(expected) {
  return `Expected: ${green(inspect(expected))}\nReceived: serializes to the same string\n`;
}

const isLong = (text) => text.includes("\n");
const isComposed = (v) => typeof v === "object" && v !== null;

/** Two values that should have been equal. */
function difference(received, expected) {
  const a = pretty(received);
  const b = pretty(expected);
  if (a === b) return sameText(expected);
  if (isLong(a) || isLong(b) || (isComposed(received) && isComposed(expected))) {
    const text = diffLines(a, b);
    if (text !== undefined) return text;
  }
  return `Expected: ${green(b)}\nReceived: ${red(a)}\n`;
}

Object.assign(exports, {
  MARK, green, red, dim, inspect, pretty, head, makeError, difference, diffLines,
});
