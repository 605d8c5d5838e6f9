// internal/inspect/highlight -- colours for a line of source in an error report.
//
// Words, numbers, strings and comments are told apart by their first characters; nothing is parsed.
// A line that is not plain ASCII, or very long, stays as it is.

const k = require("internal/inspect/slots");
const { slice, regexpExec, startsWith } = k;

const indexOf = k.uncurry(String.prototype.indexOf);

const RESET = "\x1b[0m";
const BOLD = "\x1b[1m";
const DIM = "\x1b[2m";
const ITALIC = "\x1b[3m";
const RED = "\x1b[31m";
const GREEN = "\x1b[32m";
const YELLOW = "\x1b[33m";
const BLUE = "\x1b[34m";
const MAGENTA = "\x1b[35m";

const LENGTH_MAX = 2048;
const NESTING_MAX = 20;

const KEYWORDS = { __proto__: null, delete: RED };
const GROUPS = [
  [
    MAGENTA,
    "async await case catch class const continue debugger default do else break export " +
      "extends finally for function if import in instanceof let new package return static super " +
      "switch throw try typeof var void while with yield",
  ],
  [YELLOW, "undefined false null this true"],
  [
    BLUE,
    "abstract as enum implements interface private protected public type string number " +
      "boolean symbol any object unknown never namespace declare readonly",
  ],
];
for (let i = 0; i < GROUPS.length; i++) {
  const { 0: color, 1: words } = GROUPS[i];
  for (let i = 0, all = words.split(" "); i < all.length; i++) {
    const word = all[i];
    KEYWORDS[word] = color;
  }
}

// After these a name is that of a type.
const DECLARES = {
  __proto__: null,
  abstract: true,
  namespace: true,
  declare: true,
  type: true,
  interface: true,
};

/** A colour that only resets. */
const PLAIN = " ";

const paint = (color, text) => `${RESET}${color === PLAIN ? "" : color}${text}${RESET}`;

const WORD = /^[A-Za-z_$][\w$]*/;
const NUMBER = /^(?:0x[\da-fA-F_n]*|\d[\d._eExXbBoOn]*)/;
const METHOD = /^\.[A-Za-z_$#][\w$]*(?=\()/;

class Highlighter {
  constructor(text, nesting) {
    this.text = text;
    this.at = 0;
    this.out = "";
    this.previous = ""; // keyword that the next word depends on
    this.nesting = nesting;
  }

  rest() {
    return slice(this.text, this.at);
  }

  take(text, color) {
    this.out += color === "" ? text : paint(color, text);
    this.at += text.length;
  }

  run() {
    while (this.at < this.text.length) this.step(this.text[this.at]);
    return this.out;
  }

  step(c) {
    const rest = this.rest();
    const word = regexpExec(WORD, rest);
    if (word !== null) {
      this.word(word[0]);
      return;
    }
    const isBrace = c === "{" || c === "}";
    if (STOPS[c] === true && !(isBrace && this.previous === "import")) {
      this.previous = "";
    }
    if (c >= "0" && c <= "9") this.take(regexpExec(NUMBER, rest)[0], YELLOW);
    else if (c === '"' || c === "'") this.take(stringEnd(rest, c), GREEN);
    else if (c === "`") this.template();
    else if (c === "/") this.slash(rest);
    else if (c === ";") this.take(c, DIM);
    else if (c === ".") this.dot(rest);
    else if (c === "<") this.take(c, PLAIN);
    else this.take(c, "");
  }

  word(word) {
    const color = KEYWORDS[word];
    if (color !== undefined) {
      if (word !== "as") this.previous = word;
      this.take(word, color);
      return;
    }
    const { previous } = this;
    if (previous === "new") {
      this.previous = "";
      const isCalled = this.text[this.at + word.length] === "(";
      this.take(word, isCalled ? BOLD : "");
    } else if (DECLARES[previous] === true) {
      this.previous = "";
      this.take(word, BOLD + BLUE);
    } else if (previous === "import" && word === "from") {
      this.previous = "";
      this.take(word, MAGENTA);
    } else this.take(word, "");
  }

  /** A template: the text between the substitutions in green, these as code. */
  template() {
    let rest = this.rest();
    let i = 1;
    while (i < rest.length && rest[i] !== "`") {
      if (rest[i] === "$" && rest[i + 1] === "{") {
        const end = substitutionEnd(rest, i + 2);
        this.out += `${paint(GREEN, slice(rest, 0, i))}\${`;
        this.out += highlightCode(slice(rest, i + 2, end), this.nesting + 1);
        if (end < rest.length) this.out += "}";
        this.at += end < rest.length ? end + 1 : rest.length;
        rest = this.rest();
        i = 0;
        if (rest[0] === "`") {
          this.take("`", GREEN);
          return;
        }
        continue;
      }
      if (i + 1 < rest.length && rest[i] === "\\") i++;
      i++;
    }
    this.take(slice(rest, 0, i + 1), GREEN);
  }

  slash(rest) {
    if (startsWith(rest, "//")) {
      this.take(rest, DIM);
      return;
    }
    const end = startsWith(rest, "/*") ? indexOf(slice(rest, 2), "*/") : -1;
    // A comment that ends with the line is not seen as one.
    if (end >= 0 && end + 4 < rest.length) this.take(slice(rest, 0, end + 4), DIM);
    else this.take("/", "");
  }

  dot(rest) {
    const method = regexpExec(METHOD, rest);
    if (method !== null) this.take(method[0], ITALIC + BOLD);
    else this.take(".", "");
  }
}

// Characters after which a keyword no longer counts.
const STOPS = { __proto__: null };
for (const c of "0123456789`\"'/{}[];.<") STOPS[c] = true;

function stringEnd(rest, quote) {
  let i = 1;
  while (i < rest.length && rest[i] !== quote) {
    if (i + 1 < rest.length && rest[i] === "\\") i++;
    i++;
  }
  return slice(rest, 0, i + 1);
}

function substitutionEnd(rest, from) {
  let i = from;
  while (i < rest.length && rest[i] !== "}") i += rest[i] === "\\" ? 2 : 1;
  return i < rest.length ? i : rest.length;
}

function highlightCode(text, nesting) {
  return nesting > NESTING_MAX ? text : new Highlighter(text, nesting).run();
}

/** @param {string} text One line. */
exports.highlight = (text) => {
  if (text.length > LENGTH_MAX || regexpExec(/[^\0-\x7f]/, text) !== null) return text;
  return highlightCode(text, 0);
};
