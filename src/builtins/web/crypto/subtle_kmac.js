// web/crypto/subtle_kmac -- KMAC128 and KMAC256 of crypto.subtle (Modern Algorithms in the Web
// Cryptography API, section "KMAC").
//
// native: mac(is256, key, customization, data, out)
const { checkUsages, fail, makeKey } = require("web/crypto/subtle_shared");
const { exportSecret, makeSecret, randomKey, readSecret, secretOf } =
  require("web/crypto/subtle_secret").parts;

const kUsages = ["sign", "verify"];
const kNothing = new Uint8Array(0);

function makeKmac(name) {
  const is256 = name === "KMAC256";
  const alg = is256 ? "K256" : "K128";
  const usualBits = is256 ? 256 : 128;

  function sign({ outputLength, customization = kNothing }, key, data) {
    if (outputLength % 8 !== 0) {
      throw fail("outputLength must be a multiple of 8", "OperationError");
    }
    const out = new Uint8Array(outputLength / 8);
    native.mac(is256, secretOf(key), customization, data, out);
    return out.buffer;
  }

  return {
    generate({ length = usualBits }, extractable, usages) {
      checkUsages(usages, kUsages, name);
      if (length === 0) throw fail("Zero-length key is not supported", "OperationError");
      if (usages.length === 0) {
        throw fail("Usages cannot be empty when creating a key.", "SyntaxError");
      }
      return makeKey(randomKey(length), { name, length }, extractable, usages, kUsages);
    },
    import(format, data, { length }, extractable, usages) {
      checkUsages(usages, kUsages, name);
      if (format === "raw") {
        throw fail(`Unable to import ${name} using raw format`, "NotSupportedError");
      }
      const kind = { kty: "oct", use: "sig", algOf: () => alg };
      const bytes = readSecret(format, data, kind, extractable, usages);
      const bits = bytes.byteLength * 8;
      if (bits === 0) throw fail("Zero-length key is not supported", "DataError");
      if (length !== undefined && (length > bits || length <= bits - 8)) {
        throw fail("Invalid key length", "DataError");
      }
      const algorithm = { name, length: length ?? bits };
      return makeKey(makeSecret(bytes), algorithm, extractable, usages, kUsages);
    },
    export(format, key) {
      if (format === "raw") {
        throw fail(`Unable to export ${name} secret key using raw format`, "NotSupportedError");
      }
      return exportSecret(format, key, alg);
    },
    sign,
    verify(algorithm, key, signature, data) {
      const wanted = new Uint8Array(sign(algorithm, key, data));
      if (wanted.byteLength !== signature.byteLength) return false;
      return require("node:crypto/kdf").timingSafeEqual(wanted, signature);
    },
    keyLength: ({ length = usualBits }) => length,
  };
}

exports.KMAC128 = makeKmac("KMAC128");
exports.KMAC256 = makeKmac("KMAC256");
