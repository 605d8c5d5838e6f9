// @global TextEncoder TextDecoder
// web/encoding -- TextEncoder and TextDecoder (https://encoding.spec.whatwg.org/#api).
//
// native: find(label) -> id; name(id); isBuffer(value); encode(string);
//   encodeInto(string, dest, counts); decodeUtf8(flags, bytes); decode(id, flags, bytes, state).
//   The last two give undefined for bytes that a fatal decoder refuses.

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");

const { encode, encodeInto, decode, decodeUtf8 } = native;

const FATAL = 1;
const KEEP_BOM = 2;
const STREAM = 4;
const STATE_SIZE = 8;
const UTF_8 = 0;
const REPLACEMENT = 4;

const kEmpty = new Uint8Array(0);
// What encodeInto has read and written.
const counts = new Uint32Array(2);

const { isView } = ArrayBuffer;
const tagOf = Object.getOwnPropertyDescriptor(
  Object.getPrototypeOf(Uint8Array.prototype),
  Symbol.toStringTag,
).get;

class TextEncoder {
  #isEncoder = true;

  static #check(value) {
    if (typeof value !== "object" || value === null || !(#isEncoder in value)) {
      throw new errors.ERR_INVALID_THIS("TextEncoder");
    }
  }

  get encoding() {
    TextEncoder.#check(this);
    return "utf-8";
  }

  encode(input = "") {
    TextEncoder.#check(this);
    return encode(typeof input === "string" ? input : `${input}`);
  }

  encodeInto(source, destination) {
    TextEncoder.#check(this);
    const text = `${source}`;
    if (typeof destination !== "object" || destination === null ||
        tagOf.call(destination) !== "Uint8Array") {
      throw new errors.ERR_INVALID_ARG_TYPE("dest", "Uint8Array", destination);
    }
    encodeInto(text, destination, counts);
    return { read: counts[0], written: counts[1] };
  }
}

function checkOptions(options) {
  if (options !== null && typeof options !== "object" && typeof options !== "function") {
    throw new errors.ERR_INVALID_ARG_TYPE("options", "Object", options);
  }
}

function isBuffer(value) {
  return isView(value) || native.isBuffer(value);
}

class TextDecoder {
  #id;
  #flags = 0;
  /** struct DecoderState; made when it is needed. */
  #state = null;
  #isStreaming = false;

  constructor(label = "utf-8", options = undefined) {
    const text = `${label}`;
    const id = text === "utf-8" ? UTF_8 : native.find(text);
    if (id < 0 || id === REPLACEMENT) throw new errors.ERR_ENCODING_NOT_SUPPORTED(text);
    this.#id = id;
    if (options === undefined) return;
    checkOptions(options);
    if (options?.fatal) this.#flags |= FATAL;
    if (options?.ignoreBOM) this.#flags |= KEEP_BOM;
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#flags in value)) {
      throw new errors.ERR_INVALID_THIS("TextDecoder");
    }
    return value;
  }

  get encoding() {
    return native.name(TextDecoder.#of(this).#id);
  }

  get fatal() {
    return (TextDecoder.#of(this).#flags & FATAL) !== 0;
  }

  get ignoreBOM() {
    return (TextDecoder.#of(this).#flags & KEEP_BOM) !== 0;
  }

  decode(input = kEmpty, options = undefined) {
    const self = TextDecoder.#of(this);
    if (!isBuffer(input)) {
      throw new errors.ERR_INVALID_ARG_TYPE(
        "list", ["SharedArrayBuffer", "ArrayBuffer", "ArrayBufferView"], input,
      );
    }
    let isStream = false;
    if (options !== undefined) {
      checkOptions(options);
      isStream = !!options?.stream;
    }
    let text;
    if (self.#id === UTF_8 && !isStream && !self.#isStreaming) {
      text = decodeUtf8(self.#flags, input);
    } else {
      self.#state ??= new Uint8Array(STATE_SIZE);
      text = decode(self.#id, self.#flags | (isStream ? STREAM : 0), input, self.#state);
      self.#isStreaming = isStream;
    }
    if (text === undefined) throw new errors.ERR_ENCODING_INVALID_ENCODED_DATA(self.encoding);
    return text;
  }
}

exports.TextEncoder = defineInterface(TextEncoder);
exports.TextDecoder = defineInterface(TextDecoder);
