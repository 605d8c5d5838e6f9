// internal/util/parse_args -- util.parseArgs.
//
// The arguments become tokens first (the `tokens` of the result), then values and positionals.

const {
  ERR_INVALID_ARG_TYPE,
  ERR_INVALID_ARG_VALUE,
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE,
  ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL,
  ERR_PARSE_ARGS_UNKNOWN_OPTION,
} = require("internal/errors");
const {
  validateArray, validateBoolean, validateObject, validateString,
} = require("internal/validators");

const { hasOwn } = Object;

/** Only own properties of what the program gives count. */
const own = (object, key) => (hasOwn(object, key) ? object[key] : undefined);
const settingOf = (options, name, key) =>
  hasOwn(options, name) ? own(options[name], key) : undefined;

// ---- Checks of the configuration ----------------------------------------------------------------

function checkDefault(value, name, type, isMultiple) {
  const check = type === "string" ? validateString : validateBoolean;
  if (!isMultiple) return check(value, name);
  validateArray(value, name);
  return value.forEach((item, i) => check(item, `${name}[${i}]`));
}

function checkOption(name, config) {
  const path = `options.${name}`;
  validateObject(config, path);
  const type = own(config, "type");
  if (type !== "string" && type !== "boolean") {
    throw new ERR_INVALID_ARG_TYPE(`${path}.type`, "('string|boolean')", type);
  }
  if (hasOwn(config, "short")) {
    validateString(config.short, `${path}.short`);
    if (config.short.length !== 1) {
      throw new ERR_INVALID_ARG_VALUE(`${path}.short`, config.short, "must be a single character");
    }
  }
  if (hasOwn(config, "multiple")) validateBoolean(config.multiple, `${path}.multiple`);
  const value = own(config, "default");
  if (value !== undefined) checkDefault(value, `${path}.default`, type, own(config, "multiple"));
}

/** The arguments of the program itself: behind the script, or behind -e's text. */
function mainArgs() {
  const { execArgv, argv } = process;
  const isText = execArgv.some((arg) => /^(?:-e|-p|-pe|--eval|--print)(?:=|$)/.test(arg));
  return argv.slice(isText ? 1 : 2);
}

function readConfig(config) {
  const isStrict = own(config, "strict") ?? true;
  const read = {
    args: own(config, "args") ?? mainArgs(),
    strict: isStrict,
    allowPositionals: own(config, "allowPositionals") ?? !isStrict,
    tokens: own(config, "tokens") ?? false,
    allowNegative: own(config, "allowNegative") ?? false,
    options: own(config, "options") ?? { __proto__: null },
  };
  validateArray(read.args, "args");
  const switches = ["strict", "allowPositionals", "tokens", "allowNegative"];
  for (let i = 0; i < switches.length; i++) {
    const name = switches[i];
    validateBoolean(read[name], name);
  }
  validateObject(read.options, "options");
  for (let i = 0, all = Object.keys(read.options); i < all.length; i++) {
    const name = all[i];
    checkOption(name, read.options[name]);
  }
  return read;
}

// ---- Tokens -------------------------------------------------------------------------------------

class Tokenizer {
  constructor(args, options) {
    this.rest = args.slice();
    this.options = options;
    this.tokens = [];
    this.index = -1;
    this.unfolded = 0; // how many of the next arguments come from a group such as -abc
  }

  longName(short) {
    const found = Object.keys(this.options).find(
      (name) => own(this.options[name], "short") === short,
    );
    return found ?? short;
  }

  takesValue(name) {
    return settingOf(this.options, name, "type") === "string";
  }

  option(name, rawName, value, inlineValue) {
    this.tokens.push({ kind: "option", name, rawName, index: this.index, value, inlineValue });
  }

  /** An option whose value, if it takes one, is the next argument. */
  lone(name, rawName) {
    const next = this.rest[0];
    if (!this.takesValue(name) || next === undefined || next === null) {
      this.option(name, rawName, undefined, undefined);
      return;
    }
    this.option(name, rawName, this.rest.shift(), false);
    this.index++;
  }

  /** -abc is -a -b -c, up to one that takes a value. */
  group(arg) {
    const parts = [];
    for (let i = 1; i < arg.length; i++) {
      if (this.takesValue(this.longName(arg[i])) && i < arg.length - 1) {
        parts.push(`-${arg.slice(i)}`);
        break;
      }
      parts.push(`-${arg[i]}`);
    }
    this.rest.unshift(...parts);
    this.unfolded = parts.length;
  }

  short(arg) {
    const name = this.longName(arg[1]);
    if (arg.length === 2) this.lone(name, arg);
    else if (this.takesValue(name)) this.option(name, `-${arg[1]}`, arg.slice(2), true);
    else this.group(arg);
  }

  long(arg) {
    const at = arg.indexOf("=", 3);
    if (at < 0) this.lone(arg.slice(2), arg);
    else this.option(arg.slice(2, at), arg.slice(0, at), arg.slice(at + 1), true);
  }

  positional(value) {
    this.tokens.push({ kind: "positional", index: this.index, value });
  }

  run() {
    while (this.rest.length > 0) {
      const arg = this.rest.shift();
      if (this.unfolded > 0) this.unfolded--;
      else this.index++;
      if (arg === "--") {
        this.tokens.push({ kind: "option-terminator", index: this.index });
        for (let i = 0; i < this.rest.length; i++) {
          const value = this.rest[i];
          this.index++;
          this.positional(value);
        }
        break;
      }
      const isOption = arg.length > 1 && arg[0] === "-";
      if (!isOption) this.positional(arg);
      else if (arg[1] === "-") this.long(arg);
      else this.short(arg);
    }
    return this.tokens;
  }
}

// ---- Values -------------------------------------------------------------------------------------

function checkAmbiguous({ inlineValue, value, rawName, name }) {
  if (inlineValue || value === undefined || value === null) return;
  if (value.length < 2 || value[0] !== "-") return;
  const example = rawName.startsWith("--")
    ? `'${rawName}=-XYZ'`
    : `'--${name}=-XYZ' or '${rawName}-XYZ'`;
  throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(
    `Option '${rawName}' argument is ambiguous.\n` +
      `Did you forget to specify the option argument for '${rawName}'?\n` +
      `To specify an option argument starting with a dash use ${example}.`,
  );
}

/** The option that a token means: with allowNegative, --no-x means x. */
function knownName({ options, allowNegative, allowPositionals }, token) {
  if (hasOwn(options, token.name)) return token.name;
  const positive = token.name.slice(3);
  if (
    allowNegative &&
    token.name.startsWith("no-") &&
    settingOf(options, positive, "type") === "boolean"
  ) {
    return positive;
  }
  throw new ERR_PARSE_ARGS_UNKNOWN_OPTION(token.rawName, allowPositionals);
}

function checkUsage(config, token) {
  const name = knownName(config, token);
  const short = settingOf(config.options, name, "short");
  const shown = `${short ? `-${short}, ` : ""}--${name}`;
  const type = settingOf(config.options, name, "type");
  if (type === "string" && typeof token.value !== "string") {
    throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown} <value>' argument missing`);
  }
  if (type === "boolean" && token.value !== undefined && token.value !== null) {
    throw new ERR_PARSE_ARGS_INVALID_OPTION_VALUE(`Option '${shown}' does not take an argument`);
  }
}

function store({ options, allowNegative }, token, values) {
  if (token.name === "__proto__") return;
  let value = token.value ?? true;
  if (allowNegative && token.name.startsWith("no-") && token.value === undefined) {
    token.name = token.name.slice(3);
    value = false;
  }
  const { name } = token;
  if (!settingOf(options, name, "multiple")) values[name] = value;
  else if (values[name]) values[name].push(value);
  else values[name] = [value];
}

exports.parseArgs = function parseArgs(config = { __proto__: null }) {
  const read = readConfig(config);
  const tokens = new Tokenizer(read.args, read.options).run();
  const values = { __proto__: null };
  const positionals = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token.kind === "positional") {
      if (!read.allowPositionals) throw new ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL(token.value);
      positionals.push(token.value);
    } else if (token.kind === "option") {
      if (read.strict) {
        checkUsage(read, token);
        checkAmbiguous(token);
      }
      store(read, token, values);
    }
  }
  for (let i = 0, all = Object.keys(read.options); i < all.length; i++) {
    const name = all[i];
    const value = settingOf(read.options, name, "default");
    if (value !== undefined && values[name] === undefined && name !== "__proto__") {
      values[name] = value;
    }
  }
  return read.tokens ? { values, positionals, tokens } : { values, positionals };
};
