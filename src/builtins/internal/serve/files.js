// internal/serve/files -- answers that are files: lengths, ranges (RFC 9110, section 14), Last-
// Modified.

const answer = require("internal/http_host/http_answer");

const kRange = /^bytes=(\d*)-(\d*)$/;

/** [start, end] of a Range header for `size` bytes; null: ignore it; undefined: not satisfiable. */
function parseRange(text, size) {
  const found = kRange.exec(text.trim());
  if (found === null || (found[1] === "" && found[2] === "")) return null;
  if (found[1] === "") {
    const n = Number(found[2]);
    return n === 0 || size === 0 ? undefined : [Math.max(0, size - n), size - 1];
  }
  const start = Number(found[1]);
  const end = found[2] === "" ? size - 1 : Math.min(Number(found[2]), size - 1);
  if (found[2] !== "" && Number(found[2]) < start) return null;
  return start >= size ? undefined : [start, end];
}

function hasLine(lines, name) {
  return lines.toLowerCase().split("\r\n").some((line) => line.startsWith(`${name}:`));
}

/** Does a list of entity tags name this one?  A weak comparison. */
function matches(list, etag) {
  if (list.trim() === "*") return true;
  if (etag === null) return false;
  const bare = (text) => text.trim().replace(/^W\//, "");
  return list.split(",").some((item) => bare(item) === bare(etag));
}

function etagOf(lines) {
  return /^etag: *([^\r]*)/im.exec(lines)?.[1] ?? null;
}

/** RFC 9110, section 13.2.2: If-None-Match decides alone where there is one. */
function isKnown(parts, modified, etag) {
  const list = parts.header("if-none-match");
  if (list !== null) return matches(list, etag);
  const since = parts.header("if-modified-since");
  return since !== null && Date.parse(since) >= modified.getTime();
}

/** Is a part of it what the client wants to have added to its copy? */
function isSame(parts, modified, etag) {
  const unless = parts.header("if-range");
  if (unless === null) return true;
  if (unless.startsWith("\"")) return unless === etag;
  return Date.parse(unless) === modified.getTime();
}

/** What a slice of a file is sent as by a handler: a part of something larger. */
function partLines(piece, lines, size) {
  const isPart = (piece.start ?? 0) > 0 || (piece.end ?? Infinity) !== Infinity;
  if (hasLine(lines, "content-range")) return "";
  if (!isPart || size === 0) return null;
  return `content-range: bytes ${piece.start}-${piece.start + size - 1}/*\r\n`;
}

/**
 * Sends a file, a range of it, or 304; false: it cannot be opened, and `canPass` is set.
 * @param piece of a Blob: { path, start, size } of a file, or { opened } (openFile's answer)
 * @param message { status, reason, lines }
 * @param canPass somebody else answers when there is no such file
 */
exports.sendFile = function sendFile(core, parts, piece, message, canPass) {
  const { openFile } = answer;
  let { lines } = message;
  let { status } = message;
  const file = piece.opened ?? openFile(piece.path);
  if (typeof file === "number") {
    if (canPass) return false;
    const { uvException } = require("internal/errors/system");
    core.fail(parts, uvException({ errno: file, syscall: "open", path: piece.path }));
    return true;
  }
  const [fd, fileSize, modifiedMs] = file;
  const from = Math.min(piece.start ?? 0, fileSize);
  const size = Math.max(0, Math.min(piece.end ?? Infinity, fileSize) - from);
  let start = 0;
  let length = size;
  const modified = new Date(Math.floor(modifiedMs / 1000) * 1000);
  const isRead = parts.method === "GET" || parts.method === "HEAD";
  if (!hasLine(lines, "last-modified")) lines += `last-modified: ${modified.toUTCString()}\r\n`;
  const slice = status === 200 && !canPass ? partLines(piece, lines, size) : null;
  if (slice !== null && parts.method !== "HEAD") {
    status = 206;
    lines += slice;
  } else if (isRead && status === 200) {
    const etag = etagOf(lines);
    if (isKnown(parts, modified, etag)) {
      answer.closeFile(fd);
      answer.respond(core.sid, parts.id, 304, "", lines, null);
      return true;
    }
    const range = slice === null ? parts.header("range") : null;
    const found = range === null || !isSame(parts, modified, etag) ? null : parseRange(range, size);
    if (found === undefined) {
      answer.closeFile(fd);
      answer.respond(
        core.sid, parts.id, 416, "",
        `${lines}content-range: bytes */${size}\r\naccept-ranges: bytes\r\n`, null,
      );
      return true;
    }
    if (found !== null) {
      [start] = found;
      length = found[1] - found[0] + 1;
      status = 206;
      lines += `content-range: bytes ${found[0]}-${found[1]}/${size}\r\n`;
      if (!hasLine(lines, "accept-ranges")) lines += "accept-ranges: bytes\r\n";
    }
  }
  answer.sendFile(core.sid, parts.id, status, message.reason, lines, fd, from + start, length);
  return true;
};

exports.matches = matches;
