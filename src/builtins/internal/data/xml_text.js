// internal/data/xml_text -- Bun.XML.stringify: an element as XML text, from either shape that parse
// gives.
const { isName, notChar } = require("internal/data/xml");

function fail(message) {
  throw new Error(`XML.stringify: ${message}`);
}

function checkText(text) {
  const at = text.search(notChar);
  if (at < 0) return text;
  const code = text.codePointAt(at).toString(16).toUpperCase().padStart(4, "0");
  return fail(`XML cannot represent the character U+${code}`);
}

const escapes = {
  "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;",
  "\t": "&#x9;", "\n": "&#xA;", "\r": "&#xD;",
};
const escapeText = (text) => checkText(text).replace(/[&<>\r]/g, (c) => escapes[c]);
const escapeValue = (text) => checkText(text).replace(/[&<>"\t\n\r]/g, (c) => escapes[c]);

const isObject = (value) => typeof value === "object" && value !== null;
const isSkipped = (value) => value === undefined || typeof value === "function" ||
  typeof value === "symbol";

/** A value that is text, or undefined. */
function scalar(value) {
  if (value === null) return "";
  if (value instanceof Date) return value.toISOString();
  return isObject(value) ? undefined : String(value);
}

function isNode(value) {
  return isObject(value) && typeof value.name === "string" &&
    (value.children !== undefined || value.attributes !== undefined);
}

class Writer {
  constructor(indent) {
    this.indent = indent;
    this.path = new Set();
  }

  enter(value, run) {
    if (this.path.has(value)) throw new Error("Converting circular structure to XML");
    this.path.add(value);
    const result = run();
    this.path.delete(value);
    return result;
  }

  attribute(name, value) {
    if (isSkipped(value)) return "";
    if (!isName(name)) fail(`'${name}' is not a valid XML attribute name`);
    const text = scalar(value);
    if (text === undefined) {
      fail("an attribute value must be a string, number, boolean, bigint, Date, or null");
    }
    return ` ${name}="${escapeValue(text)}"`;
  }

  /** `parts`: of the content, each with whether it is text. */
  element(name, attributes, parts, depth) {
    if (!isName(name)) fail(`'${name}' is not a valid XML element name`);
    const open = `<${name}${attributes}`;
    if (parts.length === 0) return `${open}/>`;
    const isFlat = this.indent === "" || parts.some((part) => part.isText);
    if (isFlat) return `${open}>${parts.map((part) => part.write(depth)).join("")}</${name}>`;
    const line = `\n${this.indent.repeat(depth + 1)}`;
    const inner = parts.map((part) => line + part.write(depth + 1)).join("");
    return `${open}>${inner}\n${this.indent.repeat(depth)}</${name}>`;
  }

  // ---- { name, attributes, children }

  node(node, depth) {
    return this.enter(node, () => {
      let attributes = "";
      for (const key of Object.keys(node.attributes ?? {})) {
        attributes += this.attribute(key, node.attributes[key]);
      }
      const parts = [];
      for (const child of node.children ?? []) this.addChild(parts, child);
      return this.element(node.name, attributes, parts, depth);
    });
  }

  addChild(parts, child) {
    if (isSkipped(child)) return;
    const text = scalar(child);
    if (text !== undefined) {
      if (text !== "") parts.push({ isText: true, write: () => escapeText(text) });
      return;
    }
    parts.push({ isText: false, write: (depth) => this.child(child, depth) });
  }

  child(child, depth) {
    if (typeof child.name === "string") return this.node(child, depth);
    if (typeof child.comment === "string") return comment(child.comment);
    if (typeof child.target === "string") return instruction(child);
    return fail("a child must be text, an element, a comment or a processing instruction");
  }

  // ---- { name: value }

  value(name, value, depth) {
    const text = scalar(value);
    if (text !== undefined) {
      const parts = text === "" ? [] : [{ isText: true, write: () => escapeText(text) }];
      return this.element(name, "", parts, depth);
    }
    return this.enter(value, () => {
      let attributes = "";
      const parts = [];
      for (const key of Object.keys(value)) {
        if (key.startsWith("@")) attributes += this.attribute(key.slice(1), value[key]);
        else if (key === "#text") this.addText(parts, value[key]);
        else this.addValue(parts, key, value[key]);
      }
      return this.element(name, attributes, parts, depth);
    });
  }

  addText(parts, value) {
    const text = isSkipped(value) ? "" : scalar(value);
    if (text === undefined) {
      fail("'#text' must be a string, number, boolean, bigint, Date, or null");
    }
    if (text !== "") parts.push({ isText: true, write: () => escapeText(text) });
  }

  addValue(parts, key, value) {
    if (isSkipped(value)) return;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (Array.isArray(item)) fail(`the element '${key}' cannot be an array inside of an array`);
      if (isSkipped(item)) continue;
      parts.push({ isText: false, write: (depth) => this.value(key, item, depth) });
    }
  }
}

function comment(text) {
  if (text.includes("--") || text.endsWith("-")) {
    fail("a comment cannot contain '--' or end with '-'");
  }
  return `<!--${checkText(text)}-->`;
}

function instruction({ target, data }) {
  const text = isSkipped(data) || data === null ? "" : `${data}`;
  if (!isName(target) || /^xml$/i.test(target)) fail(`'${target}' is not a valid target`);
  if (text.includes("?>")) fail("processing instruction data cannot contain '?>'");
  return `<?${target}${text === "" ? "" : ` ${checkText(text)}`}?>`;
}

function indentOf(space) {
  if (typeof space === "number") return " ".repeat(Math.min(Math.max(Math.trunc(space), 0), 10));
  return typeof space === "string" ? space.slice(0, 10) : "";
}

exports.stringify = function stringify(value, space) {
  if (isSkipped(value)) return undefined;
  if (!isObject(value) || Array.isArray(value)) {
    throw new Error("XML.stringify expects an object: a { name, attributes, children } node or " +
      "an object with a single root element key");
  }
  const writer = new Writer(indentOf(space));
  if (isNode(value)) return writer.node(value, 0);
  const names = Object.keys(value).filter((key) => !isSkipped(value[key]));
  if (names.length === 0) fail("the top-level object must have one key naming the root element");
  if (names.length > 1) {
    fail("an XML document has exactly one root element, but the top-level object has more than " +
      "one key");
  }
  if (Array.isArray(value[names[0]])) {
    fail(`the root element '${names[0]}' cannot be an array (an XML document has exactly one ` +
      "root element)");
  }
  return writer.enter(value, () => writer.value(names[0], value[names[0]], 0));
};
