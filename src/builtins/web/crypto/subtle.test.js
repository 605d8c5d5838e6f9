const { subtle } = crypto;
const text = new TextEncoder().encode("some text");
const hex = (buffer) => Buffer.from(buffer).toString("hex");

async function nameOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error.name;
  }
  return "no error";
}

describe("subtle", () => {
  test("digest", async () => {
    expect(hex(await subtle.digest("SHA-1", text))).toBe(
      "37aa63c77398d954473262e1a0057c1e632eda77",
    );
    expect((await subtle.digest({ name: "sha-512" }, text)).byteLength).toBe(64);
    expect(await nameOf(subtle.digest("SHA-3", text))).toBe("NotSupportedError");
    expect(await nameOf(subtle.digest("SHA-1", "text"))).toBe("TypeError");
  });

  test("every cipher gives the text back", async () => {
    for (const [name, params] of [
      ["AES-CBC", { iv: new Uint8Array(16) }],
      ["AES-CTR", { counter: new Uint8Array(16).fill(255), length: 64 }],
      ["AES-GCM", { iv: new Uint8Array(12), additionalData: text, tagLength: 96 }],
    ]) {
      const key = await subtle.generateKey({ name, length: 256 }, true, ["encrypt", "decrypt"]);
      const long = new Uint8Array(1000).map((_, i) => i);
      const sealed = await subtle.encrypt({ name, ...params }, key, long);
      expect(hex(await subtle.decrypt({ name, ...params }, key, sealed))).toBe(hex(long));
      const jwk = await subtle.exportKey("jwk", key);
      expect(jwk.alg).toBe(`A256${name.slice(4)}`);
      const again = await subtle.importKey("jwk", jwk, name, false, ["decrypt"]);
      expect(hex(await subtle.decrypt({ name, ...params }, again, sealed))).toBe(hex(long));
    }
  });

  test("signatures", async () => {
    for (const [algorithm, params] of [
      [{ name: "HMAC", hash: "SHA-256" }, "HMAC"],
      [{ name: "ECDSA", namedCurve: "P-256" }, { name: "ECDSA", hash: "SHA-256" }],
      [{ name: "Ed25519" }, "Ed25519"],
      [{ name: "RSA-PSS", modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]),
        hash: "SHA-256" }, { name: "RSA-PSS", saltLength: 32 }],
      [{ name: "RSASSA-PKCS1-v1_5", modulusLength: 1024,
        publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" }, "RSASSA-PKCS1-v1_5"],
    ]) {
      const pair = await subtle.generateKey(algorithm, true, ["sign", "verify"]);
      const { privateKey = pair, publicKey = pair } = pair;
      const signature = await subtle.sign(params, privateKey, text);
      expect(await subtle.verify(params, publicKey, signature, text)).toBe(true);
      new Uint8Array(signature)[3] ^= 1;
      expect(await subtle.verify(params, publicKey, signature, text)).toBe(false);
      if (pair === privateKey) continue;
      for (const [key, format] of [[privateKey, "pkcs8"], [publicKey, "spki"], [privateKey, "jwk"]]) {
        const data = await subtle.exportKey(format, key);
        const back = await subtle.importKey(format, data, algorithm, true, key.usages);
        expect(hex(Buffer.from(JSON.stringify(await subtle.exportKey("jwk", back))))).toBe(
          hex(Buffer.from(JSON.stringify(await subtle.exportKey("jwk", key)))),
        );
      }
    }
  });

  test("derived keys and bits", async () => {
    for (const algorithm of [{ name: "ECDH", namedCurve: "P-384" }, { name: "X25519" }]) {
      const a = await subtle.generateKey(algorithm, false, ["deriveBits"]);
      const b = await subtle.generateKey(algorithm, false, ["deriveKey", "deriveBits"]);
      const { name } = algorithm;
      const one = await subtle.deriveBits({ name, public: a.publicKey }, b.privateKey, 128);
      const two = await subtle.deriveBits({ name, public: b.publicKey }, a.privateKey, 128);
      expect(hex(one)).toBe(hex(two));
      const key = await subtle.deriveKey(
        { name, public: a.publicKey }, b.privateKey, { name: "AES-GCM", length: 128 }, true,
        ["encrypt"],
      );
      expect(hex(await subtle.exportKey("raw", key))).toBe(hex(one));
    }
    const password = await subtle.importKey("raw", text, "PBKDF2", false, ["deriveBits"]);
    const params = { name: "PBKDF2", salt: text, iterations: 2, hash: "SHA-1" };
    expect(hex(await subtle.deriveBits(params, password, 64))).toBe(
      hex(require("node:crypto").pbkdf2Sync(text, text, 2, 8, "sha1")),
    );
  });

  test("wrapped keys", async () => {
    const key = await subtle.generateKey({ name: "HMAC", hash: "SHA-1" }, true, ["sign"]);
    const kw = await subtle.generateKey({ name: "AES-KW", length: 128 }, false,
      ["wrapKey", "unwrapKey"]);
    const wrapped = await subtle.wrapKey("raw", key, kw, "AES-KW");
    const back = await subtle.unwrapKey("raw", wrapped, kw, "AES-KW",
      { name: "HMAC", hash: "SHA-1" }, true, ["sign"]);
    expect(hex(await subtle.exportKey("raw", back))).toBe(hex(await subtle.exportKey("raw", key)));
    const gcm = await subtle.generateKey({ name: "AES-GCM", length: 256 }, false,
      ["wrapKey", "unwrapKey"]);
    const params = { name: "AES-GCM", iv: new Uint8Array(12) };
    const asJwk = await subtle.wrapKey("jwk", key, gcm, params);
    const again = await subtle.unwrapKey("jwk", asJwk, gcm, params,
      { name: "HMAC", hash: "SHA-1" }, true, ["sign"]);
    expect(hex(await subtle.exportKey("raw", again))).toBe(hex(await subtle.exportKey("raw", key)));
  });

  test("keys are for what they were made for", async () => {
    const key = await subtle.generateKey({ name: "AES-CBC", length: 128 }, false, ["encrypt"]);
    const iv = new Uint8Array(16);
    expect(await nameOf(subtle.decrypt({ name: "AES-CBC", iv }, key, iv))).toBe(
      "InvalidAccessError",
    );
    expect(await nameOf(subtle.encrypt({ name: "AES-GCM", iv }, key, iv))).toBe(
      "InvalidAccessError",
    );
    expect(await nameOf(subtle.exportKey("raw", key))).toBe("InvalidAccessError");
    expect(await nameOf(subtle.generateKey({ name: "AES-CBC", length: 100 }, true, ["encrypt"])))
      .toBe("OperationError");
    expect(await nameOf(subtle.generateKey({ name: "AES-CBC", length: 128 }, true, ["sign"])))
      .toBe("SyntaxError");
    expect(await nameOf(subtle.generateKey({ name: "AES-CBC", length: 128 }, true, []))).toBe(
      "SyntaxError",
    );
    expect(await nameOf(subtle.importKey("raw", iv.subarray(1), "AES-CBC", true, ["encrypt"])))
      .toBe("DataError");
    expect(() => new CryptoKey()).toThrow();
  });
});
