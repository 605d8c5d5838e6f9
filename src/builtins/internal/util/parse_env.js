// internal/util/parse_env -- the text of a .env file (Node: util.parseEnv, process.loadEnvFile).
//
// Lines "KEY=value", "export " in front is left out. Values in '', "" or `` may have several lines;
// in "" \n is a new line. Others end at "#" or the end of the line.

const { validateString } = require("internal/validators");

const isBlank = (c) => c === " " || c === "\t" || c === "\r" || c === "\n";

const lineEnd = (text, from) => {
  const at = text.indexOf("\n", from);
  return at < 0 ? text.length : at;
};

/** The value that begins at `from`, and where the rest of the text begins. */
function takeValue(text, from) {
  let start = from;
  while (text[start] === " " || text[start] === "\t") start++;
  const quote = text[start];
  if (quote === '"' || quote === "'" || quote === "`") {
    const end = text.indexOf(quote, start + 1);
    if (end >= 0) {
      const inner = text.slice(start + 1, end);
      const value = quote === '"' ? inner.replaceAll("\\n", "\n") : inner;
      return { value, next: lineEnd(text, end) + 1 };
    }
  }
  const end = lineEnd(text, start);
  const line = text.slice(start, end);
  const comment = line.indexOf("#");
  return { value: (comment < 0 ? line : line.slice(0, comment)).trim(), next: end + 1 };
}

exports.parseEnv = function parseEnv(content) {
  validateString(content, "content");
  const text = content.replaceAll("\r\n", "\n");
  const found = {};
  let at = 0;
  while (at < text.length) {
    while (isBlank(text[at])) at++;
    if (at >= text.length) break;
    const end = lineEnd(text, at);
    const equals = text.indexOf("=", at);
    if (text[at] === "#" || equals < 0 || equals > end) {
      at = end + 1;
      continue;
    }
    const key = text.slice(at, equals).trim().replace(/^export\s+/, "");
    const { value, next } = takeValue(text, equals + 1);
    if (key !== "") found[key] = value;
    at = next;
  }
  return found;
};
