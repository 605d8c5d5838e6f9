// internal/streams/writable_more -- corking, encoding and the accessors of Writable.
const errors = require("internal/errors");
const { Writable, clearBuffer } = require("internal/streams/writable");
const { WritableState } = require("internal/streams/writable_state");
const { undestroy } = require("internal/streams/destroy");

const { prototype } = Writable;

Writable.WritableState = WritableState;

prototype.cork = function cork() {
  this._writableState.corked++;
};

prototype.uncork = function uncork() {
  const state = this._writableState;
  if (!state.corked) return;
  state.corked--;
  if (!state.writing) clearBuffer(this, state);
};

prototype.setDefaultEncoding = function setDefaultEncoding(encoding) {
  const name = typeof encoding === "string" ? encoding.toLowerCase() : encoding;
  if (!require("node:buffer").Buffer.isEncoding(name)) {
    throw new errors.ERR_UNKNOWN_ENCODING(encoding);
  }
  this._writableState.defaultEncoding = name;
  return this;
};

prototype._undestroy = undestroy;
prototype._destroy = function _destroy(err, cb) {
  cb(err);
};
prototype[Symbol.for("nodejs.rejection")] = function onRejection(err) {
  this.destroy(err);
};
prototype[Symbol.asyncDispose] = async function () {
  let error;
  if (!this.destroyed) {
    error = this.writableFinished ? null : new errors.AbortError();
    this.destroy(error);
  }
  const { eos } = require("internal/streams/end_of_stream");
  await new Promise((resolve, reject) => {
    eos(this, (err) => (err && err.name !== "AbortError" ? reject(err) : resolve(null)));
  });
};

// ---- Accessors ---------------------------------------------------------------------------------

function accessor(name, get, set) {
  Object.defineProperty(prototype, name, {
    __proto__: null, get, set, configurable: true, enumerable: false,
  });
}

/** Reads one field of the state, with what to say when there is no state yet. */
function field(name, key, otherwise) {
  accessor(name, function () {
    return this._writableState ? this._writableState[key] : otherwise;
  });
}

accessor(
  "destroyed",
  function () {
    return this._writableState ? this._writableState.destroyed : false;
  },
  function (value) {
    if (this._writableState) this._writableState.destroyed = value;
  },
);
accessor(
  "writable",
  function () {
    const w = this._writableState;
    return (
      !!w && w.writable !== false && !w.destroyed && !w.errored && !w.ending && !w.ended
    );
  },
  function (value) {
    if (this._writableState) this._writableState.writable = !!value;
  },
);
accessor("writableBuffer", function () {
  return this._writableState?.getBuffer();
});
accessor("writableNeedDrain", function () {
  const w = this._writableState;
  return w ? !w.destroyed && !w.ending && w.needDrain : false;
});
accessor("writableAborted", function () {
  const w = this._writableState;
  return !!(w.writable !== false && (w.destroyed || w.errored) && !w.finished);
});
accessor("errored", function () {
  return this._writableState ? this._writableState.errored : null;
});
field("closed", "closed", false);
field("writableFinished", "finished", false);
field("writableObjectMode", "objectMode", false);
field("writableEnded", "ending", false);
field("writableHighWaterMark", "highWaterMark");
field("writableCorked", "corked", 0);
field("writableLength", "length");

Writable.fromWeb = (writable, options) =>
  require("internal/streams/adapters").writableFromWeb(writable, options);
Writable.toWeb = (writable) => require("internal/streams/adapters").writableToWeb(writable);
