// node:readline -- lines from streams, editing on terminals (Node: readline).
const validators = require("internal/validators");
const base = require("internal/readline/interface");
const callbacks = require("internal/readline/callbacks");

const kCustom = Symbol.for("nodejs.util.promisify.custom");

/** new Interface(options) or (input, output, completer, terminal); also without new. */
function Interface(input, output, completer, terminal) {
  const target = new.target ?? Interface;
  return Reflect.construct(base.Interface, [input, output, completer, terminal], target);
}
Object.setPrototypeOf(Interface.prototype, base.Interface.prototype);
Object.setPrototypeOf(Interface, base.Interface);

Interface.prototype._tabComplete = function _tabComplete(isSecondTab) {
  require("internal/readline/complete").completeWithCallback(this, isSecondTab);
};

/** question(query[, { signal }], callback) */
Interface.prototype.question = function question(query, options, callback) {
  const done = typeof options === "function" ? options : callback;
  const signal = typeof options === "object" && options !== null ? options.signal : undefined;
  if (signal === undefined) {
    if (typeof done === "function") this._question(query, done);
    return;
  }
  validators.validateAbortSignal(signal, "options.signal");
  if (signal.aborted) return;
  const onAbort = () => this._questionCancel();
  require("internal/util/abort_listener").onAbort(signal, onAbort);
  if (typeof done !== "function") return;
  this._question(query, (answer) => {
    signal.removeEventListener("abort", onAbort);
    done(answer);
  });
};
Object.defineProperty(Interface.prototype.question, kCustom, {
  __proto__: null,
  value: function question(query, options) {
    const { signal } = options ?? {};
    const { AbortError } = require("internal/errors");
    if (signal?.aborted) {
      return Promise.reject(new AbortError(undefined, { cause: signal.reason }));
    }
    return new Promise((resolve, reject) => {
      let done = resolve;
      if (signal) {
        const onAbort = () => reject(new AbortError(undefined, { cause: signal.reason }));
        require("internal/util/abort_listener").onAbort(signal, onAbort);
        done = (answer) => {
          signal.removeEventListener("abort", onAbort);
          resolve(answer);
        };
      }
      this.question(query, options, done);
    });
  },
});

exports.Interface = Interface;
exports.clearLine = callbacks.clearLine;
exports.clearScreenDown = callbacks.clearScreenDown;
exports.createInterface = function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
};
exports.cursorTo = callbacks.cursorTo;
exports.emitKeypressEvents = function emitKeypressEvents(stream, iface) {
  require("internal/readline/keys").emitKeypressEvents(stream, iface);
};
exports.moveCursor = callbacks.moveCursor;
Object.defineProperty(exports, "promises", {
  __proto__: null, configurable: true, enumerable: true,
  get: () => require("node:readline/promises"),
});
