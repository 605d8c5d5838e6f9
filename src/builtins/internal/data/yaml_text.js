// internal/data/yaml_text -- YAML.stringify: values to YAML 1.2, with anchors for what is there
// more than once.  Without `space` everything is on one line.
const escapes = {
  __proto__: null,
  "\0": "\\0", "\x07": "\\a", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f",
  "\r": "\\r", "\x1b": "\\e", '"': '\\"', "\\": "\\\\", "\x85": "\\N", "\u2028": "\\L",
  "\u2029": "\\P",
};
const control = String.raw`\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff`;
const lone = "[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]";
const special = new RegExp(`["\\\\${control}]|${lone}`);
const specials = new RegExp(special.source, "g");
// What a plain scalar may not begin with, contain or end with.
const notPlain = new RegExp(
  String.raw`^[-?:,[\]{}#&*!|>'"%@${"`"}.+=<~\s]|[,[\]{}'"\\${control}]|:\s|\s#|[\s:]$|` + lone,
);
const words = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
const numbers = /^(?:0x[0-9a-f]+|0o[0-7]+|\d+\.?\d*(?:e[-+]?\d+)?)$/i;
const DEPTH_MAX = 1000;

function escapeChar(c) {
  const code = c.charCodeAt(0);
  return escapes[c] ?? (code < 256
    ? `\\x${code.toString(16).padStart(2, "0")}`
    : `\\u${code.toString(16).padStart(4, "0")}`);
}

function stringText(s) {
  const isPlain = s !== "" && !notPlain.test(s) && !words.test(s) && !numbers.test(s);
  if (isPlain) return s;
  return `"${special.test(s) ? s.replace(specials, escapeChar) : s}"`;
}

function numberText(n) {
  if (n !== n) return ".nan";
  if (n === Infinity) return ".inf";
  if (n === -Infinity) return "-.inf";
  return Object.is(n, -0) ? "-0" : `${n}`;
}

function unbox(value) {
  if (value instanceof Date) return isNaN(value) ? null : value.toISOString();
  const isBox = value instanceof Number || value instanceof String || value instanceof Boolean;
  return isBox ? value.valueOf() : value;
}

const isAbsent = (value) => value === undefined || typeof value === "function" ||
  typeof value === "symbol";
const isObject = (value) => typeof value === "object" && value !== null;

class Writer {
  constructor(indent) {
    this.indent = indent;
    this.names = new Map(); // object -> the name of its anchor
    this.written = new Set();
  }

  /** Finds what is there more than once, and names it. */
  scan(root) {
    const seen = new Set();
    const taken = new Set();
    const todo = [[root, "root"]];
    while (todo.length > 0) {
      const [value, hint] = todo.pop();
      if (!isObject(value)) continue;
      if (seen.has(value)) {
        if (!this.names.has(value)) this.names.set(value, undefined);
        continue;
      }
      seen.add(value);
      this.push(value, todo);
    }
    this.nameAll(root, taken);
  }

  push(value, todo) {
    if (Array.isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) todo.push([unbox(value[i]), `item${i}`]);
      return;
    }
    const keys = Object.keys(value);
    for (let i = keys.length - 1; i >= 0; i--) todo.push([unbox(value[keys[i]]), keys[i]]);
  }

  /** In the order in which they are written. */
  nameAll(root, taken) {
    if (this.names.size === 0) return;
    const seen = new Set();
    const todo = [[root, "root"]];
    while (todo.length > 0) {
      const [value, hint] = todo.pop();
      if (!isObject(value) || seen.has(value)) continue;
      seen.add(value);
      if (this.names.has(value)) {
        const base = /^[\w-]+$/.test(hint) ? hint : "value";
        let name = base;
        for (let k = 1; taken.has(name); k++) name = `${base}${k}`;
        taken.add(name);
        this.names.set(value, name);
      }
      this.push(value, todo);
    }
  }

  scalar(value) {
    switch (typeof value) {
      case "string": return stringText(value);
      case "number": return numberText(value);
      case "boolean": return `${value}`;
      case "bigint": throw new Error("YAML.stringify cannot serialize BigInt");
      default: return "null";
    }
  }

  /** `*name` for what was written before, else undefined; and the anchor of what is new. */
  anchor(value) {
    const name = this.names.get(value);
    if (name === undefined) return ["", undefined];
    if (this.written.has(value)) return ["", `*${name}`];
    this.written.add(value);
    return [`&${name}`, undefined];
  }

  flow(value, depth) {
    if (!isObject(value)) return this.scalar(value);
    if (depth > DEPTH_MAX) throw new RangeError("YAML.stringify: nested too deeply");
    const [anchor, alias] = this.anchor(value);
    if (alias !== undefined) return alias;
    const head = anchor === "" ? "" : `${anchor} `;
    const parts = [];
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        const item = unbox(value[i]);
        if (!isAbsent(item)) parts.push(this.flow(item, depth + 1));
      }
      return `${head}[${parts.join()}]`;
    }
    for (const key of Object.keys(value)) {
      const item = unbox(value[key]);
      if (!isAbsent(item)) parts.push(`${stringText(key)}: ${this.flow(item, depth + 1)}`);
    }
    return `${head}{${parts.join()}}`;
  }

  /** The lines of a value; those of an item or member begin on the line of its dash or key. */
  block(value, pad, depth) {
    if (!isObject(value)) return this.scalar(value);
    if (depth > DEPTH_MAX) throw new RangeError("YAML.stringify: nested too deeply");
    const [anchor, alias] = this.anchor(value);
    if (alias !== undefined) return alias;
    const lines = Array.isArray(value)
      ? this.items(value, pad, depth)
      : this.members(value, pad, depth);
    const isEmpty = lines.length === 0;
    const body = isEmpty ? (Array.isArray(value) ? "[]" : "{}") : lines.join(`\n${pad}`);
    if (anchor === "") return body;
    return isEmpty ? `${anchor} ${body}` : `${anchor}\n${pad}${body}`;
  }

  items(value, pad, depth) {
    const lines = [];
    for (let i = 0; i < value.length; i++) {
      const item = unbox(value[i]);
      if (!isAbsent(item)) lines.push(`- ${this.block(item, `${pad}  `, depth + 1)}`);
    }
    return lines;
  }

  members(value, pad, depth) {
    const lines = [];
    for (const key of Object.keys(value)) {
      const item = unbox(value[key]);
      if (isAbsent(item)) continue;
      const inner = pad + this.indent;
      const text = this.block(item, inner, depth + 1);
      const isInline = !isObject(item) || text === "[]" || text === "{}";
      lines.push(`${stringText(key)}:${isInline ? " " : `\n${inner}`}${text}`);
    }
    return lines;
  }
}

exports.stringify = function stringify(value, replacer, space) {
  if (replacer !== undefined && replacer !== null) {
    throw new Error("YAML.stringify does not support the replacer argument");
  }
  const root = unbox(value);
  if (isAbsent(root)) return undefined;
  const width = unbox(space);
  const indent = typeof width === "number"
    ? " ".repeat(Math.min(10, Math.max(0, Math.trunc(width) || 0)))
    : typeof width === "string" ? width.slice(0, 10) : "";
  const writer = new Writer(indent);
  writer.scan(root);
  return indent === "" ? writer.flow(root, 0) : writer.block(root, "", 0);
};
