// internal/streams/pipeline -- pipeline(...streams, callback) (Node: stream.pipeline).
//
// A Pipeline is built from left to right; `current` is what the next stage reads from: a stream, a
// web stream or an iterable. `open` counts the transfers that have not finished; the first error
// that is not just "premature close" wins and destroys all stages.
const {
  AbortError, aggregateTwoErrors, ERR_INVALID_ARG_TYPE, ERR_INVALID_RETURN_VALUE,
  ERR_MISSING_ARGS, ERR_STREAM_DESTROYED, ERR_STREAM_PREMATURE_CLOSE,
  ERR_STREAM_UNABLE_TO_PIPE,
} = require("internal/errors");
const { nextTick } = require("internal/tick");
const { validateFunction, validateAbortSignal } = require("internal/validators");
const destroyImpl = require("internal/streams/destroy");
const { eos } = require("internal/streams/end_of_stream");
const is = require("internal/streams/predicates");

/** { destroy(err), cleanup() } for one stage, which knows when the stage has finished by itself. */
function stageDestroyer(stream, isReading, isWriting) {
  let isFinished = false;
  stream.on("close", () => {
    isFinished = true;
  });
  const cleanup = eos(stream, { readable: isReading, writable: isWriting }, (err) => {
    isFinished = !err;
  });
  const destroy = (err) => {
    if (isFinished) return;
    isFinished = true;
    destroyImpl.destroyer(stream, err || new ERR_STREAM_DESTROYED("pipe"));
  };
  return { destroy, cleanup };
}

/** Nothing is done before somebody asks for the first chunk. */
async function* iterate(stream) {
  yield* require("internal/streams/readable_more").toIterator(stream);
}

function toAsyncIterable(value) {
  if (is.isIterable(value)) return value;
  if (is.isReadableNodeStream(value)) return iterate(value);
  const types = ["Readable", "Iterable", "AsyncIterable"];
  throw new ERR_INVALID_ARG_TYPE("val", types, value);
}

/** Writes what an iterable gives into a Node stream. */
async function pumpToNode(iterable, writable, finish, { end }) {
  let error;
  let wake = null;
  const resume = (err) => {
    if (err) error = err;
    if (wake === null) return;
    const fn = wake;
    wake = null;
    fn();
  };
  const wait = () =>
    new Promise((resolve, reject) => {
      if (error) {
        reject(error);
        return;
      }
      wake = () => (error ? reject(error) : resolve());
    });
  writable.on("drain", resume);
  const cleanup = eos(writable, { readable: false }, resume);
  try {
    if (writable.writableNeedDrain) await wait();
    for await (const chunk of iterable) {
      if (!writable.write(chunk)) await wait();
    }
    if (end) {
      writable.end();
      await wait();
    }
    finish();
  } catch (err) {
    finish(error !== err ? aggregateTwoErrors(error, err) : err);
  } finally {
    cleanup();
    writable.off("drain", resume);
  }
}

/** Writes what an iterable gives into a web stream. */
async function pumpToWeb(readable, stream, finish, { end }) {
  const writable = is.isTransformStream(stream) ? stream.writable : stream;
  const writer = writable.getWriter();
  try {
    for await (const chunk of readable) {
      await writer.ready;
      writer.write(chunk).catch(() => {});
    }
    await writer.ready;
    if (end) await writer.close();
    finish();
  } catch (err) {
    try {
      await writer.abort(err);
      finish(err);
    } catch (other) {
      finish(other);
    }
  }
}

/** Pipes a Node stream into another; the result takes the watching of the second away. */
function pipeNode(src, dst, pipeline, end) {
  const finish = (err) => pipeline.finish(err);
  let isEnded = false;
  dst.on("close", () => {
    if (!isEnded) pipeline.fail(new ERR_STREAM_PREMATURE_CLOSE());
  });
  src.pipe(dst, { end: false });
  if (end) {
    const endDst = () => {
      isEnded = true;
      dst.end();
    };
    if (is.isReadableFinished(src)) nextTick(endDst);
    else src.once("end", endDst);
  } else {
    finish();
  }
  eos(src, { readable: true, writable: false }, (err) => {
    const r = src._readableState;
    const isOnlyEarly =
      err?.code === "ERR_STREAM_PREMATURE_CLOSE" && r?.ended && !r.errored && !r.errorEmitted;
    // The readable half has ended, its 'end' is still to come: a socket that closed first.
    if (isOnlyEarly) src.once("end", finish).once("error", finish);
    else finish(err);
  });
  return eos(dst, { readable: false, writable: true }, finish);
}

class Pipeline {
  constructor(streams, callback, options) {
    this.streams = streams;
    this.callback = callback;
    this.options = options;
    this.abortController = new AbortController();
    this.destroys = [];
    this.cleanups = [];
    this.open = 0;
    this.error = undefined;
    this.value = undefined;
    this.undoSignal = undefined;
    this.current = undefined;
  }

  finish(err) {
    this.settle(err, --this.open === 0);
  }

  fail(err) {
    this.settle(err, false);
  }

  settle(err, isLast) {
    if (err && (!this.error || this.error.code === "ERR_STREAM_PREMATURE_CLOSE")) {
      this.error = err;
    }
    if (!this.error && !isLast) return;
    while (this.destroys.length > 0) this.destroys.shift()(this.error);
    this.undoSignal?.();
    this.abortController.abort();
    if (!isLast) return;
    if (!this.error) for (let i = 0; i < this.cleanups.length; i++) {
      const cleanup = this.cleanups[i];
      cleanup();
    }
    nextTick(this.callback, this.error, this.value);
  }

  run() {
    const { streams, options } = this;
    const outer = options?.signal;
    validateAbortSignal(outer, "options.signal");
    const abort = () => this.settle(new AbortError(undefined, { cause: outer?.reason }));
    if (outer && !outer.aborted) {
      this.undoSignal = require("internal/streams/add_abort_signal").onAbort(outer, abort);
    }
    for (let i = 0; i < streams.length; i++) {
      const stage = {
        index: i,
        isReading: i < streams.length - 1,
        end: i < streams.length - 1 || options?.end !== false,
      };
      const next = streams[i + 1];
      if (next?.closed || next?.destroyed) throw new ERR_STREAM_UNABLE_TO_PIPE();
      this.add(streams[i], stage);
    }
    if (this.abortController.signal.aborted || outer?.aborted) nextTick(abort);
    return this.current;
  }

  watch(stream, { index, isReading, end }) {
    if (end) {
      const { destroy, cleanup } = stageDestroyer(stream, isReading, index > 0);
      this.destroys.push(destroy);
      if (is.isReadable(stream) && !isReading) this.cleanups.push(cleanup);
    }
    const onError = (err) => {
      if (err && err.name !== "AbortError" && err.code !== "ERR_STREAM_PREMATURE_CLOSE") {
        this.fail(err);
      }
    };
    stream.on("error", onError);
    if (is.isReadable(stream) && !isReading) {
      this.cleanups.push(() => stream.removeListener("error", onError));
    }
  }

  add(stream, stage) {
    if (is.isNodeStream(stream)) this.watch(stream, stage);
    if (stage.index === 0) this.current = this.source(stream);
    else if (typeof stream === "function") this.addFunction(stream, stage);
    else if (is.isNodeStream(stream)) this.addNode(stream, stage);
    else if (is.isWebStream(stream)) this.addWeb(stream, stage);
    else this.current = require("internal/streams/duplex").Duplex.from(stream);
  }

  source(stream) {
    if (typeof stream === "function") {
      const result = stream({ signal: this.abortController.signal });
      if (is.isIterable(result)) return result;
      const expected = "Iterable, AsyncIterable or Stream";
      throw new ERR_INVALID_RETURN_VALUE(expected, "source", result);
    }
    if (is.isIterable(stream) || is.isReadableNodeStream(stream) || is.isTransformStream(stream)) {
      return stream;
    }
    return require("internal/streams/duplex").Duplex.from(stream);
  }

  addFunction(fn, { index, isReading, end }) {
    const { current } = this;
    const input = toAsyncIterable(is.isTransformStream(current) ? current.readable : current);
    const result = fn(input, { signal: this.abortController.signal });
    if (isReading) {
      if (!is.isIterable(result, true)) {
        throw new ERR_INVALID_RETURN_VALUE("AsyncIterable", `transform[${index - 1}]`, result);
      }
      this.current = result;
      return;
    }
    this.addLastFunction(result, end);
  }

  /** The last stage is a function: its result can be read from a PassThrough. */
  addLastFunction(result, end) {
    const { PassThrough } = require("internal/streams/transform");
    const output = new PassThrough({ objectMode: true });
    const finish = (err) => this.finish(err);
    const then = result?.then;
    if (typeof then === "function") {
      this.open++;
      then.call(
        result,
        (value) => {
          this.value = value;
          if (value !== null && value !== undefined) output.write(value);
          if (end) output.end();
          nextTick(finish);
        },
        (err) => {
          output.destroy(err);
          nextTick(finish, err);
        },
      );
    } else if (is.isIterable(result, true)) {
      this.open++;
      pumpToNode(result, output, finish, { end });
    } else if (is.isReadableStream(result) || is.isTransformStream(result)) {
      this.open++;
      pumpToNode(result.readable || result, output, finish, { end });
    } else {
      const expected = "AsyncIterable or Promise";
      throw new ERR_INVALID_RETURN_VALUE(expected, "destination", result);
    }
    this.current = output;
    const { destroy, cleanup } = stageDestroyer(output, false, true);
    this.destroys.push(destroy);
    this.cleanups.push(cleanup);
  }

  addNode(stream, { isReading, end }) {
    const { current } = this;
    if (is.isReadableNodeStream(current)) {
      this.open += 2;
      const cleanup = pipeNode(current, stream, this, end);
      if (is.isReadable(stream) && !isReading) this.cleanups.push(cleanup);
    } else {
      this.open++;
      pumpToNode(this.readableSide(), stream, (err) => this.finish(err), { end });
    }
    this.current = stream;
  }

  addWeb(stream, { end }) {
    this.open++;
    const from = is.isReadableNodeStream(this.current)
      ? toAsyncIterable(this.current)
      : this.readableSide();
    pumpToWeb(from, stream, (err) => this.finish(err), { end });
    this.current = stream;
  }

  /** What can be iterated of a current that is no Node stream. */
  readableSide() {
    const { current } = this;
    if (is.isTransformStream(current)) return current.readable;
    if (is.isReadableStream(current) || is.isIterable(current)) return current;
    const types = ["Readable", "Iterable", "AsyncIterable", "ReadableStream", "TransformStream"];
    throw new ERR_INVALID_ARG_TYPE("val", types, current);
  }
}

function pipelineImpl(given, callback, options) {
  const streams = given.length === 1 && Array.isArray(given[0]) ? given[0] : given;
  if (streams.length < 2) throw new ERR_MISSING_ARGS("streams");
  return new Pipeline(streams, callback, options).run();
}

function once(fn) {
  let isCalled = false;
  return function (...args) {
    if (isCalled) return undefined;
    isCalled = true;
    return fn.apply(this, args);
  };
}

exports.pipelineImpl = pipelineImpl;

exports.pipeline = function pipeline(...streams) {
  const callback = streams.pop();
  validateFunction(callback, "streams[stream.length - 1]");
  return pipelineImpl(streams, once(callback));
};

/** stream/promises.pipeline */
exports.pipelinePromise = function pipeline(...streams) {
  return new Promise((resolve, reject) => {
    let options;
    const last = streams[streams.length - 1];
    const isOptions =
      last && typeof last === "object" && !is.isNodeStream(last) && !is.isIterable(last) &&
      !is.isWebStream(last);
    if (isOptions) options = streams.pop();
    pipelineImpl(
      streams,
      once((err, value) => (err ? reject(err) : resolve(value))),
      options && { signal: options.signal, end: options.end },
    );
  });
};
