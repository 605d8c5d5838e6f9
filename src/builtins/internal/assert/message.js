// internal/assert/message -- what an AssertionError says: the two values and where they differ.

const { inspect } = require("internal/inspect");
const { shouldColorize } = require("internal/util/colors");

const kTexts = {
  __proto__: null,
  deepStrictEqual: "Expected values to be strictly deep-equal:",
  partialDeepStrictEqual: "Expected values to be partially and strictly deep-equal:",
  strictEqual: "Expected values to be strictly equal:",
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: "Expected values to be loosely deep-equal:",
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: "Values have same structure but are not reference-equal:",
  notDeepEqualUnequal: "Expected values not to be loosely deep-equal:",
};
const SHORT_MAX = 12;
const LONG_MAX = 512;
const LINES_MAX = 50;
const KEPT_LINES = 5;

/** Colors for this message: the environment may have changed since the last one. */
function makeColors() {
  const has = shouldColorize(process.stderr);
  const code = (text) => (has ? `\x1b[${text}m` : "");
  return {
    has,
    blue: code(34),
    green: code(32),
    white: code(39),
    red: code(31),
    gray: code(90),
  };
}

function show(value) {
  return inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
  });
}

const isObject = (v) => typeof v === "object" && v !== null;

// ---- Two values beside each other ---------------------------------------------------------------

/** Strings on a terminal: one line in which what was dropped and added has its color. */
function inlineDiff(actual, expected, c) {
  const { myersDiff, isSame, first, INSERT, DELETE } = require("internal/util/diff");
  let out = "";
  for (const [kind, text] of myersDiff(
    actual.split(""),
    expected.split(""),
    isSame,
    first,
  ).reverse()) {
    const color = kind === INSERT ? c.green : kind === DELETE ? c.red : c.white;
    out += `${color}${text}${c.white}`;
  }
  return { header: `${c.green}actual${c.white} ${c.red}expected${c.white}`, text: `\n${out}` };
}

/** A caret below the first difference, unless that is easily seen. */
function caret(actual, expected) {
  const width = process.stderr.isTTY ? process.stderr.columns : 80;
  if (actual.length + expected.length > width) return "";
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) at++;
  return at < 3 || at === actual.length ? "" : `\n${" ".repeat(at + 2)}^`;
}

function lineDiff(actual, expected, shownActual, shownExpected, c) {
  const areStrings = typeof actual === "string" && typeof expected === "string";
  let size = shownActual.length + shownExpected.length;
  if (typeof actual === "string") size -= 2;
  if (typeof expected === "string") size -= 2;
  if (size <= SHORT_MAX && (actual !== 0 || expected !== 0)) {
    return { header: "", text: `${shownActual} !== ${shownExpected}` };
  }
  if (areStrings && c.has) return inlineDiff(shownActual, shownExpected, c);
  const both = `\n${c.green}+${c.white} ${shownActual}\n${c.red}- ${c.white}${shownExpected}`;
  return { text: both + caret(shownActual, shownExpected) };
}

// ---- Values of several lines --------------------------------------------------------------------

/** Lines that are the same but for a comma behind them count as the same. */
const sameLine = (a, b) => a === b || `${a},` === b || a === `${b},`;
const pickLine = (a, b) => (a.endsWith(",") ? a : b);

/** What stands between two changes: the first lines, and of the rest only the last one. */
function keptLines(run, isLast, c) {
  const line = (text) => `${c.white}  ${text}\n`;
  const head = run
    .slice(0, KEPT_LINES)
    .map((text) => `  ${text}\n`)
    .join("");
  if (isLast || run.length <= KEPT_LINES) return { text: head, isCut: false };
  if (run.length <= KEPT_LINES + 2) {
    return { text: head + run.slice(KEPT_LINES).map(line).join(""), isCut: false };
  }
  return { text: `${head}${c.blue}...${c.white}\n${line(run[run.length - 1])}`, isCut: true };
}

function changedLine(kind, text, operator, c) {
  const { INSERT } = require("internal/util/diff");
  if (kind !== INSERT) return `${c.red}-${c.white} ${text}\n`;
  if (operator !== "partialDeepStrictEqual") return `${c.green}+${c.white} ${text}\n`;
  return `${c.gray}${c.has ? " " : "+"} ${text}${c.white}\n`;
}

function blockDiff(actualLines, expectedLines, ignoresCommas, operator, c) {
  const { myersDiff, isSame, first, KEEP } = require("internal/util/diff");
  const same = ignoresCommas ? sameLine : isSame;
  const steps = myersDiff(actualLines, expectedLines, same, ignoresCommas ? pickLine : first);
  let text = "";
  let isCut = false;
  let run = [];
  const flush = (isLast) => {
    const kept = keptLines(run, isLast, c);
    text += kept.text;
    isCut ||= kept.isCut;
    run = [];
  };
  for (let i = steps.length - 1; i >= 0; i--) {
    const { 0: kind, 1: value } = steps[i];
    if (kind === KEEP) {
      run.push(value);
      continue;
    }
    flush(false);
    text += changedLine(kind, value, operator, c);
  }
  flush(true);
  return { text: `\n${text.trimEnd()}`, isCut };
}

function identical(lines, isFull) {
  if (lines.length <= LINES_MAX || isFull) return { text: lines.join("\n"), isCut: false };
  return { text: `${lines.slice(0, LINES_MAX).join("\n")}\n...}`, isCut: true };
}

function headerOf(operator, c) {
  if (operator === "partialDeepStrictEqual") {
    return `${c.gray}${c.has ? "" : "+ "}actual${c.white} ${c.red}- expected${c.white}`;
  }
  return `${c.green}+ actual${c.white} ${c.red}- expected${c.white}`;
}

function operatorOf(actual, expected, operator) {
  const areObjects = isObject(actual) && isObject(expected);
  const areFunctions = typeof actual === "function" && typeof expected === "function";
  return operator === "strictEqual" && (areObjects || areFunctions)
    ? "strictEqualObject"
    : operator;
}

/** The message of an operator that shows a difference; `own` is the text of the program. */
exports.diffMessage = function diffMessage({ actual, expected, operator: called, diff }, own) {
  const c = makeColors();
  let operator = operatorOf(actual, expected, called);
  const shownActual = show(actual);
  const shownExpected = show(expected);
  const left = shownActual.split("\n");
  const right = shownExpected.split("\n");
  let header = headerOf(operator, c);
  let part;
  if (left.length === 1 && right.length === 1 && !(isObject(actual) && isObject(expected))) {
    part = lineDiff(actual, expected, left[0], right[0], c);
    header = part.header ?? header;
  } else if (shownActual === shownExpected) {
    operator = "notIdentical";
    part = identical(left, diff === "full");
    header = "";
  } else {
    const ignoresCommas = isObject(actual);
    part = blockDiff(left, right, ignoresCommas, operator, c);
  }
  const skipped = part.isCut ? "\n... Skipped lines" : "";
  return `${own || kTexts[operator]}\n${header}${skipped}\n${part.text}\n`;
};

/** The message of notStrictEqual and notDeepStrictEqual: the one value that both are. */
exports.unequalMessage = function unequalMessage({ actual, operator, diff }) {
  const isReference =
    operator === "notStrictEqual" && (isObject(actual) || typeof actual === "function");
  const text = kTexts[isReference ? "notStrictEqualObject" : operator];
  const lines = show(actual).split("\n");
  if (lines.length > LINES_MAX && diff !== "full") {
    const c = makeColors();
    lines.length = 47;
    lines[46] = `${c.blue}...${c.white}`;
  }
  if (lines.length > 1) return `${text}\n\n${lines.join("\n")}\n`;
  return `${text}${lines[0].length > 5 ? "\n\n" : " "}${lines[0]}`;
};

const cut = (text, max, isFull) =>
  text.length > max && !isFull ? `${text.slice(0, max - 3)}...` : text;

/** The message of all other operators: "1 == 2", or the loose deep ones. */
exports.plainMessage = function plainMessage({ actual, expected, operator, diff }) {
  const isFull = diff === "full";
  const shownActual = show(actual);
  const shownExpected = show(expected);
  if (operator === "notDeepEqual" && shownActual === shownExpected) {
    return cut(`${kTexts[operator]}\n\n${shownActual}`, 1024, isFull);
  }
  const left = cut(shownActual, LONG_MAX, isFull);
  const right = cut(shownExpected, LONG_MAX, isFull);
  if (operator === "deepEqual") {
    return `${kTexts[operator]}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
  }
  const text = kTexts[`${operator}Unequal`];
  if (text) return `${text}\n\n${left}\n\nshould not loosely deep-equal\n\n${right}`;
  return `${left} ${operator} ${right}`;
};
