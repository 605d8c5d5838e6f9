// node:url -- (Node: url). The old API is in internal/url_legacy, files are in internal/file_url.

const { lazies, lazy } = require("internal/process_util");

const from = (names, load) => lazies(exports, names, (name) => load()[name]);
const legacy = () => require("internal/url_legacy");
const files = () => require("internal/file_url");

from(["Url", "parse", "resolve", "resolveObject", "format"], legacy);
lazy(exports, "URL", () => require("web/url").URL);
if ("URLPattern" in globalThis) lazy(exports, "URLPattern", () => globalThis.URLPattern);
lazy(exports, "URLSearchParams", () => require("web/url").URLSearchParams);

function domainOf(args) {
  if (args.length > 0) return `${args[0]}`;
  const { ERR_MISSING_ARGS } = require("internal/errors");
  throw new ERR_MISSING_ARGS("domain");
}

exports.domainToASCII = function domainToASCII(domain) {
  return require("web/url").domainToASCII(domainOf(arguments));
};

exports.domainToUnicode = function domainToUnicode(domain) {
  return require("web/url").domainToUnicode(domainOf(arguments));
};

from(["pathToFileURL", "fileURLToPath", "fileURLToPathBuffer"], files);

/** A URL object as the options of http.request. */
exports.urlToHttpOptions = function urlToHttpOptions(url) {
  require("internal/validators").validateObject(url, "url", {
    allowArray: true, allowFunction: true,
  });
  const { hostname, pathname, port, username, password, search } = url;
  const options = {
    __proto__: null,
    ...url, // what the program has added
    protocol: url.protocol,
    hostname: hostname && hostname[0] === "[" ? hostname.slice(1, -1) : hostname,
    hash: url.hash,
    search,
    pathname,
    path: `${pathname || ""}${search || ""}`,
    href: url.href,
  };
  if (port !== "") options.port = Number(port);
  if (username || password) {
    options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  }
  return options;
};
