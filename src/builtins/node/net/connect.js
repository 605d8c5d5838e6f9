// @internal
// node:net/connect -- how a Socket gets connected: names, families, attempts, errors.
const { nextTick } = require("internal/tick");
const { Handle } = require("internal/sockets");
const errors = require("internal/errors");
const { exceptionWithHostPort } = require("internal/errors/system");
const {
  validateBoolean, validateFunction, validateInt32, validateNumber, validatePort, validateString,
} = require("internal/validators");
const { isIP, BlockList } = require("node:net/addresses");
const defaults = require("node:net/defaults");

const kAttempts = Symbol("attempts");

function connect(socket, options, callback) {
  if (callback !== null) socket.once("connect", callback);
  if (socket._parent?.connecting) return;
  const { Socket } = require("node:net/socket");
  if (socket.write !== Socket.prototype.write && Object.hasOwn(socket, "write")) {
    delete socket.write;
  }
  if (socket.destroyed) {
    socket._handle = null;
    socket._peername = undefined;
    socket._sockname = undefined;
    socket._undestroy();
    socket.resetAndClosing = false;
  }
  const { path } = options;
  const isPipe = Boolean(path);
  if (!socket._handle) socket._handle = new Handle(isPipe ? "Pipe" : "TCP", socket);
  socket._unrefTimer();
  socket.connecting = true;
  if (isPipe) {
    validateString(path, "options.path");
    connectPath(socket, path);
  } else {
    lookupAndConnect(socket, options);
  }
}

function failLater(socket, error) {
  nextTick(() => socket.destroy(error));
}

function connectPath(socket, path) {
  const rc = socket._handle.connectPath(path);
  socket._connectTo = { address: path, port: undefined };
  if (rc < 0) socket.destroy(exceptionWithHostPort(rc, "connect", path));
}

/** One attempt at one address.  An error ends the socket, unless there are other attempts. */
function connectIp(socket, address, port, family, localAddress, localPort) {
  const handle = socket._handle;
  const rc = handle.connect(address, port, localAddress ?? "", localPort ?? 0);
  socket._connectTo = { address, port, localAddress, localPort };
  if (rc === 0) return null;
  if (Array.isArray(rc)) {
    const local = localAddress || (family === 6 ? "::" : "0.0.0.0");
    return exceptionWithHostPort(rc[0], "bind", local, localPort);
  }
  return exceptionWithHostPort(rc, "connect", address, port);
}

function checkTarget(options) {
  const { localAddress, localPort, lookup } = options;
  if (localAddress && !isIP(localAddress)) throw new errors.ERR_INVALID_IP_ADDRESS(localAddress);
  if (localPort) validateNumber(localPort, "options.localPort");
  const { port } = options;
  if (port === undefined) throw new errors.ERR_MISSING_ARGS(["options", "port", "path"]);
  if (typeof port !== "number" && typeof port !== "string") {
    throw new errors.ERR_INVALID_ARG_TYPE("options.port", ["number", "string"], port);
  }
  validatePort(port);
  const { autoSelectFamily, autoSelectFamilyAttemptTimeout: timeout } = options;
  if (autoSelectFamily != null) validateBoolean(autoSelectFamily, "options.autoSelectFamily");
  if (timeout != null) validateInt32(timeout, "options.autoSelectFamilyAttemptTimeout", 1);
  if (lookup != null) validateFunction(lookup, "options.lookup");
}

function blocked(options, ip, family) {
  const list = options.blockList;
  if (!list || !list.check(ip, `ipv${family}`)) return null;
  return new errors.ERR_IP_BLOCKED(ip);
}

function lookupAndConnect(socket, options) {
  const host = options.host || "localhost";
  validateString(host, "options.host");
  checkTarget(options);
  if (options.blockList && !BlockList.isBlockList(options.blockList)) {
    throw new errors.ERR_INVALID_ARG_TYPE("options.blockList", "net.BlockList", options.blockList);
  }
  const port = options.port | 0;
  const family = isIP(host);
  if (family !== 0) {
    const error = blocked(options, host, family);
    if (error !== null) {
      failLater(socket, error);
      return;
    }
    nextTick(() => {
      if (socket.connecting) connectOnly(socket, host, port, family, options);
    });
    return;
  }
  const lookup = options.lookup ?? require("node:dns").lookup;
  const query = { family: familyOf(options.family), hints: options.hints || 0 };
  if (query.family !== 4 && query.family !== 6 && query.hints === 0) {
    query.hints = require("node:dns").ADDRCONFIG;
  }
  socket._host = host;
  const isAuto = options.autoSelectFamily ?? defaults.getDefaultAutoSelectFamily();
  if (isAuto && query.family !== 4 && query.family !== 6 && !options.localAddress) {
    lookupMany(socket, { ...options, host, port }, lookup, query);
    return;
  }
  lookupOne(socket, { ...options, host, port }, lookup, query);
}

function familyOf(family) {
  if (family === "IPv4") return 4;
  if (family === "IPv6") return 6;
  return family;
}

function connectOnly(socket, address, port, family, options) {
  const error = connectIp(socket, address, port, family, options.localAddress, options.localPort);
  if (error !== null) socket.destroy(error);
}

function lookupOne(socket, options, lookup, query) {
  const { host, port } = options;
  lookup(host, query, function emitLookup(err, ip, addressType) {
    socket.emit("lookup", err, ip, addressType, host);
    if (!socket.connecting) return;
    if (err) {
      failLater(socket, err);
    } else if (typeof ip !== "string" || !isIP(ip)) {
      failLater(socket, new errors.ERR_INVALID_IP_ADDRESS(ip));
    } else if (addressType !== 4 && addressType !== 6) {
      failLater(socket, new errors.ERR_INVALID_ADDRESS_FAMILY(addressType, host, port));
    } else {
      const error = blocked(options, ip, addressType);
      if (error !== null) {
        failLater(socket, error);
        return;
      }
      socket._unrefTimer();
      connectOnly(socket, ip, port, addressType, options);
    }
  });
}

// ---- Several addresses, one after the other (Node: autoSelectFamily)

function lookupMany(socket, options, lookup, query) {
  const { host, port } = options;
  query.all = true;
  lookup(host, query, function emitLookup(err, addresses) {
    if (!socket.connecting) return;
    if (err) {
      socket.emit("lookup", err, undefined, undefined, host);
      failLater(socket, err);
      return;
    }
    const valid = [];
    for (let i = 0; i < addresses.length; i++) {
      const { address, family } = addresses[i];
      socket.emit("lookup", err, address, family, host);
      if (isIP(address) && (family === 4 || family === 6)) valid.push({ address, family });
    }
    if (!socket.connecting) return;
    if (valid.length === 0) {
      const { address: first, family } = addresses[0] ?? {};
      failLater(
        socket,
        isIP(first)
          ? new errors.ERR_INVALID_ADDRESS_FAMILY(family, host, port)
          : new errors.ERR_INVALID_IP_ADDRESS(first),
      );
      return;
    }
    socket._unrefTimer();
    const list = alternate(valid);
    if (list.length === 1) {
      const error = blocked(options, list[0].address, list[0].family);
      if (error !== null) failLater(socket, error);
      else connectOnly(socket, list[0].address, port, list[0].family, options);
      return;
    }
    startAttempts(socket, options, list);
  });
}

/** The families take turns, beginning with that of the first. */
function alternate(list) {
  const first = list.filter((a) => a.family === list[0].family);
  const rest = list.filter((a) => a.family !== list[0].family);
  const result = [];
  for (let i = 0; i < Math.max(first.length, rest.length); i++) {
    if (i < first.length) result.push(first[i]);
    if (i < rest.length) result.push(rest[i]);
  }
  return result;
}

function startAttempts(socket, options, addresses) {
  let timeout = options.autoSelectFamilyAttemptTimeout;
  timeout = timeout == null ? defaults.getDefaultAutoSelectFamilyAttemptTimeout() : timeout;
  if (timeout < 10) timeout = 10;
  socket.autoSelectFamilyAttemptedAddresses = [];
  socket[kAttempts] = {
    socket, options, addresses, timeout, at: 0, errors: [], timer: null, kept: socket._handle,
  };
  nextAttempt(socket[kAttempts]);
}

function nextAttempt(context) {
  const { socket, addresses, options } = context;
  clearTimeout(context.timer);
  if (!socket.connecting) return;
  if (context.at === addresses.length) {
    lastFailed(context);
    return;
  }
  const { address, family } = addresses[context.at++];
  if (context.at > 1) replaceHandle(socket);
  const { port } = options;
  socket.autoSelectFamilyAttemptedAddresses.push(`${address}:${port}`);
  socket.emit("connectionAttempt", address, port, family);
  if (!socket.connecting) return;
  const error =
    blocked(options, address, family) ??
    connectIp(socket, address, port, family, undefined, options.localPort);
  if (error !== null) {
    context.errors.push(error);
    socket.emit("connectionAttemptFailed", address, port, family, error);
    nextAttempt(context);
    return;
  }
  if (context.at < addresses.length) {
    context.timer = setTimeout(attemptTimedOut, context.timeout, context, address, family);
  }
}

function replaceHandle(socket) {
  const old = socket._handle;
  socket._handle = new Handle("TCP", socket);
  socket._handle.isUnref = old.isUnref;
}

function attemptTimedOut(context, address, family) {
  const { socket, options } = context;
  const { port } = options;
  const handle = socket._handle;
  handle.owner = null;
  handle.close();
  context.errors.push(exceptionWithHostPort(-110, "connect", address, port));
  socket.emit("connectionAttemptTimeout", address, port, family);
  nextAttempt(context);
}

function lastFailed(context) {
  const { socket, errors: list } = context;
  socket[kAttempts] = undefined;
  if (list.length === 1) socket.destroy(list[0]);
  else socket.destroy(errors.aggregateErrors(list, "", list[0].code));
}

// ---- The outcome

/** rc: 0, errno, or an Error. */
function afterConnect(socket, handle, rc) {
  if (socket.destroyed || socket._handle !== handle) return;
  const context = socket[kAttempts];
  if (context !== undefined) clearTimeout(context.timer);
  const { address, port, localAddress, localPort } = socket._connectTo;
  if (rc === 0) {
    socket[kAttempts] = undefined;
    connected(socket);
    return;
  }
  let error = rc;
  if (typeof rc === "number") {
    const details = localAddress && localPort ? `${localAddress}:${localPort}` : undefined;
    error = exceptionWithHostPort(rc, "connect", address, port, details);
    if (details) Object.assign(error, { localAddress, localPort });
  }
  if (context !== undefined) {
    const { family } = context.addresses[context.at - 1];
    context.errors.push(error);
    handle.owner = null;
    socket.emit("connectionAttemptFailed", address, port, family, error);
    nextAttempt(context);
    return;
  }
  socket.connecting = false;
  socket._sockname = undefined;
  socket.destroy(error);
}

function connected(socket) {
  socket.connecting = false;
  socket._sockname = undefined;
  socket._unrefTimer();
  socket._applyOptions();
  socket.emit("connect");
  socket.emit("ready");
  if (socket.readable && !socket.isPaused() && socket._handle) socket.read(0);
}

exports.connect = connect;
exports.afterConnect = afterConnect;
