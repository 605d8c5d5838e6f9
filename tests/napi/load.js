// The add-ons that tests/napi/build.sh made, beside the binary.
const path = require("node:path");

exports.file = (name) => path.join(path.dirname(process.execPath), "test", "napi", `${name}.node`);
exports.load = (name) => require(exports.file(name));
exports.statuses = {
  ok: 0, invalidArg: 1, objectExpected: 2, stringExpected: 3, nameExpected: 4,
  functionExpected: 5, numberExpected: 6, booleanExpected: 7, arrayExpected: 8,
  genericFailure: 9, pendingException: 10, cancelled: 11, escapeTwice: 12, scopeMismatch: 13,
  queueFull: 15, closing: 16, bigintExpected: 17, dateExpected: 18, arrayBufferExpected: 19,
};
/** Collects until `condition` holds; false when it does not after so many turns. */
exports.collectUntil = async (condition) => {
  for (let i = 0; i < 50 && !condition(); i++) {
    Bun.gc(true);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return condition();
};
