// internal/test_runner/github -- annotations for GitHub Actions, as Bun writes them: lines that the
// service takes out of the log and shows beside the code.

const escapeData = (text) =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text) =>
  escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

const FRAME = /^ {6}at (?:.* \()?(\/.*):(\d+):(\d+)\)?$/;

/**
 * @param {unknown} error @param {string} text what the report prints of it @param {string} cwd
 * @returns {string} the line
 */
exports.annotation = function annotation(error, text, cwd) {
  const isError = typeof error === "object" && error !== null && "message" in error;
  const name = isError && error.name !== "Error" ? `${error.name}` : "error";
  const message = (isError ? `${error.message}` : `${error}`).replace(/\x1b\[[0-9;]*m/g, "");
  const [first, ...rest] = message.split("\n");
  const frames = text.replace(/\x1b\[[0-9;]*m/g, "").split("\n")
    .filter((line) => line.startsWith("      at "));
  const found = frames.map((line) => FRAME.exec(line)).find((match) => match !== null);
  let place = "";
  if (found !== undefined) {
    const file = found[1].startsWith(`${cwd}/`) ? found[1].slice(cwd.length + 1) : found[1];
    place = `file=${escapeProperty(file)},line=${found[2]},col=${found[3]},`;
  }
  const below = rest.join("\n").replace(/^\n+/, "");
  const body = [...(below === "" ? [] : [below]), ...frames].join("\n");
  const what = first === "" ? "" : `: ${escapeProperty(first)}`;
  return `::error ${place}title=${escapeProperty(name)}${what}::${escapeData(body)}\n`;
};

exports.timeout = (name, ms) =>
  `::error title=error: Test ${escapeProperty(JSON.stringify(name))} timed out after ${ms}ms::\n`;
