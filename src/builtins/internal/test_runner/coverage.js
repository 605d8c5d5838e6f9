// internal/test_runner/coverage -- the report of what has run: a table, an lcov file, thresholds
// (Bun: docs/test/code-coverage).
const state = require("internal/test_runner/state");

/** Lines and functions of one file, from its counters. */
class FileCoverage {
  constructor(path, counters) {
    this.path = path;
    this.lines = new Map(); // line -> how often it has run
    this.functions = 0;
    this.functionsHit = 0;
    for (let i = 0; i < counters.length; i += 3) {
      const [line, count, isFunction] = [counters[i], counters[i + 1], counters[i + 2]];
      this.lines.set(line, Math.max(this.lines.get(line) ?? 0, count));
      if (!isFunction) continue;
      this.functions++;
      if (count > 0) this.functionsHit++;
    }
    this.order = [...this.lines.keys()].sort((a, b) => a - b);
    this.linesHit = this.order.filter((line) => this.lines.get(line) > 0).length;
  }

  get linePart() {
    return this.order.length === 0 ? 1 : this.linesHit / this.order.length;
  }

  get functionPart() {
    return this.functions === 0 ? 1 : this.functionsHit / this.functions;
  }

  /** "2-3,6": runs of lines that have not run. */
  uncovered() {
    const parts = [];
    let from = 0;
    let last = 0;
    const end = () => {
      if (from > 0) parts.push(from === last ? `${from}` : `${from}-${last}`);
      from = 0;
    };
    for (const line of this.order) {
      if (this.lines.get(line) > 0) end();
      else {
        if (from === 0) from = line;
        last = line;
      }
    }
    end();
    return parts.join(",");
  }

  lcov() {
    const data = this.order.map((line) => `DA:${line},${this.lines.get(line)}\n`).join("");
    return `TN:\nSF:${this.path}\nFNF:${this.functions}\nFNH:${this.functionsHit}\n${data}` +
      `LF:${this.order.length}\nLH:${this.linesHit}\nend_of_record\n`;
  }
}

/** The counters of several processes as one list. */
function merge(lists) {
  if (lists.length === 1) return lists[0];
  const all = new Map();
  for (const list of lists) {
    for (let i = 0; i < list.length; i += 2) {
      const known = all.get(list[i]);
      if (known === undefined) all.set(list[i], list[i + 1]);
      else for (let k = 1; k < known.length; k += 3) known[k] += list[i + 1][k] ?? 0;
    }
  }
  return [...all].flat();
}

function filesOf(options, list) {
  const { relative } = require("node:path");
  const { Glob } = require("bun:glob");
  const ignored = options.coverageIgnored.map((pattern) => new Glob(pattern));
  const files = [];
  for (let i = 0; i < list.length; i += 2) {
    const path = relative(options.cwd, list[i]);
    if (ignored.some((glob) => glob.match(path))) continue;
    files.push(new FileCoverage(path, list[i + 1]));
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const percent = (part) => `${(part * 100).toFixed(2)}`.padStart(7);
const average = (files, key) => files.length === 0
  ? 0
  : files.reduce((sum, file) => sum + file[key], 0) / files.length;

function paintedPart(part, limit) {
  const text = percent(part);
  if (!state.hasColors) return text;
  return `\x1b[0m${part >= limit ? "\x1b[32m" : "\x1b[31m"}${text}\x1b[0m`;
}

function table(files, limits) {
  const width = Math.max(9, ...files.map((file) => file.path.length)) + 2;
  const rule = `${"-".repeat(width)}|---------|---------|-------------------\n`;
  const row = (name, functions, lines, rest) =>
    `${name.padEnd(width - 1)} | ${paintedPart(functions, limits.functions)} | ` +
    `${paintedPart(lines, limits.lines)} |${rest === "" ? "" : ` ${rest}`}\n`;
  let text = `${rule}${"File".padEnd(width - 1)} | % Funcs | % Lines | Uncovered Line #s\n${rule}`;
  text += row("All files", average(files, "functionPart"), average(files, "linePart"), "");
  for (const file of files) {
    const uncovered = file.uncovered();
    text += row(` ${file.path}`, file.functionPart, file.linePart,
      state.hasColors ? `\x1b[31m${uncovered}\x1b[0m` : uncovered);
  }
  return text + rule;
}

function limitsOf(threshold) {
  if (typeof threshold === "number") return { lines: threshold, functions: threshold };
  return { lines: threshold?.lines ?? 0.9, functions: threshold?.functions ?? 0.9 };
}

/**
 * Prints and writes what was asked for; false: a threshold was not reached.
 * @param {object} options @param {unknown[][]} covered what native.covered() gave in each process
 */
exports.finish = function finish(options, covered) {
  const files = filesOf(options, merge(covered));
  const limits = limitsOf(options.coverageThreshold);
  const reporters = options.coverageReporters;
  if (reporters.includes("lcov")) {
    const fs = require("node:fs");
    const path = require("node:path");
    const dir = path.resolve(options.cwd, options.coverageDir);
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, "lcov.info"), files.map((file) => file.lcov()).join(""));
  }
  if (reporters.includes("text")) state.native.write(table(files, limits));
  if (options.coverageThreshold === undefined) return true;
  return files.every((file) =>
    file.linePart >= limits.lines && file.functionPart >= limits.functions);
};
