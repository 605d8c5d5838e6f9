// web/crypto/subtle_pair -- the algorithms of crypto.subtle with a key pair: RSA, ECDSA, ECDH,
// Ed25519, X25519 and their larger sisters.  Keys come as what slotsOf() gives.
const shared = require("web/crypto/subtle_shared");

const { checkJwk, checkUsages, digestName, fail, guard, makeKey, makePair, toArrayBuffer } = shared;

const keys = () => require("node:crypto/keys");
const signNatives = () => require("node:crypto/sign").native;
const handleOf = (key) => keys().handleOf(key.object);
const asBytes = (result) => {
  const { asBuffer, check } = require("node:crypto/args");
  return toArrayBuffer(asBuffer(check(result)));
};

const signUsages = [["sign"], ["verify"]];
const deriveUsages = [["deriveKey", "deriveBits"], []];
const oaepUsages = [["decrypt", "unwrapKey"], ["encrypt", "wrapKey"]];
const allOf = ([forPrivate, forPublic]) => [...forPrivate, ...forPublic];

// ---- Formats that all have ----------------------------------------------------------------------

/** A key of the type that the algorithm wants, from SPKI or PKCS #8. */
function readDer(format, data, types, name) {
  const { createPrivateKey, createPublicKey } = keys();
  let key;
  try {
    key = format === "spki"
      ? createPublicKey({ key: data, format: "der", type: "spki" })
      : createPrivateKey({ key: data, format: "der", type: "pkcs8" });
  } catch (cause) {
    throw fail("Invalid keyData", { name: "DataError", cause });
  }
  if (!types.includes(key.asymmetricKeyType)) {
    throw fail(`Invalid key type for a ${name} key`, "DataError");
  }
  return key;
}

function fromHandle(make, isPrivate) {
  const { PrivateKeyObject, PublicKeyObject } = keys();
  let handle;
  try {
    handle = make();
  } catch (cause) {
    throw fail("Invalid keyData", { name: "DataError", cause });
  }
  if (Array.isArray(handle)) throw fail("Invalid keyData", "DataError");
  return new (isPrivate ? PrivateKeyObject : PublicKeyObject)(handle);
}

function readJwk(jwk, { kty, use, alg }, extractable, usages) {
  checkJwk(jwk, kty, use, extractable, usages);
  if (alg !== undefined && jwk.alg !== undefined && !alg.includes(jwk.alg)) {
    throw fail('JWK "alg" does not match the requested algorithm', "DataError");
  }
  return fromHandle(() => keys().fromJwk(jwk, false), jwk.d !== undefined);
}

function usagesFor(key, pair) {
  return key.type === "private" ? pair[0] : pair[1];
}

function exportDer(format, key) {
  const wanted = format === "spki" ? "public" : "private";
  if (key.type !== wanted) {
    throw fail(`Unable to export a ${key.type} key using ${format} format`, "InvalidAccessError");
  }
  return toArrayBuffer(key.object.export({ type: format, format: "der" }));
}

function exportJwk(key, alg) {
  const jwk = key.object.export({ format: "jwk" });
  const rest = { key_ops: [...key.usages], ext: key.extractable, ...jwk };
  if (alg !== undefined) rest.alg = alg;
  return rest;
}

// ---- RSA ----------------------------------------------------------------------------------------

const kPssPadding = 6;
const kPkcs1Padding = 1;
const kOaepPadding = 4;
const rsaAlgs = { "RSASSA-PKCS1-v1_5": "RS", "RSA-PSS": "PS", "RSA-OAEP": "RSA-OAEP-" };

/** What JWK calls it; undefined for the hashes of SHA-3, for which no name is registered. */
function rsaAlg(name, hash) {
  if (!hash.name.startsWith("SHA-")) return undefined;
  if (name === "RSA-OAEP" && hash.name === "SHA-1") return name;
  return rsaAlgs[name] + hash.name.slice("SHA-".length);
}

function rsaAlgorithm(name, hash, key) {
  const { modulusLength, publicExponent } = key.asymmetricKeyDetails;
  const bytes = require("node:crypto/args").bytesOfInteger(publicExponent);
  return {
    name, modulusLength, publicExponent: new Uint8Array(bytes), hash: { name: hash.name },
  };
}

function exponentOf(bytes) {
  const value = bytes.reduce((n, byte) => n * 256 + byte, 0);
  if (value < 3 || value > 0xffffffff || value % 2 === 0) {
    throw fail("The public exponent is not valid", "OperationError");
  }
  return value;
}

function rsa(name, pair, extra) {
  return {
    async generate({ modulusLength, publicExponent, hash }, extractable, usages) {
      checkUsages(usages, allOf(pair), name);
      const options = { modulusLength, publicExponent: exponentOf(publicExponent) };
      const made = await shared.generatePair("rsa", options);
      const algorithm = rsaAlgorithm(name, hash, made.publicKey);
      return makePair(made, algorithm, extractable, usages, pair);
    },
    import(format, data, { hash }, extractable, usages) {
      let key;
      if (format === "jwk") {
        const isPrivate = data.d !== undefined;
        checkUsages(usages, isPrivate ? pair[0] : pair[1], name);
        const use = name === "RSA-OAEP" ? "enc" : "sig";
        const alg = rsaAlg(name, hash);
        const kind = { kty: "RSA", use, alg: alg === undefined ? undefined : [alg] };
        key = readJwk(data, kind, extractable, usages);
      } else if (format === "spki" || format === "pkcs8") {
        checkUsages(usages, format === "spki" ? pair[1] : pair[0], name);
        key = readDer(format, data, ["rsa"], name);
      } else {
        throw fail(`Unable to import ${name} key using ${format} format`, "NotSupportedError");
      }
      return makeKey(
        key, rsaAlgorithm(name, hash, key), extractable, usages, usagesFor(key, pair),
      );
    },
    export(format, key) {
      if (format === "jwk") return exportJwk(key, rsaAlg(name, key.algorithm.hash));
      if (format === "spki" || format === "pkcs8") return exportDer(format, key);
      throw fail(`Unable to export a ${name} key using ${format} format`, "NotSupportedError");
    },
    ...extra,
  };
}

function rsaSigner(padding) {
  const settings = ({ saltLength }) => [padding, padding === kPssPadding ? saltLength : undefined];
  return {
    sign: (algorithm, key, data) => guard(() => asBytes(signNatives().sign(
      handleOf(key), digestName(key.algorithm.hash), data, ...settings(algorithm), false, false,
    ))),
    verify(algorithm, key, signature, data) {
      const result = signNatives().verify(
        handleOf(key), digestName(key.algorithm.hash), data, ...settings(algorithm), false, false,
        signature,
      );
      return result === true;
    },
  };
}

exports["RSASSA-PKCS1-v1_5"] = rsa("RSASSA-PKCS1-v1_5", signUsages, rsaSigner(kPkcs1Padding));
exports["RSA-PSS"] = rsa("RSA-PSS", signUsages, rsaSigner(kPssPadding));
exports["RSA-OAEP"] = rsa("RSA-OAEP", oaepUsages, {
  crypt: (isEncrypt, { label }, key, data) => guard(() => asBytes(signNatives().crypt(
    isEncrypt ? 0 : 1, handleOf(key), data, kOaepPadding, digestName(key.algorithm.hash), label,
  ))),
});

// ---- Curves -------------------------------------------------------------------------------------

const curves = { __proto__: null, "P-256": "prime256v1", "P-384": "secp384r1",
  "P-521": "secp521r1" };
const sizes = { __proto__: null, "P-256": 32, "P-384": 48, "P-521": 66 };
const curveAlgs = { "P-256": ["ES256"], "P-384": ["ES384"], "P-521": ["ES512"] };

function curveOf({ namedCurve }) {
  if (curves[namedCurve] === undefined) throw fail("Unrecognized namedCurve", "NotSupportedError");
  return namedCurve;
}

function importCurve(name, pair, format, data, algorithm, extractable, usages) {
  const namedCurve = curveOf(algorithm);
  let key;
  if (format === "raw" || format === "raw-public") {
    checkUsages(usages, pair[1], name);
    key = fromHandle(() => keys().native.fromEc(curves[namedCurve], data, undefined), false);
  } else if (format === "jwk") {
    checkUsages(usages, data.d === undefined ? pair[1] : pair[0], name);
    if (data.crv !== namedCurve) throw fail("JWK \"crv\" does not match the requested algorithm",
      "DataError");
    const isSigning = name === "ECDSA";
    const kind = { kty: "EC", use: isSigning ? "sig" : "enc",
      alg: isSigning ? curveAlgs[namedCurve] : undefined };
    key = readJwk(data, kind, extractable, usages);
  } else if (format === "spki" || format === "pkcs8") {
    checkUsages(usages, format === "spki" ? pair[1] : pair[0], name);
    key = readDer(format, data, ["ec"], name);
    // A point that came compressed is written as it should be.
    if (format === "spki" && key.asymmetricKeyDetails.namedCurve === curves[namedCurve]) {
      const point = new Uint8Array(exportPoint({ object: key }));
      key = fromHandle(() => keys().native.fromEc(curves[namedCurve], point, undefined), false);
    }
  } else {
    throw fail(`Unable to import ${name} key using ${format} format`, "NotSupportedError");
  }
  if (key.asymmetricKeyDetails.namedCurve !== curves[namedCurve]) {
    throw fail("Named curve mismatch", "DataError");
  }
  return makeKey(key, { name, namedCurve }, extractable, usages, usagesFor(key, pair));
}

/** The point of a public key, not compressed. */
function exportPoint(key) {
  const [x, y] = keys().native.parts(false, handleOf(key));
  return toArrayBuffer(require("node:buffer").Buffer.concat([Uint8Array.of(4), x, y]));
}

function curve(name, pair, extra) {
  return {
    async generate(algorithm, extractable, usages) {
      checkUsages(usages, allOf(pair), name);
      const namedCurve = curveOf(algorithm);
      const made = await shared.generatePair("ec", { namedCurve: curves[namedCurve] });
      return makePair(made, { name, namedCurve }, extractable, usages, pair);
    },
    import: (...args) => importCurve(name, pair, ...args),
    export(format, key) {
      if (format === "jwk") return exportJwk(key, undefined);
      if (format === "spki" || format === "pkcs8") return exportDer(format, key);
      if (format !== "raw" && format !== "raw-public") {
        throw fail(`Unable to export a ${name} key using ${format} format`, "NotSupportedError");
      }
      if (key.type !== "public") {
        throw fail("Unable to export a private key using raw format", "InvalidAccessError");
      }
      return exportPoint(key);
    },
    ...extra,
  };
}

function checkPeer(algorithm, key) {
  const peer = algorithm.public;
  if (peer.type !== "public") {
    throw fail("algorithm.public must be a public key", "InvalidAccessError");
  }
  if (peer.algorithm.name !== key.algorithm.name) {
    throw fail("key algorithm mismatch", "InvalidAccessError");
  }
  if (peer.algorithm.namedCurve !== key.algorithm.namedCurve) {
    throw fail("Named curve mismatch", "InvalidAccessError");
  }
  return peer;
}

/** The first `length` bits of what two keys have in common; null: all of them. */
function sharedBits(algorithm, key, length) {
  const peer = checkPeer(algorithm, key);
  const bits = guard(() => asBytes(signNatives().derive(handleOf(key), handleOf(peer))));
  if (length === null || length === undefined) return bits;
  if (length > bits.byteLength * 8) throw fail("derived bit length is too small", "OperationError");
  const size = Math.ceil(length / 8);
  const cut = bits.slice(0, size);
  if (length % 8 !== 0) new Uint8Array(cut)[size - 1] &= 0xff << (8 - (length % 8));
  return cut;
}

exports.ECDSA = curve("ECDSA", signUsages, {
  sign: ({ hash }, key, data) => guard(() => asBytes(signNatives().sign(
    handleOf(key), digestName(hash), data, undefined, undefined, true, false,
  ))),
  verify({ hash }, key, signature, data) {
    if (signature.byteLength !== 2 * sizes[key.algorithm.namedCurve]) return false;
    return signNatives().verify(
      handleOf(key), digestName(hash), data, undefined, undefined, true, false, signature,
    ) === true;
  },
});
exports.ECDH = curve("ECDH", deriveUsages, { deriveBits: sharedBits });

// ---- Edwards and Montgomery curves --------------------------------------------------------------

const typeNames = { __proto__: null, Ed25519: "ed25519", Ed448: "ed448", X25519: "x25519",
  X448: "x448" };

function importRaw(name, pair, format, data, extractable, usages) {
  const type = typeNames[name];
  if (format === "raw" || format === "raw-public") {
    checkUsages(usages, pair[1], name);
    return fromHandle(() => keys().native.fromRaw(false, name.toUpperCase(), data), false);
  }
  if (format === "jwk") {
    checkUsages(usages, data.d === undefined ? pair[1] : pair[0], name);
    const isSigning = pair === signUsages;
    if (data.kty === "OKP" && data.crv !== name) {
      throw fail('JWK "crv" Parameter and algorithm name mismatch', "DataError");
    }
    const kind = { kty: "OKP", use: isSigning ? "sig" : "enc",
      alg: isSigning ? [name, "EdDSA"] : undefined };
    const key = readJwk(data, kind, extractable, usages);
    const { x } = keyPublicJwk(key);
    if (x !== data.x) throw fail("Invalid keyData", "DataError");
    return key;
  }
  if (format !== "spki" && format !== "pkcs8") {
    throw fail(`Unable to import ${name} key using ${format} format`, "NotSupportedError");
  }
  checkUsages(usages, format === "spki" ? pair[1] : pair[0], name);
  return readDer(format, data, [type], name);
}

function keyPublicJwk(key) {
  const { PublicKeyObject, handleOf: inner } = keys();
  return new PublicKeyObject(inner(key)).export({ format: "jwk" });
}

function raw(name, pair, extra) {
  return {
    async generate(algorithm, extractable, usages) {
      checkUsages(usages, allOf(pair), name);
      const made = await shared.generatePair(typeNames[name], undefined);
      return makePair(made, { name }, extractable, usages, pair);
    },
    import(format, data, algorithm, extractable, usages) {
      const key = importRaw(name, pair, format, data, extractable, usages);
      return makeKey(key, { name }, extractable, usages, usagesFor(key, pair));
    },
    export(format, key) {
      if (format === "jwk") return exportJwk(key, pair === signUsages ? name : undefined);
      if (format === "spki" || format === "pkcs8") return exportDer(format, key);
      if (format !== "raw" && format !== "raw-public") {
        throw fail(`Unable to export a ${name} key using ${format} format`, "NotSupportedError");
      }
      if (key.type !== "public") {
        throw fail("Unable to export a private key using raw format", "InvalidAccessError");
      }
      return toArrayBuffer(keys().native.parts(false, handleOf(key))[0]);
    },
    ...extra,
  };
}

const edwards = {
  sign: (algorithm, key, data) => guard(() => asBytes(signNatives().sign(
    handleOf(key), undefined, data, undefined, undefined, false, false,
  ))),
  verify: (algorithm, key, signature, data) => signNatives().verify(
    handleOf(key), undefined, data, undefined, undefined, false, false, signature,
  ) === true,
};

exports.Ed25519 = raw("Ed25519", signUsages, edwards);
exports.Ed448 = raw("Ed448", signUsages, edwards);
exports.X25519 = raw("X25519", deriveUsages, { deriveBits: sharedBits });
exports.X448 = raw("X448", deriveUsages, { deriveBits: sharedBits });
