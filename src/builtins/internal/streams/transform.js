// internal/streams/transform -- Transform and PassThrough (Node: stream.Transform).
const { Duplex } = require("internal/streams/duplex");
const { getHighWaterMark } = require("internal/streams/high_water_mark");

const kCallback = Symbol("kCallback");

/** A readable half that is to buffer nothing must not inherit the writable half's mark. */
function withMarks(options) {
  const mark = options ? getHighWaterMark({}, options, "readableHighWaterMark", true) : null;
  if (mark !== 0) return options;
  return {
    ...options,
    highWaterMark: null,
    readableHighWaterMark: mark,
    writableHighWaterMark: options.writableHighWaterMark || 0,
  };
}

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  Duplex.call(this, withMarks(options));
  // What _transform pushes is no answer to a _read.
  this._readableState.sync = false;
  this[kCallback] = null;
  if (options) {
    if (typeof options.transform === "function") this._transform = options.transform;
    if (typeof options.flush === "function") this._flush = options.flush;
  }
  // For classes that bring a _final of their own: _flush runs nevertheless.
  this.on("prefinish", onPrefinish);
  return undefined;
}
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);

function final(callback) {
  if (typeof this._flush !== "function" || this.destroyed) {
    this.push(null);
    if (callback) callback();
    return;
  }
  this._flush((err, data) => {
    if (err) {
      if (callback) callback(err);
      else this.destroy(err);
      return;
    }
    if (data !== null && data !== undefined) this.push(data);
    this.push(null);
    if (callback) callback();
  });
}

function onPrefinish() {
  if (this._final !== final) final.call(this);
}

Transform.prototype._final = final;

Transform.prototype._transform = function _transform() {
  const { ERR_METHOD_NOT_IMPLEMENTED } = require("internal/errors");
  throw new ERR_METHOD_NOT_IMPLEMENTED("_transform()");
};

Transform.prototype._write = function _write(chunk, encoding, callback) {
  const r = this._readableState;
  const w = this._writableState;
  const { length } = r;
  this._transform(chunk, encoding, (err, value) => {
    if (err) {
      callback(err);
      return;
    }
    if (value !== null && value !== undefined) this.push(value);
    if (r.ended || w.ended || length === r.length || r.length < r.highWaterMark) callback();
    else this[kCallback] = callback;
  });
};

Transform.prototype._read = function _read() {
  const callback = this[kCallback];
  if (callback === null || callback === undefined) return;
  this[kCallback] = null;
  callback();
};

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  Transform.call(this, options);
  return undefined;
}
Object.setPrototypeOf(PassThrough.prototype, Transform.prototype);
Object.setPrototypeOf(PassThrough, Transform);

PassThrough.prototype._transform = function _transform(chunk, encoding, callback) {
  callback(null, chunk);
};

exports.Transform = Transform;
exports.PassThrough = PassThrough;
