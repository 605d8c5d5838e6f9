// internal/test_runner -- `cob test` (Bun: docs/test): runs test files one after another in this
// process.
//
//   tree.js      describe, test, hooks: what files build when they are loaded
//   execute.js   runs what was built
//   report.js    what is printed;  junit.js: the report in XML
//   title.js     titles of test.each
//   changed.js   files that a change concerns
//   parallel.js  the same in several processes, each a worker.js;  timings.js: how long files take
//   state.js     what they share
//
// Modules are loaded anew for each file and the globals it made are gone (with --no-isolate both
// stay); what a test does to prototypes, process.env and process-wide listeners is shared.
//
// native: begin(onDeadline, onLater, onExit, interrupted); end(code) of the process; write(text),
//         line(ms, ...texts): held back for a moment; now() ms; deadline(ms), later(): see state.js
//         and lane.js; call(ms, fn, ...args), begun(),
//         killChildren(): see execute.js and lane.js; drain() microtasks; settle(bool):
//         drains first if so; are there unhandled rejections?; look(path) -> bits; load(path) ->
//         undefined | promise | null; forgetModules(isOver) drops what came
//         since keepModules();
//         setLive(bool): are imports read at every use?; loaded(id) -> exports of a built-in that
//         somebody has loaded; callerPath() -> the file of the innermost caller; hasColors();
//         covered() -> see coverage.js
const state = require("internal/test_runner/state");
const tree = require("internal/test_runner/tree");
const report = require("internal/test_runner/report");
const execute = require("internal/test_runner/execute");
const lanes = require("internal/test_runner/lane");

const globals = [
  "test", "it", "describe", "expect", "beforeAll", "beforeEach", "afterEach", "afterAll", "jest",
  "vi", "xtest", "xit", "xdescribe", "onTestFinished", "setDefaultTimeout", "expectTypeOf",
];

/** Names that test files use without importing them. */
function defineGlobals() {
  for (const name of globals) {
    Object.defineProperty(globalThis, name, {
      get: () => require("bun:test")[name],
      set(value) {
        Object.defineProperty(globalThis, name, {
          value, writable: true, enumerable: true, configurable: true,
        });
      },
      enumerable: false,
      configurable: true,
    });
  }
}

/** Mulberry32: small, and good enough for an order. */
function randomFrom(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function readOptions(text) {
  const options = JSON.parse(text);
  options.ci ||= options.isCi;
  if (options.namePattern !== undefined) options.pattern = new RegExp(options.namePattern);
  if (options.bail !== undefined) options.bail = options.bail === "" ? 1 : Number(options.bail);
  if (options.workerId !== undefined) options.bail = undefined;
  if (options.timeout !== undefined) state.defaultTimeout = options.timeout;
  options.needsLines = options.reporter === "junit" || options.reporter === "json";
  if (options.randomize) {
    options.seed ??= Math.floor(Math.random() * 2 ** 32);
    options.random = randomFrom(options.seed);
  }
  state.options = options;
  return options;
}

/** What the file is called in the report. */
function shownName(path) {
  const { cwd } = state.options;
  if (path.startsWith(`${cwd}/`)) return path.slice(cwd.length + 1);
  return require("node:path").relative(cwd, path);
}

// Where modules may be replaced, importers read every import anew instead of once; where time may
// stand still, Date is ours from the beginning, so that it is one and the same.
const SAYS_MOCK = 1;
const SAYS_TIME = 2;

/** A promise while the file awaits. */
function load(path) {
  const says = native.look(path);
  if ((says & SAYS_TIME) !== 0) require("internal/test_mock/timers").placeDate();
  if ((says & SAYS_MOCK) !== 0) {
    native.setLive(true);
    require("internal/esm").track ??= new WeakMap();
  }
  const loading = native.load(path);
  if (loading !== null) return loading;
  return require("internal/esm").importFrom(path, path, undefined, undefined);
}

function* collect(lane, path, scope) {
  const loading = load(path);
  if (loading !== undefined) {
    lane.limit(undefined, 0);
    yield loading;
  }
  yield lane.enter(tree.collect(lane, scope));
  const { pendingMocks } = state;
  state.pendingMocks = undefined;
  if (pendingMocks !== undefined) yield Promise.all(pendingMocks);
}

/** Takes away the globals that a file has made. */
function dropGlobals() {
  for (const name of Object.keys(globalThis)) {
    if (!state.keptGlobals.has(name)) Reflect.deleteProperty(globalThis, name);
  }
}

/** Undoes what a file has changed that the runner knows of. */
function cleanUp() {
  const mock = state.mock;
  if (mock !== undefined) mock.afterFile();
  if (state.snapshots !== undefined) state.snapshots.endFile();
  else if (state.options.updateSnapshots) require("internal/test_snapshot").endUnusedFile();
  if (state.serializers !== undefined) {
    require("internal/test_snapshot/format").dropSerializers(state.serializers.kept ?? 0);
  }
  native.loaded("internal/test_expect/equal")?.dropTesters();
  if (state.options.shareModules) return;
  dropGlobals();
  if (!state.keepLive) native.setLive(false);
  native.forgetModules(true);
  native.loaded("internal/cjs")?.forget(state.keptModules);
}

function* runFile(lane, path) {
  state.file = path;
  state.unfinished = undefined;
  state.filteredInFile = false;
  report.beginFile(shownName(path));
  const { defaultTimeout } = state;
  const scope = tree.begin("", tree.root);
  try {
    yield lane.enter(collect(lane, path, scope));
    tree.end();
    if (execute.hasRejections()) yield state.nextTurn();
    yield lane.enter(execute.runFile(lane, scope));
  } catch (error) {
    tree.end();
    state.failedFile = path;
    report.failedToLoad(error);
  }
  state.defaultTimeout = defaultTimeout;
  report.endFile();
  cleanUp();
  state.file = undefined;
}

function* preload(lane) {
  const { cwd } = state.options;
  for (const request of state.options.preload) {
    const isPath = /^[./]/.test(request);
    const { importFrom } = require("internal/esm");
    const path = require("node:path").resolve(cwd, request);
    const isFile = isPath || require("node:fs").existsSync(path);
    lane.limit(undefined, 0);
    yield importFrom(`${cwd}/`, isFile ? path : request, undefined, undefined);
  }
  tree.end();
  native.keepModules();
  state.keptGlobals = new Set(Object.getOwnPropertyNames(globalThis));
  state.keptModules = native.loaded("internal/cjs")?.keep() ?? new Set();
}

function exitCode() {
  const { counts, options } = state;
  if (counts.fail > 0 || counts.errors > 0 || state.isBelowThreshold) return 1;
  // As in Bun, files without tests are fine; names that match nothing are a mistake.
  const isMistake = options.pattern !== undefined && !options.passWithNoTests;
  if (counts.ran === 0 && isMistake) return 1;
  return 0;
}

function noteNoMatch(files) {
  const { namePattern } = state.options;
  if (namePattern === undefined || state.counts.ran > 0) return;
  const skipped = state.counts.filtered ?? 0;
  report.write(
    `\nerror: regex ${JSON.stringify(namePattern)} matched 0 tests. ` +
      `Searched ${files} file${files === 1 ? "" : "s"} (skipping ${skipped} tests)\n`,
  );
}

const reporters = {
  __proto__: null,
  junit: () => require("internal/test_runner/junit").text(),
  tap: () => require("internal/test_runner/tap").text(),
  json: () => require("internal/test_runner/json").text(),
};

/** The report that --reporter names, to --reporter-outfile or standard output. */
function writeReport({ reporter, outfile }) {
  if (reporter === undefined || reporter === "dots") return;
  const text = reporters[reporter]();
  if (outfile === undefined) process.stdout.write(text);
  else require("node:fs").writeFileSync(outfile, text);
}

const timings = () => require("internal/test_runner/timings");

/** Files one after another; fills `result`. */
function* runSerial(lane, options, result) {
  yield lane.enter(preload(lane));
  for (let n = 0; n < (options.rerunEach ?? 1); n++) {
    if (options.randomize) execute.shuffle(options.files);
    for (const path of options.files) {
      if (report.isBailing()) break;
      if (n === 0) result.files++;
      const started = native.now();
      yield lane.enter(runFile(lane, path));
      result.times.set(path, native.now() - started);
    }
  }
  yield lane.enter(execute.runScopeHooks(lane, tree.root, "afterAll"));
}

function runParallel(options, times) {
  let { files } = options;
  if (options.randomize) execute.shuffle(files);
  else if (times.size > 0) files = timings().slowestFirst(files, times);
  return require("internal/test_runner/parallel").run(options, files);
}

/** In a process of --parallel. */
function* runWorker(lane) {
  yield lane.enter(preload(lane));
  yield lane.enter(worker().runAll(lane, runFile));
  yield lane.enter(execute.runScopeHooks(lane, tree.root, "afterAll"));
}

const worker = () => require("internal/test_runner/worker");

function* runAll(lane, options) {
  const times = options.timings.length > 0 ? timings().read(options.timings) : new Map();
  if (options.shardOf !== undefined) {
    const [i, n] = options.shardOf;
    options.files = timings().shard(options.files, times, i, n);
  }
  if (options.changed !== undefined) {
    const files = require("internal/test_runner/changed").select(options);
    if (files === undefined) {
      state.counts.errors++;
      return;
    }
    options.files = files;
    options.passWithNoTests = true;
  }
  if (options.touched !== undefined) {
    const { affected } = require("internal/test_runner/changed");
    const first = new Set(affected(options.files, options.touched.trimEnd().split("\n")));
    options.files = [...first, ...options.files.filter((file) => !first.has(file))];
  }
  const result = { files: 0, times: new Map(), covered: undefined };
  if (options.workers > 1 && options.files.length > 1) {
    yield runParallel(options, times).then((found) => Object.assign(result, found));
  } else yield lane.enter(runSerial(lane, options, result));
  const { files } = result;
  noteNoMatch(files);
  if (options.updateTimings) {
    timings().write(options.timings[0], times, result.times, options.shardOf !== undefined);
  }
  if (options.randomize) report.write(`\n --seed=${options.seed}`);
  const coverage = options.coverage ? require("internal/test_runner/coverage") : undefined;
  if (coverage?.finish(options, result.covered ?? [native.covered()]) === false) {
    state.isBelowThreshold = true;
  }
  report.summary(files, options.startedMs);
  writeReport(options);
}

/** A test has called process.exit(). */
function noteExit() {
  const { running } = state;
  if (running !== undefined) {
    report.result(running.test, "fail", 0, {});
    report.note("  ^ this test called process.exit()");
  } else report.note("error: process.exit() was called between tests");
  if (state.options.workerId !== undefined) worker().onExit();
}

/** Called by C with the options as JSON. */
exports.run = function run(text) {
  const options = readOptions(text);
  state.native = native;
  native.begin(lanes.onDeadline, state.onLater, noteExit, state.kInterrupted);
  report.begin();
  require("internal/report").setTaker(execute.takeError);
  defineGlobals();
  const lane = new lanes.Lane(() => native.end(exitCode()));
  lane.enter(options.workerId === undefined ? runAll(lane, options) : runWorker(lane));
  lanes.start(lane);
};
