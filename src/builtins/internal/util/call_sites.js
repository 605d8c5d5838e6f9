// internal/util/call_sites -- where the program is: util.getCallSites.

const { validateBoolean, validateInteger, validateObject } = require("internal/validators");

const FRAMES_MAX = 200;

/** CallSite objects of the callers of `below`, innermost first. */
exports.callSites = function callSites(count, below) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  const holder = {};
  try {
    Error.prepareStackTrace = (_, sites) => sites;
    Error.stackTraceLimit = count;
    Error.captureStackTrace(holder, below);
    return Array.isArray(holder.stack) ? holder.stack : [];
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
};

function checkOptions(options) {
  validateObject(options, "options");
  if (options.sourceMap !== undefined) validateBoolean(options.sourceMap, "options.sourceMap");
}

exports.getCallSites = function getCallSites(frameCount = 10, options) {
  let count = frameCount;
  if (options !== undefined) {
    checkOptions(options);
  } else if (typeof frameCount === "object") {
    checkOptions(frameCount);
    count = 10;
  }
  validateInteger(count, "frameCount", 1, FRAMES_MAX);
  return exports.callSites(count, getCallSites).map((site) => ({
    functionName: site.getFunctionName() ?? "",
    scriptId: String(site.getScriptId()),
    scriptName: site.getFileName() ?? "",
    lineNumber: site.getLineNumber() ?? 0,
    columnNumber: site.getColumnNumber() ?? 0,
    column: site.getColumnNumber() ?? 0,
  }));
};
