// @internal
// bun:shell/parse -- from the text of a script to a tree of commands.
//
// Nodes, by `type`:
//   list { items }                 and, or { left, right }        not { body }
//   pipe { stages }                simple { assigns, words, redirects, at }
//   subshell, group { body, redirects }                            if { clauses, otherwise }
//   while { cond, body, isUntil }  for { name, words, body }      case { word, arms }
//   function { name, body }        test { expr }
// A redirect is { fd, op, word, at }; `op` is the operator, "here" for a here-document or -string.
// The compound ones have `redirects`, too.  Words: bun:shell/words.
const { Words } = require("bun:shell/words");

const CLOSERS = new Set(["then", "else", "elif", "fi", "do", "done", "esac", "}"]);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const KEYWORD_STARTS = "cdefituw!{}[";
const KEYWORD = /\[\[|[!{}]|[a-z]+/y;
const REDIRECTS = ["<<<", "<<-", "<<", "<>", "<&", "<", ">>", ">&", ">|", ">"];
const END = "Eof";

class Parser extends Words {
  #heres = []; // here-documents whose text begins on the next line

  /** The whole script. */
  script() {
    const list = this.list();
    if (this.peek() === ")") this.fail("Unexpected ')'");
    if (this.pos < this.end) this.fail(`Unexpected token: \`${this.found()}\``);
    this.readHeres();
    return list;
  }

  // ---- Separators

  /** Blanks and comments. */
  skipSpace() {
    this.skipBlanks();
    if (this.peek() !== "#") return;
    while (this.pos < this.end && this.peek() !== "\n") this.pos++;
  }

  skipLines() {
    for (;;) {
      this.skipSpace();
      if (this.peek() !== "\n") return;
      this.pos++;
      this.readHeres();
    }
  }

  /** Separators of commands. */
  skipSeparators() {
    for (;;) {
      this.skipLines();
      if (this.peek() !== ";" || this.startsWith(";;")) return;
      this.pos++;
    }
  }

  /** What is here, for messages. */
  found() {
    this.skipSpace();
    const c = this.peek();
    return c === "" ? END : (this.keyword() ?? c);
  }

  /** A word that may be a keyword and begins here, else undefined. */
  keyword() {
    const c = this.peek();
    if (c === "" || !KEYWORD_STARTS.includes(c)) return undefined;
    KEYWORD.lastIndex = this.pos;
    const match = KEYWORD.exec(this.text);
    if (match === null || KEYWORD.lastIndex > this.end) return undefined;
    const from = this.pos;
    this.pos = KEYWORD.lastIndex;
    const ends = this.isWordEnd();
    this.pos = from;
    return ends ? match[0] : undefined;
  }

  take(keyword) {
    this.skipSpace();
    if (this.keyword() !== keyword) return false;
    this.pos += keyword.length;
    return true;
  }

  expect(keyword, shown = `"${keyword}"`) {
    this.skipSeparators();
    if (!this.take(keyword)) this.fail(`Expected ${shown} but got: ${this.found()}`);
  }

  // ---- Lists

  /** Commands up to something that closes a block. */
  list() {
    this.enter();
    const items = [];
    for (;;) {
      this.skipSeparators();
      if (this.atListEnd()) break;
      items.push(this.andOr());
      this.skipSpace();
      if (this.peek() === "&" && this.peek(1) !== "&") {
        this.fail('Background commands "&" are not supported yet.');
      }
      const c = this.peek();
      if (c === "(") this.fail("Unexpected token: `(`");
      if (c !== ";" && c !== "\n" && !this.atListEnd()) break;
    }
    this.leave();
    return { type: "list", items };
  }

  atListEnd() {
    const c = this.peek();
    if (c === "" || c === ")" || (c === "`" && this.inBackticks > 0)) return true;
    return this.startsWith(";;") || CLOSERS.has(this.keyword());
  }

  /** What a substitution or subshell holds; `closer` ends it. */
  listUntil(closer, message, start) {
    const list = this.list();
    if (this.peek() !== closer) {
      if (this.pos < this.end) this.fail(`Unexpected token: \`${this.peek()}\``);
      this.fail(message, start);
    }
    this.pos++;
    return list;
  }

  andOr() {
    let left = this.pipeline();
    for (;;) {
      this.skipSpace();
      const type = this.startsWith("&&") ? "and" : this.startsWith("||") ? "or" : undefined;
      if (type === undefined) return left;
      this.pos += 2;
      this.skipLines();
      left = { type, left, right: this.pipeline() };
    }
  }

  pipeline() {
    this.skipSpace();
    if (this.keyword() === "!") {
      this.pos++;
      this.enter();
      const node = { type: "not", body: this.pipeline() };
      this.leave();
      return node;
    }
    const stages = [this.command()];
    for (;;) {
      this.skipSpace();
      if (this.peek() !== "|" || this.peek(1) === "|") break;
      const hasErrors = this.peek(1) === "&";
      if (hasErrors) stages.push(this.withErrors(stages.pop()));
      this.pos += hasErrors ? 2 : 1;
      this.skipLines();
      stages.push(this.command());
    }
    return stages.length === 1 ? stages[0] : { type: "pipe", stages };
  }

  /** `|&`: as if "2>&1" stood behind the command. */
  withErrors(node) {
    const word = { parts: [{ type: "text", text: "1", quoted: false }], at: this.pos };
    const redirects = [...(node.redirects ?? []), { fd: 2, op: ">&", word, at: this.pos }];
    return { ...node, redirects };
  }

  // ---- Commands

  command() {
    this.skipSpace();
    const c = this.peek();
    if (c === "") this.fail("Unexpected EOF");
    if (c === "(") return this.redirected(this.subshell());
    const keyword = this.keyword();
    switch (keyword) {
      case "{":
        return this.redirected(this.group());
      case "if":
        return this.redirected(this.ifClause());
      case "while":
      case "until":
        return this.redirected(this.whileClause(keyword));
      case "for":
        return this.redirected(this.forClause());
      case "case":
        return this.redirected(this.caseClause());
      case "function":
        return this.functionClause();
      case "[[":
        return this.redirected(this.test());
    }
    return this.simple();
  }

  redirected(node) {
    node.redirects = [];
    for (;;) {
      this.skipSpace();
      const redirect = this.redirect();
      if (redirect === undefined) return node;
      node.redirects.push(redirect);
    }
  }

  subshell() {
    const start = this.pos++;
    return { type: "subshell", body: this.listUntil(")", "Unclosed subshell", start) };
  }

  group() {
    this.pos++;
    const body = this.list();
    this.expect("}", '"}"');
    return { type: "group", body };
  }

  ifClause() {
    const clauses = [];
    let otherwise = null;
    this.pos += 2;
    do {
      const cond = this.list();
      this.expect("then");
      clauses.push({ cond, body: this.list() });
      this.skipSeparators();
    } while (this.take("elif"));
    if (this.take("else")) otherwise = this.list();
    this.expect("fi", otherwise === null ? '"else", "elif", or "fi"' : '"fi"');
    return { type: "if", clauses, otherwise };
  }

  doBody() {
    this.expect("do");
    const body = this.list();
    this.expect("done");
    return body;
  }

  whileClause(keyword) {
    this.pos += keyword.length;
    const cond = this.list();
    return { type: "while", cond, isUntil: keyword === "until", body: this.doBody() };
  }

  forClause() {
    this.pos += 3;
    const name = this.plainWord("a name");
    if (!NAME.test(name)) this.fail(`Expected a name but got: ${name}`);
    let words = null;
    this.skipLines();
    if (this.take("in")) words = this.words();
    return { type: "for", name, words, body: this.doBody() };
  }

  words() {
    const words = [];
    for (;;) {
      this.skipSpace();
      const word = this.word();
      if (word === undefined) return words;
      words.push(word);
    }
  }

  /** A word that is only plain text. */
  plainWord(what) {
    this.skipSpace();
    const at = this.pos;
    const word = this.word();
    const isPlain = word?.parts.length === 1 && word.parts[0].type === "text";
    if (!isPlain) this.fail(`Expected ${what} but got: ${this.found()}`, at);
    return word.parts[0].text;
  }

  caseClause() {
    this.pos += 4;
    this.skipSpace();
    const word = this.word();
    if (word === undefined) this.fail(`Expected a word but got: ${this.found()}`);
    this.skipLines();
    this.expect("in");
    const arms = [];
    for (;;) {
      this.skipLines();
      if (this.take("esac")) return { type: "case", word, arms };
      arms.push(this.arm());
    }
  }

  arm() {
    if (this.peek() === "(") this.pos++;
    const patterns = [];
    do {
      this.skipSpace();
      const pattern = this.word();
      if (pattern === undefined) this.fail(`Expected a pattern but got: ${this.found()}`);
      patterns.push(pattern);
      this.skipSpace();
    } while (this.peek() === "|" && ++this.pos);
    if (this.peek() !== ")") this.fail(`Expected ")" but got: ${this.found()}`);
    this.pos++;
    const body = this.list();
    this.skipLines();
    if (this.startsWith(";;")) this.pos += 2;
    else if (this.keyword() !== "esac") this.fail(`Expected ";;" but got: ${this.found()}`);
    return { patterns, body };
  }

  functionClause() {
    this.pos += 8;
    const name = this.plainWord("a name");
    this.skipSpace();
    if (this.peek() === "(") this.parens();
    return this.functionBody(name);
  }

  parens() {
    this.pos++;
    this.skipSpace();
    if (this.peek() !== ")") this.fail("Unexpected token: `(`", this.pos - 1);
    this.pos++;
  }

  functionBody(name) {
    this.skipLines();
    this.enter();
    const body = this.command();
    this.leave();
    return { type: "function", name, body };
  }

  test() {
    const { parseTest } = require("bun:shell/test_parse");
    this.pos += 2;
    this.inTest = true;
    const expr = parseTest(this);
    this.inTest = false;
    return { type: "test", expr };
  }

  // ---- Simple commands

  simple() {
    const node = { type: "simple", assigns: [], words: [], redirects: [], at: this.pos };
    for (;;) {
      this.skipSpace();
      const redirect = this.redirect();
      if (redirect !== undefined) {
        node.redirects.push(redirect);
        continue;
      }
      if (this.peek() === "(" && this.isFunction(node)) {
        this.parens();
        return this.functionBody(node.words[0].parts[0].text);
      }
      if (node.assigns.length > 0 && node.words.length === 0 && this.keyword() === "[[") {
        return { type: "list", items: [node, this.redirected(this.test())] };
      }
      const word = this.word();
      if (word === undefined) break;
      const assign = node.words.length === 0 ? this.assignment(word) : undefined;
      if (assign !== undefined) node.assigns.push(assign);
      else node.words.push(word);
    }
    if (this.pos === node.at) this.failNoCommand();
    if (this.peek() === "(") this.fail("Unexpected token: `(`");
    return node;
  }

  isFunction(node) {
    const [word] = node.words;
    if (node.words.length !== 1 || node.assigns.length > 0 || word.parts.length !== 1) return false;
    const [part] = word.parts;
    const isName = part.type === "text" && !part.quoted && /^[\w.:-]+$/.test(part.text);
    return isName && /^\(\s*\)/.test(this.text.slice(this.pos, this.pos + 32));
  }

  failNoCommand() {
    const c = this.peek();
    if (c === ")") this.fail("Unexpected ')'");
    const names = { "|": "Pipe", "&": "Ampersand", ";": "Semicolon", "<": "Redirect" };
    let name = names[c] ?? c;
    if (this.startsWith("||")) name = "DoublePipe";
    if (this.startsWith("&&")) name = "DoubleAmpersand";
    this.fail(`expected a command or assignment but got: "${name}"`);
  }

  /** `word` as NAME=value, or undefined. */
  assignment(word) {
    const [first, ...rest] = word.parts;
    if (first?.type !== "text" || first.quoted) return undefined;
    const match = ASSIGNMENT.exec(first.text);
    if (match === null) return undefined;
    const isAppend = match[0].endsWith("+=");
    const name = match[0].slice(0, isAppend ? -2 : -1);
    const value = first.text.slice(match[0].length);
    const parts = rest;
    if (value !== "") parts.unshift({ ...first, text: value });
    if (parts[0]?.type === "text" && !parts[0].quoted && /^~(?:\/|$)/.test(parts[0].text)) {
      const text = parts[0].text.slice(1);
      if (text !== "" || parts.length === 1) {
        parts.splice(0, 1, { type: "tilde" }, { type: "text", text, quoted: false });
      }
    }
    return { name, isAppend, value: { parts, at: word.at, hasBrace: false } };
  }

  // ---- Redirections

  redirect() {
    const start = this.pos;
    const c = this.peek();
    const next = this.peek(1);
    const hasDigit = c >= "0" && c <= "9" && (next === "<" || next === ">");
    if (!hasDigit && c !== "<" && c !== ">" && c !== "&") return undefined;
    if (this.startsWith("&>")) {
      const op = this.startsWith("&>>") ? "&>>" : "&>";
      this.pos += op.length;
      return { fd: 1, op, word: this.target(start), at: start };
    }
    if (hasDigit) this.pos++;
    const op = REDIRECTS.find((each) => this.startsWith(each));
    if (op === undefined) return undefined;
    this.pos += op.length;
    const fd = hasDigit ? Number(c) : op[0] === "<" ? 0 : 1;
    if (op === "<<" || op === "<<-") return this.here(fd, op === "<<-", start);
    if (op === "<<<") {
      const word = this.target(start);
      const parts = [...word.parts, { type: "text", text: "\n", quoted: true }];
      return { fd, op: "here", word: { ...word, parts }, at: start };
    }
    const node = { fd, op, word: this.target(start), at: start };
    // ">& file" is "&> file"; with a number it copies a descriptor.
    if (op === ">&" && !hasDigit && !/^(?:\d|-)$/.test(this.plainText(node.word))) {
      node.op = "&>";
    }
    return node;
  }

  plainText(word) {
    return word.parts.length === 1 && word.parts[0].type === "text" ? word.parts[0].text : "";
  }

  target(start) {
    this.skipBlanks();
    const word = this.word();
    if (word === undefined) this.fail("Redirection with no file", start);
    return word;
  }

  here(fd, stripsTabs, start) {
    const mark = this.target(start);
    let text = "";
    for (const part of mark.parts) {
      if (part.type !== "text") this.fail("The end of a here-document must be plain text", start);
      text += part.text;
    }
    const isPlain = mark.parts.some((part) => part.quoted);
    const node = { fd, op: "here", word: { parts: [], at: start }, at: start };
    this.#heres.push({ node, text, isPlain, stripsTabs });
    return node;
  }

  /** The texts of here-documents, which begin where a line has ended. */
  readHeres() {
    const heres = this.#heres;
    this.#heres = [];
    for (const here of heres) this.readHere(here);
  }

  readHere({ node, text, isPlain, stripsTabs }) {
    const { end, word } = { end: this.end, word: node.word };
    for (;;) {
      if (this.pos >= end) return;
      let from = this.pos;
      let to = this.text.indexOf("\n", from);
      if (to < 0 || to > end) to = end;
      while (stripsTabs && from < to && this.text[from] === "\t") from++;
      const next = Math.min(to + 1, end);
      if (this.text.slice(from, to) === text) {
        this.pos = next;
        return;
      }
      this.pos = from;
      this.end = next;
      if (isPlain) this.addText(word, this.text.slice(from, next), true);
      else while (this.pos < this.end) this.quotedPart(word, true);
      this.end = end;
      this.pos = Math.max(this.pos, next);
    }
  }
}

/** The tree of { text, values }.  Throws what bun:shell/words makes. */
exports.parse = function parse(source) {
  return new Parser(source).script();
};
