// internal/streams/duplex -- Duplex (Node: stream.Duplex): a Readable that has the methods of
// Writable too.
const { Stream } = require("internal/streams/legacy");
const { Readable, maybeReadMore } = require("internal/streams/readable");
const {
  Writable, clearBuffer, finishMaybe, onwrite, takeOptions,
} = require("internal/streams/writable");
const { ReadableState } = require("internal/streams/readable_state");
const { WritableState } = require("internal/streams/writable_state");
const destroyImpl = require("internal/streams/destroy");

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  this._events ??= {
    __proto__: null, close: undefined, error: undefined, prefinish: undefined,
    finish: undefined, drain: undefined, data: undefined, end: undefined, readable: undefined,
  };
  Stream.call(this, options);
  const r = (this._readableState = new ReadableState(options, true));
  const w = (this._writableState = new WritableState(options, this, true));
  w.onwrite = (err) => onwrite(this, err);
  this.allowHalfOpen = true;
  if (options) {
    this.allowHalfOpen = options.allowHalfOpen !== false;
    if (options.readable === false) {
      r.readable = false;
      r.ended = r.endEmitted = true;
    }
    if (options.writable === false) {
      w.writable = false;
      w.ending = w.ended = w.finished = true;
    }
    if (typeof options.read === "function") this._read = options.read;
    takeOptions(this, options);
  }
  if (typeof this._construct === "function") {
    destroyImpl.construct(this, () => {
      if (r.needReadable) maybeReadMore(this, r);
      if (!w.writing) clearBuffer(this, w);
      finishMaybe(this, w);
    });
  }
  return undefined;
}
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);

const names = Object.getOwnPropertyNames(Writable.prototype);
for (let i = 0; i < names.length; i++) {
  const name = names[i];
  if (Object.hasOwn(Duplex.prototype, name)) continue;
  const desc = Object.getOwnPropertyDescriptor(Writable.prototype, name);
  // What both halves have (destroy, _destroy, ...): the one of Readable, except for `destroy`.
  if (name in Readable.prototype && name !== "destroy") continue;
  Object.defineProperty(Duplex.prototype, name, desc);
}

Object.defineProperties(Duplex.prototype, {
  destroyed: {
    __proto__: null,
    configurable: true,
    enumerable: false,
    get() {
      const r = this._readableState;
      const w = this._writableState;
      return r && w ? r.destroyed && w.destroyed : false;
    },
    set(value) {
      if (!this._readableState || !this._writableState) return;
      this._readableState.destroyed = value;
      this._writableState.destroyed = value;
    },
  },
});

Duplex.fromWeb = (pair, options) =>
  require("internal/streams/adapters").duplexFromWeb(pair, options);
Duplex.toWeb = (duplex, options) =>
  require("internal/streams/adapters").duplexToWeb(duplex, options);
Duplex.from = (body) => require("internal/streams/duplexify").duplexify(body, "body");

exports.Duplex = Duplex;
