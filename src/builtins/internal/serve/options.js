// internal/serve/options -- what Bun.serve() and server.reload() are given.

const errors = require("internal/errors");
const { Routes } = require("internal/serve/routes");

const PORT_MAX = 65535;
const IDLE_MAX = 255;

function invalid(text) {
  return errors.makeCoded("TypeError", "ERR_INVALID_ARG_TYPE", text);
}

function toFunction(value, name) {
  if (value === undefined || value === null) return null;
  if (typeof value !== "function") throw invalid(`Expected ${name} to be a function`);
  return value;
}

function defaultPort() {
  for (const name of ["BUN_PORT", "PORT", "NODE_PORT"]) {
    const text = process.env[name];
    if (text !== undefined && /^\d+$/.test(text) && +text <= PORT_MAX) return +text;
  }
  return 3000;
}

function toPort(value) {
  if (value === undefined || value === null) return defaultPort();
  const port = Number(value);
  if (!Number.isInteger(port) || port < 0 || port > PORT_MAX) {
    if (Number.isFinite(port)) return Math.min(Math.max(Math.trunc(port), 0), PORT_MAX);
    throw new RangeError(`Invalid port: ${String(value)}`);
  }
  return port;
}

function toSeconds(value, fallback) {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== "number" || Number.isNaN(value)) {
    throw invalid("idleTimeout must be a number of seconds");
  }
  if (value < 0 || value > IDLE_MAX) {
    throw invalid(`idleTimeout must be between 0 and ${IDLE_MAX} seconds`);
  }
  return value;
}

/** What reload() can change. */
exports.readHandlers = function readHandlers(options, core) {
  const { routes, static: old, websocket } = options;
  const fetch = toFunction(options.fetch, "options.fetch");
  const table = routes ?? old;
  if (table !== undefined && table !== null && typeof table !== "object") {
    throw invalid("Bun.serve expects 'routes' to be an object");
  }
  const hasRoutes = table !== undefined && table !== null && Object.keys(table).length > 0;
  if (fetch === null && !hasRoutes) {
    throw invalid(
      "Bun.serve() needs either:\n\n  - A routes object:\n     routes: {\n       \"/path\": {\n" +
        "         GET: (req) => new Response(\"Hello\")\n       }\n     }\n\n" +
        "  - Or a fetch handler:\n" +
        "     fetch: (req) => {\n       return new Response(\"Hello\")\n     }\n\nLearn more at " +
        "https://bun.com/docs/api/http",
    );
  }
  core.fetch = fetch;
  core.error = toFunction(options.error, "options.error");
  core.routes = hasRoutes ? new Routes(table) : null;
  if (websocket !== undefined && websocket !== null) {
    core.websocket = require("internal/serve/websocket").readOptions(websocket);
  }
};

/** What is fixed once the server listens. */
exports.readFixed = function readFixed(options) {
  const { unix, hostname, development, maxRequestBodySize } = options;
  if (unix !== undefined && typeof unix !== "string") {
    throw invalid("Expected unix to be a string");
  }
  if (hostname !== undefined && hostname !== null && typeof hostname !== "string") {
    throw invalid("Expected hostname to be a string");
  }
  const { http1, http2, http3 } = options;
  if (http3) throw new Error("not implemented: HTTP/3 (the option http3 of Bun.serve)");
  const hasH1 = http1 === undefined || http1 === null || !!http1;
  if (!hasH1 && !http2) throw invalid("Cannot disable http1 without enabling http2 or http3");
  const size = maxRequestBodySize === undefined ? 128 * 1024 * 1024 : Number(maxRequestBodySize);
  return {
    unix: unix === "" ? undefined : unix,
    hostname: hostname ?? "",
    port: unix ? 0 : toPort(options.port),
    idleTimeout: toSeconds(options.idleTimeout, 10),
    bodyMax: size > 0 ? size : 0,
    isDevelopment: development === undefined || development === null ?
      process.env.NODE_ENV !== "production" : !!development,
    reusePort: !!options.reusePort,
    ipv6Only: !!options.ipv6Only,
    id: options.id === undefined || options.id === null ? "" : `${options.id}`,
    tls: options.tls,
    hasH2: !!http2,
    hasH1,
  };
};
