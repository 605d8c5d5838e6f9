// internal/test_runner/report -- what is printed while tests run, all on standard error.
const state = require("internal/test_runner/state");
const { counts } = state;

const colors = () => state.hasColors;
let isPlain = false; // each test that passes is one line without colours, and no more
const PAINT = {
  __proto__: null, r: "\x1b[0m", b: "\x1b[1m", d: "\x1b[2m", red: "\x1b[31m", green: "\x1b[32m",
  yellow: "\x1b[33m", magenta: "\x1b[35m",
};
const PLAIN = Object.fromEntries(Object.keys(PAINT).map((key) => [key, ""]));
const paint = () => (colors() ? PAINT : PLAIN);

const write = (text) => state.native.write(text);
exports.write = write;

/** Before the first file, when the options are known. */
exports.begin = () => {
  const { dots, onlyFailures, reporter } = state.options;
  state.hasColors = state.options.workerColors ?? state.native.hasColors();
  hasCases = reporter !== undefined && reporter !== "dots";
  isPlain = !state.hasColors && !dots && !onlyFailures && !hasCases;
};

let isHeadPrinted = true;
let isGroupOpen = false; // of lines, in GitHub's log
let dots = ""; // how many there are in this line
let hasCases = false;
const cases = []; // for the reports that are written at the end
exports.cases = cases;
exports.fileErrors = new Map(); // why a file could not be loaded

exports.shownPath = (file) => {
  const { cwd } = state.options;
  return file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file;
};
// eslint-disable-next-line no-control-regex
exports.unpainted = (text) => text.replace(/\x1b\[[0-9;]*m/g, "");

exports.beginFile = (shown) => {
  isHeadPrinted = false;
  state.shownFile = shown;
  if (!state.options.dots && !state.options.onlyFailures) printHead();
};

function printHead() {
  if (isHeadPrinted) return;
  isHeadPrinted = true;
  const { r } = paint();
  const group = state.options.isGithub ? "::group::" : "";
  write(`${r}\n${group}${state.shownFile}:\n`);
  isGroupOpen = state.options.isGithub;
}

/** After the last test of a file. */
exports.endFile = () => {
  if (!isGroupOpen) return;
  isGroupOpen = false;
  endDots();
  write("\n::endgroup::\n");
};

function endDots() {
  if (dots === "") return;
  dots = "";
  write("\n");
}

// ---- Errors ----

const isOurs = /^\s+at (?:.* \()?(?:internal\/test_|bun:test)/;

/** Frames of the runner say nothing about the program. */
function hideFrames(error) {
  if (typeof error !== "object" || error === null) return;
  const own = Object.getOwnPropertyDescriptor(error, "stack");
  if (own === undefined || typeof own.value !== "string" || !own.writable) return;
  if (!own.value.includes("internal/test_") && !own.value.includes("bun:test")) return;
  const lines = own.value.split("\n");
  error.stack = lines.filter((line) => !isOurs.test(line)).join("\n");
  if (error.cause instanceof Error) hideFrames(error.cause);
}

function textOf(error) {
  hideFrames(error);
  const painted = colors() ? state.paintedMessages?.get(error) : undefined;
  const { message } = error ?? {};
  try {
    if (painted !== undefined) error.message = painted;
    return parseText(require("internal/report/print").textOf(error));
  } catch {
    return "error: an error was thrown that cannot be shown\n";
  } finally {
    if (painted !== undefined) error.message = message;
  }
}

/** What could not be parsed is shown without a class and a function. */
const parseText = (text) => text.includes("<parse>")
  ? text.replace("SyntaxError", "error").replace(/  at <parse> \(([^)]*)\)/, "at $1")
  : text;

exports.error = function error(value) {
  endDots();
  printHead();
  const text = textOf(value);
  write(text.endsWith("\n") ? text : `${text}\n`);
  if (state.options.isGithub) {
    const { annotation } = require("internal/test_runner/github");
    write(`\n${annotation(value, text, state.options.cwd)}`);
  }
};

exports.note = function note(text) {
  endDots();
  printHead();
  write(`${text}\n`);
};

/** An error that belongs to no test. */
exports.betweenTests = function betweenTests(value) {
  endDots();
  printHead();
  const { r, red, d } = paint();
  counts.errors++;
  write(`${r}\n${r}${red}# Unhandled error between tests${r}\n`.replace(/^\x1b\[0m/, ""));
  write(`${d}-------------------------------${r}\n`);
  exports.error(value);
  write(`${d}-------------------------------${r}\n\n`);
};

/** A file that could not be loaded counts as a test that has failed. */
exports.failedToLoad = function failedToLoad(error) {
  counts.fail++;
  counts.ran++;
  exports.fileErrors.set(state.file, error);
  exports.betweenTests(error);
};

// ---- Results ----

function namesOf(test) {
  const names = [];
  for (let s = test.parent; s?.parent != null; s = s.parent) {
    if (s.name !== "") names.unshift(s.name);
  }
  return names;
}
exports.namesOf = namesOf;

/** "outer > inner > ": what stands before the names of a scope's tests. */
function prefixOf(scope) {
  if (scope.prefix === undefined) {
    const outer = scope.parent == null ? "" : prefixOf(scope.parent);
    scope.prefix = scope.parent == null || scope.name === "" ? outer : `${outer}${scope.name} > `;
  }
  return scope.prefix;
}

const marks = {
  pass: ["(pass)", "\x1b[0m\x1b[32m\u2713\x1b[0m"],
  fail: ["(fail)", "\x1b[0m\x1b[31m\u2717\x1b[0m"],
  skip: ["(skip)", "\x1b[0m\x1b[33m\u00bb\x1b[2m"],
  todo: ["(todo)", "\x1b[0m\x1b[35m\u270e\x1b[0m"],
};

function plainLine(test, result) {
  const name = test.name === "" ? "(unnamed)" : test.name;
  return `${marks[result][0]} ${prefixOf(test.parent)}${name}`;
}

function paintedLine(test, result) {
  const { r, b, d } = PAINT;
  const names = namesOf(test);
  const isDim = result === "skip" || result === "todo";
  let line = marks[result][1];
  for (let i = 0; i < names.length; i++) {
    line += `${i === 0 ? " " : " "}${r}${isDim ? d : ""}${names[i]}${d} >`;
  }
  const name = test.name === "" ? "(unnamed)" : test.name;
  return `${line}${r}${isDim ? d : b} ${name}${r}`;
}

function duration(ms) {
  if (ms < 0.005) return "";
  const text = ms >= 1500 ? `${(ms / 1000).toFixed(2)}s` : `${ms.toFixed(2)}ms`;
  const { r, d, b } = paint();
  return ` ${r}${d}[${ms >= 10 ? b : ""}${text}${r}${d}]${r}`;
}

function noteText(note) {
  const { r, red, d } = paint();
  const line = (text, more = "") => `\n  ${d}^${r} ${red}${text}${r}${more}`;
  if (note.timeout !== undefined) return line(`this test timed out after ${note.timeout}ms.`);
  if (note.failing) {
    const more = "Remove `.failing` if tested behavior now works";
    return line("this test is marked as failing but it passed.", ` ${d}${more}${r}`);
  }
  if (note.todo) {
    const more = "Remove `.todo` if tested behavior now works";
    return line("this test is marked as todo but passes.", ` ${d}${more}${r}`);
  }
  return "";
}

/** A test that has passed: the usual case, in one call. */
exports.passed = function passed(test, ms, attempts, expects) {
  if (!isPlain) {
    exports.result(test, "pass", ms, { attempts, expects });
    return;
  }
  counts.pass++;
  counts.ran++;
  if (!isHeadPrinted) printHead();
  const name = test.name === "" ? "(unnamed)" : test.name;
  const tries = attempts > 1 ? ` (attempt ${attempts})` : "";
  state.native.line(ms, "(pass) ", prefixOf(test.parent), name, tries);
};

/**
 * @param {object} test @param {"pass"|"fail"|"skip"|"todo"} result @param {number} ms
 * @param {object} note timeout, failing, todo, attempts, messages, expects
 */
exports.result = function result(test, result, ms, note) {
  counts[result]++;
  counts.ran++;
  if (result !== "pass") (state.unfinished ??= []).push(test);
  if (hasCases) cases.push({ test, result, ms, note, file: state.file });
  if (state.options.dots && result !== "fail") {
    if (dots.length >= 80) endDots();
    dots += ".";
    write(".");
    return;
  }
  if (state.options.onlyFailures && result !== "fail") return;
  endDots();
  printHead();
  const line = colors() ? paintedLine(test, result) : plainLine(test, result);
  const attempts = note.attempts > 1 ? ` (attempt ${note.attempts})` : "";
  if (note.timeout !== undefined && state.options.isGithub) {
    write(require("internal/test_runner/github").timeout(test.name, note.timeout));
  }
  const text = `${line}${attempts}${duration(ms)}${noteText(note)}\n`;
  write(text);
};

exports.isBailing = () => state.options.bail !== undefined && counts.fail >= state.options.bail;

// ---- The end ----

const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

function snapshotLine() {
  const { snapshots = 0, snapshotsFailed = 0, snapshotsAdded = 0 } = counts;
  if (snapshotsFailed + snapshotsAdded === 0) return "";
  if (snapshots + snapshotsFailed === 0) return `snapshots: +${snapshotsAdded} added`;
  const parts = [];
  if (snapshots > 0) parts.push(`${snapshots} passed`);
  if (snapshotsFailed > 0) parts.push(`${snapshotsFailed} failed`);
  if (snapshotsAdded > 0) parts.push(`${snapshotsAdded} added`);
  return `snapshots: ${parts.join(", ")}`;
}

function ending(files, started) {
  const ms = Math.round(state.native.now() - started);
  const time = ms >= 1500 ? `${(ms / 1000).toFixed(2)}s` : `${ms.toFixed(2)}ms`;
  const { r, d, b } = paint();
  return `Ran ${plural(counts.ran, "test")} across ${plural(files, "file")}. ` +
    `${r}${d}[${b}${time}${r}${d}]${r}\n`;
}

/** Snapshots that no test has asked for. */
function obsoleteLines() {
  const { obsolete = [], snapshotsRemoved = 0 } = counts;
  const { r, d, yellow } = paint();
  if (snapshotsRemoved > 0) write(` ${plural(snapshotsRemoved, "obsolete snapshot")} removed\n`);
  if (obsolete.length === 0) return;
  write(` ${r}${yellow}${plural(obsolete.length, "obsolete snapshot")}${r}` +
    ` ${d}(remove with -u)${r}\n`);
  for (const [file, name] of obsolete.slice(0, 20)) {
    write(`   ${d}${exports.shownPath(file)}:${r} ${name}\n`);
  }
}

/** The lines below all tests. */
exports.summary = function summary(files, started) {
  endDots();
  const { r, d, red, green, yellow, magenta } = paint();
  if (exports.isBailing()) {
    write(ending(files, started));
    write(`Bailed out after ${plural(counts.fail, "failure")}\n`);
    return;
  }
  const { pass, skip, todo, fail, errors, expects } = counts;
  write(`\n${r}${pass > 0 ? green : d} ${pass} pass${r}\n`);
  if (skip > 0) write(` ${r}${yellow}${skip} skip${r}\n`);
  if (todo > 0) write(` ${r}${magenta}${todo} todo${r}\n`);
  write(`${r}${fail > 0 ? red : d} ${fail} fail${r}\n`);
  if (errors > 0) write(` ${r}${red}${plural(errors, "error")}${r}\n`);
  obsoleteLines();
  const snapshots = snapshotLine();
  if (snapshots !== "") write(`${snapshots}\n`);
  if (counts.snapshots > 0 && snapshots === "") {
    write(` ${plural(counts.snapshots, "snapshot")}, ${expects} expect() calls\n`);
  } else if (expects > 0) write(` ${expects} expect() calls\n`);
  write(ending(files, started));
};
