// internal/data/json5_text -- JSON5.stringify: single quotes, names without quotes, trailing commas
// when it is indented.
const name = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
const escapes = {
  __proto__: null,
  "\0": "\\0", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r",
  "'": "\\'", "\\": "\\\\", "\u2028": "\\u2028", "\u2029": "\\u2029",
};
const special = /['\\\x00-\x1f\x7f\u2028\u2029]/g;

const escapeChar = (c) =>
  escapes[c] ?? `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`;
const quote = (s) => `'${s.replace(special, escapeChar)}'`;
const isAbsent = (value) => value === undefined || typeof value === "function" ||
  typeof value === "symbol";

function text(value, indent, pad, open) {
  switch (typeof value) {
    case "string": return quote(value);
    case "number": return Object.is(value, -0) ? "0" : `${value}`;
    case "boolean": return `${value}`;
    case "bigint": throw new Error("JSON5.stringify cannot serialize BigInt");
    default:
  }
  if (isAbsent(value) || value === null) return "null";
  const isBox = value instanceof Number || value instanceof String || value instanceof Boolean;
  if (isBox) return text(value.valueOf(), indent, pad, open);
  if (open.includes(value)) throw new Error("Converting circular structure to JSON5");
  open.push(value);
  const inner = pad + indent;
  const isList = Array.isArray(value);
  const parts = isList
    ? Array.from(value, (item) => text(item, indent, inner, open))
    : membersOf(value, indent, inner, open);
  open.pop();
  const [begin, end] = isList ? "[]" : "{}";
  if (parts.length === 0) return begin + end;
  if (indent === "") return begin + parts.join() + end;
  return `${begin}\n${parts.map((part) => `${inner}${part},\n`).join("")}${pad}${end}`;
}

function membersOf(value, indent, inner, open) {
  const parts = [];
  for (const key of Object.keys(value)) {
    if (isAbsent(value[key])) continue;
    const label = name.test(key) ? key : quote(key);
    parts.push(`${label}:${indent === "" ? "" : " "}${text(value[key], indent, inner, open)}`);
  }
  return parts;
}

exports.stringify = function stringify(value, replacer, space) {
  if (replacer !== undefined && replacer !== null) {
    throw new Error("JSON5.stringify does not support the replacer argument");
  }
  if (isAbsent(value)) return undefined;
  const indent = typeof space === "number"
    ? " ".repeat(Math.min(10, Math.max(0, Math.trunc(space) || 0)))
    : typeof space === "string" ? space.slice(0, 10) : "";
  return text(value, indent, "", []);
};
