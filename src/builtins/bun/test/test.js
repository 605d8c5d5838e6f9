// bun:test -- what test files import (Bun: docs/test); the parts are in internal/test_*.
//
// Mocks and timers are loaded when a file asks for one of their names.
const state = require("internal/test_runner/state");
const tree = require("internal/test_runner/tree");
const { expect } = require("internal/test_expect");

const { test, describe, xtest, xdescribe, beforeAll, beforeEach, afterEach, afterAll } = tree;
const { onTestFinished, setDefaultTimeout } = tree;

/** Types are checked by a compiler: at run time every member is a function that does nothing. */
function expectTypeOf() {
  const self = new Proxy(() => self, { get: () => self });
  return self;
}

Object.assign(exports, {
  test, it: test, xtest, xit: xtest, describe, suite: describe, xdescribe, beforeEach, beforeAll,
  afterAll, afterEach, onTestFinished, setDefaultTimeout, expect, expectTypeOf,
});
for (const name of ["setSystemTime", "mock", "jest", "spyOn", "vi"]) {
  const define = (value) => {
    Object.defineProperty(exports, name, {
      value, writable: true, enumerable: true, configurable: true,
    });
    return value;
  };
  Object.defineProperty(exports, name, {
    get: () => define(require("internal/test_mock/objects")[name]),
    set: define,
    enumerable: true,
    configurable: true,
  });
}
/** Bun.jest(path): what a file would import from bun:test. */
Object.defineProperty(exports, "jestOf", {
  value: function jest() {
    if (state.native === undefined) throw new Error("Bun.jest() can only be called in `cob test`");
    return exports;
  },
});
exports.isRunning = () => state.file !== undefined;
