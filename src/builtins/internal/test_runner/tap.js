// internal/test_runner/tap -- the report as TAP 13 (testanything.org): one line for each test.
const state = require("internal/test_runner/state");
const report = require("internal/test_runner/report");

const escape = (text) => text.replace(/[\\#]/g, "\\$&").replace(/\s*\n\s*/g, " ");
const indented = (text) => text.split("\n").map((line) => `    ${line}\n`).join("");

function diagnostics({ note, ms }) {
  let text = `  ---\n  duration_ms: ${Number(ms.toFixed(3))}\n`;
  if (note.timeout !== undefined) text += `  timeout_ms: ${note.timeout}\n`;
  const error = note.messages?.[0];
  if (error !== undefined) {
    const stack = error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;
    text += `  message: |-\n${indented(report.unpainted(stack))}`;
  }
  return `${text}  ...\n`;
}

function line(entry, n) {
  const { test, result } = entry;
  const names = [report.shownPath(entry.file), ...report.namesOf(test), test.name];
  const mark = result === "fail" ? "not ok" : "ok";
  const directive = { skip: " # SKIP", todo: " # TODO" }[result] ?? "";
  const rest = result === "fail" ? diagnostics(entry) : "";
  return `${mark} ${n} - ${escape(names.join(" > "))}${directive}\n${rest}`;
}

/** A file that could not be loaded is a test that has failed. */
const ofFile = ([file, error]) =>
  ({ test: { name: "(loading)", parent: null }, result: "fail", ms: 0, file,
    note: { messages: [error] } });

/** @returns {string} */
exports.text = function text() {
  const cases = [...report.cases, ...[...report.fileErrors].map(ofFile)];
  const { counts } = state;
  let out = "TAP version 13\n";
  for (let i = 0; i < cases.length; i++) out += line(cases[i], i + 1);
  out += `1..${cases.length}\n# tests ${cases.length}\n# pass ${counts.pass}\n`;
  out += `# fail ${counts.fail}\n# skip ${counts.skip}\n# todo ${counts.todo}\n`;
  const errors = counts.errors - report.fileErrors.size;
  return errors > 0 ? `${out}Bail out! errors between tests: ${errors}\n` : out;
};
