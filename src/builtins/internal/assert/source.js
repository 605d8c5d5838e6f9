// internal/assert/source -- the text of the call that failed, for the message of assert.ok.

const { callSites } = require("internal/util/call_sites");
const { sourceLine } = require("internal/report/frames");

const isSpace = (c) => c === " " || c === "\t";
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

/** Index of the beginning of a chain a.b["c"] that ends before `from`. */
function startOfChain(line, from) {
  let i = from;
  for (;;) {
    while (i > 0 && isSpace(line[i - 1])) i--;
    let j = i;
    while (j > 0 && /[\w$]/.test(line[j - 1])) j--;
    if (j === i) return i;
    i = j;
    if (line[i - 1] !== ".") return i;
    i--;
    if (line[i - 1] === "?") i--;
  }
}

/** The expression of the innermost call in the program, below `fn`; undefined when not known. */
exports.failedExpression = function failedExpression(fn) {
  const [site] = callSites(1, fn);
  const url = site?.getFileName();
  const line = url && sourceLine(url, site.getLineNumber());
  if (!line) return undefined;
  // Columns stand on the name that is called, or on the parenthesis behind it.
  let at = site.getColumnNumber() - 1;
  while (at < line.length && /[\w$]/.test(line[at])) at++;
  const start = startOfChain(line, at);
  const text = line.slice(start, endOfCall(line, at)).trim();
  return text === "" ? undefined : text;
};
