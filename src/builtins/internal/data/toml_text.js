// internal/data/toml_text -- TOML.stringify: values of a table first, then tables and arrays of
// tables, each with its header.
const bareKey = /^[A-Za-z0-9_-]+$/;
const DEPTH_MAX = 500;
const escapes = {
  __proto__: null,
  "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\",
};

const escapeChar = (c) =>
  escapes[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`;
const quote = (s) => `"${s.toWellFormed().replace(/["\\\x00-\x1f\x7f]/g, escapeChar)}"`;
const keyText = (key) => (bareKey.test(key) ? key : quote(key));
const isAbsent = (value) => value === undefined || typeof value === "function" ||
  typeof value === "symbol";
const isTable = (value) => typeof value === "object" && value !== null && !Array.isArray(value) &&
  !(value instanceof Date);
const isTables = (value) => Array.isArray(value) && value.length > 0 && value.every(isTable);

function numberText(n) {
  if (n !== n) return "nan";
  if (n === Infinity) return "inf";
  if (n === -Infinity) return "-inf";
  return Object.is(n, -0) ? "-0.0" : `${n}`;
}

/** A value behind an equals sign. */
function inline(value, depth) {
  if (depth > DEPTH_MAX) throw new Error("TOML.stringify: nested too deeply, or circular");
  switch (typeof value) {
    case "string": return quote(value);
    case "number": return numberText(value);
    case "boolean": return `${value}`;
    case "bigint": throw new Error("TOML.stringify cannot serialize BigInt");
    default:
  }
  if (value instanceof Date) return value.toISOString().replace(".000Z", "Z");
  if (Array.isArray(value)) return `[${value.map((item) => itemText(item, depth)).join(", ")}]`;
  const parts = [];
  for (const key of Object.keys(value)) {
    if (isAbsent(value[key])) continue;
    checkNull(value[key], key);
    parts.push(`${keyText(key)} = ${inline(value[key], depth + 1)}`);
  }
  return parts.length === 0 ? "{}" : `{ ${parts.join(", ")} }`;
}

function itemText(item, depth) {
  if (item === null || isAbsent(item)) throw new Error("TOML cannot represent null in an array");
  return inline(item, depth + 1);
}

function checkNull(value, key) {
  if (value !== null) return;
  throw new Error(
    `TOML cannot represent null (key '${key}'); remove the key or use a sentinel value`,
  );
}

/** Appends the sections of a table to `out`; `path` is the text of its header. */
function writeTable(table, path, header, out) {
  if (path.split(".").length > DEPTH_MAX) {
    throw new Error("TOML.stringify: nested too deeply, or circular");
  }
  const lines = [];
  const later = [];
  for (const key of Object.keys(table)) {
    const value = table[key];
    if (isAbsent(value)) continue;
    checkNull(value, key);
    if (isTable(value) || isTables(value)) later.push(key);
    else lines.push(`${keyText(key)} = ${inline(value, 0)}\n`);
  }
  const isNeeded = lines.length > 0 || later.length === 0 || header.startsWith("[[");
  if (header !== "" && isNeeded) out.push(`${header}\n${lines.join("")}`);
  else if (lines.length > 0) out.push(lines.join(""));
  for (const key of later) {
    const inner = path === "" ? keyText(key) : `${path}.${keyText(key)}`;
    if (isTable(table[key])) writeTable(table[key], inner, `[${inner}]`, out);
    else for (const item of table[key]) writeTable(item, inner, `[[${inner}]]`, out);
  }
}

exports.stringify = function stringify(value) {
  if (!isTable(value)) {
    throw new Error(
      "TOML.stringify expects an object at the top level (a TOML document is a table)",
    );
  }
  const out = [];
  writeTable(value, "", "", out);
  return out.join("\n");
};
