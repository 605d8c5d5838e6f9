// node:https -- HTTP over TLS: servers are tls.Server, agents connect with tls.connect.

const { lazy } = require("internal/process_util");

function request(...args) {
  let options = {};
  if (typeof args[0] === "string") {
    options = require("node:url").urlToHttpOptions(new URL(args.shift()));
  } else if (require("web/url").isURL(args[0])) {
    options = require("node:url").urlToHttpOptions(args.shift());
  }
  if (args[0] && typeof args[0] !== "function") Object.assign(options, args.shift());
  options._defaultAgent = exports.globalAgent;
  return new (require("node:_http_client").ClientRequest)(options, ...args);
}

exports.request = request;
exports.get = function get(input, options, callback) {
  const req = request(input, options, callback);
  req.end();
  return req;
};
exports.createServer = function createServer(options, listener) {
  return new exports.Server(options, listener);
};
lazy(exports, "Server", () => require("node:https/server").Server);
lazy(exports, "Agent", () => require("node:https/agent").Agent);

let agent;
Object.defineProperty(exports, "globalAgent", {
  configurable: true,
  enumerable: true,
  get() {
    agent ??= new exports.Agent({ keepAlive: true, scheduling: "lifo", timeout: 5000 });
    return agent;
  },
  set(value) {
    agent = value;
  },
});
