// node:crypto (Node: doc/api/crypto) -- the names; the parts are loaded when they are first used.
const { notImplemented } = require("internal/errors");
const { lazies, lazy } = require("internal/process_util");

const parts = {
  hash: () => require("node:crypto/hash"),
  kdf: () => require("node:crypto/kdf"),
  cipher: () => require("node:crypto/cipher"),
  keys: () => require("node:crypto/keys"),
  keygen: () => require("node:crypto/keygen"),
  sign: () => require("node:crypto/sign"),
  dh: () => require("node:crypto/dh"),
  x509: () => require("node:crypto/x509"),
};

for (let i = 0, all = Object.entries({
  hash: ["hash", "getHashes", "Hash", "Hmac"],
  kdf: [
    "hkdf", "hkdfSync", "pbkdf2", "pbkdf2Sync", "scrypt", "scryptSync", "randomBytes",
    "randomFill", "randomFillSync", "randomInt", "timingSafeEqual",
  ],
  cipher: ["Cipheriv", "Decipheriv", "getCiphers", "getCipherInfo"],
  keys: [
    "KeyObject", "createSecretKey", "createPrivateKey", "createPublicKey", "generateKey",
    "generateKeySync",
  ],
  keygen: [
    "generateKeyPair", "generateKeyPairSync", "generatePrime", "generatePrimeSync", "checkPrime",
    "checkPrimeSync",
  ],
  sign: [
    "Sign", "Verify", "sign", "verify", "publicEncrypt", "privateDecrypt", "privateEncrypt",
    "publicDecrypt", "diffieHellman",
  ],
  dh: ["DiffieHellman", "DiffieHellmanGroup", "ECDH", "getCurves"],
  x509: ["Certificate", "X509Certificate"],
}); i < all.length; i++) {
  const { 0: part, 1: names } = all[i];
  lazies(exports, names, (name) => parts[part]()[name]);
}

exports.createHash = function createHash(algorithm, options) {
  return new (parts.hash().Hash)(algorithm, options);
};

exports.createHmac = function createHmac(hmac, key, options) {
  return new (parts.hash().Hmac)(hmac, key, options);
};

exports.createCipheriv = function createCipheriv(cipher, key, iv, options) {
  return new (parts.cipher().Cipheriv)(cipher, key, iv, options);
};

exports.createDecipheriv = function createDecipheriv(cipher, key, iv, options) {
  return new (parts.cipher().Decipheriv)(cipher, key, iv, options);
};

exports.createSign = function createSign(algorithm, options) {
  return new (parts.sign().Sign)(algorithm, options);
};

exports.createVerify = function createVerify(algorithm, options) {
  return new (parts.sign().Verify)(algorithm, options);
};

exports.createDiffieHellman = function createDiffieHellman(...args) {
  return new (parts.dh().DiffieHellman)(...args);
};

exports.createDiffieHellmanGroup = function createDiffieHellmanGroup(name) {
  return new (parts.dh().DiffieHellmanGroup)(name);
};
exports.getDiffieHellman = exports.createDiffieHellmanGroup;

exports.createECDH = function createECDH(curve) {
  return new (parts.dh().ECDH)(curve);
};

exports.randomUUID = function randomUUID(options) {
  if (options !== undefined) {
    const validators = require("internal/validators");
    validators.validateObject(options, "options");
    if (options.disableEntropyCache !== undefined) {
      validators.validateBoolean(options.disableEntropyCache, "options.disableEntropyCache");
    }
  }
  return globalThis.crypto.randomUUID(options);
};

lazy(exports, "constants", () => require("node:crypto/constants"));
lazy(exports, "webcrypto", () => require("web/crypto").crypto);
lazy(exports, "subtle", () => exports.webcrypto.subtle);
exports.getRandomValues = function getRandomValues(array) {
  return exports.webcrypto.getRandomValues(array);
};

// Old names, not listed.
for (let i = 0, all = ["pseudoRandomBytes", "prng", "rng"]; i < all.length; i++) {
  const name = all[i];
  Object.defineProperty(exports, name, {
    get: () => exports.randomBytes,
    set(value) {
      Object.defineProperty(exports, name, { value, configurable: true, writable: true });
    },
    configurable: true,
    enumerable: false,
  });
}

exports.getFips = function getFips() {
  return 0;
};
exports.setFips = function setFips(value) {
  if (value) throw new (require("internal/errors").ERR_CRYPTO_FIPS_UNAVAILABLE)();
};
exports.secureHeapUsed = function secureHeapUsed() {
  return { total: 0, used: 0, utilization: 0, min: 0 };
};

// What is not there yet says so when it is called.
exports.setEngine = function setEngine() {
  throw notImplemented("crypto.setEngine");
};
