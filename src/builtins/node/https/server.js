// @internal
// node:https/server -- https.Server.

const tls = require("node:tls");
const http = require("node:_http_server");

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  if (typeof options === "function") {
    listener = options;
    options = undefined;
  } else if (options !== undefined && options !== null) {
    require("internal/validators").validateObject(options, "options");
  }
  options = { __proto__: null, ...options };
  options.ALPNProtocols ??= options.ALPNCallback ? undefined : ["http/1.1"];
  // Without it the end of an answer waits for the acknowledgement of its beginning.
  options.noDelay ??= true;
  http.storeHTTPOptions.call(this, options);
  tls.Server.call(this, options, (socket) => {
    require("node:_http_server/slow").connectionListener(this, socket);
  });
  this.httpAllowHalfOpen = false;
  if (listener) this.addListener("request", listener);
  this.addListener("tlsClientError", (error, socket) => {
    if (!this.emit("clientError", error, socket)) socket.destroy(error);
  });
  this.timeout = 0;
  this.maxHeadersCount = null;
  this.maxRequestsPerSocket = 0;
  this.kClasses = http.kClasses;
}
Object.setPrototypeOf(Server.prototype, tls.Server.prototype);
Object.setPrototypeOf(Server, tls.Server);

Server.prototype.setTimeout = http.Server.prototype.setTimeout;
Server.prototype.closeAllConnections = function closeAllConnections() {
  for (const socket of [...this.slowSockets ?? []]) socket.destroy();
};
Server.prototype.closeIdleConnections = function closeIdleConnections() {
  const { isIdle } = require("node:_http_server/slow");
  for (const socket of [...this.slowSockets ?? []]) if (isIdle(socket)) socket.destroy();
};
Server.prototype.close = function close(...args) {
  this.closeIdleConnections();
  this[http.kConnectionsCheckingInterval]._destroyed = true;
  return Reflect.apply(tls.Server.prototype.close, this, args);
};
Server.prototype[Symbol.asyncDispose] = http.Server.prototype[Symbol.asyncDispose];

exports.Server = Server;
