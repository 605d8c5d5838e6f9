// @global Blob File
// web/blob -- Blob and File (File API, sections 3 and 4) with Bun's json, bytes and formData.
//
// A blob is a list of parts that are never changed: Uint8Arrays of our own, and parts that lie
// elsewhere (files, bun/file). Such a part has `size` (a number, may be Infinity while it is not
// known), `slice(start, end)`, `read()` (a promise of a Uint8Array) and `stream()`. Slices share
// the memory of what they are slices of.

const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const bytes = require("web/blob/bytes");
const { kClone } = require("web/structured_clone/clone_key");

const { isView } = ArrayBuffer;
const kEmpty = new Uint8Array(0);
const kNotType = /[^\x20-\x7e]/;
const kInspect = Symbol.for("nodejs.util.inspect.custom");
const kLineEnds = /\r\n|\r|\n/g;
const CHUNK = 65536;

let isBlob;
let isFile;
let partsOf;
let makeBlob;
let setName;

const toType = (value) => {
  const text = `${value}`;
  return kNotType.test(text) ? "" : text.toLowerCase();
};

/** The part that a member of a blob's constructor means, or the parts of a Blob. */
function addPart(parts, value, isNative) {
  if (typeof value === "object" && value !== null) {
    if (isBlob(value)) {
      for (const part of partsOf(value)) parts.push(part);
      return;
    }
    const copy = bytes.copy(value);
    if (copy !== undefined) {
      parts.push(copy);
      return;
    }
  }
  const text = `${value}`;
  parts.push(bytes.encode(isNative ? text.replace(kLineEnds, "\n") : text));
}

function toParts(value, options) {
  const method = value !== null && typeof value === "object" ? value[Symbol.iterator] : undefined;
  if (typeof method !== "function") {
    throw errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", "new Blob() expects an Array");
  }
  const iterable = { __proto__: null, [Symbol.iterator]: () => method.call(value) };
  const items = [];
  for (const item of iterable) {
    const isPlain = (typeof item === "object" && item !== null) || typeof item === "function";
    items.push(isPlain && (isBlob(item) || isBuffer(item)) ? item : `${item}`);
  }
  const { endings = "transparent", type = "" } = options;
  const ending = `${endings}`;
  if (ending !== "transparent" && ending !== "native") {
    throw errors.makeCoded(
      "TypeError", "ERR_INVALID_ARG_VALUE", "endings must be 'transparent' or 'native'",
    );
  }
  const parts = [];
  for (const item of items) addPart(parts, item, ending === "native");
  return { parts, type: toType(type) };
}

const isBuffer = (value) =>
  isView(value) || require("internal/util/types").types.isAnyArrayBuffer(value);

function toOptions(options) {
  if (options === undefined || options === null) return {};
  if (typeof options !== "object" && typeof options !== "function") {
    throw new errors.ERR_INVALID_ARG_TYPE("options", "Object", options);
  }
  return options;
}

const sizeOfPart = (part) => (isView(part) ? part.byteLength : part.size);

function sizeOfParts(parts) {
  let size = 0;
  for (const part of parts) size += sizeOfPart(part);
  return size;
}

/** [Clamp] long long relative to `size`, as slice takes it. */
function toOffset(value, size) {
  let n = +value;
  if (n !== n) return 0;
  n = n < 0 ? Math.ceil(n) : Math.floor(n);
  return n < 0 ? Math.max(size + n, 0) : Math.min(n, size);
}

function sliceParts(parts, start, end) {
  const out = [];
  let at = 0;
  for (const part of parts) {
    const size = sizeOfPart(part);
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, size);
    if (from < to) {
      if (from === 0 && to === size) out.push(part);
      else out.push(isView(part) ? part.subarray(from, to) : part.slice(from, to));
    }
    at += size;
    if (at >= end) break;
  }
  return out;
}

class Blob {
  #parts;
  #size;
  #type;

  constructor(blobParts = undefined, options = undefined) {
    if (blobParts === undefined) {
      this.#parts = [];
      this.#size = 0;
      this.#type = options === undefined ? "" : toType(toOptions(options).type ?? "");
      return;
    }
    const { parts, type } = toParts(blobParts, toOptions(options));
    this.#parts = parts;
    this.#size = sizeOfParts(parts);
    this.#type = type;
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#parts in value)) {
      throw new errors.ERR_INVALID_THIS("Blob");
    }
    return value;
  }

  get size() {
    const self = Blob.#of(this);
    // What lies elsewhere has the size that it has now.
    return self.#size < 0 ? sizeOfParts(self.#parts) : self.#size;
  }

  get type() {
    return Blob.#of(this).#type;
  }

  slice(start = 0, end = undefined, contentType = undefined) {
    const self = Blob.#of(this);
    // Bun: slice(type) and slice(start, type).
    if (typeof start === "string" && end === undefined) [start, contentType] = [0, start];
    if (typeof end === "string" && contentType === undefined) [end, contentType] = [undefined, end];
    const { size } = self;
    const from = toOffset(start, size);
    const to = end === undefined ? size : toOffset(end, size);
    const parts = from < to ? sliceParts(self.#parts, from, to) : [];
    const type = contentType === undefined ? "" : toType(contentType);
    return makeBlob(parts, Math.max(to - from, 0), type);
  }

  arrayBuffer() {
    return readAs(this, toArrayBuffer);
  }

  bytes() {
    return readAs(this, toBytes);
  }

  text() {
    return readAs(this, bytes.decode);
  }

  json() {
    return readAs(this, (data) => JSON.parse(bytes.decode(data)));
  }

  formData() {
    const parse = (data) => require("web/form_data/parse").parseFormData(data, this.type);
    return readAs(this, parse);
  }

  stream() {
    return streamOf(Blob.#of(this).#parts);
  }

  [kInspect](depth, options, inspect) {
    const self = Blob.#of(this);
    const show = inspect ?? require("internal/inspect").inspect;
    const name = isFile(self) ? "File" : "Blob";
    if (typeof depth === "number" && depth < 0) return `[${name}]`;
    const shown = { size: self.size, type: self.#type };
    if (name === "File") Object.assign(shown, { name: self.name, lastModified: self.lastModified });
    return `${name} ${show(shown, options)}`;
  }

  [kClone]() {
    const { size } = this;
    return ["Blob", { parts: Blob.#of(this).#parts, size: this.#size < 0 ? -1 : size,
      type: this.#type }];
  }

  static {
    isBlob = (value) => typeof value === "object" && value !== null && #parts in value;
    partsOf = (blob) => blob.#parts;
    makeBlob = (parts, size, type, blob = new Blob()) => {
      blob.#parts = parts;
      blob.#size = size;
      blob.#type = type;
      return blob;
    };
  }
}

class File extends Blob {
  #name = "";
  #lastModified = 0;

  constructor(fileBits, fileName, options = undefined) {
    if (arguments.length < 2) {
      throw errors.makeCoded(
        "TypeError", "ERR_INVALID_ARG_TYPE", "new File(bits, name) expects at least 2 arguments",
      );
    }
    super(fileBits, options);
    this.#name = `${fileName}`.toWellFormed();
    const modified = options?.lastModified;
    this.#lastModified = modified === undefined ? Date.now() : toLongLong(modified);
  }

  static #of(value) {
    if (typeof value !== "object" || value === null || !(#name in value)) {
      throw new errors.ERR_INVALID_THIS("File");
    }
    return value;
  }

  get name() {
    return File.#of(this).#name;
  }

  get lastModified() {
    return File.#of(this).#lastModified;
  }

  get webkitRelativePath() {
    File.#of(this);
    return "";
  }

  [kClone]() {
    const { name, lastModified, size, type } = this;
    return ["File", { parts: partsOf(this), size, type, name, lastModified }];
  }

  static {
    isFile = (value) => typeof value === "object" && value !== null && #name in value;
    setName = (file, name, lastModified) => {
      file.#name = name;
      file.#lastModified = lastModified;
      return file;
    };
  }
}

/** For another thread: the bytes themselves. */
function packBlob(data) {
  const content = readAll(makeBlob(data.parts, data.size, data.type));
  if (isView(content)) return { ...data, parts: [content] };
  const { cloneError } = require("web/structured_clone/writer");
  throw cloneError("A Blob of files could not be cloned for another thread");
}

exports.blobCloning = {
  make: ({ parts, size, type }) => makeBlob(parts, size, type),
  pack: packBlob,
};
exports.fileCloning = {
  make({ parts, size, type, name, lastModified }) {
    return setName(makeBlob(parts, size, type, new File([], "")), name, lastModified);
  },
  pack: packBlob,
};

function toLongLong(value) {
  const n = Math.trunc(Number(value));
  return Number.isFinite(n) ? n + 0 : 0;
}

// ---- reading

// What readers give away is a copy: the parts of a blob never change.
const toBytes = (data, isOwn) => (isOwn ? data : data.slice());

function toArrayBuffer(data, isOwn) {
  const { buffer } = data;
  if (isOwn && data.byteLength === buffer.byteLength) return buffer;
  return data.slice().buffer;
}

async function readParts(parts) {
  const all = [];
  let total = 0;
  for (const part of parts) {
    const data = isView(part) ? part : await part.read();
    all.push(data);
    total += data.byteLength;
  }
  return all.length === 1 ? all[0] : bytes.concat(all, total);
}

/** All bytes, at once when they are in memory, else a promise. Not to be changed. */
function readAll(blob) {
  const parts = partsOf(blob);
  if (parts.length === 0) return kEmpty;
  if (parts.length === 1 && isView(parts[0])) return parts[0];
  for (const part of parts) if (!isView(part)) return readParts(parts);
  return bytes.concat(parts, sizeOfParts(parts));
}

/** A promise of what `convert` makes of all bytes. */
async function readAs(blob, convert) {
  if (!isBlob(blob)) throw new errors.ERR_INVALID_THIS("Blob");
  const parts = partsOf(blob);
  const data = readAll(blob);
  if (isView(data)) return convert(data, parts.length > 1);
  return convert(require("web/blob/box").openBox(await data), true);
}

/** The bytes of parts as a source, at most CHUNK bytes of memory at a time. */
class PartsSource {
  constructor(parts) {
    this.parts = parts;
    this.i = 0;
    this.at = 0;
    this.reader = null;
  }

  pull(sink) {
    const { parts } = this;
    while (this.i < parts.length) {
      const part = parts[this.i];
      if (!isView(part)) {
        this.pullFrom(part, sink);
        return;
      }
      const end = Math.min(this.at + CHUNK, part.byteLength);
      const chunk = part.slice(this.at, end);
      this.at = end;
      if (end >= part.byteLength) this.nextPart();
      if (chunk.byteLength === 0) continue;
      sink.push(chunk);
      return;
    }
    sink.close();
  }

  async pullFrom(part, sink) {
    try {
      this.reader ??= part.stream().getReader();
      const { done, value } = await this.reader.read();
      if (!done) {
        sink.push(value);
        return;
      }
      this.reader = null;
      this.nextPart();
      this.pull(sink);
    } catch (error) {
      sink.error(error);
    }
  }

  nextPart() {
    this.i++;
    this.at = 0;
  }

  cancel(reason) {
    this.i = this.parts.length;
    return this.reader?.cancel(reason);
  }
}

/** A byte stream over parts. */
function streamOf(parts) {
  if (parts.length === 1 && !isView(parts[0])) return parts[0].stream();
  return require("web/fetch/streams").makeStream(new PartsSource(parts));
}

defineInterface(Blob);
defineInterface(File);
for (let i = 0, all = ["json", "formData"]; i < all.length; i++) {
  const key = all[i];
  Object.defineProperty(Blob.prototype, key, { enumerable: false });
}

exports.Blob = Blob;
exports.File = File;
exports.isBlob = isBlob;
exports.isFile = isFile;
exports.partsOf = partsOf;
/** A blob over parts; size -1: ask the parts. `blob`: an object that becomes it. */
exports.makeBlob = makeBlob;
/** A File with the parts of `blob`. */
exports.makeFile = (blob, name, lastModified = Date.now()) => {
  const file = new File([], "");
  makeBlob(partsOf(blob), blob.size, blob.type, file);
  return setName(file, name, lastModified);
};
exports.readAll = readAll;
exports.streamOf = streamOf;
exports.toType = toType;
