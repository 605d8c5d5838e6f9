// web/streams/source -- readable streams over sources of Cob's own: sockets, files, bodies, Node's
// streams. The contract is in docs/internals/streams.md.
//
// A source is not touched before somebody reads. There are no promises between it and the queue:
// pull(sink) asks for something, and sink.push, sink.close or sink.error answers, now or later.
const core = require("web/streams/core");
const { resolved, rejected, then } = require("web/streams/promises");
const { ByteController } = require("web/streams/byte_controller");
const { DefaultController } = require("web/streams/default_controller");

const { READABLE } = core;
const kNoSource = { __proto__: null, pull: null, cancel: null };

/** Asks the source while more is wanted. Sources that answer at once are asked in a loop. */
function pump(sink) {
  if (sink.isPulling || sink.isInPump || !sink.isAwake || !sink.shouldPull()) return;
  sink.isInPump = true;
  try {
    do {
      sink.isPulling = true;
      sink.source.pull(sink);
    } while (!sink.isPulling && sink.shouldPull());
  } catch (error) {
    sink.error(error);
  } finally {
    sink.isInPump = false;
  }
}

/** cancel() of a source may return a promise, may throw, may be absent. */
function cancelSource(source, reason) {
  if (typeof source.cancel !== "function") return resolved(undefined);
  try {
    return resolved(source.cancel(reason));
  } catch (error) {
    return rejected(error);
  }
}

/** What both kinds of sink do. */
function wake(sink) {
  sink.isAwake = true;
  sink.isStarted = true;
}

class ByteSink extends ByteController {
  constructor(rs, source, highWaterMark) {
    super(rs, source, highWaterMark, undefined);
    this.isAwake = false;
    this.isInPump = false;
  }

  /** Bytes that are the stream's from now on: does it want more at once? */
  push(bytes) {
    const { rs } = this;
    this.isPulling = false;
    if (rs.state !== READABLE || this.isCloseRequested) return false;
    if (bytes.byteLength > 0) this.give(bytes);
    pump(this);
    return this.shouldPull();
  }

  give(bytes) {
    const { reader } = this.rs;
    const { buffer, byteOffset, byteLength } = bytes;
    if (reader !== null && !reader.isByob && this.total === 0 && reader.requests.length > 0 &&
      this.pendingPullIntos.length === 0) {
      reader.requests.shift().chunk(bytes);
      return;
    }
    if (this.pendingPullIntos.length > 0) {
      const first = this.pendingPullIntos[0];
      this.invalidateRequest();
      if (first.kind === "none") this.enqueueDetached(first);
    }
    this.deliver(buffer, byteOffset, byteLength);
  }

  pullIfNeeded() {
    pump(this);
  }

  close() {
    const { rs } = this;
    this.isPulling = false;
    if (this.isCloseRequested || rs.state !== READABLE) return;
    super.close();
    // Readers with memory of their own wait for an answer.
    if (rs.state === core.CLOSED && this.pendingPullIntos.length > 0) this.respond(0);
  }

  pullSteps(request) {
    wake(this);
    super.pullSteps(request);
  }

  pullInto(view, min, request) {
    wake(this);
    super.pullInto(view, min, request);
  }

  forget() {
    this.source = kNoSource;
  }

  cancelSteps(reason) {
    this.invalidateRequest();
    this.pendingPullIntos = [];
    this.reset();
    const { source } = this;
    this.forget();
    return cancelSource(source, reason);
  }

  /**
   * Everything, when nobody has read: a Uint8Array or a promise of one; undefined when the source
   * cannot do that. The stream is locked meanwhile, and closed or errored afterwards.
   */
  takeAll() {
    const { source, rs } = this;
    if (this.isAwake || typeof source.takeAll !== "function") return undefined;
    const reader = new core.ReaderState(false);
    core.attachReader(reader, rs);
    rs.isDisturbed = true;
    const settle = (error, isError) => {
      if (isError) this.error(error);
      else this.close();
      core.releaseReader(reader);
    };
    let all;
    try {
      all = source.takeAll();
    } catch (error) {
      settle(error, true);
      return rejected(error);
    }
    if (all instanceof Uint8Array) {
      settle(undefined, false);
      return all;
    }
    return then(
      resolved(all),
      (bytes) => {
        settle(undefined, false);
        return bytes;
      },
      (error) => {
        settle(error, true);
        throw error;
      },
    );
  }
}

class ChunkSink extends DefaultController {
  constructor(rs, source, highWaterMark) {
    super(rs, source, highWaterMark, undefined);
    this.isAwake = false;
    this.isInPump = false;
  }

  /** A chunk of any kind: does the stream want more at once? */
  push(chunk) {
    this.isPulling = false;
    this.enqueue(chunk);
    return this.shouldPull();
  }

  pullIfNeeded() {
    pump(this);
  }

  pullSteps(request) {
    wake(this);
    super.pullSteps(request);
  }

  forget() {
    this.source = kNoSource;
  }

  cancelSteps(reason) {
    this.reset();
    const { source } = this;
    this.forget();
    return cancelSource(source, reason);
  }
}

/**
 * A ReadableStream over a source: { pull(sink), cancel(reason)?, takeAll()? }. With
 * `options.isObjects` its chunks are anything, else they are Uint8Arrays and it is a byte stream.
 * `options.highWaterMark` is how much is read ahead once somebody has read, in bytes or chunks.
 */
exports.makeReadable = function makeReadable(source, options = undefined) {
  return exports.makeSink(source, options).rs.stream;
};

/** A byte sink for a state that belongs to a stream already. */
exports.makeSinkOn = (rs, source, highWaterMark) => new ByteSink(rs, source, highWaterMark);

/** The sink; its stream is `sink.rs.stream`. */
exports.makeSink = function makeSink(source, options = undefined) {
  const rs = new core.ReadableState();
  const mark = options?.highWaterMark ?? 0;
  const Sink = options?.isObjects ? ChunkSink : ByteSink;
  const sink = new Sink(rs, source, mark);
  if (options?.isEager) wake(sink);
  require("web/streams/readable").wrap(rs);
  if (options?.isEager) pump(sink);
  return sink;
};
