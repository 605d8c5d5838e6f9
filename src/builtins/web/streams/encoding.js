// @global TextEncoderStream TextDecoderStream
// web/streams/encoding -- TextEncoderStream and TextDecoderStream (Encoding Standard, 7.5 and 7.6).
const { makeTransform } = require("web/streams/transform");
const { invalidThis, typeError } = require("web/streams/checks");
const { defineInterface } = require("internal/webidl/interface");

const kInspect = Symbol.for("nodejs.util.inspect.custom");

const isHigh = (unit) => unit >= 0xd800 && unit <= 0xdbff;

/** Encodes text that comes in pieces: a pair of surrogates may be cut in two. */
function makeEncoder() {
  const encoder = new TextEncoder();
  let high = "";
  return makeTransform({
    transform(chunk, state) {
      let text = high + `${chunk}`;
      high = "";
      if (text.length > 0 && isHigh(text.charCodeAt(text.length - 1))) {
        high = text[text.length - 1];
        text = text.slice(0, -1);
      }
      if (text.length > 0) state.enqueue(encoder.encode(text));
    },
    flush(state) {
      if (high !== "") state.enqueue(new Uint8Array([0xef, 0xbf, 0xbd]));
    },
  });
}

class TextEncoderStream {
  #transform = makeEncoder();

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#transform in value)) {
      throw invalidThis("TextEncoderStream");
    }
    return value.#transform;
  }

  get encoding() {
    TextEncoderStream.#of(this);
    return "utf-8";
  }

  get readable() {
    return TextEncoderStream.#of(this).readable;
  }

  get writable() {
    return TextEncoderStream.#of(this).writable;
  }

  [kInspect](depth, options, inspect) {
    TextEncoderStream.#of(this);
    const { show } = require("web/streams/inspect");
    const { encoding, readable, writable } = this;
    return show("TextEncoderStream", { encoding, readable, writable }, options, inspect);
  }
}

function isBufferSource(value) {
  return (
    ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer
  );
}

function makeDecoder(decoder) {
  return makeTransform({
    transform(chunk, state) {
      if (!isBufferSource(chunk)) throw typeError("chunk must be an ArrayBuffer or a view");
      const text = decoder.decode(chunk, { stream: true });
      if (text !== "") state.enqueue(text);
    },
    flush(state) {
      const text = decoder.decode();
      if (text !== "") state.enqueue(text);
    },
  });
}

class TextDecoderStream {
  #decoder;
  #transform;

  constructor(label = "utf-8", options = {}) {
    this.#decoder = new TextDecoder(label, options);
    this.#transform = makeDecoder(this.#decoder);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#transform in value)) {
      throw invalidThis("TextDecoderStream");
    }
    return value;
  }

  get encoding() {
    return TextDecoderStream.#of(this).#decoder.encoding;
  }

  get fatal() {
    return TextDecoderStream.#of(this).#decoder.fatal;
  }

  get ignoreBOM() {
    return TextDecoderStream.#of(this).#decoder.ignoreBOM;
  }

  get readable() {
    return TextDecoderStream.#of(this).#transform.readable;
  }

  get writable() {
    return TextDecoderStream.#of(this).#transform.writable;
  }

  [kInspect](depth, options, inspect) {
    TextDecoderStream.#of(this);
    const { show } = require("web/streams/inspect");
    const { encoding, fatal, ignoreBOM, readable, writable } = this;
    const fields = { encoding, fatal, ignoreBOM, readable, writable };
    return show("TextDecoderStream", fields, options, inspect);
  }
}

defineInterface(TextEncoderStream);
defineInterface(TextDecoderStream);

exports.TextEncoderStream = TextEncoderStream;
exports.TextDecoderStream = TextDecoderStream;
