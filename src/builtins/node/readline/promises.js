// node:readline/promises -- (Node: readline/promises).
const { AbortError, ERR_INVALID_ARG_TYPE } = require("internal/errors");
const { validateAbortSignal, validateBoolean, validateInteger } = require("internal/validators");
const base = require("internal/readline/interface");

class Interface extends base.Interface {
  question(query, options = {}) {
    return new Promise((resolve, reject) => {
      const { signal } = options;
      let done = resolve;
      if (signal !== undefined) {
        validateAbortSignal(signal, "options.signal");
        if (signal.aborted) {
          reject(new AbortError(undefined, { cause: signal.reason }));
          return;
        }
        const onAbort = () => {
          this._questionCancel();
          reject(new AbortError(undefined, { cause: signal.reason }));
        };
        require("internal/util/abort_listener").onAbort(signal, onAbort);
        done = (answer) => {
          signal.removeEventListener("abort", onAbort);
          resolve(answer);
        };
      }
      this._question(query, done);
      this._questionReject = reject;
    });
  }
}

const ESC = "\x1b[";

/** Collects what is to be done to a terminal, and does it with commit(). */
class Readline {
  #autoCommit = false;
  #stream;
  #todo = [];

  constructor(stream, options = undefined) {
    const { isWritable } = require("internal/streams/predicates");
    if (!isWritable(stream)) throw new ERR_INVALID_ARG_TYPE("stream", "Writable", stream);
    this.#stream = stream;
    if (options?.autoCommit !== undefined && options.autoCommit !== null) {
      validateBoolean(options.autoCommit, "options.autoCommit");
      this.#autoCommit = options.autoCommit;
    }
  }

  #add(sequence) {
    if (this.#autoCommit) process.nextTick(() => this.#stream.write(sequence));
    else this.#todo.push(sequence);
    return this;
  }

  cursorTo(x, y = undefined) {
    validateInteger(x, "x");
    if (y !== undefined && y !== null) validateInteger(y, "y");
    const isColumn = y === undefined || y === null;
    return this.#add(isColumn ? `${ESC}${x + 1}G` : `${ESC}${y + 1};${x + 1}H`);
  }

  moveCursor(dx, dy) {
    if (!dx && !dy) return this;
    validateInteger(dx, "dx");
    validateInteger(dy, "dy");
    let sequence = "";
    if (dx < 0) sequence += `${ESC}${-dx}D`;
    else if (dx > 0) sequence += `${ESC}${dx}C`;
    if (dy < 0) sequence += `${ESC}${-dy}A`;
    else if (dy > 0) sequence += `${ESC}${dy}B`;
    return this.#add(sequence);
  }

  clearLine(dir) {
    validateInteger(dir, "dir", -1, 1);
    return this.#add(`${ESC}${dir < 0 ? 1 : dir > 0 ? 0 : 2}K`);
  }

  clearScreenDown() {
    return this.#add(`${ESC}0J`);
  }

  commit() {
    return new Promise((resolve) => {
      this.#stream.write(this.#todo.join(""), () => resolve());
      this.#todo = [];
    });
  }

  rollback() {
    this.#todo = [];
    return this;
  }
}

exports.Interface = Interface;
exports.Readline = Readline;
exports.createInterface = function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
};
