// web/crypto/subtle_secret -- the algorithms of crypto.subtle with one secret: AES, HMAC, and those
// that derive bits from a secret (HKDF, PBKDF2).  Keys come as what slotsOf() gives.
const shared = require("web/crypto/subtle_shared");

const { checkJwk, checkUsages, digestBits, digestName, fail, guard, makeKey, toArrayBuffer } =
  shared;
const secretOf = (key) => require("node:crypto/keys").secretOf(key.object);
const makeSecret = (bytes) => require("node:crypto/keys").createSecretKey(bytes);

// ---- AES ----------------------------------------------------------------------------------------

const aesUsages = ["encrypt", "decrypt", "wrapKey", "unwrapKey"];
const wrapUsages = ["wrapKey", "unwrapKey"];
const usagesOfAes = (name) => (name === "AES-KW" ? wrapUsages : aesUsages);

const isAesLength = (bits) => bits === 128 || bits === 192 || bits === 256;

function randomKey(bits) {
  return makeSecret(require("node:crypto/kdf").randomBytes(Math.ceil(bits / 8)));
}

function generateAes({ name, length }, extractable, usages) {
  const allowed = usagesOfAes(name);
  checkUsages(usages, allowed, name);
  if (!isAesLength(length)) throw fail("Invalid key length", "OperationError");
  if (usages.length === 0) {
    throw fail("Usages cannot be empty when creating a key.", "SyntaxError");
  }
  return makeKey(randomKey(length), { name, length }, extractable, usages, allowed);
}

/** The bytes of a secret in the format "raw" or "jwk". */
function readSecret(format, data, { kty, use, algOf }, extractable, usages) {
  if (format === "raw" || format === "raw-secret") return new Uint8Array(data);
  if (format !== "jwk") throw fail(`Unable to import key using ${format} format`,
    "NotSupportedError");
  checkJwk(data, kty, use, extractable, usages);
  if (typeof data.k !== "string") throw fail("Invalid keyData", "DataError");
  const bytes = require("node:buffer").Buffer.from(data.k, "base64url");
  const alg = algOf(bytes.byteLength * 8); // undefined: none is registered, so any will do
  if (data.alg !== undefined && alg !== undefined && data.alg !== alg) {
    throw fail("JWK \"alg\" does not match the requested algorithm", "DataError");
  }
  return bytes;
}

const aesAlg = (name) => (bits) => `A${bits}${name.slice("AES-".length)}`;

function importAes(format, data, { name }, extractable, usages) {
  const allowed = usagesOfAes(name);
  checkUsages(usages, allowed, name);
  const kind = { kty: "oct", use: "enc", algOf: aesAlg(name) };
  const bytes = readSecret(format, data, kind, extractable, usages);
  const length = bytes.byteLength * 8;
  if (!isAesLength(length)) throw fail("Invalid key length", "DataError");
  return makeKey(makeSecret(bytes), { name, length }, extractable, usages, allowed);
}

function exportSecret(format, key, alg) {
  const bytes = secretOf(key);
  if (format === "raw" || format === "raw-secret") return new Uint8Array(bytes).buffer;
  if (format !== "jwk") {
    throw fail(`Unable to export a secret key using ${format} format`, "NotSupportedError");
  }
  const k = require("node:buffer").Buffer.from(bytes).toString("base64url");
  const jwk = { key_ops: [...key.usages], ext: key.extractable, kty: "oct", k };
  if (alg !== undefined) jwk.alg = alg;
  return jwk;
}

function runCipher(isEncrypt, cipher, key, iv, data, setUp, options) {
  const { Cipheriv, Decipheriv } = require("node:crypto/cipher");
  const { Buffer } = require("node:buffer");
  const Class = isEncrypt ? Cipheriv : Decipheriv;
  return guard(() => {
    const stream = new Class(cipher, secretOf(key), iv, options);
    const tag = setUp?.(stream);
    const parts = [stream.update(data), stream.final()];
    if (tag) parts.push(stream.getAuthTag());
    return toArrayBuffer(Buffer.concat(parts));
  });
}

const bitsOf = (key) => key.algorithm.length;

function cryptCbc(isEncrypt, { iv }, key, data) {
  if (iv.byteLength !== 16) {
    throw fail("algorithm.iv must contain exactly 16 bytes", "OperationError");
  }
  return runCipher(isEncrypt, `aes-${bitsOf(key)}-cbc`, key, iv, data);
}

/**
 * Only the last `length` bits of the counter count: where they overflow, the rest starts with them
 * at zero.
 */
function cryptCtr(isEncrypt, { counter, length }, key, data) {
  if (counter.byteLength !== 16) {
    throw fail("algorithm.counter must contain exactly 16 bytes", "OperationError");
  }
  if (length === 0 || length > 128) {
    throw fail("AES-CTR algorithm.length must be between 1 and 128", "OperationError");
  }
  const cipher = `aes-${bitsOf(key)}-ctr`;
  const { Buffer } = require("node:buffer");
  const start = BigInt(`0x${Buffer.from(counter).toString("hex")}`);
  const mask = (1n << BigInt(length)) - 1n;
  const blocks = BigInt(Math.ceil(data.byteLength / 16));
  if (blocks > mask + 1n) {
    throw fail("The counter would repeat", "OperationError");
  }
  const untilZero = mask + 1n - (start & mask);
  if (blocks <= untilZero) return runCipher(isEncrypt, cipher, key, counter, data);
  const cut = Number(untilZero) * 16;
  const fresh = Buffer.from((start & ~mask).toString(16).padStart(32, "0"), "hex");
  const first = runCipher(isEncrypt, cipher, key, counter, data.subarray(0, cut));
  const second = runCipher(isEncrypt, cipher, key, fresh, data.subarray(cut));
  return toArrayBuffer(Buffer.concat([Buffer.from(first), Buffer.from(second)]));
}

const tagBits = [32, 64, 96, 104, 112, 120, 128];

/** A tag stands behind the text. */
function cryptAead(cipher, isEncrypt, { iv, additionalData, tagLength }, key, data) {
  const authTagLength = tagLength / 8;
  if (!isEncrypt && data.byteLength < authTagLength) {
    throw fail("The provided data is too small.", "OperationError");
  }
  const end = data.byteLength - authTagLength;
  const text = isEncrypt ? data : data.subarray(0, end);
  const setUp = (stream) => {
    if (!isEncrypt) stream.setAuthTag(data.subarray(end));
    if (additionalData !== undefined) stream.setAAD(additionalData);
    return isEncrypt;
  };
  return runCipher(isEncrypt, cipher, key, iv, text, setUp, { authTagLength });
}

function cryptGcm(isEncrypt, { iv, additionalData, tagLength = 128 }, key, data) {
  if (!tagBits.includes(tagLength)) {
    throw fail(`${tagLength} is not a valid AES-GCM tag length`, "OperationError");
  }
  const params = { iv, additionalData, tagLength };
  return cryptAead(`aes-${bitsOf(key)}-gcm`, isEncrypt, params, key, data);
}

const kWrapVector = new Uint8Array(8).fill(0xa6);

function cryptKw(isEncrypt, algorithm, key, data) {
  if (data.byteLength % 8 !== 0 || data.byteLength < 16) {
    throw fail("The data has the wrong length", "OperationError");
  }
  return runCipher(isEncrypt, `id-aes${bitsOf(key)}-wrap`, key, kWrapVector, data);
}

function aes(name, crypt) {
  return {
    generate: generateAes,
    import: importAes,
    export: (format, key) => exportSecret(format, key, aesAlg(name)(bitsOf(key))),
    crypt,
    keyLength: ({ length }) => {
      if (!isAesLength(length)) throw fail("Invalid key length", "OperationError");
      return length;
    },
  };
}

exports["AES-CBC"] = aes("AES-CBC", cryptCbc);
exports["AES-CTR"] = aes("AES-CTR", cryptCtr);
exports["AES-GCM"] = aes("AES-GCM", cryptGcm);
exports["AES-KW"] = aes("AES-KW", cryptKw);

// ---- ChaCha20-Poly1305 --------------------------------------------------------------------------

const kChaCha = "ChaCha20-Poly1305";
const CHACHA_BITS = 256;

function cryptChaCha(isEncrypt, { iv, additionalData, tagLength = 128 }, key, data) {
  if (tagLength !== 128) {
    throw fail(`${tagLength} is not a valid ${kChaCha} tag length`, "OperationError");
  }
  if (iv.byteLength !== 12) {
    throw fail("algorithm.iv must contain exactly 12 bytes", "OperationError");
  }
  return cryptAead("chacha20-poly1305", isEncrypt, { iv, additionalData, tagLength }, key, data);
}

exports[kChaCha] = {
  generate(algorithm, extractable, usages) {
    checkUsages(usages, aesUsages, kChaCha);
    if (usages.length === 0) {
      throw fail("Usages cannot be empty when creating a key.", "SyntaxError");
    }
    return makeKey(randomKey(CHACHA_BITS), { name: kChaCha }, extractable, usages, aesUsages);
  },
  import(format, data, algorithm, extractable, usages) {
    checkUsages(usages, aesUsages, kChaCha);
    if (format === "raw") {
      throw fail(`Unable to import ${kChaCha} using raw format`, "NotSupportedError");
    }
    const kind = { kty: "oct", use: "enc", algOf: () => "C20P" };
    const bytes = readSecret(format, data, kind, extractable, usages);
    if (bytes.byteLength * 8 !== CHACHA_BITS) throw fail("Invalid key length", "DataError");
    return makeKey(makeSecret(bytes), { name: kChaCha }, extractable, usages, aesUsages);
  },
  export(format, key) {
    if (format === "raw") {
      throw fail(`Unable to export ${kChaCha} using raw format`, "NotSupportedError");
    }
    return exportSecret(format, key, "C20P");
  },
  crypt: cryptChaCha,
  keyLength: () => CHACHA_BITS,
};

// ---- HMAC ---------------------------------------------------------------------------------------

const hmacUsages = ["sign", "verify"];
/** Bits of a block of the hash: what a key has when nobody says otherwise. */
const blockBits = (hash) => (digestBits(hash) > 256 ? 1024 : 512);
const hmacAlg = (hash) =>
  (hash.name.startsWith("SHA-") ? `HS${hash.name.slice("SHA-".length)}` : undefined);

function hmacLength({ hash, length }) {
  if (length === undefined) return blockBits(hash);
  if (length === 0) throw new TypeError("Zero-length key is not supported");
  return length;
}

exports.HMAC = {
  generate(algorithm, extractable, usages) {
    const { hash } = algorithm;
    checkUsages(usages, hmacUsages, "HMAC");
    if (algorithm.length === 0) throw fail("Zero-length key is not supported", "OperationError");
    if (usages.length === 0) {
      throw fail("Usages cannot be empty when creating a key.", "SyntaxError");
    }
    const length = hmacLength(algorithm);
    const made = { name: "HMAC", hash: { name: hash.name }, length };
    return makeKey(randomKey(length), made, extractable, usages, hmacUsages);
  },
  import(format, data, { hash, length }, extractable, usages) {
    checkUsages(usages, hmacUsages, "HMAC");
    const kind = { kty: "oct", use: "sig", algOf: () => hmacAlg(hash) };
    const bytes = readSecret(format, data, kind, extractable, usages);
    const bits = bytes.byteLength * 8;
    if (bits === 0) throw fail("Zero-length key is not supported", "DataError");
    if (length === 0) throw fail("HmacImportParams.length cannot be 0", "DataError");
    if (length !== undefined && (length > bits || length <= bits - 8)) {
      if (length % 8 === 0) throw fail("Invalid key length", "DataError");
      throw fail("Unsupported HmacImportParams.length", "NotSupportedError");
    }
    const made = { name: "HMAC", hash: { name: hash.name }, length: length ?? bits };
    return makeKey(makeSecret(bytes), made, extractable, usages, hmacUsages);
  },
  export: (format, key) => exportSecret(format, key, hmacAlg(key.algorithm.hash)),
  sign(algorithm, key, data) {
    const { Hmac } = require("node:crypto/hash");
    return toArrayBuffer(
      new Hmac(digestName(key.algorithm.hash), key.object).update(data).digest(),
    );
  },
  verify(algorithm, key, signature, data) {
    const wanted = new Uint8Array(exports.HMAC.sign(algorithm, key, data));
    if (wanted.byteLength !== signature.byteLength) return false;
    return require("node:crypto/kdf").timingSafeEqual(wanted, signature);
  },
  keyLength: hmacLength,
};

// ---- Bits from a secret -------------------------------------------------------------------------

function importKdf(format, data, { name }, extractable, usages) {
  const allowed = ["deriveKey", "deriveBits"];
  if (format !== "raw" && format !== "raw-secret") {
    throw fail(`Unable to import ${name} key using ${format} format`, "NotSupportedError");
  }
  checkUsages(usages, allowed, name);
  if (extractable) throw fail(`${name} keys are not extractable`, "SyntaxError");
  return makeKey(makeSecret(new Uint8Array(data)), { name }, false, usages, allowed);
}

function checkLength(length) {
  if (length === null || length === undefined) {
    throw fail("length cannot be null", "OperationError");
  }
  if (length % 8 !== 0) throw fail("length must be a multiple of 8", "OperationError");
}

const later = (fn, ...args) =>
  new Promise((resolve, reject) => {
    fn(...args, (error, value) => {
      if (error) reject(fail("The operation failed", "OperationError"));
      else resolve(value);
    });
  });

exports.HKDF = {
  import: importKdf,
  deriveBits({ hash, salt, info }, key, length) {
    checkLength(length);
    if (length === 0) return new ArrayBuffer(0);
    if (length / 8 > 255 * (digestBits(hash) / 8)) throw fail("Invalid length", "OperationError");
    const { hkdf } = require("node:crypto/kdf");
    return later(hkdf, digestName(hash), key.object, salt, info, length / 8);
  },
  keyLength: () => null,
};

exports.PBKDF2 = {
  import: importKdf,
  async deriveBits({ hash, salt, iterations }, key, length) {
    checkLength(length);
    if (iterations === 0) throw fail("iterations cannot be zero", "OperationError");
    if (length === 0) return new ArrayBuffer(0);
    const { pbkdf2 } = require("node:crypto/kdf");
    return toArrayBuffer(
      await later(pbkdf2, key.object, salt, iterations, length / 8, digestName(hash)),
    );
  },
  keyLength: () => null,
};

/** For other algorithms with one secret. */
exports.parts = { exportSecret, makeSecret, randomKey, readSecret, secretOf };
