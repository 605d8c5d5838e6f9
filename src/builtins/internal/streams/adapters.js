// internal/streams/adapters -- between Node's streams and web streams (Node: Readable.toWeb,
// Readable.fromWeb and so on).
const {
  AbortError, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_STREAM_PREMATURE_CLOSE,
} = require("internal/errors");
const { validateBoolean, validateObject, validateOneOf } = require("internal/validators");
const { nextTick } = require("internal/tick");
const { destroyer } = require("internal/streams/destroy");
const { eos } = require("internal/streams/end_of_stream");
const is = require("internal/streams/predicates");

const nop = () => {};

/** An early end is what web streams call an abort. */
function toWebError(error) {
  if (error?.code !== "ERR_STREAM_PREMATURE_CLOSE") return error;
  return new AbortError(undefined, { cause: error });
}

/** Calls back; what the callback throws is nobody's rejection. */
function callLater(callback, error) {
  try {
    callback(error);
  } catch (thrown) {
    nextTick(() => {
      throw thrown;
    });
  }
}

// ---- Node to web -------------------------------------------------------------------------------

/** A Buffer as bytes: a copy where the stream will transfer them. */
function toBytes(chunk, mustCopy) {
  const { buffer, byteOffset, byteLength } = chunk;
  if (!mustCopy) return new Uint8Array(buffer, byteOffset, byteLength);
  return new Uint8Array(buffer.slice(byteOffset, byteOffset + byteLength));
}

function endedReadable(type) {
  const { ReadableStream } = require("web/streams/readable");
  const readable = new ReadableStream({ type });
  readable.cancel();
  return readable;
}

function markOf(stream, options) {
  if (options.strategy) return options.strategy;
  const { ByteLengthQueuingStrategy, CountQueuingStrategy } = require("web/streams/strategies");
  const highWaterMark = stream.readableHighWaterMark;
  if (stream.readableObjectMode) return new CountQueuingStrategy({ highWaterMark });
  return new ByteLengthQueuingStrategy({ highWaterMark });
}

exports.readableToWeb = function readableToWeb(stream, options = {}) {
  if (typeof stream?._readableState !== "object") {
    throw new ERR_INVALID_ARG_TYPE("streamReadable", "stream.Readable", stream);
  }
  validateObject(options, "options");
  if (options.type !== undefined) validateOneOf(options.type, "options.type", ["bytes", undefined]);
  const { type } = options;
  if (is.isDestroyed(stream) || !is.isReadable(stream)) return endedReadable(type);
  const { ReadableStream } = require("web/streams/readable");
  const objectMode = stream.readableObjectMode;
  let controller;
  let isCanceled = false;
  const onData = (chunk) => {
    const isBuffer = !objectMode && ArrayBuffer.isView(chunk);
    controller.enqueue(isBuffer ? toBytes(chunk, type === "bytes") : chunk);
    if (controller.desiredSize <= 0) stream.pause();
  };
  stream.pause();
  const cleanup = eos(stream, (err) => {
    const error = toWebError(err);
    cleanup();
    // A stream that has ended may still emit errors.
    stream.on("error", nop);
    if (error) controller.error(error);
    else if (!isCanceled) {
      controller.close();
      if (type === "bytes") controller.byobRequest?.respond(0);
    }
  });
  stream.on("data", onData);
  return new ReadableStream(
    {
      type,
      start(c) {
        controller = c;
      },
      pull() {
        stream.resume();
      },
      cancel(reason) {
        isCanceled = true;
        destroyer(stream, reason);
      },
    },
    type === "bytes" ? options.strategy ?? { highWaterMark: 0 } : markOf(stream, options),
  );
};

/** The sink of a WritableStream that writes to a Node stream. */
class NodeSink {
  constructor(stream) {
    this.stream = stream;
    this.controller = undefined;
    this.drain = undefined;
    this.closed = undefined;
    const cleanup = eos(stream, (err) => {
      cleanup();
      stream.on("error", nop);
      this.onEnd(toWebError(err));
    });
    stream.on("drain", () => this.drain?.resolve());
  }

  onEnd(error) {
    const { controller, closed } = this;
    if (error === undefined || error === null) {
      if (closed !== undefined) closed.resolve();
      else controller.error(new AbortError());
    } else {
      this.drain?.reject(error);
      closed?.reject(error);
      controller.error(error);
    }
    this.closed = undefined;
  }

  start(controller) {
    this.controller = controller;
  }

  write(given) {
    const { stream } = this;
    const isBuffer = given instanceof ArrayBuffer && !stream.writableObjectMode;
    const chunk = isBuffer ? new Uint8Array(given) : given;
    if (!stream.writableNeedDrain && stream.write(chunk)) return undefined;
    this.drain = Promise.withResolvers();
    return this.drain.promise.finally(() => {
      this.drain = undefined;
    });
  }

  abort(reason) {
    destroyer(this.stream, reason);
  }

  close() {
    const { stream } = this;
    if (this.closed === undefined && !is.isWritableEnded(stream)) {
      this.closed = Promise.withResolvers();
    }
    stream.end();
    return this.closed?.promise;
  }
}

exports.writableToWeb = function writableToWeb(stream) {
  // Responses of http are no Writables.
  if (typeof stream?.write !== "function" || typeof stream?.on !== "function") {
    throw new ERR_INVALID_ARG_TYPE("streamWritable", "stream.Writable", stream);
  }
  const { WritableStream } = require("web/streams/writable");
  if (is.isDestroyed(stream) || !is.isWritable(stream)) {
    const writable = new WritableStream();
    writable.close();
    return writable;
  }
  const highWaterMark = stream.writableHighWaterMark;
  const { CountQueuingStrategy } = require("web/streams/strategies");
  const strategy = stream.writableObjectMode
    ? new CountQueuingStrategy({ highWaterMark })
    : { highWaterMark };
  return new WritableStream(new NodeSink(stream), strategy);
};

exports.duplexToWeb = function duplexToWeb(duplex, options = {}) {
  if (typeof duplex?._writableState !== "object" || typeof duplex?._readableState !== "object") {
    throw new ERR_INVALID_ARG_TYPE("duplex", "stream.Duplex", duplex);
  }
  validateObject(options, "options");
  const type = options.readableType ?? options.type;
  if (is.isDestroyed(duplex)) {
    const { WritableStream } = require("web/streams/writable");
    const writable = new WritableStream();
    writable.close();
    return { writable, readable: endedReadable(type) };
  }
  return {
    writable: exports.writableToWeb(duplex),
    readable: exports.readableToWeb(duplex, { type }),
  };
};

// ---- Web to Node -------------------------------------------------------------------------------

function checkReadable(value, name) {
  if (!is.isReadableStream(value)) throw new ERR_INVALID_ARG_TYPE(name, "ReadableStream", value);
}

function checkWritable(value, name) {
  if (!is.isWritableStream(value)) throw new ERR_INVALID_ARG_TYPE(name, "WritableStream", value);
}

function checkOptions({ encoding, objectMode = false, decodeStrings = true }) {
  if (encoding !== undefined && !require("node:buffer").Buffer.isEncoding(encoding)) {
    throw new ERR_INVALID_ARG_VALUE(encoding, "options.encoding");
  }
  validateBoolean(objectMode, "options.objectMode");
  validateBoolean(decodeStrings, "options.decodeStrings");
}

/** Reads for a Node stream. */
class WebReader {
  constructor(readable, node) {
    this.reader = readable.getReader();
    this.node = node;
    this.isClosed = false;
    this.reader.closed.then(
      () => {
        this.isClosed = true;
      },
      (error) => {
        this.isClosed = true;
        destroyer(this.node, error);
      },
    );
  }

  read() {
    this.reader.read().then(
      ({ value, done }) => {
        this.node.push(done ? null : value);
      },
      (error) => destroyer(this.node, error),
    );
  }

  /** A promise, or undefined when there is nothing to do. */
  cancel(error) {
    return this.isClosed ? undefined : this.reader.cancel(error);
  }
}

/** Writes for a Node stream. */
class WebWriter {
  constructor(writable, node) {
    this.writer = writable.getWriter();
    this.node = node;
    this.isClosed = false;
    this.writer.closed.then(
      () => {
        this.isClosed = true;
        if (!is.isWritableEnded(this.node)) {
          destroyer(this.node, new ERR_STREAM_PREMATURE_CLOSE());
        }
      },
      (error) => {
        this.isClosed = true;
        destroyer(this.node, error);
      },
    );
  }

  done(callback, error) {
    try {
      callback(error);
    } catch (thrown) {
      nextTick(() => destroyer(this.node, thrown));
    }
  }

  write(chunk, encoding, callback, mustDecode) {
    let data = chunk;
    if (typeof chunk === "string" && mustDecode) {
      data = new Uint8Array(require("node:buffer").Buffer.from(chunk, encoding));
    }
    const done = (error) => this.done(callback, error);
    this.writer.ready.then(() => this.writer.write(data).then(() => done(), done), done);
  }

  writev(chunks, callback) {
    const done = (error) => this.done(callback, error);
    this.writer.ready.then(
      () =>
        Promise.all(chunks.map(({ chunk }) => this.writer.write(chunk))).then(() => done(), done),
      done,
    );
  }

  close() {
    return this.isClosed ? undefined : this.writer.close();
  }

  /** A promise, or undefined when there is nothing to do. */
  end(error) {
    if (this.isClosed) return undefined;
    const hasError = error !== undefined && error !== null;
    return hasError ? this.writer.abort(error) : this.writer.close();
  }
}

/** Calls back when a promise has settled, or at once without one. */
function after(promise, callback, error) {
  const done = () => callLater(callback, error);
  if (promise === undefined) done();
  else promise.then(done, done);
}

exports.readableFromWeb = function readableFromWeb(readableStream, options = {}) {
  checkReadable(readableStream, "readableStream");
  validateObject(options, "options");
  checkOptions(options);
  const { highWaterMark, encoding, objectMode = false, signal } = options;
  const { Readable } = require("internal/streams/readable");
  const source = new WebReader(readableStream, null);
  const node = new Readable({
    objectMode,
    highWaterMark,
    encoding,
    signal,
    read: () => source.read(),
    destroy: (error, callback) => after(source.cancel(error), callback, error),
  });
  source.node = node;
  return node;
};

exports.writableFromWeb = function writableFromWeb(writableStream, options = {}) {
  checkWritable(writableStream, "writableStream");
  validateObject(options, "options");
  checkOptions(options);
  const { highWaterMark, decodeStrings = true, objectMode = false, signal } = options;
  const { Writable } = require("internal/streams/writable");
  const target = new WebWriter(writableStream, null);
  const mustDecode = decodeStrings && !objectMode;
  const node = new Writable({
    highWaterMark,
    objectMode,
    decodeStrings,
    signal,
    write: (chunk, encoding, callback) => target.write(chunk, encoding, callback, mustDecode),
    writev: (chunks, callback) => target.writev(chunks, callback),
    destroy: (error, callback) => after(target.end(error), callback, error),
    final(callback) {
      const done = (error) => target.done(callback, error);
      const promise = target.close();
      if (promise === undefined) done();
      else promise.then(() => done(), done);
    },
  });
  target.node = node;
  return node;
};

exports.duplexFromWeb = function duplexFromWeb(pair, options = {}) {
  validateObject(pair, "pair");
  checkReadable(pair.readable, "pair.readable");
  checkWritable(pair.writable, "pair.writable");
  validateObject(options, "options");
  checkOptions(options);
  const {
    allowHalfOpen = false, objectMode = false, encoding, decodeStrings = true, highWaterMark,
    signal,
  } = options;
  const { Duplex } = require("internal/streams/duplex");
  const source = new WebReader(pair.readable, null);
  const target = new WebWriter(pair.writable, null);
  const mustDecode = decodeStrings && !objectMode;
  const node = new Duplex({
    allowHalfOpen,
    highWaterMark,
    objectMode,
    encoding,
    decodeStrings,
    signal,
    read: () => source.read(),
    write: (chunk, enc, callback) => target.write(chunk, enc, callback, mustDecode),
    writev: (chunks, callback) => target.writev(chunks, callback),
    final(callback) {
      const done = (error) => target.done(callback, error);
      const promise = target.close();
      if (promise === undefined) done();
      else promise.then(() => done(), done);
    },
    destroy(error, callback) {
      const all = Promise.all([target.end(error), source.cancel(error)]);
      after(all, callback, error);
    },
  });
  source.node = node;
  target.node = node;
  return node;
};
