// web/streams/core -- what a ReadableStream is inside (Streams Standard, 4.9).
//
// Programs see thin classes; behind each stands an object of this folder with plain fields:
// ReadableState <-> ReadableStream, ReaderState <-> the readers, a controller that has the methods
// pullSteps, cancelSteps and releaseSteps. What wants a chunk is a read request, an object with
// chunk(value), close() and error(reason); one for a BYOB reader gets a view in close too.
const { LazyPromise, resolved, rejected, seal, then } = require("web/streams/promises");
const { Queue } = require("web/streams/queue");
const { invalidState } = require("web/streams/checks");

const READABLE = 0;
const CLOSED = 1;
const ERRORED = 2;

class ReadableState {
  constructor() {
    this.state = READABLE;
    this.reader = null;
    this.controller = null;
    this.storedError = undefined;
    this.isDisturbed = false;
    /** The object that programs have. */
    this.stream = null;
    /** For whoever waits for the end without a reader (stream.finished). */
    this.onSettled = null;
    this.settledPromise = undefined;
    /** The source of a direct stream (web/streams/direct). */
    this.direct = undefined;
  }
}

class ReaderState {
  constructor(isByob) {
    this.rs = null;
    this.isByob = isByob;
    this.requests = new Queue();
    this.closed = new LazyPromise();
    this.reader = null;
  }
}

const isLocked = (rs) => rs.reader !== null;

/** Binds a reader to a stream that has none. */
function attachReader(reader, rs) {
  if (isLocked(rs)) throw invalidState("ReadableStream is locked");
  reader.rs = rs;
  rs.reader = reader;
  if (rs.state === CLOSED) reader.closed.resolve(undefined);
  else if (rs.state === ERRORED) reader.closed.reject(rs.storedError);
}

function errorRequests(reader, error) {
  if (reader.requests.length === 0) return;
  for (const request of reader.requests.takeAll()) request.error(error);
}

/** releaseLock */
function releaseReader(reader) {
  const { rs } = reader;
  if (rs === null) return;
  reader.closed.renew(invalidState("Reader released"));
  rs.controller.releaseSteps();
  rs.reader = null;
  reader.rs = null;
  errorRequests(reader, invalidState("Releasing reader"));
}

function settled(rs, error) {
  const { onSettled } = rs;
  if (onSettled === null) return;
  rs.onSettled = null;
  if (rs.state === ERRORED) onSettled.reject(error);
  else onSettled.resolve(undefined);
}

function closeStream(rs) {
  rs.state = CLOSED;
  settled(rs);
  const { reader } = rs;
  if (reader === null) return;
  reader.closed.resolve(undefined);
  if (!reader.isByob && reader.requests.length > 0) {
    for (const request of reader.requests.takeAll()) request.close();
  }
}

function errorStream(rs, error) {
  rs.state = ERRORED;
  rs.storedError = error;
  settled(rs, error);
  const { reader } = rs;
  if (reader === null) return;
  reader.closed.reject(error);
  errorRequests(reader, error);
}

const toUndefined = () => undefined;

/** ReadableStreamCancel: a promise. */
function cancelStream(rs, reason) {
  rs.isDisturbed = true;
  if (rs.state === CLOSED) return resolved(undefined);
  if (rs.state === ERRORED) return rejected(rs.storedError);
  closeStream(rs);
  const { reader } = rs;
  if (reader !== null && reader.isByob && reader.requests.length > 0) {
    for (const request of reader.requests.takeAll()) request.close(undefined);
  }
  return then(rs.controller.cancelSteps(reason), toUndefined);
}

/** ReadableStreamDefaultReaderRead, for any default reader. */
function readFrom(reader, request) {
  const { rs } = reader;
  rs.isDisturbed = true;
  if (rs.state === CLOSED) request.close();
  else if (rs.state === ERRORED) request.error(rs.storedError);
  else rs.controller.pullSteps(request);
}

/** How many default reads wait. */
const nRequests = (rs) =>
  rs.reader === null || rs.reader.isByob ? 0 : rs.reader.requests.length;

/** How many BYOB reads wait. */
const nIntoRequests = (rs) =>
  rs.reader === null || !rs.reader.isByob ? 0 : rs.reader.requests.length;

seal(ReadableState);
seal(ReaderState);

Object.assign(exports, {
  READABLE, CLOSED, ERRORED, ReadableState, ReaderState, isLocked, attachReader, releaseReader,
  errorRequests, closeStream, errorStream, cancelStream, readFrom, nRequests, nIntoRequests,
});
