// internal/readline/interface -- Interface of node:readline (Node: readline.Interface): lines from
// a stream. Editing on a terminal is in internal/readline/editor, which adds its methods to the
// prototype.
const EventEmitter = require("node:events");
const errors = require("internal/errors");
const validators = require("internal/validators");
const { nextTick } = require("internal/tick");

const kHistorySize = 30;
const kMinCrlfDelay = 100;
const kLineEnd = /\r\n|[\n\r\u2028\u2029]/g;

class Interface extends EventEmitter {
  constructor(input, output, completer, terminal) {
    super();
    this._sawReturnAt = 0;
    this.isCompletionEnabled = true;
    this._sawKeyPress = false;
    this._previousKey = null;
    this.escapeCodeTimeout = 500;
    this.tabSize = 8;
    this.line = "";
    this._substringSearch = null;
    this._undoStack = [];
    this._redoStack = [];
    this._killRing = [];
    this._killRingCursor = 0;
    this._isYanking = false;
    this.output = output;
    this.input = input;
    this._questionCallback = null;
    this._questionReject = null;
    this.paused = false;
    this.closed = false;
    this._lineBuffer = null;
    const options = input?.input ? input : { input, output, completer, terminal };
    this._takeOptions(options);
    this._listen(options.signal);
  }

  _takeOptions(options) {
    const { input, output, completer, history, historySize, tabSize, signal } = options;
    if (completer !== undefined && typeof completer !== "function") {
      throw new errors.ERR_INVALID_ARG_VALUE("completer", completer);
    }
    if (history !== undefined) validators.validateArray(history, "history");
    const size = historySize === undefined ? kHistorySize : historySize;
    validators.validateNumber(size, "historySize", 0);
    if (tabSize !== undefined) {
      validators.validateUint32(tabSize, "tabSize", true);
      this.tabSize = tabSize;
    }
    if (options.escapeCodeTimeout !== undefined) {
      if (!Number.isFinite(options.escapeCodeTimeout)) {
        throw new errors.ERR_INVALID_ARG_VALUE(
          "input.escapeCodeTimeout", options.escapeCodeTimeout,
        );
      }
      this.escapeCodeTimeout = options.escapeCodeTimeout;
    }
    if (signal) validators.validateAbortSignal(signal, "options.signal");
    this.input = input;
    this.output = output;
    this.historySize = size;
    this.history = history ?? [];
    this.historyIndex = -1;
    this.removeHistoryDuplicates = !!options.removeHistoryDuplicates;
    this.crlfDelay = options.crlfDelay ? Math.max(kMinCrlfDelay, options.crlfDelay) : kMinCrlfDelay;
    this.completer = completer;
    this._prompt = options.prompt === undefined ? "> " : `${options.prompt}`;
    const { terminal } = options;
    const hasOutput = output !== undefined && output !== null;
    this.terminal = !!(terminal === undefined && hasOutput ? output.isTTY : terminal);
  }

  _listen(signal) {
    const { input } = this;
    const onError = (error) => this.emit("error", error);
    input.on("error", onError);
    const undo = [() => input.removeListener("error", onError)];
    if (this.terminal) undo.push(require("internal/readline/editor").attach(this));
    else undo.push(this._attachPlain());
    if (signal) undo.push(this._attachSignal(signal));
    this.once("close", () => {
      for (let i = 0; i < undo.length; i++) {
        const fn = undo[i];
        fn();
      }
    });
    input.resume();
  }

  _attachPlain() {
    const { input } = this;
    const { StringDecoder } = require("node:string_decoder");
    this._decoder = new StringDecoder("utf8");
    const onData = (data) => this._normalWrite(data);
    const onEnd = () => {
      if (typeof this._lineBuffer === "string" && this._lineBuffer.length > 0) {
        this.emit("line", this._lineBuffer);
      }
      this.close();
    };
    input.on("data", onData);
    input.on("end", onEnd);
    return () => {
      input.removeListener("data", onData);
      input.removeListener("end", onEnd);
    };
  }

  _attachSignal(signal) {
    const close = () => this.close();
    if (signal.aborted) {
      nextTick(close);
      return () => {};
    }
    return require("internal/streams/add_abort_signal").onAbort(signal, close);
  }

  get columns() {
    return this.output?.columns ?? Infinity;
  }

  setPrompt(prompt) {
    this._prompt = prompt;
  }

  getPrompt() {
    return this._prompt;
  }

  prompt(preserveCursor) {
    if (this.paused) this.resume();
    if (this.terminal && process.env.TERM !== "dumb") {
      if (!preserveCursor) this.cursor = 0;
      this._refreshLine();
    } else {
      this._writeToOutput(this._prompt);
    }
  }

  /** Asks, and gives the next line to the callback. */
  _question(query, callback) {
    if (this.closed) throw new errors.ERR_USE_AFTER_CLOSE("readline");
    if (this._questionCallback) {
      this.prompt();
      return;
    }
    this._oldPrompt = this._prompt;
    this.setPrompt(query);
    this._questionCallback = callback;
    this.prompt();
  }

  _questionCancel() {
    if (!this._questionCallback) return;
    this._questionCallback = null;
    this._questionReject = null;
    this.setPrompt(this._oldPrompt);
    this.clearLine();
  }

  _onLine(line) {
    const callback = this._questionCallback;
    if (!callback) {
      this.emit("line", line);
      return;
    }
    this._questionCallback = null;
    this._questionReject = null;
    this.setPrompt(this._oldPrompt);
    callback(line);
  }

  _writeToOutput(text) {
    validators.validateString(text, "stringToWrite");
    if (this.output !== null && this.output !== undefined) this.output.write(text);
  }

  _setRawMode(isRaw) {
    const { input } = this;
    const was = input.isRaw;
    if (typeof input.setRawMode === "function") input.setRawMode(isRaw);
    return was;
  }

  close() {
    if (this.closed) return;
    this.pause();
    if (this.terminal) this._setRawMode(false);
    this.closed = true;
    this.emit("close");
  }

  [Symbol.dispose]() {
    this.close();
  }

  _checkOpen() {
    if (this.closed) throw new errors.ERR_USE_AFTER_CLOSE("readline");
  }

  pause() {
    this._checkOpen();
    if (this.paused) return this;
    this.input.pause();
    this.paused = true;
    this.emit("pause");
    return this;
  }

  resume() {
    this._checkOpen();
    if (!this.paused) return this;
    this.input.resume();
    this.paused = false;
    this.emit("resume");
    return this;
  }

  /** As if it had been typed. */
  write(data, key) {
    this._checkOpen();
    if (this.paused) this.resume();
    if (this.terminal) this._ttyWrite(data, key);
    else this._normalWrite(data);
  }

  clearLine() {
    this._moveCursor(Infinity);
    this._writeToOutput("\r\n");
    this.line = "";
    this.cursor = 0;
    this.prevRows = 0;
  }

  _normalWrite(data) {
    if (data === undefined) return;
    let text = this._decoder.write(data);
    if (this._sawReturnAt && Date.now() - this._sawReturnAt <= this.crlfDelay) {
      if (text[0] === "\n") text = text.slice(1);
      this._sawReturnAt = 0;
    }
    if (text === "") return;
    // Only what is new can hold the end of a line.
    if (text.search(kLineEnd) < 0) {
      this._lineBuffer = this._lineBuffer ? this._lineBuffer + text : text;
      return;
    }
    if (this._lineBuffer) text = this._lineBuffer + text;
    this._sawReturnAt = text.endsWith("\r") ? Date.now() : 0;
    const lines = text.split(kLineEnd);
    this._lineBuffer = lines.pop();
    for (const line of lines) this._onLine(line);
  }

  // Without a terminal there is nothing to move or to draw.
  _moveCursor() {}
  _refreshLine() {}

  [Symbol.asyncIterator]() {
    this._lines ??= makeIterator(this);
    return this._lines;
  }
}

/** Lines as an async iterator; lines that wait are limited by pausing the input. */
function makeIterator(iface) {
  const events = require("internal/event_helpers").on(iface, "line", {
    close: ["close"], highWaterMark: 1024,
  });
  return {
    __proto__: Object.getPrototypeOf(events),
    async next() {
      const { value, done } = await events.next();
      return done ? { value: undefined, done } : { value: value[0], done };
    },
    return: () => {
      iface.close();
      return events.return();
    },
    throw: (error) => events.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.for("nodejs.watermarkData")]: events[Symbol.for("nodejs.watermarkData")],
  };
}

exports.Interface = Interface;
