// internal/data/xml -- Bun.XML.parse: XML 1.0 (fifth edition), not validating; external entities
// are never read.
//
// The text is read once from left to right. What an entity stands for is read in its place, in the
// same way, up to limits.
const { create } = Object;
const DEPTH_MAX = 10000;
const EXPANSION_MAX = 16 * 1024 * 1024;
const NESTING_MAX = 64;

const START = ":A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}" +
  "\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}\\u{2C00}-\\u{2FEF}" +
  "\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}";
const NAME = `[${START}][${START}\\-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}]*`;
const namePattern = new RegExp(NAME, "uy");
const wholeName = new RegExp(`^${NAME}$`, "u");
const notChar = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const declaration = new RegExp(
  "<\\?xml\\s+version\\s*=\\s*(?:\"1\\.[0-9]+\"|'1\\.[0-9]+')" +
  "(?:\\s+encoding\\s*=\\s*(?:\"[A-Za-z][\\w.-]*\"|'[A-Za-z][\\w.-]*'))?" +
  "(?:\\s+standalone\\s*=\\s*(?:\"(yes|no)\"|'(yes|no)'))?\\s*\\?>", "y",
);
const predefined = { __proto__: null, amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

exports.isName = (name) => wholeName.test(name);
exports.notChar = notChar;

function fail(message) {
  throw new SyntaxError(`XML Parse error: ${message}`);
}

function checkChars(text) {
  const at = text.search(notChar);
  if (at < 0) return;
  const code = text.codePointAt(at);
  if (code < 32) fail(`Invalid character in XML: control character 0x${hex(code)}`);
  fail(`Invalid character in XML: U+${hex(code).padStart(4, "0")}`);
}

const hex = (code) => code.toString(16).toUpperCase().padStart(2, "0");

function isSpace(code) {
  return code === 32 || code === 10 || code === 9 || code === 13;
}

/** What stands at a place, for a message. */
function found(text, at) {
  if (at >= text.length) return "end of input";
  if (text.startsWith("/>", at)) return "'/>'";
  const c = text[at];
  if (c === " ") return "space";
  if (isSpace(text.charCodeAt(at))) return "whitespace";
  namePattern.lastIndex = at;
  const name = namePattern.exec(text);
  return name === null ? `'${String.fromCodePoint(text.codePointAt(at))}'` : `'${name[0]}'`;
}

function charOf(reference) {
  const isHex = reference.startsWith("#x");
  const digits = reference.slice(isHex ? 2 : 1);
  const isNumber = isHex ? /^[0-9a-fA-F]+$/.test(digits) : /^[0-9]+$/.test(digits);
  const code = isNumber ? parseInt(digits, isHex ? 16 : 10) : -1;
  const isValid = code >= 0 && code <= 0x10ffff && !notChar.test(String.fromCodePoint(code));
  if (!isValid) fail(`Character reference '&${reference};' is not a valid XML character`);
  return String.fromCodePoint(code);
}

/** A place in a text. */
class Cursor {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  space() {
    const start = this.at;
    while (isSpace(this.text.charCodeAt(this.at))) this.at++;
    return this.at > start;
  }

  has(word) {
    return this.text.startsWith(word, this.at);
  }

  take(word) {
    if (!this.has(word)) return false;
    this.at += word.length;
    return true;
  }

  name() {
    namePattern.lastIndex = this.at;
    const match = namePattern.exec(this.text);
    if (match === null) return undefined;
    this.at += match[0].length;
    return match[0];
  }

  /** Everything up to `end`, which is taken, too. */
  until(end, what) {
    const at = this.text.indexOf(end, this.at);
    if (at < 0) fail(`Unterminated ${what}`);
    const value = this.text.slice(this.at, at);
    this.at = at + end.length;
    return value;
  }

  found() {
    return found(this.text, this.at);
  }
}

exports.Cursor = Cursor;
exports.fail = fail;
exports.charOf = charOf;

// ---- The document -------------------------------------------------------------------------------

class Parser {
  /** `isTree`: elements with all that they contain, in order. */
  constructor(isTree) {
    this.isTree = isTree;
    this.stack = [];
    this.root = undefined;
    this.entities = create(null);
    this.attributes = create(null); // element -> attribute -> { isText, value }
    this.isOpen = false; // entities may be declared where we do not read
    this.isStandalone = false;
    this.active = [];
    this.budget = EXPANSION_MAX;
  }

  document(text) {
    const c = new Cursor(text);
    declaration.lastIndex = 0;
    const head = declaration.exec(text);
    if (head !== null) {
      c.at = head[0].length;
      this.isStandalone = (head[1] ?? head[2]) === "yes";
    }
    let hasDoctype = false;
    for (;;) {
      c.space();
      if (this.comment(c) || this.instruction(c)) continue;
      if (!c.has("<!DOCTYPE") || hasDoctype || this.root !== undefined) break;
      hasDoctype = true;
      require("internal/data/xml_dtd").doctype(this, c);
    }
    if (c.at >= text.length) fail("XML document must have a root element");
    if (!c.has("<")) fail(`Expected the root element but found ${c.found()}`);
    this.content(c, true);
    for (;;) {
      c.space();
      if (!this.comment(c) && !this.instruction(c)) break;
    }
    if (c.at < text.length) {
      fail(c.has("<") ? "Only one root element is allowed"
        : `Expected the end of the document but found ${c.found()}`);
    }
    return this.root;
  }

  /** Elements and text up to the end of `c`, or of the root element. */
  content(c, isDocument = false) {
    const depth = this.stack.length;
    while (c.at < c.text.length) {
      const code = c.text.charCodeAt(c.at);
      if (code === 60) this.markup(c, depth);
      else if (code === 38) this.reference(c);
      else this.characters(c);
      if (isDocument && this.stack.length === 0) return;
    }
    if (this.stack.length > depth) {
      fail(`Expected closing tag </${this.stack.at(-1).name}> but found end of input`);
    }
  }

  markup(c, depth) {
    if (this.comment(c) || this.instruction(c)) return;
    if (c.take("<![CDATA[")) this.text(c.until("]]>", "CDATA section"));
    else if (c.take("</")) this.end(c, depth);
    else this.start(c);
  }

  characters(c) {
    let end = c.at;
    for (; end < c.text.length; end++) {
      const code = c.text.charCodeAt(end);
      if (code === 60 || code === 38) break;
    }
    const value = c.text.slice(c.at, end);
    if (value.includes("]]>")) fail("']]>' is only allowed as the end of a CDATA section");
    c.at = end;
    this.text(value);
  }

  text(value) {
    const { children } = this.stack.at(-1);
    if (value === "") return;
    const last = children.length - 1;
    if (typeof children[last] === "string") children[last] += value;
    else children.push(value);
  }

  comment(c) {
    if (!c.take("<!--")) return false;
    const comment = c.until("--", "comment");
    if (!c.take(">")) fail("'--' is not allowed inside a comment");
    this.stack.at(-1)?.children.push({ comment });
    return true;
  }

  instruction(c) {
    if (!c.take("<?")) return false;
    const target = c.name();
    if (target === undefined) fail(`Expected a target after '<?' but found ${c.found()}`);
    if (/^xml$/i.test(target)) {
      fail(`'<?${target}' is reserved for the XML declaration, which is only allowed at the very ` +
        "start of the document");
    }
    const hasSpace = c.space();
    if (!hasSpace && !c.has("?>")) fail(`Expected '?>' but found ${c.found()}`);
    const data = c.until("?>", "processing instruction");
    this.stack.at(-1)?.children.push({ target, data });
    return true;
  }

  // ---- Elements

  start(c) {
    c.at++;
    const name = c.name();
    if (name === undefined) fail(`Expected an element name after '<' but found ${c.found()}`);
    const attributes = create(null);
    const isEmpty = this.tag(c, name, attributes);
    this.addDefaults(name, attributes);
    if (this.stack.length >= DEPTH_MAX) throw new RangeError("Maximum call stack size exceeded.");
    this.stack.push({ name, attributes, children: [] });
    if (isEmpty) this.close();
  }

  /** Attributes and the end of a start tag. */
  tag(c, name, attributes) {
    for (;;) {
      const hasSpace = c.space();
      if (c.take(">")) return false;
      if (c.take("/")) {
        if (c.take(">")) return true;
        fail(`Expected '>' after '/' but found ${c.found()}`);
      }
      const key = hasSpace ? c.name() : undefined;
      if (key === undefined) {
        fail(`Expected an attribute name, '>' or '/>' in the start tag but found ${c.found()}`);
      }
      if (key in attributes) fail(`Duplicate attribute '${key}'`);
      c.space();
      if (!c.take("=")) fail(`Expected '=' after the attribute name but found ${c.found()}`);
      c.space();
      const value = this.attributeValue(this.quoted(c));
      attributes[key] = this.attributes[name]?.[key]?.isText === false ? collapse(value) : value;
    }
  }

  quoted(c) {
    const quote = c.text[c.at];
    if (quote !== '"' && quote !== "'") {
      fail(`Expected a quoted attribute value but found ${c.found()}`);
    }
    c.at++;
    return c.until(quote, "attribute value");
  }

  /** References replaced, every kind of space a space. */
  attributeValue(raw) {
    if (raw.includes("<")) fail("'<' is not allowed in attribute values");
    const flat = raw.replace(/[\t\n\r]/g, " ");
    if (!flat.includes("&")) return flat;
    return flat.replace(/&([^;&]*);?/g, (all, name) => {
      if (!all.endsWith(";")) fail("Expected ';' at the end of a reference");
      if (name.startsWith("#")) return charOf(name);
      if (predefined[name] !== undefined) return predefined[name];
      const value = this.entity(name);
      if (value === undefined) return all;
      return this.inside(name, value, () => this.attributeValue(value));
    });
  }

  addDefaults(name, attributes) {
    const declared = this.attributes[name];
    for (const key in declared) {
      if (declared[key].value !== undefined && !(key in attributes)) {
        attributes[key] = declared[key].value;
      }
    }
  }

  end(c, depth) {
    const name = c.name();
    const open = this.stack.at(-1);
    if (name === undefined) fail(`Expected an element name after '</' but found ${c.found()}`);
    if (this.stack.length <= depth || open.name !== name) {
      fail(open === undefined ? `Unexpected closing tag </${name}>`
        : `Expected closing tag </${open.name}> but found </${name}>`);
    }
    c.space();
    if (!c.take(">")) fail(`Expected '>' at the end of the closing tag but found ${c.found()}`);
    this.close();
  }

  close() {
    const element = this.stack.pop();
    const value = this.isTree ? treeOf(element) : compactOf(element);
    const parent = this.stack.at(-1);
    if (parent === undefined) this.root = this.isTree ? value : keyed(element.name, value);
    else parent.children.push(this.isTree ? value : { name: element.name, value });
  }

  // ---- References

  reference(c) {
    const end = c.text.indexOf(";", c.at);
    const name = end < 0 ? "" : c.text.slice(c.at + 1, end);
    if (name.startsWith("#")) {
      c.at = end + 1;
      this.text(charOf(name));
      return;
    }
    if (!wholeName.test(name)) fail("'&' must begin a reference, or be written '&amp;'");
    c.at = end + 1;
    if (predefined[name] !== undefined) {
      this.text(predefined[name]);
      return;
    }
    const value = this.entity(name);
    if (value === undefined) this.text(`&${name};`);
    else this.inside(name, value, () => this.content(new Cursor(value)));
  }

  /** The text of an entity; undefined when it may be declared where we do not read. */
  entity(name) {
    const value = this.entities[name];
    if (typeof value === "string") return value;
    if (value === null) fail(`Entity '${name}' is not parsed`);
    if (this.isOpen && !this.isStandalone) return undefined;
    return fail(`Entity '${name}' is not declared`);
  }

  inside(name, value, run) {
    if (this.active.includes(name)) fail(`Entity '${name}' refers to itself`);
    this.budget -= value.length + 16;
    if (this.budget < 0 || this.active.length >= NESTING_MAX) fail("Entities expand to too much");
    this.active.push(name);
    const result = run();
    this.active.pop();
    return result;
  }
}

function collapse(value) {
  return value.replace(/ +/g, " ").replace(/^ | $/g, "");
}
exports.collapse = collapse;

/** An object with one own key, whatever it is called. */
function put(object, key, value) {
  Object.defineProperty(object, key, {
    value, writable: true, enumerable: true, configurable: true,
  });
}

function keyed(name, value) {
  const object = {};
  put(object, name, value);
  return object;
}

function treeOf({ name, attributes, children }) {
  const own = {};
  for (const key in attributes) put(own, key, attributes[key]);
  return { name, attributes: own, children };
}

function compactOf({ attributes, children }) {
  const isElement = (child) => typeof child === "object" && child.name !== undefined;
  const hasElements = children.some(isElement);
  const texts = children.filter((child) => typeof child === "string");
  const object = {};
  for (const key in attributes) put(object, `@${key}`, attributes[key]);
  if (!hasElements && Object.keys(object).length === 0) return texts.join("");
  const lists = new Set();
  for (const child of children) {
    if (typeof child === "string") {
      if (hasElements && !/[^ \t\n\r]/.test(child)) continue;
      object["#text"] = (object["#text"] ?? "") + child;
    } else if (isElement(child)) addChild(object, lists, child);
  }
  return object;
}

function addChild(object, lists, { name, value }) {
  if (!Object.hasOwn(object, name)) put(object, name, value);
  else if (lists.has(name)) object[name].push(value);
  else {
    put(object, name, [object[name], value]);
    lists.add(name);
  }
}

// ---- Bytes --------------------------------------------------------------------------------------

function decode(bytes) {
  const is = (...head) => head.every((byte, i) => bytes[i] === byte);
  let label = "utf-8";
  if (is(0xff, 0xfe) || is(0x3c, 0, 0x3f, 0)) label = "utf-16le";
  else if (is(0xfe, 0xff) || is(0, 0x3c, 0, 0x3f)) label = "utf-16be";
  else if (!is(0xef, 0xbb, 0xbf)) {
    const head = String.fromCharCode(...bytes.subarray(0, 200));
    const match = /^<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][\w.-]*)["']/.exec(head);
    const name = match === null ? "utf-8" : match[1].toLowerCase();
    if (name === "iso-8859-1" || name === "latin1") return Buffer.from(bytes).latin1Slice();
    if (!/^(?:utf-?8|us-ascii|ascii)$/.test(name)) {
      fail(`Unsupported encoding '${match[1]}' (supported: UTF-8, UTF-16, ISO-8859-1)`);
    }
  }
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return fail(`Invalid ${label.slice(0, 3).toUpperCase()}${label.slice(3, 6).toUpperCase()}`);
  }
}

/** `input`: a string, or bytes. */
exports.parse = function parse(input, options) {
  let text = typeof input === "string" ? input : decode(input);
  if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
  text = text.replace(/\r\n?/g, "\n");
  checkChars(text);
  return new Parser(options?.compact === false).document(text);
};
