// internal/test_snapshot/obsolete -- snapshots that no test asks for any more: said in the report,
// removed with -u (Jest: "obsolete").
//
// Those of tests that did not run, or failed before they could ask, are not obsolete.
const state = require("internal/test_runner/state");

/** Did anything keep tests of the file from running that cannot be told by name? */
const isPartial = () => state.options.pattern !== undefined || state.filteredInFile ||
  state.failedFile === state.file || require("internal/test_runner/report").isBailing();

/** "outer test: hint 2" belongs to the test "outer test". */
function isOf(entry, name) {
  if (!entry.startsWith(name)) return false;
  return /^(?:: .*)? \d+$/s.test(entry.slice(name.length));
}

/** @param {Set<string>} seen names that were asked for @param {Iterable<string>} known */
exports.find = function find(seen, known) {
  if (isPartial()) return [];
  const unfinished = state.unfinished ?? [];
  return [...known].filter((entry) =>
    !seen.has(entry) && !unfinished.some((test) => isOf(entry, state.nameOf(test))));
};

/** Files of snapshots whose test file is there and asks for none. */
exports.unusedStore = function unusedStore() {
  const fs = require("node:fs");
  const path = require("node:path");
  const { dir, base } = path.parse(state.file);
  const file = path.join(dir, "__snapshots__", `${base}.snap`);
  return fs.existsSync(file) ? file : undefined;
};
