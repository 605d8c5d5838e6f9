// internal/streams/add_abort_signal -- destroys a stream when a signal aborts.
const { AbortError, ERR_INVALID_ARG_TYPE } = require("internal/errors");
const { onAbort: listen } = require("internal/util/abort_listener");
const { eos } = require("internal/streams/end_of_stream");
const predicates = require("internal/streams/predicates");

/** Calls fn once when the signal aborts; the result takes it back. */
function onAbort(signal, fn) {
  // A listener, as programs count them.
  listen(signal, fn);
  return () => signal.removeEventListener("abort", fn);
}

function attach(signal, stream) {
  if (signal === null || typeof signal !== "object" || !("aborted" in signal)) {
    throw new ERR_INVALID_ARG_TYPE("signal", "AbortSignal", signal);
  }
  const abort = predicates.isNodeStream(stream)
    ? () => stream.destroy(new AbortError(undefined, { cause: signal.reason }))
    : () =>
        stream[predicates.kControllerError](new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    abort();
  } else {
    const undo = onAbort(signal, abort);
    eos(stream, undo);
  }
  return stream;
}

exports.onAbort = onAbort;
exports.attach = attach;

/** stream.addAbortSignal(signal, stream) */
exports.addAbortSignal = function addAbortSignal(signal, stream) {
  if (signal === null || typeof signal !== "object" || !("aborted" in signal)) {
    throw new ERR_INVALID_ARG_TYPE("signal", "AbortSignal", signal);
  }
  const { isNodeStream, isReadableStream, isWritableStream } = predicates;
  if (!isNodeStream(stream) && !isReadableStream(stream) && !isWritableStream(stream)) {
    const types = ["ReadableStream", "WritableStream", "Stream"];
    throw new ERR_INVALID_ARG_TYPE("stream", types, stream);
  }
  return attach(signal, stream);
};
