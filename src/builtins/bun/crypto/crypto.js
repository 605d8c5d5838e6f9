// @internal
// bun:crypto -- Bun.CryptoHasher, Bun.sha and the classes Bun.SHA1, Bun.MD5, ... (Bun: docs,
// hashing).
const { ERR_INVALID_THIS } = require("internal/errors");

// The order of the table of the native half.
const sizes = {
  __proto__: null,
  blake2b256: 32, blake2b512: 64, blake2s256: 32, md4: 16, md5: 16, ripemd160: 20, sha1: 20,
  sha224: 28, sha256: 32, sha384: 48, sha512: 64, "sha512-224": 28, "sha512-256": 32,
  "sha3-224": 28, "sha3-256": 32, "sha3-384": 48, "sha3-512": 64, shake128: 16, shake256: 32,
};
const names = Object.keys(sizes);
const indexes = new Map(names.map((name, i) => [name, i]));
for (const [alias, name] of Object.entries({
  rmd160: "ripemd160", "sha-1": "sha1", sha128: "sha1", "sha-224": "sha224", "sha-256": "sha256",
  "sha-384": "sha384", "sha-512": "sha512", "sha-512/224": "sha512-224",
  "sha-512/256": "sha512-256", "sha512/224": "sha512-224", "sha512/256": "sha512-256",
  "sha-512224": "sha512-224", "sha-512_224": "sha512-224", "sha-512256": "sha512-256",
  "sha-512_256": "sha512-256",
})) indexes.set(alias, indexes.get(name));

const kBytes = -1;
// What the native half writes itself.
const textKinds = { __proto__: null, hex: 0, base64: 1, base64url: 2 };

function coded(Class, code, message) {
  const error = new Class(message);
  error.code = code;
  return error;
}
const typeError = (message) => coded(TypeError, "ERR_INVALID_ARG_TYPE", message);

function indexOf(algorithm, isQuoted) {
  if (typeof algorithm !== "string") throw typeError("algorithm must be a string");
  const index = indexes.get(algorithm) ?? indexes.get(algorithm.toLowerCase());
  if (index !== undefined) return index;
  throw typeError(`Unsupported algorithm ${isQuoted ? JSON.stringify(algorithm) : algorithm}`);
}

const isBytes = (value) =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;

function blobBytes(blob) {
  const parts = require("web/blob").partsOf(blob);
  if (!parts.every((part) => ArrayBuffer.isView(part))) {
    throw typeError("File blob cannot be used here");
  }
  return parts.length === 1 ? parts[0] : require("node:buffer").Buffer.concat(parts);
}

/** A string or bytes: what the native half takes. */
function dataOf(input, encoding) {
  if (typeof input === "string" || input instanceof String) {
    const text = String(input);
    if (typeof encoding !== "string" || encoding === "utf8" || encoding === "utf-8") return text;
    const { Buffer } = require("node:buffer");
    if (!Buffer.isEncoding(encoding)) return text;
    if (encoding.toLowerCase() === "hex" && text.length % 2 !== 0) {
      throw coded(TypeError, "ERR_INVALID_ARG_VALUE", "The argument 'encoding' is invalid for " +
        `data of length ${text.length}. Received '${encoding}'`);
    }
    return Buffer.from(text, encoding);
  }
  if (isBytes(input)) return input;
  if (typeof input === "object" && input !== null && require("web/blob").isBlob(input)) {
    return blobBytes(input);
  }
  throw typeError("input must be a string, ArrayBuffer, ArrayBufferView or Blob");
}

const asBuffer = ({ buffer, byteOffset, byteLength }) =>
  require("node:buffer").Buffer.from(buffer, byteOffset, byteLength);

/**
 * What `make(form)` gives, as `output` says: an encoding, memory to write to, or nothing, which
 * is `asDefault(bytes)`.
 */
function give(output, size, make, asDefault) {
  if (output === undefined || output === null) return asDefault(make(kBytes));
  if (typeof output === "string") {
    const kind = textKinds[output];
    if (kind !== undefined) return make(kind);
    if (output === "buffer") return asBuffer(make(kBytes));
    const { Buffer } = require("node:buffer");
    if (!Buffer.isEncoding(output)) {
      throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `Unknown encoding: ${output}`);
    }
    return asBuffer(make(kBytes)).toString(output);
  }
  if (!isBytes(output)) {
    throw typeError("output must be of type string or ArrayBuffer or ArrayBufferView");
  }
  if (output.byteLength < size) throw typeError(`TypedArray must be at least ${size} bytes`);
  return make(output);
}

const same = (bytes) => bytes;

class CryptoHasher {
  #index;
  #handle;
  #isHmac;

  constructor(algorithm = undefined, hmacKey = undefined) {
    this.#index = indexOf(algorithm, false);
    this.#isHmac = hmacKey !== undefined && hmacKey !== null;
    if (this.#isHmac) {
      if (typeof hmacKey !== "string" && !isBytes(hmacKey)) {
        throw typeError("hmacKey must be a string, ArrayBuffer or ArrayBufferView");
      }
      if (names[this.#index].startsWith("shake")) {
        throw new Error("HMAC is not supported for this algorithm yet");
      }
    }
    this.#handle = native.create(this.#index, this.#isHmac ? hmacKey : undefined);
  }

  static get algorithms() {
    return [...names];
  }

  static #of(self) {
    if (typeof self !== "object" || self === null || !(#handle in self)) {
      throw new ERR_INVALID_THIS("CryptoHasher");
    }
    if (self.#handle === undefined) {
      throw new Error("HMAC has been consumed and is no longer usable");
    }
    return self;
  }

  get algorithm() {
    return names[CryptoHasher.#of(this).#index];
  }

  get byteLength() {
    return sizes[this.algorithm];
  }

  update(input, inputEncoding) {
    native.update(CryptoHasher.#of(this).#handle, dataOf(input, inputEncoding));
    return this;
  }

  copy() {
    const copy = new CryptoHasher(this.algorithm);
    copy.#isHmac = this.#isHmac;
    copy.#handle = native.copy(this.#handle);
    return copy;
  }

  digest(output = undefined) {
    const { byteLength } = this;
    const make = (form) => {
      const result = native.digest(this.#handle, form);
      if (this.#isHmac) this.#handle = undefined;
      return result;
    };
    return give(output, byteLength, make, asBuffer);
  }

  static hash(algorithm, input, output = undefined) {
    const index = indexOf(algorithm, true);
    const data = dataOf(input);
    const make = (form) => native.whole(index, data, form);
    return give(output, sizes[names[index]], make, asBuffer);
  }
}

/** Makes an algorithm's class, which has no copy() and can be used once. */
function makeClass(className, algorithm) {
  const index = indexes.get(algorithm);
  const size = sizes[algorithm];
  const Hasher = {
    [className]: class {
      #handle = native.create(index, undefined);

      static get byteLength() {
        return size;
      }

      get byteLength() {
        return size;
      }

      #open(purpose) {
        if (this.#handle !== undefined) return this.#handle;
        throw coded(Error, "ERR_INVALID_STATE",
          `${className} hasher already digested, create a new instance to ${purpose}`);
      }

      update(input) {
        native.update(this.#open("update"), dataOf(input));
        return this;
      }

      digest(output = undefined) {
        const handle = this.#open("digest again");
        const make = (form) => {
          this.#handle = undefined;
          return native.digest(handle, form);
        };
        return give(output, size, make, same);
      }

      static hash(input, output = undefined) {
        const data = dataOf(input);
        return give(output, size, (form) => native.whole(index, data, form), same);
      }
    },
  }[className];
  Object.defineProperty(Hasher.prototype, Symbol.toStringTag, {
    value: className, configurable: true,
  });
  return Hasher;
}

Object.defineProperty(CryptoHasher.prototype, Symbol.toStringTag, {
  value: "CryptoHasher", configurable: true,
});
exports.CryptoHasher = CryptoHasher;
for (const name of ["MD4", "MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512"]) {
  exports[name] = makeClass(name, name.toLowerCase());
}
exports.SHA512_256 = makeClass("SHA512_256", "sha512-256");

/** SHA-512/256 of `input`. */
exports.sha = function sha(input, output = undefined) {
  return exports.SHA512_256.hash(input, output);
};
