// @internal
// node:tls/server -- tls.Server: a net.Server whose connections are TLSSockets.
const errors = require("internal/errors");
const { validateFunction, validateNumber, validateString } = require("internal/validators");
const { Server: NetServer } = require("node:net/server");
const { TLSSocket } = require("node:tls/tls_socket");
const { createSecureContext } = require("node:tls/context");

const kHandshakeTimeout = Symbol("handshake-timeout");
const kSni = Symbol("snicallback");

function onConnection(socket) {
  const tls = new TLSSocket(socket, {
    secureContext: this._sharedCreds,
    isServer: true,
    server: this,
    requestCert: this.requestCert,
    rejectUnauthorized: this.rejectUnauthorized,
    handshakeTimeout: this[kHandshakeTimeout],
    ALPNProtocols: this.ALPNProtocols,
    ALPNCallback: this.ALPNCallback,
    SNICallback: this[kSni] || contextByName.bind(this),
    pauseOnConnect: this.pauseOnConnect,
  });
  socket.on("error", () => {});
  tls._server = null;
}

/** The contexts that addContext() was given, the latest first. */
function contextByName(servername, callback) {
  for (const [pattern, context] of this._contexts) {
    if (pattern.test(servername)) {
      callback(null, context);
      return;
    }
  }
  callback(null, undefined);
}

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  if (typeof options === "function") {
    listener = options;
    options = {};
  } else if (options == null || typeof options === "object") {
    options ??= {};
  } else {
    throw new errors.ERR_INVALID_ARG_TYPE("options", "Object", options);
  }
  this._contexts = [];
  this.requestCert = options.requestCert === true;
  this.rejectUnauthorized = options.rejectUnauthorized !== false;
  if (options.sessionTimeout) this.sessionTimeout = options.sessionTimeout;
  if (options.ticketKeys) this.ticketKeys = options.ticketKeys;
  if (options.ALPNProtocols) {
    require("node:tls").convertALPNProtocols(options.ALPNProtocols, this);
  }
  if (options.ALPNCallback) {
    validateFunction(options.ALPNCallback, "options.ALPNCallback");
    if (options.ALPNProtocols) throw new errors.ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
    this.ALPNCallback = options.ALPNCallback;
  }
  this.setSecureContext(options);
  this[kHandshakeTimeout] = options.handshakeTimeout || 120 * 1000;
  this[kSni] = options.SNICallback;
  validateNumber(this[kHandshakeTimeout], "options.handshakeTimeout");
  if (this[kSni]) validateFunction(this[kSni], "options.SNICallback");
  NetServer.call(this, options, onConnection);
  if (listener) this.on("secureConnection", listener);
}
Object.setPrototypeOf(Server.prototype, NetServer.prototype);
Object.setPrototypeOf(Server, NetServer);

Server.prototype.setSecureContext = function setSecureContext(options) {
  if (options === null || typeof options !== "object") {
    throw new errors.ERR_INVALID_ARG_TYPE("options", "Object", options);
  }
  const kept = this._contextOptions ?? {};
  const names = ["pfx", "key", "passphrase", "cert", "clientCertEngine", "ca", "crl", "sigalgs",
    "ciphers", "ecdhCurve", "dhparam", "minVersion", "maxVersion", "secureProtocol",
    "sessionIdContext", "secureOptions", "sessionTimeout", "ticketKeys",
    "allowPartialTrustChain"];
  const used = {};
  for (const name of names) if (options[name] !== undefined) used[name] = options[name];
  used.honorCipherOrder = options.honorCipherOrder !== undefined ? !!options.honorCipherOrder
    : true;
  used.sessionIdContext ??= kept.sessionIdContext ?? sessionContext();
  this._contextOptions = used;
  this._sharedCreds = createSecureContext(used);
};

/** Sessions are good for one program only. */
function sessionContext() {
  return process.argv.join(" ").slice(-32) || "cob";
}

Server.prototype._getServerData = function _getServerData() {
  return { ticketKeys: this.getTicketKeys().toString("hex") };
};

Server.prototype.getTicketKeys = function getTicketKeys() {
  if (!this.ticketKeys) {
    this.ticketKeys = require("node:crypto").randomBytes(48);
    this.setTicketKeys(this.ticketKeys);
  }
  return this.ticketKeys;
};

Server.prototype.setTicketKeys = function setTicketKeys(keys) {
  if (!ArrayBuffer.isView(keys)) {
    throw new errors.ERR_INVALID_ARG_TYPE("buffer", ["Buffer", "TypedArray", "DataView"], keys);
  }
  if (keys.byteLength !== 48) {
    throw new errors.ERR_INVALID_ARG_VALUE("keys", keys.byteLength,
      "Session ticket keys must be a 48-byte buffer");
  }
  this.ticketKeys = keys;
  this._contextOptions.ticketKeys = keys;
  this._sharedCreds = createSecureContext(this._contextOptions);
};

Server.prototype.addContext = function addContext(servername, context) {
  if (!servername) throw new errors.ERR_TLS_REQUIRED_SERVER_NAME();
  validateString(servername, "hostname");
  const pattern = new RegExp(
    `^${servername.replace(/([.^$+?\-\\[\]{}])/g, "\\$1").replace(/\*/g, "[^.]*")}$`, "i");
  const made = context.context ? context : createSecureContext(context);
  this._contexts.unshift([pattern, made]);
};

Server.prototype[Symbol.for("nodejs.rejection")] = function (err, event, socket) {
  if (event === "secureConnection") socket.destroy(err);
  else this.emit("error", err);
};

exports.Server = Server;
