// internal/test_runner/parallel -- `cob test --parallel`: files run in several processes
// (worker.js), each the next that nobody has begun. What a file prints comes out together when it
// is done.
//
// The first worker starts at once, the others when it has been busy for a moment: a suite of tiny
// files needs one.
const { spawn } = require("node:child_process");
const state = require("internal/test_runner/state");
const report = require("internal/test_runner/report");
const { MARK } = require("internal/test_runner/worker");

const { counts } = state;
const DELAY_MS = 5;
const mark = Buffer.from(MARK);
const none = Buffer.alloc(0);

/** How many bytes at the end of `bytes` a mark may begin with. */
function begunMark(bytes) {
  let n = Math.min(bytes.length, mark.length - 1);
  while (n > 0 && !bytes.subarray(-n).equals(mark.subarray(0, n))) n--;
  return n;
}

/** The flags of this process without those that it has followed already. */
function flagsFor(id) {
  const { args, randomize, seed } = state.options;
  const flags = [];
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--cwd") i++;
    else if (!args[i].startsWith("--cwd=")) flags.push(args[i]);
  }
  if (randomize) flags.push(`--seed=${seed}`);
  flags.push(`--test-worker=${id}${state.hasColors ? ",color" : ""}`);
  return flags;
}

const revive = (error) => error.text === undefined
  ? Object.assign(new Error(error.message), { name: error.name, stack: error.stack })
  : error.text;

/** A case as report.js keeps it. */
function caseOf({ names, name, line, result, ms, note, file }) {
  let parent = { name: "", parent: null };
  for (const outer of names) parent = { name: outer, parent };
  const messages = note.messages?.map(revive);
  return { test: { name, line, parent }, result, ms, file, note: { ...note, messages } };
}

class Worker {
  constructor(run, id) {
    this.run = run;
    this.id = id;
    this.path = undefined; // what it runs
    this.pieces = []; // [descriptor, bytes] that it has printed
    this.held = [none, none, none]; // by descriptor: the begin of a mark, perhaps
    this.waits = 0; // for how many ends
    this.answer = undefined;
    this.line = "";
    const child = spawn(process.execPath, flagsFor(id), {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      argv0: process.argv0,
      env: { ...process.env, JEST_WORKER_ID: `${id}`, BUN_TEST_WORKER_ID: `${id}` },
    });
    this.child = child;
    this.channel = child.stdio[3];
    child.stdout.on("data", (bytes) => this.onOutput(1, bytes));
    child.stderr.on("data", (bytes) => this.onOutput(2, bytes));
    this.channel.setEncoding("utf8");
    this.channel.on("data", (text) => this.onMessage(text));
    this.channel.on("error", () => {}); // it has gone: 'exit' says so
    child.on("error", (error) => this.onExit(error.message));
    child.on("exit", (code, signal) => {
      // What it wrote last is read before the loop comes round twice.
      setImmediate(() => setImmediate(() => this.onExit(signal ?? `exit code ${code}`)));
    });
  }

  begin(path) {
    this.path = path;
    this.waits = 3;
    this.answer = undefined;
    this.channel.write(`${JSON.stringify({ path })}\n`);
  }

  /** The mark may come in pieces, and behind it what processes print that a test has left. */
  onOutput(fd, bytes) {
    const all = this.held[fd].length === 0 ? bytes : Buffer.concat([this.held[fd], bytes]);
    const at = all.indexOf(mark);
    const end = at < 0 ? all.length - begunMark(all) : at;
    this.pieces.push([fd, all.subarray(0, end)]);
    this.held[fd] = at < 0 ? all.subarray(end) : none;
    if (at < 0) return;
    this.pieces.push([fd, all.subarray(at + mark.length)]);
    this.oneEnded();
  }

  /** Prints what has come, each piece once. */
  print() {
    this.pieces.push(...this.held.map((bytes, fd) => [fd, bytes]));
    this.held.fill(none);
    for (const [fd, bytes] of this.pieces) {
      if (bytes.length > 0) (fd === 1 ? process.stdout : process.stderr).write(bytes);
    }
    this.pieces = [];
  }

  onMessage(text) {
    const lines = (this.line + text).split("\n");
    this.line = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.covered !== undefined) this.run.covered.push(message.covered);
      else {
        this.answer = message;
        if (!message.isEnd) this.oneEnded();
      }
    }
  }

  oneEnded() {
    if (--this.waits === 0) this.run.onDone(this);
  }

  onExit(why) {
    this.run.onGone(this, why);
  }
}

class Run {
  constructor(options, files) {
    this.options = options;
    this.queue = files; // the next one stands last
    this.workers = new Set();
    this.covered = [];
    this.times = new Map();
    this.nIds = 0;
    this.nFiles = 0;
    this.finished = Promise.withResolvers();
  }

  start() {
    this.add();
    const { parallelDelay = DELAY_MS } = this.options;
    this.timer = setTimeout(() => {
      while (this.queue.length > 0 && this.workers.size < this.options.workers) this.add();
    }, parallelDelay);
  }

  add() {
    const worker = new Worker(this, ++this.nIds);
    this.workers.add(worker);
    this.next(worker);
  }

  next(worker) {
    worker.path = undefined;
    if (this.queue.length === 0 || report.isBailing()) worker.channel.end();
    else worker.begin(this.queue.pop());
  }

  /** Prints what a file has printed, and counts what came of it. */
  take(worker) {
    const { path, answer } = worker;
    this.nFiles++;
    worker.print();
    if (answer === undefined) return;
    if (answer.ms !== undefined) this.times.set(path, answer.ms);
    for (const [key, value] of Object.entries(answer.counts)) {
      if (Array.isArray(value)) (counts[key] ??= []).push(...value);
      else counts[key] = (counts[key] ?? 0) + value;
    }
    report.cases.push(...answer.cases.map(caseOf));
    for (const [file, error] of answer.errors) report.fileErrors.set(file, revive(error));
  }

  onDone(worker) {
    this.take(worker);
    this.next(worker);
  }

  /** A worker has ended: as it should, or in the middle of a file. */
  onGone(worker, why) {
    if (!this.workers.delete(worker)) return;
    if (worker.path !== undefined) {
      this.take(worker);
      if (worker.answer === undefined) {
        counts.fail++;
        counts.ran++;
        const shown = report.shownPath(worker.path);
        const error = `the process that ran ${shown} has ended (${why})`;
        report.fileErrors.set(worker.path, error);
        report.write(`\nerror: ${error}\n`);
      }
      if (this.queue.length > 0 && !report.isBailing()) this.add();
    } else worker.print(); // of hooks behind all files
    if (this.workers.size > 0) return;
    clearTimeout(this.timer);
    this.finished.resolve();
  }
}

/**
 * Runs the files; a promise of { files: number, covered: counters of each worker, times: Map }.
 * @param {object} options @param {string[]} files in the order in which they shall begin
 */
exports.run = async function run(options, files) {
  const all = new Run(options, [...files].reverse());
  all.start();
  await all.finished.promise;
  return { files: all.nFiles, covered: all.covered, times: all.times };
};
