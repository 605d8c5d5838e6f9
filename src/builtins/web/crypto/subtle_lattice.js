// web/crypto/subtle_lattice -- ML-KEM and ML-DSA of crypto.subtle (Modern Algorithms in the Web
// Cryptography API, sections 7 and 8).  OpenSSL 3.0 has neither, so their keys are no KeyObjects:
// a LatticeKey holds the bytes, a private key its seed.
//
// native: see subtle_lattice.c
const shared = require("web/crypto/subtle_shared");
const { kClone } = require("web/structured_clone/clone_key");

const { checkJwk, checkUsages, fail, makeKey, makePair, toArrayBuffer } = shared;

// DER of AlgorithmIdentifier without the last two bytes of its number.
const kOid = [0x30, 0x0b, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04];

const sizes = {
  __proto__: null,
  "ML-KEM-512": { kind: 0, oid: [4, 1], publicSize: 800, cipherSize: 768 },
  "ML-KEM-768": { kind: 1, oid: [4, 2], publicSize: 1184, cipherSize: 1088 },
  "ML-KEM-1024": { kind: 2, oid: [4, 3], publicSize: 1568, cipherSize: 1568 },
  "ML-DSA-44": { kind: 0, oid: [3, 17], publicSize: 1312, signatureSize: 2420 },
  "ML-DSA-65": { kind: 1, oid: [3, 18], publicSize: 1952, signatureSize: 3309 },
  "ML-DSA-87": { kind: 2, oid: [3, 19], publicSize: 2592, signatureSize: 4627 },
};
const isKem = (name) => name.startsWith("ML-KEM");
const seedSize = (name) => (isKem(name) ? 64 : 32);
const usagesOf = (name) => (isKem(name)
  ? [["decapsulateKey", "decapsulateBits"], ["encapsulateKey", "encapsulateBits"]]
  : [["sign"], ["verify"]]);

class LatticeKey {
  constructor(type, name, bytes) {
    this.type = type;
    this.name = name;
    /** The encoded public key, or the seed. */
    this.bytes = bytes;
  }

  [kClone]() {
    return ["LatticeKey", { type: this.type, name: this.name, bytes: this.bytes }];
  }

  /** The bytes of the public key that belongs to this one. */
  publicBytes() {
    if (this.type === "public") return this.bytes;
    const { kind, publicSize } = sizes[this.name];
    const out = new Uint8Array(publicSize);
    (isKem(this.name) ? native.kemPublic : native.dsaPublic)(kind, this.bytes, out);
    return out;
  }
}

function randomBytes(size) {
  const bytes = new Uint8Array(size);
  require("web/crypto").fill(bytes);
  return bytes;
}

// ---- Formats ------------------------------------------------------------------------------------

const be16 = (n) => [0x82, n >> 8, n & 0xff];

function spkiHead({ oid, publicSize }) {
  const bits = publicSize + 1;
  return [0x30, ...be16(13 + 4 + bits), ...kOid, ...oid, 0x03, ...be16(bits), 0x00];
}

/** PKCS #8 with the seed alone: [0] IMPLICIT OCTET STRING. */
function pkcs8Head(name) {
  const size = seedSize(name);
  return [0x30, size + 20, 0x02, 0x01, 0x00, ...kOid, ...sizes[name].oid, 0x04, size + 2, 0x80,
    size];
}

/** What follows a head that must be there, `size` bytes, or undefined. */
function afterHead(head, data, size) {
  if (data.byteLength !== head.length + size) return undefined;
  if (!head.every((byte, i) => data[i] === byte)) return undefined;
  return data.slice(head.length);
}

/** Is it a PKCS #8 of this algorithm, in another form than the seed alone? */
function isOtherPkcs8(name, data) {
  const start = [0x02, 0x01, 0x00, ...kOid, ...sizes[name].oid, 0x04];
  return data[0] === 0x30 && data[1] === 0x82 && start.every((byte, i) => data[i + 4] === byte);
}

function readPkcs8(name, data) {
  const seed = afterHead(pkcs8Head(name), data, seedSize(name));
  if (seed !== undefined) return seed;
  if (isOtherPkcs8(name, data)) {
    throw fail(`Only the seed of a ${name} private key is supported`, "NotSupportedError");
  }
  throw fail("Invalid keyData", "DataError");
}

function publicKey(name, bytes) {
  const { kind, publicSize } = sizes[name];
  const isFine = bytes?.byteLength === publicSize &&
    (!isKem(name) || native.kemIsPublic(kind, bytes));
  if (!isFine) throw fail("Invalid keyData", "DataError");
  return new LatticeKey("public", name, bytes);
}

function privateKey(name, seed) {
  if (seed.byteLength !== seedSize(name)) throw fail("Invalid keyData", "DataError");
  return new LatticeKey("private", name, seed);
}

function base64Url(text) {
  if (typeof text !== "string" || !/^[\w-]*$/.test(text)) {
    throw fail("Invalid keyData", "DataError");
  }
  return new Uint8Array(require("node:buffer").Buffer.from(text, "base64url"));
}

/** "AKP" of draft-ietf-cose-dilithium: `pub`, and `priv`, which is the seed. */
function readJwk(name, jwk, extractable, usages) {
  checkJwk(jwk, "AKP", isKem(name) ? "enc" : "sig", extractable, usages);
  if (jwk.alg !== name) {
    throw fail('JWK "alg" does not match the requested algorithm', "DataError");
  }
  const given = publicKey(name, base64Url(jwk.pub));
  if (jwk.priv === undefined) return given;
  const key = privateKey(name, base64Url(jwk.priv));
  const made = key.publicBytes();
  if (!made.every((byte, i) => byte === given.bytes[i])) throw fail("Invalid keyData", "DataError");
  return key;
}

const isPrivateFormat = (format, data) =>
  format === "pkcs8" || format === "raw-seed" || (format === "jwk" && data.priv !== undefined);

function readKey(format, name, data, extractable, usages) {
  switch (format) {
    case "spki":
      return publicKey(name, afterHead(spkiHead(sizes[name]), data, sizes[name].publicSize));
    case "pkcs8":
      return privateKey(name, readPkcs8(name, data));
    case "raw-public":
      return publicKey(name, data);
    case "raw-seed":
      return privateKey(name, data);
    case "jwk":
      return readJwk(name, data, extractable, usages);
    default:
      throw fail(`Unable to import ${name} key using ${format} format`, "NotSupportedError");
  }
}

function importKey(format, data, { name }, extractable, usages) {
  const allowed = usagesOf(name)[isPrivateFormat(format, data) ? 0 : 1];
  checkUsages(usages, allowed, name);
  const key = readKey(format, name, data, extractable, usages);
  return makeKey(key, { name }, extractable, usages, allowed);
}

const toBase64Url = (bytes) => require("node:buffer").Buffer.from(bytes).toString("base64url");

function exportKey(format, key) {
  const { object } = key;
  const { name } = object;
  const wanted = { __proto__: null, spki: "public", "raw-public": "public", pkcs8: "private",
    "raw-seed": "private" };
  if (format !== "jwk" && wanted[format] === undefined) {
    throw fail(`Unable to export a ${name} key using ${format} format`, "NotSupportedError");
  }
  if (format !== "jwk" && wanted[format] !== key.type) {
    throw fail(`Unable to export a ${key.type} key using ${format} format`, "InvalidAccessError");
  }
  if (format === "spki") return Uint8Array.of(...spkiHead(sizes[name]), ...object.bytes).buffer;
  if (format === "pkcs8") return Uint8Array.of(...pkcs8Head(name), ...object.bytes).buffer;
  if (format !== "jwk") return object.bytes.slice().buffer;
  const jwk = { key_ops: [...key.usages], ext: key.extractable, kty: "AKP", alg: name,
    pub: toBase64Url(object.publicBytes()) };
  if (key.type === "private") jwk.priv = toBase64Url(object.bytes);
  return jwk;
}

// ---- Operations ---------------------------------------------------------------------------------

function generate({ name }, extractable, usages) {
  const pair = usagesOf(name);
  checkUsages(usages, [...pair[0], ...pair[1]], name);
  const made = { privateKey: privateKey(name, randomBytes(seedSize(name))) };
  made.publicKey = new LatticeKey("public", name, made.privateKey.publicBytes());
  return makePair(made, { name }, extractable, usages, pair);
}

function checkType(key, type) {
  if (key.type !== type) throw fail(`key must be a ${type} key`, "InvalidAccessError");
}

/** -> { sharedKey, ciphertext }, both Uint8Array */
function encapsulate({ name }, key) {
  checkType(key, "public");
  const { kind, cipherSize } = sizes[name];
  const sharedKey = new Uint8Array(32);
  const ciphertext = new Uint8Array(cipherSize);
  native.kemEncapsulate(kind, key.object.bytes, randomBytes(32), sharedKey, ciphertext);
  return { sharedKey, ciphertext };
}

function decapsulate({ name }, key, ciphertext) {
  checkType(key, "private");
  const { kind, cipherSize } = sizes[name];
  if (ciphertext.byteLength !== cipherSize) {
    throw fail("The ciphertext has the wrong length", "OperationError");
  }
  const sharedKey = new Uint8Array(32);
  native.kemDecapsulate(kind, key.object.bytes, ciphertext, sharedKey);
  return sharedKey;
}

function contextOf({ context = new Uint8Array(0) }) {
  if (context.byteLength > 255) throw fail("The context is too long", "OperationError");
  return context;
}

function sign(algorithm, key, data) {
  checkType(key, "private");
  const context = contextOf(algorithm);
  const { kind, signatureSize } = sizes[algorithm.name];
  const signature = new Uint8Array(signatureSize);
  native.dsaSign(kind, key.object.bytes, context, data, randomBytes(32), signature);
  return toArrayBuffer(signature);
}

function verify(algorithm, key, signature, data) {
  checkType(key, "public");
  const context = contextOf(algorithm);
  const { kind } = sizes[algorithm.name];
  return native.dsaVerify(kind, key.object.bytes, context, data, signature);
}

/** The public half of a private key's object. */
exports.publicObject = (object) => new LatticeKey("public", object.name, object.publicBytes());
exports.LatticeKey = LatticeKey;
exports.cloning = { make: ({ type, name, bytes }) => new LatticeKey(type, name, bytes) };

for (const name of Object.keys(sizes)) {
  const common = { generate, import: importKey, export: exportKey };
  exports[name] = isKem(name)
    ? { ...common, encapsulate, decapsulate } : { ...common, sign, verify };
}
