// internal/streams/duplex_sides -- the work of a Duplex that is put together from a stream to
// write to and a stream to read from (Duplex.from, compose).
//
// At most one callback of each kind waits: for the writable side to drain or finish, for the
// readable side to have something, for both to be gone.
const { destroyer } = require("internal/streams/destroy");
const { AbortError } = require("internal/errors");

class Sides {
  constructor() {
    this.duplex = null;
    this.drain = null;
    this.finish = null;
    this.readable = null;
    // undefined: nobody waits; null: it is over.
    this.close = undefined;
  }

  /** Calls what waits for `kind`. */
  wake(kind) {
    const callback = this[kind];
    if (!callback) return;
    this[kind] = null;
    callback();
  }

  /** Everything is over: for whoever destroyed the duplex, or by itself. */
  finished(err) {
    const callback = this.close;
    this.close = null;
    if (callback) callback(err);
    else if (err) this.duplex.destroy(err);
    return !callback && !err;
  }

  /** _write and _final over a Node stream. */
  writeTo(target) {
    this.duplex._write = (chunk, encoding, callback) => {
      if (target.write(chunk, encoding)) callback();
      else this.drain = callback;
    };
    this.duplex._final = (callback) => {
      target.end();
      this.finish = callback;
    };
    target.on("drain", () => this.wake("drain"));
  }

  /** _read over a Node stream. */
  readFrom(source) {
    const { duplex } = this;
    const read = () => {
      while (true) {
        const chunk = source.read();
        if (chunk === null) {
          this.readable = read;
          return;
        }
        if (!duplex.push(chunk)) return;
      }
    };
    source.on("readable", () => this.wake("readable"));
    source.on("end", () => duplex.push(null));
    duplex._read = read;
  }

  /** _destroy, which takes `targets` along. */
  destroyWith(targets, mustDestroyAlways) {
    this.duplex._destroy = (given, callback) => {
      const err = !given && this.close !== null ? new AbortError() : given;
      this.readable = null;
      this.drain = null;
      this.finish = null;
      const isOver = this.close === null;
      if (!isOver) this.close = callback;
      if (!isOver || mustDestroyAlways) for (let i = 0; i < targets.length; i++) {
        const target = targets[i];
        destroyer(target, err);
      }
      if (isOver) callback(err);
    };
  }
}

exports.Sides = Sides;
