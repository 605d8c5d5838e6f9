// internal/test_runner/place -- where in the test file something was called.
const state = require("internal/test_runner/state");

/** The line in the file that is being loaded; undefined when the call came from another. */
exports.lineOfCaller = function lineOfCaller() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 12;
  const { stack } = new Error();
  Error.stackTraceLimit = limit;
  for (const line of stack.split("\n")) {
    const found = /(?:\(|at )(?:file:\/\/)?(\/.*):(\d+):\d+\)?$/.exec(line);
    if (found !== null && found[1] === state.file) return Number(found[2]);
  }
  return undefined;
};
