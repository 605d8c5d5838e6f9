// @internal
// internal/macro -- functions that are called while a file is compiled (Bun: bundler/macros).
//
// native: wait(value) gives the value of a promise, running the loop until it is settled, or throws
// its reason; other values are given back.

const DEPTH_MAX = 100;

function refuse(value) {
  const name = typeof value === "object" ? (value.constructor?.name ?? "an object") : typeof value;
  throw new TypeError(`cannot coerce ${name} to Bun's AST. Please return a simpler type`);
}

function numberText(n) {
  if (n !== n) return "0/0";
  if (n === Infinity || n === -Infinity) return n > 0 ? "1/0" : "-1/0";
  return Object.is(n, -0) ? "-0" : String(n);
}

function isPlain(value) {
  const proto = Object.getPrototypeOf(value);
  return proto === null || proto === Object.prototype;
}

function keyOf(name) {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

/** JavaScript made of literals alone. */
function textOf(value, depth) {
  if (depth > DEPTH_MAX) throw new RangeError("the value of a macro is nested too deeply");
  if (value === null) return "null";
  switch (typeof value) {
    case "undefined": return "void 0";
    case "boolean": return String(value);
    case "number": return numberText(value);
    case "string": return JSON.stringify(value);
    case "object": break;
    default: refuse(value);
  }
  if (Array.isArray(value)) return `[${Array.from(value, (v) => textOf(v, depth + 1)).join()}]`;
  if (!isPlain(value)) refuse(value);
  const parts = Object.keys(value).map((k) => `${keyOf(k)}:${textOf(value[k], depth + 1)}`);
  return `{${parts.join()}}`;
}

const settle = native.wait;

/** Bodies by their type: JSON as what it means, text as it is, all else in base64. */
function bodyOf(value, type) {
  if (/[/+]json\b/.test(type)) return settle(value.json());
  if (/^text\//.test(type)) return settle(value.text());
  return Buffer.from(settle(value.arrayBuffer())).toString("base64");
}

function plainOf(value) {
  if (value === null || typeof value !== "object" || isPlain(value)) return value;
  if (value instanceof Response) return bodyOf(value, value.headers.get("content-type") ?? "");
  return value instanceof Blob ? bodyOf(value, value.type) : value;
}

/**
 * Calls the export `name` of the module that `specifier` means in the file `importer`, with the
 * array of literals that `args` says, and gives its value as a text of literals.
 */
function call(importer, specifier, name, args) {
  if (importer.includes("/node_modules/")) {
    throw new Error("For security reasons, macros cannot be run from node_modules.");
  }
  const module = require("node:module").createRequire(importer)(specifier);
  const found = module?.[name] ?? (name === "default" ? module : undefined);
  if (typeof found !== "function") {
    throw new TypeError(`"${name}" of "${specifier}" is not a function, so it cannot be a macro`);
  }
  const list = new Function(`return ${args}`)();
  return textOf(plainOf(settle(found.apply(undefined, list))), 0);
}

exports.call = call;
