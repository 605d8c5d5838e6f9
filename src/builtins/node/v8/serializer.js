// @internal
// node:v8/serializer -- values as bytes, in the format of V8 that Node writes (version 15).
const { DataCloneError } = require("node:v8/shared");
const { kindOf } = require("web/structured_clone").native;

const VERSION = 15;
// Kinds of structured_clone.c.
const NONE = 0;
const ARRAY = 2;
const MAP = 3;
const SET = 4;
const DATE = 5;
const REGEXP = 6;
const ERROR = 7;
const BOXED = 8;
const BUFFER = 9;
const SHARED_BUFFER = 10;
const VIEW = 11;
const DEPTH_MAX = 4000;

const FLAGS = { g: 1, i: 2, m: 4, y: 8, u: 16, s: 32, d: 128, v: 256 };
const ERRORS = {
  EvalError: "E", RangeError: "R", ReferenceError: "F", SyntaxError: "S", TypeError: "T",
  URIError: "U",
};
const VIEWS = {
  Int8Array: "b", Uint8Array: "B", Uint8ClampedArray: "C", Int16Array: "w", Uint16Array: "W",
  Int32Array: "d", Uint32Array: "D", Float16Array: "h", Float32Array: "f", Float64Array: "F",
  BigInt64Array: "q", BigUint64Array: "Q",
};
const viewTag = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
).get;

class Serializer {
  #bytes = Buffer.alloc(64);
  #at = 0;
  #ids = new Map();
  #buffers = new Map(); // transferred: ArrayBuffer -> id
  #viewsAreHost = false;
  #depth = 0;

  #room(n) {
    if (this.#at + n <= this.#bytes.length) return;
    const bigger = Buffer.alloc(Math.max(this.#at + n, this.#bytes.length * 2));
    this.#bytes.copy(bigger, 0, 0, this.#at);
    this.#bytes = bigger;
  }

  #byte(value) {
    this.#room(1);
    this.#bytes[this.#at++] = value;
  }

  #tag(tag) {
    this.#byte(tag.charCodeAt(0));
  }

  #varint(value) {
    while (value >= 0x80) {
      this.#byte((value % 0x80) | 0x80);
      value = Math.floor(value / 0x80);
    }
    this.#byte(value);
  }

  #double(value) {
    this.#room(8);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  #raw(bytes) {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  writeHeader() {
    this.#byte(0xff);
    this.#byte(VERSION);
  }

  writeUint32(value) {
    this.#varint(value >>> 0);
  }

  writeUint64(high, low) {
    let value = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
    for (; value >= 0x80n; value >>= 7n) this.#byte(Number(value & 0x7fn) | 0x80);
    this.#byte(Number(value));
  }

  writeDouble(value) {
    this.#double(value);
  }

  writeRawBytes(source) {
    if (!ArrayBuffer.isView(source) && !(source instanceof ArrayBuffer)) {
      const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
      throw new ERR_INVALID_ARG_TYPE("source", ["ArrayBuffer", "ArrayBufferView"], source);
    }
    this.#raw(
      ArrayBuffer.isView(source)
        ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
        : new Uint8Array(source),
    );
  }

  releaseBuffer() {
    const bytes = this.#bytes.subarray(0, this.#at);
    this.#bytes = Buffer.alloc(64);
    this.#at = 0;
    return bytes;
  }

  transferArrayBuffer(id, buffer) {
    this.#buffers.set(buffer, id);
  }

  _setTreatArrayBufferViewsAsHostObjects(isOn) {
    this.#viewsAreHost = !!isOn;
  }

  setTreatArrayBufferViewsAsHostObjects(isOn) {
    this.#viewsAreHost = !!isOn;
  }

  writeValue(value) {
    switch (typeof value) {
      case "undefined": this.#tag("_"); break;
      case "boolean": this.#tag(value ? "T" : "F"); break;
      case "number": this.#number(value); break;
      case "bigint":
        this.#tag("Z");
        this.#bigint(value);
        break;
      case "string": this.#string(value); break;
      case "object":
        if (value === null) this.#tag("0");
        else this.#object(value);
        break;
      default: throw this.#cannot(value);
    }
    return true;
  }

  #cannot(value) {
    let text = String(value);
    if (typeof value === "object") text = `#<${value.constructor?.name ?? "Object"}>`;
    const Class = this._getDataCloneError ?? DataCloneError;
    return new Class(`${text} could not be cloned.`);
  }

  #number(value) {
    if (value === (value | 0) && !Object.is(value, -0)) {
      this.#tag("I");
      this.#varint(((value << 1) ^ (value >> 31)) >>> 0);
      return;
    }
    this.#tag("N");
    this.#double(value);
  }

  #bigint(value) {
    const isNegative = value < 0n;
    let hex = (isNegative ? -value : value).toString(16);
    if (value === 0n) hex = "";
    const size = Math.ceil(hex.length / 16) * 8;
    const bytes = Buffer.from(hex.padStart(size * 2, "0"), "hex").reverse();
    this.#varint(size * 2 + (isNegative ? 1 : 0));
    this.#raw(bytes);
  }

  #string(text) {
    if (!/[^\x00-\xff]/.test(text)) {
      this.#tag('"');
      this.#varint(text.length);
      this.#raw(Buffer.from(text, "latin1"));
      return;
    }
    const size = text.length * 2;
    // The units stand at an even place.
    let head = 2;
    for (let n = size; n >= 0x80; n = Math.floor(n / 0x80)) head++;
    if ((this.#at + head) & 1) this.#byte(0);
    this.#tag("c");
    this.#varint(size);
    this.#raw(Buffer.from(text, "utf16le"));
  }

  #object(value) {
    const id = this.#ids.get(value);
    if (id !== undefined) {
      this.#tag("^");
      this.#varint(id);
      return;
    }
    const kind = kindOf(value);
    // A view's buffer comes first, and gets the number before.
    if (kind === VIEW && !this.#viewsAreHost) {
      const buffer = value.buffer;
      if (!this.#ids.has(buffer)) this.#object(buffer);
    }
    this.#ids.set(value, this.#ids.size);
    if (++this.#depth > DEPTH_MAX) throw new RangeError("Maximum call stack size exceeded");
    this.#member(value, kind);
    this.#depth--;
  }

  #member(value, kind) {
    switch (kind) {
      case NONE: throw this.#cannot(value);
      case ARRAY: this.#array(value); break;
      case MAP: this.#map(value); break;
      case SET: this.#set(value); break;
      case DATE:
        this.#tag("D");
        this.#double(Date.prototype.getTime.call(value));
        break;
      case REGEXP: this.#regexp(value); break;
      case ERROR: this.#error(value); break;
      case BOXED: this.#boxed(value.valueOf()); break;
      case BUFFER: this.#buffer(value); break;
      case SHARED_BUFFER: {
        if (this._getSharedArrayBufferId === undefined) throw this.#cannot(value);
        this.#tag("u");
        this.#varint(this._getSharedArrayBufferId(value));
        break;
      }
      case VIEW: this.#view(value); break;
      default: this.#plain(value);
    }
  }

  #host(value) {
    if (typeof this._writeHostObject !== "function") throw this.#cannot(value);
    this.#tag("\\");
    this._writeHostObject(value);
  }

  #plain(value) {
    const { isPlatformObject } = require("internal/webidl/interface");
    if (isPlatformObject(value)) {
      this.#host(value);
      return;
    }
    this.#tag("o");
    this.#varintAfter("{", this.#properties(value, Object.keys(value)));
  }

  #varintAfter(tag, n) {
    this.#tag(tag);
    this.#varint(n);
  }

  #properties(value, names) {
    let n = 0;
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      const member = value[name];
      if (member === undefined && !Object.hasOwn(value, name)) continue;
      const index = Number(name);
      if (String(index >>> 0) === name && index >>> 0 !== 0xffffffff) {
        if (index <= 0x7fffffff) this.#number(index);
        else {
          this.#tag("U");
          this.#varint(index);
        }
      } else {
        this.#string(name);
      }
      this.writeValue(member);
      n++;
    }
    return n;
  }

  #array(value) {
    const { length } = value;
    const names = Object.keys(value);
    const isFull = length === 0 || names[length - 1] === `${length - 1}`;
    const isDense = names.length >= length && isFull;
    if (isDense) {
      this.#varintAfter("A", length);
      for (let i = 0; i < length; i++) {
        if (value[i] === undefined && !Object.hasOwn(value, i)) this.#tag("-");
        else this.writeValue(value[i]);
      }
      this.#varintAfter("$", this.#properties(value, names.slice(length)));
    } else {
      this.#varintAfter("a", length);
      this.#varintAfter("@", this.#properties(value, names));
    }
    this.#varint(length);
  }

  #map(value) {
    const entries = [];
    Map.prototype.forEach.call(value, (member, key) => entries.push(key, member));
    this.#tag(";");
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i];
      this.writeValue(entry);
    }
    this.#varintAfter(":", entries.length);
  }

  #set(value) {
    const items = [];
    Set.prototype.forEach.call(value, (item) => items.push(item));
    this.#tag("'");
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      this.writeValue(item);
    }
    this.#varintAfter(",", items.length);
  }

  #regexp(value) {
    this.#tag("R");
    this.#string(value.source);
    let bits = 0;
    for (const flag of value.flags) bits |= FLAGS[flag] ?? 0;
    this.#varint(bits);
  }

  #error(value) {
    this.#tag("r");
    const prototype = ERRORS[value.name];
    if (prototype !== undefined) this.#tag(prototype);
    const message = Object.getOwnPropertyDescriptor(value, "message")?.value;
    if (message !== undefined) {
      this.#tag("m");
      this.#string(`${message}`);
    }
    if (Object.hasOwn(value, "cause")) {
      this.#tag("c");
      this.writeValue(value.cause);
    }
    const { stack } = value;
    if (typeof stack === "string") {
      this.#tag("s");
      this.#string(stack);
    }
    this.#tag(".");
  }

  #boxed(value) {
    switch (typeof value) {
      case "boolean": this.#tag(value ? "y" : "x"); break;
      case "number":
        this.#tag("n");
        this.#double(value);
        break;
      case "bigint":
        this.#tag("z");
        this.#bigint(value);
        break;
      default:
        this.#tag("s");
        this.#string(value);
    }
  }

  #buffer(value) {
    const id = this.#buffers.get(value);
    if (id !== undefined) {
      this.#varintAfter("t", id);
      return;
    }
    if (value.detached) throw this.#cannot(value);
    this.#varintAfter(value.resizable ? "~" : "B", value.byteLength);
    if (value.resizable) this.#varint(value.maxByteLength);
    this.#raw(new Uint8Array(value));
  }

  #view(value) {
    if (this.#viewsAreHost) {
      this.#host(value);
      return;
    }
    this.#tag("V");
    this.#tag(VIEWS[viewTag.call(value)] ?? "?");
    this.#varint(value.byteOffset);
    this.#varint(value.byteLength);
    this.#varint(0);
  }
}

exports.Serializer = Serializer;
