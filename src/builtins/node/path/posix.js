// node:path/posix -- paths with slashes (Node: path.posix). What does not depend on the separator
// is in internal/path_parts.
const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
const { squash, formatParts, baseName, extensionAt } = require("internal/path_parts");

const SLASH = 47;

function checkPath(value, name) {
  if (typeof value !== "string") throw new ERR_INVALID_ARG_TYPE(name, "string", value);
}

/** The path without "..", "." and empty segments; `path` has no slash at its start. */
const clean = (path, isRooted) => squash(path, isRooted, "/");

/**
 * True when an absolute path is what `clean` would make of it, found without looking at segments:
 * most paths that programs resolve are.
 */
function isClean(path) {
  return (
    !path.includes("//") && !path.includes("/.") && path.charCodeAt(path.length - 1) !== SLASH
  );
}

exports.resolve = function resolve(...args) {
  let whole = "";
  let isAbsolute = false;
  for (let i = args.length - 1; i >= 0 && !isAbsolute; i--) {
    const path = args[i];
    checkPath(path, `paths[${i}]`);
    if (path.length === 0) continue;
    whole = whole === "" ? path : `${path}/${whole}`;
    isAbsolute = path.charCodeAt(0) === SLASH;
  }
  if (!isAbsolute) {
    const cwd = process.cwd();
    whole = whole === "" ? cwd : `${cwd}/${whole}`;
    isAbsolute = cwd.charCodeAt(0) === SLASH;
  }
  if (isAbsolute) return isClean(whole) ? whole : `/${clean(whole, true)}`;
  return clean(whole, false) || ".";
};

exports.normalize = function normalize(path) {
  checkPath(path, "path");
  if (path.length === 0) return ".";
  const isAbsolute = path.charCodeAt(0) === SLASH;
  if (isAbsolute && isClean(path)) return path;
  const hasSlash = path.charCodeAt(path.length - 1) === SLASH;
  let out = clean(path, isAbsolute);
  if (out === "") {
    if (isAbsolute) return "/";
    return hasSlash ? "./" : ".";
  }
  if (hasSlash) out += "/";
  return isAbsolute ? `/${out}` : out;
};

exports.isAbsolute = function isAbsolute(path) {
  checkPath(path, "path");
  return path.charCodeAt(0) === SLASH;
};

exports.join = function join(...args) {
  let whole = "";
  for (let i = 0; i < args.length; i++) {
    const path = args[i];
    checkPath(path, "path");
    if (path.length > 0) whole = whole === "" ? path : `${whole}/${path}`;
  }
  return whole === "" ? "." : exports.normalize(whole);
};

exports.relative = function relative(from, to) {
  checkPath(from, "from");
  checkPath(to, "to");
  if (from === to) return "";
  const a = exports.resolve(from);
  const b = exports.resolve(to);
  if (a === b) return "";
  // Both begin with a slash: what they share ends where a segment ends in both.
  const end = Math.min(a.length, b.length);
  let shared = 0;
  let i = 1;
  while (i < end && a.charCodeAt(i) === b.charCodeAt(i)) {
    if (a.charCodeAt(i) === SLASH) shared = i;
    i++;
  }
  if (i === a.length && (i === b.length || b.charCodeAt(i) === SLASH)) shared = i;
  else if (i === b.length && a.charCodeAt(i) === SLASH) shared = i;
  if (a === "/") return b.slice(1);
  let up = "";
  for (let at = shared; at < a.length; at++) {
    if (a.charCodeAt(at) === SLASH) up += up === "" ? ".." : "/..";
  }
  const down = b.slice(shared);
  return up === "" ? down.slice(1) : b === "/" ? up : up + down;
};

exports.toNamespacedPath = function toNamespacedPath(path) {
  return path; // means something on Windows only
};

exports.dirname = function dirname(path) {
  checkPath(path, "path");
  if (path.length === 0) return ".";
  let at = path.length - 1;
  while (at >= 1 && path.charCodeAt(at) === SLASH) at--;
  while (at >= 1 && path.charCodeAt(at) !== SLASH) at--;
  const isAbsolute = path.charCodeAt(0) === SLASH;
  if (at <= 0) return isAbsolute ? "/" : ".";
  return isAbsolute && at === 1 ? "//" : path.slice(0, at);
};

/** Where the last segment begins and ends, slashes behind it left out; not below `least`. */
function lastSegment(path, least) {
  let end = path.length;
  while (end > least && path.charCodeAt(end - 1) === SLASH) end--;
  return end === least ? [end, end] : [Math.max(path.lastIndexOf("/", end - 1) + 1, least), end];
}

exports.basename = function basename(path, suffix) {
  if (suffix !== undefined) checkPath(suffix, "suffix");
  checkPath(path, "path");
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === SLASH) end--;
  if (end === 0) return "";
  const base = path.slice(path.lastIndexOf("/", end - 1) + 1, end);
  return suffix === undefined ? base : baseName(base, path, suffix);
};

exports.extname = function extname(path) {
  checkPath(path, "path");
  const { 0: start, 1: end } = lastSegment(path, 0);
  const base = path.slice(start, end);
  return base.slice(extensionAt(base));
};

exports.format = function format(pathObject) {
  return formatParts("/", pathObject);
};

exports.parse = function parse(path) {
  checkPath(path, "path");
  const root = path.charCodeAt(0) === SLASH ? "/" : "";
  const { 0: start, 1: end } = lastSegment(path, root.length);
  const base = path.slice(start, end);
  const at = extensionAt(base);
  const dir = start > root.length ? path.slice(0, start - 1) : root;
  return { root, dir, base, ext: base.slice(at), name: base.slice(0, at) };
};

exports.matchesGlob = function matchesGlob(path, pattern) {
  return require("internal/path_glob").matches(path, pattern, false);
};

exports.sep = "/";
exports.delimiter = ":";
exports.win32 = null;
exports.posix = exports;
exports._makeLong = exports.toNamespacedPath;

const settleWin32 = (value) =>
  Object.defineProperty(exports, "win32", {
    value, writable: true, enumerable: true, configurable: true,
  });
Object.defineProperty(exports, "win32", {
  get: () => settleWin32(require("node:path/win32")).win32,
  set: settleWin32,
  enumerable: true,
  configurable: true,
});
