// @internal
// node:net/defaults -- how connecting chooses between families unless it is told.
const { validateBoolean, validateInt32 } = require("internal/validators");

let autoSelectFamily = true;
let attemptTimeout = 250;

exports.getDefaultAutoSelectFamily = function getDefaultAutoSelectFamily() {
  return autoSelectFamily;
};

exports.setDefaultAutoSelectFamily = function setDefaultAutoSelectFamily(value) {
  validateBoolean(value, "value");
  autoSelectFamily = value;
};

exports.getDefaultAutoSelectFamilyAttemptTimeout =
  function getDefaultAutoSelectFamilyAttemptTimeout() {
    return attemptTimeout;
  };

exports.setDefaultAutoSelectFamilyAttemptTimeout =
  function setDefaultAutoSelectFamilyAttemptTimeout(value) {
    validateInt32(value, "value", 1);
    attemptTimeout = value < 10 ? 10 : value;
  };
