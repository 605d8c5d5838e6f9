// internal/test_snapshot/inline -- writes inline snapshots into the test file.
const fs = require("node:fs");

/** Where the test called the matcher: line and column (from 1) of its name in the file. */
exports.placeOf = function placeOf(above, file) {
  const holder = {};
  Error.captureStackTrace(holder, above);
  for (const line of holder.stack.split("\n")) {
    const found = /^\s+at (?:.* \()?(.*):(\d+):(\d+)\)?$/.exec(line);
    if (found !== null && found[1].replace(/^file:\/\//, "") === file) {
      return { line: Number(found[2]), column: Number(found[3]) };
    }
  }
  throw new Error("Inline snapshot matchers must be called from the test file itself");
};

/** Index behind a string, template or comment that begins at `at`; `at` when none does. */
function skipToken(text, at) {
  const c = text[at];
  if (c === '"' || c === "'") {
    let i = at + 1;
    while (i < text.length && text[i] !== c) i += text[i] === "\\" ? 2 : 1;
    return i + 1;
  }
  if (c === "`") return skipTemplate(text, at);
  if (c !== "/") return at;
  if (text[at + 1] === "/") return lineEnd(text, at);
  if (text[at + 1] !== "*") return at;
  const end = text.indexOf("*/", at + 2);
  return end < 0 ? text.length : end + 2;
}

function lineEnd(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function skipTemplate(text, at) {
  let i = at + 1;
  while (i < text.length && text[i] !== "`") {
    if (text[i] === "\\") i += 2;
    else if (text[i] === "$" && text[i + 1] === "{") i = skipBrackets(text, i + 1);
    else i++;
  }
  return i + 1;
}

const pairs = { "(": ")", "[": "]", "{": "}" };

/** Index behind the bracket that closes the one at `at`. */
function skipBrackets(text, at) {
  const open = [pairs[text[at]]];
  let i = at + 1;
  while (i < text.length && open.length > 0) {
    const next = skipToken(text, i);
    if (next > i) {
      i = next;
      continue;
    }
    if (pairs[text[i]] !== undefined) open.push(pairs[text[i]]);
    else if (text[i] === open.at(-1)) open.pop();
    i++;
  }
  return i;
}

/** The arguments of the call whose "(" is at `at`: [start, end] of each, and where ")" is. */
function argumentsAt(text, at) {
  const end = skipBrackets(text, at) - 1;
  const list = [];
  let start = at + 1;
  for (let i = at + 1; i <= end; ) {
    if (i === end || text[i] === ",") {
      if (text.slice(start, i).trim() !== "") list.push([start, i]);
      start = ++i;
      continue;
    }
    const next = pairs[text[i]] === undefined ? skipToken(text, i) : skipBrackets(text, i);
    i = next > i ? next : i + 1;
  }
  return { list, end };
}

function indexOf(starts, place) {
  return starts[place.line - 1] + place.column - 1;
}

/** The text as it stands between backticks, at the indentation of its line. */
function indented(text, line) {
  if (!text.includes("\n")) return text;
  const indent = /^[ \t]*/.exec(line)[0];
  const lines = text.split("\n").slice(1, -1);
  const inner = lines.map((one) => (one === "" ? one : `${indent}  ${one}`));
  return `\n${inner.join("\n")}\n${indent}`;
}

function editOf(text, starts, entry, escape) {
  let at = indexOf(starts, entry);
  const from = text.lastIndexOf("\n", at) + 1;
  const found = text.indexOf(entry.name, Math.max(from, at - entry.name.length - 1));
  if (found >= 0) at = found + entry.name.length;
  const open = text.indexOf("(", at);
  if (found < 0 || open < 0) throw new Error("Failed to update inline snapshot: call not found");
  const { list, end } = argumentsAt(text, open);
  const line = text.slice(from, lineEnd(text, from));
  const shown = `\`${escape(indented(entry.text, line))}\``;
  const n = entry.hasProperties ? 1 : 0;
  if (list.length > n) {
    const [start, stop] = list[n];
    const lead = /^\s*/.exec(text.slice(start, stop))[0].length;
    const tail = /\s*$/.exec(text.slice(start, stop))[0].length;
    return { from: start + lead, to: stop - tail, shown };
  }
  const comma = n === 1 ? ", " : "";
  const stop = n === 1 ? list[0][1] : end;
  return { from: stop, to: end, shown: `${comma}${shown}` };
}

exports.rewrite = function rewrite(file, entries, escape) {
  let text = fs.readFileSync(file, "utf8");
  const starts = [0];
  for (let i = 0; i < text.length; i++) if (text[i] === "\n") starts.push(i + 1);
  const edits = new Map();
  for (const entry of entries) {
    const edit = editOf(text, starts, entry, escape);
    const known = edits.get(edit.from);
    if (known !== undefined && known.shown !== edit.shown) {
      throw new Error("Failed to update inline snapshot: Multiple inline snapshots on the same " +
        "line must all have the same value");
    }
    edits.set(edit.from, edit);
  }
  const ordered = [...edits.values()].sort((a, b) => b.from - a.from);
  for (const { from, to, shown } of ordered) text = text.slice(0, from) + shown + text.slice(to);
  fs.writeFileSync(file, text);
};
