// web/streams/byte_controller -- the controller of byte streams (Streams Standard, 4.7).
//
// The queue holds { buffer, byteOffset, byteLength }. A PullInto is a read into memory that the
// reader (or autoAllocateChunkSize) has given; the first of them is what byobRequest offers. Memory
// is transferred whenever it changes hands, so that nobody can change it meanwhile.
const { Queue } = require("web/streams/queue");
const { resolved, resolvedNew, then, seal, soon } = require("web/streams/promises");
const core = require("web/streams/core");
const { invalidState, typeError } = require("web/streams/checks");

const { READABLE, CLOSED, ERRORED } = core;
const kNoSource = { __proto__: null, pull: null, cancel: null };

const protoOfViews = Object.getPrototypeOf(Uint8Array.prototype);
const { apply } = Reflect;
const { transfer, slice } = ArrayBuffer.prototype;
const tagOf = Object.getOwnPropertyDescriptor(protoOfViews, Symbol.toStringTag).get;
const constructors = {
  __proto__: null, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array,
  Uint32Array, BigInt64Array, BigUint64Array, Float32Array, Float64Array,
};
if (typeof Float16Array === "function") constructors.Float16Array = Float16Array;

/** The constructor of a view, whatever its properties say. */
function constructorOf(view) {
  const name = apply(tagOf, view, []);
  return name === undefined ? DataView : constructors[name];
}

const transferBuffer = (buffer) => apply(transfer, buffer, []);
const isDetached = (buffer) => buffer.detached;

class PullInto {
  constructor(buffer, byteOffset, byteLength, minimum, Constructor, kind) {
    this.buffer = buffer;
    this.bufferLength = buffer.byteLength;
    this.byteOffset = byteOffset;
    this.byteLength = byteLength;
    this.filled = 0;
    this.minimum = minimum;
    this.Constructor = Constructor;
    this.elementSize = Constructor === DataView ? 1 : Constructor.BYTES_PER_ELEMENT;
    /** "default", "byob", or "none" when its reader has gone. */
    this.kind = kind;
  }

  /** The view of what has been filled. */
  view() {
    const buffer = transferBuffer(this.buffer);
    return new this.Constructor(buffer, this.byteOffset, this.filled / this.elementSize);
  }
}

class ByteController {
  constructor(rs, source, highWaterMark, autoAllocateChunkSize) {
    this.rs = rs;
    this.source = source;
    this.highWaterMark = highWaterMark;
    this.autoAllocateChunkSize = autoAllocateChunkSize;
    this.queue = new Queue();
    this.total = 0;
    this.pendingPullIntos = [];
    this.byobRequest = null;
    this.isStarted = false;
    this.isCloseRequested = false;
    this.isPulling = false;
    this.mustPullAgain = false;
    this.wrapper = null;
    rs.controller = this;
  }

  get public() {
    const { makeController } = require("web/streams/byte_classes");
    this.wrapper ??= makeController(this);
    return this.wrapper;
  }

  start(result) {
    then(
      resolvedNew(result),
      () => {
        this.isStarted = true;
        this.pullIfNeeded();
      },
      (error) => this.error(error),
    );
  }

  desiredSize() {
    const { state } = this.rs;
    if (state === ERRORED) return null;
    if (state === CLOSED) return 0;
    return this.highWaterMark - this.total;
  }

  shouldPull() {
    const { rs } = this;
    if (rs.state !== READABLE || this.isCloseRequested || !this.isStarted) return false;
    if (core.nRequests(rs) > 0 || core.nIntoRequests(rs) > 0) return true;
    return this.highWaterMark - this.total > 0;
  }

  pullIfNeeded() {
    if (!this.shouldPull()) return;
    if (this.isPulling) {
      this.mustPullAgain = true;
      return;
    }
    if (this.source.pull === null) return;
    this.isPulling = true;
    const onPulled = () => {
      this.isPulling = false;
      if (!this.mustPullAgain) return;
      this.mustPullAgain = false;
      this.pullIfNeeded();
    };
    const promise = this.source.pull();
    if (promise === undefined) soon(onPulled);
    else then(promise, onPulled, (error) => this.error(error));
  }

  // ---- Closing ---------------------------------------------------------------------------------

  close() {
    const { rs } = this;
    if (this.isCloseRequested || rs.state !== READABLE) return;
    if (this.total > 0) {
      this.isCloseRequested = true;
      return;
    }
    if (this.pendingPullIntos.length > 0) {
      const first = this.pendingPullIntos[0];
      if (first.filled % first.elementSize !== 0) {
        const error = typeError("Insufficient bytes to fill elements in the given buffer");
        this.error(error);
        throw error;
      }
    }
    this.forget();
    core.closeStream(rs);
  }

  error(error) {
    if (this.rs.state !== READABLE) return;
    this.invalidateRequest();
    this.pendingPullIntos = [];
    this.reset();
    this.forget();
    core.errorStream(this.rs, error);
  }

  reset() {
    this.queue.clear();
    this.total = 0;
  }

  forget() {
    this.source = kNoSource;
  }

  invalidateRequest() {
    if (this.byobRequest === null) return;
    this.byobRequest.invalidate();
    this.byobRequest = null;
  }

  handleDrained() {
    if (this.total === 0 && this.isCloseRequested) {
      this.forget();
      core.closeStream(this.rs);
    } else {
      this.pullIfNeeded();
    }
  }

  // ---- Enqueuing -------------------------------------------------------------------------------

  enqueue(chunk) {
    const { rs } = this;
    if (this.isCloseRequested || rs.state !== READABLE) return;
    const { buffer, byteOffset, byteLength } = chunk;
    if (isDetached(buffer)) throw typeError("chunk's buffer is detached", "ERR_INVALID_STATE");
    const transferred = transferBuffer(buffer);
    if (this.pendingPullIntos.length > 0) {
      const first = this.pendingPullIntos[0];
      if (isDetached(first.buffer)) {
        throw typeError("The BYOB request's buffer has been detached", "ERR_INVALID_STATE");
      }
      this.invalidateRequest();
      first.buffer = transferBuffer(first.buffer);
      if (first.kind === "none") this.enqueueDetached(first);
    }
    this.deliver(transferred, byteOffset, byteLength);
    this.pullIfNeeded();
  }

  /** Gives memory that is ours to whoever waits, or to the queue. */
  deliver(buffer, byteOffset, byteLength) {
    const { rs } = this;
    const { reader } = rs;
    if (reader !== null && !reader.isByob) {
      this.fillRequests();
      if (reader.requests.length === 0) {
        this.enqueueChunk(buffer, byteOffset, byteLength);
        return;
      }
      if (this.pendingPullIntos.length > 0) this.pendingPullIntos.shift();
      reader.requests.shift().chunk(new Uint8Array(buffer, byteOffset, byteLength));
      return;
    }
    this.enqueueChunk(buffer, byteOffset, byteLength);
    if (reader !== null) this.commitAll(this.fillFromQueue());
  }

  enqueueChunk(buffer, byteOffset, byteLength) {
    this.queue.push({ buffer, byteOffset, byteLength });
    this.total += byteLength;
  }

  /** Takes a copy of what a reader that has gone had been given. */
  enqueueDetached(pull) {
    if (pull.filled > 0) this.enqueueClone(pull.buffer, pull.byteOffset, pull.filled);
    this.pendingPullIntos.shift();
  }

  enqueueClone(buffer, byteOffset, byteLength) {
    let copy;
    try {
      copy = apply(slice, buffer, [byteOffset, byteOffset + byteLength]);
    } catch (error) {
      this.error(error);
      throw error;
    }
    this.enqueueChunk(copy, 0, byteLength);
  }

  /** Answers default reads from the queue. */
  fillRequests() {
    const { reader } = this.rs;
    while (reader.requests.length > 0 && this.total > 0) {
      this.fillRequest(reader.requests.shift());
    }
  }

  fillRequest(request) {
    const entry = this.queue.shift();
    this.total -= entry.byteLength;
    this.handleDrained();
    request.chunk(new Uint8Array(entry.buffer, entry.byteOffset, entry.byteLength));
  }

  // ---- Reading ---------------------------------------------------------------------------------

  pullSteps(request) {
    if (this.total > 0) {
      this.fillRequest(request);
      return;
    }
    const size = this.autoAllocateChunkSize;
    if (size !== undefined) {
      let buffer;
      try {
        buffer = new ArrayBuffer(size);
      } catch (error) {
        request.error(error);
        return;
      }
      this.pendingPullIntos.push(new PullInto(buffer, 0, size, 1, Uint8Array, "default"));
    }
    this.rs.reader.requests.push(request);
    this.pullIfNeeded();
  }

  /** ReadableByteStreamControllerPullInto */
  pullInto(view, min, request) {
    const { rs } = this;
    const Constructor = constructorOf(view);
    const elementSize = Constructor === DataView ? 1 : Constructor.BYTES_PER_ELEMENT;
    const { byteOffset, byteLength } = view;
    let buffer;
    try {
      buffer = transferBuffer(view.buffer);
    } catch (error) {
      request.error(error);
      return;
    }
    const pull = new PullInto(
      buffer, byteOffset, byteLength, min * elementSize, Constructor, "byob",
    );
    if (this.pendingPullIntos.length > 0) {
      this.pendingPullIntos.push(pull);
      rs.reader.requests.push(request);
      return;
    }
    if (rs.state === CLOSED) {
      request.close(new Constructor(pull.buffer, pull.byteOffset, 0));
      return;
    }
    if (this.total > 0) {
      if (this.fillPull(pull)) {
        const filled = pull.view();
        this.handleDrained();
        request.chunk(filled);
        return;
      }
      if (this.isCloseRequested) {
        const error = typeError("Insufficient bytes to fill elements in the given buffer");
        this.error(error);
        request.error(error);
        return;
      }
    }
    this.pendingPullIntos.push(pull);
    rs.reader.requests.push(request);
    this.pullIfNeeded();
  }

  /** Copies from the queue into a pull: has it got enough? */
  fillPull(pull) {
    const room = Math.min(this.total, pull.byteLength - pull.filled);
    const most = pull.filled + room;
    let rest = room;
    let isReady = false;
    const aligned = most - (most % pull.elementSize);
    if (aligned >= pull.minimum) {
      rest = aligned - pull.filled;
      isReady = true;
    }
    while (rest > 0) {
      const head = this.queue.peek();
      const n = Math.min(rest, head.byteLength);
      new Uint8Array(pull.buffer, pull.byteOffset + pull.filled, n).set(
        new Uint8Array(head.buffer, head.byteOffset, n),
      );
      if (head.byteLength === n) {
        this.queue.shift();
      } else {
        head.byteOffset += n;
        head.byteLength -= n;
      }
      this.total -= n;
      pull.filled += n;
      rest -= n;
    }
    return isReady;
  }

  /** Fills waiting pulls from the queue: those that are ready. */
  fillFromQueue() {
    const ready = [];
    while (this.pendingPullIntos.length > 0 && this.total > 0) {
      const pull = this.pendingPullIntos[0];
      if (!this.fillPull(pull)) break;
      this.pendingPullIntos.shift();
      ready.push(pull);
    }
    return ready;
  }

  commitAll(pulls) {
    for (const pull of pulls) this.commit(pull);
  }

  /** Hands a filled pull to the request that waits for it. */
  commit(pull) {
    const { rs } = this;
    const isDone = rs.state === CLOSED;
    const view = pull.view();
    const request = rs.reader.requests.shift();
    if (isDone && pull.kind === "byob") request.close(view);
    else if (isDone) request.close();
    else request.chunk(view);
  }

  // ---- Answers to byobRequest ------------------------------------------------------------------

  respond(byteCount) {
    const first = this.pendingPullIntos[0];
    if (this.rs.state === CLOSED) {
      if (byteCount !== 0) {
        throw typeError("bytesWritten must be 0 when calling respond() on a closed stream",
          "ERR_INVALID_STATE");
      }
    } else if (byteCount === 0) {
      throw invalidState("bytesWritten must be greater than 0 on a readable stream");
    } else if (first.filled + byteCount > first.byteLength) {
      throw tooMuch();
    }
    first.buffer = transferBuffer(first.buffer);
    this.respondWith(byteCount);
  }

  respondWithNewView(view) {
    const first = this.pendingPullIntos[0];
    const { byteOffset, byteLength } = view;
    if (this.rs.state === CLOSED) {
      if (byteLength !== 0) throw invalidState("The view must be empty on a closed stream");
    } else if (byteLength === 0) {
      throw invalidState("The view must not be empty on a readable stream");
    }
    if (first.byteOffset + first.filled !== byteOffset) {
      throw outOfRange("The view must start where the request does");
    }
    if (first.bufferLength !== view.buffer.byteLength) {
      throw outOfRange("The view must be of a buffer of the same length");
    }
    if (first.filled + byteLength > first.byteLength) throw tooMuch();
    first.buffer = transferBuffer(view.buffer);
    this.respondWith(byteLength);
  }

  respondWith(byteCount) {
    const first = this.pendingPullIntos[0];
    this.invalidateRequest();
    if (this.rs.state === CLOSED) this.respondClosed(first);
    else this.respondReadable(byteCount, first);
    this.pullIfNeeded();
  }

  respondClosed(first) {
    if (first.kind === "none") this.pendingPullIntos.shift();
    if (this.rs.reader === null || !this.rs.reader.isByob) return;
    const ready = [];
    while (ready.length < core.nIntoRequests(this.rs)) ready.push(this.pendingPullIntos.shift());
    this.commitAll(ready);
  }

  respondReadable(byteCount, pull) {
    pull.filled += byteCount;
    if (pull.kind === "none") {
      this.enqueueDetached(pull);
      this.commitAll(this.fillFromQueue());
      return;
    }
    if (pull.filled < pull.minimum) return;
    this.pendingPullIntos.shift();
    const rest = pull.filled % pull.elementSize;
    if (rest > 0) {
      const end = pull.byteOffset + pull.filled;
      this.enqueueClone(pull.buffer, end - rest, rest);
    }
    pull.filled -= rest;
    const ready = this.fillFromQueue();
    this.commit(pull);
    this.commitAll(ready);
  }

  cancelSteps(reason) {
    this.invalidateRequest();
    this.pendingPullIntos = [];
    this.reset();
    const { source } = this;
    const result = source.cancel === null ? resolved(undefined) : source.cancel(reason);
    this.forget();
    return result;
  }

  releaseSteps() {
    if (this.pendingPullIntos.length === 0) return;
    const first = this.pendingPullIntos[0];
    first.kind = "none";
    this.pendingPullIntos = [first];
  }
}

function outOfRange(text) {
  return require("internal/errors").makeCoded("RangeError", "ERR_INVALID_ARG_VALUE", text);
}
const tooMuch = () => outOfRange("More bytes were written than there is room for");

seal(ByteController);
seal(PullInto);

Object.assign(exports, { ByteController, transferBuffer, isDetached });
