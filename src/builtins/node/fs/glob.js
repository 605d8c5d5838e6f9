// @internal
// node:fs/glob -- fs.glob: a walk below the part of each pattern that names no more than a folder.
const { toPath } = require("node:fs/args");
const { validateObject, validateString, validateFunction } = require("internal/validators");
const { matches } = require("internal/path_glob");
const { Dirent, kDirectory } = require("node:fs/stats");

const kMagic = /[*?[\]{}()!+@\\]/;

function globOptions(pattern, options) {
  const own = options ?? {};
  validateObject(own, "options");
  const patterns = Array.isArray(pattern) ? pattern : [pattern];
  for (const each of patterns) validateString(each, "patterns");
  const { exclude } = own;
  if (exclude !== undefined && !Array.isArray(exclude)) {
    validateFunction(exclude, "options.exclude");
  }
  const cwd = own.cwd === undefined ? process.cwd() : String(toPath(own.cwd, "options.cwd"));
  return { patterns, exclude, cwd, withTypes: Boolean(own.withFileTypes) };
}

/** The folder in front of the first part with a special character, and how many levels below. */
function planOf(pattern) {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => kMagic.test(part));
  const fixed = first < 0 ? parts.slice(0, -1) : parts.slice(0, first);
  const isDeep = parts.some((part) => part.includes("**")) || /[{(]/.test(pattern);
  return { root: fixed.join("/"), depth: isDeep ? Infinity : parts.length };
}

function isExcluded(entry, name, all) {
  if (all.exclude === undefined) return false;
  if (Array.isArray(all.exclude)) return all.exclude.some((pattern) => matches(name, pattern));
  return Boolean(all.exclude(all.withTypes ? entry : name));
}

/** Yields operations of the binding and [null, result] for what was found. */
function* walk(pattern, all, seen) {
  const { joinName } = require("node:fs/ops");
  const { root, depth } = planOf(pattern);
  const isAbsolute = pattern.startsWith("/");
  const start = isAbsolute && root === "" ? "/" : root;
  const folders = [start];
  for (let k = 0; k < folders.length; k++) {
    const folder = folders[k];
    const dir = isAbsolute ? folder : folder === "" ? all.cwd : joinName(all.cwd, folder);
    let list;
    try {
      list = yield ["readdir", dir, true, false];
    } catch {
      continue; // Gone, or not ours to read: nothing is found there.
    }
    for (let i = 0; i < list.length; i += 2) {
      const name = joinName(folder, list[i]);
      const entry = new Dirent(list[i], dir, list[i + 1]);
      if (isExcluded(entry, name, all)) continue;
      if (!seen.has(name) && matches(name, pattern)) {
        seen.add(name);
        yield [null, all.withTypes ? entry : name];
      }
      if (list[i + 1] === kDirectory && name.split("/").length < depth) folders.push(name);
    }
  }
}

function* walkAll(all) {
  const seen = new Set();
  for (const pattern of all.patterns) yield* walk(pattern.replace(/\/+$/, ""), all, seen);
}

exports.globSync = function globSync(pattern, options) {
  const { perform } = require("node:fs/run");
  const results = [];
  const steps = walkAll(globOptions(pattern, options));
  let step = steps.next();
  while (!step.done) {
    const { 0: operation, 1: found } = step.value;
    if (operation === null) {
      results.push(found);
      step = steps.next();
      continue;
    }
    let value;
    try {
      value = perform(operation, undefined, step.value.slice(1));
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(value);
  }
  return results;
};

async function* results(all) {
  const { call } = require("node:fs/run");
  const steps = walkAll(all);
  let step = steps.next();
  while (!step.done) {
    const { 0: operation, 1: found } = step.value;
    if (operation === null) {
      yield found;
      step = steps.next();
      continue;
    }
    let value;
    try {
      value = await call(operation, step.value.slice(1));
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(value);
  }
}

exports.globIterator = (pattern, options) => results(globOptions(pattern, options));

exports.glob = function glob(pattern, options, callback) {
  const done = typeof options === "function" ? options : callback;
  validateFunction(done, "callback");
  const all = globOptions(pattern, typeof options === "function" ? undefined : options);
  Array.fromAsync(results(all)).then(
    (list) => require("internal/tick").nextTick(() => done(null, list)),
    (error) => require("internal/tick").nextTick(() => done(error)),
  );
};
