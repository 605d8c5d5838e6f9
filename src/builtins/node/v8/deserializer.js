// @internal
// node:v8/deserializer -- values from bytes in V8's format (versions 13 to 15).
const MIN_VERSION = 13;
const MAX_VERSION = 15;
const DEPTH_MAX = 4000;
const FLAGS = Object.entries({ d: 128, g: 1, i: 2, m: 4, s: 32, u: 16, v: 256, y: 8 });
const ERRORS = {
  E: EvalError, R: RangeError, F: ReferenceError, S: SyntaxError, T: TypeError, U: URIError,
};
const VIEWS = {
  b: Int8Array, B: Uint8Array, C: Uint8ClampedArray, w: Int16Array, W: Uint16Array, d: Int32Array,
  D: Uint32Array, h: Float16Array, f: Float32Array, F: Float64Array, q: BigInt64Array,
  Q: BigUint64Array, "?": DataView,
};

function define(object, name, value) {
  Object.defineProperty(object, name, {
    __proto__: null, value, writable: true, enumerable: true, configurable: true,
  });
}

function hidden(object, name, value) {
  Object.defineProperty(object, name, {
    __proto__: null, value, writable: true, enumerable: false, configurable: true,
  });
}

function bad() {
  return new Error("Unable to deserialize cloned data.");
}

class Deserializer {
  #bytes;
  #at = 0;
  #made = [];
  #buffers = new Map();
  #version = 0;
  #depth = 0;

  constructor(buffer) {
    if (!ArrayBuffer.isView(buffer) && !(buffer instanceof ArrayBuffer)) {
      const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
      throw new ERR_INVALID_ARG_TYPE("buffer", ["ArrayBufferView", "ArrayBuffer"], buffer);
    }
    this.buffer = buffer;
    this.#bytes = ArrayBuffer.isView(buffer)
      ? Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength)
      : Buffer.from(buffer);
  }

  #byte() {
    if (this.#at >= this.#bytes.length) throw bad();
    return this.#bytes[this.#at++];
  }

  #tag() {
    let byte = this.#byte();
    while (byte === 0) byte = this.#byte(); // padding
    return String.fromCharCode(byte);
  }

  #varint() {
    let value = 0;
    for (let factor = 1, i = 0; i < 8; i++, factor *= 0x80) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw bad();
  }

  #skip(n) {
    const start = this.#at;
    if (n > this.#bytes.length - start) throw bad();
    this.#at += n;
    return start;
  }

  readHeader() {
    if (this.#byte() !== 0xff) throw bad();
    this.#version = this.#varint();
    if (this.#version < MIN_VERSION || this.#version > MAX_VERSION) {
      throw new Error("Unable to deserialize cloned data due to invalid or unsupported version.");
    }
    return true;
  }

  getWireFormatVersion() {
    return this.#version;
  }

  readUint32() {
    return this.#varint() >>> 0;
  }

  readUint64() {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) break;
      if (shift > 63n) throw bad();
    }
    return [Number((value >> 32n) & 0xffffffffn), Number(value & 0xffffffffn)];
  }

  readDouble() {
    return this.#bytes.readDoubleLE(this.#skip(8));
  }

  _readRawBytes(n) {
    return this.#skip(n);
  }

  readRawBytes(n) {
    const start = this.#skip(n);
    return this.#bytes.subarray(start, start + n);
  }

  transferArrayBuffer(id, buffer) {
    this.#buffers.set(id, buffer);
  }

  #keep(object) {
    this.#made.push(object);
    return object;
  }

  readValue() {
    if (++this.#depth > DEPTH_MAX) throw bad();
    const value = this.#read(this.#tag());
    this.#depth--;
    // A view follows its buffer.
    if (value instanceof ArrayBuffer && this.#bytes[this.#at] === 0x56) {
      this.#at++;
      return this.#view(value);
    }
    return value;
  }

  #read(tag) {
    switch (tag) {
      case "_": return undefined;
      case "0": return null;
      case "T": return true;
      case "F": return false;
      case "I": {
        const n = this.#varint();
        return (n >>> 1) ^ -(n & 1);
      }
      case "U": return this.#varint() >>> 0;
      case "N": return this.readDouble();
      case "Z": return this.#bigint();
      case '"': case "c": case "S": return this.#string(tag);
      case "^": {
        const id = this.#varint();
        if (id >= this.#made.length) throw bad();
        return this.#made[id];
      }
      default: return this.#object(tag);
    }
  }

  #object(tag) {
    switch (tag) {
      case "o": return this.#properties(this.#keep({}), "{");
      case "A": return this.#dense();
      case "a": return this.#sparse();
      case "D": return this.#keep(new Date(this.readDouble()));
      case "y": return this.#keep(Object(true));
      case "x": return this.#keep(Object(false));
      case "n": return this.#keep(Object(this.readDouble()));
      case "z": return this.#keep(Object(this.#bigint()));
      case "s": return this.#keep(Object(this.#string(this.#tag())));
      case "R": return this.#regexp();
      case ";": return this.#map();
      case "'": return this.#set();
      case "B": return this.#buffer(false);
      case "~": return this.#buffer(true);
      case "t": return this.#keep(this.#found(this.#buffers.get(this.#varint())));
      case "u": return this.#keep(this.#found(this.#buffers.get(this.#varint())));
      case "r": return this.#error();
      case "\\": return this.#host();
      default: throw bad();
    }
  }

  #found(buffer) {
    if (buffer === undefined) throw bad();
    return buffer;
  }

  #string(tag) {
    const size = this.#varint();
    const start = this.#skip(size);
    const encoding = tag === '"' ? "latin1" : tag === "c" ? "utf16le" : "utf8";
    return this.#bytes.toString(encoding, start, start + size);
  }

  #bigint() {
    const bits = this.#varint();
    const size = Math.floor(bits / 2);
    const start = this.#skip(size);
    const hex = Buffer.from(this.#bytes.subarray(start, start + size)).reverse().toString("hex");
    const value = hex === "" ? 0n : BigInt(`0x${hex}`);
    return bits % 2 === 1 ? -value : value;
  }

  #properties(object, end) {
    let n = 0;
    for (;;) {
      const tag = this.#tag();
      if (tag === end) break;
      const name = this.#read(tag);
      if (typeof name !== "string" && typeof name !== "number") throw bad();
      define(object, name, this.readValue());
      n++;
    }
    if (this.#varint() !== n) throw bad();
    return object;
  }

  #dense() {
    const length = this.#varint();
    if (length > this.#bytes.length - this.#at) throw bad();
    const array = this.#keep(new Array(length));
    for (let i = 0; i < length; i++) {
      if (this.#bytes[this.#at] === 0x2d) this.#at++;
      else array[i] = this.readValue();
    }
    this.#properties(array, "$");
    if (this.#varint() !== length) throw bad();
    return array;
  }

  #sparse() {
    const length = this.#varint();
    if (length > 0xffffffff) throw bad();
    const array = this.#keep([]);
    array.length = length;
    this.#properties(array, "@");
    this.#varint();
    return array;
  }

  #map() {
    const map = this.#keep(new Map());
    let n = 0;
    while (this.#bytes[this.#at] !== 0x3a) {
      const key = this.readValue();
      map.set(key, this.readValue());
      n += 2;
    }
    this.#at++;
    if (this.#varint() !== n) throw bad();
    return map;
  }

  #set() {
    const set = this.#keep(new Set());
    let n = 0;
    for (; this.#bytes[this.#at] !== 0x2c; n++) set.add(this.readValue());
    this.#at++;
    if (this.#varint() !== n) throw bad();
    return set;
  }

  #regexp() {
    const source = this.#string(this.#tag());
    const bits = this.#varint();
    const flags = FLAGS.filter(({ 1: bit }) => bits & bit).map(({ 0: flag }) => flag).join("");
    return this.#keep(new RegExp(source, flags));
  }

  #buffer(isResizable) {
    const size = this.#varint();
    const max = isResizable ? this.#varint() : undefined;
    const start = this.#skip(size);
    const options = isResizable ? { maxByteLength: max } : undefined;
    const buffer = new ArrayBuffer(size, options);
    new Uint8Array(buffer).set(this.#bytes.subarray(start, start + size));
    return this.#keep(buffer);
  }

  #view(buffer) {
    const Class = VIEWS[this.#tag()];
    const offset = this.#varint();
    const size = this.#varint();
    if (this.#version >= 14) this.#varint();
    if (Class === undefined) throw bad();
    return this.#keep(new Class(buffer, offset, size / (Class.BYTES_PER_ELEMENT ?? 1)));
  }

  #error() {
    const id = this.#made.push(null) - 1;
    let Class = Error;
    const parts = {};
    for (;;) {
      const tag = this.#tag();
      if (tag === ".") break;
      if (tag === "m") parts.message = this.#string(this.#tag());
      else if (tag === "s") parts.stack = this.#string(this.#tag());
      else if (tag === "c") parts.cause = this.readValue();
      else if (ERRORS[tag] !== undefined) Class = ERRORS[tag];
      else throw bad();
    }
    const error = new Class();
    for (let i = 0, all = Object.keys(parts); i < all.length; i++) {
      const name = all[i];
      hidden(error, name, parts[name]);
    }
    this.#made[id] = error;
    return error;
  }

  #host() {
    if (typeof this._readHostObject !== "function") throw bad();
    const id = this.#made.push(null) - 1;
    const object = this._readHostObject();
    this.#made[id] = object;
    return object;
  }
}

exports.Deserializer = Deserializer;
