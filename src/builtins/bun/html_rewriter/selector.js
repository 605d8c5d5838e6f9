// @internal
// bun:html_rewriter/selector -- CSS selectors that can be decided when an element begins.
//
// A selector is a list of alternatives, each a list of compounds { tests, isChild }: `isChild` says
// that the one before is its parent and not just any ancestor.
const { failure } = require("bun:html_rewriter/failure");

const PARTS_MAX = 64; // compounds of one alternative
const ESCAPE = "\\\\[0-9a-fA-F]{1,6}\\s?|\\\\[^\\n]";
const IDENT = new RegExp(
  `(?:-?(?:[A-Za-z_\\u0080-\\uffff]|${ESCAPE})|--)(?:[\\w\\u0080-\\uffff-]|${ESCAPE})*`, "y",
);
const OPERATOR = /[~|^$*]?=/y;
const NTH = /^\s*(?:(even|odd)|([+-]?\d*)n(?:\s*([+-])\s*(\d+))?|([+-]?\d+))\s*$/i;

/** "\31 a" is "1a". */
function unescape(text) {
  return text.replace(/\\(?:([0-9a-fA-F]{1,6})\s?|([^]))/g, (_, hex, c) =>
    hex === undefined ? c : String.fromCodePoint(Math.min(parseInt(hex, 16), 0x10ffff) || 0xfffd),
  );
}

function attributeTest(name, op, value, ignoresCase) {
  const fold = (text) => (ignoresCase ? text.toLowerCase() : text);
  const wanted = fold(value ?? "");
  return (element) => {
    const found = element.attribute(name);
    if (found === undefined || op === "") return found !== undefined;
    const text = fold(found);
    switch (op) {
      case "=":
        return text === wanted;
      case "~=":
        return wanted !== "" && text.split(/\s+/).includes(wanted);
      case "|=":
        return text === wanted || text.startsWith(`${wanted}-`);
      case "^=":
        return wanted !== "" && text.startsWith(wanted);
      case "$=":
        return wanted !== "" && text.endsWith(wanted);
    }
    return wanted !== "" && text.includes(wanted);
  };
}

/** Is `n` one of a*k + b, k from 0? */
function nthTest(text, property) {
  const match = NTH.exec(text);
  if (match === null) throw failure("Unexpected token in selector.");
  const [, word, step, sign, offset, plain] = match;
  let a = 0;
  let b = 0;
  if (word !== undefined) [a, b] = [2, word.toLowerCase() === "odd" ? 1 : 0];
  else if (plain !== undefined) b = Number(plain);
  else {
    a = step === "" || step === "+" ? 1 : step === "-" ? -1 : Number(step);
    b = offset === undefined ? 0 : Number(sign + offset);
  }
  return (element) => {
    const n = element[property] - b;
    return a === 0 ? n === 0 : n % a === 0 && n / a >= 0;
  };
}

class Parser {
  constructor(text) {
    this.text = text;
    this.pos = 0;
  }

  peek() {
    return this.text[this.pos] ?? "";
  }

  skip() {
    const from = this.pos;
    while (/\s/.test(this.peek())) this.pos++;
    return this.pos > from;
  }

  match(form) {
    form.lastIndex = this.pos;
    const match = form.exec(this.text);
    if (match !== null) this.pos = form.lastIndex;
    return match?.[0];
  }

  ident(message) {
    if (this.peek() === "") throw failure("Unexpected end of selector.");
    const text = this.match(IDENT);
    if (text === undefined) throw failure(message);
    return unescape(text);
  }

  /** All alternatives; `isInner`: of :not(), up to its bracket. */
  list(isInner = false) {
    const alternatives = [];
    do {
      alternatives.push(this.complex(isInner));
    } while (this.peek() === "," && ++this.pos);
    if (isInner ? this.peek() !== ")" : this.peek() !== "") {
      const what = this.peek() === "" ? "end of" : "token in";
      throw failure(`Unexpected ${what} selector.`);
    }
    return alternatives;
  }

  complex(isInner) {
    const compounds = [];
    let isChild = false;
    for (;;) {
      this.skip();
      const tests = this.compound();
      if (tests === undefined) {
        if (compounds.length === 0) throw failure("The selector is empty.");
        throw failure("Dangling combinator in selector.");
      }
      compounds.push({ tests, isChild });
      if (compounds.length > PARTS_MAX) throw failure("The selector is too long.");
      const hasSpace = this.skip();
      const c = this.peek();
      if (c === "+" || c === "~") throw failure(`Unsupported combinator \`${c}\` in selector.`);
      isChild = c === ">";
      if (isChild) this.pos++;
      else if (!hasSpace || c === "" || c === "," || (isInner && c === ")")) return compounds;
    }
  }

  /** Tests of one compound, or undefined: there is none. */
  compound() {
    const from = this.pos;
    const tests = [];
    if (this.peek() === "*") {
      this.pos++;
    } else {
      const name = this.match(IDENT);
      const tag = name === undefined ? undefined : unescape(name).toLowerCase();
      if (tag !== undefined) tests.push((element) => element.name === tag);
    }
    if (this.peek() === "|" && this.text[this.pos + 1] !== "=") {
      throw failure("Selectors with explicit namespaces are not supported.");
    }
    while (this.simple(tests));
    return this.pos === from ? undefined : tests;
  }

  /** One more test; false: the compound ends. */
  simple(tests) {
    switch (this.peek()) {
      case "#": {
        this.pos++;
        const id = this.ident("Unexpected token in selector.");
        tests.push(attributeTest("id", "=", id, false));
        return true;
      }
      case ".": {
        this.pos++;
        const name = this.ident("Invalid or unescaped class name in selector.");
        tests.push(attributeTest("class", "~=", name, false));
        return true;
      }
      case "[":
        tests.push(this.attribute());
        return true;
      case ":":
        tests.push(this.pseudo());
        return true;
    }
    return false;
  }

  attribute() {
    this.pos++;
    this.skip();
    const name = this.ident("Unexpected token in the attribute selector.").toLowerCase();
    this.skip();
    const op = this.match(OPERATOR) ?? "";
    let value;
    let flag = "";
    if (op !== "") {
      this.skip();
      value = this.attributeValue();
      this.skip();
      if (/[iIsS]/.test(this.peek())) flag = this.text[this.pos++].toLowerCase();
      this.skip();
    }
    if (this.peek() === "") throw failure("Unexpected end of selector.");
    if (this.peek() !== "]") throw failure("Unexpected token in the attribute selector.");
    this.pos++;
    return attributeTest(name, op, value, flag === "i");
  }

  attributeValue() {
    const quote = this.peek();
    if (quote !== '"' && quote !== "'") {
      return this.ident("Unexpected token in the attribute selector.");
    }
    const form = quote === '"' ? /"(?:[^"\\]|\\[^])*"/y : /'(?:[^'\\]|\\[^])*'/y;
    const text = this.match(form);
    if (text === undefined) throw failure("Unexpected end of selector.");
    return unescape(text.slice(1, -1));
  }

  pseudo() {
    const unsupported = () =>
      failure("Unsupported pseudo-class or pseudo-element in selector.");
    this.pos++;
    if (this.peek() === ":") throw unsupported();
    const name = this.ident("Unexpected token in selector.").toLowerCase();
    if (name === "first-child") return (element) => element.index === 1;
    if (name === "first-of-type") return (element) => element.typeIndex === 1;
    const hasArgument = ["not", "nth-child", "nth-of-type"].includes(name);
    if (this.peek() !== "(" || !hasArgument) throw unsupported();
    this.pos++;
    if (name === "not") {
      const inner = this.list(true);
      this.pos++;
      if (inner.some((each) => each.length > 1)) throw unsupported();
      return (element) => !inner.some(([{ tests }]) => tests.every((test) => test(element)));
    }
    const end = this.text.indexOf(")", this.pos);
    if (end < 0) throw failure("Unexpected end of selector.");
    const argument = this.text.slice(this.pos, end);
    this.pos = end + 1;
    return nthTest(argument, name === "nth-child" ? "index" : "typeIndex");
  }
}

/** What Matcher takes.  Throws an HTMLRewriterError. */
exports.parse = (text) => new Parser(text).list();

/**
 * Follows one alternative down the tree: `parent` is what this has returned for the parent
 * (undefined: the document).  Bit i of `here` says that compounds up to i end at this element, of
 * `above` that they end at it or an ancestor.
 */
exports.step = function step(compounds, element, parent) {
  const here = new Uint8Array(compounds.length);
  const above = new Uint8Array(compounds.length);
  for (let i = 0; i < compounds.length; i++) {
    const { tests, isChild } = compounds[i];
    const before = i === 0 || (isChild ? parent?.here[i - 1] : parent?.above[i - 1]) === 1;
    if (before && tests.every((test) => test(element))) here[i] = 1;
    above[i] = here[i] | (parent?.above[i] ?? 0);
  }
  return { here, above };
};
