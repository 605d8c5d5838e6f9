// web/streams/writable_core -- what a WritableStream is inside (Streams Standard, 5.3 to 5.5).
//
// Whoever waits for a write or a close is a request: an object with resolve(value) and
// reject(reason). The sink is an object with write(chunk), close() and abort(reason), which return
// promises, each of which may be null.
const { LazyPromise, resolved, resolvedNew, rejected, seal, then } =
  require("web/streams/promises");
const { Queue } = require("web/streams/queue");
const { checkSize, invalidState } = require("web/streams/checks");

const WRITABLE = 0;
const ERRORING = 1;
const ERRORED = 2;
const CLOSED = 3;
const kStateNames = ["writable", "erroring", "errored", "closed"];
/** Stands in the queue for the close. */
const kClose = Symbol("close");
const kNoSink = { __proto__: null, write: null, close: null, abort: null };

/** A request with a promise. */
class PromiseRequest {
  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }
}

class WriterState {
  constructor() {
    this.ws = null;
    this.closed = new LazyPromise();
    this.ready = new LazyPromise();
  }
}

class WritableState {
  constructor() {
    this.state = WRITABLE;
    this.writer = null;
    this.controller = null;
    this.hasBackpressure = false;
    this.closeRequest = null;
    this.inFlightWrite = null;
    this.inFlightClose = null;
    this.pendingAbort = null;
    this.storedError = undefined;
    this.writeRequests = new Queue();
    this.stream = null;
    this.onSettled = null;
    this.settledPromise = undefined;
  }

  stateName() {
    return kStateNames[this.state];
  }

  isSettled() {
    return this.state === ERRORED || this.state === CLOSED;
  }

  isClosing() {
    return this.closeRequest !== null || this.inFlightClose !== null;
  }

  tellSettled() {
    const { onSettled } = this;
    if (onSettled === null) return;
    this.onSettled = null;
    if (this.state === ERRORED) onSettled.reject(this.storedError);
    else onSettled.resolve(undefined);
  }

  abort(reason) {
    if (this.isSettled()) return resolved(undefined);
    this.controller.abortSignal(reason);
    // Its listeners may have changed things.
    if (this.isSettled()) return resolved(undefined);
    if (this.pendingAbort !== null) return this.pendingAbort.request.promise;
    const wasErroring = this.state === ERRORING;
    const request = new PromiseRequest();
    this.pendingAbort = { request, reason: wasErroring ? undefined : reason, wasErroring };
    if (!wasErroring) this.startErroring(reason);
    return request.promise;
  }

  /** Closes for a request. */
  close(request) {
    if (this.isSettled()) {
      request.reject(invalidState("The WritableStream is not in a writable state"));
      return;
    }
    this.closeRequest = request;
    const { writer } = this;
    if (writer !== null && this.hasBackpressure && this.state === WRITABLE) {
      writer.ready.resolve(undefined);
    }
    this.controller.close();
  }

  startErroring(reason) {
    this.state = ERRORING;
    this.storedError = reason;
    if (this.writer !== null) this.writer.ready.renew(reason);
    const isBusy = this.inFlightWrite !== null || this.inFlightClose !== null;
    if (!isBusy && this.controller.isStarted) this.finishErroring();
  }

  finishErroring() {
    this.state = ERRORED;
    this.controller.reset();
    const { storedError, pendingAbort } = this;
    for (const request of this.writeRequests.takeAll()) request.reject(storedError);
    this.tellSettled();
    if (pendingAbort === null) {
      this.rejectClosed();
      return;
    }
    this.pendingAbort = null;
    if (pendingAbort.wasErroring) {
      pendingAbort.request.reject(storedError);
      this.rejectClosed();
      return;
    }
    then(
      this.controller.abortSteps(pendingAbort.reason),
      () => {
        pendingAbort.request.resolve(undefined);
        this.rejectClosed();
      },
      (error) => {
        pendingAbort.request.reject(error);
        this.rejectClosed();
      },
    );
  }

  rejectClosed() {
    if (this.closeRequest !== null) {
      this.closeRequest.reject(this.storedError);
      this.closeRequest = null;
    }
    if (this.writer !== null) this.writer.closed.reject(this.storedError);
  }

  dealWithRejection(error) {
    if (this.state === WRITABLE) this.startErroring(error);
    else this.finishErroring();
  }

  finishWrite() {
    const request = this.inFlightWrite;
    this.inFlightWrite = null;
    request.resolve(undefined);
  }

  failWrite(error) {
    const request = this.inFlightWrite;
    this.inFlightWrite = null;
    request.reject(error);
    this.dealWithRejection(error);
  }

  finishClose() {
    this.inFlightClose.resolve(undefined);
    this.inFlightClose = null;
    if (this.state === ERRORING) {
      // It got closed before the error could happen.
      this.storedError = undefined;
      if (this.pendingAbort !== null) {
        this.pendingAbort.request.resolve(undefined);
        this.pendingAbort = null;
      }
    }
    this.state = CLOSED;
    if (this.writer !== null) this.writer.closed.resolve(undefined);
    this.tellSettled();
  }

  failClose(error) {
    this.inFlightClose.reject(error);
    this.inFlightClose = null;
    if (this.pendingAbort !== null) {
      this.pendingAbort.request.reject(error);
      this.pendingAbort = null;
    }
    this.dealWithRejection(error);
  }

  updateBackpressure(hasBackpressure) {
    const { writer } = this;
    if (writer !== null && hasBackpressure !== this.hasBackpressure) {
      if (hasBackpressure) writer.ready = new LazyPromise();
      else writer.ready.resolve(undefined);
    }
    this.hasBackpressure = hasBackpressure;
  }
}

class WritableController {
  constructor(ws, sink, highWaterMark, size) {
    this.ws = ws;
    this.sink = sink;
    this.highWaterMark = highWaterMark;
    this.size = size;
    this.queue = new Queue();
    /** Sizes of what is in the queue, where they are not all 1. */
    this.sizes = size === undefined ? null : new Queue();
    this.total = 0;
    this.isStarted = false;
    this.signal = null;
    this.wrapper = null;
    this.onWritten = null;
    this.onWriteFailed = null;
    ws.controller = this;
    ws.updateBackpressure(this.hasBackpressure());
  }

  get public() {
    const { makeController } = require("web/streams/writable");
    this.wrapper ??= makeController(this);
    return this.wrapper;
  }

  getSignal() {
    this.signal ??= require("web/abort").makeSignal();
    return this.signal;
  }

  abortSignal(reason) {
    const { abortSignal } = require("web/abort");
    if (this.signal !== null || this.wrapper !== null) abortSignal(this.getSignal(), reason);
  }

  start(result) {
    const { ws } = this;
    then(
      resolvedNew(result),
      () => {
        this.isStarted = true;
        this.advance();
      },
      (error) => {
        this.isStarted = true;
        ws.dealWithRejection(error);
      },
    );
  }

  desiredSize() {
    return this.highWaterMark - this.total;
  }

  hasBackpressure() {
    return this.highWaterMark - this.total <= 0;
  }

  reset() {
    this.queue.clear();
    if (this.sizes !== null) this.sizes.clear();
    this.total = 0;
  }

  forget() {
    this.sink = kNoSink;
    if (this.sizes !== null) this.size = null;
  }

  abortSteps(reason) {
    const { sink } = this;
    const result = sink.abort === null ? resolved(undefined) : sink.abort(reason);
    this.forget();
    return result;
  }

  /** The size of a chunk; 1 when the strategy failed, which is the stream's error then. */
  chunkSize(chunk) {
    const { size } = this;
    if (size === undefined || size === null) return 1;
    try {
      return size(chunk);
    } catch (error) {
      this.errorIfNeeded(error);
      return 1;
    }
  }

  errorIfNeeded(error) {
    if (this.ws.state === WRITABLE) this.error(error);
  }

  error(error) {
    this.forget();
    this.ws.startErroring(error);
  }

  close() {
    this.queue.push(kClose);
    if (this.sizes !== null) this.sizes.push(0);
    this.advance();
  }

  write(chunk, size) {
    const { ws } = this;
    if (this.sizes === null) {
      this.total++;
    } else {
      try {
        const n = checkSize(size);
        this.sizes.push(n);
        this.total += n;
      } catch (error) {
        this.errorIfNeeded(error);
        return;
      }
    }
    this.queue.push(chunk);
    if (!ws.isClosing() && ws.state === WRITABLE) ws.updateBackpressure(this.hasBackpressure());
    this.advance();
  }

  advance() {
    const { ws, queue } = this;
    if (!this.isStarted || ws.inFlightWrite !== null) return;
    if (ws.state === ERRORING) {
      ws.finishErroring();
      return;
    }
    if (queue.length === 0) return;
    const chunk = queue.peek();
    if (chunk === kClose) this.processClose();
    else this.processWrite(chunk);
  }

  dequeue() {
    const chunk = this.queue.shift();
    if (this.sizes !== null) this.total = Math.max(0, this.total - this.sizes.shift());
    else if (chunk !== kClose) this.total--;
  }

  processClose() {
    const { ws, sink } = this;
    ws.inFlightClose = ws.closeRequest;
    ws.closeRequest = null;
    this.dequeue();
    const result = sink.close === null ? resolved(undefined) : sink.close();
    this.forget();
    then(result, () => ws.finishClose(), (error) => ws.failClose(error));
  }

  processWrite(chunk) {
    const { ws, sink } = this;
    ws.inFlightWrite = ws.writeRequests.shift();
    if (this.onWritten === null) this.makeCallbacks();
    const result = sink.write === null ? resolved(undefined) : sink.write(chunk);
    then(result, this.onWritten, this.onWriteFailed);
  }

  makeCallbacks() {
    const { ws } = this;
    this.onWritten = () => {
      ws.finishWrite();
      const { state } = ws;
      this.dequeue();
      if (!ws.isClosing() && state === WRITABLE) ws.updateBackpressure(this.hasBackpressure());
      this.advance();
    };
    this.onWriteFailed = (error) => {
      if (ws.state === WRITABLE) this.forget();
      ws.failWrite(error);
    };
  }
}

/** Binds a writer to a stream that has none. */
function acquireWriter(ws) {
  if (ws.writer !== null) throw invalidState("WritableStream is locked");
  const writer = new WriterState();
  writer.ws = ws;
  ws.writer = writer;
  if (ws.state === WRITABLE) {
    if (ws.isClosing() || !ws.hasBackpressure) writer.ready.resolve(undefined);
  } else if (ws.state === ERRORING) {
    writer.ready.reject(ws.storedError);
  } else if (ws.state === CLOSED) {
    writer.ready.resolve(undefined);
    writer.closed.resolve(undefined);
  } else {
    writer.ready.reject(ws.storedError);
    writer.closed.reject(ws.storedError);
  }
  return writer;
}

function releaseWriter(writer) {
  const error = invalidState("Writer is not bound to a WritableStream");
  writer.ready.renew(error);
  writer.closed.renew(error);
  writer.ws.writer = null;
  writer.ws = null;
}

/** WritableStreamDefaultWriterWrite, for any request. */
function writeTo(writer, chunk, request) {
  const { ws } = writer;
  const size = ws.controller.chunkSize(chunk);
  if (writer.ws !== ws) {
    request.reject(invalidState("The writer has been released"));
  } else if (ws.state === ERRORED) {
    request.reject(ws.storedError);
  } else if (ws.isClosing() || ws.state === CLOSED) {
    request.reject(invalidState("The WritableStream is closed or closing"));
  } else if (ws.state === ERRORING) {
    request.reject(ws.storedError);
  } else {
    ws.writeRequests.push(request);
    ws.controller.write(chunk, size);
  }
}

function desiredSizeOf(ws) {
  if (ws.state === ERRORED || ws.state === ERRORING) return null;
  if (ws.state === CLOSED) return 0;
  return ws.controller.desiredSize();
}

/** WritableStreamDefaultWriterCloseWithErrorPropagation */
function closeWithErrorPropagation(ws) {
  if (ws.isClosing() || ws.state === CLOSED) return resolved(undefined);
  if (ws.state === ERRORED) return rejected(ws.storedError);
  const request = new PromiseRequest();
  ws.close(request);
  return request.promise;
}

for (const Class of [PromiseRequest, WriterState, WritableState, WritableController]) seal(Class);

Object.assign(exports, {
  WRITABLE, ERRORING, ERRORED, CLOSED, WritableState, WritableController, PromiseRequest,
  acquireWriter, releaseWriter, writeTo, desiredSizeOf, closeWithErrorPropagation,
});
