// web/streams/direct -- Bun's streams of `type: "direct"`: the source writes bytes into a
// controller instead of enqueuing chunks.
//
// Read from JavaScript, what was written since the last delivery is one chunk: delivered when
// pull() returns, in the microtask after a later write, by flush() and by close(). pull() is called
// again when a reader wants more and the last call is over.
//
// A destination that takes everything (`takeDirect`) gets each write at once; there pull() is
// called once, and the end of its promise is the end of the stream.
const { makeSinkOn } = require("web/streams/source");
const { extractMark, memberFunction } = require("web/streams/checks");
const { resolved, then } = require("web/streams/promises");

const kMark = 64 * 1024;

function toBytes(chunk) {
  if (typeof chunk === "string") return new TextEncoder().encode(chunk);
  if (ArrayBuffer.isView(chunk)) {
    return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength).slice();
  }
  if (chunk instanceof ArrayBuffer || chunk instanceof SharedArrayBuffer) {
    return new Uint8Array(chunk).slice();
  }
  const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
  throw new ERR_INVALID_ARG_TYPE("chunk", ["string", "ArrayBuffer", "ArrayBufferView"], chunk);
}

/** What the program's pull() gets. Its methods are its own: they work without `this`. */
class DirectStreamController {
  constructor(source) {
    this.write = (chunk) => source.write(chunk);
    this.end = () => source.end(undefined);
    this.close = (error) => source.end(error);
    this.flush = () => source.flush();
    this.error = (error) => source.fail(error);
  }
}

class DirectSource {
  constructor(given, pull, cancel, highWaterMark) {
    this.given = given;
    this.userPull = pull;
    this.userCancel = cancel;
    this.highWaterMark = highWaterMark;
    this.controller = null;
    this.sink = null;
    /** { write(bytes), flush(), end(), error(reason) } of whoever takes everything. */
    this.target = null;
    this.parts = [];
    this.size = 0;
    this.isInPull = false;
    this.isPulling = false;
    this.isOver = false;
    this.isScheduled = false;
    /** Of a write that found the buffer full. */
    this.drain = null;
  }

  // ---- For the stream --------------------------------------------------------------------------

  pull(sink) {
    this.sink = sink;
    if (this.drain !== null) {
      const { resolve, n } = this.drain;
      this.drain = null;
      resolve(n);
    }
    if (this.size > 0) this.deliver();
    else if (!this.isPulling) this.callPull();
  }

  cancel(reason) {
    this.isOver = true;
    this.parts = [];
    this.size = 0;
    if (this.userCancel === undefined) return undefined;
    return Reflect.apply(this.userCancel, this.given, [reason]);
  }

  takeAll() {
    const parts = [];
    return new Promise((resolve, reject) => {
      this.takeWith({
        write(bytes) {
          parts.push(bytes);
          return bytes.length;
        },
        flush() {},
        end: () => resolve(concat(parts)),
        error: reject,
      });
    });
  }

  /** Gives everything to a destination. */
  takeWith(target) {
    this.target = target;
    this.callPull();
  }

  callPull() {
    this.isPulling = true;
    this.isInPull = true;
    this.controller ??= new DirectStreamController(this);
    let result;
    try {
      result = Reflect.apply(this.userPull, this.given, [this.controller]);
    } catch (error) {
      this.isInPull = false;
      this.fail(error);
      return;
    }
    this.isInPull = false;
    if (typeof result?.then === "function") {
      then(resolved(result), () => this.pullDone(true), (error) => this.fail(error));
    } else {
      this.pullDone(false);
      return;
    }
    this.deliver();
  }

  pullDone(wasPromise) {
    this.isPulling = false;
    if (this.isOver) return;
    if (this.target !== null) {
      if (wasPromise) this.end(undefined);
      return;
    }
    if (this.size > 0) this.deliver();
    // Nothing came: ask again later, not in a loop.
    else if (wasPromise && this.sink.isPulling) this.callPull();
  }

  // ---- For the program -------------------------------------------------------------------------

  write(chunk) {
    if (this.isOver) return 0;
    const bytes = toBytes(chunk);
    if (this.target !== null) return this.target.write(bytes);
    if (bytes.length > 0) {
      this.parts.push(bytes);
      this.size += bytes.length;
    }
    if (!this.isInPull) this.schedule();
    const waiting = this.size + (this.sink?.total ?? 0);
    if (waiting < this.highWaterMark) return bytes.length;
    if (this.drain === null) {
      this.drain = { n: bytes.length };
      this.drain.promise = new Promise((resolve) => {
        this.drain.resolve = resolve;
      });
    }
    return this.drain.promise;
  }

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    queueMicrotask(() => {
      this.isScheduled = false;
      this.deliver();
    });
  }

  deliver() {
    if (this.size === 0 || this.sink === null || this.target !== null) return;
    const bytes = concat(this.parts);
    this.parts = [];
    this.size = 0;
    this.sink.push(bytes);
  }

  flush() {
    if (this.target !== null) return this.target.flush();
    this.deliver();
    return undefined;
  }

  end(error) {
    if (this.isOver) return undefined;
    if (error !== undefined && error !== null) {
      this.fail(error);
      return undefined;
    }
    const { size } = this;
    if (this.target === null) this.deliver();
    this.isOver = true;
    if (this.target !== null) this.target.end();
    else this.sink?.close();
    return size;
  }

  fail(error) {
    if (this.isOver) return;
    this.isOver = true;
    if (this.target !== null) this.target.error(error);
    else this.sink?.error(error);
  }
}

function concat(parts) {
  if (parts.length === 1) return parts[0];
  let size = 0;
  for (const part of parts) size += part.length;
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** For the constructor of ReadableStream. */
exports.setUp = function setUp(rs, given, { pull, cancel }, strategy) {
  if (pull === undefined) {
    const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
    throw new ERR_INVALID_ARG_TYPE("source.pull", "Function", memberFunction(given, "pull"));
  }
  const source = new DirectSource(given, pull, cancel, extractMark(strategy, kMark));
  makeSinkOn(rs, source, 0);
  rs.direct = source;
};

/**
 * Lets a destination take all of a direct stream: { write(bytes) -> n or a promise of it when it is
 * full, flush(), end(), error(reason) }. False when the stream is none or somebody reads it.
 */
exports.takeDirect = function takeDirect(stream, target) {
  const core = require("web/streams/core");
  const rs = require("web/streams/readable").stateOf(stream);
  const source = rs?.direct;
  if (source === undefined || rs.isDisturbed || core.isLocked(rs)) return false;
  rs.isDisturbed = true;
  const reader = new core.ReaderState(false);
  core.attachReader(reader, rs);
  const settle = (fn) => (error) => {
    fn(error);
    if (error === undefined) rs.controller.close();
    else rs.controller.error(error);
  };
  source.takeWith({
    write: (bytes) => target.write(bytes),
    flush: () => target.flush(),
    end: settle(() => target.end()),
    error: settle((error) => target.error(error)),
  });
  return true;
};
