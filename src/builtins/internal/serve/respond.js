// internal/serve/respond -- sending a Response.
//
// Strings, bytes and nothing go out in one native call; files are read by the native half; streams
// that are at their end before the loop comes round again are sent with their length, others in
// chunks.

const answer = require("internal/http_host/http_answer");
const { takeResponse } = require("web/fetch/response");
const { kinds } = require("web/fetch/body");
const { respond } = answer;
const { BYTES, BLOB, STREAM, SOURCE } = kinds;

const kUnknown = -1;
/** What a string brings; servers of Bun write it in small letters. */
const kText = "text/plain;charset=UTF-8";
const kTextLine = "content-type: text/plain;charset=utf-8\r\n";
const out = { kind: 0, value: null, type: null, status: 200, statusText: "", headers: null };

/** The lines of a head; Content-Length and Transfer-Encoding are ours to say. */
function linesOf(headers, type) {
  if (headers === null) {
    if (type === null) return "";
    return type === kText ? kTextLine : `content-type: ${type}\r\n`;
  }
  let lines = "";
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i];
    if (name === "content-length" || name === "transfer-encoding") continue;
    const value = headers[i + 1];
    lines += value === kText && name === "content-type" ? kTextLine :
      name + ": " + value + "\r\n";
  }
  return lines;
}

function usedError() {
  return require("internal/errors").makeCoded(
    "TypeError", "ERR_BODY_ALREADY_USED",
    "Response body already used. A Response body can only be sent once; create a new Response " +
      "for each request.",
  );
}

/**
 * Answers the request; throws when the response cannot be sent.
 * @param parts of the request
 */
function send(core, parts, response) {
  try {
    takeResponse(response, out);
  } catch (error) {
    throw error?.code === "ERR_BODY_ALREADY_USED" ? usedError() : error;
  }
  const { kind, value, status } = out;
  if (status === 0) {
    throw new Error(
      "Cannot send a Response with status 0. HTTP status codes must be between 100 and 999 " +
        "(Response.error() returns status 0).",
    );
  }
  if (kind <= BYTES) {
    const list = out.headers;
    let lines = list === null ? linesOf(null, out.type) : "";
    if (parts.cookies !== null) lines += cookieLines(parts.cookies);
    respond(
      core.sid, parts.id, status, out.statusText, lines, value, list,
      list === null ? 0 : list.length,
    );
  } else {
    let lines = linesOf(out.headers, out.type);
    if (parts.cookies !== null) lines += cookieLines(parts.cookies);
    sendOther(core, parts, { kind, value, status, reason: out.statusText, lines });
  }
  if (core.records.size > 0 && kind !== STREAM && kind !== SOURCE) core.forget(parts.id);
}

function cookieLines(cookies) {
  let lines = "";
  for (const text of cookies.toSetCookieHeaders()) lines += `set-cookie: ${text}\r\n`;
  return lines;
}

function sendOther(core, parts, message) {
  if (message.kind === BLOB) {
    sendBlob(core, parts, message);
    return;
  }
  const stream = message.kind === SOURCE ? message.value.stream() : message.value;
  if (parts.method === "HEAD") {
    stream.cancel().catch(() => {});
    const { status, reason, lines } = message;
    answer.head(core.sid, parts.id, status, reason, lines, kUnknown);
    answer.end(core.sid, parts.id);
    core.forget(parts.id);
    return;
  }
  sendStream(core, parts, stream, message);
}

function sendBlob(core, parts, { value, status, reason, lines }) {
  const blobs = require("web/blob");
  const pieces = blobs.partsOf(value);
  if (pieces.every((piece) => piece instanceof Uint8Array)) {
    const body = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    respond(core.sid, parts.id, status, reason, lines, body);
    return;
  }
  if (pieces.length === 1 && typeof pieces[0].path === "string") {
    require("internal/serve/files").sendFile(core, parts, pieces[0], { status, reason, lines });
    return;
  }
  sendStream(core, parts, value.stream(), { status, reason, lines });
}

/** A stream under way to the client. */
class Pump {
  constructor(core, parts, reader, message) {
    this.core = core;
    this.id = parts.id;
    this.parts = parts;
    this.reader = reader;
    this.message = message;
    this.chunks = [];
    this.isStarted = false;
    this.isOver = false;
  }

  /** Sends the head and what has come so far: the stream takes longer. */
  start() {
    if (this.isStarted || this.isOver) return;
    this.isStarted = true;
    const { status, reason, lines } = this.message;
    answer.head(this.core.sid, this.id, status, reason, lines, kUnknown);
    for (const chunk of this.chunks) answer.write(this.core.sid, this.id, chunk);
    answer.raw(this.core.sid, this.id, null);
    this.chunks = null;
  }

  finish() {
    this.isOver = true;
    if (this.isStarted) answer.end(this.core.sid, this.id);
    else {
      const { status, reason, lines } = this.message;
      const body = this.chunks.length === 1 ? this.chunks[0] : joinChunks(this.chunks);
      respond(this.core.sid, this.id, status, reason, lines, body);
    }
    this.core.forget(this.id);
  }

  fail(error) {
    if (this.isOver) return;
    this.isOver = true;
    if (!this.isStarted) {
      this.core.fail(this.parts, error);
      return;
    }
    // The client must see that it is not all.
    answer.close(this.core.sid, this.id, true);
    this.core.forget(this.id);
    this.core.printError(error);
  }

  abort(reason) {
    if (this.isOver) return;
    this.isOver = true;
    this.reader.cancel(reason).catch(() => {});
  }

  async run() {
    const { sid } = this.core;
    const { toBytes } = require("web/fetch/streams");
    while (true) {
      const { done, value } = await this.reader.read();
      if (this.isOver) return;
      if (done) break;
      const chunk = typeof value === "string" || value instanceof Uint8Array ? value :
        toBytes(value);
      if (!this.isStarted) {
        this.chunks.push(chunk);
        continue;
      }
      const waiting = answer.write(sid, this.id, chunk);
      if (waiting > 0) await this.core.waitForDrain(this.id);
    }
    this.finish();
  }
}

function joinChunks(chunks) {
  if (chunks.length === 0) return null;
  return Buffer.concat(chunks.map((c) => (typeof c === "string" ? Buffer.from(c) : c)));
}

/** A stream whose program writes to the connection itself; false: it is none. */
function sendDirect(core, parts, stream, message) {
  const { takeDirect } = require("web/streams/direct");
  const { sid } = core;
  const { id } = parts;
  const chunks = [];
  let isStarted = false;
  let isOver = false;
  const start = () => {
    if (isStarted || isOver) return;
    isStarted = true;
    answer.head(sid, id, message.status, message.reason, message.lines, kUnknown);
    for (const chunk of chunks) answer.write(sid, id, chunk);
    answer.raw(sid, id, null);
  };
  const isTaken = takeDirect(stream, {
    write(bytes) {
      if (!isStarted) {
        chunks.push(bytes);
        return bytes.byteLength;
      }
      const waiting = answer.write(sid, id, bytes);
      if (waiting <= 0) return bytes.byteLength;
      return core.waitForDrain(id).then(() => bytes.byteLength);
    },
    flush() {
      start();
      return 0;
    },
    end() {
      if (isOver) return;
      isOver = true;
      if (isStarted) answer.end(sid, id);
      else respond(sid, id, message.status, message.reason, message.lines, joinChunks(chunks));
      core.forget(id);
    },
    error(reason) {
      if (isOver) return;
      isOver = true;
      if (isStarted) answer.close(sid, id, true);
      else core.fail(parts, reason);
      core.forget(id);
    },
  });
  if (isTaken) setImmediate(start);
  return isTaken;
}

function sendStream(core, parts, stream, message) {
  if (sendDirect(core, parts, stream, message)) return;
  const pump = new Pump(core, parts, stream.getReader(), message);
  const record = core.makeRecord(parts.id);
  record.abort = (reason) => pump.abort(reason);
  pump.run().catch((error) => pump.fail(error));
  setImmediate(() => pump.start());
}

exports.send = send;
exports.linesOf = linesOf;
exports.sendStream = sendStream;
