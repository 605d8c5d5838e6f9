// node:http2/file -- respondWithFile() and respondWithFD(): a file as the body of an answer, read a
// piece at a time, when the piece before is in frames.
// @internal
const fs = require("node:fs");
const errors = require("internal/errors");
const shared = require("node:http2/shared");
const { headText, assertResponsePseudo, responseObject } = require("node:http2/headers");
const { assertOpen, hasNoPayload } = require("node:http2/server_stream");
const {
  kState, kSession, kLink, kUpdateTimer, kSentHeaders, kStrict, kHeadersSent, kHasTrailers,
  kGetTrailers, nghttpError, assertIsObject,
} = shared;

const PIECE = 64 * 1024;
const INTERNAL_ERROR = 2;

function closeQuietly(fd) {
  fs.close(fd, () => {});
}

/** A file under way. */
class FilePump {
  constructor(stream, fd, { offset, length, ownsFd }) {
    this.stream = stream;
    this.fd = fd;
    this.at = offset < 0 ? null : offset;
    this.left = length < 0 ? Infinity : length;
    this.ownsFd = ownsFd;
    this.isStopped = false;
    this.isReading = false;
    this.buffer = null;
  }

  read() {
    const n = Math.min(PIECE, this.left);
    if (this.isStopped) return;
    if (n === 0) {
      this.#finish();
      return;
    }
    this.buffer ??= require("node:buffer").Buffer.allocUnsafeSlow(Math.min(PIECE, n));
    this.isReading = true;
    fs.read(this.fd, this.buffer, 0, Math.min(n, this.buffer.length), this.at, (error, size) => {
      this.isReading = false;
      if (this.isStopped) this.#close();
      else if (error) {
        this.stop();
        this.stream.close(INTERNAL_ERROR);
      } else if (size === 0) this.#finish();
      else this.#send(size);
    });
  }

  #send(size) {
    if (this.at !== null) this.at += size;
    this.left -= size;
    const link = this.stream[kSession]?.[kLink];
    if (link === undefined) this.stop();
    else link.write(this.stream.id, this.buffer.subarray(0, size), false);
  }

  /** What was read is in frames. */
  wrote() {
    this.stream[kUpdateTimer]();
    this.read();
  }

  #finish() {
    const { stream } = this;
    stream[kSession]?.[kLink]?.end(stream.id);
    this.stop();
  }

  /** No more; the file is closed if it is ours. */
  stop() {
    if (this.isStopped) return;
    this.isStopped = true;
    if (!this.isReading) this.#close();
  }

  #close() {
    if (this.ownsFd) closeQuietly(this.fd);
  }
}

function sendFile(stream, fd, headers, options) {
  const state = stream[kState];
  const session = stream[kSession];
  state.flags |= kHeadersSent;
  let text;
  try {
    text = headText(headers, assertResponsePseudo, session[kStrict]);
  } catch (error) {
    if (options.ownsFd) closeQuietly(fd);
    stream.destroy(error);
    return;
  }
  stream[kSentHeaders] = headers;
  // The program writes nothing more; that the body ends is for the file to say.
  stream._final = null;
  stream.end();
  const rc = session[kLink].respond(stream.id, text, options.flags);
  if (rc < 0) {
    if (options.ownsFd) closeQuietly(fd);
    stream.destroy(nghttpError(rc));
    return;
  }
  state.file = new FilePump(stream, fd, options);
  state.file.read();
}

/** Checks what both functions are given; { headers, options, flags }. */
function prepare(stream, given, givenOptions) {
  assertOpen(stream);
  if (stream.headersSent) throw new errors.ERR_HTTP2_HEADERS_SENT();
  assertIsObject(givenOptions, "options");
  const options = { ...givenOptions };
  for (const [name, type] of [["offset", "number"], ["length", "number"],
    ["statCheck", "function"]]) {
    if (options[name] !== undefined && typeof options[name] !== type) {
      throw new errors.ERR_INVALID_ARG_VALUE(`options.${name}`, options[name]);
    }
  }
  let flags = 0;
  if (options.waitForTrailers) {
    flags = kGetTrailers;
    stream[kState].flags |= kHasTrailers;
  }
  return { options, flags, given };
}

function prepareHeaders(stream, given, options) {
  stream[kUpdateTimer]();
  const { headers, status } = responseObject(given, options);
  if (hasNoPayload(status) || stream.headRequest) {
    throw new errors.ERR_HTTP2_PAYLOAD_FORBIDDEN(status);
  }
  return headers;
}

function descriptorOf(fd) {
  if (typeof fd === "number") return fd;
  if (fd !== null && typeof fd === "object" && typeof fd.fd === "number") return fd.fd;
  throw new errors.ERR_INVALID_ARG_TYPE("fd", ["number", "FileHandle"], fd);
}

/** The program's look at the file; false: it does not want it to be sent. */
function isWanted(stream, options, stat, headers, where) {
  if (typeof options.statCheck === "function" &&
      options.statCheck.call(stream, stat, headers, where) === false) {
    return false;
  }
  return !stream.headersSent;
}

exports.respondWithFD = function respondWithFD(stream, given, givenHeaders, givenOptions) {
  const { options, flags } = prepare(stream, givenHeaders, givenOptions);
  const fd = descriptorOf(given);
  const headers = prepareHeaders(stream, givenHeaders, options);
  const { offset = 0, length = -1 } = options;
  const where = { offset, length };
  const send = () => sendFile(stream, fd, headers, {
    offset: where.offset | 0, length: where.length, flags, ownsFd: false,
  });
  if (options.statCheck === undefined) {
    send();
    return;
  }
  fs.fstat(fd, (error, stat) => {
    if (error) stream.destroy(error);
    else if (stream.destroyed || stream.closed) {
      stream.destroy(new errors.ERR_HTTP2_INVALID_STREAM());
    } else if (isWanted(stream, options, stat, headers, where)) send();
  });
};

/** What is wrong with sending this as a file, or null. */
function statError(stat, options) {
  if (stat.isFile()) return null;
  if (stat.isDirectory()) return new errors.ERR_HTTP2_SEND_FILE();
  return options.offset !== undefined || options.length !== undefined ?
    new errors.ERR_HTTP2_SEND_FILE_NOSEEK() : null;
}

function sendOpened(stream, fd, stat, { headers, options, flags }) {
  const isFile = stat.isFile();
  const where = { offset: options.offset ?? 0, length: options.length ?? -1 };
  if (!isFile) where.offset = where.length = -1;
  if (!isWanted(stream, options, stat, headers, where)) {
    closeQuietly(fd);
    return;
  }
  if (isFile) {
    const rest = stat.size - where.offset;
    where.length = where.length < 0 ? rest : Math.min(rest, where.length);
    headers["content-length"] = where.length;
  }
  sendFile(stream, fd, headers, { ...where, flags, ownsFd: true });
}

exports.respondWithFile = function respondWithFile(stream, path, givenHeaders, givenOptions) {
  const { options, flags } = prepare(stream, givenHeaders, givenOptions);
  const headers = prepareHeaders(stream, givenHeaders, options);
  const fail = (error) => {
    if (options.onError) options.onError(error);
    else stream.destroy(error);
  };
  fs.open(path, "r", (error, fd) => {
    if (error) {
      fail(error);
      return;
    }
    fs.fstat(fd, (statFailed, stat) => {
      const problem = statFailed ?? statError(stat, options);
      if (problem === null && !stream.destroyed && !stream.closed) {
        sendOpened(stream, fd, stat, { headers, options, flags });
        return;
      }
      closeQuietly(fd);
      if (problem !== null) fail(problem);
      else stream.destroy(new errors.ERR_HTTP2_INVALID_STREAM());
    });
  });
};
