// @internal
// web/blob/box -- bytes on their way through promises of ours.
const { isView } = ArrayBuffer;

/** Without a prototype: resolving a promise must not ask Object.prototype for a `then`. */
exports.box = (value) => ({ __proto__: null, value });

/** The bytes that a promise has given, in a box or as they are. */
exports.openBox = (result) => {
  const bytes = isView(result) ? result : result?.value;
  if (isView(bytes)) return bytes;
  // A program has put a `then` on Object.prototype.
  throw new TypeError("The body was replaced while it was read");
};
