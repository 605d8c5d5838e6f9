// node:_http_agent -- http.Agent: sockets that requests share (Node: lib/_http_agent.js).

const EventEmitter = require("node:events");
const net = require("node:net");
const { validateNumber, validateOneOf, validateString } = require("internal/validators");

const kOnKeylog = Symbol("onkeylog");
const kRequestOptions = Symbol("requestOptions");

function onFreeSocketError() {
  this.destroy();
  this.emit("agentRemove");
}

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  EventEmitter.call(this);
  this.options = { __proto__: null, ...options };
  this.options.noDelay ??= true;
  // What agents connect to is a port, not a path.
  this.options.path = null;
  this.defaultPort = this.options.defaultPort || 80;
  this.protocol = this.options.protocol || "http:";
  this.requests = { __proto__: null };
  this.sockets = { __proto__: null };
  this.freeSockets = { __proto__: null };
  this.keepAliveMsecs = this.options.keepAliveMsecs || 1000;
  this.keepAlive = this.options.keepAlive || false;
  this.maxSockets = this.options.maxSockets || Agent.defaultMaxSockets;
  this.maxFreeSockets = this.options.maxFreeSockets || 256;
  this.scheduling = this.options.scheduling || "lifo";
  this.maxTotalSockets = this.options.maxTotalSockets;
  this.totalSocketCount = 0;
  const { agentKeepAliveTimeoutBuffer: buffer } = this.options;
  this.agentKeepAliveTimeoutBuffer = buffer >= 0 && Number.isFinite(buffer) ? buffer : 1000;
  validateOneOf(this.scheduling, "scheduling", ["fifo", "lifo"]);
  if (this.maxTotalSockets !== undefined) {
    validateNumber(this.maxTotalSockets, "maxTotalSockets", 1);
  } else this.maxTotalSockets = Infinity;
  this.on("free", onFree);
  this.on("newListener", maybeEnableKeylog);
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);
Agent.defaultMaxSockets = Infinity;

/** A socket has done its request. */
function onFree(socket, options) {
  const name = this.getName(options);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requests = this.requests[name];
  if (requests?.length) {
    const req = requests.shift();
    setRequestSocket(this, req, socket);
    if (requests.length === 0) delete this.requests[name];
    return;
  }
  // It is kept if the request allowed that and there is room.
  const req = socket._httpMessage;
  if (!req || !req.shouldKeepAlive || !this.keepAlive) {
    socket.destroy();
    return;
  }
  const free = this.freeSockets[name] ?? [];
  const count = free.length + (this.sockets[name]?.length ?? 0);
  if (this.totalSocketCount > this.maxTotalSockets || count > this.maxSockets ||
    free.length >= this.maxFreeSockets || !this.keepSocketAlive(socket)) {
    socket.destroy();
    return;
  }
  this.freeSockets[name] = free;
  socket._httpMessage = null;
  this.removeSocket(socket, options);
  // The total counts free ones, too.
  this.totalSocketCount++;
  socket.once("error", onFreeSocketError);
  free.push(socket);
}

function maybeEnableKeylog(event) {
  if (event !== "keylog" || this[kOnKeylog] !== undefined) return;
  const agent = this;
  this[kOnKeylog] = function onkeylog(keylog) {
    agent.emit("keylog", keylog, this);
  };
  for (const list of Object.values(this.sockets)) {
    for (const socket of list) socket.on("keylog", this[kOnKeylog]);
  }
}

Agent.prototype.createConnection = function createConnection(...args) {
  return net.createConnection(...args);
};

/** A key for sockets that may stand in for one another. */
Agent.prototype.getName = function getName(options = {}) {
  let name = `${options.host || "localhost"}:`;
  if (options.port) name += options.port;
  name += ":";
  if (options.localAddress) name += options.localAddress;
  if (options.family === 4 || options.family === 6) name += `:${options.family}`;
  if (options.socketPath) name += `:${options.socketPath}`;
  return name;
};

function addServerName(options, req) {
  if (options.servername || options.servername === "") return;
  let name = options.host;
  const header = req.getHeader("host");
  if (header) {
    validateString(header, "options.headers.host");
    // An IPv6 address in brackets, or name:port.
    name = header.startsWith("[") ? header.slice(1, header.indexOf("]")) : header.split(":", 1)[0];
  }
  options.servername = net.isIP(name ?? "") ? "" : name;
}

function takeFree(agent, name) {
  const free = agent.freeSockets[name];
  if (free === undefined) return undefined;
  while (free.length > 0 && free[0].destroyed) {
    free.shift();
    agent.totalSocketCount--;
  }
  const socket = agent.scheduling === "fifo" ? free.shift() : free.pop();
  if (free.length === 0) delete agent.freeSockets[name];
  return socket;
}

Agent.prototype.addRequest = function addRequest(req, options, port, localAddress) {
  if (typeof options === "string") options = { __proto__: null, host: options, port, localAddress };
  options = { __proto__: null, ...options, ...this.options };
  if (options.socketPath) options.path = options.socketPath;
  addServerName(options, req);
  const name = this.getName(options);
  this.sockets[name] ??= [];
  const socket = takeFree(this, name);
  const count = (this.freeSockets[name]?.length ?? 0) + this.sockets[name].length;
  if (socket) {
    this.reuseSocket(socket, req);
    setRequestSocket(this, req, socket);
    this.sockets[name].push(socket);
  } else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
    this.createSocket(req, options, (error, created) => {
      if (error) req.onSocket(created, error);
      else setRequestSocket(this, req, created);
    });
  } else {
    this.requests[name] ??= [];
    req[kRequestOptions] = options;
    this.requests[name].push(req);
  }
};

Agent.prototype.createSocket = function createSocket(req, options, callback) {
  options = { __proto__: null, ...options, ...this.options };
  if (options.socketPath) options.path = options.socketPath;
  addServerName(options, req);
  const name = this.getName(options);
  // By this an https.Agent finds the TLS session to resume.
  options._agentKey = name;
  options.encoding = null;
  let isCalled = false;
  const done = (error, socket) => {
    if (isCalled) return;
    isCalled = true;
    if (error) {
      callback(error);
      return;
    }
    this.sockets[name] ??= [];
    this.sockets[name].push(socket);
    this.totalSocketCount++;
    installListeners(this, socket, options);
    callback(null, socket);
  };
  if (this.keepAlive) {
    options.keepAlive = this.keepAlive;
    options.keepAliveInitialDelay = this.keepAliveMsecs;
  }
  const socket = this.createConnection(options, done);
  if (socket) done(null, socket);
};

function installListeners(agent, socket, options) {
  const onFreeSocket = () => agent.emit("free", socket, options);
  const onClose = () => agent.removeSocket(socket, options);
  const onTimeout = () => {
    // Of those in use the request decides.
    const isFree = Object.values(agent.freeSockets).some((list) => list.includes(socket));
    if (isFree) socket.destroy();
  };
  const onRemove = () => {
    agent.removeSocket(socket, options);
    socket.removeListener("close", onClose);
    socket.removeListener("free", onFreeSocket);
    socket.removeListener("timeout", onTimeout);
    socket.removeListener("agentRemove", onRemove);
  };
  socket.on("free", onFreeSocket);
  socket.on("close", onClose);
  socket.on("timeout", onTimeout);
  socket.on("agentRemove", onRemove);
  if (agent[kOnKeylog]) socket.on("keylog", agent[kOnKeylog]);
}

/** A request that waits for a socket to that host, or to any if only the total is limited. */
function findWaiting(agent, name) {
  if (agent.requests[name]?.length) return agent.requests[name][0];
  for (const key of Object.keys(agent.requests)) {
    if (agent.sockets[key]?.length) return undefined;
    return agent.requests[key][0];
  }
  return undefined;
}

Agent.prototype.removeSocket = function removeSocket(socket, options) {
  const name = this.getName(options);
  const sets = [this.sockets];
  // A socket that can be used no more may be among the free ones.
  if (!socket.writable) sets.push(this.freeSockets);
  for (const set of sets) {
    const list = set[name];
    const i = list === undefined ? -1 : list.indexOf(socket);
    if (i < 0) continue;
    list.splice(i, 1);
    if (list.length === 0) delete set[name];
    this.totalSocketCount--;
  }
  const req = findWaiting(this, name);
  if (req === undefined || !req[kRequestOptions]) return;
  const reqOptions = req[kRequestOptions];
  this.createSocket(req, reqOptions, (error, created) => {
    if (error) {
      req.onSocket(null, error);
      return;
    }
    created.emit("free");
  });
};

Agent.prototype.keepSocketAlive = function keepSocketAlive(socket) {
  socket.setKeepAlive(true, this.keepAliveMsecs);
  socket.unref();
  let timeout = this.options.timeout || 0;
  const hint = /^timeout=(\d+)/.exec(socket._httpMessage?.res?.headers["keep-alive"] ?? "")?.[1];
  if (hint) {
    const ms = Number(hint) * 1000 - this.agentKeepAliveTimeoutBuffer;
    if (ms <= 0) return false;
    if (timeout === 0 || ms < timeout) timeout = ms;
  }
  if (socket.timeout !== timeout) socket.setTimeout(timeout);
  return true;
};

Agent.prototype.reuseSocket = function reuseSocket(socket, req) {
  req.reusedSocket = true;
  socket.removeListener("error", onFreeSocketError);
  socket.ref();
};

Agent.prototype.destroy = function destroy() {
  for (const set of [this.freeSockets, this.sockets]) {
    for (const list of Object.values(set)) for (const socket of [...list]) socket.destroy();
  }
};

function setRequestSocket(agent, req, socket) {
  req.onSocket(socket);
  const agentTimeout = agent.options.timeout || 0;
  if (req.timeout === undefined || req.timeout === agentTimeout) return;
  socket.setTimeout(req.timeout);
}

let globalAgent = new Agent({ keepAlive: true, scheduling: "lifo", timeout: 5000 });

exports.Agent = Agent;
Object.defineProperty(exports, "globalAgent", {
  configurable: true, enumerable: true, get: () => globalAgent,
});
exports.setGlobalAgent = (value) => {
  globalAgent = value;
};
