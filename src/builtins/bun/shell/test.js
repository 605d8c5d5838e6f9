// @internal
// bun:shell/test -- [[ ]], test and [: files, texts, numbers.
const { CommandError } = require("bun:shell/state");
const { UNARY, BINARY } = require("bun:shell/test_parse");

const COMPARISONS = { "-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">=" };
const ACCESS = { "-r": 4, "-w": 2, "-x": 1 };
const S_ISUID = 0o4000;
const S_ISGID = 0o2000;
const S_ISVTX = 0o1000;

function statOf(path, follows = true) {
  const fs = require("node:fs");
  const stat = follows ? fs.statSync : fs.lstatSync;
  try {
    return stat(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function canAccess(path, mode) {
  try {
    require("node:fs").accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function fileTest(op, stat) {
  switch (op) {
    case "-b":
      return stat.isBlockDevice();
    case "-c":
      return stat.isCharacterDevice();
    case "-d":
      return stat.isDirectory();
    case "-f":
      return stat.isFile();
    case "-g":
      return (stat.mode & S_ISGID) !== 0;
    case "-k":
      return (stat.mode & S_ISVTX) !== 0;
    case "-p":
      return stat.isFIFO();
    case "-s":
      return stat.size > 0;
    case "-S":
      return stat.isSocket();
    case "-u":
      return (stat.mode & S_ISUID) !== 0;
    case "-O":
      return stat.uid === process.geteuid();
    case "-G":
      return stat.gid === process.getegid();
    case "-N":
      return stat.mtimeMs > stat.atimeMs;
  }
  return true; // -a, -e
}

function unary(op, text, state) {
  switch (op) {
    case "-n":
      return text !== "";
    case "-z":
      return text === "";
    case "-v":
      return state.get(text) !== undefined;
    case "-o":
      return state.options[text] === true;
    case "-t":
      return /^\d+$/.test(text) && require("node:tty").isatty(Number(text));
  }
  if (text === "") return false;
  const path = state.resolve(text);
  if (ACCESS[op] !== undefined) return canAccess(path, ACCESS[op]);
  if (op === "-h" || op === "-L") return statOf(path, false)?.isSymbolicLink() ?? false;
  const stat = statOf(path);
  return stat !== undefined && fileTest(op, stat);
}

function compareFiles(op, left, right, state) {
  const a = statOf(state.resolve(left));
  const b = statOf(state.resolve(right));
  if (op === "-ef") return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
  if (op === "-nt") return a !== undefined && (b === undefined || a.mtimeMs > b.mtimeMs);
  return b !== undefined && (a === undefined || a.mtimeMs < b.mtimeMs);
}

/** Comparisons that need no pattern; `toNumber` says how texts are numbers. */
function binary(op, left, right, state, toNumber) {
  switch (op) {
    case "<":
      return left < right;
    case ">":
      return left > right;
    case "-ef":
    case "-nt":
    case "-ot":
      return compareFiles(op, left, right, state);
    case "=":
    case "==":
      return left === right;
    case "!=":
      return left !== right;
  }
  const { compare } = require("bun:shell/arith");
  return compare(COMPARISONS[op], toNumber(left), toNumber(right));
}

// ---- [[ ]]

async function compare(node, expander, state) {
  const left = await expander.text(node.left);
  const { op } = node;
  if (op === "=" || op === "==" || op === "!=") {
    const pattern = await expander.pattern(node.right);
    return require("bun:shell/glob").matches(pattern, left) === (op !== "!=");
  }
  const right = await expander.text(node.right);
  if (op === "=~") return matchesRegex(left, right, state);
  const { evaluate } = require("bun:shell/arith");
  return binary(op, left, right, state, (text) => evaluate(text, expander.vars()));
}

function matchesRegex(text, pattern, state) {
  let regex;
  try {
    regex = new RegExp(pattern, "u");
  } catch {
    throw new CommandError(`bun: invalid regular expression: ${pattern}\n`, 2);
  }
  const match = regex.exec(text);
  if (match !== null) state.set("BASH_REMATCH", match[0]);
  return match !== null;
}

/** The value of a tree of bun:shell/test_parse. */
async function evaluateTest(node, expander, state) {
  switch (node.type) {
    case "and":
      return (
        (await evaluateTest(node.left, expander, state)) &&
        evaluateTest(node.right, expander, state)
      );
    case "or":
      return (
        (await evaluateTest(node.left, expander, state)) ||
        evaluateTest(node.right, expander, state)
      );
    case "not":
      return !(await evaluateTest(node.body, expander, state));
    case "unary":
      return unary(node.op, await expander.text(node.word), state);
  }
  try {
    return await compare(node, expander, state);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`bun: [[: ${error.message}\n`);
  }
}

// ---- test and [

class TestArgs {
  constructor(name, args, state) {
    this.name = name;
    this.args = args;
    this.at = 0;
    this.state = state;
  }

  fail(message) {
    throw new CommandError(`${this.name}: ${message}\n`, 2);
  }

  number(text) {
    if (!/^\s*[-+]?\d+\s*$/.test(text)) this.fail(`${text}: integer expression expected`);
    return BigInt(text.trim().replace(/^\+/, ""));
  }

  or() {
    let value = this.and();
    while (this.args[this.at] === "-o") {
      this.at++;
      value = this.and() || value;
    }
    return value;
  }

  and() {
    let value = this.primary();
    while (this.args[this.at] === "-a") {
      this.at++;
      value = this.primary() && value;
    }
    return value;
  }

  primary() {
    const { args, at } = this;
    const left = args.length - at;
    if (left <= 0) this.fail("argument expected");
    const word = args[at];
    if (left >= 3 && BINARY.has(args[at + 1]) && args[at + 1] !== "=~") {
      this.at += 3;
      return binary(args[at + 1], word, args[at + 2], this.state, (text) => this.number(text));
    }
    if (word === "!" && left > 1) {
      let isNot = false;
      for (; this.args[this.at] === "!" && this.at < args.length - 1; this.at++) isNot = !isNot;
      return this.primary() !== isNot;
    }
    if (word === "(" && left > 2) return this.parenthesized();
    if (left >= 2 && UNARY.has(word)) {
      this.at += 2;
      return unary(word, args[at + 1], this.state);
    }
    this.at++;
    return word !== "";
  }

  parenthesized() {
    this.at++;
    const close = this.args.indexOf(")", this.at);
    if (close < 0) this.fail("`)' expected");
    const value = this.or();
    if (this.args[this.at] !== ")") this.fail("`)' expected");
    this.at++;
    return value;
  }
}

/** The status of `test` with these arguments. */
function testStatus(name, args, state) {
  if (args.length === 0) return 1;
  const parser = new TestArgs(name, args, state);
  const value = parser.or();
  if (parser.at < args.length) parser.fail("too many arguments");
  return value ? 0 : 1;
}

exports.evaluateTest = evaluateTest;
exports.testStatus = testStatus;
