// internal/serve/errors -- answers when there is no Response: the `error` handler, the page of
// development, and a bare 500.

const answer = require("internal/http_host/http_answer");
const { isResponse } = require("web/fetch/response");
const { send } = require("internal/serve/respond");

const kPlain = "content-type: text/plain\r\n";

/** Nothing can be said any more when the head is out: then the connection ends. */
function respondOrClose(core, parts, status, lines, body) {
  if (!answer.respond(core.sid, parts.id, status, "", lines, body)) {
    answer.close(core.sid, parts.id, true);
  }
  core.forget(parts.id);
}

function sendDefault(core, parts, error, request) {
  core.printError(error);
  if (!core.isDevelopment) {
    respondOrClose(core, parts, 500, kPlain, "Something went wrong!");
    return;
  }
  const { errorPage } = require("internal/serve/error_page");
  let url = "/";
  try {
    url = request === undefined ? parts.path() : request.url;
  } catch {
    // The page can do without it.
  }
  const page = errorPage(error, parts.method, url);
  respondOrClose(core, parts, 500, "content-type: text/html;charset=utf-8\r\n", page);
}

exports.fail = function fail(core, parts, error, request) {
  if (core.error === null) {
    sendDefault(core, parts, error, request);
    return;
  }
  const finish = (value) => {
    if (!isResponse(value)) {
      sendDefault(core, parts, error, request);
      return;
    }
    try {
      send(core, parts, value);
    } catch (inner) {
      sendDefault(core, parts, inner, request);
    }
  };
  let result;
  try {
    result = Reflect.apply(core.error, core.server, [error]);
  } catch (inner) {
    sendDefault(core, parts, inner, request);
    return;
  }
  if (!(result instanceof Promise)) {
    finish(result);
    return;
  }
  result.then(finish, (inner) => sendDefault(core, parts, inner, request));
};

/** A handler has returned something else. */
exports.sendNoResponse = function sendNoResponse(core, parts, value) {
  const { bunInspect } = require("internal/inspect");
  const text = value === undefined ? "undefined" : bunInspect(value);
  core.printError(new Error(`Expected a Response object, but received '${text}'`));
  if (core.isDevelopment && core.error === null) {
    respondOrClose(
      core, parts, 200, "content-type: text/plain;charset=utf-8\r\n",
      "Welcome to Bun! To get started, return a Response object.",
    );
    return;
  }
  respondOrClose(core, parts, 204, "", null);
};
