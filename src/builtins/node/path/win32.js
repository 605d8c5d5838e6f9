// node:path/win32 -- paths of Windows (Node: path.win32). Both slashes separate; what comes out has
// backslashes.
const { setOf } = require("internal/set_of");
const { ERR_INVALID_ARG_TYPE } = require("internal/errors");
const { squash, formatParts, baseName, extensionAt } = require("internal/path_parts");

const BACKSLASH = 92;
const COLON = 58;

function checkPath(value, name) {
  if (typeof value !== "string") throw new ERR_INVALID_ARG_TYPE(name, "string", value);
}

const isSep = (code) => code === 47 || code === BACKSLASH;
const isLetter = (code) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const hasDrive = (path) => path.charCodeAt(1) === COLON && isLetter(path.charCodeAt(0));

// Names that mean a device in every folder, also with an extension.
const kReserved = setOf(["CON", "PRN", "AUX", "NUL"]);
for (const digit of "123456789\u00b9\u00b2\u00b3") {
  kReserved.add(`COM${digit}`);
  kReserved.add(`LPT${digit}`);
}

/** Is what stands before the colon at `colon` the name of a device? */
const isReserved = (path, colon) => kReserved.has(path.slice(0, colon).toUpperCase());

function skipName(path, i) {
  while (i < path.length && !isSep(path.charCodeAt(i))) i++;
  return i;
}

function skipSeps(path, i) {
  while (i < path.length && isSep(path.charCodeAt(i))) i++;
  return i;
}

/** The parts of \\server\share at the start, or null. `end` is where the share's name ends. */
function uncOf(path) {
  const serverEnd = skipName(path, 2);
  if (serverEnd === 2) return null;
  const shareStart = skipSeps(path, serverEnd);
  if (shareStart === path.length) return null;
  const end = skipName(path, shareStart);
  return { server: path.slice(2, serverEnd), share: path.slice(shareStart, end), end };
}

/** Device ("C:", "\\server\share", "\\?" or ""), length of the root, and whether it is absolute. */
function rootOf(path) {
  if (isSep(path.charCodeAt(0))) {
    if (!isSep(path.charCodeAt(1))) return { device: "", end: 1, isAbsolute: true };
    const unc = uncOf(path);
    if (unc === null) return { device: "", end: 0, isAbsolute: true };
    const { server, share, end } = unc;
    if (server === "." || server === "?") {
      return { device: `\\\\${server}`, end: 4, isAbsolute: true };
    }
    return { device: `\\\\${server}\\${share}`, end, isAbsolute: true };
  }
  if (!hasDrive(path)) return { device: "", end: 0, isAbsolute: false };
  const isAbsolute = isSep(path.charCodeAt(2));
  return { device: path.slice(0, 2), end: isAbsolute ? 3 : 2, isAbsolute };
}

const clean = (path, isRooted) => squash(path.replaceAll("/", "\\"), isRooted, "\\");

/** The current folder of a drive; on this system there is one for all. */
function cwdOf(device) {
  const cwd = process.env[`=${device}`] || process.cwd();
  const isOther = cwd.slice(0, 2).toLowerCase() !== device.toLowerCase();
  return isOther && cwd.charCodeAt(2) === BACKSLASH ? `${device}\\` : cwd;
}

exports.resolve = function resolve(...args) {
  let device = "";
  let tail = "";
  let isAbsolute = false;
  for (let i = args.length - 1; i >= -1; i--) {
    if (i >= 0) checkPath(args[i], `paths[${i}]`);
    const path = i >= 0 ? args[i] : device === "" ? process.cwd() : cwdOf(device);
    if (path.length === 0) continue;
    const isCwdAlone =
      i < 0 && args.length < 2 && (args[0] ?? "") in { "": 1, ".": 1 } && isSep(path.charCodeAt(0));
    if (isCwdAlone) return path.replaceAll("/", "\\");
    const root = rootOf(path);
    if (root.device !== "") {
      if (device === "") device = root.device;
      else if (root.device.toLowerCase() !== device.toLowerCase()) continue;
    }
    if (!isAbsolute) {
      tail = `${path.slice(root.end)}\\${tail}`;
      isAbsolute = root.isAbsolute;
    }
    if (isAbsolute && device !== "") break;
  }
  tail = clean(tail, isAbsolute);
  return isAbsolute ? `${device}\\${tail}` : `${device}${tail}` || ".";
};

/** \\.\ and \\?\ paths: the device that they name, when it is a reserved one. */
function namespaceRoot(path, server) {
  const name = path.slice(4, path.indexOf(":") + 1);
  if (isReserved(name, name.length - 1)) {
    return { device: `\\\\?\\${name}`, end: 4 + name.length, isAbsolute: true };
  }
  return { device: `\\\\${server}`, end: 4, isAbsolute: true };
}

function normalizeRoot(path) {
  if (!isSep(path.charCodeAt(0))) {
    const colon = path.indexOf(":");
    if (colon < 2 || !isReserved(path, colon)) return rootOf(path);
    return { device: path.slice(0, colon + 1), end: colon + 1, isAbsolute: false };
  }
  if (!isSep(path.charCodeAt(1))) return rootOf(path);
  const unc = uncOf(path);
  if (unc !== null && (unc.server === "." || unc.server === "?")) {
    return namespaceRoot(path, unc.server);
  }
  return rootOf(path);
}

/** Could a relative path that has lost its "." and ".." be taken for one with a drive? */
function looksLikeDrive(path, tail) {
  if (hasDrive(tail)) return true;
  for (let at = path.indexOf(":"); at >= 0; at = path.indexOf(":", at + 1)) {
    if (at === path.length - 1 || isSep(path.charCodeAt(at + 1))) return true;
  }
  return false;
}

exports.normalize = function normalize(path) {
  checkPath(path, "path");
  if (path.length === 0) return ".";
  if (path.length === 1) return path === "/" ? "\\" : path;
  const { device, end, isAbsolute } = normalizeRoot(path);
  if (device.length > 4 && device[0] === "\\" && end === path.length && device[2] !== "?") {
    return `${device}\\`; // nothing but \\server\share
  }
  let tail = clean(path.slice(end), isAbsolute);
  if (tail === "" && !isAbsolute) tail = ".";
  if (tail !== "" && isSep(path.charCodeAt(path.length - 1))) tail += "\\";
  if (!isAbsolute && device === "" && looksLikeDrive(path, tail)) return `.\\${tail}`;
  const colon = path.indexOf(":");
  if (colon >= 0 && isReserved(path, colon)) return `.\\${device}${tail}`;
  return isAbsolute ? `${device}\\${tail}` : `${device}${tail}`;
};

exports.isAbsolute = function isAbsolute(path) {
  checkPath(path, "path");
  return (
    isSep(path.charCodeAt(0)) || (path.length > 2 && hasDrive(path) && isSep(path.charCodeAt(2)))
  );
};

const isDevicePart = (part) => {
  const colon = part.indexOf(":");
  return colon >= 0 && isReserved(part, colon);
};

exports.join = function join(...args) {
  const parts = [];
  for (let i = 0; i < args.length; i++) {
    checkPath(args[i], "path");
    if (args[i].length > 0) parts[parts.length] = args[i];
  }
  if (parts.length === 0) return ".";
  let joined = parts.join("\\");
  // Two slashes begin the name of a server only if the first argument says so by itself.
  const first = parts[0];
  const isUnc = skipSeps(first, 0) === 2 && first.length > 2;
  if (!isUnc) {
    const n = skipSeps(joined, 0);
    if (n >= 2) joined = `\\${joined.slice(n)}`;
  }
  if (joined.includes(":") && joined.split("\\").some(isDevicePart)) {
    return joined.replaceAll("/", "\\");
  }
  return exports.normalize(joined);
};

/** For paths whose length changes with their case. */
function relativeBySegments(from, to) {
  const a = from.split("\\");
  const b = to.split("\\");
  if (a[a.length - 1] === "") a.pop();
  if (b[b.length - 1] === "") b.pop();
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a[i].toLowerCase() === b[i].toLowerCase()) i++;
  if (i === 0) return to;
  const up = new Array(a.length - i).fill("..");
  return up.concat(b.slice(i)).join("\\");
}

/** Begin and end of a path without the backslashes around it. */
function trimmed(path) {
  let start = 0;
  while (path.charCodeAt(start) === BACKSLASH) start++;
  let end = path.length;
  while (end - 1 > start && path.charCodeAt(end - 1) === BACKSLASH) end--;
  return { start, end };
}

/** How much of the two paths is one; -1 when nothing is. `rest` is the answer when it is known. */
function sharedOf(a, b, aSize, bSize) {
  const size = Math.min(aSize, bSize);
  let lastSep = -1;
  let i = 0;
  for (; i < size && a.charCodeAt(i) === b.charCodeAt(i); i++) {
    if (a.charCodeAt(i) === BACKSLASH) lastSep = i;
  }
  if (i < size) return { shared: lastSep, rest: lastSep < 0 ? 0 : -1 };
  if (bSize > size && b.charCodeAt(i) === BACKSLASH) return { shared: i, rest: i + 1 };
  if (bSize > size && i === 2) return { shared: i, rest: i }; // below the root of a drive
  if (aSize > size && a.charCodeAt(i) === BACKSLASH) lastSep = i;
  else if (aSize > size && i === 2) lastSep = 3;
  return { shared: Math.max(lastSep, 0), rest: -1 };
}

exports.relative = function relative(from, to) {
  checkPath(from, "from");
  checkPath(to, "to");
  if (from === to) return "";
  const fromFull = exports.resolve(from);
  const toFull = exports.resolve(to);
  const a = fromFull.toLowerCase();
  const b = toFull.toLowerCase();
  if (a === b) return "";
  if (a.length !== fromFull.length || b.length !== toFull.length) {
    return relativeBySegments(fromFull, toFull);
  }
  const x = trimmed(a);
  const y = trimmed(b);
  const xText = a.slice(x.start, x.end);
  const { shared, rest } = sharedOf(xText, b.slice(y.start, y.end), xText.length, y.end - y.start);
  if (rest === 0) return toFull;
  if (rest > 0) return toFull.slice(y.start + rest);
  let up = "";
  for (let i = shared + 1; i <= xText.length; i++) {
    if (i === xText.length || xText.charCodeAt(i) === BACKSLASH) up += up === "" ? ".." : "\\..";
  }
  const at = y.start + shared;
  if (up !== "") return up + toFull.slice(at, y.end);
  return toFull.slice(toFull.charCodeAt(at) === BACKSLASH ? at + 1 : at, y.end);
};

exports.toNamespacedPath = function toNamespacedPath(path) {
  if (typeof path !== "string" || path.length === 0) return path;
  const full = exports.resolve(path);
  if (full.length <= 2) return path;
  if (full.startsWith("\\\\")) {
    return full[2] === "?" || full[2] === "." ? full : `\\\\?\\UNC\\${full.slice(2)}`;
  }
  return hasDrive(full) && full.charCodeAt(2) === BACKSLASH ? `\\\\?\\${full}` : full;
};

/** Length of the root as dirname and parse count it, the slash behind a share with it. */
function rootLength(path) {
  if (isSep(path.charCodeAt(0))) {
    const unc = isSep(path.charCodeAt(1)) ? uncOf(path) : null;
    return unc === null ? 1 : Math.min(unc.end + 1, path.length);
  }
  if (!hasDrive(path)) return 0;
  return isSep(path.charCodeAt(2)) ? 3 : 2;
}

/** Where the last segment begins and ends, slashes behind it left out; not below `least`. */
function lastSegment(path, least) {
  let end = path.length;
  while (end > least && isSep(path.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > least && !isSep(path.charCodeAt(start - 1))) start--;
  return [start, end];
}

exports.dirname = function dirname(path) {
  checkPath(path, "path");
  if (path.length === 0) return ".";
  const root = rootLength(path);
  const { 0: start } = lastSegment(path, root);
  if (start > root) return path.slice(0, start - 1);
  return root === 0 ? "." : path.slice(0, root);
};

exports.basename = function basename(path, suffix) {
  if (suffix !== undefined) checkPath(suffix, "suffix");
  checkPath(path, "path");
  const { 0: start, 1: end } = lastSegment(path, hasDrive(path) ? 2 : 0);
  const base = path.slice(start, end);
  return suffix === undefined ? base : baseName(base, path, suffix);
};

exports.extname = function extname(path) {
  checkPath(path, "path");
  const { 0: start, 1: end } = lastSegment(path, hasDrive(path) ? 2 : 0);
  const base = path.slice(start, end);
  return base.slice(extensionAt(base));
};

exports.format = function format(pathObject) {
  return formatParts("\\", pathObject);
};

exports.parse = function parse(path) {
  checkPath(path, "path");
  const length = rootLength(path);
  const root = path.slice(0, length);
  const { 0: start, 1: end } = lastSegment(path, length);
  const base = path.slice(start, end);
  const at = extensionAt(base);
  const dir = start > length ? path.slice(0, start - 1) : root;
  return { root, dir, base, ext: base.slice(at), name: base.slice(0, at) };
};

exports.matchesGlob = function matchesGlob(path, pattern) {
  return require("internal/path_glob").matches(path, pattern, true);
};

exports.sep = "\\";
exports.delimiter = ";";
exports.win32 = exports;
exports.posix = require("node:path/posix");
exports._makeLong = exports.toNamespacedPath;
