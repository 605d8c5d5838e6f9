// node:trace_events -- tracing that nobody has switched on (Node: tracing).
exports.getEnabledCategories = function getEnabledCategories() {
  return undefined;
};
require("internal/unavailable").define(exports, "trace_events", ["createTracing"]);
