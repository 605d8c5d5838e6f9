// internal/node_test/output -- what node:test prints: the form of Node's reporter "spec"; or, in a
// process that run() has started, messages to that.
const { inspect } = require("internal/inspect");

const MARKS = { pass: "\u2714", fail: "\u2716", skip: "\ufe63", suite: "\u25b6", info: "\u2139" };
const COLORS = { pass: 32, fail: 31, skip: 90, info: 34 };

const counts = {
  tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0,
};
const failures = [];
let startedAt = 0;
let isBegun = false;
const isChild = () =>
  process.env.NODE_TEST_CONTEXT !== undefined && typeof process.send === "function";

function write(text) {
  process.stdout.write(`${text}\n`);
}

function paint(kind, text) {
  return process.stdout.isTTY ? `\x1b[${COLORS[kind]}m${text}\x1b[39m` : text;
}

exports.begin = function begin(root) {
  if (isBegun) return;
  isBegun = true;
  startedAt = performance.now();
  process.on("exit", (code) => {
    if (!isChild()) summary();
    if (root.failedBelow > 0 && !code) process.exitCode = 1;
  });
};

// ---- Events

function errorOf(error) {
  return error === null
    ? undefined
    : {
        name: error.name, message: error.message, code: error.code, stack: error.stack,
        failureType: error.failureType,
      };
}

/** What run() passes on. */
function eventOf(test) {
  const data = {
    name: test.name,
    nesting: test.nesting,
    testNumber: test.id,
    file: test.filePath,
    details: {
      duration_ms: test.duration,
      type: test.isSuite ? "suite" : "test",
      error: errorOf(test.error),
    },
  };
  if (test.isSkipped) data.skip = test.message ?? true;
  else if (test.isTodo) data.todo = test.message ?? true;
  if (test.expectedError !== undefined) data.expectFailure = true;
  return data;
}

exports.report = function report(type, test) {
  if (isChild()) {
    process.send({ type: `test:${type}`, data: eventOf(test) });
    return;
  }
  if (type === "start") {
    announce(test.parent);
    return;
  }
  count(type, test);
  if (type === "fail") failures.push(test);
  announce(test.parent);
  result(type, test);
};

function count(type, test) {
  if (test.isSuite) {
    counts.suites++;
    return;
  }
  counts.tests++;
  if (test.isSkipped) counts.skipped++;
  else if (test.isTodo) counts.todo++;
  else if (test.error?.failureType === "testAborted") counts.cancelled++;
  else counts[type]++;
}

/** The line of a suite, or of a test with others in it, before the first of those. */
function announce(test) {
  if (test === null || test.parent === null || test.isAnnounced) return;
  announce(test.parent);
  test.isAnnounced = true;
  write(`${"  ".repeat(test.nesting)}${MARKS.suite} ${test.name}`);
}

function result(type, test) {
  const kind = test.isSkipped ? "skip" : type;
  const why = test.message === undefined || test.message === true ? "" : ` ${test.message}`;
  const note = test.isSkipped ? ` # SKIP${why}` : test.isTodo ? ` # TODO${why}` : "";
  const line = `${MARKS[kind]} ${test.name} (${Math.round(test.duration * 1e6) / 1e6}ms)${note}`;
  write("  ".repeat(test.nesting) + paint(kind, line));
}

exports.diagnostic = function diagnostic(test, message) {
  if (isChild()) {
    process.send({
      type: "test:diagnostic", data: { nesting: test.nesting, message, file: test.filePath },
    });
    return;
  }
  write(`${"  ".repeat(test.nesting + 1)}${paint("info", `${MARKS.info} ${message}`)}`);
};

// ---- The end

function summary() {
  for (const name of Object.keys(counts)) {
    write(paint("info", `${MARKS.info} ${name} ${counts[name]}`));
  }
  const duration = performance.now() - startedAt;
  write(paint("info", `${MARKS.info} duration_ms ${Math.round(duration * 1e6) / 1e6}`));
  const shown = failures.filter((test) => test.error?.failureType !== "subtestsFailed");
  if (shown.length === 0) return;
  write(`\n${paint("fail", `${MARKS.fail} failing tests:`)}`);
  for (const test of shown) {
    write(`\ntest at ${require("node:path").relative(process.cwd(), `${test.filePath}`)}`);
    write(paint("fail", `${MARKS.fail} ${test.name} (${test.duration}ms)`));
    const { error } = test;
    const text = inspect(error.cause ?? error).replace(/^/gm, "  ");
    write(text);
  }
}
