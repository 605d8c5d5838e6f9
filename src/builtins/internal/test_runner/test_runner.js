// internal/test_runner -- `cob test` (Bun: docs/test): runs test files one after another in this
// process.
//
//   tree.js      describe, test, hooks: what files build when they are loaded
//   execute.js   runs what was built
//   report.js    what is printed;  junit.js: the report in XML
//   title.js     titles of test.each
//   state.js     what they share
//
// Modules are loaded anew for each file (with --no-isolate they stay); globals are shared, as is
// everything that a test does to prototypes, process.env and process-wide listeners.
//
// native: write(text); hasRejections() -> bool; forgetModules() drops what was loaded since
//         keepModules(); elapsedMs(t) since a time of the monotonic clock; setLive(bool): are
//         imports read at every use?; callerPath() -> the file of the innermost caller
const state = require("internal/test_runner/state");
const tree = require("internal/test_runner/tree");
const report = require("internal/test_runner/report");
const execute = require("internal/test_runner/execute");

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

function isCi() {
  const value = process.env.CI;
  if (value === "false" || value === "0") return false;
  return (value !== undefined && value !== "") || process.env.GITHUB_ACTIONS !== undefined;
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
  options.isCi = isCi();
  options.ci ||= options.isCi;
  if (options.namePattern !== undefined) options.pattern = new RegExp(options.namePattern);
  if (options.bail !== undefined) options.bail = options.bail === "" ? 1 : Number(options.bail);
  if (options.timeout !== undefined) state.defaultTimeout = options.timeout;
  options.needsLines = options.reporter === "junit";
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
const MOCKING = /\b(?:mock\.module|(?:jest|vi)\.(?:doM|m)ock|spyOn)\s*\(/;
const TIMING = /\b(?:setSystemTime|useFakeTimers)\b/;

function prepare(path) {
  const text = require("node:fs").readFileSync(path, "latin1");
  if (TIMING.test(text)) require("internal/test_mock/timers").placeDate();
  if (!MOCKING.test(text)) return;
  native.setLive(true);
  require("internal/esm").track ??= new WeakMap();
}

async function load(path) {
  prepare(path);
  const { importFrom } = require("internal/esm");
  await importFrom(`${state.options.cwd}/`, path, undefined, undefined);
  while (tree.pending.length > 0) await tree.pending.shift();
}

/** Undoes what a file has changed that the runner knows of. */
async function cleanUp() {
  const mock = state.mock;
  if (mock !== undefined) mock.afterFile();
  if (state.snapshots !== undefined) await state.snapshots.endFile();
  if (state.options.shareModules) return;
  if (!state.keepLive) native.setLive(false);
  native.forgetModules();
  require("internal/cjs").forget(state.keptModules);
}

async function runFile(path) {
  state.file = path;
  report.beginFile(shownName(path));
  const { defaultTimeout } = state;
  const scope = tree.begin("", tree.root);
  try {
    await load(path);
    tree.end();
    if (execute.hasRejections()) await new Promise((resolve) => state.setImmediate(resolve));
    await execute.runFile(scope);
  } catch (error) {
    tree.end();
    report.betweenTests(error);
  }
  state.defaultTimeout = defaultTimeout;
  await cleanUp();
  state.file = undefined;
}

async function preload() {
  const { cwd } = state.options;
  for (const request of state.options.preload) {
    const isPath = /^[./]/.test(request);
    const { importFrom } = require("internal/esm");
    const path = require("node:path").resolve(cwd, request);
    const isFile = isPath || require("node:fs").existsSync(path);
    await importFrom(`${cwd}/`, isFile ? path : request, undefined, undefined);
  }
  tree.end();
  native.keepModules();
  state.keptModules = require("internal/cjs").keep();
}

function exitCode() {
  const { counts, options } = state;
  if (counts.fail > 0 || counts.errors > 0) return 1;
  if (counts.ran === 0 && !options.passWithNoTests) return 1;
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

async function runAll(options) {
  const started = state.now() - Math.max(0, native.elapsedMs(options.startedMs));
  let files = 0;
  await preload();
  for (let n = 0; n < (options.rerunEach ?? 1); n++) {
    if (options.randomize) execute.shuffle(options.files);
    for (const path of options.files) {
      if (report.isBailing()) break;
      if (n === 0) files++;
      await runFile(path);
    }
  }
  await execute.runScopeHooks(tree.root, "afterAll");
  noteNoMatch(files);
  if (options.randomize) report.write(`\n --seed=${options.seed}`);
  report.summary(files, started);
  if (options.reporter === "junit") require("internal/test_runner/junit").write();
}

/** A test has called process.exit(). */
function noteExit() {
  const { running } = state;
  if (running !== undefined) {
    report.result(running.test, "fail", 0, {});
    report.note("  ^ this test called process.exit()");
  } else report.note("error: process.exit() was called between tests");
}

/** Called by C with the options as JSON. */
exports.run = function run(text) {
  const options = readOptions(text);
  state.hasColors = require("web/console").hasColors(2);
  report.setWriter(native.write);
  execute.hasRejections = native.hasRejections;
  state.setLive = native.setLive;
  state.drain = native.drain;
  state.callerPath = native.callerPath;
  require("internal/report").setTaker(execute.takeError);
  defineGlobals();
  let isOver = false;
  // The loop ends when nothing keeps it alive: a test that waits for nothing is over then.
  const keep = setInterval(() => {}, 2 ** 31 - 1);
  const exit = process.reallyExit ?? process.exit;
  process.once("exit", () => {
    if (isOver) return;
    noteExit();
    process.exitCode ||= 1; // tests that did not run have not passed
  });
  runAll(options).then(
    () => {
      isOver = true;
      clearInterval(keep);
      process.exit(exitCode());
    },
    (error) => {
      isOver = true;
      report.betweenTests(error);
      exit.call(process, 1);
    },
  );
};
