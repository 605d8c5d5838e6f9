// @internal
// bun:html_rewriter/tokenizer -- HTML as tokens, piece by piece (WHATWG HTML, 13.2.5, of which it
// does what can be done without a tree).
//
// Tokens, each with `raw`, the text that it was: start { name, attributes, selfClosing }, end
// { name }, text { text, isLast }, comment { text }, doctype { name, publicId, systemId }, other:
// what only goes through.  A text comes in as many pieces as the input, and ends with an empty one.
const { failure } = require("bun:html_rewriter/failure");

const PENDING_MAX = 4 * 1024 * 1024; // of a token that does not end
const NAME = /[^\s/>]+/y;
const SPACE = /[\s/]*/y;
const ATTRIBUTE = /[^\s/>][^\s/>=]*/y;
const EQUALS = /\s*=\s*/y;
/** A whole tag, behind its "<" or "</", as most are written. */
const SIMPLE = new RegExp(
  `([^\\s/>]+)(?:\\s+[^\\s"'>/=]+(?:=(?:"[^"]*"|'[^']*'|[^\\s"'=<>/]+))?)*\\s*/?>`, "y",
);
const UNQUOTED = /[^\s>]+/y;
const QUOTED = `(?:"([^"]*)"|'([^']*)')?`;
const DOCTYPE = new RegExp(
  `^<!doctype\\s*([^\\s>"']*)\\s*(?:(public|system)\\s*${QUOTED}\\s*${QUOTED})?`, "i",
);

const RAW_TEXT = new Set([
  "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes",
]);

const isLetter = (c) => (c >= "a" && c <= "z") || (c >= "A" && c <= "Z");

class Tokenizer {
  #text = "";
  #pos = 0;
  #isEnd = false;
  #held; // a token that stands behind the end of a text
  #rawName = ""; // inside an element whose content is text
  #isInText = false;

  /** A start tag outside of SVG and MathML: content may be text up to its end tag. */
  startElement(name) {
    if (RAW_TEXT.has(name) || name === "plaintext") this.#rawName = name;
  }

  /** More of the input; with `isEnd` there is nothing behind it. */
  feed(chunk, isEnd) {
    this.#text = this.#pos === 0 ? this.#text + chunk : this.#text.slice(this.#pos) + chunk;
    this.#pos = 0;
    this.#isEnd = isEnd;
    if (this.#text.length - chunk.length > PENDING_MAX) {
      throw failure("A tag or comment is too long.");
    }
  }

  /** The next token, undefined: no more is complete.  `isForeign`: inside SVG or MathML. */
  next(isForeign) {
    if (this.#held !== undefined) {
      const token = this.#held;
      this.#held = undefined;
      return token;
    }
    const token = this.#find(isForeign);
    if (token === undefined && !this.#isEnd) return undefined;
    if (token?.type === "text") {
      this.#isInText = true;
      return token;
    }
    if (!this.#isInText) return token;
    this.#isInText = false;
    this.#held = token;
    return { type: "text", raw: "", text: "", isLast: true };
  }

  #textUntil(end) {
    const raw = this.#text.slice(this.#pos, end);
    this.#pos = end;
    return { type: "text", raw, text: raw, isLast: false };
  }

  #find(isForeign) {
    const text = this.#text;
    const pos = this.#pos;
    if (pos >= text.length) return undefined;
    if (this.#rawName !== "") return this.#findRaw();
    const at = text.indexOf("<", pos);
    if (at < 0) return this.#textUntil(text.length);
    if (at > pos) return this.#textUntil(at);
    const c = text[at + 1];
    const found = c === undefined && !this.#isEnd ? null : this.#tag(at, c, isForeign);
    if (found === undefined) return this.#textUntil(at + 1); // no tag after all
    if (found !== null) {
      this.#pos = at + found.raw.length;
      return found;
    }
    if (!this.#isEnd) return undefined;
    this.#pos = text.length;
    return { type: "other", raw: text.slice(at) };
  }

  /** Text up to the end tag of the element. */
  #findRaw() {
    const text = this.#text;
    const pos = this.#pos;
    const mark = `</${this.#rawName}`;
    for (let at = pos; ; at++) {
      at = text.indexOf("</", at);
      if (at < 0) break;
      const after = text[at + mark.length];
      if (after === undefined && !this.#isEnd) {
        return at === pos ? undefined : this.#textUntil(at);
      }
      const isMark = text.slice(at, at + mark.length).toLowerCase() === mark;
      if (!isMark || after === undefined || !/[\s/>]/.test(after)) continue;
      this.#rawName = "";
      return at === pos ? this.#find(false) : this.#textUntil(at);
    }
    const end = !this.#isEnd && text.endsWith("<") ? text.length - 1 : text.length;
    return end === pos ? undefined : this.#textUntil(end);
  }

  /** The token that "<" begins; undefined: it is text; null: it is not complete. */
  #tag(at, c, isForeign) {
    if (c === undefined) return undefined;
    if (isLetter(c)) return this.#startTag(at);
    if (c === "!") return this.#declaration(at, isForeign);
    if (c === "?") return this.#upTo(at, ">", "comment", 1);
    if (c !== "/") return undefined;
    const next = this.#text[at + 2];
    if (next === undefined) return null;
    if (isLetter(next)) return this.#endTag(at);
    return next === ">" ? { type: "other", raw: "</>" } : this.#upTo(at, ">", "comment", 2);
  }

  /** A token that ends with the first `mark`. */
  #upTo(at, mark, type, skip) {
    const end = this.#text.indexOf(mark, at);
    if (end < 0) return null;
    const raw = this.#text.slice(at, end + mark.length);
    return { type, raw, text: raw.slice(skip, -mark.length) };
  }

  #declaration(at, isForeign) {
    const head = this.#text.slice(at, at + 9);
    if (head.startsWith("<!--")) return this.#comment(at);
    if (head.length < 9 && !this.#text.includes(">", at)) return null;
    if (/^<!doctype/i.test(head)) return this.#doctype(at);
    if (isForeign && head === "<![CDATA[") return this.#upTo(at, "]]>", "other", 0);
    return this.#upTo(at, ">", "comment", 2);
  }

  #comment(at) {
    const text = this.#text;
    const short = /^<!--(?:>|->)/.exec(text.slice(at, at + 6));
    if (short !== null) return { type: "comment", raw: short[0], text: "" };
    const form = /--!?>/g;
    form.lastIndex = at + 4;
    const match = form.exec(text);
    if (match === null) return null;
    const raw = text.slice(at, form.lastIndex);
    return { type: "comment", raw, text: text.slice(at + 4, match.index) };
  }

  #doctype(at) {
    const token = this.#upTo(at, ">", "doctype", 0);
    if (token === null) return null;
    const [, name, keyword, first1, first2, second1, second2] = DOCTYPE.exec(token.raw) ?? [];
    const isPublic = keyword?.toLowerCase() === "public";
    const first = first1 ?? first2 ?? null;
    const second = second1 ?? second2 ?? null;
    token.name = name ? name.toLowerCase() : null;
    token.publicId = isPublic ? first : null;
    token.systemId = isPublic ? second : keyword === undefined ? null : first;
    return token;
  }

  #endTag(at) {
    const tag = this.#readTag(at, 2);
    return tag === null ? null : { type: "end", raw: tag.raw, name: tag.name };
  }

  #startTag(at) {
    const tag = this.#readTag(at, 1);
    return tag === null ? null : new StartTag(tag);
  }

  /** { raw, name, rawName, attributes }, or null.  Most tags have a simple form. */
  #readTag(at, skip) {
    SIMPLE.lastIndex = at + skip;
    const match = SIMPLE.exec(this.#text);
    if (match === null) return readTag(this.#text, at, skip);
    const [, rawName] = match;
    const raw = this.#text.slice(at, SIMPLE.lastIndex);
    return { raw, name: rawName.toLowerCase(), rawName, attributes: undefined };
  }
}

/** The same for any form, with the attributes. */
function readTag(text, at, skip) {
  const rawName = matchAt(NAME, text, at + skip);
  const attributes = [];
  let pos = at + skip + rawName.length;
  for (;;) {
    pos += matchAt(SPACE, text, pos).length;
    if (pos >= text.length) return null;
    if (text[pos] === ">") break;
    const from = pos;
    const name = matchAt(ATTRIBUTE, text, pos);
    pos += name.length;
    const equals = matchAt(EQUALS, text, pos);
    let value = "";
    if (equals !== "") {
      pos += equals.length;
      const quote = text[pos];
      if (quote === undefined) return null;
      if (quote === '"' || quote === "'") {
        const end = text.indexOf(quote, pos + 1);
        if (end < 0) return null;
        value = text.slice(pos + 1, end);
        pos = end + 1;
      } else {
        value = matchAt(UNQUOTED, text, pos);
        pos += value.length;
      }
    }
    attributes.push({ name: name.toLowerCase(), value, raw: text.slice(from, pos) });
  }
  return { raw: text.slice(at, pos + 1), name: rawName.toLowerCase(), rawName, attributes };
}

function matchAt(form, text, pos) {
  form.lastIndex = pos;
  const match = form.exec(text);
  return match === null ? "" : match[0];
}

/** A start tag; its attributes are looked for when somebody asks. */
class StartTag {
  #attributes;
  type = "start";

  constructor({ raw, name, rawName, attributes }) {
    this.raw = raw;
    this.name = name;
    this.rawName = rawName;
    this.#attributes = attributes;
  }

  /** [{ name, value, raw }] */
  get attributes() {
    this.#attributes ??= readTag(this.raw, 0, 1).attributes;
    return this.#attributes;
  }

  get selfClosing() {
    if (!this.raw.endsWith("/>")) return false;
    const last = this.attributes.at(-1);
    return !(last?.raw.endsWith("/") && this.raw.endsWith(`${last.raw}>`)); // <a b=c/>
  }
}

exports.Tokenizer = Tokenizer;
