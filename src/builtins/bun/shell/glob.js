// @internal
// bun:shell/glob -- patterns: file names that match, and matching of texts (case, [[ ]], ${x%y}).
//
// Patterns are those of util/glob.h; whatever was quoted is escaped in them.
const SPECIAL = /[*?[\]{}()!|+@\\]/g;

/** `text` so that it stands for itself in a pattern. */
exports.quote = (text) => text.replace(SPECIAL, "\\$&");
/** Unquoted `text`: only "*", "?", "[...]" and extended patterns are special. */
exports.unquoted = (text) => text.replace(/[{}]|\\/g, "\\$&");

const MAGIC = /[*?[]|[+@!]\(/;
exports.isMagic = (text) => MAGIC.test(text);

/** Does `text` match?  "/" is no special character here. */
exports.matches = function matches(pattern, text) {
  // util/glob.h treats "/" as a separator: another character takes its place.
  const swap = (value) => value.replaceAll("/", "\u0001");
  const safe = pattern[0] === "!" && pattern[1] !== "(" ? `\\${pattern}` : pattern;
  return require("bun:glob").match(swap(safe), swap(text), true);
};

function list(dir) {
  try {
    return require("node:fs").readdirSync(dir === "" ? "/" : dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

function exists(path) {
  return require("node:fs").lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFolder(entry, path) {
  if (entry.isDirectory()) return true;
  if (!entry.isSymbolicLink()) return false;
  return require("node:fs").statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

const unescape = (text) => text.replace(/\\([^])/g, "$1");
const PATHS_MAX = 1 << 20;

class Walk {
  constructor(root, segments) {
    this.root = root; // what relative patterns begin in
    this.segments = segments;
    this.found = [];
  }

  path(shown) {
    return shown[0] === "/" ? shown : `${this.root}/${shown}`;
  }

  add(shown) {
    if (this.found.length >= PATHS_MAX) throw new RangeError("A pattern matches too many files");
    this.found.push(shown);
  }

  /** Below `prefix` ("" or ends with "/"), from segment `i` on. */
  step(prefix, i) {
    const segment = this.segments[i];
    const isLast = i === this.segments.length - 1;
    if (segment === "**" && !isLast) {
      this.step(prefix, i + 1);
      this.each(prefix, "*", (shown, entry) => {
        if (entry.isDirectory()) this.step(`${shown}/`, i);
      });
      return;
    }
    if (!exports.isMagic(segment.replace(/\\[^]/g, ""))) {
      const shown = prefix + unescape(segment);
      if (!isLast) this.step(`${shown}/`, i + 1);
      else if (exists(this.path(shown))) this.add(shown);
      return;
    }
    this.each(prefix, segment === "**" ? "*" : segment, (shown, entry) => {
      if (isLast) this.add(shown);
      else if (isFolder(entry, this.path(shown))) this.step(`${shown}/`, i + 1);
      if (segment === "**" && entry.isDirectory()) this.step(`${shown}/`, i);
    });
  }

  each(prefix, pattern, visit) {
    const entries = list(this.path(prefix));
    if (entries.length === 0) return;
    const names = entries.map((entry) => entry.name);
    const safe = pattern[0] === "!" && pattern[1] !== "(" ? `\\${pattern}` : pattern;
    const hasDots = safe[0] === "." || safe.startsWith("\\.");
    const flags = require("bun:glob").filter(safe, names, hasDots);
    for (let i = 0; i < names.length; i++) {
      if (flags[i] & 1) visit(prefix + names[i], entries[i]);
    }
  }
}

/** Paths that match, sorted; relative ones as relative to `cwd`. */
exports.expand = function expand(pattern, cwd) {
  const isAbsolute = pattern[0] === "/";
  const text = isAbsolute ? pattern.replace(/^\/+/, "") : pattern;
  const walk = new Walk(cwd, text.split(/\/+/));
  walk.step(isAbsolute ? "/" : "", 0);
  return walk.found.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
};
