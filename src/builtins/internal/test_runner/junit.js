// internal/test_runner/junit -- the report in JUnit's XML, as Bun writes it.
const state = require("internal/test_runner/state");
const report = require("internal/test_runner/report");

const ENTITIES = {
  "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\n": "&#10;",
};
// eslint-disable-next-line no-control-regex
const escape = (text) => `${text}`.replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, "")
  .replace(/[&<>"'\n]/g, (c) => ENTITIES[c]);
const seconds = (ms) => `${Number((ms / 1000).toFixed(6))}`;

class Suite {
  constructor(name, file, line) {
    this.name = name;
    this.file = file;
    this.line = line;
    this.children = [];
    this.suites = new Map();
    this.totals = { tests: 0, assertions: 0, failures: 0, skipped: 0, ms: 0 };
  }

  add(entry) {
    const { totals } = this;
    totals.tests++;
    totals.assertions += entry.note.expects ?? 0;
    totals.ms += entry.ms;
    if (entry.result === "fail") totals.failures++;
    if (entry.result === "skip" || entry.result === "todo") totals.skipped++;
  }
}

function attributes({ totals }) {
  return `tests="${totals.tests}" assertions="${totals.assertions}" ` +
    `failures="${totals.failures}" skipped="${totals.skipped}" time="${seconds(totals.ms)}"`;
}

function caseText(entry, file, indent) {
  const { test, result, ms, note } = entry;
  const names = report.namesOf(test).reverse();
  const line = test.line === undefined ? "" : ` line="${test.line}"`;
  const start = `${indent}<testcase name="${escape(test.name)}" ` +
    `classname="${escape(names.join(" > "))}" ` +
    `time="${seconds(ms)}" file="${escape(file)}"${line} assertions="${note.expects ?? 0}"`;
  if (result === "pass") return `${start} />\n`;
  const inner = result === "fail"
    ? `${indent}  ${failureText(note)}\n`
    : `${indent}  <skipped${result === "todo" ? ' message="TODO"' : ""} />\n`;
  return `${start}>\n${inner}${indent}</testcase>\n`;
}

function failureText(note) {
  if (note.timeout !== undefined) return '<failure type="TimeoutError" message="test timed out" />';
  if (note.failing) {
    return '<failure message="test marked with .failing() did not throw" type="AssertionError"/>';
  }
  const error = note.messages?.[0];
  if (error === undefined) return '<failure type="AssertionError" />';
  if (!(error instanceof Error)) return `<failure type="Error" message="${escape(error)}" />`;
  const type = error.name === "Error" ? "AssertionError" : error.name;
  const frames = `${error.stack}`.split("\n").filter((line) => line.startsWith("    at "));
  const stack = frames.map((line) => `      ${line.trim().replace(`${state.options.cwd}/`, "")}\n`);
  return `<failure type="${escape(type)}" message="${escape(error.message)}">` +
    `${escape(`${type}: ${error.message}\n${stack.join("")}`)}</failure>`;
}

function suiteText(suite, indent) {
  const line = suite.line === undefined ? "" : ` line="${suite.line}"`;
  let text = `${indent}<testsuite name="${escape(suite.name)}" file="${escape(suite.file)}"` +
    `${line} ${attributes(suite)} hostname="${escape(require("node:os").hostname())}">\n`;
  for (const child of suite.children) {
    text += child instanceof Suite
      ? suiteText(child, `${indent}  `)
      : caseText(child, suite.file, `${indent}  `);
  }
  return `${text}${indent}</testsuite>\n`;
}

function build() {
  const files = new Map();
  const all = new Suite("", "");
  for (const entry of report.cases) {
    const file = report.shownPath(entry.file ?? "");
    let suite = files.get(file);
    if (suite === undefined) files.set(file, (suite = new Suite(file, file)));
    all.add(entry);
    suite.add(entry);
    for (const name of report.namesOf(entry.test)) {
      let inner = suite.suites.get(name);
      if (inner === undefined) {
        inner = new Suite(name, file);
        suite.suites.set(name, inner);
        suite.children.push(inner);
      }
      suite = inner;
      suite.add(entry);
    }
    suite.children.push(entry);
  }
  return [all, files];
}

/** @returns {string} */
exports.text = function text() {
  const [all, files] = build();
  let xml = '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<testsuites name="bun test" ${attributes(all)}>\n`;
  for (const suite of files.values()) xml += suiteText(suite, "  ");
  return `${xml}</testsuites>\n`;
};
