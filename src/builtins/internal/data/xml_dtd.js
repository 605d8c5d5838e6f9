// internal/data/xml_dtd -- the document type declaration of an XML document: entities and defaults
// of attributes of its internal part. Nothing else is read.
const { Cursor, fail, charOf, collapse } = require("internal/data/xml");

const DEPTH_MAX = 16;

function need(c, word) {
  if (!c.take(word)) fail(`Expected '${word}' in the DOCTYPE but found ${c.found()}`);
}

function needSpace(c) {
  if (!c.space()) fail(`Expected whitespace in the DOCTYPE but found ${c.found()}`);
}

function needName(c) {
  const name = c.name();
  if (name === undefined) fail(`Expected a name in the DOCTYPE but found ${c.found()}`);
  return name;
}

function literal(c) {
  const quote = c.text[c.at];
  if (quote !== '"' && quote !== "'") fail(`Expected a quoted value but found ${c.found()}`);
  c.at++;
  return c.until(quote, "literal");
}

/** SYSTEM "..." or PUBLIC "..." "..."; false when there is none. */
function externalId(c, isNotation) {
  if (c.take("SYSTEM")) {
    needSpace(c);
    literal(c);
    return true;
  }
  if (!c.take("PUBLIC")) return false;
  needSpace(c);
  if (/[^ \n\ra-zA-Z0-9\-'()+,./:=?;!*#@$_%]/.test(literal(c))) fail("Invalid public identifier");
  const hasSpace = c.space();
  if (isNotation && c.has(">")) return true;
  if (!hasSpace) fail(`Expected whitespace in the DOCTYPE but found ${c.found()}`);
  literal(c);
  return true;
}

class Subset {
  constructor(parser) {
    this.parser = parser;
    this.parameters = Object.create(null);
  }

  read(c, end, depth) {
    if (depth > DEPTH_MAX) fail("Parameter entities are nested too deeply");
    for (;;) {
      c.space();
      if (end === undefined ? c.at >= c.text.length : c.take(end)) return;
      if (c.at >= c.text.length) fail("Unterminated DOCTYPE");
      if (c.take("%")) this.include(c, depth);
      else if (c.take("<!ENTITY")) this.entity(c);
      else if (c.take("<!ATTLIST")) this.attlist(c);
      else if (c.take("<!ELEMENT")) this.other(c);
      else if (c.take("<!NOTATION")) this.notation(c);
      else if (!this.parser.comment(c) && !this.parser.instruction(c)) {
        fail(`Unexpected ${c.found()} in the DOCTYPE`);
      }
    }
  }

  include(c, depth) {
    const name = needName(c);
    need(c, ";");
    const value = this.parameters[name];
    if (typeof value !== "string") {
      this.parser.isOpen = true;
      return;
    }
    this.parser.inside(`%${name}`, value, () => this.read(new Cursor(value), undefined, depth + 1));
  }

  entity(c) {
    needSpace(c);
    const isParameter = c.take("%");
    if (isParameter) needSpace(c);
    const name = needName(c);
    needSpace(c);
    let value = null;
    if (externalId(c, false)) {
      // Never read: a reference to it stays as it is written.
      value = undefined;
      const hasSpace = c.space();
      if (!isParameter && hasSpace && c.take("NDATA")) {
        needSpace(c);
        needName(c);
        value = null;
      }
      if (value === undefined) this.parser.isOpen = true;
    } else value = this.entityValue(literal(c));
    c.space();
    need(c, ">");
    const table = isParameter ? this.parameters : this.parser.entities;
    if (value !== undefined && !(name in table)) table[name] = value;
  }

  /** References to characters are replaced where they are declared, others where they are used. */
  entityValue(raw) {
    if (raw.includes("%")) fail("Parameter entities are not allowed inside of declarations");
    return raw.replace(/&([^;&]*);?/g, (all, name) => {
      if (!all.endsWith(";")) fail("Expected ';' at the end of a reference");
      return name.startsWith("#") ? charOf(name) : all;
    });
  }

  attlist(c) {
    needSpace(c);
    const element = needName(c);
    const table = (this.parser.attributes[element] ??= Object.create(null));
    for (;;) {
      const hasSpace = c.space();
      if (c.take(">")) return;
      if (!hasSpace) fail(`Expected whitespace in the DOCTYPE but found ${c.found()}`);
      const name = needName(c);
      needSpace(c);
      const isText = this.type(c);
      needSpace(c);
      let value;
      if (!c.take("#REQUIRED") && !c.take("#IMPLIED")) {
        if (c.take("#FIXED")) needSpace(c);
        value = this.parser.attributeValue(literal(c));
        if (!isText) value = collapse(value);
      }
      table[name] ??= { isText, value };
    }
  }

  /** Returns whether the value is plain text. */
  type(c) {
    if (c.take("CDATA")) return true;
    if (c.take("NOTATION")) needSpace(c);
    if (c.take("(")) c.until(")", "list of values");
    else if (!/^(?:ID|IDREFS?|ENTITY|ENTITIES|NMTOKENS?)$/.test(needName(c))) {
      fail("Unknown type of an attribute in the DOCTYPE");
    }
    return false;
  }

  other(c) {
    needSpace(c);
    needName(c);
    needSpace(c);
    if (/["'<&%]/.test(c.until(">", "declaration"))) fail("Invalid declaration in the DOCTYPE");
  }

  notation(c) {
    needSpace(c);
    needName(c);
    needSpace(c);
    if (!externalId(c, true)) fail(`Expected SYSTEM or PUBLIC but found ${c.found()}`);
    c.space();
    need(c, ">");
  }
}

/** Reads `<!DOCTYPE ...>`. */
exports.doctype = function doctype(parser, c) {
  need(c, "<!DOCTYPE");
  needSpace(c);
  needName(c);
  const hasSpace = c.space();
  if (hasSpace && externalId(c, false)) parser.isOpen = true;
  c.space();
  if (c.take("[")) new Subset(parser).read(c, "]", 0);
  c.space();
  need(c, ">");
};
