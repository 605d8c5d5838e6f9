// internal/readline/complete -- what the Tab key does with a completer.
const { Interface } = require("internal/readline/interface");
const { commonPrefix } = require("internal/readline/text");

const { prototype } = Interface;

/** Shows or says what the completer found. */
function settle(iface, isSecondTab, error, result) {
  if (!iface.closed) iface.resume();
  if (error) {
    const { inspect } = require("node:util");
    iface._writeToOutput(`Tab completion error: ${inspect(error)}`);
  } else {
    iface._tabCompleter(isSecondTab, result);
  }
}

/** With a completer that returns its result or a promise of it (readline/promises). */
prototype._tabComplete = async function tabComplete(isSecondTab) {
  this.pause();
  let result;
  try {
    result = await this.completer(this.line.slice(0, this.cursor));
  } catch (error) {
    settle(this, isSecondTab, error);
    return;
  }
  settle(this, isSecondTab, null, result);
};

/** With one that has a callback or returns its result at once (readline). */
exports.completeWithCallback = function completeWithCallback(iface, isSecondTab) {
  const text = iface.line.slice(0, iface.cursor);
  iface.pause();
  const { completer } = iface;
  if (completer.length === 2) {
    iface.completer(text, (error, result) => settle(iface, isSecondTab, error, result));
  } else {
    settle(iface, isSecondTab, null, iface.completer(text));
  }
};

prototype._tabCompleter = function tabCompleter(isSecondTab, [completions, completeOn]) {
  if (!completions || completions.length === 0) return;
  const prefix = commonPrefix(completions.filter((word) => word !== ""));
  if (prefix.startsWith(completeOn) && prefix.length > completeOn.length) {
    this._insertString(prefix.slice(completeOn.length));
    return;
  }
  if (!completeOn.startsWith(prefix)) {
    const start = this.cursor - completeOn.length;
    this.line = this.line.slice(0, start) + prefix + this.line.slice(this.cursor);
    this.cursor = start + prefix.length;
    this._refreshLine();
    return;
  }
  if (!isSecondTab) return;
  this._writeToOutput(table(completions, this.columns));
  this._refreshLine();
};

/** The words in columns; an empty one begins a new group. */
function table(words, columns) {
  const { stringWidth } = require("internal/inspect/string_width");
  const widths = words.map((word) => stringWidth(word));
  const width = Math.max(...widths) + 2;
  let perLine = Math.floor(columns / width) || 1;
  if (perLine === Infinity) perLine = 1;
  let text = "\r\n";
  let count = 0;
  let space = 0;
  words.forEach((word, i) => {
    if (word === "" || count === perLine) {
      text += "\r\n";
      count = 0;
      space = 0;
    } else {
      text += " ".repeat(space);
    }
    if (word !== "") {
      text += word;
      space = width - widths[i];
      count++;
    } else {
      text += "\r\n";
    }
  });
  return count === 0 ? text : `${text}\r\n\r\n`;
}
