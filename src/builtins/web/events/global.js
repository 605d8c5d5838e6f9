// @global addEventListener removeEventListener dispatchEvent reportError
// web/events/global -- the global object as an event target.

const errors = require("internal/errors");
const { EventTarget, targetFor } = require("web/events");

const target = targetFor(globalThis);
const { prototype } = EventTarget;

/** A method of the global's target; any other receiver is on its own. */
function method(name) {
  const own = prototype[name];
  return {
    [name](...args) {
      const isGlobal = this === undefined || this === null || this === globalThis;
      return own.apply(isGlobal ? target : this, args);
    },
  }[name];
}

const kMethods = ["addEventListener", "removeEventListener", "dispatchEvent"];
for (let i = 0; i < kMethods.length; i++) {
  const name = kMethods[i];
  const value = method(name);
  Object.defineProperty(value, "length", { value: prototype[name].length, configurable: true });
  exports[name] = value;
}

exports.reportError = function reportError(e) {
  if (arguments.length === 0) throw new errors.ERR_MISSING_ARGS("e");
  require("internal/report").reportException(e);
};
/** The target behind the global object, for what dispatches events there. */
exports.globalTarget = target;
