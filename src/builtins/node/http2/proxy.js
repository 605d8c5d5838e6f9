// node:http2/proxy -- session.socket: the socket, but for what would disturb the session (Node:
// http2, "http2session.socket").
// @internal
const errors = require("internal/errors");
const { kSocket } = require("node:http2/shared");

const kOfSession = new Set(["setTimeout", "ref", "unref"]);
const kForbidden = new Set(["destroy", "emit", "end", "pause", "read", "resume", "write",
  "setEncoding", "setKeepAlive", "setNoDelay"]);

function socketOf(session) {
  const socket = session[kSocket];
  if (socket === undefined) throw new errors.ERR_HTTP2_SOCKET_UNBOUND();
  return socket;
}

const handler = {
  __proto__: null,

  get(session, name) {
    if (kOfSession.has(name)) return session[name].bind(session);
    if (kForbidden.has(name)) throw new errors.ERR_HTTP2_NO_SOCKET_MANIPULATION();
    const socket = socketOf(session);
    const value = socket[name];
    return typeof value === "function" ? value.bind(socket) : value;
  },

  getPrototypeOf(session) {
    return Reflect.getPrototypeOf(socketOf(session));
  },

  set(session, name, value) {
    if (kOfSession.has(name)) {
      session[name] = value;
      return true;
    }
    if (kForbidden.has(name)) throw new errors.ERR_HTTP2_NO_SOCKET_MANIPULATION();
    socketOf(session)[name] = value;
    return true;
  },
};

exports.makeProxy = (session) => new Proxy(session, handler);
