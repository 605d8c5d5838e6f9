// @internal
// node:https/agent -- https.Agent: the key of a socket has everything that its TLS depends on, and
// sessions are resumed.

const { Agent: HttpAgent } = require("node:_http_agent");

const kKeyed = [
  "ca", "cert", "clientCertEngine", "ciphers", "key", "pfx", "rejectUnauthorized", "servername",
  "minVersion", "maxVersion", "secureProtocol", "crl", "honorCipherOrder", "ecdhCurve", "dhparam",
  "secureOptions", "sessionIdContext", "sigalgs", "privateKeyIdentifier", "privateKeyEngine",
];

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  HttpAgent.call(this, { __proto__: null, ...options });
  this.defaultPort = 443;
  this.protocol = "https:";
  this.maxCachedSessions = this.options.maxCachedSessions ?? 100;
  this._sessionCache = { map: {}, list: [] };
}
Object.setPrototypeOf(Agent.prototype, HttpAgent.prototype);
Object.setPrototypeOf(Agent, HttpAgent);

Agent.prototype.createConnection = function createConnection(port, host, options, callback) {
  if (port !== null && typeof port === "object") {
    callback = host;
    options = port;
  } else if (host !== null && typeof host === "object") {
    callback = options;
    options = { ...host, port };
  } else options = { ...options, port, host };
  const key = options._agentKey;
  if (key && !options.session) {
    const session = this._getSession(key);
    if (session) options = { session, ...options };
  }
  const socket = require("node:tls").connect(options);
  if (key) {
    socket.on("session", (session) => this._cacheSession(key, session));
    socket.once("close", (hadError) => {
      if (hadError) this._evictSession(key);
    });
  }
  return socket;
};

Agent.prototype.getName = function getName(options = {}) {
  let name = HttpAgent.prototype.getName.call(this, options);
  for (const key of kKeyed) {
    name += ":";
    const value = options[key];
    const isSkipped = key === "servername" && value === options.host;
    if (value === undefined || value === null || isSkipped) continue;
    name += key === "sigalgs" ? JSON.stringify(value) : value;
  }
  return name;
};

Agent.prototype._getSession = function _getSession(key) {
  return this._sessionCache.map[key];
};

Agent.prototype._cacheSession = function _cacheSession(key, session) {
  if (this.maxCachedSessions === 0) return;
  const { map, list } = this._sessionCache;
  if (map[key] === undefined) {
    if (list.length >= this.maxCachedSessions) delete map[list.shift()];
    list.push(key);
  }
  map[key] = session;
};

Agent.prototype._evictSession = function _evictSession(key) {
  const { map, list } = this._sessionCache;
  const i = list.indexOf(key);
  if (i < 0) return;
  list.splice(i, 1);
  delete map[key];
};

exports.Agent = Agent;
