// internal/streams/predicates -- what kind of stream is it, and in which state?  (Node: stream)
//
// Streams of user land are recognised by their methods, as Node does. The questions about a state
// answer null when the object is no such stream.

const kIsDestroyed = Symbol.for("nodejs.stream.destroyed");
const kIsErrored = Symbol.for("nodejs.stream.errored");
const kIsReadable = Symbol.for("nodejs.stream.readable");
const kIsWritable = Symbol.for("nodejs.stream.writable");
const kIsDisturbed = Symbol.for("nodejs.stream.disturbed");
/** On a web stream: a promise that settles when the stream is done. */
const kIsClosedPromise = Symbol.for("nodejs.webstream.isClosedPromise");
/** On a web stream: puts it into the errored state. */
const kControllerError = Symbol.for("nodejs.webstream.controllerErrorFunction");

const isFn = (value) => typeof value === "function";
const isBool = (value) => typeof value === "boolean";

function isReadableNodeStream(obj, isStrict = false) {
  return !!(
    obj && isFn(obj.pipe) && isFn(obj.on) &&
    (!isStrict || (isFn(obj.pause) && isFn(obj.resume))) &&
    (!obj._writableState || (obj._readableState && obj._readableState.readable !== false))
  );
}

function isWritableNodeStream(obj) {
  return !!(
    obj && isFn(obj.write) && isFn(obj.on) &&
    (!obj._readableState || obj._writableState?.writable !== false)
  );
}

function isDuplexNodeStream(obj) {
  return !!(obj && isFn(obj.pipe) && obj._readableState && isFn(obj.on) && isFn(obj.write));
}

function isNodeStream(obj) {
  return !!(
    obj &&
    (obj._readableState || obj._writableState ||
      (isFn(obj.on) && (isFn(obj.write) || isFn(obj.pipe))))
  );
}

function isReadableStream(obj) {
  return !!(
    obj && !isNodeStream(obj) && isFn(obj.pipeThrough) && isFn(obj.getReader) && isFn(obj.cancel)
  );
}

function isWritableStream(obj) {
  return !!(obj && !isNodeStream(obj) && isFn(obj.getWriter) && isFn(obj.abort));
}

function isTransformStream(obj) {
  return !!(
    obj && !isNodeStream(obj) && typeof obj.readable === "object" &&
    typeof obj.writable === "object"
  );
}

const isWebStream = (obj) =>
  isReadableStream(obj) || isWritableStream(obj) || isTransformStream(obj);

/** With `isAsync` given only that kind of iterable counts. */
function isIterable(obj, isAsync) {
  if (obj === null || obj === undefined) return false;
  const hasAsync = isFn(obj[Symbol.asyncIterator]);
  if (isAsync === true) return hasAsync;
  const hasSync = isFn(obj[Symbol.iterator]);
  return isAsync === false ? hasSync : hasAsync || hasSync;
}

function isDestroyed(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  return !!(stream.destroyed || stream[kIsDestroyed] || state?.destroyed);
}

function isWritableEnded(stream) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableEnded === true) return true;
  const w = stream._writableState;
  if (w?.errored) return false;
  return isBool(w?.ended) ? w.ended : null;
}

/** Without `isStrict` what is about to finish counts as finished. */
function isWritableFinished(stream, isStrict) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableFinished === true) return true;
  const w = stream._writableState;
  if (w?.errored) return false;
  if (!isBool(w?.finished)) return null;
  return w.finished || (isStrict === false && w.ended === true && w.length === 0);
}

function isReadableFinished(stream, isStrict) {
  if (!isReadableNodeStream(stream)) return null;
  const r = stream._readableState;
  if (r?.errored) return false;
  if (!isBool(r?.endEmitted)) return null;
  return r.endEmitted || (isStrict === false && r.ended === true && r.length === 0);
}

function isReadableEnded(stream) {
  if (!isReadableNodeStream(stream)) return null;
  if (stream.readableEnded === true) return true;
  const r = stream._readableState;
  if (!r || r.errored) return false;
  return isBool(r.ended) ? r.ended : null;
}

function isReadable(stream) {
  const own = stream?.[kIsReadable];
  if (own !== undefined && own !== null) return own;
  if (!isBool(stream?.readable)) return null;
  if (isDestroyed(stream)) return false;
  return isReadableNodeStream(stream) && stream.readable && !isReadableFinished(stream);
}

function isWritable(stream) {
  const own = stream?.[kIsWritable];
  if (own !== undefined && own !== null) return own;
  if (!isBool(stream?.writable)) return null;
  if (isDestroyed(stream)) return false;
  return isWritableNodeStream(stream) && stream.writable && !isWritableEnded(stream);
}

function isFinished(stream, options) {
  if (!isNodeStream(stream)) return null;
  if (isDestroyed(stream)) return true;
  if (options?.readable !== false && isReadable(stream)) return false;
  if (options?.writable !== false && isWritable(stream)) return false;
  return true;
}

function isWritableErrored(stream) {
  if (!isNodeStream(stream)) return null;
  return stream.writableErrored || (stream._writableState?.errored ?? null);
}

function isReadableErrored(stream) {
  if (!isNodeStream(stream)) return null;
  return stream.readableErrored || (stream._readableState?.errored ?? null);
}

function isOutgoingMessage(stream) {
  return (
    isBool(stream._closed) && isBool(stream._defaultKeepAlive) &&
    isBool(stream._removedConnection) && isBool(stream._removedContLen)
  );
}

const isServerResponse = (stream) => isBool(stream._sent100) && isOutgoingMessage(stream);

const isServerRequest = (stream) =>
  isBool(stream._consuming) && isBool(stream._dumped) && stream.req?.upgradeOrConnect === undefined;

const isRequest = (stream) => !!(stream?.setHeader && isFn(stream.abort));

function isClosed(stream) {
  if (!isNodeStream(stream)) return null;
  if (isBool(stream.closed)) return stream.closed;
  const w = stream._writableState;
  const r = stream._readableState;
  if (isBool(w?.closed) || isBool(r?.closed)) return w?.closed || r?.closed;
  if (isBool(stream._closed) && isOutgoingMessage(stream)) return stream._closed;
  return null;
}

function willEmitClose(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stream._writableState || stream._readableState;
  if (!state) return isServerResponse(stream);
  return !!(state.autoDestroy && state.emitClose && state.closed === false);
}

function isDisturbed(stream) {
  if (!stream) return false;
  return !!(stream[kIsDisturbed] ?? (stream.readableDidRead || stream.readableAborted));
}

function isErrored(stream) {
  if (!stream) return false;
  const r = stream._readableState;
  const w = stream._writableState;
  return !!(
    stream[kIsErrored] ?? stream.readableErrored ?? stream.writableErrored ?? r?.errorEmitted ??
    w?.errorEmitted ?? r?.errored ?? w?.errored
  );
}

Object.assign(exports, {
  kIsDestroyed, kIsErrored, kIsReadable, kIsWritable, kIsDisturbed, kIsClosedPromise,
  kControllerError, isReadableNodeStream, isWritableNodeStream, isDuplexNodeStream, isNodeStream,
  isReadableStream, isWritableStream, isTransformStream, isWebStream, isIterable, isDestroyed,
  isWritableEnded, isWritableFinished, isReadableFinished, isReadableEnded, isReadable, isWritable,
  isFinished, isWritableErrored, isReadableErrored, isServerResponse, isServerRequest, isRequest,
  isClosed, willEmitClose, isDisturbed, isErrored,
});
