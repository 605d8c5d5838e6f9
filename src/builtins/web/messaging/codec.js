// web/messaging/codec -- clones as bytes, for other threads: the tokens of web/structured_clone.
//
// A byte says what comes: 0 to 31 operations by their place in OPS, then primitives and buffers.
// Numbers are little-endian.  Strings are Latin-1 when they can be.
const { OP } = require("web/structured_clone/tokens");
const { cloneError } = require("web/structured_clone/writer");

const OPS = Object.keys(OP).map((name) => OP[name]);
const numbers = new Map();
for (let i = 0; i < OPS.length; i++) numbers.set(OPS[i], i);
const {
  UNDEFINED, NULL, TRUE, FALSE, INT, DOUBLE, LATIN1, UTF16, BIGINT, BYTES, DATA, SHARED, CODE,
} = {
  UNDEFINED: 32, NULL: 33, TRUE: 34, FALSE: 35, INT: 36, DOUBLE: 37, LATIN1: 38, UTF16: 39,
  BIGINT: 40, BYTES: 41, DATA: 42, SHARED: 43, CODE: 44,
};
const SHORT = 32; // characters that a loop copies sooner than a call

class Encoder {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  #share;

  constructor(share) {
    this.#share = share;
  }

  #room(n) {
    const need = this.#at + n;
    if (need <= this.#bytes.length) return;
    const bigger = new Uint8Array(Math.max(need, this.#bytes.length * 2));
    bigger.set(this.#bytes);
    this.#bytes = bigger;
    this.#view = new DataView(bigger.buffer);
  }

  #head(kind, length) {
    this.#room(5 + length);
    this.#bytes[this.#at] = kind;
    this.#view.setUint32(this.#at + 1, length, true);
    this.#at += 5;
  }

  #string(text) {
    const { length } = text;
    if (length <= SHORT) {
      this.#head(LATIN1, length);
      const start = this.#at;
      for (let i = 0; i < length; i++) {
        const unit = text.charCodeAt(i);
        if (unit > 255) {
          this.#at = start - 5;
          this.#wide(text);
          return;
        }
        this.#bytes[start + i] = unit;
      }
      this.#at = start + length;
      return;
    }
    if (/[^\x00-\xff]/.test(text)) this.#wide(text);
    else this.#copy(LATIN1, require("node:buffer").Buffer.from(text, "latin1"));
  }

  #wide(text) {
    this.#copy(UTF16, require("node:buffer").Buffer.from(text, "utf16le"));
  }

  #copy(kind, bytes) {
    if (bytes.length > 0xffffffff) throw cloneError("The message is too long");
    this.#head(kind, bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #number(value) {
    this.#room(9);
    if (value === (value | 0) && !Object.is(value, -0)) {
      this.#bytes[this.#at] = INT;
      this.#view.setInt32(this.#at + 1, value, true);
      this.#at += 5;
      return;
    }
    this.#bytes[this.#at] = DOUBLE;
    this.#view.setFloat64(this.#at + 1, value, true);
    this.#at += 9;
  }

  #byte(value) {
    this.#room(1);
    this.#bytes[this.#at++] = value;
  }

  #primitive(value) {
    switch (typeof value) {
      case "string": this.#string(value); break;
      case "number": this.#number(value); break;
      case "boolean": this.#byte(value ? TRUE : FALSE); break;
      case "undefined": this.#byte(UNDEFINED); break;
      case "bigint":
        this.#copy(BIGINT, require("node:buffer").Buffer.from(value.toString(16), "latin1"));
        break;
      default: this.#byte(NULL);
    }
  }

  encode(tokens) {
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i];
      if (typeof token !== "object" || token === null) this.#primitive(token);
      else if (token === OP.SHARED) this.#shared(token, tokens[++i], SHARED);
      else if (token === OP.WASM) this.#shared(token, tokens[++i], CODE);
      else if (token === OP.CUSTOM) {
        this.#custom(tokens[i + 1], tokens[i + 2]);
        i += 2;
      } else if (token instanceof ArrayBuffer) this.#copy(BYTES, new Uint8Array(token));
      else this.#byte(numbers.get(token));
    }
    return this.#bytes.subarray(0, this.#at);
  }

  // The memory or code itself does not move: its number does, for one receiver.
  #shared(op, object, kind) {
    const id = this.#share === null ? 0 : this.#share(object);
    if (id === 0) {
      const name = kind === CODE ? "WebAssembly.Module" : "SharedArrayBuffer";
      throw cloneError(`${name} could not be cloned.`);
    }
    this.#byte(numbers.get(op));
    this.#room(9);
    this.#bytes[this.#at] = kind;
    this.#view.setFloat64(this.#at + 1, id, true);
    this.#at += 9;
  }

  // The data of an object of ours is a message of its own.
  #custom(name, data) {
    const { pack } = require("web/structured_clone/classes").classOf(name);
    this.#byte(numbers.get(OP.CUSTOM));
    this.#string(name);
    const plain = pack === undefined ? data : pack(data);
    this.#copy(DATA, exports.serialize(plain, null, this.#share));
  }
}

/** The smallest WebAssembly module. */
const kEmptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

class Decoder {
  #bytes;
  #view;
  #at = 0;
  #claim;

  constructor(bytes, claim) {
    this.#claim = claim;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  #part() {
    const length = this.#view.getUint32(this.#at, true);
    const start = this.#at + 4;
    this.#at = start + length;
    return this.#bytes.subarray(start, this.#at);
  }

  #string(encoding) {
    const part = this.#part();
    const { Buffer } = require("node:buffer");
    return Buffer.from(part.buffer, part.byteOffset, part.length).toString(encoding);
  }

  /** What another thread has shared: an object of the kind of `sample`. */
  #take(sample) {
    this.#at += 8;
    const id = this.#view.getFloat64(this.#at - 8, true);
    const object = this.#claim(id, sample);
    if (object === undefined) throw cloneError("What was shared is gone");
    return object;
  }

  #next(kind) {
    switch (kind) {
      case UNDEFINED: return undefined;
      case NULL: return null;
      case TRUE: return true;
      case FALSE: return false;
      case INT:
        this.#at += 4;
        return this.#view.getInt32(this.#at - 4, true);
      case DOUBLE:
        this.#at += 8;
        return this.#view.getFloat64(this.#at - 8, true);
      case LATIN1: return this.#string("latin1");
      case UTF16: return this.#string("utf16le");
      case BIGINT: {
        const text = this.#string("latin1");
        return text[0] === "-" ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`);
      }
      case SHARED: return this.#take(new SharedArrayBuffer(1));
      case CODE: return this.#take(new WebAssembly.Module(kEmptyModule));
      case DATA: return exports.deserialize(this.#part(), null, this.#claim);
      default: {
        const part = this.#part();
        return part.slice().buffer;
      }
    }
  }

  #custom(tokens) {
    const name = this.#next(this.#bytes[this.#at++]);
    const data = this.#next(this.#bytes[this.#at++]);
    const { unpack } = require("web/structured_clone/classes").classOf(name);
    tokens.push(name, unpack === undefined ? data : unpack(data));
  }

  decode() {
    const tokens = [];
    while (this.#at < this.#bytes.length) {
      const kind = this.#bytes[this.#at++];
      if (kind >= OPS.length) {
        tokens.push(this.#next(kind));
        continue;
      }
      tokens.push(OPS[kind]);
      if (OPS[kind] === OP.CUSTOM) this.#custom(tokens);
    }
    return tokens;
  }
}

/**
 * Writes `value`; the places of transferred objects come from `transfers` (a Map or null).
 * share(buffer) gives a number for shared memory, or 0; null where there may be many receivers.
 */
exports.serialize = function serialize(value, transfers, share) {
  const { Writer } = require("web/structured_clone/writer");
  const writer = new Writer(require("web/structured_clone").native, transfers);
  writer.write(value);
  return new Encoder(share).encode(writer.tokens);
};

/** `transferred` has the new owner of each transferred object; claim(number, sample) is native. */
exports.deserialize = function deserialize(bytes, transferred, claim) {
  const { Reader } = require("web/structured_clone/reader");
  return new Reader(new Decoder(bytes, claim).decode(), transferred).read();
};
