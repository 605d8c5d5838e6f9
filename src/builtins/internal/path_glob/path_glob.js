// internal/path_glob -- path.matchesGlob.
const { validateString } = require("internal/validators");

/**
 * Does `path` match `pattern`? Backslashes of the pattern separate, those of the path on Windows.
 * A "!" at the start of the pattern stands for itself.
 */
exports.matches = function matches(path, pattern, isWindows) {
  validateString(path, "path");
  validateString(pattern, "pattern");
  if (path === "") return pattern === "";
  let glob = pattern.replaceAll("\\", "/");
  if (/^!(?!\()/.test(glob)) glob = `\\${glob}`;
  const file = require("node:path/posix").normalize(isWindows ? path.replaceAll("\\", "/") : path);
  if (native.match(file, glob)) return true;
  // A slash at the end does not matter.
  return file.length > 1 && file.endsWith("/") && native.match(file.slice(0, -1), glob);
};
