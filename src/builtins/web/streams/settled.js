// web/streams/settled -- the end of a stream as a promise, without locking it.
const { READABLE, ERRORED } = require("web/streams/core");
const { setHandled } = require("web/streams/promises");

/** { promise } of a ReadableState or WritableState. */
exports.settledOf = function settledOf(state) {
  if (state.settledPromise !== undefined) return state.settledPromise;
  const parts = Promise.withResolvers();
  setHandled(parts.promise);
  state.settledPromise = parts;
  if (state.isSettled !== undefined ? state.isSettled() : state.state !== READABLE) {
    if (state.state === ERRORED) parts.reject(state.storedError);
    else parts.resolve(undefined);
  } else {
    state.onSettled = parts;
  }
  return parts;
};
