// internal/streams/duplexify -- Duplex.from(anything) (Node: stream.Duplex.from).
const { nextTick } = require("internal/tick");
const { AbortError, ERR_INVALID_ARG_TYPE, ERR_INVALID_RETURN_VALUE } =
  require("internal/errors");
const { Readable } = require("internal/streams/readable");
const { Writable } = require("internal/streams/writable");
const { Duplex } = require("internal/streams/duplex");
const { destroyer } = require("internal/streams/destroy");
const { eos } = require("internal/streams/end_of_stream");
const { from } = require("internal/streams/from");
const { Sides } = require("internal/streams/duplex_sides");
const is = require("internal/streams/predicates");

const isNullish = (value) => value === null || value === undefined;

/** A Duplex that knows which of its sides exist at all. */
class Duplexify extends Duplex {
  constructor(options) {
    super(options);
    if (options?.readable === false) {
      const r = this._readableState;
      r.readable = false;
      r.ended = r.endEmitted = true;
    }
    if (options?.writable === false) {
      const w = this._writableState;
      w.writable = false;
      w.ending = w.ended = w.finished = true;
    }
  }
}

/** Calls fn with an async iterable of what is written to the duplex. */
function runGenerator(fn) {
  let { promise, resolve } = Promise.withResolvers();
  const controller = new AbortController();
  const { signal } = controller;
  async function* written() {
    while (true) {
      const waiting = promise;
      promise = null;
      const { chunk, done, cb } = await waiting;
      nextTick(cb);
      if (done) return;
      if (signal.aborted) throw new AbortError(undefined, { cause: signal.reason });
      ({ promise, resolve } = Promise.withResolvers());
      yield chunk;
    }
  }
  const give = (item) => {
    const settle = resolve;
    resolve = null;
    settle(item);
  };
  return {
    value: fn(written(), { signal }),
    write(chunk, encoding, cb) {
      give({ chunk, done: false, cb });
    },
    final(cb) {
      give({ done: true, cb });
    },
    destroy(err, cb) {
      controller.abort();
      cb(err);
    },
  };
}

function fromFunction(body, name) {
  const { value, write, final, destroy } = runGenerator(body);
  if (is.isIterable(value)) {
    return from(Duplexify, value, { objectMode: true, write, final, destroy });
  }
  if (typeof value?.then !== "function") {
    const expected = "Iterable, AsyncIterable or AsyncFunction";
    throw new ERR_INVALID_RETURN_VALUE(expected, name, value);
  }
  const promise = value.then(
    (result) => {
      if (!isNullish(result)) throw new ERR_INVALID_RETURN_VALUE("nully", "body", result);
    },
    (err) => destroyer(duplex, err),
  );
  const duplex = new Duplexify({
    objectMode: true,
    readable: false,
    write,
    final(cb) {
      final(async () => {
        try {
          await promise;
          nextTick(cb, null);
        } catch (err) {
          nextTick(cb, err);
        }
      });
    },
    destroy,
  });
  return duplex;
}

function fromPromise(body) {
  const duplex = new Duplexify({ objectMode: true, writable: false, read() {} });
  body.then(
    (value) => {
      if (!isNullish(value)) duplex.push(value);
      duplex.push(null);
    },
    (err) => destroyer(duplex, err),
  );
  return duplex;
}

function fromSides({ readable, writable }) {
  const r = readable && typeof readable.read !== "function" ? Readable.wrap(readable) : readable;
  const w = writable;
  const canRead = !!is.isReadable(r);
  const canWrite = !!is.isWritable(w);
  const sides = new Sides();
  const duplex = new Duplexify({
    readableObjectMode: !!r?.readableObjectMode,
    writableObjectMode: !!w?.writableObjectMode,
    readable: canRead,
    writable: canWrite,
  });
  sides.duplex = duplex;
  const onOver = (err) => {
    if (err) destroyer(r, err);
    sides.finished(err);
  };
  if (canWrite) {
    eos(w, onOver);
    sides.writeTo(w);
    w.on("finish", () => sides.wake("finish"));
  }
  if (canRead) {
    eos(r, onOver);
    sides.readFrom(r);
  }
  sides.destroyWith([w, r], false);
  return duplex;
}

/** { readable, writable } of Node or web streams. */
function fromPair(body) {
  const toNode = (side, isRight) => {
    if (!side) return undefined;
    return isRight(side) ? side : duplexify(side);
  };
  return fromSides({
    readable: toNode(body.readable, is.isReadableNodeStream),
    writable: toNode(body.writable, is.isWritableNodeStream),
  });
}

function fromStream(body) {
  if (is.isDuplexNodeStream(body)) return body;
  if (is.isReadableNodeStream(body)) return fromSides({ readable: body });
  if (is.isWritableNodeStream(body)) return fromSides({ writable: body });
  if (is.isNodeStream(body)) return fromSides({ writable: false, readable: false });
  if (is.isReadableStream(body)) return fromSides({ readable: Readable.fromWeb(body) });
  if (is.isWritableStream(body)) return fromSides({ writable: Writable.fromWeb(body) });
  return undefined;
}

function isBlob(value) {
  return typeof Blob === "function" && value instanceof Blob;
}

function duplexify(body, name) {
  const made = fromStream(body);
  if (made !== undefined) return made;
  if (typeof body === "function") return fromFunction(body, name);
  if (typeof body === "object" && isBlob(body)) return duplexify(body.arrayBuffer());
  if (is.isIterable(body)) return from(Duplexify, body, { objectMode: true, writable: false });
  if (is.isReadableStream(body?.readable) && is.isWritableStream(body?.writable)) {
    return Duplexify.fromWeb(body);
  }
  if (typeof body?.writable === "object" || typeof body?.readable === "object") {
    return fromPair(body);
  }
  if (typeof body?.then === "function") return fromPromise(body);
  throw new ERR_INVALID_ARG_TYPE(
    name,
    [
      "Blob", "ReadableStream", "WritableStream", "Stream", "Iterable", "AsyncIterable",
      "Function", "{ readable, writable } pair", "Promise",
    ],
    body,
  );
}

exports.duplexify = duplexify;
