// web/streams/consume -- a whole ReadableStream as one value: what Response.text() and
// Bun.readableStreamToText() do.
//
// A stream with a source of ours that nobody has touched gives its bytes at once (see
// docs/internals/streams.md). Every other one is read by one request object without a promise for
// each chunk.
const core = require("web/streams/core");
const { stateOf } = require("web/streams/readable");
const { acquireReader } = require("web/streams/reader");
const { resolved, rejected, then } = require("web/streams/promises");
const { invalidState } = require("web/streams/checks");
const { box, openBox } = require("web/blob/box");

/** Reads chunks until the end; the read request of all of them. */
class ReadAll {
  constructor(rs) {
    this.reader = acquireReader(rs);
    this.chunks = [];
    this.isInRead = false;
    this.isReading = false;
    this.isOver = false;
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  run() {
    while (!this.isOver && !this.isReading) {
      this.isReading = true;
      this.isInRead = true;
      core.readFrom(this.reader, this);
      this.isInRead = false;
    }
  }

  chunk(value) {
    this.chunks.push(value);
    this.isReading = false;
    // Later, so that enqueue() does not run the source's pull() before it returns.
    if (!this.isInRead) queueMicrotask(() => this.run());
  }

  close() {
    this.isOver = true;
    core.releaseReader(this.reader);
    this.resolve(box(this.chunks));
  }

  error(reason) {
    this.isOver = true;
    core.releaseReader(this.reader);
    this.reject(reason);
  }
}

function readAll(rs) {
  if (core.isLocked(rs)) return rejected(invalidState("ReadableStream is locked"));
  const all = new ReadAll(rs);
  all.run();
  return all.promise;
}

function badChunk(chunk) {
  const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
  const types = ["string", "ArrayBuffer", "TypedArray", "DataView"];
  return new ERR_INVALID_ARG_TYPE("chunk", types, chunk);
}

/** A chunk as a Uint8Array over its bytes. */
function toBytes(chunk) {
  if (chunk instanceof Uint8Array) return chunk;
  if (typeof chunk === "string") return new TextEncoder().encode(chunk);
  if (ArrayBuffer.isView(chunk)) {
    return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  if (chunk instanceof ArrayBuffer || chunk instanceof SharedArrayBuffer) {
    return new Uint8Array(chunk);
  }
  throw badChunk(chunk);
}

function concat(chunks) {
  if (chunks.length === 1) return toBytes(chunks[0]);
  let size = 0;
  const parts = chunks.map(toBytes);
  for (const part of parts) size += part.length;
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toText(chunks) {
  if (chunks.every((chunk) => typeof chunk === "string")) return chunks.join("");
  return new TextDecoder().decode(concat(chunks));
}

function isFresh(rs) {
  return !rs.isDisturbed && !core.isLocked(rs) && rs.state === core.READABLE &&
    rs.controller.takeAll !== undefined;
}

/** Everything that comes: a Uint8Array of its own, or a promise for web/blob/box openBox(). */
function takeBytes(stream) {
  const rs = stateOf(stream);
  if (isFresh(rs)) {
    try {
      const all = rs.controller.takeAll();
      if (all !== undefined) return all;
    } catch (error) {
      return rejected(error);
    }
  }
  return then(readAll(rs), ({ value }) => box(concat(value)));
}

/** A promise of what `convert` makes of all bytes. */
function convertBytes(stream, convert) {
  const all = takeBytes(stream);
  const promise = ArrayBuffer.isView(all) ? resolved(box(all)) : all;
  return then(promise, (result) => convert(openBox(result)));
}

/** The same as text. */
function takeText(stream) {
  const rs = stateOf(stream);
  if (isFresh(rs)) return convertBytes(stream, (bytes) => new TextDecoder().decode(bytes));
  return then(readAll(rs), ({ value }) => toText(value));
}

exports.takeBytes = takeBytes;
exports.bytes = (stream) => convertBytes(stream, (bytes) => bytes);
exports.arrayBuffer = (stream) => convertBytes(stream, ownBuffer);
exports.text = (stream) => takeText(stream);
exports.json = (stream) => then(takeText(stream), (text) => JSON.parse(text));
exports.blob = (stream) => convertBytes(stream, (bytes) => new Blob([bytes]));
exports.array = (stream) => then(readAll(stateOf(stream)), ({ value }) => value);

function ownBuffer(bytes) {
  const { buffer } = bytes;
  if (bytes.byteLength === buffer.byteLength && buffer instanceof ArrayBuffer) return buffer;
  return buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}
