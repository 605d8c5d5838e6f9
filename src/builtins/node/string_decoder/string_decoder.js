// node:string_decoder -- text from chunks that may end within a character (Node: string_decoder).
//
// A decoder keeps the bytes of one unfinished character, at most four, and how many are missing.
// For base64 a character is a group of three bytes, for UTF-16 a pair of surrogates counts as one.
const errors = require("internal/errors");
const text = require("node:buffer/text");

const { UTF8, UTF16, BASE64, BASE64URL, UNKNOWN, decodeRange } = text;
const { isView } = ArrayBuffer;
const kState = Symbol("kState");

class State {
  constructor(id) {
    this.id = id;
    this.kept = new Uint8Array(4);
    this.n = 0;
    this.missing = 0;
  }

  isMultiByte() {
    return this.id === UTF8 || this.id === UTF16 || this.id === BASE64 || this.id === BASE64URL;
  }

  /** The kept bytes as text; they are not kept any more. */
  takeKept() {
    const string = decodeRange(this.kept, this.id, 0, this.n);
    this.n = 0;
    this.missing = 0;
    return string;
  }

  /** Moves bytes of the unfinished character from the chunk; returns how many. */
  complete(chunk) {
    let used = 0;
    while (used < chunk.length && this.missing > 0) {
      if (this.id === UTF8 && (chunk[used] & 0xc0) !== 0x80) {
        // It will never be finished, which shows as one replacement character.
        this.missing = 0;
        return used;
      }
      this.kept[this.n++] = chunk[used++];
      this.missing--;
    }
    return used;
  }

  /** Keeps what ends `bytes` unfinished; returns how many bytes before that are whole. */
  keepTail(bytes, start) {
    const end = bytes.length;
    let n = 0;
    if (this.id === UTF8) {
      n = this.#utf8Tail(bytes, start);
    } else if (this.id === UTF16) {
      // Half a unit waits for the other half, a high surrogate for a low one; not both at once.
      n = (end - start) % 2;
      if (n === 0 && (bytes[end - 1] & 0xfc) === 0xd8) n = 2;
      this.missing = n;
    } else {
      n = (end - start) % 3;
      this.missing = n > 0 ? 3 - n : 0;
    }
    for (let i = 0; i < n; i++) this.kept[i] = bytes[end - n + i];
    this.n = n;
    return end - n;
  }

  #utf8Tail(bytes, start) {
    const end = bytes.length;
    if (end === start || bytes[end - 1] < 0x80) return 0;
    for (let n = 1; n <= 4 && end - n >= start; n++) {
      const byte = bytes[end - n];
      if ((byte & 0xc0) === 0x80) continue;
      const size = byte >= 0xf0 && byte < 0xf8 ? 4 : byte >= 0xe0 && byte < 0xf0 ? 3
        : byte >= 0xc0 && byte < 0xe0 ? 2 : 0;
      if (n >= size) return 0;
      this.missing = size - n;
      return n;
    }
    return 0;
  }

  write(chunk) {
    if (!this.isMultiByte()) return decodeRange(chunk, this.id, 0, chunk.length);
    let head = "";
    let start = 0;
    if (this.missing > 0) {
      start = this.complete(chunk);
      if (this.missing > 0) return "";
      head = this.takeKept();
    }
    if (start === chunk.length) return head;
    const whole = this.keepTail(chunk, start);
    return whole > start ? head + decodeRange(chunk, this.id, start, whole) : head;
  }

  /** What is left, as it is: half a UTF-16 unit is dropped. */
  flush() {
    if (this.id === UTF16 && this.n % 2 === 1) this.n--;
    if (this.n === 0) {
      this.missing = 0;
      return "";
    }
    return this.takeKept();
  }
}

function normalize(encoding) {
  const id = text.optionalIdOf(encoding);
  if (id === UNKNOWN) throw new errors.ERR_UNKNOWN_ENCODING(encoding);
  return id;
}

function stateOf(decoder) {
  const state = decoder[kState];
  if (!(state instanceof State)) throw new errors.ERR_INVALID_THIS("StringDecoder");
  return state;
}

function StringDecoder(encoding) {
  const id = normalize(encoding);
  this.encoding = text.names[id];
  this[kState] = new State(id);
}

StringDecoder.prototype.write = function write(buf) {
  if (typeof buf === "string") return buf;
  if (!isView(buf)) {
    throw new errors.ERR_INVALID_ARG_TYPE("buf", ["Buffer", "TypedArray", "DataView"], buf);
  }
  const chunk = buf instanceof Uint8Array
    ? buf
    : new Uint8Array(buf.buffer, buf.byteOffset, buf.byteLength);
  return stateOf(this).write(chunk);
};

StringDecoder.prototype.end = function end(buf) {
  const state = stateOf(this);
  const string = buf === undefined ? "" : this.write(buf);
  return state.n > 0 ? string + state.flush() : string;
};

/** The text of a chunk from `offset` on, as if nothing had come before. Undocumented in Node. */
StringDecoder.prototype.text = function text(buf, offset) {
  const state = stateOf(this);
  state.n = 0;
  state.missing = 0;
  return this.write(buf.slice(offset));
};

Object.defineProperties(StringDecoder.prototype, {
  lastChar: {
    get() { return require("node:buffer").Buffer.from(stateOf(this).kept.buffer); },
    enumerable: true,
    configurable: true,
  },
  lastNeed: {
    get() { return stateOf(this).missing; },
    enumerable: true,
    configurable: true,
  },
  lastTotal: {
    get() {
      const state = stateOf(this);
      return state.n + state.missing;
    },
    enumerable: true,
    configurable: true,
  },
});

exports.StringDecoder = StringDecoder;
