// web/streams/tee -- ReadableStream.prototype.tee (Streams Standard, 4.9.1,
// ReadableStreamDefaultTee).
const core = require("web/streams/core");
const { DefaultController } = require("web/streams/default_controller");
const { ByteController } = require("web/streams/byte_controller");
const { acquireReader } = require("web/streams/reader");
const { resolved, seal, then, LazyPromise } = require("web/streams/promises");

/** What both kinds of tee have in common: two branches, each of which may be cancelled. */
class Tee {
  constructor(rs) {
    this.rs = rs;
    this.reader = acquireReader(rs);
    this.isCanceled = [false, false];
    this.reasons = [undefined, undefined];
    this.cancelPromise = new LazyPromise();
    this.branches = [null, null];
    this.isReading = false;
  }

  /** Cancels one branch; the stream when it was the second. */
  cancelBranch(i, reason) {
    this.isCanceled[i] = true;
    this.reasons[i] = reason;
    if (this.isCanceled[1 - i]) {
      this.cancelPromise.resolve(core.cancelStream(this.rs, [...this.reasons]));
    }
    return this.cancelPromise.get();
  }

  bothCanceled() {
    return this.isCanceled[0] && this.isCanceled[1];
  }

  /** Branches fail when the stream does. */
  forwardError(reader) {
    then(reader.closed.get(), undefined, (error) => {
      if (reader !== this.reader) return;
      for (const branch of this.branches) branch.controller.error(error);
      if (!this.bothCanceled()) this.cancelPromise.resolve(undefined);
    });
  }
}
seal(Tee);
exports.Tee = Tee;

class DefaultTee extends Tee {
  constructor(rs) {
    super(rs);
    this.mustReadAgain = false;
    for (let i = 0; i < 2; i++) {
      const branch = (this.branches[i] = new core.ReadableState());
      const source = {
        __proto__: null, pull: () => this.pull(), cancel: (reason) => this.cancelBranch(i, reason),
      };
      new DefaultController(branch, source, 1, undefined).start(undefined);
    }
    this.forwardError(this.reader);
  }

  pull() {
    if (this.isReading) {
      this.mustReadAgain = true;
      return resolved(undefined);
    }
    this.isReading = true;
    core.readFrom(this.reader, this);
    return resolved(undefined);
  }

  /** In a microtask, so that an error of the stream can come first. */
  chunk(value) {
    queueMicrotask(() => {
      this.mustReadAgain = false;
      for (let i = 0; i < 2; i++) {
        if (!this.isCanceled[i]) this.branches[i].controller.enqueue(value);
      }
      this.isReading = false;
      if (this.mustReadAgain) this.pull();
    });
  }

  close() {
    this.isReading = false;
    for (let i = 0; i < 2; i++) if (!this.isCanceled[i]) this.branches[i].controller.close();
    if (!this.bothCanceled()) this.cancelPromise.resolve(undefined);
  }

  error() {
    this.isReading = false;
  }
}

exports.tee = function tee(rs) {
  const { wrap } = require("web/streams/readable");
  const isBytes = rs.controller instanceof ByteController;
  const { branches } = isBytes
    ? new (require("web/streams/byte_tee").ByteTee)(rs)
    : new DefaultTee(rs);
  return [wrap(branches[0]), wrap(branches[1])];
};
