// @internal
// bun:shell/transform -- ${x#a} ${x##a} ${x%a} ${x%%a} ${x/a/b} ${x//a/b} ${x:1:2} ${x^} ${x,,}.
const glob = require("bun:shell/glob");
const { CommandError } = require("bun:shell/state");

const TEXT_MAX = 1 << 16; // of what patterns are tried on; each try looks at all of it

/** Lengths of heads of `text` from `from` on, in code units, in the order of `step`. */
function* lengths(text, step) {
  for (let n = step > 0 ? 0 : text.length; n >= 0 && n <= text.length; n += step) yield n;
}

function cut(text, op, pattern) {
  const step = op.length === 1 ? 1 : -1;
  for (const n of lengths(text, step)) {
    if (op[0] === "#" && glob.matches(pattern, text.slice(0, n))) return text.slice(n);
    const rest = text.length - n;
    if (op[0] === "%" && glob.matches(pattern, text.slice(rest))) return text.slice(0, rest);
  }
  return text;
}

/** The longest match that begins at `from`: its end, or -1. */
function matchEnd(text, pattern, from) {
  for (let end = text.length; end > from; end--) {
    if (glob.matches(pattern, text.slice(from, end))) return end;
  }
  return -1;
}

function replace(text, isAll, pattern, second) {
  if (pattern === "") return text;
  const anchor = pattern[0] === "%" || (pattern[0] === "#" && !isAll) ? pattern[0] : "";
  if (anchor !== "") {
    const rest = cut(text, anchor.repeat(2), pattern.slice(1));
    if (rest === text) return text;
    return anchor === "#" ? second + rest : rest + second;
  }
  const plain = pattern.replace(/\\([^])/g, "$1");
  if (!glob.isMagic(pattern.replace(/\\[^]/g, ""))) {
    return isAll ? text.replaceAll(plain, () => second) : text.replace(plain, () => second);
  }
  let result = "";
  let at = 0;
  while (at < text.length) {
    const end = matchEnd(text, pattern, at);
    if (end < 0) {
      result += text[at++];
      continue;
    }
    result += second;
    at = end;
    if (!isAll) break;
  }
  return result + text.slice(at);
}

function slice(text, first, second, vars) {
  const { evaluate } = require("bun:shell/arith");
  const characters = [...text];
  try {
    let from = Number(evaluate(first, vars));
    if (from < 0) from = Math.max(0, characters.length + from);
    let to = second === undefined ? characters.length : Number(evaluate(second, vars));
    if (second !== undefined) to = to < 0 ? characters.length + to : from + to;
    return characters.slice(from, Math.max(from, to)).join("");
  } catch (error) {
    throw new CommandError(`bun: ${error.message}\n`);
  }
}

function changeCase(text, op) {
  const isUpper = op[0] === "^";
  const change = (part) => (isUpper ? part.toUpperCase() : part.toLowerCase());
  if (op.length === 2) return change(text);
  const [head = ""] = text;
  return change(head) + text.slice(head.length);
}

/** `text` after the operator `op`; `vars` as for bun:shell/arith. */
exports.transform = function transform(text, op, pattern, second, vars) {
  if (op === ":") return slice(text, pattern, second, vars);
  if (op[0] === "^" || op[0] === ",") return changeCase(text, op);
  if (text.length > TEXT_MAX && glob.isMagic(pattern)) {
    throw new CommandError("bun: the value is too long for a pattern\n");
  }
  if (op[0] === "/") return replace(text, op === "//", pattern, second ?? "");
  return cut(text, op, pattern);
};
