// internal/subprocess/options -- the arguments of node:child_process, checked (Node:
// lib/child_process.js).
const errors = require("internal/errors");
const validators = require("internal/validators");
const { validateBoolean, validateInt32, validateObject, validateString } = validators;

/** Kinds and values of `signal`: a number that the system knows. */
function signalNumber(signal) {
  const { signals } = require("node:os").constants;
  if (typeof signal === "number") {
    for (let i = 0, all = Object.keys(signals); i < all.length; i++) {
      const name = all[i];
      if (signals[name] === signal) return signal;
    }
  } else if (typeof signal === "string") {
    const number = signals[signal.toUpperCase()];
    if (number) return number;
  }
  throw new errors.ERR_UNKNOWN_SIGNAL(signal);
}
exports.signalNumber = signalNumber;

/** Of an option: undefined stays; signals that do not exist are errors. */
function killSignalOf(signal) {
  if (typeof signal === "string" || typeof signal === "number") return signalNumber(signal);
  if (signal === undefined || signal === null) return undefined;
  throw new errors.ERR_INVALID_ARG_TYPE("options.killSignal", ["string", "number"], signal);
}
exports.killSignalOf = killSignalOf;

/** A text without NUL. */
function checkText(text, name) {
  if (typeof text === "string" && text.includes("\0")) {
    throw new errors.ERR_INVALID_ARG_VALUE(name, text, "must be a string without null bytes");
  }
}

function checkTexts(texts, name) {
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i];
    if (typeof text === "string" && text.includes("\0")) checkText(text, `${name}[${i}]`);
  }
}

/** A path as text: URL and Buffer, too. */
function pathOf(value, name) {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") {
    const { isURL } = require("web/url");
    if (isURL(value)) return require("internal/file_url").fileURLToPath(value);
    if (ArrayBuffer.isView(value)) return require("node:buffer").Buffer.from(value).toString();
    throw new errors.ERR_INVALID_ARG_TYPE(name, ["string", "Buffer", "URL"], value);
  }
  return value;
}
exports.pathOf = pathOf;

function checkOptional(options, names, check) {
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    const value = options[name];
    if (value !== undefined && value !== null) check(value, `options.${name}`);
  }
}

function checkShell(shell) {
  if (shell === undefined || shell === null) return;
  if (typeof shell !== "boolean" && typeof shell !== "string") {
    throw new errors.ERR_INVALID_ARG_TYPE("options.shell", ["boolean", "string"], shell);
  }
  checkText(shell, "options.shell");
}

/** ["NAME=value", ...] of an object. */
function envPairs(env) {
  const known = require("internal/process_env").pairsOf(env);
  if (known !== undefined) return known;
  const pairs = [];
  for (const key in env) {
    const value = env[key];
    if (value === undefined) continue;
    checkText(key, `options.env['${key}']`);
    checkText(value, `options.env['${key}']`);
    pairs.push(`${key}=${value}`);
  }
  return pairs;
}
exports.envPairs = envPairs;

/** What spawn and its kin take: (file, args?, options?). */
exports.normalizeSpawn = function normalizeSpawn(file, args, options) {
  validateString(file, "file");
  checkText(file, "file");
  if (file.length === 0) throw new errors.ERR_INVALID_ARG_VALUE("file", file, "cannot be empty");
  if (Array.isArray(args)) {
    args = args.slice();
  } else if (args === undefined || args === null) {
    args = [];
  } else if (typeof args !== "object") {
    throw new errors.ERR_INVALID_ARG_TYPE("args", "object", args);
  } else {
    options = args;
    args = [];
  }
  for (let i = 0; i < args.length; i++) args[i] = `${args[i]}`;
  checkTexts(args, "args");
  if (options === undefined) options = {};
  else validateObject(options, "options");

  const cwd = pathOf(options.cwd, "options.cwd");
  checkText(cwd, "options.cwd");
  checkOptional(options, ["detached", "windowsHide", "windowsVerbatimArguments"], validateBoolean);
  checkOptional(options, ["uid", "gid"], validateInt32);
  checkShell(options.shell);
  checkOptional(options, ["argv0"], validateString);
  checkText(options.argv0, "options.argv0");

  let argv = [options.argv0 ?? file].concat(args);
  if (options.shell) {
    if (args.length > 0) warnAboutShell();
    const command = [file].concat(args).join(" ");
    file = typeof options.shell === "string" ? options.shell : "/bin/sh";
    argv = [options.argv0 ?? file, "-c", command];
  }
  return {
    ...options,
    __proto__: null,
    args: argv,
    cwd,
    detached: !!options.detached,
    envPairs: envPairs(options.env || process.env),
    file,
    windowsHide: !!options.windowsHide,
    windowsVerbatimArguments: !!options.windowsVerbatimArguments,
  };
};

let hasWarnedAboutShell = false;
function warnAboutShell() {
  if (hasWarnedAboutShell) return;
  hasWarnedAboutShell = true;
  process.emitWarning(
    "Passing args to a child process with shell option true can lead to security " +
      "vulnerabilities, as the arguments are not escaped, only concatenated.",
    "DeprecationWarning",
    "DEP0190",
  );
}

exports.checkTimeout = function checkTimeout(timeout) {
  if (timeout === undefined || timeout === null) return;
  if (!(Number.isInteger(timeout) && timeout >= 0)) {
    throw new errors.ERR_OUT_OF_RANGE("timeout", "an unsigned integer", timeout);
  }
};

exports.checkMaxBuffer = function checkMaxBuffer(max) {
  if (max === undefined || max === null) return;
  if (!(typeof max === "number" && max >= 0)) {
    throw new errors.ERR_OUT_OF_RANGE("options.maxBuffer", "a positive number", max);
  }
};

/** (file, args?, options?, callback?) of execFile and fork's relatives. */
exports.normalizeExecFile = function normalizeExecFile(file, args, options, callback) {
  if (Array.isArray(args)) {
    args = args.slice();
  } else if (args !== null && typeof args === "object") {
    callback = options;
    options = args;
    args = null;
  } else if (typeof args === "function") {
    callback = args;
    options = null;
    args = null;
  }
  args ??= [];
  if (typeof options === "function") callback = options;
  else if (options !== undefined && options !== null) validateObject(options, "options");
  if (typeof options === "function") options = null;
  options ??= {};
  if (callback !== undefined && callback !== null) {
    validators.validateFunction(callback, "callback");
  }
  checkOptional(options, ["argv0"], validateString);
  checkText(options.argv0, "options.argv0");
  return { file, args, options, callback };
};

exports.normalizeExec = function normalizeExec(command, options, callback) {
  validateString(command, "command");
  checkText(command, "command");
  if (typeof options === "function") {
    callback = options;
    options = undefined;
  }
  options = { ...options };
  options.shell = typeof options.shell === "string" ? options.shell : true;
  return { file: command, options, callback };
};
exports.checkText = checkText;
exports.checkTexts = checkTexts;
