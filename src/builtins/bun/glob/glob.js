// @internal
// bun:glob -- Bun.Glob, Bun.semver, Bun.peek.
//
// native: match(pattern, path, withDots); filter(pattern, paths, withDots) -> Uint8Array;
// order(a, b); satisfies(version, range); peek(promise) -> [state, value] | undefined
const { ERR_INVALID_ARG_TYPE } = require("internal/errors");

const MATCHES = 1;
const CAN_ENTER = 2;

function scanOptions(options) {
  if (typeof options === "string") return { cwd: options };
  if (options === undefined || options === null) return {};
  if (typeof options !== "object") {
    throw new ERR_INVALID_ARG_TYPE("options", ["string", "Object"], options);
  }
  const { cwd } = options;
  if (cwd !== undefined && cwd !== null && typeof cwd !== "string") {
    throw new ERR_INVALID_ARG_TYPE("options.cwd", "string", cwd);
  }
  return { __proto__: null, ...options };
}

/** Walks below `cwd`; yields paths relative to it, or absolute ones. */
function* walk(given, options) {
  const fs = require("node:fs");
  const path = require("node:path");
  const { dot = false, absolute = false, onlyFiles = true } = options;
  // "./" and "../" in front say where the walk begins; a "/" behind, that folders are looked for.
  const [prefix] = /^(?:\.{1,2}\/+)*/.exec(given);
  const onlyFolders = given.length > 1 && given.endsWith("/");
  const pattern = given.slice(prefix.length).replace(/(?<=.)\/+$/, "") || given;
  const root = path.resolve(options.cwd ?? ".", prefix);
  const isAbsolute = path.isAbsolute(pattern);
  const start = isAbsolute ? "/" : root;
  const todo = [isAbsolute ? "/" : ""];
  const seen = new Set(); // directories that links lead to
  while (todo.length > 0) {
    const dir = todo.pop();
    let entries;
    try {
      entries = fs.readdirSync(path.join(start, dir), { withFileTypes: true });
    } catch (error) {
      if (dir === "" || (error.code !== "ENOENT" && error.code !== "EACCES")) throw error;
      continue;
    }
    const names = entries.map((entry) => (dir === "" ? entry.name : path.join(dir, entry.name)));
    const flags = native.filter(pattern, names, dot);
    for (let i = 0; i < names.length; i++) {
      const kind = kindOf(entries[i], path.join(start, names[i]), options, seen);
      if (kind === "dir" && flags[i] & CAN_ENTER) todo.push(names[i]);
      if (!(flags[i] & MATCHES) || (onlyFiles && kind === "dir")) continue;
      if (onlyFolders && kind !== "dir") continue;
      yield absolute && !isAbsolute ? path.join(root, names[i]) : prefix + names[i];
    }
  }
}

function kindOf(entry, full, { followSymlinks, throwErrorOnBrokenSymlink }, seen) {
  if (entry.isDirectory()) return "dir";
  if (!entry.isSymbolicLink() || !followSymlinks) return "file";
  const fs = require("node:fs");
  const stat = fs.statSync(full, { throwIfNoEntry: throwErrorOnBrokenSymlink === true });
  if (!stat?.isDirectory()) return "file";
  const id = `${stat.dev}:${stat.ino}`;
  if (seen.has(id)) return "file";
  seen.add(id);
  return "dir";
}

async function* later(paths) {
  yield* paths;
}

class Glob {
  #pattern;

  constructor(pattern) {
    if (typeof pattern !== "string") {
      throw new TypeError("Glob.constructor: first argument is not a string");
    }
    this.#pattern = pattern;
  }

  match(path) {
    if (typeof path !== "string") {
      throw new TypeError("Glob.matchString: first argument is not a string");
    }
    return native.match(this.#pattern, path, true);
  }

  scan(options) {
    return later(walk(this.#pattern, scanOptions(options)));
  }

  scanSync(options) {
    return walk(this.#pattern, scanOptions(options));
  }
}

exports.Glob = Glob;
exports.match = native.match;
exports.filter = native.filter;

exports.semver = {
  satisfies(version, range) {
    if (arguments.length < 2) throw new TypeError("Expected two arguments");
    return native.satisfies(`${version}`, `${range}`);
  },
  order(a, b) {
    if (arguments.length < 2) throw new TypeError("Expected two arguments");
    const order = native.order(`${a}`, `${b}`);
    if (order === undefined) throw new TypeError(`Invalid SemverString: ${a}, ${b}`);
    return order;
  },
};

/** The value of a promise that is settled, otherwise the promise. */
function peek(promise) {
  const found = native.peek(promise);
  return found === undefined || found[0] === 0 ? promise : found[1];
}
peek.status = (promise) => ["pending", "fulfilled", "rejected"][native.peek(promise)?.[0] ?? 1];
exports.peek = peek;
