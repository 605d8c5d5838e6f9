// @global SubtleCrypto
// web/crypto/subtle -- SubtleCrypto (https://w3c.github.io/webcrypto/#subtlecrypto-interface): the
// checks and the order of steps that all algorithms share.
const errors = require("internal/errors");
const { defineInterface } = require("internal/webidl/interface");
const { CryptoKey, makeCryptoKey, slotsOf } = require("web/crypto/crypto_key");
const { checkUsages, digestName, fail, order, pick, toArrayBuffer } =
  require("web/crypto/subtle_shared");
const { converters } = require("internal/webidl");
const { isAnyArrayBuffer, isArrayBufferView } = require("node:util/types");

const kToken = Symbol("make");

// ---- Algorithms ---------------------------------------------------------------------------------

const algorithms = {
  __proto__: null,
  pair: ["RSASSA-PKCS1-v1_5", "RSA-PSS", "RSA-OAEP", "ECDSA", "ECDH", "Ed25519", "Ed448", "X25519",
    "X448"],
  secret: ["AES-CBC", "AES-CTR", "AES-GCM", "AES-KW", "ChaCha20-Poly1305", "HMAC", "HKDF",
    "PBKDF2"],
  kmac: ["KMAC128", "KMAC256"],
  lattice: ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87"],
};
const hashes = ["SHA-1", "SHA-256", "SHA-384", "SHA-512", "SHA3-256", "SHA3-384", "SHA3-512"];
/** Only ASCII counts: the Kelvin sign is no k. */
function asciiLower(name) {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

const byLowerName = new Map();
for (const name of [
  algorithms.pair, algorithms.secret, algorithms.kmac, algorithms.lattice, hashes,
].flat()) {
  byLowerName.set(asciiLower(name), name);
}

function implementationOf(name) {
  if (algorithms.pair.includes(name)) return require("web/crypto/subtle_pair")[name];
  if (algorithms.secret.includes(name)) return require("web/crypto/subtle_secret")[name];
  if (algorithms.kmac.includes(name)) return require("web/crypto/subtle_kmac")[name];
  if (algorithms.lattice.includes(name)) return require("web/crypto/subtle_lattice")[name];
  return undefined;
}

/** A copy: what the caller has may change meanwhile. */
function copyBytes(value, what) {
  const isView = isArrayBufferView(value);
  if (!isView && !isAnyArrayBuffer(value)) {
    throw new errors.ERR_INVALID_ARG_TYPE(what, ["ArrayBuffer", "TypedArray", "DataView"], value);
  }
  return isView
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice()
    : new Uint8Array(value).slice();
}

const bytes = (value, what) => copyBytes(value, what);
const octet = (value, what) => converters.octet(value, { enforceRange: true, context: what });
const unsignedLong = (value, what) =>
  converters["unsigned long"](value, { enforceRange: true, context: what });
const unsignedShort = (value, what) =>
  converters["unsigned short"](value, { enforceRange: true, context: what });
const hashMember = (value) => normalizeHash(value);
const text = (value) => String(value);
const key = (value, what) => {
  const slots = slotsOf(value);
  if (slots === undefined) throw new errors.ERR_INVALID_ARG_TYPE(what, "CryptoKey", value);
  return slots;
};
const exponent = (value, what) => {
  if (!(value instanceof Uint8Array)) {
    throw new errors.ERR_INVALID_ARG_TYPE(what, "Uint8Array", value);
  }
  return value.slice();
};

// The members of each kind of parameters: a converter, and whether it must be there.
const must = (convert) => ({ convert, isRequired: true });
const may = (convert) => ({ convert, isRequired: false });
const rsaGenerate = { hash: must(hashMember), modulusLength: must(unsignedLong),
  publicExponent: must(exponent) };
const curveParams = { namedCurve: must(text) };
const hmacParams = { hash: must(hashMember), length: may(unsignedLong) };
const aesLength = { length: must(unsignedShort) };
const gcm = { additionalData: may(bytes), iv: must(bytes), tagLength: may(octet) };
const iv = { iv: must(bytes) };
const counter = { counter: must(bytes), length: must(octet) };
const label = { label: may(bytes) };
const publicKey = { public: must(key) };
const hkdf = { hash: must(hashMember), info: must(bytes), salt: must(bytes) };
const pbkdf2 = { hash: must(hashMember), iterations: must(unsignedLong), salt: must(bytes) };
const kmacLength = { length: may(unsignedLong) };
const kmacParams = { customization: may(bytes), outputLength: must(unsignedLong) };
const onlyHash = { hash: must(hashMember) };
const none = {};

const each = (names, params) => Object.fromEntries(names.map((name) => [name, params]));
const rsaNames = algorithms.pair.slice(0, 3);
const rawSigners = ["Ed25519", "Ed448"];
const rawDerivers = ["X25519", "X448"];
const aesNames = algorithms.secret.slice(0, 4);
const kemNames = algorithms.lattice.slice(0, 3);
const dsaNames = algorithms.lattice.slice(3);
const crypting = { "RSA-OAEP": label, "AES-CBC": iv, "AES-CTR": counter, "AES-GCM": gcm,
  "ChaCha20-Poly1305": gcm };

const operations = {
  __proto__: null,
  digest: each(hashes, none),
  encrypt: crypting,
  sign: { "RSASSA-PKCS1-v1_5": none, "RSA-PSS": { saltLength: must(unsignedLong) },
    ECDSA: onlyHash, HMAC: none, ...each(algorithms.kmac, kmacParams), ...each(rawSigners, none),
    ...each(dsaNames, { context: may(bytes) }) },
  deriveBits: { ECDH: publicKey, ...each(rawDerivers, publicKey), HKDF: hkdf, PBKDF2: pbkdf2 },
  wrapKey: { "AES-KW": none },
  encapsulate: each(kemNames, none),
  generateKey: { ...each(rsaNames, rsaGenerate), ECDSA: curveParams, ECDH: curveParams,
    ...each(rawSigners, none), ...each(rawDerivers, none), ...each(aesNames, aesLength),
    "ChaCha20-Poly1305": none, HMAC: hmacParams, ...each(algorithms.kmac, kmacLength),
    ...each(algorithms.lattice, none) },
  importKey: { ...each(rsaNames, onlyHash), ECDSA: curveParams, ECDH: curveParams,
    ...each(rawSigners, none), ...each(rawDerivers, none), ...each(aesNames, none),
    "ChaCha20-Poly1305": none, HMAC: hmacParams, HKDF: none, PBKDF2: none,
    ...each(algorithms.kmac, kmacLength), ...each(algorithms.lattice, none) },
  keyLength: { ...each(aesNames, aesLength), "ChaCha20-Poly1305": none, HMAC: hmacParams,
    ...each(algorithms.kmac, kmacLength), HKDF: none, PBKDF2: none },
};

const unrecognized = () => fail("Unrecognized algorithm name", "NotSupportedError");

/** https://w3c.github.io/webcrypto/#algorithm-normalization-normalize-an-algorithm */
function normalize(algorithm, operation) {
  const given = typeof algorithm === "object" && algorithm !== null ? algorithm
    : { name: String(algorithm) };
  if (given.name === undefined) {
    throw new errors.ERR_MISSING_OPTION("algorithm.name");
  }
  const name = byLowerName.get(asciiLower(String(given.name)));
  const members = name === undefined ? undefined : operations[operation][name];
  if (members === undefined) throw unrecognized();
  const result = { name };
  for (const member of Object.keys(members).sort()) {
    const { convert, isRequired } = members[member];
    const value = given[member];
    if (value !== undefined) result[member] = convert(value, `algorithm.${member}`);
    else if (isRequired) throw new errors.ERR_MISSING_OPTION(`algorithm.${member}`);
  }
  return result;
}

function normalizeHash(value) {
  return normalize(value, "digest");
}

/** The same for one of two operations: the second if the first has no such algorithm. */
function normalizeEither(algorithm, first, second) {
  try {
    return normalize(algorithm, first);
  } catch (error) {
    if (error?.name !== "NotSupportedError") throw error;
    return normalize(algorithm, second);
  }
}

function checkCount(count, wanted) {
  if (count >= wanted) return;
  const message = `${wanted} arguments required, but only ${count} present.`;
  throw errors.makeCoded("TypeError", "ERR_MISSING_ARGS", message);
}

// ---- Arguments ----------------------------------------------------------------------------------

const formats = ["raw", "pkcs8", "spki", "jwk", "raw-secret", "raw-public", "raw-private",
  "raw-seed"];

function notInEnum(value, type) {
  const message = `Value '${value}' is not a valid enum value of type ${type}.`;
  return errors.makeCoded("TypeError", "ERR_INVALID_ARG_VALUE", message);
}

function takeFormat(value) {
  const format = String(value);
  if (!formats.includes(format)) {
    throw notInEnum(format, "KeyFormat");
  }
  return format;
}

function takeUsages(value) {
  if (typeof value !== "object" || value === null || typeof value[Symbol.iterator] !== "function") {
    throw new errors.ERR_INVALID_ARG_TYPE("keyUsages", "Array", value);
  }
  const usages = [...value].map(String);
  for (const usage of usages) {
    if (!order.includes(usage)) throw notInEnum(usage, "KeyUsage");
  }
  return usages;
}

function takeKeyData(format, value) {
  const isBuffer = isArrayBufferView(value) || isAnyArrayBuffer(value);
  if (format !== "jwk") return copyBytes(value, "keyData");
  if (value === null) throw fail("Invalid keyData", "DataError"); // an empty dictionary
  if (isBuffer || typeof value !== "object") {
    throw new errors.ERR_INVALID_ARG_TYPE("keyData", "JsonWebKey", value);
  }
  return value;
}

function checkUse(algorithm, slots, usage) {
  if (algorithm.name !== slots.algorithm.name) {
    throw fail("Key algorithm mismatch", "InvalidAccessError");
  }
  if (!slots.usages.includes(usage)) {
    throw fail(usage.startsWith("derive") ? `baseKey does not have ${usage} usage`
      : `Unable to use this key to ${usage}`, "InvalidAccessError");
  }
  return slots;
}

function checkImported(result) {
  const { type, usages } = slotsOf(result);
  if ((type === "secret" || type === "private") && usages.length === 0) {
    throw fail(`Usages cannot be empty when importing a ${type} key.`, "SyntaxError");
  }
  return result;
}

function importInto(format, data, algorithm, extractable, usages) {
  const result = implementationOf(algorithm.name).import(
    format, data, algorithm, extractable, usages,
  );
  return checkImported(result);
}

function exportFrom(format, slots) {
  const { export: run } = implementationOf(slots.algorithm.name);
  if (run === undefined) {
    throw fail(`${slots.algorithm.name} key export is not supported`, "NotSupportedError");
  }
  if (!slots.extractable) throw fail("key is not extractable", "InvalidAccessError");
  return run(format, slots);
}

async function crypt(isEncrypt, algorithm, slots, data) {
  return implementationOf(algorithm.name).crypt(isEncrypt, algorithm, slots, data);
}

function encapsulate(algorithm, publicKey, usage) {
  const normalized = normalize(algorithm, "encapsulate");
  const slots = checkUse(normalized, takeKey(publicKey), usage);
  return implementationOf(normalized.name).encapsulate(normalized, slots);
}

function decapsulate(algorithm, privateKey, ciphertext, usage) {
  const normalized = normalize(algorithm, "encapsulate");
  const given = copyBytes(ciphertext, "ciphertext");
  const slots = checkUse(normalized, takeKey(privateKey), usage);
  return implementationOf(normalized.name).decapsulate(normalized, slots, given);
}

// ---- The interface ------------------------------------------------------------------------------

class SubtleCrypto {
  #isSubtle = true;

  constructor(token = undefined) {
    if (token !== kToken) throw new errors.ERR_ILLEGAL_CONSTRUCTOR();
  }

  static #check(value, count, args) {
    if (typeof value !== "object" || value === null || !(#isSubtle in value)) {
      throw new errors.ERR_INVALID_THIS("SubtleCrypto");
    }
    checkCount(args.length, count);
  }

  /** Would the operation take the algorithm?  Never throws for one that it does not know. */
  static supports(operation, algorithm, lengthOrAlgorithm = null) {
    if (this !== SubtleCrypto) throw new errors.ERR_INVALID_THIS("SubtleCrypto constructor");
    checkCount(arguments.length, 2);
    return isSupported(String(operation), algorithm, lengthOrAlgorithm);
  }

  async digest(algorithm, data) {
    SubtleCrypto.#check(this, 2, arguments);
    const normalized = normalize(algorithm, "digest");
    const input = copyBytes(data, "data");
    const { hash } = require("node:crypto/hash");
    return toArrayBuffer(hash(digestName(normalized), input, "buffer"));
  }

  async generateKey(algorithm, extractable, keyUsages) {
    SubtleCrypto.#check(this, 3, arguments);
    const normalized = normalize(algorithm, "generateKey");
    const usages = takeUsages(keyUsages);
    return implementationOf(normalized.name).generate(normalized, Boolean(extractable), usages);
  }

  async importKey(format, keyData, algorithm, extractable, keyUsages) {
    SubtleCrypto.#check(this, 5, arguments);
    const kind = takeFormat(format);
    const data = takeKeyData(kind, keyData);
    const normalized = normalize(algorithm, "importKey");
    const usages = takeUsages(keyUsages);
    return importInto(kind, data, normalized, Boolean(extractable), usages);
  }

  async exportKey(format, key) {
    SubtleCrypto.#check(this, 2, arguments);
    const kind = takeFormat(format);
    return exportFrom(kind, takeKey(key));
  }

  /** The public key of a private one (Modern Algorithms in the Web Cryptography API). */
  async getPublicKey(key, keyUsages) {
    SubtleCrypto.#check(this, 2, arguments);
    const { type, object, algorithm } = takeKey(key);
    const usages = takeUsages(keyUsages);
    if (type === "secret") throw fail("key must be a private key", "NotSupportedError");
    if (type !== "private") throw fail("key must be a private key", "InvalidAccessError");
    const allowed = publicUsages(algorithm.name);
    checkUsages(usages, allowed, algorithm.name);
    const publicObject = algorithms.lattice.includes(algorithm.name)
      ? require("web/crypto/subtle_lattice").publicObject(object)
      : require("node:crypto/keys").createPublicKey(object);
    return makeCryptoKey(publicObject, algorithm, true, pick(usages, allowed));
  }

  async sign(algorithm, key, data) {
    SubtleCrypto.#check(this, 3, arguments);
    const normalized = normalize(algorithm, "sign");
    const input = copyBytes(data, "data");
    const slots = checkUse(normalized, takeKey(key), "sign");
    return implementationOf(normalized.name).sign(normalized, slots, input);
  }

  async verify(algorithm, key, signature, data) {
    SubtleCrypto.#check(this, 4, arguments);
    const normalized = normalize(algorithm, "sign");
    const given = copyBytes(signature, "signature");
    const input = copyBytes(data, "data");
    const slots = checkUse(normalized, takeKey(key), "verify");
    return implementationOf(normalized.name).verify(normalized, slots, given, input);
  }

  async encrypt(algorithm, key, data) {
    SubtleCrypto.#check(this, 3, arguments);
    const normalized = normalize(algorithm, "encrypt");
    const input = copyBytes(data, "data");
    const slots = checkUse(normalized, takeKey(key), "encrypt");
    return crypt(true, normalized, slots, input);
  }

  async decrypt(algorithm, key, data) {
    SubtleCrypto.#check(this, 3, arguments);
    const normalized = normalize(algorithm, "encrypt");
    const input = copyBytes(data, "data");
    const slots = checkUse(normalized, takeKey(key), "decrypt");
    return crypt(false, normalized, slots, input);
  }

  async deriveBits(algorithm, baseKey, length = null) {
    SubtleCrypto.#check(this, 2, arguments);
    const normalized = normalize(algorithm, "deriveBits");
    const slots = checkUse(normalized, takeKey(baseKey), "deriveBits");
    return implementationOf(normalized.name).deriveBits(normalized, slots, length);
  }

  async deriveKey(algorithm, baseKey, derivedKeyType, extractable, keyUsages) {
    SubtleCrypto.#check(this, 5, arguments);
    const normalized = normalize(algorithm, "deriveBits");
    const target = normalize(derivedKeyType, "importKey");
    const sized = normalize(derivedKeyType, "keyLength");
    const usages = takeUsages(keyUsages);
    const slots = checkUse(normalized, takeKey(baseKey), "deriveKey");
    const length = implementationOf(sized.name).keyLength(sized);
    const bits = await implementationOf(normalized.name).deriveBits(normalized, slots, length);
    return importInto("raw", new Uint8Array(bits), target, Boolean(extractable), usages);
  }

  async encapsulateBits(encapsulationAlgorithm, encapsulationKey) {
    SubtleCrypto.#check(this, 2, arguments);
    const made = encapsulate(encapsulationAlgorithm, encapsulationKey, "encapsulateBits");
    return { sharedKey: made.sharedKey.buffer, ciphertext: made.ciphertext.buffer };
  }

  async encapsulateKey(
    encapsulationAlgorithm, encapsulationKey, sharedKeyAlgorithm, extractable, keyUsages,
  ) {
    SubtleCrypto.#check(this, 5, arguments);
    const target = normalize(sharedKeyAlgorithm, "importKey");
    const usages = takeUsages(keyUsages);
    const made = encapsulate(encapsulationAlgorithm, encapsulationKey, "encapsulateKey");
    const sharedKey =
      importInto("raw-secret", made.sharedKey, target, Boolean(extractable), usages);
    return { sharedKey, ciphertext: made.ciphertext.buffer };
  }

  async decapsulateBits(decapsulationAlgorithm, decapsulationKey, ciphertext) {
    SubtleCrypto.#check(this, 3, arguments);
    return decapsulate(
      decapsulationAlgorithm, decapsulationKey, ciphertext, "decapsulateBits",
    ).buffer;
  }

  async decapsulateKey(
    decapsulationAlgorithm, decapsulationKey, ciphertext, sharedKeyAlgorithm, extractable,
    keyUsages,
  ) {
    SubtleCrypto.#check(this, 6, arguments);
    const target = normalize(sharedKeyAlgorithm, "importKey");
    const usages = takeUsages(keyUsages);
    const bits = decapsulate(
      decapsulationAlgorithm, decapsulationKey, ciphertext, "decapsulateKey",
    );
    return importInto("raw-secret", bits, target, Boolean(extractable), usages);
  }

  async wrapKey(format, key, wrappingKey, wrapAlgorithm) {
    SubtleCrypto.#check(this, 4, arguments);
    const kind = takeFormat(format);
    const normalized = normalizeEither(wrapAlgorithm, "wrapKey", "encrypt");
    const slots = checkUse(normalized, takeKey(wrappingKey), "wrapKey");
    const exported = exportFrom(kind, takeKey(key));
    const data = kind === "jwk"
      ? new TextEncoder().encode(JSON.stringify(exported))
      : new Uint8Array(exported);
    return crypt(true, normalized, slots, data);
  }

  async unwrapKey(
    format, wrappedKey, unwrappingKey, unwrapAlgorithm, unwrappedKeyAlgorithm, extractable,
    keyUsages,
  ) {
    SubtleCrypto.#check(this, 7, arguments);
    const kind = takeFormat(format);
    const wrapped = copyBytes(wrappedKey, "wrappedKey");
    const normalized = normalizeEither(unwrapAlgorithm, "wrapKey", "encrypt");
    const target = normalize(unwrappedKeyAlgorithm, "importKey");
    const usages = takeUsages(keyUsages);
    const slots = checkUse(normalized, takeKey(unwrappingKey), "unwrapKey");
    const data = new Uint8Array(await crypt(false, normalized, slots, wrapped));
    return importInto(
      kind, kind === "jwk" ? parseJwk(data) : data, target, Boolean(extractable), usages,
    );
  }
}

const namedOperations = {
  __proto__: null, encrypt: "encrypt", decrypt: "encrypt", sign: "sign", verify: "sign",
  digest: "digest", generateKey: "generateKey", deriveKey: "deriveBits", deriveBits: "deriveBits",
  importKey: "importKey", exportKey: "importKey", wrapKey: "wrapKey", unwrapKey: "wrapKey",
  getPublicKey: "importKey", encapsulateBits: "encapsulate", encapsulateKey: "encapsulate",
  decapsulateBits: "encapsulate", decapsulateKey: "encapsulate",
};

/** Parameters that the operation itself would refuse. */
function hasFineParams(operation, { name, length, namedCurve, tagLength }) {
  const isKey = operation === "generateKey" || operation === "keyLength";
  if (isKey && aesNames.includes(name)) return [128, 192, 256].includes(length);
  if (isKey && name === "HMAC") return length !== 0;
  if (namedCurve !== undefined) return ["P-256", "P-384", "P-521"].includes(namedCurve);
  return tagLength === undefined || tagLength >= 32;
}

function isSupported(operation, algorithm, extra) {
  const kind = namedOperations[operation];
  if (kind === undefined) return false;
  try {
    const isWrap = operation === "wrapKey" || operation === "unwrapKey";
    const normalized = isWrap
      ? normalizeEither(algorithm, "wrapKey", "encrypt") : normalize(algorithm, kind);
    if (!hasFineParams(kind, normalized)) return false;
    const { name } = normalized;
    if (operation === "exportKey" && (name === "HKDF" || name === "PBKDF2")) return false;
    if (operation === "getPublicKey" && algorithms.secret.includes(name)) return false;
    if (operation === "deriveKey") {
      const sized = normalize(extra, "keyLength");
      return hasFineParams("keyLength", sized) && normalize(extra, "importKey") !== undefined;
    }
    const isKdf = name === "HKDF" || name === "PBKDF2";
    if (operation !== "deriveBits" || !isKdf) return true;
    return extra !== null && Number(extra) % 8 === 0;
  } catch {
    return false;
  }
}

const takeKey = (value) => key(value, "key");

/** The usages that the public half of a private key of that algorithm may have. */
function publicUsages(name) {
  if (name === "RSA-OAEP") return ["encrypt", "wrapKey"];
  if (kemNames.includes(name)) return ["encapsulateKey", "encapsulateBits"];
  return operations.sign[name] === undefined ? [] : ["verify"];
}

function parseJwk(data) {
  let jwk;
  try {
    jwk = JSON.parse(new TextDecoder().decode(data));
  } catch (cause) {
    throw fail("Invalid wrapped JWK key", { name: "DataError", cause });
  }
  if (typeof jwk !== "object" || jwk === null) throw fail("Invalid wrapped JWK key", "DataError");
  return jwk;
}

exports.SubtleCrypto = defineInterface(SubtleCrypto);
exports.subtle = new SubtleCrypto(kToken);
exports.CryptoKey = CryptoKey;
/** KeyObject.prototype.toCryptoKey: as importKey of what the key exports. */
exports.toCryptoKey = function toCryptoKey(keyObject, algorithm, extractable, keyUsages) {
  const normalized = normalize(algorithm, "importKey");
  const usages = takeUsages(keyUsages);
  const { type } = keyObject;
  const format = { secret: "raw", public: "spki", private: "pkcs8" }[type];
  const data = type === "secret" ? keyObject.export()
    : keyObject.export({ format: "der", type: format });
  return importInto(format, new Uint8Array(data), normalized, Boolean(extractable), usages);
};
