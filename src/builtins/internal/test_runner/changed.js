// internal/test_runner/changed -- which test files depend on which files: --changed runs those that
// a change concerns (what git says), --watch runs them first.
//
// Files are read and their imports resolved, nothing runs. What is imported by a name that only the
// program knows, or read as data, is not seen.
const fs = require("node:fs");
const path = require("node:path");
const { Transpiler } = require("bun:transpiler");
const { resolveUsual } = require("internal/esm");
const state = require("internal/test_runner/state");

const FILES_MAX = 100_000;
const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const loaderOf = (file) => /x$/.test(file) ? file.slice(-3) : /[jt]s$/.exec(file)[0];

let scanner;

/** Paths of the files that one imports; packages are not looked into. */
function importsOf(file) {
  let imports;
  try {
    scanner ??= new Transpiler({ loader: "tsx" });
    imports = scanner.scanImports(fs.readFileSync(file, "utf8"), loaderOf(file));
  } catch {
    return []; // whoever loads it will say so
  }
  const found = [];
  for (const { path: specifier } of imports) {
    try {
      const [target] = resolveUsual(specifier, file);
      if (target.startsWith("/") && !target.includes("/node_modules/")) found.push(target);
    } catch {
      // It may be there when it is asked for.
    }
  }
  return found;
}

/** Map of each file below `roots` to the Set of those that import it. */
function importersBelow(roots) {
  const importers = new Map();
  const seen = new Set(roots);
  for (const file of seen) {
    if (!CODE.test(file) || seen.size > FILES_MAX) continue;
    for (const target of importsOf(file)) {
      if (!importers.has(target)) importers.set(target, new Set());
      importers.get(target).add(file);
      seen.add(target);
    }
  }
  return importers;
}

const preloads = () => state.options.preload.filter((request) => /^[./]/.test(request))
  .map((request) => path.resolve(state.options.cwd, request));

/**
 * Those of `files` that a change of `changed` concerns; all when a preloaded file is among them.
 * @param {string[]} files @param {Iterable<string>} changed absolute paths
 */
exports.affected = function affected(files, changed) {
  const first = preloads();
  const importers = importersBelow([...files, ...first]);
  const reached = new Set(changed);
  for (const file of reached) for (const by of importers.get(file) ?? []) reached.add(by);
  if (first.some((file) => reached.has(file))) return files;
  return files.filter((file) => reached.has(file));
};

function git(cwd, ...args) {
  const { spawnSync } = require("node:child_process");
  const result = spawnSync("git", args, { cwd, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 });
  if (result.error !== undefined) throw new Error(`cannot run git: ${result.error.message}`);
  if (result.status !== 0) throw new Error(result.stderr.trim().split("\n")[0]);
  return result.stdout;
}

/** Files that differ from a commit (or the last one), and those that git does not know. */
function changedSince(ref) {
  const { cwd } = state.options;
  const top = git(cwd, "rev-parse", "--show-toplevel").trim();
  const names = git(top, "diff", "--name-only", "-z", ref === "" ? "HEAD" : ref, "--") +
    git(top, "ls-files", "--others", "--exclude-standard", "-z");
  const unique = new Set(names.split("\0").filter((name) => name !== ""));
  return [...unique].map((name) => path.join(top, name));
}

const plural = (n) => `${n} changed file${n === 1 ? "" : "s"}`;

/** --changed: the files to run, undefined after an error that was said. */
exports.select = function select({ files, changed }) {
  const { native } = state;
  let since;
  try {
    since = changedSince(changed);
  } catch (error) {
    native.write(`error: --changed: ${error.message}\n`);
    return undefined;
  }
  if (since.length === 0) {
    native.write("--changed: no changed files, nothing to run\n");
    return [];
  }
  const chosen = exports.affected(files, since);
  native.write(
    `--changed: ${plural(since.length)}, running ${chosen.length}/${files.length} test files\n`,
  );
  return chosen;
};
