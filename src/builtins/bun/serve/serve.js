// @internal
// bun:serve -- Bun.serve() and the object it returns.

const errors = require("internal/errors");
const host = require("internal/http_host");
const answer = require("internal/http_host/http_answer");
const { isRequest, partsOf } = require("web/fetch/request");
const { Core } = require("internal/serve/core");
const { readHandlers, readFixed } = require("internal/serve/options");
const { kOptions } = host;
const http = host.native;

const kReusePort = 1;
const kIpv6Only = 2;
const BACKLOG = 512;
const HEAD_MS = 60_000;
const kServers = new Map();
let coreOf;

class HTTPServer {
  #core;
  #fixed;
  #port;
  #stopping = null;
  #url = null;

  constructor(core, fixed, port) {
    this.#core = core;
    this.#fixed = fixed;
    this.#port = port;
  }

  get address() {
    if (this.#core.sid < 0) return null;
    if (this.#fixed.unix !== undefined) return this.#fixed.unix;
    const found = http.address(this.#core.sid);
    if (found === undefined) return null;
    return { address: found[0], family: found[2] === 6 ? "IPv6" : "IPv4", port: found[1] };
  }

  closeIdleConnections() {
    http.closeIdle(this.#core.sid);
  }

  get development() {
    return this.#core.isDevelopment;
  }

  /** Answers a Request without the network. */
  fetch(input, init) {
    const { Request } = globalThis;
    let request = input;
    if (typeof input === "string" && input.startsWith("/")) {
      request = new Request(new URL(input, this.url).href, init);
    } else if (!isRequest(input) || init !== undefined) request = new Request(input, init);
    return require("internal/serve/local").fetchLocal(this.#core, request);
  }

  get hostname() {
    if (this.#fixed.unix !== undefined) return undefined;
    return this.#fixed.hostname === "" ? "localhost" : this.#fixed.hostname;
  }

  get id() {
    return this.#fixed.id;
  }

  get pendingRequests() {
    return http.counts(this.#core.sid) % 16777216;
  }

  get pendingWebSockets() {
    return this.#core.sockets?.size ?? 0;
  }

  get port() {
    return this.#fixed.unix === undefined ? this.#port : undefined;
  }

  get protocol() {
    return this.#core.isSecure ? "https" : "http";
  }

  publish(topic, data, compress) {
    return require("internal/serve/websocket").publish(this.#core, null, topic, data, compress);
  }

  ref() {
    http.ref(this.#core.sid, true);
  }

  reload(options) {
    if (options === null || typeof options !== "object") {
      throw new TypeError("reload requires an object");
    }
    readHandlers(options, this.#core);
    const { tls } = options;
    if (this.#core.isSecure && tls !== undefined && tls !== null) {
      require("internal/serve/tls").useTls(this.#core.sid, tls);
    }
    return this;
  }

  requestIP(request) {
    const parts = partsOfRequest(request);
    const found = parts === null ? undefined : http.peer(this.#core.sid, parts.id, false);
    if (found === undefined || found[2] === 0) return null;
    return { address: found[0], family: found[2] === 6 ? "IPv6" : "IPv4", port: found[1] };
  }

  stop(closeActiveConnections = false) {
    const core = this.#core;
    if (this.#stopping === null) {
      this.#stopping = new Promise((resolve) => {
        core.onStopped = () => {
          core.sid = -1;
          resolve();
        };
      });
      kServers.delete(this.#fixed.id);
    }
    if (core.sid >= 0) {
      if (core.sockets !== null && closeActiveConnections) core.closeSockets();
      http.stop(core.sid, !!closeActiveConnections);
    }
    return this.#stopping;
  }

  subscriberCount(topic) {
    return this.#core.topics?.get(`${topic}`)?.size ?? 0;
  }

  timeout(request, seconds) {
    const parts = partsOfRequest(request);
    if (typeof seconds !== "number" || !(seconds >= 0)) {
      throw new errors.ERR_INVALID_ARG_TYPE("seconds", "number", seconds);
    }
    if (parts !== null) answer.timeout(this.#core.sid, parts.id, Math.ceil(seconds * 1000));
  }

  unref() {
    http.ref(this.#core.sid, false);
  }

  upgrade(request, options) {
    const parts = partsOfRequest(request);
    if (this.#core.websocket === null) {
      throw new TypeError(
        "To enable websocket support, set the \"websocket\" object in Bun.serve({})",
      );
    }
    if (parts === null) return false;
    return require("internal/serve/websocket").upgrade(this.#core, parts, options);
  }

  get url() {
    this.#url ??= new URL(this.#core.href);
    return this.#url;
  }

  [Symbol.dispose]() {
    this.stop(true);
  }

  async [Symbol.asyncDispose]() {
    await this.stop(true);
  }

  static {
    coreOf = (server) => server.#core;
  }
}

Object.defineProperty(HTTPServer.prototype, Symbol.toStringTag, {
  value: "HTTPServer", configurable: true,
});

/** The parts of a request that came over the network, or null. */
function partsOfRequest(request) {
  if (!isRequest(request)) throw new TypeError("Expected a Request object");
  const parts = partsOf(request);
  return parts !== null && parts.core !== undefined ? parts : null;
}

function listenError(rc, fixed) {
  const name = require("internal/errors/system").systemErrorName(rc);
  const isLookup = name.startsWith("EAI_");
  const code = name === "EAI_NONAME" ? "ENOTFOUND" : name;
  const isUnix = fixed.unix !== undefined;
  let where = isUnix ? `unix socket ${fixed.unix}` : `port ${fixed.port}`;
  if (isLookup) where = fixed.hostname;
  const text = code === "EADDRINUSE" ? `Failed to start server. Is ${where} in use?` :
    `Failed to start server: ${code} on ${where}`;
  const error = new Error(text);
  error.errno = rc;
  error.code = code;
  error.syscall = isLookup ? "getaddrinfo" : "listen";
  return error;
}

function addressFor(hostname) {
  if (hostname === "") return "::";
  return hostname === "localhost" ? "127.0.0.1" : hostname.replace(/^\[(.*)\]$/, "$1");
}

function startTls(core, tls) {
  try {
    core.isSecure = require("internal/serve/tls").useTls(core.sid, tls);
  } catch (error) {
    http.stop(core.sid, true);
    throw error;
  }
}

function start(core, fixed) {
  const flags = (fixed.reusePort ? kReusePort : 0) | (fixed.ipv6Only ? kIpv6Only : 0);
  core.open();
  if (fixed.tls) startTls(core, fixed.tls);
  const idle = Math.round(fixed.idleTimeout * 1000);
  const { set } = http;
  set(core.sid, kOptions.IDLE, idle);
  set(core.sid, kOptions.BUSY, idle);
  set(core.sid, kOptions.HEAD_MS, idle === 0 ? HEAD_MS : idle);
  set(core.sid, kOptions.BODY_MAX, fixed.bodyMax);
  set(core.sid, kOptions.HOST, 1);
  if (fixed.hasH2) set(core.sid, kOptions.H2, 1);
  if (!fixed.hasH1) set(core.sid, kOptions.NO_H1, 1);
  const isUnix = fixed.unix !== undefined;
  const rc = http.listen(
    core.sid, isUnix ? fixed.unix : addressFor(fixed.hostname), isUnix ? -1 : fixed.port, flags,
    BACKLOG,
  );
  if (rc >= 0) return rc;
  http.stop(core.sid, true);
  throw listenError(rc, fixed);
}

let isHot = false;
/** --hot: a server of the same address is the one that runs already, with new handlers. */
exports.setHot = () => {
  isHot = true;
};

exports.serve = function serve(options) {
  if (options === null || (typeof options !== "object" && typeof options !== "function")) {
    throw new TypeError("Bun.serve expects an object");
  }
  const fixed = readFixed(options);
  if (isHot && fixed.id === "" && options.id !== null) {
    fixed.id = fixed.unix ?? `${fixed.hostname}:${fixed.port}`;
  }
  const running = fixed.id === "" ? undefined : kServers.get(fixed.id);
  if (running !== undefined) return running.reload(options);
  const core = new Core();
  core.isDevelopment = fixed.isDevelopment;
  readHandlers(options, core);
  const port = start(core, fixed);
  const name = fixed.hostname === "" ? "localhost" : fixed.hostname;
  core.authority = fixed.unix !== undefined ? "localhost" :
    `${name.includes(":") && !name.startsWith("[") ? `[${name}]` : name}:${port}`;
  core.href = fixed.unix !== undefined ? `unix://${fixed.unix}` :
    `${core.isSecure ? "https" : "http"}://${core.authority}/`;
  const server = new HTTPServer(core, fixed, port);
  core.server = server;
  if (fixed.id !== "") kServers.set(fixed.id, server);
  return server;
};

exports.coreOf = coreOf;
