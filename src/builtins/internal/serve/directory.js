// internal/serve/directory -- routes of directories: { dir } answers with the files below it.
//
// Only the one way to write a path is taken: no empty segments, "." or "..", nothing encoded that
// need not be. So what is opened is what the router has seen; links that lead out of the directory
// find nothing.

const answer = require("internal/http_host/http_answer");
const { sendFile } = require("internal/serve/files");
const { typeOf } = require("bun:file/types");

const EISDIR = -21;
/** What may stand in a segment as it is (RFC 3986: pchar), and the slash. */
const kPlain = /[A-Za-z0-9\-._~!$&'()*+,;=:@/]/;
const kHex = /^[0-9A-Fa-f]{2}$/;

/** A segment as bytes, or null. */
function decode(segment) {
  let text = "";
  for (let i = 0; i < segment.length; i++) {
    if (segment[i] !== "%") {
      text += segment[i];
      continue;
    }
    const hex = segment.slice(i + 1, i + 3);
    if (!kHex.test(hex)) return null;
    const byte = String.fromCharCode(parseInt(hex, 16));
    if (byte === "\0" || kPlain.test(byte)) return null;
    text += byte;
    i += 2;
  }
  return text;
}

/** The path below the directory that a request means, or null. */
function pathBelow(rest) {
  const out = [];
  for (let i = 0; i < rest.length; i++) {
    const text = decode(rest[i]);
    const isEnd = i === rest.length - 1;
    if (text === null || text === "." || text === ".." || (text === "" && !isEnd)) return null;
    out.push(text);
  }
  return out.join("/");
}

function notFound(core, parts) {
  answer.respond(core.sid, parts.id, 404, "", "", null);
}

function redirect(core, parts, path) {
  const start = parts.method.length + 1;
  const target = parts.raw.slice(start, start + parts.length);
  const query = target.indexOf("?");
  const lines = `location: ${path}/${query < 0 ? "" : target.slice(query)}\r\n`;
  answer.respond(core.sid, parts.id, 301, "", lines, null);
}

/** @param target { directory, depth } of a route; `depth` segments of the path are the route's */
exports.answerDirectory = function answerDirectory(core, parts, target) {
  const path = parts.path();
  let below = pathBelow(path.split("/").slice(target.depth));
  if (below === null) {
    notFound(core, parts);
    return;
  }
  let opened = answer.openBelow(target.directory, below);
  if (opened === EISDIR) {
    if (!path.endsWith("/")) {
      redirect(core, parts, path);
      return;
    }
    below += "index.html";
    opened = answer.openBelow(target.directory, below);
  }
  if (typeof opened === "number") {
    notFound(core, parts);
    return;
  }
  const [, size, modified] = opened;
  const tag = `W/"${size.toString(16)}-${Math.floor(modified / 1000).toString(16)}"`;
  const lines = `content-type: ${typeOf(below)}\r\netag: ${tag}\r\naccept-ranges: bytes\r\n`;
  sendFile(core, parts, { opened }, { status: 200, reason: "", lines }, true);
};
