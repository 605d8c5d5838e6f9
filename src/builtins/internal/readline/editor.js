// internal/readline/editor -- editing a line on a terminal: what each key does, and drawing. The
// methods are those of Interface (internal/readline/interface).
const { Interface } = require("internal/readline/interface");
const { charLengthAt, charLengthLeft, displayPos } = require("internal/readline/text");
const { clearScreenDown, cursorTo, moveCursor } = require("internal/readline/callbacks");

const kUndoMax = 2048;
const kKillRingMax = 32;

/** Makes an interface listen to keys; the result takes that back. */
exports.attach = function attach(iface) {
  const { input, output } = iface;
  require("internal/readline/keys").emitKeypressEvents(input, iface);
  const onKeypress = (s, key) => {
    iface._ttyWrite(s, key);
    // A lone surrogate has been typed: show what came of it.
    const unit = key?.sequence ? key.sequence.codePointAt(0) : 0;
    if (unit >= 0xd800 && unit <= 0xdfff) iface._refreshLine();
  };
  const onEnd = () => {
    if (typeof iface.line === "string" && iface.line.length > 0) iface.emit("line", iface.line);
    iface.close();
  };
  const onResize = () => iface._refreshLine();
  if (process.env.TERM === "dumb") iface._ttyWrite = writeDumb;
  input.on("keypress", onKeypress);
  input.on("end", onEnd);
  iface._setRawMode(true);
  iface.cursor = 0;
  if (output !== null && output !== undefined) output.on("resize", onResize);
  return () => {
    input.removeListener("keypress", onKeypress);
    input.removeListener("end", onEnd);
    if (output !== null && output !== undefined) output.removeListener("resize", onResize);
  };
};

/** On a terminal that can do nothing. */
function writeDumb(s, key = {}) {
  if (key.name === "escape") return;
  if (this._sawReturnAt && key.name !== "enter") this._sawReturnAt = 0;
  if (key.ctrl && key.name === "c") {
    if (this.listenerCount("SIGINT") > 0) this.emit("SIGINT");
    else this.close();
    return;
  }
  if (key.ctrl && key.name === "d") {
    this.close();
    return;
  }
  if (key.name === "return") {
    this._sawReturnAt = Date.now();
    this._line();
  } else if (key.name === "enter") {
    if (this._sawReturnAt === 0 || Date.now() - this._sawReturnAt > this.crlfDelay) this._line();
    this._sawReturnAt = 0;
  } else if (typeof s === "string" && s) {
    this.line += s;
    this.cursor += s.length;
    this._writeToOutput(s);
  }
}

const methods = {
  // ---- Drawing ---------------------------------------------------------------------------------

  _getDisplayPos(text) {
    return displayPos(text, this.columns, this.tabSize);
  },

  getCursorPos() {
    return this._getDisplayPos(this._prompt + this.line.slice(0, this.cursor));
  },

  _refreshLine() {
    const line = this._prompt + this.line;
    const { cols, rows } = this._getDisplayPos(line);
    const at = this.getCursorPos();
    const prevRows = this.prevRows || 0;
    if (prevRows > 0) moveCursor(this.output, 0, -prevRows);
    cursorTo(this.output, 0);
    clearScreenDown(this.output);
    this._writeToOutput(line);
    // Lets the terminal go on to the next line.
    if (cols === 0) this._writeToOutput(" ");
    cursorTo(this.output, at.cols);
    if (rows > at.rows) moveCursor(this.output, 0, at.rows - rows);
    this.prevRows = at.rows;
  },

  _moveCursor(dx) {
    if (dx === 0 || this.cursor === undefined) return;
    const before = this.getCursorPos();
    this.cursor = Math.min(Math.max(this.cursor + dx, 0), this.line.length);
    const after = this.getCursorPos();
    if (before.rows === after.rows) moveCursor(this.output, after.cols - before.cols, 0);
    else this._refreshLine();
  },

  // ---- Changing --------------------------------------------------------------------------------

  _beforeEdit(text, cursor) {
    this._undoStack.push({ text, cursor });
    if (this._undoStack.length > kUndoMax) this._undoStack.shift();
    this._redoStack = [];
  },

  _insertString(text) {
    this._beforeEdit(this.line, this.cursor);
    if (this.cursor < this.line.length) {
      this.line = this.line.slice(0, this.cursor) + text + this.line.slice(this.cursor);
      this.cursor += text.length;
      this._refreshLine();
      return;
    }
    const before = this.getCursorPos();
    this.line += text;
    this.cursor += text.length;
    if (before.rows < this.getCursorPos().rows) this._refreshLine();
    else this._writeToOutput(text);
  },

  /** Replaces what is between two places by nothing. */
  _cut(from, to, mustKeep) {
    if (from === to) return;
    this._beforeEdit(this.line, this.cursor);
    const removed = this.line.slice(from, to);
    this.line = this.line.slice(0, from) + this.line.slice(to);
    this.cursor = from;
    if (mustKeep) this._pushToKillRing(removed);
    this._refreshLine();
  },

  _deleteLeft() {
    this._cut(this.cursor - charLengthLeft(this.line, this.cursor), this.cursor, false);
  },

  _deleteRight() {
    if (this.cursor >= this.line.length) return;
    this._cut(this.cursor, this.cursor + charLengthAt(this.line, this.cursor), false);
  },

  /** Units of the word left of the cursor, with the space behind it. */
  _wordLeftLength() {
    const reversed = Array.from(this.line.slice(0, this.cursor)).reverse().join("");
    return /^\s*(?:[^\w\s]+|\w+)?/.exec(reversed)[0].length;
  },

  _wordLeft() {
    if (this.cursor > 0) this._moveCursor(-this._wordLeftLength());
  },

  _wordRight() {
    if (this.cursor >= this.line.length) return;
    const match = /^(?:\s+|[^\w\s]+|\w+)\s*/.exec(this.line.slice(this.cursor));
    this._moveCursor(match[0].length);
  },

  _deleteWordLeft() {
    if (this.cursor > 0) this._cut(this.cursor - this._wordLeftLength(), this.cursor, false);
  },

  _deleteWordRight() {
    if (this.cursor >= this.line.length) return;
    const match = /^(?:\s+|\W+|\w+)\s*/.exec(this.line.slice(this.cursor));
    this._cut(this.cursor, this.cursor + match[0].length, false);
  },

  _deleteLineLeft() {
    this._cut(0, this.cursor, true);
  },

  _deleteLineRight() {
    const { cursor } = this;
    this._cut(cursor, this.line.length, true);
  },

  _pushToKillRing(text) {
    if (!text || text === this._killRing[0]) return;
    this._killRing.unshift(text);
    this._killRingCursor = 0;
    if (this._killRing.length > kKillRingMax) this._killRing.pop();
  },

  _yank() {
    if (this._killRing.length === 0) return;
    this._isYanking = true;
    this._insertString(this._killRing[this._killRingCursor]);
  },

  /** Puts what was cut before in place of what was just put back. */
  _yankPop() {
    if (!this._isYanking || this._killRing.length <= 1) return;
    const last = this._killRing[this._killRingCursor];
    this._killRingCursor = (this._killRingCursor + 1) % this._killRing.length;
    const next = this._killRing[this._killRingCursor];
    const head = this.line.slice(0, this.cursor - last.length);
    this.line = head + next + this.line.slice(this.cursor);
    this.cursor = head.length + next.length;
    this._refreshLine();
  },

  _undo() {
    this._swap(this._undoStack, this._redoStack);
  },

  _redo() {
    this._swap(this._redoStack, this._undoStack);
  },

  _swap(from, to) {
    if (from.length === 0) return;
    to.push({ text: this.line, cursor: this.cursor });
    const { text, cursor } = from.pop();
    this.line = text;
    this.cursor = cursor;
    this._refreshLine();
  },

  // ---- Lines and history -----------------------------------------------------------------------

  _line() {
    const line = this._addHistory();
    this._undoStack = [];
    this._redoStack = [];
    this.clearLine();
    this._onLine(line);
  },

  _addHistory() {
    const { line, history } = this;
    if (line.length === 0) return "";
    if (history === undefined || this.historySize === 0 || line.trim().length === 0) return line;
    if (history.length === 0 || history[0] !== line) {
      if (this.removeHistoryDuplicates) {
        const i = history.indexOf(line);
        if (i >= 0) history.splice(i, 1);
      }
      history.unshift(line);
      if (history.length > this.historySize) history.pop();
    }
    this.historyIndex = -1;
    // Listeners may change or drop it, a password for example.
    this.emit("history", history);
    return line;
  },

  /** Steps through the lines of the history that begin with what was typed. */
  _historyStep(step) {
    const search = this._substringSearch || "";
    const { history } = this;
    let i = this.historyIndex + step;
    while (
      i >= 0 && i < history.length && (!history[i].startsWith(search) || this.line === history[i])
    ) {
      i += step;
    }
    this._beforeEdit(this.line, this.cursor);
    this.line = i < 0 || i >= history.length ? search : history[i];
    this.historyIndex = i;
    this.cursor = this.line.length;
    this._refreshLine();
  },

  _historyNext() {
    if (this.historyIndex >= 0) this._historyStep(-1);
  },

  _historyPrev() {
    if (this.historyIndex < this.history.length && this.history.length > 0) this._historyStep(1);
  },
};
Object.defineProperties(
  Interface.prototype,
  Object.fromEntries(
    Object.entries(methods).map(({ 0: name, 1: value }) => [
      name, { __proto__: null, value, writable: true, configurable: true, enumerable: false },
    ]),
  ),
);
require("internal/readline/editor_keys");
require("internal/readline/complete");
