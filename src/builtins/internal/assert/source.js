// internal/assert/source -- the text of the call that failed, for the message of assert.ok.

const { callSites } = require("internal/util/call_sites");
const { sourceLine } = require("internal/report/frames");

const isSpace = (c) => c === " " || c === "\t";
const kName = /[\w$\u0080-\uffff]/;
const kControl = /[\0-\x08\x0b\x0c\x0e-\x1f]/g;
const escapeControl = (c) => JSON.stringify(c).slice(1, -1);
const kOpen = "([{";
const kClose = ")]}";

/** Index behind the string, template or regular expression that begins at `from`. */
function skipQuoted(line, from) {
  const quote = line[from];
  let i = from + 1;
  while (i < line.length && line[i] !== quote) i += line[i] === "\\" ? 2 : 1;
  return i + 1;
}

/** Index behind the call whose arguments begin at or behind `from`; the line's length at most. */
function endOfCall(line, from) {
  let depth = 0;
  for (let i = from; i < line.length; i++) {
    const c = line[i];
    if (c === '"' || c === "'" || c === "`") {
      i = skipQuoted(line, i) - 1;
    } else if (kOpen.includes(c)) {
      depth++;
    } else if (kClose.includes(c)) {
      if (--depth <= 0) return i + 1;
    } else if (c === ";" && depth === 0) {
      return i;
    }
  }
  return line.length;
}

/** Index of the bracket that belongs to the closing one at `from`. */
function openBracket(line, from) {
  let depth = 0;
  for (let i = from; i >= 0; i--) {
    if (line[i] === "]") depth++;
    else if (line[i] === "[" && --depth === 0) return i;
  }
  return 0;
}

/** Index of the beginning of a chain a.b["c"] that ends before `from`. */
function startOfChain(line, from) {
  let i = from;
  for (;;) {
    while (i > 0 && (isSpace(line[i - 1]) || line[i - 1] === "]")) {
      i = line[i - 1] === "]" ? openBracket(line, i - 1) : i - 1;
    }
    let j = i;
    while (j > 0 && kName.test(line[j - 1])) j--;
    if (j === i) return i;
    i = j;
    if (line[i - 1] !== ".") return i;
    i--;
    if (line[i - 1] === "?") i--;
  }
}

/** The expression of the innermost call in the program, below `fn`; undefined when not known. */
exports.failedExpression = function failedExpression(fn) {
  // Below the call there may be Function.prototype.call and its kin.
  const site = callSites(3, fn).find((one) => !one.isNative());
  const line = site && sourceLine(site.getFileName() ?? "", site.getLineNumber());
  if (!line) return undefined;
  // Columns stand on the name that is called, or on the parenthesis behind it.
  let at = site.getColumnNumber() - 1;
  while (at < line.length && kName.test(line[at])) at++;
  const start = startOfChain(line, at);
  // A chain may have begun on another line.
  const text = line.slice(start, endOfCall(line, at)).trim().replace(/^\??\./, "");
  return text === "" ? undefined : text.replace(kControl, escapeControl);
};
