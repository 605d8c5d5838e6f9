// @internal
// bun:shell/arith -- $((...)): integers of 64 bits, with C's operators, names as variables.
const DEPTH_MAX = 100;
const BINARY = [
  ["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<=", ">=", "<", ">"], ["<<", ">>"],
  ["+", "-"], ["*", "/", "%"],
];
const NUMBER = "0[xX][0-9a-fA-F]+|\\d+#\\w+|\\d+";
const LONG_OPS = "<<=|>>=|\\*\\*|\\+\\+|--|<<|>>|&&|\\|\\||[-+*/%&|^<>=!]=";
const SHORT_OPS = "[-+*/%&|^<>=!~?:(),]";
const TOKEN = new RegExp(
  `\\s*(?:(${NUMBER})|([A-Za-z_]\\w*)|(${LONG_OPS}|${SHORT_OPS}))`, "y",
);

const wrap = (n) => BigInt.asIntN(64, n);

function numberOf(text) {
  if (/^0[xX]/.test(text)) return wrap(BigInt(text));
  const [base, digits] = text.includes("#") ? text.split("#") : [/^0\d/.test(text) ? 8 : 10, text];
  let n = 0n;
  for (const c of digits) {
    const digit = parseInt(c, 36);
    if (!(digit < Number(base))) throw new Error(`${text}: value too great for base`);
    n = wrap(n * BigInt(base) + BigInt(digit));
  }
  return n;
}

function apply(op, a, b) {
  switch (op) {
    case "||":
      return a !== 0n || b !== 0n ? 1n : 0n;
    case "&&":
      return a !== 0n && b !== 0n ? 1n : 0n;
    case "|":
      return a | b;
    case "^":
      return a ^ b;
    case "&":
      return a & b;
    case "<<":
      return wrap(a << (b & 63n));
    case ">>":
      return a >> (b & 63n);
    case "+":
      return wrap(a + b);
    case "-":
      return wrap(a - b);
    case "*":
      return wrap(a * b);
    case "/":
    case "%":
      if (b === 0n) throw new Error("division by 0");
      return wrap(op === "/" ? a / b : a % b);
    case "**":
      if (b < 0n) throw new Error("exponent less than 0");
      return power(a, b);
  }
  return compare(op, a, b) ? 1n : 0n;
}

/** `a op b` for two numbers, or two BigInts, with an operator of C. */
function compare(op, a, b) {
  switch (op) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    default:
      return a >= b;
  }
}

function power(base, exponent) {
  let result = 1n;
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = wrap(result * base);
    base = wrap(base * base);
  }
  return result;
}

class Evaluator {
  /** `vars` has get(name) -> string and set(name, string). */
  constructor(text, vars, depth) {
    this.text = text;
    this.vars = vars;
    this.depth = depth;
    this.isDead = 0; // inside an operand that does not count
    this.at = 0;
    this.next();
  }

  next() {
    TOKEN.lastIndex = this.at;
    const match = TOKEN.exec(this.text);
    if (match === null) {
      const rest = this.text.slice(this.at).trim();
      if (rest !== "") this.fail("syntax error", rest);
      this.token = undefined;
      return;
    }
    this.at = TOKEN.lastIndex;
    this.kind = match[1] !== undefined ? "number" : match[2] !== undefined ? "name" : "op";
    this.token = match[1] ?? match[2] ?? match[3];
  }

  fail(message, token = this.token ?? "") {
    throw new Error(`${this.text.trim()}: ${message} (error token is "${token}")`);
  }

  is(op) {
    return this.kind === "op" && this.token === op;
  }

  take(op) {
    if (this.token === undefined || !this.is(op)) return false;
    this.next();
    return true;
  }

  enter() {
    if (++this.depth > DEPTH_MAX) this.fail("expression is nested too deeply");
  }

  comma() {
    let value = this.assign();
    while (this.take(",")) value = this.assign();
    return value;
  }

  assign() {
    this.enter();
    const before = this.at;
    const name = this.kind === "name" ? this.token : undefined;
    let value;
    if (name !== undefined) {
      this.next();
      const op = this.kind === "op" ? this.token : undefined;
      if (op !== undefined && /^(?:[-+*/%&|^]|<<|>>)?=$/.test(op)) {
        this.next();
        const right = this.assign();
        value = op === "=" ? right : apply(op.slice(0, -1), this.read(name), right);
        this.write(name, value);
        this.depth--;
        return value;
      }
      this.at = before;
      this.kind = "name";
      this.token = name;
    }
    value = this.ternary();
    this.depth--;
    return value;
  }

  ternary() {
    const cond = this.binary(0);
    if (!this.take("?")) return cond;
    const yes = this.dead(cond === 0n, () => this.assign());
    if (!this.take(":")) this.fail("`:' expected for conditional expression");
    const no = this.dead(cond !== 0n, () => this.assign());
    return cond !== 0n ? yes : no;
  }

  /** Evaluates without effects when `isDead`. */
  dead(isDead, run) {
    this.isDead += isDead ? 1 : 0;
    const value = run();
    this.isDead -= isDead ? 1 : 0;
    return value;
  }

  binary(level) {
    if (level === BINARY.length) return this.powers();
    let left = this.binary(level + 1);
    while (this.kind === "op" && this.token !== undefined && BINARY[level].includes(this.token)) {
      const op = this.token;
      this.next();
      const skips = (op === "||" && left !== 0n) || (op === "&&" && left === 0n);
      const right = this.dead(skips, () => this.binary(level + 1));
      left = this.isDead > 0 && right === 0n && /[/%]/.test(op) ? 0n : apply(op, left, right);
    }
    return left;
  }

  powers() {
    const base = this.unary();
    if (!this.take("**")) return base;
    this.enter();
    const value = apply("**", base, this.powers());
    this.depth--;
    return value;
  }

  unary() {
    this.enter();
    let value;
    if (this.take("-")) value = wrap(-this.unary());
    else if (this.take("+")) value = this.unary();
    else if (this.take("!")) value = this.unary() === 0n ? 1n : 0n;
    else if (this.take("~")) value = ~this.unary();
    else if (this.take("++")) value = this.step(1n, true);
    else if (this.take("--")) value = this.step(-1n, true);
    else value = this.primary();
    this.depth--;
    return value;
  }

  step(by, isFirst) {
    if (this.kind !== "name" || this.token === undefined) this.fail("operand expected");
    const name = this.token;
    this.next();
    const old = this.read(name);
    this.write(name, wrap(old + by));
    return isFirst ? wrap(old + by) : old;
  }

  primary() {
    if (this.token === undefined) this.fail("syntax error: operand expected");
    if (this.take("(")) {
      const value = this.comma();
      if (!this.take(")")) this.fail("missing `)'");
      return value;
    }
    if (this.kind === "op") this.fail("syntax error: operand expected");
    const { kind, token } = this;
    this.next();
    if (kind === "number") return numberOf(token);
    const value = this.read(token);
    if (this.take("++")) this.write(token, wrap(value + 1n));
    else if (this.take("--")) this.write(token, wrap(value - 1n));
    return value;
  }

  read(name) {
    const text = (this.vars.get(name) ?? "").trim();
    if (text === "") return 0n;
    if (/^-?\d+$/.test(text)) return text[0] === "-" ? -numberOf(text.slice(1)) : numberOf(text);
    this.enter();
    const value = evaluate(text, this.vars, this.depth);
    this.depth--;
    return value;
  }

  write(name, value) {
    if (this.isDead === 0) this.vars.set(name, `${value}`);
  }
}

function evaluate(text, vars, depth = 0) {
  if (text.trim() === "") return 0n;
  const evaluator = new Evaluator(text, vars, depth);
  const value = evaluator.comma();
  if (evaluator.token !== undefined) evaluator.fail("syntax error in expression");
  return value;
}

/** The value of `text` as a BigInt.  Throws an Error that says what is wrong. */
exports.evaluate = evaluate;
exports.compare = compare;
