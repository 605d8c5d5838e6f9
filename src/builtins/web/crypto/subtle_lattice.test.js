const { subtle } = crypto;
const hex = (buffer) => Buffer.from(buffer).toString("hex");
const seedOf = (length) => Uint8Array.from({ length }, (_, i) => i);

async function digest(buffer) {
  return hex(await subtle.digest("SHA-256", buffer)).slice(0, 32);
}

async function nameOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error.name;
  }
  return "no error";
}

// What OpenSSL 3.5 makes of the seed 00 01 02 ...: the public key, PKCS #8, and the shared key of a
// cipher text of zeros, which nobody made.
const kems = {
  "ML-KEM-512": ["3ae268dccc5456ac0d0f9b39257dc48f", "0fc934e3fb800359c219f4ede9fe4a1a",
    "077353cfbf66d0c765a6285230e40b72"],
  "ML-KEM-768": ["0b7934c83125c788995e2ba6bd761e33", "67d4dc57d8f9e28816f4a3495abc48dd",
    "c4b6f78dcea56aa22a54cb72eac66233"],
  "ML-KEM-1024": ["c7b8fa0aa471d5ae18922d6ccad5b31e", "2c19d9d89d8c36ffb9eab0f3bb18dd90",
    "716289b3472a42fc8795671a82f36895"],
};
const signers = {
  "ML-DSA-44": "9f107644c1084526af3bc8098680b054",
  "ML-DSA-65": "d666806e11cee19a7c989f7445f90dd4",
  "ML-DSA-87": "91dc389cfaa01470b7f66eee45a4ae90",
};

describe("lattice algorithms", () => {
  test("ML-KEM: keys of a seed and shared keys", async () => {
    for (const [name, [publicDigest, pkcs8Digest, refusedDigest]] of Object.entries(kems)) {
      const key = await subtle.importKey("raw-seed", seedOf(64), name, true, ["decapsulateBits"]);
      const publicKey = await subtle.getPublicKey(key, ["encapsulateBits"]);
      expect(await digest(await subtle.exportKey("raw-public", publicKey))).toBe(publicDigest);
      const pkcs8 = await subtle.exportKey("pkcs8", key);
      expect(await digest(pkcs8)).toBe(pkcs8Digest);
      const { sharedKey, ciphertext } = await subtle.encapsulateBits(name, publicKey);
      expect(hex(await subtle.decapsulateBits(name, key, ciphertext))).toBe(hex(sharedKey));
      const zeros = new Uint8Array(ciphertext.byteLength);
      expect(await digest(await subtle.decapsulateBits(name, key, zeros))).toBe(refusedDigest);
      expect(await nameOf(subtle.decapsulateBits(name, key, zeros.subarray(1)))).toBe(
        "OperationError",
      );
    }
  });

  test("ML-KEM: a shared key becomes a key", async () => {
    const name = "ML-KEM-768";
    const pair = await subtle.generateKey(name, false, ["encapsulateKey", "decapsulateKey"]);
    const { sharedKey, ciphertext } = await subtle.encapsulateKey(
      name, pair.publicKey, { name: "AES-GCM" }, true, ["encrypt"],
    );
    const same = await subtle.decapsulateKey(
      name, pair.privateKey, ciphertext, { name: "AES-GCM" }, true, ["decrypt"],
    );
    expect(hex(await subtle.exportKey("raw", same))).toBe(
      hex(await subtle.exportKey("raw", sharedKey)),
    );
    expect(await nameOf(subtle.exportKey("raw-seed", pair.privateKey))).toBe("InvalidAccessError");
    expect(await nameOf(subtle.encapsulateBits(name, pair.publicKey))).toBe("InvalidAccessError");
  });

  test("ML-DSA: signatures", async () => {
    const text = Buffer.from("some text");
    for (const [name, publicDigest] of Object.entries(signers)) {
      const key = await subtle.importKey("raw-seed", seedOf(32), name, true, ["sign"]);
      const publicKey = await subtle.getPublicKey(key, ["verify"]);
      expect(await digest(await subtle.exportKey("raw-public", publicKey))).toBe(publicDigest);
      const algorithm = { name, context: Buffer.from("context") };
      for (let i = 0; i < 5; i++) {
        const signature = await subtle.sign(algorithm, key, text);
        expect(await subtle.verify(algorithm, publicKey, signature, text)).toBe(true);
        expect(await subtle.verify(name, publicKey, signature, text)).toBe(false);
        new Uint8Array(signature)[i * 400] ^= 1;
        expect(await subtle.verify(algorithm, publicKey, signature, text)).toBe(false);
      }
      const tooLong = { name, context: new Uint8Array(256) };
      expect(await nameOf(subtle.sign(tooLong, key, text))).toBe("OperationError");
    }
  });

  test("formats come back, and damaged ones are refused", async () => {
    for (const name of ["ML-KEM-512", "ML-DSA-65"]) {
      const usages = name === "ML-DSA-65" ? ["sign", "verify"]
        : ["encapsulateBits", "decapsulateBits"];
      const { publicKey, privateKey } = await subtle.generateKey(name, true, usages);
      for (const [key, formats] of [[publicKey, ["spki", "raw-public", "jwk"]],
        [privateKey, ["pkcs8", "raw-seed", "jwk"]]]) {
        for (const format of formats) {
          const data = await subtle.exportKey(format, key);
          const back = await subtle.importKey(format, data, name, true, key.usages);
          expect(await subtle.exportKey(format, back)).toEqual(data);
          if (format === "jwk") continue;
          const cut = data.slice(1);
          expect(await nameOf(subtle.importKey(format, cut, name, true, key.usages))).toBe(
            "DataError",
          );
        }
      }
      const jwk = await subtle.exportKey("jwk", privateKey);
      const other = { ...jwk, priv: jwk.priv.replace(/^./, (c) => (c === "A" ? "B" : "A")) };
      expect(await nameOf(subtle.importKey("jwk", other, name, true, privateKey.usages))).toBe(
        "DataError",
      );
    }
    const big = new Uint8Array(800).fill(255);
    expect(await nameOf(subtle.importKey("raw-public", big, "ML-KEM-512", true, []))).toBe(
      "DataError",
    );
  });
});
