// web/streams/pipe -- pipeTo (Streams Standard, 4.9.1, ReadableStreamPipeTo).
//
// Chunks that are there are moved in a loop; a chunk that comes later is written in a microtask, so
// that enqueue() never calls the sink. A Pipe is the read request and the write request of all its
// chunks: there is no promise for a chunk.
const readable = require("web/streams/core");
const writable = require("web/streams/writable_core");
const { acquireReader } = require("web/streams/reader");
const { resolved, seal, then } = require("web/streams/promises");
const { invalidState } = require("web/streams/checks");

const nop = () => {};

class Pipe {
  constructor(source, dest, options) {
    this.source = source;
    this.dest = dest;
    this.options = options;
    this.reader = acquireReader(source);
    this.writer = writable.acquireWriter(dest);
    source.isDisturbed = true;
    this.isShuttingDown = false;
    /** Chunks that were read and whose write has not been answered. */
    this.n_unwritten = 0;
    this.onWritten = null;
    this.isInRead = false;
    this.isReading = false;
    this.promise = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    this.abortAlgorithm = null;
    this.loop = () => this.move();
  }

  start() {
    const { signal } = this.options;
    if (signal !== undefined) {
      const abort = () => this.abort(signal.reason);
      if (signal.aborted) {
        abort();
        return;
      }
      this.abortAlgorithm = abort;
      require("web/abort").addAlgorithm(signal, abort);
    }
    this.watch();
    if (!this.isShuttingDown) this.move();
  }

  // ---- Chunks ----------------------------------------------------------------------------------

  move() {
    const { dest, reader, source } = this;
    while (!this.isShuttingDown && !this.isReading) {
      const size = writable.desiredSizeOf(dest);
      if (size === null) return;
      if (size <= 0) {
        then(this.writer.ready.get(), this.loop, nop);
        return;
      }
      if (source.state !== readable.READABLE) return;
      this.isReading = true;
      this.isInRead = true;
      readable.readFrom(reader, this);
      this.isInRead = false;
    }
  }

  chunk(value) {
    this.n_unwritten++;
    if (this.isInRead) {
      this.isReading = false;
      writable.writeTo(this.writer, value, this);
      return;
    }
    queueMicrotask(() => {
      this.isReading = false;
      writable.writeTo(this.writer, value, this);
      this.move();
    });
  }

  close() {
    this.isReading = false;
  }

  error() {
    this.isReading = false;
  }

  /** A write has been done. */
  resolve() {
    if (--this.n_unwritten === 0 && this.onWritten !== null) this.tellWritten();
  }

  /** A write has failed, which the destination says by itself. */
  reject() {
    if (--this.n_unwritten === 0 && this.onWritten !== null) this.tellWritten();
  }

  tellWritten() {
    const fn = this.onWritten;
    this.onWritten = null;
    queueMicrotask(fn);
  }

  // ---- The end ---------------------------------------------------------------------------------

  watch() {
    const { source, dest, reader, writer } = this;
    if (source.state === readable.ERRORED) this.sourceErrored();
    else if (dest.state === writable.ERRORED) this.destErrored();
    else if (source.state === readable.CLOSED) this.sourceClosed();
    else if (dest.isClosing() || dest.state === writable.CLOSED) this.destClosed();
    else {
      then(reader.closed.get(), () => this.sourceClosed(), () => this.sourceErrored());
      then(writer.closed.get(), nop, () => this.destErrored());
    }
  }

  sourceErrored() {
    const { storedError } = this.source;
    const action = this.options.preventAbort ? null : () => this.dest.abort(storedError);
    this.shutdown(action, true, storedError);
  }

  destErrored() {
    const { storedError } = this.dest;
    const action = this.options.preventCancel
      ? null
      : () => readable.cancelStream(this.source, storedError);
    this.shutdown(action, true, storedError);
  }

  sourceClosed() {
    const action = this.options.preventClose
      ? null
      : () => writable.closeWithErrorPropagation(this.dest);
    this.shutdown(action, false);
  }

  destClosed() {
    const error = invalidState("Destination WritableStream is closed");
    const action = this.options.preventCancel
      ? null
      : () => readable.cancelStream(this.source, error);
    this.shutdown(action, true, error);
  }

  abort(reason) {
    const { preventAbort, preventCancel } = this.options;
    const action = () => {
      const actions = [];
      if (!preventAbort) {
        const isOpen = this.dest.state === writable.WRITABLE;
        actions.push(isOpen ? this.dest.abort(reason) : resolved(undefined));
      }
      if (!preventCancel) {
        const isOpen = this.source.state === readable.READABLE;
        actions.push(
          isOpen ? readable.cancelStream(this.source, reason) : resolved(undefined),
        );
      }
      return all(actions);
    };
    this.shutdown(action, true, reason);
  }

  /** Waits for what has been read to be written, then acts, then ends. */
  shutdown(action, isError, error) {
    if (this.isShuttingDown) return;
    this.isShuttingDown = true;
    const finish = () => {
      if (action === null) {
        this.finalize(isError, error);
        return;
      }
      then(
        action(),
        () => this.finalize(isError, error),
        (other) => this.finalize(true, other),
      );
    };
    const { dest } = this;
    if (dest.state !== writable.WRITABLE || dest.isClosing()) finish();
    else if (this.n_unwritten > 0) this.onWritten = finish;
    else then(then(resolved(undefined), nop), finish);
  }

  finalize(isError, error) {
    writable.releaseWriter(this.writer);
    readable.releaseReader(this.reader);
    if (this.abortAlgorithm !== null) {
      require("web/abort").removeAlgorithm(this.options.signal, this.abortAlgorithm);
    }
    if (isError) this.settle.reject(error);
    else this.settle.resolve(undefined);
  }
}

seal(Pipe);

/** Fulfilled when all are, rejected with the first rejection. */
function all(promises) {
  let rest = promises.length;
  if (rest === 0) return resolved(undefined);
  return new Promise((resolve, reject) => {
    for (const promise of promises) {
      then(
        promise,
        () => {
          if (--rest === 0) resolve(undefined);
        },
        reject,
      );
    }
  });
}

exports.pipeTo = function pipeTo(source, dest, options) {
  const pipe = new Pipe(source, dest, options);
  pipe.start();
  return pipe.promise;
};
