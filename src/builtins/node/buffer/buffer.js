// @global Buffer
// node:buffer -- Buffer and what stands beside it (Node: buffer).
//
// A Buffer is a Uint8Array with another prototype, made by the class FastBuffer; `Buffer` itself is
// the old function that may be called without `new`. Small arrays live in the engine's own heap,
// which is quicker than cutting them from a shared pool, so there is none: a Buffer has its memory
// to itself, as in Bun, and poolSize says nothing.
const errors = require("internal/errors");
const { lazy } = require("internal/process_util");
const { validateArray, validateInteger, validateNumber } = require("internal/validators");
const bytes = require("node:buffer/bytes");
const { apply } = Reflect;
const text = require("node:buffer/text");

const { kMaxLength, isUint8Array, validateOffset, copyBytes } = bytes;
const { UTF8, HEX, UNKNOWN, kStringMaxLength, decodeRange, encodeInto } = text;
const { isView } = ArrayBuffer;
const U8 = Uint8Array;
const AB = ArrayBuffer;
const { hasBytes, copyAscii } = text;
const { isArray } = Array;
const protoOfViews = Object.getPrototypeOf(Uint8Array.prototype);
const getterOf = (name) => Object.getOwnPropertyDescriptor(protoOfViews, name).get;
const lengthOfView = getterOf("length");
const tagOfView = getterOf(Symbol.toStringTag);
const { set: setElements, slice: sliceElements } = protoOfViews;
const objectValueOf = Object.prototype.valueOf;
const kInspectCustom = Symbol.for("nodejs.util.inspect.custom");

class FastBuffer extends Uint8Array {
  constructor(source, byteOffset, length) {
    if (typeof source === "number") super(source);
    else super(source, byteOffset, length);
  }
}

/** Between these sizes it pays to leave memory as it is found; greater pieces come empty anyway. */
const UNFILLED_MIN = 16384;
const UNFILLED_MAX = 2 ** 26;
/** More sources are not passed as arguments. */
const GATHER_MAX = 1000;

let inspectMaxBytes = 50;
let hasWarned = false;

function warnOfConstructor() {
  if (hasWarned || bytes.callerIsPackage()) return;
  hasWarned = true;
  process.emitWarning(
    "Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), " +
      "Buffer.allocUnsafe(), or Buffer.from() methods instead.",
    "DeprecationWarning", "DEP0005",
  );
}

function Buffer(arg, encodingOrOffset, length) {
  warnOfConstructor();
  if (typeof arg === "number") {
    if (typeof encodingOrOffset === "string") {
      throw new errors.ERR_INVALID_ARG_TYPE("string", "string", arg);
    }
    return Buffer.alloc(arg);
  }
  return Buffer.from(arg, encodingOrOffset, length);
}

const proto = FastBuffer.prototype;
Object.setPrototypeOf(Buffer, Uint8Array);
Buffer.prototype = proto;
Object.defineProperty(proto, "constructor", {
  value: Buffer, writable: true, enumerable: false, configurable: true,
});
Object.defineProperty(Buffer, Symbol.species, {
  get() { return FastBuffer; },
  enumerable: false,
  configurable: true,
});

// ---- Making them --------------------------------------------------------------------------------

function makeUnfilled(size) {
  return size < UNFILLED_MIN || size > UNFILLED_MAX
    ? new FastBuffer(size)
    : new FastBuffer(bytes.unfilled(size));
}

function fromString(string, encoding) {
  const id = typeof encoding !== "string" || encoding === "" ? UTF8 : text.idOf(encoding);
  if (id === UNKNOWN) throw new errors.ERR_UNKNOWN_ENCODING(encoding);
  const length = string.length;
  if (length === 0) return new FastBuffer(0);
  if (id === UTF8 && length < UNFILLED_MIN) {
    const buf = new FastBuffer(length);
    if (copyAscii(buf, string)) return buf;
  }
  const size = text.lengthOf(string, id);
  const buf = makeUnfilled(size);
  const n = encodeInto(buf, id, string, 0, size);
  if (n === size) return buf;
  // There was something in it that is no digit.
  const exact = new FastBuffer(n);
  copyBytes(buf, exact, 0, 0, n);
  return exact;
}

function fromArrayBuffer(buffer, byteOffset, length) {
  let offset = 0;
  if (byteOffset !== undefined) {
    offset = +byteOffset;
    if (offset !== offset) offset = 0;
  }
  const max = buffer.byteLength - offset;
  if (max < 0) throw new errors.ERR_BUFFER_OUT_OF_BOUNDS("offset");
  // Without a length the view follows a buffer that grows or shrinks.
  if (length === undefined) return new FastBuffer(buffer, offset);
  let n = +length;
  if (!(n > 0)) n = 0;
  else if (n > max) throw new errors.ERR_BUFFER_OUT_OF_BOUNDS("length");
  return new FastBuffer(buffer, offset, n);
}

function fromArrayLike(list) {
  const n = list.length;
  if (!(n > 0)) return new FastBuffer(0);
  if (n > kMaxLength) throw new errors.ERR_OUT_OF_RANGE("length", `<= ${kMaxLength}`, n);
  const buf = new FastBuffer(n);
  if (list instanceof U8 && copyBytes(list, buf, 0, 0, n) >= 0) return buf;
  if (isArray(list)) {
    for (let i = 0; i < n; i++) buf[i] = list[i];
  } else {
    setElements.call(buf, list, 0);
  }
  return buf;
}

function fromObject(object) {
  if (object.length !== undefined || hasBytes(object.buffer)) {
    return typeof object.length === "number" ? fromArrayLike(object) : new FastBuffer(0);
  }
  if (object.type === "Buffer" && isArray(object.data)) return fromArrayLike(object.data);
  return undefined;
}

/** By valueOf, as an array or { type: "Buffer" }, by Symbol.toPrimitive; undefined: not at all. */
function fromOther(value, encodingOrOffset, length) {
  const primitive = value.valueOf && value.valueOf();
  if (primitive !== undefined && primitive !== null && primitive !== value &&
      (typeof primitive === "string" || typeof primitive === "object")) {
    return Buffer.from(primitive, encodingOrOffset, length);
  }
  const buf = fromObject(value);
  if (buf !== undefined) return buf;
  const convert = value[Symbol.toPrimitive];
  if (typeof convert !== "function") return undefined;
  const string = convert.call(value, "string");
  return typeof string === "string" ? fromString(string, encodingOrOffset) : undefined;
}

function badSource(value) {
  return new errors.ERR_INVALID_ARG_TYPE(
    "first argument", ["string", "Buffer", "ArrayBuffer", "Array", "Array-like Object"], value,
  );
}

function badPart(list, i) {
  throw new errors.ERR_INVALID_ARG_TYPE(`list[${i}]`, ["Buffer", "Uint8Array"], list[i]);
}

/** The number of bytes that the parts have together. */
function checkParts(list) {
  let sum = 0;
  for (let i = 0; i < list.length; i++) {
    const part = list[i];
    if (!(part instanceof U8) && !isUint8Array(part)) badPart(list, i);
    sum += part.length;
  }
  return sum;
}

function copyPart(list, i, target, at) {
  const part = list[i];
  const isBytes = part instanceof U8 || isUint8Array(part);
  const n = isBytes ? copyBytes(part, target, at, 0, kMaxLength) : -1;
  if (n < 0) badPart(list, i);
  return n;
}

/** The parts, which seem to have `size` bytes; a property "length" of their own may have lied. */
function concatAll(list, size) {
  if (list.length > GATHER_MAX) return concatMany(list, size);
  const buf = makeUnfilled(size);
  const n = apply(bytes.gather, bytes, [buf].concat(list));
  if (n < 0) badPart(list, -1 - n);
  if (n === size) return buf;
  const parts = list.slice();
  const exact = new FastBuffer(apply(bytes.gather, bytes, [new FastBuffer(0)].concat(parts)));
  apply(bytes.gather, bytes, [exact].concat(parts));
  return exact;
}

function concatMany(list, size) {
  const buf = makeUnfilled(size);
  let n = 0;
  for (let i = 0; i < list.length; i++) n += copyPart(list, i, buf, n);
  return n === size ? buf : Buffer.from(buf.subarray(0, n));
}

function bytesOfView(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function checkSize(size) {
  if (typeof size !== "number" || !(size >= 0 && size <= kMaxLength)) {
    validateNumber(size, "size", 0, kMaxLength);
  }
}

Object.assign(Buffer, {
  poolSize: 8192,

  from(value, encodingOrOffset, length) {
    if (typeof value === "string") return fromString(value, encodingOrOffset);
    if (typeof value === "object" && value !== null) {
      if (value.valueOf === objectValueOf && (value instanceof U8 || isArray(value))) {
        return fromArrayLike(value);
      }
      if (value instanceof AB ? hasBytes(value) : hasBytes(value) && !isView(value)) {
        return fromArrayBuffer(value, encodingOrOffset, length);
      }
      const buf = fromOther(value, encodingOrOffset, length);
      if (buf !== undefined) return buf;
    }
    throw badSource(value);
  },

  copyBytesFrom(view, offset, length) {
    if (!isView(view) || tagOfView.call(view) === undefined) {
      throw new errors.ERR_INVALID_ARG_TYPE("view", ["TypedArray"], view);
    }
    const size = lengthOfView.call(view);
    if (size === 0) return new FastBuffer(0);
    if (offset === undefined && length === undefined) return fromArrayLike(bytesOfView(view));
    if (offset === undefined) offset = 0;
    else validateInteger(offset, "offset", 0);
    if (offset >= size) return new FastBuffer(0);
    let end = size;
    if (length !== undefined) {
      validateInteger(length, "length", 0);
      end = offset + length;
    }
    return fromArrayLike(bytesOfView(sliceElements.call(view, offset, end)));
  },

  of(...items) {
    const buf = new FastBuffer(items.length);
    for (let i = 0; i < items.length; i++) buf[i] = items[i];
    return buf;
  },

  alloc(size, fill, encoding) {
    checkSize(size);
    const buf = new FastBuffer(size);
    if (fill === undefined || fill === 0 || size === 0) return buf;
    return bytes.fill(buf, fill, 0, buf.length, encoding);
  },

  allocUnsafe(size) {
    checkSize(size);
    return makeUnfilled(size);
  },

  // As in Node, `new` may stand before it.
  allocUnsafeSlow: function allocUnsafeSlow(size) {
    checkSize(size);
    return makeUnfilled(size);
  },

  isBuffer(value) {
    return value instanceof Buffer;
  },

  compare: bytes.compareTwo,

  isEncoding(encoding) {
    return typeof encoding === "string" && text.idOf(encoding) !== UNKNOWN;
  },

  concat(list, length) {
    validateArray(list, "list");
    if (list.length === 0) return new FastBuffer(0);
    if (length === undefined) return concatAll(list, checkParts(list));
    validateOffset(length, "length");
    const buf = new FastBuffer(length);
    let at = 0;
    for (let i = 0; i < list.length; i++) at += copyPart(list, i, buf, at);
    return buf;
  },

  byteLength(string, encoding) {
    if (typeof string !== "string") {
      if (hasBytes(string)) return string.byteLength;
      throw new errors.ERR_INVALID_ARG_TYPE("string", ["string", "Buffer", "ArrayBuffer"], string);
    }
    const id = encoding ? text.idOf(encoding) : UTF8;
    return text.lengthOf(string, id === UNKNOWN ? UTF8 : id);
  },
});

// ---- Methods ------------------------------------------------------------------------------------

bytes.defineByteMethods(proto);
text.defineTextMethods(proto);
require("node:buffer/read").defineReadMethods(proto);
require("node:buffer/write").defineWriteMethods(proto);

/** An index as `subarray` takes it, within [0, length]. */
function clampIndex(index, length) {
  let n = Math.trunc(+index) || 0;
  if (n < 0) n += length;
  return n < 0 ? 0 : n > length ? length : n;
}

function subarrayOf(buf, start, end) {
  const size = buf.length;
  const from = start === undefined ? 0 : clampIndex(start, size);
  const to = end === undefined ? size : clampIndex(end, size);
  return new FastBuffer(buf.buffer, buf.byteOffset + from, to > from ? to - from : 0);
}

/** "name: value" of the properties that are not bytes, as the printer shows them. */
function extraProperties(buf, context) {
  const shown = { __proto__: null };
  let hasAny = false;
  for (let i = 0, all = Reflect.ownKeys(buf); i < all.length; i++) {
    const key = all[i];
    if (typeof key === "string" && /^(?:0|[1-9][0-9]*)$/.test(key)) continue;
    const isShown = Object.prototype.propertyIsEnumerable.call(buf, key) || context.showHidden;
    if (!isShown) continue;
    hasAny = true;
    shown[key] = buf[key];
  }
  if (!hasAny) return "";
  const { inspect } = require("internal/inspect");
  // Between "[Object: null prototype] { " and " }".
  return inspect(shown, { ...context, breakLength: Infinity, compact: true }).slice(27, -2);
}

const methods = {
  toString(encoding, start, end) {
    if (arguments.length === 0) return decodeRange(this, UTF8);
    const size = this.length;
    if (start <= 0) start = 0;
    else if (start >= size) return "";
    else start = Math.trunc(start) || 0;
    if (end === undefined || end > size) end = size;
    else end = Math.trunc(end) || 0;
    if (end <= start) return "";
    return decodeRange(this, encoding === undefined ? UTF8 : text.idOrThrow(encoding), start, end);
  },

  write(string, offset, length, encoding) {
    const size = this.length;
    if (offset === undefined) return encodeInto(this, UTF8, string, 0, size);
    let n = size;
    if (length === undefined && typeof offset === "string") {
      encoding = offset;
      offset = 0;
    } else {
      validateOffset(offset, "offset", size);
      n = size - offset;
      if (typeof length === "string") {
        encoding = length;
      } else if (length !== undefined) {
        validateOffset(length, "length", size);
        if (length < n) n = length;
      }
    }
    const id = encoding ? text.idOrThrow(encoding) : UTF8;
    return encodeInto(this, id, string, offset, n);
  },

  toJSON() {
    const n = this.length;
    const data = new Array(n > 0 ? n : 0);
    for (let i = 0; i < n; i++) data[i] = this[i];
    return { type: "Buffer", data };
  },

  inspect(recurseTimes, context) {
    const shownLength = Math.min(inspectMaxBytes, this.length);
    const hidden = this.length - shownLength;
    let inner = decodeRange(this, HEX, 0, shownLength).replace(/../g, "$& ").trim();
    if (hidden > 0) inner += ` ... ${hidden} more byte${hidden > 1 ? "s" : ""}`;
    const extra = context ? extraProperties(this, context) : "";
    if (extra) inner += this.length > 0 ? `, ${extra}` : extra;
    return `<${this.constructor?.name || "Buffer"} ${inner}>`;
  },

  subarray(start, end) {
    return subarrayOf(this, start, end);
  },

  slice(start, end) {
    return subarrayOf(this, start, end);
  },
};
Object.assign(proto, methods);
proto.toLocaleString = methods.toString;
proto[kInspectCustom] = methods.inspect;

for (let i = 0, all = [["parent", "buffer"], ["offset", "byteOffset"]]; i < all.length; i++) {
  const { 0: name, 1: property } = all[i];
  Object.defineProperty(proto, name, {
    get() { return this instanceof Buffer && isView(this) ? this[property] : undefined; },
    enumerable: true,
    configurable: true,
  });
}

// ---- The module ---------------------------------------------------------------------------------

let hasWarnedOfSlow = false;

function SlowBuffer(length) {
  if (!hasWarnedOfSlow) {
    hasWarnedOfSlow = true;
    process.emitWarning(
      "SlowBuffer() is deprecated. Please use Buffer.allocUnsafeSlow()",
      "DeprecationWarning", "DEP0030",
    );
  }
  return Buffer.allocUnsafeSlow(length);
}
Object.setPrototypeOf(SlowBuffer.prototype, Uint8Array.prototype);
Object.setPrototypeOf(SlowBuffer, Uint8Array);

exports.Buffer = Buffer;
exports.SlowBuffer = SlowBuffer;
exports.transcode = function transcode(source, fromEncoding, toEncoding) {
  return require("node:buffer/transcode").transcode(source, fromEncoding, toEncoding);
};
exports.isUtf8 = text.isUtf8;
exports.isAscii = text.isAscii;
exports.kMaxLength = kMaxLength;
exports.kStringMaxLength = kStringMaxLength;

Object.defineProperties(exports, {
  constants: {
    value: Object.defineProperties({}, {
      MAX_LENGTH: { value: kMaxLength, enumerable: true },
      MAX_STRING_LENGTH: { value: kStringMaxLength, enumerable: true },
    }),
    enumerable: true,
  },
  INSPECT_MAX_BYTES: {
    get() { return inspectMaxBytes; },
    set(value) {
      validateNumber(value, "INSPECT_MAX_BYTES", 0);
      inspectMaxBytes = value;
    },
    enumerable: true,
    configurable: true,
  },
});

function missingClass(name) {
  return {
    [name]: class {
      constructor() {
        throw errors.notImplemented(name);
      }
    },
  }[name];
}

lazy(exports, "atob", () => require("web/base64").atob);
lazy(exports, "btoa", () => require("web/base64").btoa);
lazy(exports, "Blob", () => globalThis.Blob ?? missingClass("Blob"));
lazy(exports, "File", () => globalThis.File ?? missingClass("File"));
exports.resolveObjectURL = function resolveObjectURL(id) {
  return require("web/blob/object_url").find(`${id}`);
};
