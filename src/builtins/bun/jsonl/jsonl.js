// @internal
// bun:jsonl -- Bun.JSONL: JSON values one after the other, each on lines of its own.
//
// Lines go to JSON.parse; only where one fails the text is looked at by hand, to tell what is
// incomplete from what is wrong.  Bytes are searched as Latin-1, in which the structure of JSON is
// the same, and values are decoded one by one.
const BLANK = " \t\r\n";
const WORDS = ["true", "false", "null"];
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const NUMBER_HEAD = /-?(?:0|[1-9]\d*)?(?:\.\d*)?(?:[eE][-+]?\d*)?/y;
const CHARACTERS = '"(?:[^"\\\\\\u0000-\\u001f]|\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4}))*';
const STRING = new RegExp(`${CHARACTERS}"`, "y");
const STRING_HEAD = new RegExp(`${CHARACTERS}(?:\\\\(?:u[0-9a-fA-F]{0,3})?)?`, "y");

const INVALID = -1;
const INCOMPLETE = -2;

const isBlank = (c) => c !== "" && BLANK.includes(c);

class Scanner {
  constructor(text, end) {
    this.text = text;
    this.end = end;
  }

  at(pos) {
    return pos < this.end ? this.text[pos] : "";
  }

  skip(pos) {
    while (isBlank(this.at(pos))) pos++;
    return pos;
  }

  match(form, pos) {
    form.lastIndex = pos;
    return form.test(this.text) && form.lastIndex <= this.end ? form.lastIndex : INVALID;
  }

  /** Where the string, number or word at `pos` ends; or INVALID, INCOMPLETE. */
  scalar(pos) {
    const c = this.at(pos);
    if (c === "") return INCOMPLETE;
    const form = c === '"' ? [STRING, STRING_HEAD] : [NUMBER, NUMBER_HEAD];
    if (c === '"' || c === "-" || (c >= "0" && c <= "9")) {
      const end = this.match(form[0], pos);
      if (end >= 0) return end;
      form[1].lastIndex = pos;
      form[1].test(this.text);
      return form[1].lastIndex >= this.end ? INCOMPLETE : INVALID;
    }
    const rest = this.text.slice(pos, Math.min(pos + 5, this.end));
    const word = WORDS.find((each) => rest.startsWith(each));
    if (word !== undefined) return pos + word.length;
    // A word that goes on behind the end may become one.
    let to = pos;
    while (/[A-Za-z_$]/.test(this.at(to))) to++;
    return to >= this.end && to > pos ? INCOMPLETE : INVALID;
  }

  /** The same for any value. */
  value(pos) {
    const closers = [];
    for (;;) {
      pos = this.skip(pos);
      const c = this.at(pos);
      if (c === "[" || c === "{") {
        closers.push(c === "[" ? "]" : "}");
        pos = this.skip(pos + 1);
        if (this.at(pos) !== closers.at(-1)) {
          if (c === "{") pos = this.key(pos);
          if (pos < 0) return pos;
          continue;
        }
      } else {
        pos = this.scalar(pos);
        if (pos < 0) return pos;
      }
      pos = this.close(pos, closers);
      if (closers.length === 0 || pos < 0) return pos;
    }
  }

  /** A key and its colon. */
  key(pos) {
    pos = this.skip(pos);
    if (this.at(pos) !== "" && this.at(pos) !== '"') {
      const end = this.scalar(pos);
      return end === INCOMPLETE ? INCOMPLETE : INVALID;
    }
    pos = this.scalar(pos);
    if (pos < 0) return pos;
    pos = this.skip(pos);
    if (this.at(pos) === "") return INCOMPLETE;
    return this.at(pos) === ":" ? pos + 1 : INVALID;
  }

  /** What follows a value: brackets that close, up to a comma and the next key. */
  close(pos, closers) {
    while (closers.length > 0) {
      pos = this.skip(pos);
      const c = this.at(pos);
      if (c === "") return INCOMPLETE;
      pos++;
      if (c === ",") return closers.at(-1) === "}" ? this.key(pos) : pos;
      if (c !== closers.pop()) return INVALID;
    }
    return pos;
  }
}

/** { text, decode, shift } of an argument: `shift` is what indices of the text are off by. */
function inputOf(input, name) {
  const isView = ArrayBuffer.isView(input);
  if (isView || input instanceof ArrayBuffer || input instanceof SharedArrayBuffer) {
    const bytes = isView
      ? Buffer.from(input.buffer, input.byteOffset, input.byteLength)
      : Buffer.from(input);
    const isPlain = (text) => !/[\u0080-\u00ff]/.test(text);
    const decode = (text) => (isPlain(text) ? text : Buffer.from(text, "latin1").toString("utf8"));
    return { text: bytes.latin1Slice(0, bytes.length), decode, isBytes: true };
  }
  if (input === undefined || input === null) {
    throw new TypeError(`JSONL.${name} requires a string argument`);
  }
  return { text: `${input}`, decode: (text) => text, isBytes: false };
}

const toOffset = (value, fallback, max) =>
  value === undefined ? fallback : Math.min(Math.max(Math.trunc(Number(value)) || 0, 0), max);

function parseAll({ text, decode, isBytes }, start, end) {
  const values = [];
  let read = start;
  let pos = start;
  if (isBytes && start === 0 && text.startsWith("\u00ef\u00bb\u00bf")) pos = 3;
  const scanner = new Scanner(text, end);
  for (;;) {
    pos = scanner.skip(pos);
    if (pos >= end) break;
    let to = text.indexOf("\n", pos);
    if (to < 0 || to > end) to = end;
    try {
      const line = text.slice(pos, to);
      values.push(JSON.parse(decode(line)));
      read = pos + line.trimEnd().length;
      pos = to;
    } catch {
      const stop = scanner.value(pos);
      if (stop < 0) return { values, read, isDone: false, isWrong: stop === INVALID };
      values.push(JSON.parse(decode(text.slice(pos, stop))));
      read = stop;
      pos = stop;
      while (pos < end && isBlank(text[pos]) && text[pos] !== "\n") pos++;
      if (pos < end && text[pos] !== "\n") return { values, read, isDone: false, isWrong: true };
    }
  }
  return { values, read, isDone: true, isWrong: false };
}

const failure = () => new SyntaxError("Failed to parse JSONL");

exports.JSONL = {
  /** All values; those before the first error when there is one. */
  parse(input) {
    const source = inputOf(input, "parse");
    const { values, isWrong } = parseAll(source, 0, source.text.length);
    if (isWrong && values.length === 0) throw failure();
    return values;
  },

  /** { values, read, done, error } of input[start, end). */
  parseChunk(input, start, end) {
    const source = inputOf(input, "parseChunk");
    const { length } = source.text;
    const from = toOffset(start, 0, length);
    const { values, read, isDone, isWrong } = parseAll(source, from, toOffset(end, length, length));
    return { values, read, done: isDone, error: isWrong ? failure() : null };
  },
};
Object.defineProperty(exports.JSONL, Symbol.toStringTag, { value: "JSONL", configurable: true });
