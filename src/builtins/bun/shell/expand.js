// @internal
// bun:shell/expand -- from words to arguments: variables, substitutions, braces, file names.
//
// As in Bun, what a variable holds is one piece: it is neither split into words nor taken as a
// pattern.  What a command substitution gives is split at blanks when it is not quoted.
const { CommandError } = require("bun:shell/state");
const glob = require("bun:shell/glob");

const BLANKS = /[ \t\n]+/;

/** One argument in the making: its text, and the same as a pattern. */
class Field {
  text = "";
  pattern = "";
  isMagic = false;
  isPresent = false; // also when empty: it was quoted

  add(text, quoted) {
    this.text += text;
    if (quoted) {
      this.isPresent = true;
      this.pattern += glob.quote(text);
      return;
    }
    if (text !== "") this.isPresent = true;
    if (glob.isMagic(text)) this.isMagic = true;
    this.pattern += glob.unquoted(text);
  }
}

/** The list of arguments that are being made of one word. */
class Fields {
  done = [];
  last = new Field();

  add(text, quoted) {
    this.last.add(text, quoted);
  }

  next() {
    if (this.last.isPresent) this.done.push(this.last);
    this.last = new Field();
  }

  /** The words in `text`: the first goes on with what is there. */
  split(text) {
    const words = text.split(BLANKS);
    for (let i = 0; i < words.length; i++) {
      if (i > 0) this.next();
      if (words[i] !== "") this.last.add(words[i], true);
    }
  }

  all() {
    this.next();
    return this.done;
  }
}

// ---- Variables

/** The value of a name or of one of the special ones; undefined: there is none. */
function lookUp(state, name) {
  if (/^\d+$/.test(name)) return name === "0" ? state.name : state.positional[Number(name) - 1];
  switch (name) {
    case "?":
      return `${state.status}`;
    case "#":
      return `${state.positional.length}`;
    case "$":
      return `${process.pid}`;
    case "@":
    case "*":
      return state.positional.length === 0 ? undefined : state.positional.join(" ");
    case "-":
      return "";
    case "!":
      return undefined;
  }
  return state.get(name);
}

class Expander {
  /** `substitute(list, state)` runs commands and resolves to what they print. */
  constructor(state, substitute) {
    this.state = state;
    this.substitute = substitute;
  }

  // ---- Parts

  async addParts(parts, fields, keepsBlanks) {
    for (const part of parts) {
      switch (part.type) {
        case "text":
          fields.add(part.text, part.quoted);
          break;
        case "tilde":
          fields.add(this.state.get("HOME") ?? "", true);
          break;
        case "object":
          fields.add(this.textOf(part.value), true);
          break;
        case "var":
          await this.addVariable(part, fields);
          break;
        case "arith":
          fields.add(await this.arithmetic(part), true);
          break;
        case "cmd":
          await this.addOutput(part, fields, keepsBlanks);
      }
    }
  }

  textOf(value) {
    if (value instanceof Blob && typeof value.name === "string") return value.name;
    throw new CommandError("bun: JS objects can only be redirected from and to\n");
  }

  async addOutput(part, fields, keepsBlanks) {
    const output = (await this.substitute(part.body, this.state)).replace(/\n+$/, "");
    if (part.quoted) fields.add(output, true);
    else if (!keepsBlanks) fields.split(output);
    else fields.add(output.split(BLANKS).filter((word) => word !== "").join(" "), false);
  }

  async addVariable(part, fields) {
    if (part.name === "@" && part.op === "") {
      this.addPositional(part.quoted, fields);
      return;
    }
    const value = await this.variable(part);
    if (part.quoted) fields.add(value, true);
    else if (value !== "") fields.add(value, true);
  }

  addPositional(quoted, fields) {
    const { positional } = this.state;
    for (let i = 0; i < positional.length; i++) {
      if (i > 0) fields.next();
      if (quoted || positional[i] !== "") fields.add(positional[i], true);
    }
  }

  /** The value of ${...} with its operator. */
  async variable(part) {
    const value = lookUp(this.state, part.name);
    const { op } = part;
    if (op === "" || op === "length") {
      if (value === undefined) this.checkSet(part.name);
      return op === "" ? (value ?? "") : `${[...(value ?? "")].length}`;
    }
    const isUnset = value === undefined || (op[0] === ":" && op.length === 2 && value === "");
    switch (op.at(-1)) {
      case "-":
        return isUnset ? this.text(part.word) : value;
      case "+":
        return isUnset ? "" : this.text(part.word);
      case "=":
        return isUnset ? this.assignDefault(part) : value;
      case "?":
        if (!isUnset) return value;
        throw await this.unsetError(part);
    }
    if (value === undefined) this.checkSet(part.name);
    const { transform } = require("bun:shell/transform");
    const pattern = op === ":" ? await this.text(part.word) : await this.pattern(part.word);
    const second = part.second === undefined ? undefined : await this.text(part.second);
    return transform(value ?? "", op, pattern, second, this.vars());
  }

  async assignDefault(part) {
    const text = await this.text(part.word);
    this.state.set(part.name, text);
    return text;
  }

  async unsetError(part) {
    const text = await this.text(part.word);
    return new CommandError(`bun: ${part.name}: ${text || "parameter null or not set"}\n`);
  }

  checkSet(name) {
    if (!this.state.options.nounset || name === "@" || name === "*") return;
    throw new CommandError(`bun: ${name}: unbound variable\n`);
  }

  // ---- Arithmetic

  vars() {
    return { get: (name) => lookUp(this.state, name), set: (name, to) => this.state.set(name, to) };
  }

  async arithmetic(part) {
    const text = await this.text(part);
    try {
      return `${require("bun:shell/arith").evaluate(text, this.vars())}`;
    } catch (error) {
      throw new CommandError(`bun: ${error.message}\n`);
    }
  }

  // ---- Words

  /** A word as one text: nothing is split, no file names. */
  async text(word) {
    const fields = new Fields();
    await this.addParts(word.parts, fields, true);
    return fields.all().map((field) => field.text).join(" ");
  }

  /** A word as a pattern, what was quoted escaped. */
  async pattern(word) {
    const fields = new Fields();
    await this.addParts(word.parts, fields, true);
    return fields.all().map((field) => field.pattern).join(" ");
  }

  /** The value of an assignment: file names are put in, joined by blanks. */
  async value(word) {
    const fields = new Fields();
    await this.addParts(word.parts, fields, true);
    const texts = [];
    for (const field of fields.all()) {
      const found = field.isMagic ? glob.expand(field.pattern, this.state.cwd) : [];
      texts.push(found.length > 0 ? found.join(" ") : field.text);
    }
    return texts.join(" ");
  }

  /** The arguments that a word stands for. */
  async fields(word) {
    let lists = [word.parts];
    if (word.hasBrace) {
      try {
        lists = require("bun:shell/braces").expandParts(word.parts);
      } catch (error) {
        throw new CommandError(`bun: ${error.message}\n`);
      }
    }
    const texts = [];
    for (const parts of lists) {
      const fields = new Fields();
      await this.addParts(parts, fields, false);
      for (const field of fields.all()) this.addFiles(field, texts);
    }
    return texts;
  }

  addFiles(field, texts) {
    if (!field.isMagic) {
      texts.push(field.text);
      return;
    }
    const found = glob.expand(field.pattern, this.state.cwd);
    if (found.length > 0) for (const path of found) texts.push(path);
    // "?" and "[...]" that match nothing stand for themselves, as in other shells.
    else if (!/[*]|[?+@!]\(/.test(field.text)) texts.push(field.text);
    else throw new CommandError(`bun: no matches found: ${field.text}\n`);
  }

  async allFields(words) {
    const texts = [];
    for (const word of words) {
      const fields = this.plain(word) ?? (await this.fields(word));
      if (typeof fields === "string") texts.push(fields);
      else for (const text of fields) texts.push(text);
    }
    return texts;
  }

  /** The text of a word that needs no expansion. */
  plain(word) {
    if (word.parts.length !== 1 || word.hasBrace) return undefined;
    const [part] = word.parts;
    const isPlain = part.type === "text" && (part.quoted || !glob.isMagic(part.text));
    return isPlain ? part.text : undefined;
  }
}

exports.Expander = Expander;
