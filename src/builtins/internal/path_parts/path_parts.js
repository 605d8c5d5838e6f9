// internal/path_parts -- what both flavours of node:path share.
const { validateObject } = require("internal/validators");

const DOT = 46;

/**
 * Joins the segments of `path` anew: without empty ones and ".", and with each ".." taken together
 * with the segment before it. Where there is none, ".." stays unless `isRooted`.
 * @param {string} path @param {boolean} isRooted @param {string} separator the only one in `path`
 */
exports.squash = function squash(path, isRooted, separator) {
  let out = "";
  let depth = 0; // segments at the end of `out` that ".." may take away
  for (let from = 0, to; from < path.length; from = to + 1) {
    to = path.indexOf(separator, from);
    if (to < 0) to = path.length;
    const size = to - from;
    if (size === 0) continue;
    if (path.charCodeAt(from) === DOT) {
      if (size === 1) continue;
      if (size === 2 && path.charCodeAt(from + 1) === DOT) {
        if (depth > 0) {
          out = out.slice(0, Math.max(out.lastIndexOf(separator), 0));
          depth--;
        } else if (!isRooted) {
          out += out === "" ? ".." : `${separator}..`;
        }
        continue;
      }
    }
    const segment = path.slice(from, to);
    out = out === "" ? segment : out + separator + segment;
    depth++;
  }
  return out;
};

/** `base`, the last segment of `path`, without `suffix` unless that would leave nothing. */
exports.baseName = function baseName(base, path, suffix) {
  if (suffix === path) return "";
  if (suffix.length > 0 && base.length > suffix.length && base.endsWith(suffix)) {
    return base.slice(0, -suffix.length);
  }
  return base;
};

/** Index of the dot that begins the extension of a file name; its length when it has none. */
exports.extensionAt = function extensionAt(base) {
  const dot = base.lastIndexOf(".");
  return dot <= 0 || base === ".." ? base.length : dot;
};

/** path.format. */
exports.formatParts = function formatParts(separator, parts) {
  validateObject(parts, "pathObject");
  const dir = parts.dir || parts.root;
  let { ext } = parts;
  if (ext && ext[0] !== ".") ext = `.${ext}`;
  const base = parts.base || `${parts.name || ""}${ext || ""}`;
  if (!dir) return base;
  return dir === parts.root ? `${dir}${base}` : `${dir}${separator}${base}`;
};
