// internal/streams/readable_more -- encoding, iteration, wrap, from and the accessors of Readable.
const { aggregateTwoErrors, AbortError } = require("internal/errors");
const { destroyer, errorOrDestroy } = require("internal/streams/destroy");
const { eos } = require("internal/streams/end_of_stream");
const { Readable } = require("internal/streams/readable");
const { ReadableState, take } = require("internal/streams/readable_state");

const { prototype } = Readable;

Readable.ReadableState = ReadableState;
Readable._fromList = (n, state) => take(state, n);

prototype.setEncoding = function setEncoding(encoding) {
  const { StringDecoder } = require("node:string_decoder");
  const decoder = new StringDecoder(encoding);
  const state = this._readableState;
  state.decoder = decoder;
  state.encoding = decoder.encoding;
  let text = "";
  for (let i = state.bufferIndex; i < state.buffer.length; i++) {
    text += decoder.write(state.buffer[i]);
  }
  state.buffer.length = 0;
  state.bufferIndex = 0;
  if (text !== "") state.buffer.push(text);
  state.length = text.length;
  return this;
};

// ---- Iterating ---------------------------------------------------------------------------------

async function* iterate(stream, options) {
  const nop = () => {};
  let wake = nop;
  let error;
  const onReadable = () => {
    wake();
    wake = nop;
  };
  const wait = (resolve) => {
    wake = resolve;
  };
  stream.on("readable", onReadable);
  const cleanup = eos(stream, { writable: false }, (err) => {
    error = err ? aggregateTwoErrors(error, err) : null;
    onReadable();
  });
  try {
    while (true) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) yield chunk;
      else if (error) throw error;
      else if (error === null) return;
      else await new Promise(wait);
    }
  } catch (err) {
    error = aggregateTwoErrors(error, err);
    throw error;
  } finally {
    const isOver = error || options?.destroyOnReturn !== false;
    if (isOver && (error === undefined || stream._readableState.autoDestroy)) {
      destroyer(stream, null);
    } else {
      stream.off("readable", onReadable);
      cleanup();
    }
  }
}

function toIterator(stream, options) {
  const source =
    typeof stream.read === "function" ? stream : Readable.wrap(stream, { objectMode: true });
  const iterator = iterate(source, options);
  iterator.stream = source;
  return iterator;
}
exports.toIterator = toIterator;

prototype[Symbol.asyncIterator] = function () {
  return toIterator(this);
};

prototype.iterator = function iterator(options) {
  if (options !== undefined) require("internal/validators").validateObject(options, "options");
  return toIterator(this, options);
};

prototype[Symbol.asyncDispose] = async function () {
  let error;
  if (!this.destroyed) {
    error = this.readableEnded ? null : new AbortError();
    this.destroy(error);
  }
  await new Promise((resolve, reject) => {
    eos(this, (err) => (err && err !== error ? reject(err) : resolve(null)));
  });
};

// ---- Old streams -------------------------------------------------------------------------------

/** Lets this stream read from one of the first days, that only knows events and pause. */
prototype.wrap = function wrap(stream) {
  let isPaused = false;
  stream.on("data", (chunk) => {
    if (!this.push(chunk) && stream.pause) {
      isPaused = true;
      stream.pause();
    }
  });
  stream.on("end", () => this.push(null));
  stream.on("error", (err) => errorOrDestroy(this, err));
  stream.on("close", () => destroyer(this, null));
  stream.on("destroy", () => destroyer(this, null));
  this._read = () => {
    if (!isPaused || !stream.resume) return;
    isPaused = false;
    stream.resume();
  };
  for (let i = 0, all = Object.keys(stream); i < all.length; i++) {
    const name = all[i];
    if (this[name] === undefined && typeof stream[name] === "function") {
      this[name] = stream[name].bind(stream);
    }
  }
  return this;
};

Readable.wrap = function wrap(source, options) {
  return new Readable({
    objectMode: source.readableObjectMode ?? source.objectMode ?? true,
    ...options,
    destroy(err, callback) {
      destroyer(source, err);
      callback(err);
    },
  }).wrap(source);
};

Readable.from = function (iterable, options) {
  return require("internal/streams/from").from(Readable, iterable, options);
};

// ---- Accessors ---------------------------------------------------------------------------------

// Not enumerable: packages copy what Object.assign sees of a prototype.
function accessor(name, get, set) {
  Object.defineProperty(prototype, name, {
    __proto__: null, get, set, configurable: true, enumerable: false,
  });
}

/** Reads one field of the state; undefined when there is no state yet. */
function field(name, key) {
  accessor(name, function () {
    return this._readableState?.[key];
  });
}

accessor(
  "readable",
  function () {
    const r = this._readableState;
    return !!r && r.readable !== false && !r.destroyed && !r.errorEmitted && !r.endEmitted;
  },
  function (value) {
    if (this._readableState) this._readableState.readable = !!value;
  },
);
accessor("readableAborted", function () {
  const r = this._readableState;
  return !!(r.readable !== false && (r.destroyed || r.errored) && !r.endEmitted);
});
accessor(
  "readableFlowing",
  function () {
    return this._readableState.flowing;
  },
  function (value) {
    if (this._readableState) this._readableState.flowing = value;
  },
);
accessor(
  "destroyed",
  function () {
    return this._readableState ? this._readableState.destroyed : false;
  },
  function (value) {
    if (this._readableState) this._readableState.destroyed = value;
  },
);
accessor("closed", function () {
  return this._readableState ? this._readableState.closed : false;
});
accessor("errored", function () {
  return this._readableState ? this._readableState.errored : null;
});
accessor("readableEnded", function () {
  return this._readableState ? this._readableState.endEmitted : false;
});
accessor("readableObjectMode", function () {
  return this._readableState ? this._readableState.objectMode : false;
});
accessor("readableEncoding", function () {
  return this._readableState ? this._readableState.encoding : null;
});
field("readableDidRead", "dataEmitted");
field("readableHighWaterMark", "highWaterMark");
field("readableBuffer", "buffer");
field("readableLength", "length");

// ---- Web streams and helpers that are loaded when they are used --------------------------------

Readable.fromWeb = (readable, options) =>
  require("internal/streams/adapters").readableFromWeb(readable, options);
Readable.toWeb = (readable, options) =>
  require("internal/streams/adapters").readableToWeb(readable, options);

/** Installs methods ([name, length]) whose module is loaded by the first call. */
function lazyMethods(names, isPromise) {
  for (let i = 0; i < names.length; i++) {
    const { 0: name, 1: length } = names[i];
    const method = {
      [name](...args) {
        const { operators, promises } = require("internal/streams/operators");
        const fn = (isPromise ? promises : operators)[name];
        return Reflect.apply(fn, this, args);
      },
    }[name];
    Object.defineProperty(method, "length", { __proto__: null, value: length });
    Object.defineProperty(prototype, name, {
      __proto__: null, value: method, writable: true, configurable: true, enumerable: false,
    });
  }
}
lazyMethods(
  [["drop", 1], ["filter", 2], ["flatMap", 2], ["map", 2], ["take", 1], ["compose", 2]],
  false,
);
lazyMethods(
  [["every", 1], ["forEach", 2], ["reduce", 3], ["toArray", 1], ["some", 2], ["find", 2]],
  true,
);
