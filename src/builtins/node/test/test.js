// node:test -- Node's test runner (Node: test). Its parts are in internal/node_test and are loaded
// when a program asks for them.
const runner = () => require("internal/node_test");

const FLAGS = ["skip", "todo", "only"];

/** test or describe with its shorthands. */
function makeDeclaring(name, isSuite) {
  const make = (overrides) => {
    const fn = {
      [name]: (...args) => runner().declare(args, overrides, isSuite),
    }[name];
    return fn;
  };
  const main = make(undefined);
  for (const flag of FLAGS) main[flag] = make({ [flag]: true });
  main.expectFailure = make({ expectFailure: true });
  return main;
}

const test = makeDeclaring("test", false);
const suite = makeDeclaring("suite", true);

for (const name of ["before", "after", "beforeEach", "afterEach"]) {
  test[name] = { [name]: (fn, options) => runner().addHook(name, fn, options) }[name];
}

test.run = function run(options) {
  return require("internal/node_test/run").run(options);
};
test.getTestContext = function getTestContext() {
  const current = runner().running();
  if (current === undefined) return undefined;
  return require("internal/node_test/context").contextOf(current);
};
Object.assign(test, { test, it: test, describe: suite, suite });

test.assert = {
  register: (name, fn) => require("internal/node_test/context").register(name, fn),
};
test.snapshot = {};
require("internal/unavailable").define(test.snapshot, "snapshot", [
  "setDefaultSnapshotSerializers", "setResolveSnapshotPath",
]);

let tracker;
Object.defineProperty(test, "mock", {
  get: () => (tracker ??= new (require("internal/node_test/mock").MockTracker)()),
  enumerable: true,
  configurable: true,
});
return test;
