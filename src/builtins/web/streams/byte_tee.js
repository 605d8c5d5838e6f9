// web/streams/byte_tee -- tee of byte streams (Streams Standard, 4.9.1, ReadableByteStreamTee): a
// branch that is read with a BYOB reader reads from the stream with one.
const core = require("web/streams/core");
const { ByteController } = require("web/streams/byte_controller");
const { acquireReader, acquireByobReader, readInto } = require("web/streams/reader");
const { resolved } = require("web/streams/promises");
const { Tee } = require("web/streams/tee");

/** A copy of the bytes of a view. */
const clone = (view) =>
  new Uint8Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));

class ByteTee extends Tee {
  constructor(rs) {
    super(rs);
    this.mustReadAgain = [false, false];
    for (let i = 0; i < 2; i++) {
      const branch = (this.branches[i] = new core.ReadableState());
      const source = {
        __proto__: null,
        pull: () => this.pullBranch(i),
        cancel: (reason) => this.cancelBranch(i, reason),
      };
      new ByteController(branch, source, 0, undefined).start(undefined);
    }
    this.forwardError(this.reader);
  }

  pullBranch(i) {
    if (this.isReading) {
      this.mustReadAgain[i] = true;
      return resolved(undefined);
    }
    this.isReading = true;
    const request = this.branches[i].controller.public.byobRequest;
    if (request === null) this.readDefault();
    else this.readByob(request.view, i);
    return resolved(undefined);
  }

  switchTo(reader) {
    this.reader = reader;
    this.forwardError(reader);
  }

  readDefault() {
    if (this.reader.isByob) {
      core.releaseReader(this.reader);
      this.switchTo(acquireReader(this.rs));
    }
    core.readFrom(this.reader, {
      chunk: (value) => queueMicrotask(() => this.giveDefault(value)),
      close: () => this.closeDefault(),
      error: () => {
        this.isReading = false;
      },
    });
  }

  fail(error) {
    for (const branch of this.branches) branch.controller.error(error);
    this.cancelPromise.resolve(core.cancelStream(this.rs, error));
  }

  again() {
    this.isReading = false;
    if (this.mustReadAgain[0]) this.pullBranch(0);
    else if (this.mustReadAgain[1]) this.pullBranch(1);
  }

  giveDefault(value) {
    this.mustReadAgain = [false, false];
    let second = value;
    if (!this.bothCanceled() && !this.isCanceled[0] && !this.isCanceled[1]) {
      try {
        second = clone(value);
      } catch (error) {
        this.fail(error);
        return;
      }
    }
    if (!this.isCanceled[0]) this.branches[0].controller.enqueue(value);
    if (!this.isCanceled[1]) this.branches[1].controller.enqueue(second);
    this.again();
  }

  closeDefault() {
    this.isReading = false;
    for (let i = 0; i < 2; i++) if (!this.isCanceled[i]) this.branches[i].controller.close();
    for (const { controller } of this.branches) {
      if (controller.pendingPullIntos.length > 0) controller.respond(0);
    }
    if (!this.bothCanceled()) this.cancelPromise.resolve(undefined);
  }

  /** Reads into the memory that branch `i` was given. */
  readByob(view, i) {
    if (!this.reader.isByob) {
      core.releaseReader(this.reader);
      this.switchTo(acquireByobReader(this.rs));
    }
    readInto(this.reader, view, 1, {
      chunk: (value) => queueMicrotask(() => this.giveByob(value, i)),
      close: (value) => this.closeByob(value, i),
      error: () => {
        this.isReading = false;
      },
    });
  }

  giveByob(value, i) {
    this.mustReadAgain = [false, false];
    const own = this.branches[i].controller;
    const other = this.branches[1 - i].controller;
    const isOtherCanceled = this.isCanceled[1 - i];
    if (!isOtherCanceled) {
      let copy;
      try {
        copy = clone(value);
      } catch (error) {
        this.fail(error);
        return;
      }
      if (!this.isCanceled[i]) own.respondWithNewView(value);
      other.enqueue(copy);
    } else if (!this.isCanceled[i]) {
      own.respondWithNewView(value);
    }
    this.again();
  }

  closeByob(value, i) {
    this.isReading = false;
    const own = this.branches[i].controller;
    const other = this.branches[1 - i].controller;
    const isOwnCanceled = this.isCanceled[i];
    const isOtherCanceled = this.isCanceled[1 - i];
    if (!isOwnCanceled) own.close();
    if (!isOtherCanceled) other.close();
    if (value !== undefined) {
      if (!isOwnCanceled) own.respondWithNewView(value);
      if (!isOtherCanceled && other.pendingPullIntos.length > 0) other.respond(0);
    }
    if (!isOwnCanceled || !isOtherCanceled) this.cancelPromise.resolve(undefined);
  }
}

exports.ByteTee = ByteTee;
