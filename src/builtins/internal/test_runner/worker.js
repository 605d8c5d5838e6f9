// internal/test_runner/worker -- a process of `cob test --parallel`: runs the files that
// parallel.js names, one at a time.
//
// Descriptor 3 is a socket to it. A line of it is {"path"}; each is answered with a line of JSON
// (counts, cases, time) when the file is done, after MARK was written to both outputs. The socket
// is read without the loop: between files nothing of the last one runs.
const fs = require("node:fs");
const state = require("internal/test_runner/state");
const report = require("internal/test_runner/report");
const { counts } = state;

/** Ends the output of a file. */
exports.MARK = "\x1e\x1ecob\x1e\n";
const CHANNEL = 3;
let held = "";
let before; // counts at the beginning of the file that runs

/** A line, undefined at the end. */
function readLine() {
  const chunk = Buffer.alloc(4096);
  while (!held.includes("\n")) {
    const n = fs.readSync(CHANNEL, chunk);
    if (n === 0) return undefined;
    held += chunk.toString("utf8", 0, n);
  }
  const end = held.indexOf("\n");
  const line = held.slice(0, end);
  held = held.slice(end + 1);
  return line;
}

function send(message) {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(CHANNEL, bytes, at);
}

const plainError = (error) => error instanceof Error
  ? { name: `${error.name}`, message: `${error.message}`, stack: `${error.stack}` }
  : { text: `${error}` };

function plainCase({ test, result, ms, note, file }) {
  const { messages, ...rest } = note;
  return {
    names: report.namesOf(test), name: test.name, line: test.line, result, ms, file,
    note: { ...rest, messages: messages?.map(plainError) },
  };
}

/** What has been counted since the file began. */
function difference() {
  const delta = {};
  for (const key of Object.keys(counts)) {
    const value = counts[key];
    delta[key] = Array.isArray(value)
      ? value.slice(before[key]?.length ?? 0)
      : value - (before[key] ?? 0);
  }
  return delta;
}

function result() {
  const cases = report.cases.splice(0).map(plainCase);
  const errors = [...report.fileErrors].map(([file, error]) => [file, plainError(error)]);
  report.fileErrors.clear();
  return { counts: difference(), cases, errors };
}

const keep = () => Object.fromEntries(
  Object.entries(counts).map(([key, value]) => [key, Array.isArray(value) ? [...value] : value]),
);

/** A test ends the process: what there is goes out. */
exports.onExit = function onExit() {
  if (before !== undefined) send({ ...result(), isEnd: true });
};

/** @param {object} lane @param {(lane: object, path: string) => Iterator} runFile */
exports.runAll = function* runAll(lane, runFile) {
  for (let line = readLine(); line !== undefined; line = readLine()) {
    const { path } = JSON.parse(line);
    before = keep();
    const started = state.native.now();
    for (let n = 0; n < (state.options.rerunEach ?? 1); n++) yield lane.enter(runFile(lane, path));
    fs.writeSync(1, exports.MARK);
    fs.writeSync(2, exports.MARK);
    send({ ...result(), ms: state.native.now() - started });
    before = undefined;
  }
  if (state.options.coverage) send({ covered: state.native.covered() });
};
