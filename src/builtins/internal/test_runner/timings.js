// internal/test_runner/timings -- how long files took the last time (--timings), so that shards and
// the processes of --parallel get work for the same time (Bun: docs/test/parallel).
const fs = require("node:fs");
const path = require("node:path");
const state = require("internal/test_runner/state");

const VERSION = 1;

const nameOf = (file) => path.relative(state.options.cwd, file);

/** What the files of --timings say: path below the folder of the run -> ms. */
exports.read = function read(files) {
  const times = new Map();
  for (const file of files) {
    let text;
    try {
      text = fs.readFileSync(path.resolve(state.options.cwd, file), "utf8");
    } catch (error) {
      if (error.code === "ENOENT") continue;
      throw error;
    }
    const data = JSON.parse(text);
    if (data?.version !== VERSION || typeof data.files !== "object" || data.files === null) {
      throw new Error(`${file} is no file of timings`);
    }
    for (const [name, ms] of Object.entries(data.files)) {
      if (typeof ms === "number" && ms >= 0) times.set(name, ms);
    }
  }
  return times;
};

/** Of a file that nobody knows: the median of the others. */
function fallback(times) {
  const all = [...times.values()].sort((a, b) => a - b);
  return all.length === 0 ? 1 : all[all.length >> 1];
}

const msOf = (times, file, other) => times.get(nameOf(file)) ?? other;

/** The part `i` of `n` of the files: neighbours, with as much time as the other parts. */
exports.shard = function shard(files, times, i, n) {
  const other = fallback(times);
  const total = files.reduce((sum, file) => sum + msOf(times, file, other), 0);
  let sum = 0;
  return files.filter((file) => {
    const ms = msOf(times, file, other);
    const middle = sum + ms / 2;
    sum += ms;
    return Math.min(n - 1, Math.floor((middle / (total || 1)) * n)) === i - 1;
  });
};

/** The slowest first. */
exports.slowestFirst = function slowestFirst(files, times) {
  const other = fallback(times);
  return [...files].sort((a, b) => msOf(times, b, other) - msOf(times, a, other));
};

/** Writes what was measured, a Map of files to ms, over what was known. */
exports.write = function write(file, known, measured, isShard) {
  const all = isShard ? new Map() : new Map(known);
  for (const [test, ms] of measured) all.set(nameOf(test), Math.round(ms));
  const sorted = [...all].sort((a, b) => b[1] - a[1]);
  const text = JSON.stringify({ version: VERSION, files: Object.fromEntries(sorted) }, null, 2);
  fs.writeFileSync(path.resolve(state.options.cwd, file), `${text}\n`);
};
