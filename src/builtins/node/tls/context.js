// @internal
// node:tls/context -- createSecureContext(): certificates, keys and rules (Node: tls).
const errors = require("internal/errors");
const { validateInteger, validateInt32, validateString } = require("internal/validators");
const binding = require("node:tls/binding");

const versions = { __proto__: null, TLSv1: 0x301, "TLSv1.1": 0x302, "TLSv1.2": 0x303,
  "TLSv1.3": 0x304 };
const SSL_OP_CIPHER_SERVER_PREFERENCE = 2 ** 22;

const defaults = { ca: undefined };

function isBytes(value) {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

function checkKeyOrCert(value, name) {
  if (typeof value === "string" || isBytes(value)) return value;
  throw new errors.ERR_INVALID_ARG_TYPE(
    name, ["string", "Buffer", "TypedArray", "DataView"], value);
}

function listOf(value) {
  if (value === undefined || value === null || value === false) return [];
  return Array.isArray(value) ? value : [value];
}

/** The version's number; method names stand for one version or all. */
function versionOf(name, option, fallback) {
  if (name === undefined || name === null) return fallback;
  const number = versions[name];
  if (number === undefined) throw new errors.ERR_TLS_INVALID_PROTOCOL_VERSION(name, option);
  return number;
}

const methods = {
  __proto__: null,
  SSLv23_method: [0x301, 0x303], TLS_method: [0, 0x304], TLSv1_method: [0x301, 0x301],
  TLSv1_1_method: [0x302, 0x302], TLSv1_2_method: [0x303, 0x303], TLSv1_3_method: [0x304, 0x304],
};

function rangeOf(options) {
  const { secureProtocol, minVersion, maxVersion } = options;
  if (secureProtocol) {
    if (minVersion != null) {
      throw new errors.ERR_TLS_PROTOCOL_VERSION_CONFLICT(minVersion, secureProtocol);
    }
    if (maxVersion != null) {
      throw new errors.ERR_TLS_PROTOCOL_VERSION_CONFLICT(maxVersion, secureProtocol);
    }
    validateString(secureProtocol, "options.secureProtocol");
    const name = secureProtocol.replace(/_(server|client)_method$/, "_method");
    if (/^SSLv[23]_/.test(name)) {
      throw new errors.ERR_TLS_INVALID_PROTOCOL_METHOD(`${name.slice(0, 5)} methods disabled`);
    }
    if (methods[name] === undefined) {
      throw new errors.ERR_TLS_INVALID_PROTOCOL_METHOD(`Unknown method: ${secureProtocol}`);
    }
    return methods[name];
  }
  const tls = require("node:tls");
  return [
    versionOf(minVersion ?? tls.DEFAULT_MIN_VERSION, "minimum", 0x303),
    versionOf(maxVersion ?? tls.DEFAULT_MAX_VERSION, "maximum", 0x304),
  ];
}

/** certs, keys and passphrases, index by index. */
function pairsOf(options) {
  const certs = [];
  const keys = [];
  const passphrases = [];
  for (const cert of listOf(options.cert || undefined)) {
    certs.push(checkKeyOrCert(cert, "options.cert"));
  }
  for (const key of listOf(options.key || undefined)) {
    const isPair = Array.isArray(options.key) && key !== null && typeof key === "object" &&
      !isBytes(key);
    const pem = isPair && key.pem !== undefined ? key.pem : key;
    keys.push(checkKeyOrCert(pem, "options.key"));
    const passphrase = (isPair ? key.passphrase : undefined) ?? options.passphrase;
    if (passphrase != null) validateString(passphrase, "options.passphrase");
    passphrases.push(passphrase);
  }
  return { certs, keys, passphrases };
}

function checkStrings(options) {
  for (const name of ["ciphers", "ecdhCurve", "sigalgs"]) {
    const value = options[name];
    if (value !== undefined && value !== null) validateString(value, `options.${name}`);
    if (name === "sigalgs" && value === "") {
      throw new errors.ERR_INVALID_ARG_VALUE("options.sigalgs", value);
    }
  }
  if (options.sessionIdContext != null) {
    validateString(options.sessionIdContext, "options.sessionIdContext");
  }
  if (options.ticketKeys != null) {
    if (!ArrayBuffer.isView(options.ticketKeys)) {
      throw new errors.ERR_INVALID_ARG_TYPE(
        "options.ticketKeys", ["Buffer", "TypedArray", "DataView"], options.ticketKeys);
    }
    if (options.ticketKeys.byteLength !== 48) {
      throw new errors.ERR_INVALID_ARG_VALUE(
        "options.ticketKeys", options.ticketKeys.byteLength, "must be exactly 48 bytes");
    }
  }
  if (options.sessionTimeout != null) validateInt32(options.sessionTimeout,
    "options.sessionTimeout", 0);
}

/** pfx and pfxPassphrases, index by index. */
function pfxOf(options) {
  const pfx = [];
  const pfxPassphrases = [];
  for (const item of listOf(options.pfx)) {
    const isPair = typeof item === "object" && !isBytes(item);
    const bytes = isPair ? item.buf : item;
    pfx.push(typeof bytes === "string"
      ? require("node:buffer").Buffer.from(bytes, "latin1") : bytes);
    pfxPassphrases.push((isPair ? item.passphrase : undefined) ?? options.passphrase);
  }
  return { pfx, pfxPassphrases };
}

const orNothing = ["string", "null", "undefined"];

/** Engines are gone; their options are checked all the same. */
function checkEngines(options) {
  const { clientCertEngine, privateKeyEngine, privateKeyIdentifier } = options;
  if (clientCertEngine != null) {
    if (typeof clientCertEngine !== "string") {
      throw new errors.ERR_INVALID_ARG_TYPE("options.clientCertEngine", orNothing,
        clientCertEngine);
    }
    throw errors.notImplemented("options.clientCertEngine");
  }
  if (privateKeyIdentifier == null) return;
  if (privateKeyEngine == null) {
    throw new errors.ERR_INVALID_ARG_VALUE("options.privateKeyEngine", privateKeyEngine);
  }
  if (options.key) {
    throw new errors.ERR_INVALID_ARG_VALUE("options.privateKeyIdentifier", privateKeyIdentifier);
  }
  for (const name of ["privateKeyIdentifier", "privateKeyEngine"]) {
    if (typeof options[name] !== "string") {
      throw new errors.ERR_INVALID_ARG_TYPE(`options.${name}`, orNothing, options[name]);
    }
  }
  throw errors.notImplemented("options.privateKeyEngine");
}

let isExtraChecked = false;

/** A file of certificates that cannot be had must not go unnoticed; said once. */
function checkExtra() {
  if (isExtraChecked) return;
  isExtraChecked = true;
  const path = process.env.NODE_EXTRA_CA_CERTS;
  if (!path) return;
  try {
    require("node:fs").accessSync(path, require("node:fs").constants.R_OK);
  } catch (error) {
    const why = require("node:util").getSystemErrorMessage(error.errno);
    process.emitWarning(
      `Ignoring extra certs from \`${path}\`, load failed: ${why[0].toUpperCase()}${why.slice(1)}`,
    );
  }
}

class SecureContext {
  constructor(options = {}) {
    checkExtra();
    const [minVersion, maxVersion] = rangeOf(options);
    checkStrings(options);
    checkEngines(options);
    let secureOptions = options.secureOptions || 0;
    if (secureOptions) validateInteger(secureOptions, "options.secureOptions");
    if (options.honorCipherOrder) secureOptions += SSL_OP_CIPHER_SERVER_PREFERENCE;
    const ca = options.ca || defaults.ca;
    const authorities = !ca ? undefined
      : listOf(ca).map((cert) => checkKeyOrCert(cert, "options.ca"));
    this.context = binding.context({
      ...pairsOf(options),
      ...pfxOf(options),
      ca: authorities,
      crl: listOf(options.crl).map((crl) => checkKeyOrCert(crl, "options.crl")),
      ciphers: options.ciphers ?? require("node:tls").DEFAULT_CIPHERS,
      ecdhCurve: options.ecdhCurve ?? require("node:tls").DEFAULT_ECDH_CURVE,
      sigalgs: options.sigalgs,
      dhparam: options.dhparam === true ? "auto" : options.dhparam,
      minVersion,
      maxVersion,
      secureOptions,
      sessionIdContext: options.sessionIdContext,
      ticketKeys: options.ticketKeys,
      sessionTimeout: options.sessionTimeout,
      allowPartialTrustChain: options.allowPartialTrustChain ? 1 : 0,
    });
    const { context } = this;
    Object.defineProperty(context, "_external", {
      __proto__: null,
      get() {
        // Of this very object, not of one that inherits it.
        if (this !== context) throw new TypeError("Illegal invocation");
        return undefined;
      },
    });
    Object.defineProperty(context, "addCACert", {
      __proto__: null, value: (cert) => binding.addCa(context, checkKeyOrCert(cert, "cert")),
    });
    this.singleUse = undefined;
  }
}

function createSecureContext(options) {
  return new SecureContext(options ?? {});
}

exports.SecureContext = SecureContext;
exports.createSecureContext = createSecureContext;
exports.defaults = defaults;
