// web/crypto/subtle_shared -- errors and small things that all algorithms of crypto.subtle use.
const { DOMException } = require("web/exception");
const { makeCryptoKey } = require("web/crypto/crypto_key");

exports.fail = (message, name) => new DOMException(message, name);

/** What an asymmetric or secret operation threw becomes an OperationError. */
exports.guard = function guard(run) {
  try {
    return run();
  } catch (cause) {
    throw new DOMException("The operation failed for an operation-specific reason", {
      name: "OperationError", cause,
    });
  }
};

/** The name that node:crypto has for a hash of Web Crypto. */
exports.digestName = (hash) => hash.name.toLowerCase().replace(/^sha-/, "sha");

exports.digestBits = (hash) => {
  const size = Number(hash.name.slice(hash.name.lastIndexOf("-") + 1));
  return size === 1 ? 160 : size;
};

/** Usages in the order of the specification, each once. */
const order = [
  "encrypt", "decrypt", "sign", "verify", "deriveKey", "deriveBits", "wrapKey", "unwrapKey",
  "encapsulateKey", "encapsulateBits", "decapsulateKey", "decapsulateBits",
];
exports.order = order;
exports.pick = (usages, allowed) =>
  order.filter((usage) => usages.includes(usage) && allowed.includes(usage));

exports.checkUsages = function checkUsages(usages, allowed, name) {
  if (usages.some((usage) => !allowed.includes(usage))) {
    const what = name.includes("MAC") ? name : `a ${name}`;
    throw exports.fail(`Unsupported key usage for ${what} key`, "SyntaxError");
  }
};

exports.makeKey = (key, algorithm, extractable, usages, allowed) =>
  makeCryptoKey(key, algorithm, extractable, exports.pick(usages, allowed));

/** { privateKey, publicKey } of a new pair. */
exports.makePair = function makePair(pair, algorithm, extractable, usages, allowed) {
  const [forPrivate, forPublic] = allowed;
  const privateUsages = exports.pick(usages, forPrivate);
  if (privateUsages.length === 0) {
    throw exports.fail("Usages cannot be empty when creating a key.", "SyntaxError");
  }
  return {
    publicKey: makeCryptoKey(pair.publicKey, algorithm, true, exports.pick(usages, forPublic)),
    privateKey: makeCryptoKey(pair.privateKey, algorithm, extractable, privateUsages),
  };
};

/** An ArrayBuffer of its own with these bytes. */
exports.toArrayBuffer = (bytes) =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);

/** The members of a JWK that say what it may be used for. */
exports.checkJwk = function checkJwk(jwk, kty, use, extractable, usages) {
  if (jwk.kty !== kty) throw exports.fail('Invalid JWK "kty" Parameter', "DataError");
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use) {
    throw exports.fail('Invalid JWK "use" Parameter', "DataError");
  }
  if (jwk.key_ops !== undefined) {
    const ops = jwk.key_ops;
    const isFine = Array.isArray(ops) && new Set(ops).size === ops.length &&
      usages.every((usage) => ops.includes(usage));
    if (!isFine) {
      throw exports.fail("Key operations and usage mismatch", "DataError");
    }
  }
  if (jwk.ext === false && extractable) {
    throw exports.fail('JWK "ext" Parameter and extractable mismatch', "DataError");
  }
};

exports.generatePair = (type, options) =>
  new Promise((resolve, reject) => {
    const { generateKeyPair } = require("node:crypto/keygen");
    generateKeyPair(type, options, (error, publicKey, privateKey) => {
      if (error) reject(exports.fail("The operation failed", "OperationError"));
      else resolve({ publicKey, privateKey });
    });
  });
