// internal/report/print -- the text of an uncaught error on standard error, as Bun prints it:
// source lines with a caret, name and message, own properties, stack, causes, then the version.
//
// native: printError(text); banner() -> string; hint(specifier, referrer, isRequire) -> string
const { hasColors } = require("web/console");

/** A property that is a string with something in it, or "". */
function textIn(value, key) {
  try {
    const text = value[key];
    return typeof text === "string" ? text : "";
  } catch {
    return "";
  }
}

/** The line above a value that is no error. */
function headOf(value) {
  if (typeof value === "symbol") return value.description ? `error: ${value.description}` : "error";
  if ((typeof value !== "object" || value === null) && typeof value !== "function") {
    return value === "" ? "error" : `error: ${String(value)}`;
  }
  const name = textIn(value, "name");
  const message = textIn(value, "message");
  if (name === "") return message === "" ? "error" : `error: ${message}`;
  return `${name === "Error" && message !== "" ? "error" : name}: ${message}`;
}

function isError(value) {
  return value instanceof Error && Object.prototype.toString.call(value) === "[object Error]";
}

function textOf(value) {
  const { formatLog } = require("internal/inspect");
  if (isError(value)) return formatLog([value], { colors: hasColors(2), level: "error" });
  return `${headOf(value)}\n${formatLog([value], { colors: hasColors(2) })}\n`;
}

/** What was probably meant, when a module was not found. */
function hintOf(error) {
  const { code, specifier, referrer } = error ?? {};
  if (typeof specifier !== "string" || typeof referrer !== "string") return "";
  const hint = native.hint(specifier, referrer, code === "MODULE_NOT_FOUND");
  return hint === "" ? "" : `\n${hint}\n`;
}

/** The text of an error on standard error. */
exports.textOf = function textOfAny(error) {
  if (isError(error)) return textOf(error) + hintOf(error);
  const isPrimitive = (typeof error !== "object" && typeof error !== "function") || error === null;
  return isPrimitive ? `${headOf(error)}\n` : textOf(error);
};

exports.printUncaught = function printUncaught(error) {
  let text;
  try {
    text = textOf(error);
    if (isError(error)) text += hintOf(error);
  } catch {
    text = "error: an error was thrown that cannot be shown";
  }
  const { 0: plain, 1: dim } = hasColors(2) ? ["\x1b[0m", "\x1b[2m"] : ["", ""];
  const end = text.endsWith("\n") ? "" : "\n";
  native.printError(`${text}${end}${plain}\n${dim}${native.banner()}${plain}\n`);
};

/** An error after which the program goes on. */
exports.printHandled = function printHandled(error) {
  const text = textOf(error);
  native.printError(text.endsWith("\n") ? text : `${text}\n`);
};
