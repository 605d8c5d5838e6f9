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
  #rawName = ""; // inside an element whose content is text
  #isInText = false;

  /** A start tag outside of SVG and MathML: content may be text up to its end tag. */
  startElement(name) {
    if (RAW_TEXT.has(name) || name === "plaintext") this.#rawName = name;
  }

  /** Tokens of what is complete with `chunk`; with `isEnd` all of it. */
  *write(chunk, isEnd, isForeign) {
    this.#text += chunk;
    let pos = 0;
    for (;;) {
      const next = yield* this.#step(pos, isEnd, isForeign);
      if (next < 0) break;
      pos = next;
    }
    this.#text = this.#text.slice(pos);
    if (this.#text.length > PENDING_MAX) throw failure("A tag or comment is too long.");
    if (!isEnd) return;
    if (this.#text !== "") yield* this.#other(this.#text);
    this.#text = "";
    yield* this.#endText();
  }

  *#endText() {
    if (!this.#isInText) return;
    this.#isInText = false;
    yield { type: "text", raw: "", text: "", isLast: true };
  }

  *#textUntil(pos, end) {
    if (end <= pos) return;
    this.#isInText = true;
    const raw = this.#text.slice(pos, end);
    yield { type: "text", raw, text: raw, isLast: false };
  }

  *#other(raw) {
    yield* this.#endText();
    yield { type: "other", raw };
  }

  /** From `pos` on; where to go on, or -1: there is nothing complete. */
  *#step(pos, isEnd, isForeign) {
    const text = this.#text;
    if (pos >= text.length) return -1;
    if (this.#rawName !== "") return yield* this.#rawStep(pos, isEnd);
    const at = text.indexOf("<", pos);
    const end = at < 0 ? text.length : at;
    if (end > pos) {
      yield* this.#textUntil(pos, end);
      return end;
    }
    const c = text[at + 1];
    if (c === undefined && !isEnd) return -1;
    const found = this.#tag(at, c, isForeign());
    if (found === undefined) {
      // No tag after all.
      yield* this.#textUntil(at, at + 1);
      return at + 1;
    }
    if (found === null) return -1;
    yield* this.#endText();
    yield found;
    return at + found.raw.length;
  }

  /** Text up to the end tag of the element. */
  *#rawStep(pos, isEnd) {
    const text = this.#text;
    const mark = `</${this.#rawName}`;
    for (let at = pos; ; at++) {
      at = text.indexOf("</", at);
      if (at < 0) break;
      const after = text[at + mark.length];
      if (after === undefined && !isEnd) {
        yield* this.#textUntil(pos, at);
        return at === pos ? -1 : at;
      }
      const isMark = text.slice(at, at + mark.length).toLowerCase() === mark;
      if (!isMark || after === undefined || !/[\s/>]/.test(after)) continue;
      yield* this.#textUntil(pos, at);
      this.#rawName = "";
      return at;
    }
    const end = !isEnd && text.endsWith("<") ? text.length - 1 : text.length;
    yield* this.#textUntil(pos, end);
    return end === pos ? -1 : end;
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
    const tag = this.#attributes(at, 2);
    if (tag === null) return null;
    return { type: "end", raw: tag.raw, name: tag.name };
  }

  #startTag(at) {
    const tag = this.#attributes(at, 1);
    return tag === null ? null : { type: "start", ...tag };
  }

  #match(form, pos) {
    form.lastIndex = pos;
    const match = form.exec(this.#text);
    return match === null ? "" : match[0];
  }

  /** { raw, name, rawName, attributes, selfClosing } of a tag, or null. */
  #attributes(at, skip) {
    const text = this.#text;
    const rawName = this.#match(NAME, at + skip);
    const attributes = [];
    let pos = at + skip + rawName.length;
    for (;;) {
      pos += this.#match(SPACE, pos).length;
      if (pos >= text.length) return null;
      if (text[pos] === ">") break;
      const from = pos;
      const name = this.#match(ATTRIBUTE, pos);
      pos += name.length;
      const equals = this.#match(EQUALS, pos);
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
          value = this.#match(UNQUOTED, pos);
          pos += value.length;
        }
      }
      attributes.push({ name: name.toLowerCase(), value, raw: text.slice(from, pos) });
    }
    const raw = text.slice(at, pos + 1);
    const last = attributes.at(-1);
    const isValue = last?.raw.endsWith("/") && raw.endsWith(`${last.raw}>`); // <a b=c/>
    const selfClosing = raw.endsWith("/>") && !isValue;
    return { raw, name: rawName.toLowerCase(), rawName, attributes, selfClosing };
  }
}

exports.Tokenizer = Tokenizer;
