// internal/node_test/bridge -- node:test under `cob test`: tests and suites of the root become that
// runner's, so that its output, filters and counts hold for them.
const state = require("internal/test_runner/state");

const HOOKS = {
  before: "beforeAll", after: "afterAll", beforeEach: "beforeEach", afterEach: "afterEach",
};

/** Is `cob test` running, and are we not inside one of its tests? */
exports.isUsed = () =>
  state.native !== undefined && require("internal/node_test").running() === undefined;

function flagged(fn, options) {
  if (options.skip) return fn.skip;
  if (options.todo) return fn.todo;
  if (options.only) return fn.only;
  return fn;
}

exports.declare = function declare(args, overrides, isSuite) {
  const runner = require("internal/node_test");
  const tree = require("internal/test_runner/tree");
  const { contextOf } = require("internal/node_test/context");
  const test = runner.create(runner.root, args, overrides, isSuite);
  const timeout = Number.isFinite(test.options.timeout) ? test.options.timeout : undefined;
  if (isSuite) {
    flagged(tree.describe, test.options)(test.name, () =>
      test.fn?.call(contextOf(test), contextOf(test)));
    return Promise.resolve();
  }
  flagged(tree.test, test.options)(test.name, { timeout }, async () => {
    await runner.storage.run(test, runner.runTest, test);
    if (test.error !== null && !test.isTodo) throw test.error.cause ?? test.error;
  });
  return Promise.resolve();
};

exports.addHook = function addHook(name, fn, options) {
  const runner = require("internal/node_test");
  const { contextOf } = require("internal/node_test/context");
  const { timeout } = options;
  require("internal/test_runner/tree")[HOOKS[name]](
    () => fn.call(contextOf(runner.root), contextOf(runner.root)), { timeout },
  );
};
