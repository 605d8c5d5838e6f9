// @internal
// bun:tools -- small members of the Bun object: text, ids, paths, buffers.
const { ERR_INVALID_ARG_TYPE } = require("internal/errors");

const PATH_MAX = 4096;
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

exports.escapeHTML = function escapeHTML(value) {
  const text = `${value}`;
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (c) => ENTITIES[c]) : text;
};

/** Columns on a terminal; escape sequences have none unless `countAnsiEscapeCodes`. */
exports.stringWidth = function stringWidth(text, options = {}) {
  const width = require("internal/inspect/string_width");
  const { countAnsiEscapeCodes = false } = options ?? {};
  const string = text === undefined ? "" : `${text}`;
  return countAnsiEscapeCodes ? width.codePointsWidth(string) : width.stringWidth(string);
};

exports.stripANSI = function stripANSI(text) {
  return require("internal/inspect/string_width").stripVTControlCharacters(`${text}`);
};

/** A copy of plain objects and arrays without properties that are undefined. */
function withoutUndefined(value, seen) {
  if (typeof value !== "object" || value === null) return value;
  const proto = Object.getPrototypeOf(value);
  const isArray = Array.isArray(value);
  if (!isArray && proto !== Object.prototype && proto !== null) return value;
  if (seen.has(value)) return seen.get(value);
  const copy = isArray ? [] : {};
  seen.set(value, copy);
  for (const key of Reflect.ownKeys(value)) {
    if (isArray && key === "length") continue;
    const member = value[key];
    if (member !== undefined || isArray) copy[key] = withoutUndefined(member, seen);
  }
  return copy;
}

/** With `isStrict` as toStrictEqual; without, neither prototypes nor undefined properties count. */
exports.deepEquals = function deepEquals(a, b, isStrict = false) {
  const { isDeepStrictEqual } = require("internal/deep_equal");
  if (isStrict) return isDeepStrictEqual(a, b);
  if (isDeepStrictEqual(a, b, true)) return true;
  return isDeepStrictEqual(withoutUndefined(a, new Map()), withoutUndefined(b, new Map()), true);
};

const isObject = (value) =>
  typeof value === "function" || (typeof value === "object" && value !== null);

/** Has `object` all that `subset` has?  Arrays are as long; functions are alike, as in Bun. */
function matches(subset, object, seen) {
  if (!isObject(subset) || !isObject(object)) return Object.is(subset, object);
  if (typeof subset === "function" || typeof object === "function") {
    return typeof subset === typeof object;
  }
  if (seen.get(subset) === object) return true;
  seen.set(subset, object);
  const isArray = Array.isArray(subset);
  if (isArray !== Array.isArray(object)) return false;
  if (isArray && subset.length !== object.length) return false;
  const { toString } = Object.prototype;
  if (!isArray && toString.call(subset) !== "[object Object]") {
    return require("internal/deep_equal").isDeepStrictEqual(object, subset, true);
  }
  return Reflect.ownKeys(subset).every((key) => {
    if (!Object.prototype.propertyIsEnumerable.call(subset, key)) return true;
    return key in object && matches(subset[key], object[key], seen);
  });
}

exports.deepMatch = function deepMatch(subset, object) {
  if (!isObject(subset) || !isObject(object)) {
    throw new TypeError("Expected 2 objects to match");
  }
  return matches(subset, object, new Map());
};

/** Where the next line break at or after `offset` is; -1: none. */
exports.indexOfLine = function indexOfLine(buffer, offset = 0) {
  if (!ArrayBuffer.isView(buffer) && !(buffer instanceof ArrayBuffer)) {
    throw new ERR_INVALID_ARG_TYPE("buffer", ["ArrayBufferView", "ArrayBuffer"], buffer);
  }
  const bytes = ArrayBuffer.isView(buffer)
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : new Uint8Array(buffer);
  return bytes.indexOf(10, Math.max(0, Math.trunc(offset) || 0));
};

exports.concatArrayBuffers = function concatArrayBuffers(list, maxLength, asUint8Array = false) {
  if (typeof maxLength === "boolean") [asUint8Array, maxLength] = [maxLength, undefined];
  const parts = Array.from(list, (part) =>
    ArrayBuffer.isView(part)
      ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
      : new Uint8Array(part),
  );
  const total = Math.min(
    parts.reduce((sum, part) => sum + part.length, 0),
    maxLength ?? Infinity,
  );
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    if (at >= total) break;
    const piece = part.subarray(0, total - at);
    bytes.set(piece, at);
    at += piece.length;
  }
  return asUint8Array ? bytes : bytes.buffer;
};

exports.allocUnsafe = function allocUnsafe(size) {
  if (typeof size !== "number" || !(size >= 0)) {
    throw new ERR_INVALID_ARG_TYPE("size", "number", size);
  }
  return new Uint8Array(size);
};

/** The path of a program, or null. */
exports.which = function which(command, options = {}) {
  if (typeof command !== "string") throw new ERR_INVALID_ARG_TYPE("command", "string", command);
  const path = require("node:path");
  const fs = require("node:fs");
  const { PATH = process.env.PATH ?? "", cwd = process.cwd() } = options ?? {};
  const isProgram = (file) => {
    try {
      // What is not there, the usual case, makes no error.
      if (!fs.statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
      fs.accessSync(file, fs.constants.X_OK);
      return true;
    } catch {
      return false;
    }
  };
  if (command === "") return null;
  if (command.length >= PATH_MAX) throw new Error("bin path is too long");
  if (command.includes("/")) {
    const file = path.resolve(cwd, command);
    return isProgram(file) ? file : null;
  }
  for (const dir of PATH.split(":")) {
    if (dir === "") continue;
    const file = path.join(path.resolve(cwd, dir), command);
    if (isProgram(file)) return file;
  }
  return null;
};

// ---- Ids

function encoded(bytes, encoding) {
  if (encoding === "buffer") return Buffer.from(bytes);
  if (encoding !== "hex") return Buffer.from(bytes).toString(encoding);
  const hex = Buffer.from(bytes).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function checkEncoding(encoding) {
  if (!["hex", "base64", "base64url", "buffer"].includes(encoding)) {
    throw new ERR_INVALID_ARG_TYPE("encoding", "one of hex, base64, base64url, buffer", encoding);
  }
}

let lastTime = -1;
let counter = 0;

/** RFC 9562, version 7; ids of one millisecond count up. */
exports.randomUUIDv7 = function randomUUIDv7(encoding = "hex", timestamp = Date.now()) {
  if (typeof encoding === "number") [encoding, timestamp] = ["hex", encoding];
  checkEncoding(encoding);
  const time = Math.trunc(Number(timestamp));
  if (!(time >= 0)) throw new ERR_INVALID_ARG_TYPE("timestamp", "number", timestamp);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  if (time === lastTime) counter = (counter + 1) & 0xfff;
  else counter = ((bytes[6] << 8) | bytes[7]) & 0x7ff;
  lastTime = time;
  for (let i = 0; i < 6; i++) bytes[i] = Math.floor(time / 256 ** (5 - i)) % 256;
  bytes[6] = 0x70 | (counter >> 8);
  bytes[7] = counter & 0xff;
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  return encoded(bytes, encoding);
};

const NAMESPACES = { dns: "0", url: "1", oid: "2", x500: "4" };

/** RFC 9562, version 5: SHA-1 of a namespace and a name. */
exports.randomUUIDv5 = function randomUUIDv5(name, namespace, encoding = "hex") {
  checkEncoding(encoding);
  const known = NAMESPACES[namespace];
  const text = known === undefined ? namespace : `6ba7b81${known}-9dad-11d1-80b4-00c04fd430c8`;
  const space =
    typeof text === "string" ? Buffer.from(text.replaceAll("-", ""), "hex") : Buffer.from(text);
  if (space.length !== 16) throw new ERR_INVALID_ARG_TYPE("namespace", "a UUID", namespace);
  const hash = require("node:crypto").createHash("sha1");
  const bytes = hash.update(space).update(name).digest().subarray(0, 16);
  bytes[6] = 0x50 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  return encoded(bytes, encoding);
};
