// web/fetch/body -- what Request and Response have in common (Fetch Standard, section 5.2).
//
// Both extend Body for its private fields, but do not inherit from it: mixBody copies the members
// and gives the prototype of the class back its place. Nothing of a body is converted before
// somebody reads it: a string stays a string, a native body (SOURCE) stays in the socket.
//
// A source is an object with
//   bytes()        the whole of it: Uint8Array, or a promise of one
//   text()         likewise as text (UTF-8, without a byte order mark); may be absent
//   stream()       a ReadableStream of it
//   cancel(reason)
// of which one is called, once.
//
// For other built-ins: bodyOf(object) -> { kind, value, type }; takeBody(object, parts) writes the
// same into `parts`, and the body counts as used; setBody(object, kind, value, type).

const errors = require("internal/errors");
const { decode, encode, keep } = require("web/blob/bytes");
const { isView } = ArrayBuffer;

/** Kinds of bodies. */
const NONE = 0;
const STRING = 1;
const BYTES = 2; // a Uint8Array that nobody changes
const BLOB = 3; // also Bun.file()
const STREAM = 4;
const SOURCE = 5;
const USED = 6; // was read before there was a stream; value: that stream, once it was asked for
const kKinds = { __proto__: null, NONE, STRING, BYTES, BLOB, STREAM, SOURCE, USED };

const kText = "text/plain;charset=UTF-8";
const kForm = "application/x-www-form-urlencoded;charset=UTF-8";

let bodyOf;
let cloneBody;
let extractInto;
let isBody;
let isUnusable;
let setBody;
let takeBody;
let typeOf;

// Text needs no blobs.
let blobModule;
const blobs = () => (blobModule ??= require("web/blob"));

const open = (result) => require("web/blob/box").openBox(result);

function usedError(name = "Body already used") {
  return errors.makeCoded("TypeError", "ERR_BODY_ALREADY_USED", name);
}

class Body {
  #kind = NONE;
  #value = null;
  #type = null;

  constructor(body) {
    if (typeof body === "string") {
      this.#kind = STRING;
      this.#value = body;
      this.#type = kText;
    } else if (body !== null && body !== undefined) extractInto(this, body);
  }

  /** "Extract a body" of what is no string. */
  #extract(body) {
    if (typeof body === "object") {
      if (blobs().isBlob(body)) return this.#set(BLOB, body, body.type === "" ? null : body.type);
      const bytes = keep(body);
      if (bytes !== undefined) return this.#set(BYTES, bytes, null);
      const { isFormData } = require("web/form_data");
      if (isFormData(body)) {
        const { encodeFormData } = require("web/form_data/parse");
        const blob = encodeFormData(body);
        return this.#set(BLOB, blob, blob.type);
      }
      const { isReadableStream } = require("web/fetch/streams");
      if (isReadableStream(body)) {
        if (body.locked) throw usedError("Body is locked");
        const { isDisturbed } = require("web/fetch/streams");
        if (isDisturbed(body)) throw usedError("Body is disturbed");
        return this.#set(STREAM, body, null);
      }
      if (require("web/url/search_params").isURLSearchParams(body)) {
        return this.#set(STRING, `${body}`, kForm);
      }
      if (typeof body[Symbol.asyncIterator] === "function") {
        const { streamFrom } = require("web/fetch/streams");
        return this.#set(STREAM, streamFrom(body), null);
      }
    } else if (typeof body === "function" && typeof body[Symbol.asyncIterator] === "function") {
      const { streamFrom } = require("web/fetch/streams");
      return this.#set(STREAM, streamFrom(body), null);
    } else if (typeof body === "function" && isGenerator(body)) {
      const { streamFrom } = require("web/fetch/streams");
      return this.#set(STREAM, streamFrom(body()), null);
    } else if (typeof body === "symbol") {
      throw new TypeError("Cannot convert a symbol to a string");
    }
    return this.#set(STRING, `${body}`, kText);
  }

  #set(kind, value, type) {
    this.#kind = kind;
    this.#value = value;
    this.#type = type;
  }

  get body() {
    switch (of(this).#kind) {
      case NONE: return null;
      case STREAM: return this.#value;
      case USED:
        this.#value ??= require("web/fetch/streams").usedStream();
        return this.#value;
      default: return this.#toStream();
    }
  }

  /** The body as a stream, which it is from now on. */
  #toStream() {
    const value = this.#value;
    let stream;
    if (this.#kind === SOURCE) stream = value.stream();
    else if (this.#kind === BLOB) stream = blobs().streamOf(blobs().partsOf(value));
    else stream = blobs().streamOf([this.#kind === STRING ? encode(value) : value]);
    this.#kind = STREAM;
    this.#value = stream;
    return stream;
  }

  get bodyUsed() {
    const kind = of(this).#kind;
    if (kind === STREAM) return require("web/fetch/streams").isDisturbed(this.#value);
    return kind === USED;
  }

  #isUnusable() {
    if (this.#kind === STREAM) {
      return this.#value.locked || require("web/fetch/streams").isDisturbed(this.#value);
    }
    return this.#kind === USED;
  }

  /** All bytes, now or as a promise; the body is used from then on. */
  #consume() {
    const kind = this.#kind;
    const value = this.#value;
    if (kind === STREAM) {
      if (this.#isUnusable()) throw usedError();
      return require("web/fetch/streams").readStream(value);
    }
    if (kind === USED) throw usedError();
    if (kind === NONE) return new Uint8Array(0);
    this.#kind = USED;
    this.#value = null;
    if (kind === BYTES) return value;
    if (kind === STRING) return encode(value);
    return kind === BLOB ? blobs().readAll(value) : value.bytes();
  }

  /** Whether what #consume gives may be seen by somebody else too (a clone, a Blob). */
  #isShared() {
    return this.#kind === BYTES || this.#kind === BLOB;
  }

  async arrayBuffer() {
    const self = of(this);
    const isShared = self.#isShared();
    let data = self.#consume();
    if (!isView(data)) data = open(await data);
    if (isShared || data.byteLength !== data.buffer.byteLength) return data.slice().buffer;
    return data.buffer;
  }

  async bytes() {
    const self = of(this);
    const isShared = self.#isShared();
    let data = self.#consume();
    if (!isView(data)) data = open(await data);
    return isShared ? data.slice() : data;
  }

  async text() {
    const self = of(this);
    if (self.#kind === STRING) {
      const text = self.#value;
      self.#kind = USED;
      self.#value = null;
      return text.charCodeAt(0) === 0xfeff ? text.slice(1).toWellFormed() : text.toWellFormed();
    }
    if (self.#kind === SOURCE && self.#value.text !== undefined) return self.#consumeText();
    const data = self.#consume();
    return decode(isView(data) ? data : open(await data));
  }

  async json() {
    const self = of(this);
    if (self.#kind === STRING) {
      const text = self.#value;
      self.#kind = USED;
      self.#value = null;
      return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    }
    if (self.#kind === SOURCE && self.#value.text !== undefined) {
      const text = self.#consumeText();
      return JSON.parse(typeof text === "string" ? text : await text);
    }
    const data = self.#consume();
    return JSON.parse(decode(isView(data) ? data : open(await data)));
  }

  /** Of a source that can give text: the text, or a promise of it. */
  #consumeText() {
    const source = this.#value;
    this.#kind = USED;
    this.#value = null;
    return source.text();
  }

  async blob() {
    const self = of(this);
    const type = self.headers.get("content-type");
    let data = self.#consume();
    if (!isView(data)) data = open(await data);
    return blobs().makeBlob([data], data.byteLength, type === null ? "" : blobs().toType(type));
  }

  async formData() {
    const self = of(this);
    const type = self.headers.get("content-type");
    const { parseFormData, checkFormType } = require("web/form_data/parse");
    // What comes from elsewhere may have failed, which is told first.
    if (self.#kind < SOURCE && !self.#isUnusable()) checkFormType(type);
    const data = self.#consume();
    return parseFormData(isView(data) ? data : open(await data), type);
  }

  textStream() {
    const self = of(this);
    const { TextDecoderStream } = globalThis;
    if (self.#isUnusable()) throw usedError();
    return (self.body ?? blobs().streamOf([])).pipeThrough(new TextDecoderStream());
  }

  static {
    isBody = (value) => typeof value === "object" && value !== null && #kind in value;
    bodyOf = (object) => ({ kind: object.#kind, value: object.#value, type: object.#type });
    setBody = (object, kind, value, type) => object.#set(kind, value, type);
    extractInto = (object, body) => object.#extract(body);
    isUnusable = (object) => object.#isUnusable();
    takeBody = (object, parts) => {
      if (object.#isUnusable()) throw usedError();
      const kind = object.#kind;
      parts.kind = kind;
      parts.value = object.#value;
      parts.type = object.#type;
      if (kind !== NONE && kind !== STREAM) {
        object.#kind = USED;
        object.#value = null;
      }
      return parts;
    };
    cloneBody = (from, to) => {
      if (from.#isUnusable()) throw usedError("Body is disturbed or locked");
      if (from.#kind === SOURCE) from.#toStream();
      let value = from.#value;
      if (from.#kind === STREAM) [from.#value, value] = require("web/fetch/streams").tee(value);
      to.#set(from.#kind, value, from.#type);
    };
    typeOf = (object) => object.#type;
  }
}

function of(value) {
  if (!isBody(value)) {
    throw new errors.ERR_INVALID_THIS("Body");
  }
  return value;
}

const isGenerator = (fn) => {
  const tag = Object.prototype.toString.call(fn);
  return tag === "[object AsyncGeneratorFunction]" || tag === "[object GeneratorFunction]";
};

/** Gives the members to a class that extends Body. */
function mixBody(Class) {
  const { prototype } = Class;
  Object.setPrototypeOf(prototype, Object.prototype);
  for (const key of Reflect.ownKeys(Body.prototype)) {
    if (key === "constructor") continue;
    Object.defineProperty(prototype, key, Object.getOwnPropertyDescriptor(Body.prototype, key));
  }
}

exports.Body = Body;
exports.bodyOf = bodyOf;
exports.isBody = isBody;
exports.cloneBody = cloneBody;
exports.isUnusable = isUnusable;
exports.kinds = kKinds;
exports.mixBody = mixBody;
exports.setBody = setBody;
exports.takeBody = takeBody;
/** The content type that the body itself has, or null. */
exports.typeOf = typeOf;
exports.usedError = usedError;
