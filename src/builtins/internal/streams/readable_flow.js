// internal/streams/readable_flow -- pausing, resuming, listeners and pipe of a Readable.
const { nextTick } = require("internal/tick");
const { Stream, prependListener } = require("internal/streams/legacy");
const { errorOrDestroy } = require("internal/streams/destroy");
const { Readable, emitReadable, flow } = require("internal/streams/readable");

const { prototype } = Readable;

// ---- Listeners ---------------------------------------------------------------------------------

function readNT(stream) {
  stream.read(0);
}

/** A listener of 'data' lets data flow, one of 'readable' stops that and reads. */
prototype.on = function on(name, fn) {
  const result = Stream.prototype.on.call(this, name, fn);
  const state = this._readableState;
  if (name === "data") {
    state.readableListening = this.listenerCount("readable") > 0;
    if (state.flowing !== false) this.resume();
  } else if (name === "readable" && !state.endEmitted && !state.readableListening) {
    state.readableListening = true;
    state.needReadable = true;
    state.flowing = false;
    state.emittedReadable = false;
    if (state.length > 0) emitReadable(this);
    else if (!state.reading) nextTick(readNT, this);
  }
  return result;
};
prototype.addListener = prototype.on;

function updateListeningNT(stream) {
  const state = stream._readableState;
  state.readableListening = stream.listenerCount("readable") > 0;
  if (state.resumeScheduled && state.isPausedByUser === false) {
    // resume() came between the removal and this tick.
    state.flowing = true;
  } else if (stream.listenerCount("data") > 0) {
    stream.resume();
  } else if (!state.readableListening) {
    state.flowing = null;
  }
}

prototype.removeListener = function removeListener(name, fn) {
  const result = Stream.prototype.removeListener.call(this, name, fn);
  // Later, since a listener of 'data' may be added in place of this one.
  if (name === "readable") nextTick(updateListeningNT, this);
  return result;
};
prototype.off = prototype.removeListener;

prototype.removeAllListeners = function removeAllListeners(name) {
  const result = Stream.prototype.removeAllListeners.apply(this, arguments);
  if (name === "readable" || name === undefined) nextTick(updateListeningNT, this);
  return result;
};

// ---- Flowing -----------------------------------------------------------------------------------

function resumeNT(stream, state) {
  if (!state.reading) stream.read(0);
  state.resumeScheduled = false;
  stream.emit("resume");
  flow(stream);
  if (state.flowing && !state.reading) stream.read(0);
}

prototype.resume = function resume() {
  const state = this._readableState;
  if (!state.flowing) {
    // Whoever listens to 'readable' is the one who reads.
    state.flowing = !state.readableListening;
    if (!state.resumeScheduled) {
      state.resumeScheduled = true;
      nextTick(resumeNT, this, state);
    }
  }
  state.isPausedByUser = false;
  return this;
};

prototype.pause = function pause() {
  const state = this._readableState;
  if (state.flowing !== false) {
    state.flowing = false;
    this.emit("pause");
  }
  state.isPausedByUser = true;
  return this;
};

prototype.isPaused = function isPaused() {
  const state = this._readableState;
  return state.isPausedByUser === true || state.flowing === false;
};

// ---- Piping ------------------------------------------------------------------------------------

/** What binds one source to one destination. */
class Pipe {
  constructor(source, dest) {
    this.source = source;
    this.dest = dest;
    this.onDrain = undefined;
    this.isUndone = false;
    this.onData = (chunk) => {
      try {
        if (dest.write(chunk) === false) this.pause();
      } catch (err) {
        dest.destroy(err);
      }
    };
    this.onEnd = () => dest.end();
    this.unpipe = () => source.unpipe(dest);
    this.onClose = () => {
      dest.removeListener("finish", this.onFinish);
      this.unpipe();
    };
    this.onFinish = () => {
      dest.removeListener("close", this.onClose);
      this.unpipe();
    };
    this.onUnpipe = (readable, info) => {
      if (readable !== source || info?.hasUnpiped !== false) return;
      info.hasUnpiped = true;
      this.undo();
    };
    this.onError = (err) => {
      this.unpipe();
      dest.removeListener("error", this.onError);
      if (dest.listenerCount("error") !== 0) return;
      const state = dest._writableState || dest._readableState;
      // Nobody else hears it: it must not get lost.
      if (state && !state.errorEmitted) errorOrDestroy(dest, err);
      else dest.emit("error", err);
    };
  }

  bind() {
    const { source, dest } = this;
    dest.on("unpipe", this.onUnpipe);
    source.on("data", this.onData);
    prependListener(dest, "error", this.onError);
    dest.once("close", this.onClose);
    dest.once("finish", this.onFinish);
  }

  undo() {
    const { source, dest } = this;
    dest.removeListener("close", this.onClose);
    dest.removeListener("finish", this.onFinish);
    if (this.onDrain) dest.removeListener("drain", this.onDrain);
    dest.removeListener("error", this.onError);
    dest.removeListener("unpipe", this.onUnpipe);
    source.removeListener("end", this.onEnd);
    source.removeListener("end", this.unpipe);
    source.removeListener("data", this.onData);
    this.isUndone = true;
    // The source waits for a destination that is gone: let it go on.
    if (
      this.onDrain && source._readableState.awaitDrainWriters &&
      (!dest._writableState || dest._writableState.needDrain)
    ) {
      this.onDrain();
    }
  }

  pause() {
    const { source, dest } = this;
    const state = source._readableState;
    if (!this.isUndone) {
      if (state.pipes.length === 1 && state.pipes[0] === dest) {
        state.awaitDrainWriters = dest;
        state.multiAwaitDrain = false;
      } else if (state.pipes.length > 1 && state.pipes.includes(dest)) {
        state.awaitDrainWriters.add(dest);
      }
      source.pause();
    }
    if (this.onDrain) return;
    this.onDrain = () => {
      if (state.awaitDrainWriters === dest) state.awaitDrainWriters = null;
      else if (state.multiAwaitDrain) state.awaitDrainWriters.delete(dest);
      const waiting = state.awaitDrainWriters;
      if ((!waiting || waiting.size === 0) && source.listenerCount("data") > 0) source.resume();
    };
    dest.on("drain", this.onDrain);
  }
}

function isStdio(dest) {
  // Asked without making the streams.
  return dest._isStdio === true && (dest === process.stdout || dest === process.stderr);
}

prototype.pipe = function pipe(dest, options) {
  const state = this._readableState;
  if (state.pipes.length === 1 && !state.multiAwaitDrain) {
    state.multiAwaitDrain = true;
    state.awaitDrainWriters = new Set(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
  }
  state.pipes.push(dest);
  const bond = new Pipe(this, dest);
  const onEnd = (!options || options.end !== false) && !isStdio(dest) ? bond.onEnd : bond.unpipe;
  if (state.endEmitted) nextTick(onEnd);
  else this.once("end", onEnd);
  bond.bind();
  dest.emit("pipe", this);
  if (dest.writableNeedDrain === true) bond.pause();
  else if (!state.flowing) this.resume();
  return dest;
};

prototype.unpipe = function unpipe(dest) {
  const state = this._readableState;
  if (state.pipes.length === 0) return this;
  if (!dest) {
    const all = state.pipes;
    state.pipes = [];
    this.pause();
    for (const each of all) each.emit("unpipe", this, { hasUnpiped: false });
    return this;
  }
  const i = state.pipes.indexOf(dest);
  if (i < 0) return this;
  state.pipes.splice(i, 1);
  if (state.pipes.length === 0) this.pause();
  dest.emit("unpipe", this, { hasUnpiped: false });
  return this;
};
