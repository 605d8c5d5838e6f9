// internal/readline/editor_keys -- what each key does.
const { AbortError } = require("internal/errors");
const { Interface } = require("internal/readline/interface");
const { charLengthAt, charLengthLeft } = require("internal/readline/text");
const { clearScreenDown, cursorTo } = require("internal/readline/callbacks");

const { prototype } = Interface;

function leave(iface, text) {
  iface._questionReject?.(new AbortError(text));
  iface.close();
}

function suspend(iface) {
  if (iface.listenerCount("SIGTSTP") > 0) {
    iface.emit("SIGTSTP");
    return;
  }
  process.once("SIGCONT", () => {
    // Whoever paused it meanwhile does not want the terminal back.
    if (!iface.paused) {
      iface.pause();
      iface.emit("SIGCONT");
    }
    iface._setRawMode(true);
    iface._refreshLine();
  });
  iface._setRawMode(false);
  process.kill(process.pid, "SIGTSTP");
}

const left = (iface) => iface._moveCursor(-charLengthLeft(iface.line, iface.cursor));
const right = (iface) => iface._moveCursor(charLengthAt(iface.line, iface.cursor));

const kCtrlShift = {
  __proto__: null,
  backspace: (i) => i._deleteLineLeft(),
  delete: (i) => i._deleteLineRight(),
};

const kCtrl = {
  __proto__: null,
  c(i) {
    if (i.listenerCount("SIGINT") > 0) i.emit("SIGINT");
    else leave(i, "Aborted with Ctrl+C");
  },
  h: (i) => i._deleteLeft(),
  d(i) {
    if (i.cursor === 0 && i.line.length === 0) leave(i, "Aborted with Ctrl+D");
    else if (i.cursor < i.line.length) i._deleteRight();
  },
  u: (i) => i._deleteLineLeft(),
  k: (i) => i._deleteLineRight(),
  a: (i) => i._moveCursor(-Infinity),
  e: (i) => i._moveCursor(Infinity),
  b: left,
  f: right,
  l(i) {
    cursorTo(i.output, 0, 0);
    clearScreenDown(i.output);
    i._refreshLine();
  },
  n: (i) => i._historyNext(),
  p: (i) => i._historyPrev(),
  y: (i) => i._yank(),
  z: suspend,
  w: (i) => i._deleteWordLeft(),
  backspace: (i) => i._deleteWordLeft(),
  delete: (i) => i._deleteWordRight(),
  left: (i) => i._wordLeft(),
  right: (i) => i._wordRight(),
};

const kMeta = {
  __proto__: null,
  b: (i) => i._wordLeft(),
  f: (i) => i._wordRight(),
  d: (i) => i._deleteWordRight(),
  delete: (i) => i._deleteWordRight(),
  backspace: (i) => i._deleteWordLeft(),
  y: (i) => i._yankPop(),
};

const kPlain = {
  __proto__: null,
  return(i) {
    i._sawReturnAt = Date.now();
    i._line();
  },
  enter(i) {
    if (i._sawReturnAt === 0 || Date.now() - i._sawReturnAt > i.crlfDelay) i._line();
    i._sawReturnAt = 0;
  },
  backspace: (i) => i._deleteLeft(),
  delete: (i) => i._deleteRight(),
  left,
  right,
  home: (i) => i._moveCursor(-Infinity),
  end: (i) => i._moveCursor(Infinity),
  up: (i) => i._historyPrev(),
  down: (i) => i._historyNext(),
};

/** The text that is searched for in the history stays the same while keys of the history come. */
function updateSearch(iface, key) {
  const isArrow = key.name === "up" || key.name === "down";
  if (isArrow && !key.ctrl && !key.meta && !key.shift) {
    iface._substringSearch ??= iface.line.slice(0, iface.cursor);
  } else if (iface._substringSearch !== null) {
    iface._substringSearch = null;
    if (iface.history.length === iface.historyIndex) iface.historyIndex = -1;
  }
}

function typePlain(iface, s, key, previous) {
  if (iface._sawReturnAt && key.name !== "enter") iface._sawReturnAt = 0;
  const action = kPlain[key.name];
  if (action !== undefined) {
    action(iface);
  } else if (
    key.name === "tab" && typeof iface.completer === "function" && iface.isCompletionEnabled
  ) {
    iface._tabComplete(previous?.name === "tab");
  } else if (typeof s === "string" && s) {
    // What was pasted may be several lines.
    s.split(/\r\n|\n|\r/).forEach((text, n) => {
      if (n > 0) iface._line();
      iface._insertString(text);
    });
  }
}

prototype._ttyWrite = function ttyWrite(s, given) {
  const key = given || {};
  const previous = this._previousKey;
  this._previousKey = key;
  if (!key.meta || key.name !== "y") this._isYanking = false;
  updateSearch(this, key);
  // Control and underscore, control and circumflex.
  if (key.sequence === "\x1f") this._undo();
  else if (key.sequence === "\x1e") this._redo();
  else if (key.name === "escape") return;
  else if (key.ctrl && key.shift) kCtrlShift[key.name]?.(this);
  else if (key.ctrl) kCtrl[key.name]?.(this);
  else if (key.meta) kMeta[key.name]?.(this);
  else typePlain(this, s, key, previous);
};
