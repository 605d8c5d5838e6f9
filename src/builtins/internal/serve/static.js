// internal/serve/static -- routes that need no handler: responses made once, files.

const answer = require("internal/http_host/http_answer");
const { takeResponse } = require("web/fetch/response");
const { share } = require("web/blob/bytes");
const { kinds } = require("web/fetch/body");
const { linesOf } = require("internal/serve/respond");

/** A Response as it goes out every time: { status, reason, lines, body, etag } or { file, ... }. */
function prepare(response) {
  const out = {};
  takeResponse(response, out);
  const { kind, value, status, statusText: reason } = out;
  let lines = linesOf(out.headers, out.type);
  let body = null;
  if (kind === kinds.STRING) body = Buffer.from(value);
  else if (kind === kinds.BYTES) body = value;
  else if (kind === kinds.BLOB) {
    const pieces = require("web/blob").partsOf(value);
    if (pieces.length === 1 && typeof pieces[0].path === "string") {
      return { file: pieces[0], status, reason, lines };
    }
    body = Buffer.concat(pieces);
  } else if (kind !== kinds.NONE) {
    throw new TypeError("A static route cannot have a stream as its body");
  }
  if (body !== null) body = share(body);
  const hasTag = out.headers !== null && out.headers.includes("etag");
  const etag = status === 200 && body !== null && !hasTag ? answer.etag(body) : null;
  if (etag !== null) lines += `etag: ${etag}\r\n`;
  return { status, reason, lines, body, etag };
}

function readyFile(file) {
  const { type } = file;
  const lines = type === "" ? "" : `content-type: ${type}\r\n`;
  return { file: require("web/blob").partsOf(file)[0], status: 200, reason: "", lines };
}

/** false: the file is not there, the next handler may answer. */
exports.answerStatic = function answerStatic(core, parts, target) {
  if (target.directory !== undefined) {
    require("internal/serve/directory").answerDirectory(core, parts, target);
    return true;
  }
  if (target.ready === undefined) {
    try {
      target.ready = target.file !== undefined ?
        readyFile(target.file) :
        prepare(target.response);
    } catch (error) {
      core.fail(parts, error);
      return true;
    }
  }
  const { ready } = target;
  if (ready.file !== undefined) {
    return require("internal/serve/files").sendFile(core, parts, ready.file, ready, true);
  }
  if (ready.etag !== null && (parts.method === "GET" || parts.method === "HEAD")) {
    const known = parts.header("if-none-match");
    if (known !== null && require("internal/serve/files").matches(known, ready.etag)) {
      answer.respond(core.sid, parts.id, 304, "", `etag: ${ready.etag}\r\n`, null);
      return true;
    }
  }
  answer.respond(core.sid, parts.id, ready.status, ready.reason, ready.lines, ready.body);
  return true;
};
