// internal/serve/error_page -- the page that a browser shows in development when a handler fails:
// name,
// message, stack and causes. Everything in it is escaped.

const kStyle = "body{font:15px/1.5 system-ui,sans-serif;margin:0;background:#fafafa;color:#222}" +
  "main{max-width:60rem;margin:3rem auto;padding:0 1rem}h1{font-size:1.1rem;color:#777;" +
  "font-weight:400}h2{color:#c22;font-size:1.4rem;overflow-wrap:anywhere}pre{background:#fff;" +
  "border:1px solid #ddd;border-radius:6px;padding:1rem;overflow:auto;font-size:13px}" +
  "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}pre{background:#222;" +
  "border-color:#333}}";
const CAUSES_MAX = 8;

const kEntities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text) => `${text}`.replace(/[&<>"']/g, (c) => kEntities[c]);

function textOf(read) {
  try {
    return `${read()}`;
  } catch {
    return "";
  }
}

function section(error) {
  const isError = error instanceof Error;
  const { formatLog } = require("internal/inspect");
  const name = isError ? textOf(() => error.name) : "error";
  const message = isError ? textOf(() => error.message) : textOf(() => error);
  const detail = isError ? textOf(() => formatLog([error], { colors: false, level: "error" })) : "";
  return `<h2>${escape(name)}: ${escape(message)}</h2>` +
    (detail === "" ? "" : `<pre>${escape(detail)}</pre>`);
}

/** HTML. */
exports.errorPage = function errorPage(error, method, url) {
  let body = "";
  let current = error;
  for (let i = 0; i < CAUSES_MAX && current !== undefined && current !== null; i++) {
    body += (i > 0 ? "<h1>caused by</h1>" : "") + section(current);
    current = current instanceof Error ? current.cause : undefined;
  }
  return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">" +
    "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">" +
    `<title>Internal Server Error</title><style>${kStyle}</style></head><body><main>` +
    `<h1>${escape(method)} ${escape(url)} failed</h1>${body}</main></body></html>`;
};
