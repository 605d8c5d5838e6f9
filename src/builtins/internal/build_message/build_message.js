// @global BuildMessage
// internal/build_message -- BuildMessage: what is wrong with a source text, and where
// (bun-types globals.d.ts).
//
// position: {lineText, file, namespace, line, column, length, offset} or null; line and column
// count from 1.  notes: further BuildMessages.
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

class BuildMessage extends Error {
  #level;
  #position;
  #notes;

  constructor(message, position = null, level = "error", notes = []) {
    super(message);
    this.#level = level;
    this.#position = position;
    this.#notes = notes;
    delete this.stack; // it would name the transpiler, not the source
    // The engine gives every error its own of these.
    const { line = 0, column = 0 } = position ?? {};
    Object.defineProperty(this, "line", { value: line, configurable: true });
    Object.defineProperty(this, "column", { value: column, configurable: true });
  }

  get level() {
    return this.#level;
  }
  get position() {
    return this.#position;
  }
  get notes() {
    return this.#notes;
  }
  toString() {
    return `BuildMessage: ${this.message}`;
  }

  toJSON() {
    const { name, position, message, level } = this;
    return { name, position, message, level };
  }

  [INSPECT]() {
    const parts = [this, ...this.#notes].map((m, i) => frame(m, i ? "note" : m.level));
    return parts.join("\n\n");
  }
}
Object.defineProperty(BuildMessage.prototype, "name", {
  value: "BuildMessage",
  writable: true,
  configurable: true,
});

function frame({ position, message }, level) {
  if (!position) return `${level}: ${message}`;
  const head = `${position.line} | `;
  const caret = " ".repeat(head.length + position.column - 1) + "^";
  const place = `    at ${position.file}:${position.line}:${position.column}`;
  return `${head}${position.lineText}\n${caret}\n${level}: ${message}\n${place}`;
}

/**
 * The error to throw for the messages of a log: the one BuildMessage, or an AggregateError of them.
 * Each message is [level, text, line, column, length, offset, lineText]; level 2 is a note to the
 * one before it.
 */
function fromMessages(messages, file) {
  const levels = ["error", "warning", "note"];
  const all = [];
  for (const [level, text, line, column, length, offset, lineText] of messages) {
    const position = { lineText, file, namespace: "file", line, column, length, offset };
    const message = new BuildMessage(text, position, levels[level]);
    if (level === 2 && all.length) all[all.length - 1].notes.push(message);
    else all.push(message);
  }
  const errors = all.filter((m) => m.level === "error");
  return errors.length === 1 ? errors[0] : new AggregateError(errors, "Parse error");
}

exports.BuildMessage = BuildMessage;
exports.fromMessages = fromMessages;
