// @internal
// bun:shell/words -- the text of a script as characters, and the words in it: quotes, escapes,
// expansions.  bun:shell/parse builds commands on it.
//
// A script comes as { text, values }: wherever a value of the template stands, `text` has a NUL and
// `values` has it under that position, as { text } (a string, taken literally) or { object }.
//
// A word is { parts, at, hasBrace } with parts of these types, most of them also `quoted`:
//   text { text }   tilde   object { value }   var { name, op, word, offset, length }
//   cmd { body }    arith { parts }
const NESTING_MAX = 200;
const BLANK = /[ \t\r]/;
const NAME_START = /[A-Za-z_]/;
const NAME_CHAR = /[A-Za-z0-9_]/;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const PLAIN = /[\w./:%^=,-]+/y; // characters that are never special in a word
const SPECIAL = "?#@*$!-";
const VALUE = "\0";
const EXTGLOB = "?*+@!";
const ESCAPED_IN_QUOTES = '$`"\\\n';
const OPERATORS = [
  ":-", ":=", ":?", ":+", "##", "%%", "//", "^^", ",,", "-", "=", "?", "+", "#", "%", "/", "^", ",",
  ":",
];
const TILDE_END = /[ \t\r\n/;|&<>()]/;

/** { line, column } of a position, from 1. */
function placeOf(text, at) {
  const before = text.slice(0, at);
  return {
    line: before.split("\n").length,
    column: at - before.lastIndexOf("\n"),
  };
}

/** What programs get: an Error with the message of Bun, and where (`position`). */
function syntaxError(source, at, message) {
  const error = new Error(message);
  const position = placeOf(source.text, at);
  Object.defineProperty(error, "position", { value: position, configurable: true });
  return error;
}

class Words {
  /** @param {{ text: string, values: Map<number, object> }} source */
  constructor(source) {
    this.source = source;
    this.text = source.text;
    this.pos = 0;
    this.end = this.text.length;
    this.depth = 0;
    this.inBackticks = 0;
    this.inTest = false; // [[ ]]: brackets and comparisons end words
  }

  fail(message, at = this.pos) {
    throw syntaxError(this.source, at, message);
  }

  enter() {
    if (++this.depth > NESTING_MAX) this.fail("The script is nested too deeply");
  }

  leave() {
    this.depth--;
  }

  /** The character at an offset from here; "" at the end. */
  peek(offset = 0) {
    const at = this.pos + offset;
    return at < this.end ? this.text[at] : "";
  }

  startsWith(text) {
    return this.pos + text.length <= this.end && this.text.startsWith(text, this.pos);
  }

  skipBlanks() {
    for (;;) {
      const c = this.peek();
      if (c !== "" && BLANK.test(c)) this.pos++;
      else if (c === "\\" && this.peek(1) === "\n") this.pos += 2;
      else return;
    }
  }

  /** Does a word end here? */
  isWordEnd() {
    const c = this.peek();
    switch (c) {
      case "":
      case " ":
      case "\t":
      case "\r":
      case "\n":
      case ";":
      case "|":
      case "&":
      case "<":
      case ">":
      case "(":
      case ")":
        return true;
      case "`":
        return this.inBackticks > 0;
    }
    return false;
  }

  /** The word that begins here; undefined when there is none. */
  word() {
    const word = { parts: [], at: this.pos, hasBrace: false, from: this.pos, to: 0 };
    if (this.peek() === "~") this.tilde(word);
    while (!this.isWordEnd()) if (!this.plainRun(word)) this.part(word);
    word.to = this.pos;
    return word.to === word.from ? undefined : word;
  }

  /** Plain characters in one go; false: there are none here. */
  plainRun(word) {
    PLAIN.lastIndex = this.pos;
    if (!PLAIN.test(this.text)) return false;
    const to = Math.min(PLAIN.lastIndex, this.end);
    this.addText(word, this.text.slice(this.pos, to), false);
    this.pos = to;
    return true;
  }

  tilde(word) {
    const next = this.peek(1);
    const ends = next === "" || TILDE_END.test(next) || (next === "`" && this.inBackticks > 0);
    if (!ends) return;
    this.pos++;
    word.parts.push({ type: "tilde" });
  }

  /** One piece of a word outside of double quotes. */
  part(word) {
    const c = this.peek();
    switch (c) {
      case "'":
        return this.singleQuoted(word);
      case '"':
        return this.doubleQuoted(word);
      case "\\":
        return this.escape(word);
      case "$":
        return this.dollar(word, false);
      case "`":
        return this.backticks(word, false);
      case VALUE:
        if (this.source.values.has(this.pos)) return this.value(word, false);
    }
    if (EXTGLOB.includes(c) && this.peek(1) === "(" && !this.inTest) return this.extGlob(word);
    if (c === "{") word.hasBrace = true;
    this.pos++;
    this.addText(word, c, false);
  }

  addText(word, text, quoted) {
    const last = word.parts.at(-1);
    if (last?.type === "text" && last.quoted === quoted) last.text += text;
    else word.parts.push({ type: "text", text, quoted });
  }

  escape(word) {
    const next = this.peek(1);
    if (next === "\n") {
      this.pos += 2;
      return;
    }
    const isValue = next === VALUE && this.source.values.has(this.pos + 1);
    if (next === "" || isValue) {
      this.pos++;
      this.addText(word, "\\", true);
      return;
    }
    this.pos += 2;
    this.addText(word, next, true);
  }

  /** `!(a|b)` and the like: the whole of it is pattern text. */
  extGlob(word) {
    let level = 0;
    do {
      const c = this.peek();
      if (c === "") this.fail("Unclosed pattern");
      if (c === "(") level++;
      if (c === ")") level--;
      if ("()|".includes(c)) {
        this.pos++;
        this.addText(word, c, false);
      } else {
        this.partInside(word);
      }
    } while (level > 0 || this.peek(-1) !== ")");
  }

  partInside(word) {
    const before = this.pos;
    if (this.isWordEnd()) {
      this.addText(word, this.peek(), false);
      this.pos++;
      return;
    }
    const c = this.peek();
    if (EXTGLOB.includes(c) && this.peek(1) === "(") {
      this.addText(word, c, false);
      this.pos++;
    } else {
      this.part(word);
    }
    if (this.pos === before) this.pos++;
  }

  singleQuoted(word) {
    this.pos++;
    let text = "";
    while (this.pos < this.end && this.peek() !== "'") {
      const value = this.peek() === VALUE ? this.source.values.get(this.pos) : undefined;
      if (value !== undefined && value.text === undefined) {
        this.fail("JS object reference not allowed in single quotes");
      }
      text += value === undefined ? this.peek() : value.text;
      this.pos++;
    }
    this.pos++; // a quote that is never closed goes to the end, as in Bun
    if (this.pos > this.end) this.pos = this.end;
    this.addText(word, text, true);
  }

  doubleQuoted(word) {
    this.pos++;
    this.addText(word, "", true);
    while (this.pos < this.end && this.peek() !== '"') this.quotedPart(word);
    if (this.pos < this.end) this.pos++;
  }

  /** One piece inside double quotes or a here-document. */
  quotedPart(word, isHere = false) {
    const c = this.peek();
    if (c === "\\") {
      const next = this.peek(1);
      if (next === "\n") {
        this.pos += 2;
      } else if (next !== "" && ESCAPED_IN_QUOTES.includes(next) && !(isHere && next === '"')) {
        this.pos += 2;
        this.addText(word, next, true);
      } else {
        this.pos++;
        this.addText(word, "\\", true);
      }
      return;
    }
    if (c === "$") return this.dollar(word, true);
    if (c === "`") return this.backticks(word, true);
    if (c === VALUE && this.source.values.has(this.pos)) return this.value(word, true);
    this.pos++;
    this.addText(word, c, true);
  }

  /** A value of the template. */
  value(word, quoted) {
    const value = this.source.values.get(this.pos);
    if (value.object !== undefined && !(quoted && value.text !== undefined)) {
      if (quoted) this.fail("JS object reference not allowed in double quotes");
      word.parts.push({ type: "object", value: value.object });
    } else {
      this.addText(word, value.text, true);
    }
    this.pos++;
  }

  // ---- Expansions

  dollar(word, quoted) {
    const next = this.peek(1);
    if (next === "(") {
      if (this.peek(2) === "(" && this.arithmetic(word, quoted)) return;
      return this.substitution(word, quoted);
    }
    if (next === "{") return this.braced(word, quoted);
    if (next === "'" && !quoted) return this.ansiQuoted(word);
    const name = this.nameAt(this.pos + 1);
    if (name === "") {
      this.pos++;
      this.addText(word, "$", true);
      return;
    }
    this.pos += 1 + name.length;
    word.parts.push({ type: "var", name, quoted, op: "" });
  }

  /** What `$` can be followed by: a name, one digit, one of the special ones; "" if none. */
  nameAt(at) {
    const c = at < this.end ? this.text[at] : "";
    if (c === "") return "";
    if (NAME_START.test(c)) {
      NAME.lastIndex = at;
      return NAME.exec(this.text)[0].slice(0, this.end - at);
    }
    if (c >= "0" && c <= "9") return c;
    return "?#@*$".includes(c) ? c : "";
  }

  /** $'a\nb' */
  ansiQuoted(word) {
    let at = this.pos + 2;
    while (at < this.end && this.text[at] !== "'") at += this.text[at] === "\\" ? 2 : 1;
    const { unescape } = require("bun:shell/escapes");
    this.addText(word, unescape(this.text.slice(this.pos + 2, Math.min(at, this.end))).text, true);
    this.pos = Math.min(at + 1, this.end);
  }

  substitution(word, quoted) {
    const start = this.pos;
    this.pos += 2;
    const inTest = this.inTest;
    const inBackticks = this.inBackticks;
    this.inTest = false;
    this.inBackticks = 0;
    const body = this.listUntil(")", "Unclosed command substitution", start);
    this.inTest = inTest;
    this.inBackticks = inBackticks;
    word.parts.push({ type: "cmd", body, quoted });
  }

  backticks(word, quoted) {
    const start = this.pos++;
    const inTest = this.inTest;
    this.inTest = false;
    this.inBackticks++;
    const body = this.listUntil("`", "Unclosed command substitution", start);
    this.inBackticks--;
    this.inTest = inTest;
    word.parts.push({ type: "cmd", body, quoted });
  }

  /** $((...)); false when it is a substitution that begins with a subshell. */
  arithmetic(word, quoted) {
    let level = 2;
    let at = this.pos + 3;
    for (; at < this.end && level > 0; at++) {
      if (this.text[at] === "(") level++;
      if (this.text[at] === ")") level--;
      if (level === 1 && this.text[at + 1] !== ")") return false;
    }
    if (level > 0) return false;
    const end = this.end;
    this.enter();
    this.pos += 3;
    this.end = at - 2;
    const inner = { parts: [] };
    while (this.pos < this.end) this.quotedPart(inner);
    this.end = end;
    this.pos = at;
    this.leave();
    word.parts.push({ type: "arith", parts: inner.parts, quoted });
    return true;
  }

  /** ${...} */
  braced(word, quoted) {
    const start = this.pos;
    this.enter();
    this.pos += 2;
    const part = { type: "var", name: "", quoted, op: "" };
    if (this.peek() === "#" && this.peek(1) !== "}") {
      this.pos++;
      part.op = "length";
    }
    part.name = this.bracedName();
    if (part.name === "") this.fail("Bad substitution", start);
    if (part.op === "" && this.peek() !== "}") this.operator(part, start);
    if (this.peek() !== "}") this.fail("Bad substitution", start);
    this.pos++;
    this.leave();
    word.parts.push(part);
  }

  bracedName() {
    let at = this.pos;
    const c = this.peek();
    if (c !== "" && SPECIAL.includes(c)) at++;
    else if (c >= "0" && c <= "9") while (/[0-9]/.test(this.text[at] ?? "")) at++;
    else if (c !== "" && NAME_START.test(c)) while (NAME_CHAR.test(this.text[at] ?? "")) at++;
    at = Math.min(at, this.end);
    const name = this.text.slice(this.pos, at);
    this.pos = at;
    return name;
  }

  operator(part, start) {
    const op = OPERATORS.find((each) => this.startsWith(each));
    if (op === undefined) this.fail("Bad substitution", start);
    this.pos += op.length;
    part.op = op;
    part.word = this.wordUntil(op[0] === "/" ? "/" : op === ":" ? ":" : "", part.quoted, start);
    if ((op[0] === "/" || op === ":") && this.peek() === op[0]) {
      this.pos++;
      part.second = this.wordUntil("", part.quoted, start);
    }
  }

  /** The operand of an operator in ${...}: up to "}" or `stop`. */
  wordUntil(stop, quoted, start) {
    const word = { parts: [], at: this.pos, hasBrace: false };
    while (this.peek() !== "}" && (stop === "" || this.peek() !== stop)) {
      if (this.pos >= this.end) this.fail("Bad substitution", start);
      if (quoted && this.peek() !== '"' && this.peek() !== "'") this.quotedPart(word);
      else this.partInside(word);
    }
    return word;
  }
}

exports.Words = Words;
exports.syntaxError = syntaxError;
