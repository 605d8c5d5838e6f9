// internal/test_runner/json -- the report as the JSON that Jest and Vitest write.
const state = require("internal/test_runner/state");
const report = require("internal/test_runner/report");

const STATUS = { pass: "passed", fail: "failed", skip: "pending", todo: "todo" };

function messageOf(note) {
  if (note.timeout !== undefined) return `this test timed out after ${note.timeout}ms.`;
  if (note.failing) return "this test is marked as failing but it passed.";
  return undefined;
}

const textOf = (error) =>
  report.unpainted(error instanceof Error ? `${error.stack ?? error.message}` : `${error}`);

function resultOf({ test, result, ms, note }) {
  const ancestorTitles = report.namesOf(test);
  const failureMessages = (note.messages ?? []).map(textOf);
  const message = messageOf(note);
  if (message !== undefined) failureMessages.push(message);
  return {
    ancestorTitles,
    fullName: [...ancestorTitles, test.name].join(" "),
    status: STATUS[result],
    title: test.name,
    duration: Number(ms.toFixed(3)),
    failureMessages: result === "fail" ? failureMessages : [],
    location: test.line === undefined ? null : { line: test.line, column: 1 },
    meta: {},
  };
}

function files() {
  const all = new Map(state.options.files.map((file) => [file, []]));
  for (const entry of report.cases) {
    if (!all.has(entry.file)) all.set(entry.file, []);
    all.get(entry.file).push(resultOf(entry));
  }
  return [...all].map(([name, assertionResults]) => {
    const error = report.fileErrors.get(name);
    const isFailed = error !== undefined ||
      assertionResults.some((test) => test.status === "failed");
    return {
      name,
      status: isFailed ? "failed" : "passed",
      message: error === undefined ? "" : textOf(error),
      assertionResults,
    };
  });
}

/** @returns {string} */
exports.text = function text() {
  const { counts } = state;
  const testResults = files();
  const failed = testResults.filter((file) => file.status === "failed").length;
  return `${JSON.stringify({
    numTotalTestSuites: testResults.length,
    numPassedTestSuites: testResults.length - failed,
    numFailedTestSuites: failed,
    numTotalTests: counts.ran,
    numPassedTests: counts.pass,
    numFailedTests: counts.fail,
    numPendingTests: counts.skip,
    numTodoTests: counts.todo,
    success: failed === 0 && counts.fail === 0 && counts.errors === 0,
    testResults,
  }, null, 2)}\n`;
};
