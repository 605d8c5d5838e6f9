// internal/streams/writable_state -- the state of a writable half. Names and meaning of the fields
// are Node's, since programs read them.
const { getHighWaterMark, getDefaultEncoding } = require("internal/streams/high_water_mark");

class WritableState {
  constructor(options, stream, isDuplex) {
    this.objectMode = !!(options?.objectMode || (isDuplex && options?.writableObjectMode));
    this.highWaterMark = getHighWaterMark(this, options, "writableHighWaterMark", isDuplex);
    this.finalCalled = false;
    this.needDrain = false;
    this.ending = false;
    this.ended = false;
    this.finished = false;
    this.destroyed = false;
    this.decodeStrings = options?.decodeStrings !== false;
    this.defaultEncoding = getDefaultEncoding(options);
    this.length = 0;
    this.writing = false;
    this.corked = 0;
    // Is _write on the stack?
    this.sync = true;
    this.bufferProcessing = false;
    this.onwrite = undefined;
    this.writecb = null;
    this.writelen = 0;
    this.afterWriteTickInfo = null;
    this.isTickPending = false;
    this.buffered = [];
    this.bufferedIndex = 0;
    this.allBuffers = true;
    this.allNoop = true;
    this.pendingcb = 0;
    this.constructed = true;
    this.prefinished = false;
    this.errorEmitted = false;
    this.emitClose = options?.emitClose !== false;
    this.autoDestroy = options?.autoDestroy !== false;
    this.errored = null;
    this.closed = false;
    this.closeEmitted = false;
    this.writable = undefined;
    this.onFinished = [];
  }

  getBuffer() {
    return this.buffered.slice(this.bufferedIndex);
  }

  get bufferedRequestCount() {
    return this.buffered.length - this.bufferedIndex;
  }
}

function resetBuffer(state) {
  state.buffered = [];
  state.bufferedIndex = 0;
  state.allBuffers = true;
  state.allNoop = true;
}

exports.WritableState = WritableState;
exports.resetBuffer = resetBuffer;
