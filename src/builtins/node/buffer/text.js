// @internal
// node:buffer/text -- encodings: their names, bytes to strings and back.
//
// native: decode(encoding, bytes, start, end) -> string, null (too long) or undefined (no bytes);
//   encode(encoding, bytes, string, offset, length) -> bytes written, or -1 (no bytes);
//   copyAscii(bytes, string) -> was the string ASCII, of just that size, and is now there?
//   utf8Length(string); hasBytes(value): is it a view or a buffer of any kind?
//   isAscii(bytes), isUtf8(bytes) -> boolean, or undefined (detached)
const errors = require("internal/errors");

const { decode, encode, utf8Length } = native;
const { isView } = ArrayBuffer;
const U8 = Uint8Array;

// As in text.c.
const UTF8 = 0;
const UTF16 = 1;
const LATIN1 = 2;
const ASCII = 3;
const BASE64 = 4;
const BASE64URL = 5;
const HEX = 6;
const UNKNOWN = -1;

const kStringMaxLength = 0x7fffffff;

const ids = {
  __proto__: null,
  "utf8": UTF8,
  "utf-8": UTF8,
  "ucs2": UTF16,
  "ucs-2": UTF16,
  "utf16le": UTF16,
  "utf-16le": UTF16,
  "latin1": LATIN1,
  "binary": LATIN1,
  "ascii": ASCII,
  "base64": BASE64,
  "base64url": BASE64URL,
  "hex": HEX,
};
const names = ["utf8", "utf16le", "latin1", "ascii", "base64", "base64url", "hex"];
const LONGEST_NAME = 9;

function slowIdOf(encoding) {
  const text = `${encoding}`;
  if (text.length > LONGEST_NAME) return UNKNOWN;
  return ids[text] ?? ids[text.toLowerCase()] ?? UNKNOWN;
}

/** The number of an encoding's name in any case, or UNKNOWN. */
function idOf(encoding) {
  switch (encoding) {
    case "utf8": case "utf-8": return UTF8;
    case "hex": return HEX;
    case "base64": return BASE64;
    case "latin1": case "binary": return LATIN1;
    case "ascii": return ASCII;
    case "base64url": return BASE64URL;
    case "utf16le": case "ucs2": return UTF16;
    default: return slowIdOf(encoding);
  }
}

/** The same for optional names: null, undefined and "" are UTF-8; what is no string is unknown. */
function optionalIdOf(encoding) {
  if (encoding === undefined || encoding === null || encoding === "") return UTF8;
  return typeof encoding === "string" ? idOf(encoding) : UNKNOWN;
}

function idOrThrow(encoding) {
  const id = idOf(encoding);
  if (id === UNKNOWN) throw new errors.ERR_UNKNOWN_ENCODING(encoding);
  return id;
}

function throwUndecoded(result) {
  if (result === null) throw new errors.ERR_STRING_TOO_LONG(kStringMaxLength.toString(16));
  throw errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", "argument must be a buffer");
}

/** The text of a part of a buffer; the part is cut to what is there. */
function decodeRange(bytes, id, start, end) {
  const text = decode(id, bytes, start, end);
  if (typeof text !== "string") throwUndecoded(text);
  return text;
}

function throwNotString() {
  throw errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", "argument must be a string");
}

/** Writes what fits in `length` bytes from `offset` on; returns the number of bytes. */
function encodeInto(bytes, id, string, offset, length) {
  if (typeof string !== "string") throwNotString();
  const n = encode(id, bytes, string, offset, length);
  if (n < 0) throwUndecoded(undefined);
  return n;
}

/** The bytes a string takes; for base64 and hex an upper bound, as in Node. */
function lengthOf(string, id) {
  const n = string.length;
  switch (id) {
    case UTF8: return utf8Length(string);
    case UTF16: return n * 2;
    case HEX: return Math.floor(n / 2);
    case BASE64: case BASE64URL: {
      let chars = n;
      if (string.charCodeAt(n - 1) === 0x3d) chars--;
      if (chars > 1 && string.charCodeAt(chars - 1) === 0x3d) chars--;
      return Math.floor((chars * 3) / 4);
    }
    default: return n;
  }
}

// ---- Methods of Buffer.prototype ----------------------------------------------------------------

function indexOutOfRange() {
  return errors.makeCoded("RangeError", "ERR_OUT_OF_RANGE", "Index out of range");
}

/** A whole number; negative ones throw. */
function toIndex(value) {
  const n = Math.trunc(+value) || 0;
  if (n < 0) throw indexOutOfRange();
  return n;
}

/** xSlice(start, end) */
function makeSlice(id, name) {
  return {
    [name](start, end) {
      if (!(this instanceof U8) && !isView(this)) throwUndecoded(undefined);
      if (this.byteLength === 0) return "";
      const from = start === undefined ? 0 : toIndex(start);
      const to = end === undefined ? this.byteLength : toIndex(end);
      if (to <= from) return "";
      if (to > this.byteLength) throw indexOutOfRange();
      return decodeRange(this, id, from, to);
    },
  }[name];
}

/** xWrite(string, offset, length) */
function makeWrite(id, name) {
  const isStrict = id === UTF8 || id === LATIN1 || id === ASCII;
  return {
    [name](string, offset, length) {
      if (!(this instanceof U8) && !isView(this)) throwUndecoded(undefined);
      if (typeof string !== "string") throwNotString();
      const size = this.byteLength;
      const outside = (what) => new errors.ERR_BUFFER_OUT_OF_BOUNDS(what);
      if (offset === undefined) offset = 0;
      if (isStrict) {
        if (length === undefined) length = size - offset;
        if (offset < 0 || offset > size) throw outside("offset");
        if (length < 0 || length > size - offset) throw outside("length");
      }
      const from = toIndex(offset);
      if (from > size) throw outside("offset");
      return encodeInto(this, id, string, from, length === undefined ? size : toIndex(length));
    },
  }[name];
}

const kMethodPrefixes = {
  __proto__: null,
  ascii: ASCII,
  base64: BASE64,
  base64url: BASE64URL,
  latin1: LATIN1,
  hex: HEX,
  ucs2: UTF16,
  utf16le: UTF16,
  utf8: UTF8,
};

/** Adds asciiSlice, asciiWrite and so on. */
function defineTextMethods(proto) {
  for (const prefix in kMethodPrefixes) {
    const id = kMethodPrefixes[prefix];
    proto[`${prefix}Slice`] = makeSlice(id, `${prefix}Slice`);
    proto[`${prefix}Write`] = makeWrite(id, `${prefix}Write`);
  }
}

function validateInput(input) {
  if (isView(input) ? !(input instanceof DataView) : native.hasBytes(input)) return;
  throw new errors.ERR_INVALID_ARG_TYPE("input", ["ArrayBuffer", "Buffer", "TypedArray"], input);
}

function checkText(input, test) {
  validateInput(input);
  const result = test(input);
  if (result === undefined) {
    throw new errors.ERR_INVALID_STATE("Cannot validate on a detached buffer");
  }
  return result;
}

exports.hasBytes = native.hasBytes;
exports.copyAscii = native.copyAscii;
exports.isUtf8 = function isUtf8(input) {
  return checkText(input, native.isUtf8);
};
exports.isAscii = function isAscii(input) {
  return checkText(input, native.isAscii);
};

Object.assign(exports, {
  UTF8, UTF16, LATIN1, ASCII, BASE64, BASE64URL, HEX, UNKNOWN, kStringMaxLength, names,
  idOf, optionalIdOf, idOrThrow, decodeRange, encodeInto, lengthOf,
  defineTextMethods,
});
