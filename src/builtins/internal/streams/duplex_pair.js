// internal/streams/duplex_pair -- two Duplexes, each of which reads what the other writes (Node:
// stream.duplexPair).
const { nextTick } = require("internal/tick");
const { Duplex } = require("internal/streams/duplex");

class DuplexSide extends Duplex {
  #other = null;
  /** Of a write that the other side has not read yet. */
  #pending = null;

  static join(a, b) {
    a.#other = b;
    b.#other = a;
  }

  _read() {
    const callback = this.#pending;
    if (callback === null) return;
    this.#pending = null;
    callback();
  }

  _write(chunk, encoding, callback) {
    if (chunk.length === 0) {
      nextTick(callback);
      return;
    }
    this.#other.push(chunk);
    this.#other.#pending = callback;
  }

  _final(callback) {
    this.#other.on("end", callback);
    this.#other.push(null);
  }
}

exports.duplexPair = function duplexPair(options) {
  const a = new DuplexSide(options);
  const b = new DuplexSide(options);
  DuplexSide.join(a, b);
  return [a, b];
};
