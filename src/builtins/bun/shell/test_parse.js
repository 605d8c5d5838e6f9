// @internal
// bun:shell/test_parse -- what stands in [[ ]], as a tree that bun:shell/test evaluates:
//   or, and { left, right }   not { body }   unary { op, word }   binary { op, left, right }
const UNARY = new Set([
  "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-L", "-n", "-o", "-p", "-r", "-s", "-S",
  "-t", "-u", "-v", "-w", "-x", "-z", "-O", "-G", "-N",
]);
const BINARY = new Set([
  "=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef",
]);

/** A word's text when it is plain and without quotes. */
function plain(word) {
  const [part] = word?.parts ?? [];
  return word?.parts.length === 1 && part.type === "text" && !part.quoted ? part.text : undefined;
}

const isClose = (p) =>
  p.startsWith("]]") && /^\]\](?:[\s;&|)<>]|$)/.test(p.text.slice(p.pos, p.pos + 3));

function need(p) {
  p.skipLines();
  if (p.peek() === "") p.fail('Expected "]]" but got: EOF');
  if (isClose(p)) p.fail("Expected a conditional expression operand, but got: ]]");
}

function operand(p) {
  need(p);
  const word = p.word();
  if (word === undefined) p.fail(`Unexpected token: \`${p.peek()}\``);
  return word;
}

/** The right side of =~: brackets and bars belong to it. */
function regexOperand(p) {
  need(p);
  const word = { parts: [], at: p.pos, hasBrace: false };
  let level = 0;
  for (;;) {
    const c = p.peek();
    if (c === "" || (level === 0 && /[\s]/.test(c))) break;
    if (c === "(") level++;
    if (c === ")") level--;
    if (level < 0) break;
    p.partInside(word);
  }
  return word;
}

function operator(p) {
  p.skipLines();
  const c = p.peek();
  if (c === "<" || c === ">") {
    p.pos++;
    return c;
  }
  if (isClose(p) || c === ")" || c === "&" || c === "|" || c === "") return undefined;
  const at = p.pos;
  const op = plain(p.word());
  if (BINARY.has(op)) return op;
  return p.fail(`Unknown conditional expression operation: ${op ?? p.text.slice(at, p.pos)}`, at);
}

function primary(p) {
  need(p);
  p.enter();
  let node;
  if (p.peek() === "(") {
    p.pos++;
    node = parseOr(p);
    p.skipLines();
    if (p.peek() !== ")") p.fail('Expected ")" in a conditional expression');
    p.pos++;
  } else {
    node = comparison(p);
  }
  p.leave();
  return node;
}

function comparison(p) {
  const left = operand(p);
  const text = plain(left);
  if (text === "!") return { type: "not", body: primary(p) };
  if (UNARY.has(text)) {
    p.skipLines();
    if (!isClose(p)) return { type: "unary", op: text, word: operand(p) };
  }
  const op = operator(p);
  if (op === undefined) return { type: "unary", op: "-n", word: left };
  const right = op === "=~" ? regexOperand(p) : operand(p);
  return { type: "binary", op, left, right };
}

function chain(p, type, text, next) {
  let left = next(p);
  for (;;) {
    p.skipLines();
    if (!p.startsWith(text)) return left;
    p.pos += 2;
    left = { type, left, right: next(p) };
  }
}

const parseAnd = (p) => chain(p, "and", "&&", primary);
const parseOr = (p) => chain(p, "or", "||", parseAnd);

/** Reads up to and with "]]". */
exports.parseTest = function parseTest(p) {
  const node = parseOr(p);
  p.skipLines();
  if (!isClose(p)) p.fail(`Expected "]]" but got: ${p.peek() === "" ? "EOF" : `\`${p.peek()}\``}`);
  p.pos += 2;
  return node;
};
exports.UNARY = UNARY;
exports.BINARY = BINARY;
