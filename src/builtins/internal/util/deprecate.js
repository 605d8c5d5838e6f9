// internal/util/deprecate -- util.deprecate and util.debuglog.

const { validateString } = require("internal/validators");
const { apply, construct } = Reflect;

const warnedCodes = new Set();

/**
 * A function like `fn` that warns the first time it is called; of several with one code, only the
 * first that is called warns.
 * `modifyPrototype` false: the wrapper does not inherit from `fn`.
 */
exports.deprecate = function deprecate(fn, message, code, modifyPrototype = true) {
  if (code !== undefined) validateString(code, "code");
  let hasWarned = false;
  function warn() {
    hasWarned = true;
    if (code === undefined) process.emitWarning(message, "DeprecationWarning", deprecated);
    else if (!warnedCodes.has(code)) {
      warnedCodes.add(code);
      process.emitWarning(message, "DeprecationWarning", code, deprecated);
    }
  }
  function deprecated(...args) {
    if (!hasWarned && !process.noDeprecation) warn();
    return new.target ? construct(fn, args, new.target) : apply(fn, this, args);
  }
  if (!modifyPrototype) return deprecated;
  Object.setPrototypeOf(deprecated, fn);
  if (fn.prototype) deprecated.prototype = fn.prototype;
  const length = Object.getOwnPropertyDescriptor(fn, "length");
  return length === undefined ? deprecated : Object.defineProperty(deprecated, "length", length);
};

// ---- debuglog -----------------------------------------------------------------------------------

const printers = new Map();
let pattern; // what NODE_DEBUG was at the first question; null: nothing is on

function isOn(section) {
  if (pattern === undefined) {
    const wanted = process.env.NODE_DEBUG;
    const escaped = wanted?.replace(/[|\\{}()[\]^$+?.]/g, "\\$&");
    pattern = wanted
      ? new RegExp(`^(?:${escaped.replaceAll("*", ".*").replaceAll(",", "|")})$`, "i")
      : null;
  }
  return pattern !== null && pattern.test(section);
}

function warnAboutSecrets(section) {
  if (section !== "HTTP" && section !== "HTTP2") return;
  process.emitWarning(
    `Setting the NODE_DEBUG environment variable to '${section.toLowerCase()}' can expose ` +
      "sensitive data (such as passwords, tokens and authentication headers) in the resulting log.",
  );
}

function makePrinter(section) {
  warnAboutSecrets(section);
  const { pid } = process;
  return function debug(...args) {
    const { format, formatWithOptions, inspect } = require("internal/inspect");
    const colors = require("internal/util/colors").shouldColorize(process.stderr);
    const text = Reflect.apply(formatWithOptions, undefined, [{ colors }].concat(args));
    process.stderr.write(format("%s %s: %s\n", section, inspect(pid, { colors }), text));
  };
}

function printerOf(section) {
  let printer = printers.get(section);
  if (printer === undefined) {
    printer = isOn(section) ? makePrinter(section) : () => {};
    printers.set(section, printer);
  }
  return printer;
}

/**
 * A logger for a section of NODE_DEBUG. `onFirst` gets the function that really logs, at the first
 * call, so that the caller may use it from then on.
 */
exports.debuglog = function debuglog(set, onFirst) {
  let print;
  const section = () => `${set}`.toUpperCase();
  const first = () => {
    print = printerOf(section());
    if (typeof onFirst !== "function") return;
    defineEnabled(print, () => isOn(section()));
    onFirst(print);
  };
  const logger = (...args) => {
    if (print === undefined) first();
    Reflect.apply(print, undefined, args);
  };
  return defineEnabled(logger, () => isOn(section()));
};

function defineEnabled(fn, get) {
  return Object.defineProperty(fn, "enabled", {
    __proto__: null,
    get,
    configurable: true,
    enumerable: true,
  });
}
