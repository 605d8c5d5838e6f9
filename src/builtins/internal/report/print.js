// internal/report/print -- the text of an uncaught error on standard error, as Bun prints it:
// source lines with a caret, name and message, own properties, stack, causes, then the version.
//
// native: printError(text); banner() -> string
const { hasColors } = require("web/console");

function textOf(error) {
  if (error instanceof Error) {
    return require("internal/inspect").formatLog([error], {
      colors: hasColors(2),
      level: "error",
    });
  }
  if (typeof error === "object" || typeof error === "function") {
    return `error\n${require("internal/inspect").formatLog([error], { colors: hasColors(2) })}`;
  }
  return `error: ${String(error)}`;
}

exports.printUncaught = function printUncaught(error) {
  let text;
  try {
    text = textOf(error);
  } catch {
    text = "error: an error was thrown that cannot be shown";
  }
  const [plain, dim] = hasColors(2) ? ["\x1b[0m", "\x1b[2m"] : ["", ""];
  const end = text.endsWith("\n") ? "" : "\n";
  native.printError(`${text}${end}${plain}\n${dim}${native.banner()}${plain}\n`);
};
