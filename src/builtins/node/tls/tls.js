// node:tls -- what programs see of it (Node: tls).
const errors = require("internal/errors");
const { validateFunction, validateNumber } = require("internal/validators");
const { normalizeArgs } = require("node:net/args");
const { isIP } = require("node:net/addresses");
const { createSecureContext, SecureContext } = require("node:tls/context");
const binding = require("node:tls/binding");

Object.assign(exports, {
  CLIENT_RENEG_LIMIT: 3,
  CLIENT_RENEG_WINDOW: 600,
  DEFAULT_ECDH_CURVE: "auto",
  DEFAULT_MAX_VERSION: "TLSv1.3",
  DEFAULT_MIN_VERSION: "TLSv1.2",
  DEFAULT_CIPHERS: binding.defaultCiphers(),
  SecureContext,
  createSecureContext,
  checkServerIdentity(host, cert) {
    return require("node:tls/identity").checkServerIdentity(host, cert);
  },
});

const lazy = (name, make) => {
  let value;
  Object.defineProperty(exports, name, {
    __proto__: null, configurable: true, enumerable: true,
    get: () => (value ??= make()),
    set: (v) => {
      value = v;
    },
  });
};
lazy("TLSSocket", () => require("node:tls/tls_socket").TLSSocket);
lazy("Server", () => require("node:tls/server").Server);
Object.defineProperty(exports, "rootCertificates", {
  __proto__: null, configurable: false, enumerable: true,
  get: () => require("node:tls/roots").getCACertificates("bundled"),
});

exports.createServer = function createServer(options, listener) {
  return new exports.Server(options, listener);
};

let cipherNames;
exports.getCiphers = function getCiphers() {
  cipherNames ??= [...new Set(binding.ciphers().map((name) => name.toLowerCase()))].sort();
  return [...cipherNames];
};

exports.getCACertificates = function getCACertificates(type = "default") {
  return require("node:tls/roots").getCACertificates(type);
};

exports.setDefaultCACertificates = function setDefaultCACertificates(certs) {
  require("node:tls/roots").setDefaultCACertificates(certs);
};

/** A list of names, or bytes in wire form, as `out.ALPNProtocols`. */
exports.convertALPNProtocols = function convertALPNProtocols(protocols, out) {
  const { Buffer } = require("node:buffer");
  if (Array.isArray(protocols)) {
    const parts = protocols.map((protocol, i) => {
      const n = Buffer.byteLength(protocol);
      if (n > 255) {
        throw new errors.ERR_OUT_OF_RANGE(
          `The byte length of the protocol at index ${i} exceeds the maximum length.`,
          "<= 255", n, true);
      }
      return Buffer.concat([Buffer.from([n]), Buffer.from(protocol)]);
    });
    out.ALPNProtocols = Buffer.concat(parts);
  } else if (ArrayBuffer.isView(protocols)) {
    out.ALPNProtocols = Buffer.from(
      protocols.buffer.slice(protocols.byteOffset, protocols.byteOffset + protocols.byteLength));
  }
};

// ---- Connecting

function normalizeConnectArgs(args) {
  const [first, callback] = normalizeArgs(args);
  let options = first;
  if (args[1] !== null && typeof args[1] === "object") options = { ...options, ...args[1] };
  else if (args[2] !== null && typeof args[2] === "object") options = { ...options, ...args[2] };
  return [options, callback];
}

let hasWarned = false;

function allowUnauthorized() {
  const isAllowed = process.env.NODE_TLS_REJECT_UNAUTHORIZED === "0";
  if (isAllowed && !hasWarned) {
    hasWarned = true;
    process.emitWarning(
      "Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to '0' makes TLS " +
        "connections and HTTPS requests insecure by disabling certificate verification.");
  }
  return isAllowed;
}

function onConnectSecure() {
  const options = this._connectOptions;
  let error = binding.verifyError(this._handle.id);
  if (!error && !this.isSessionReused()) {
    const host = options.servername || options.host || options.socket?._host || "localhost";
    error = options.checkServerIdentity(host, this.getPeerCertificate(true));
  }
  if (error) {
    this.authorized = false;
    this.authorizationError = error.code || error.message;
    if (options.rejectUnauthorized !== false) {
      explain(error);
      this.destroy(error);
      return;
    }
  } else {
    this.authorized = true;
  }
  this.secureConnecting = false;
  this.emit("secureConnect");
  this._isVerified = true;
  const session = this._pendingSession;
  this._pendingSession = undefined;
  if (session) this.emit("session", session);
  this.removeListener("end", onConnectEnd);
}

function explain(error) {
  if (error.code !== "UNABLE_TO_VERIFY_LEAF_SIGNATURE") return;
  error.message += "; if the root CA is installed locally, try running Node.js with " +
    "--use-system-ca";
}

function onConnectEnd() {
  if (this._hadError) return;
  this._hadError = true;
  this.destroy(require("node:tls/tls_socket").disconnectedEarly(this));
}

function setName(tls, options) {
  if (options.servername === undefined || options.servername === "") {
    const name = options.host ?? options.socket?._host;
    if (options.servername === undefined && name && !isIP(name)) tls.servername = name;
    return;
  }
  if (isIP(options.servername)) {
    throw new errors.ERR_INVALID_ARG_VALUE("options.servername", options.servername,
      "Setting the TLS ServerName to an IP address is not permitted");
  }
  tls.setServername(options.servername);
}

exports.connect = function connect(...args) {
  const [given, callback] = normalizeConnectArgs(args);
  const options = {
    rejectUnauthorized: !allowUnauthorized(),
    ciphers: exports.DEFAULT_CIPHERS,
    checkServerIdentity: exports.checkServerIdentity,
    minDHSize: 1024,
    ...given,
  };
  validateFunction(options.checkServerIdentity, "options.checkServerIdentity");
  validateNumber(options.minDHSize, "options.minDHSize", 1);
  const secureContext = options.secureContext || createSecureContext(options);
  const tls = new exports.TLSSocket(options.socket, {
    allowHalfOpen: options.socket ? options.socket.allowHalfOpen : !!options.allowHalfOpen,
    pipe: !!options.path,
    secureContext,
    isServer: false,
    requestCert: true,
    rejectUnauthorized: options.rejectUnauthorized !== false,
    session: options.session,
    ALPNProtocols: options.ALPNProtocols,
    servername: nameFor(options),
    highWaterMark: options.highWaterMark,
    onread: options.onread,
    signal: options.signal,
    noDelay: options.noDelay,
    keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay,
  });
  tls._connectOptions = options;
  if (callback) tls.once("secureConnect", callback);
  setName(tls, options);
  tls._releaseControl();
  if (options.session) tls.setSession(options.session);
  tls.on("secure", onConnectSecure);
  tls.prependListener("end", onConnectEnd);
  if (!options.socket) {
    if (options.timeout) tls.setTimeout(options.timeout);
    tls.connect(options, tls._start);
  } else {
    tls._start();
  }
  return tls;
};

function nameFor(options) {
  if (options.servername) return options.servername;
  const name = options.host ?? options.socket?._host;
  return options.servername === undefined && name && !isIP(name) ? name : undefined;
}
