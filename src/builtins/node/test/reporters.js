// node:test/reporters -- the names of Node's reporters (Node: test), which are not there yet.
require("internal/unavailable").define(exports, "reporters", [
  "dot", "junit", "spec", "tap", "lcov",
]);
