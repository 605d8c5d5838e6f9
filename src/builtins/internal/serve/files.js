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

/**
 * @param piece of a Blob: { path, start, size } of a file
 * @param message { status, reason, lines }
 */
exports.sendFile = function sendFile(core, parts, piece, message) {
  const { openFile } = answer;
  let { lines } = message;
  let { status } = message;
  const file = openFile(piece.path);
  if (typeof file === "number") {
    const { uvException } = require("internal/errors/system");
    core.fail(parts, uvException({ errno: file, syscall: "open", path: piece.path }));
    return;
  }
  const [fd, fileSize, modifiedMs] = file;
  const from = Math.min(piece.start ?? 0, fileSize);
  const size = Math.max(0, Math.min(piece.end ?? Infinity, fileSize) - from);
  let start = 0;
  let length = size;
  const modified = new Date(Math.floor(modifiedMs / 1000) * 1000);
  const isRead = parts.method === "GET" || parts.method === "HEAD";
  if (!hasLine(lines, "last-modified")) lines += `last-modified: ${modified.toUTCString()}\r\n`;
  if (isRead && status === 200) {
    const since = parts.header("if-modified-since");
    if (since !== null && parts.header("if-none-match") === null && Date.parse(since) >= modified) {
      answer.closeFile(fd);
      answer.respond(core.sid, parts.id, 304, "", lines, null);
      return;
    }
    const range = parts.header("range");
    const unless = parts.header("if-range");
    const isFresh = unless === null || Date.parse(unless) >= modified.getTime();
    const found = range === null || !isFresh ? null : parseRange(range, size);
    if (found === undefined) {
      answer.closeFile(fd);
      answer.respond(
        core.sid, parts.id, 416, "", `${lines}content-range: bytes */${size}\r\n`, null,
      );
      return;
    }
    if (found !== null) {
      [start] = found;
      length = found[1] - found[0] + 1;
      status = 206;
      lines += `content-range: bytes ${found[0]}-${found[1]}/${size}\r\naccept-ranges: bytes\r\n`;
    }
  }
  answer.sendFile(core.sid, parts.id, status, message.reason, lines, fd, from + start, length);
};
