// web/urlpattern/parse -- pattern strings of one component (URL Pattern Standard, sections 2 to 4):
// tokens, parts, and the regular expression and the canonical pattern that parts mean.

const kNameStart = /^[$_\p{ID_Start}]$/u;
const kNamePart = /^[$\u200c\u200d\p{ID_Continue}]$/u;
const PATTERN_MAX = 1 << 16;

// Kinds of tokens.
const OPEN = "open";
const CLOSE = "close";
const REGEXP = "regexp";
const NAME = "name";
const CHAR = "char";
const ESCAPED = "escaped-char";
const MODIFIER = "other-modifier";
const ASTERISK = "asterisk";
const END = "end";
const INVALID = "invalid-char";

// Kinds of parts.
const FIXED = 0;
const REGEXP_PART = 1;
const SEGMENT = 2;
const FULL = 3;

const FULL_REGEXP = ".*";

function fail(text) {
  throw new TypeError(`Invalid URLPattern: ${text}`);
}

/** Reads one group of a regular expression that begins behind "("; undefined: it is none. */
function readRegexp(points, at) {
  let depth = 1;
  let i = at;
  while (i < points.length) {
    const c = points[i];
    if (c.codePointAt(0) > 127 || (i === at && c === "?")) return undefined;
    if (c === "\\") {
      if (i + 1 >= points.length || points[i + 1].codePointAt(0) > 127) return undefined;
      i += 2;
      continue;
    }
    if (c === ")") {
      if (--depth === 0) return i === at ? undefined : i + 1;
    } else if (c === "(") {
      depth++;
      if (points[i + 1] !== "?") return undefined;
    }
    i++;
  }
  return undefined;
}

const SINGLE = {
  __proto__: null, "*": ASTERISK, "+": MODIFIER, "?": MODIFIER, "{": OPEN, "}": CLOSE,
};

/** Tokens { type, index, value }; with `isLenient` what is wrong is a token of its own. */
function tokenize(text, isLenient) {
  if (text.length > PATTERN_MAX) fail("it is too long");
  const points = [...text];
  const tokens = [];
  const add = (type, index, value) => tokens.push({ type, index, value });
  let i = 0;
  const invalid = (index, next) => {
    if (!isLenient) fail(`unexpected "${points[index]}" at ${index}`);
    add(INVALID, index, points.slice(index, next).join(""));
    i = next;
  };
  while (i < points.length) {
    const c = points[i];
    if (SINGLE[c] !== undefined) add(SINGLE[c], i++, c);
    else if (c === "\\") {
      if (i + 1 >= points.length) invalid(i, i + 1);
      else {
        add(ESCAPED, i, points[i + 1]);
        i += 2;
      }
    } else if (c === ":") {
      let end = i + 1;
      while (end < points.length &&
        (end === i + 1 ? kNameStart : kNamePart).test(points[end])) end++;
      if (end === i + 1) invalid(i, i + 1);
      else {
        add(NAME, i, points.slice(i + 1, end).join(""));
        i = end;
      }
    } else if (c === "(") {
      const end = readRegexp(points, i + 1);
      if (end === undefined) invalid(i, i + 1);
      else {
        add(REGEXP, i, points.slice(i + 1, end - 1).join(""));
        i = end;
      }
    } else add(CHAR, i++, c);
  }
  add(END, points.length, "");
  return tokens;
}

const escapeRegexp = (text) => text.replace(/[.+*?^${}()[\]|/\\]/g, "\\$&");
const escapePattern = (text) => text.replace(/[+*?:{}()\\]/g, "\\$&");

/** `(?:[^delimiter]+?)`, which a name without an expression of its own matches. */
const segmentRegexp = ({ delimiter }) => `[^${escapeRegexp(delimiter)}]+?`;

class Parser {
  parts = [];
  tokens;
  at = 0;
  nextKey = 0;
  pending = "";
  names = new Set();

  constructor(tokens, options, encode) {
    this.tokens = tokens;
    this.options = options;
    this.encode = encode;
    this.segment = segmentRegexp(options);
  }

  take(type) {
    const token = this.tokens[this.at];
    if (token.type !== type) return undefined;
    this.at++;
    return token;
  }

  takeModifier() {
    return this.take(MODIFIER) ?? this.take(ASTERISK);
  }

  takeWildcard(name) {
    const token = this.take(REGEXP);
    return name === undefined && token === undefined ? this.take(ASTERISK) : token;
  }

  takeText() {
    let text = "";
    for (let token = this.takeChar(); token !== undefined; token = this.takeChar()) {
      text += token.value;
    }
    return text;
  }

  takeChar() {
    return this.take(CHAR) ?? this.take(ESCAPED);
  }

  flush() {
    if (this.pending === "") return;
    const value = this.encode(this.pending);
    this.pending = "";
    this.parts.push({ type: FIXED, value, modifier: "", name: "", prefix: "", suffix: "" });
  }

  addPart(prefix, name, expression, suffix, modifierToken) {
    let modifier = modifierToken?.value ?? "";
    if (name === undefined && expression === undefined && modifier === "") {
      this.pending += prefix;
      return;
    }
    this.flush();
    if (name === undefined && expression === undefined) {
      if (prefix === "") return;
      const value = this.encode(prefix);
      this.parts.push({ type: FIXED, value, modifier, name: "", prefix: "", suffix: "" });
      return;
    }
    let value = "";
    if (expression === undefined) value = this.segment;
    else value = expression.type === ASTERISK ? FULL_REGEXP : expression.value;
    let type = REGEXP_PART;
    if (value === this.segment) type = SEGMENT;
    else if (value === FULL_REGEXP) type = FULL;
    if (type !== REGEXP_PART) value = "";
    const key = name !== undefined ? name.value : `${this.nextKey++}`;
    if (this.names.has(key)) fail(`the name "${key}" is there twice`);
    this.names.add(key);
    this.parts.push({
      type, value, modifier, name: key, prefix: this.encode(prefix), suffix: this.encode(suffix),
    });
  }

  run() {
    while (this.at < this.tokens.length) {
      const char = this.take(CHAR);
      const name = this.take(NAME);
      let expression = this.takeWildcard(name);
      if (name !== undefined || expression !== undefined) {
        let prefix = char?.value ?? "";
        if (prefix !== "" && prefix !== this.options.prefix) {
          this.pending += prefix;
          prefix = "";
        }
        this.flush();
        this.addPart(prefix, name, expression, "", this.takeModifier());
        continue;
      }
      const fixed = char ?? this.take(ESCAPED);
      if (fixed !== undefined) {
        this.pending += fixed.value;
        continue;
      }
      if (this.take(OPEN) !== undefined) {
        const prefix = this.takeText();
        const inner = this.take(NAME);
        expression = this.takeWildcard(inner);
        const suffix = this.takeText();
        if (this.take(CLOSE) === undefined) fail('a "}" is missing');
        this.addPart(prefix, inner, expression, suffix, this.takeModifier());
        continue;
      }
      this.flush();
      if (this.take(END) === undefined) fail("unexpected character");
    }
    return this.parts;
  }
}

/** Parts of a pattern string. `encode(text)` canonicalises fixed text. */
exports.parsePattern = (text, options, encode) =>
  new Parser(tokenize(text, false), options, encode).run();

/** { source, names }: the regular expression and the names of its groups. */
exports.toRegexp = function toRegexp(parts, options) {
  let source = "^";
  const names = [];
  for (const part of parts) {
    const { type, modifier } = part;
    if (type === FIXED) {
      const text = escapeRegexp(part.value);
      source += modifier === "" ? text : `(?:${text})${modifier}`;
      continue;
    }
    names.push(part.name);
    let value = part.value;
    if (type === SEGMENT) value = segmentRegexp(options);
    else if (type === FULL) value = FULL_REGEXP;
    const prefix = escapeRegexp(part.prefix);
    const suffix = escapeRegexp(part.suffix);
    if (part.prefix === "" && part.suffix === "") {
      source += modifier === "" || modifier === "?"
        ? `(${value})${modifier}` : `((?:${value})${modifier})`;
    } else if (modifier === "" || modifier === "?") {
      source += `(?:${prefix}(${value})${suffix})${modifier}`;
    } else {
      source += `(?:${prefix}((?:${value})(?:${suffix}${prefix}(?:${value}))*)${suffix})`;
      if (modifier === "*") source += "?";
    }
  }
  return { source: `${source}$`, names };
};

const isNumberName = (name) => /^[0-9]+$/.test(name);

function needsGroup(part, before, after, options) {
  const { type, suffix, prefix, modifier } = part;
  const isCustom = !isNumberName(part.name);
  let needs = suffix !== "" || (prefix !== "" && prefix !== options.prefix);
  if (!needs && isCustom && type === SEGMENT && modifier === "" && after !== undefined &&
    after.prefix === "" && after.suffix === "") {
    if (after.type === FIXED) {
      const first = [...after.value][0];
      needs = first !== undefined && kNamePart.test(first);
    } else needs = isNumberName(after.name);
  }
  if (!needs && prefix === "" && before?.type === FIXED) {
    const last = [...before.value].at(-1);
    needs = last !== undefined && last === options.prefix;
  }
  return needs;
}

/** The pattern string that parts are written as. */
exports.toPattern = function toPattern(parts, options) {
  let text = "";
  parts.forEach((part, i) => {
    const before = parts[i - 1];
    const { type, modifier } = part;
    if (type === FIXED) {
      const value = escapePattern(part.value);
      text += modifier === "" ? value : `{${value}}${modifier}`;
      return;
    }
    const isCustom = !isNumberName(part.name);
    const isGroup = needsGroup(part, before, parts[i + 1], options);
    if (isGroup) text += "{";
    text += escapePattern(part.prefix);
    if (isCustom) text += `:${part.name}`;
    if (type === REGEXP_PART) text += `(${part.value})`;
    else if (type === SEGMENT && !isCustom) text += `(${segmentRegexp(options)})`;
    else if (type === FULL) {
      const isPlain = !isCustom && (before === undefined || before.type === FIXED ||
        before.modifier !== "" || isGroup || part.prefix !== "");
      text += isPlain ? "*" : `(${FULL_REGEXP})`;
    }
    if (type === SEGMENT && isCustom && part.suffix !== "" &&
      kNamePart.test([...part.suffix][0])) text += "\\";
    text += escapePattern(part.suffix);
    if (isGroup) text += "}";
    text += modifier;
  });
  return text;
};

exports.tokenize = tokenize;
exports.escapePattern = escapePattern;
exports.hasRegexpParts = (parts) => parts.some(({ type }) => type === REGEXP_PART);
exports.kinds = { CHAR, ESCAPED, INVALID, OPEN, CLOSE, NAME, REGEXP, ASTERISK, MODIFIER, END };
