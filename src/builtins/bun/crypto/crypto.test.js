const crypto = require("node:crypto");

const { CryptoHasher } = Bun;

const failure = (fn) => {
  try {
    fn();
  } catch (error) {
    return error;
  }
  return undefined;
};
const of = (name, data, key) => new CryptoHasher(name, key).update(data).digest("hex");

describe("Bun.CryptoHasher", () => {
  test("known answers", () => {
    const answers = {
      blake2b256: "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319",
      blake2s256: "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982",
      md4: "a448017aaf21d8525fc10ae87aa6729d",
      md5: "900150983cd24fb0d6963f7d28e17f72",
      ripemd160: "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc",
      sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "sha512-256": "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23",
      "sha3-256": "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
      shake128: "5881092dd818bf5cf8a3ddb793fbcba7",
      shake256: "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739",
    };
    for (const [name, answer] of Object.entries(answers)) {
      expect(of(name, "abc")).toBe(answer);
      expect(CryptoHasher.hash(name, "abc", "hex")).toBe(answer);
      expect(new CryptoHasher(name).byteLength).toBe(answer.length / 2);
    }
    expect(of("SHA-512/256", "abc")).toBe(answers["sha512-256"]);
    expect(new CryptoHasher("rmd160").algorithm).toBe("ripemd160");
    expect(CryptoHasher.algorithms.length).toBe(19);
  });

  test("HMAC", () => {
    const long = "k".repeat(300);
    expect(of("blake2b256", "abc", "key"))
      .toBe("e0bbaaa9d13d3b8d2a423448915eb5a2285dc49145d1978f8284e7c32a0f04a2");
    expect(of("md4", "abc", "key")).toBe("32c43d6d6eda7f1e464711473b956b68");
    for (const name of CryptoHasher.algorithms) {
      if (/^blake2b256$|^md4$|^shake/.test(name)) continue;
      for (const key of ["", "key", long]) {
        expect(of(name, "abc", key)).toBe(crypto.createHmac(name, key).update("abc").digest("hex"));
      }
    }
    expect(failure(() => new CryptoHasher("shake128", "key"))).toBeInstanceOf(Error);
    const once = new CryptoHasher("sha256", "key").update("a");
    expect(once.copy().update("b").digest("hex")).toBe(of("sha256", "ab", "key"));
    expect(once.digest("hex")).toBe(of("sha256", "a", "key"));
    for (const use of [() => once.digest(), () => once.update("a"), () => once.copy()]) {
      expect(failure(use).message).toBe("HMAC has been consumed and is no longer usable");
    }
  });

  test("inputs and outputs", () => {
    const answer = of("sha256", "abc");
    const hasher = new CryptoHasher("sha256");
    const bytes = new Uint8Array([97, 98, 99]);
    for (const input of [
      bytes, bytes.buffer, new DataView(bytes.buffer), new Blob(["a", bytes.subarray(1)]),
    ]) {
      expect(hasher.update(input).digest("hex")).toBe(answer);
    }
    expect(hasher.update("616263", "hex").digest("base64"))
      .toBe(Buffer.from(answer, "hex").toString("base64"));
    expect(hasher.update("abc").digest("latin1"))
      .toBe(Buffer.from(answer, "hex").toString("latin1"));
    expect(Buffer.isBuffer(hasher.digest())).toBe(true);
    const into = new Uint8Array(40).fill(7);
    expect(hasher.update("abc").digest(into)).toBe(into);
    expect(Buffer.from(into).toString("hex")).toBe(answer + "07".repeat(8));
    for (const bad of [() => hasher.update(), () => hasher.update(1), () => hasher.digest({}),
      () => hasher.digest(new Uint8Array(31)), () => new CryptoHasher("none"),
      () => new CryptoHasher(), () => new CryptoHasher("sha1", {}),
      () => CryptoHasher.hash("sha1")]) {
      expect(failure(bad).code).toBe("ERR_INVALID_ARG_TYPE");
    }
    expect(failure(() => hasher.digest("none")).message).toBe("Unknown encoding: none");
    expect(failure(() => hasher.update("abc", "hex")).code).toBe("ERR_INVALID_ARG_VALUE");
    expect(failure(() => CryptoHasher.prototype.update.call({}, "a")).code).toBe("ERR_INVALID_THIS");
  });

  test("copies go their own way", () => {
    for (const name of CryptoHasher.algorithms) {
      const one = new CryptoHasher(name).update("a");
      const other = one.copy().update("b");
      expect(one.digest("hex")).toBe(of(name, "a"));
      expect(other.digest("hex")).toBe(of(name, "ab"));
      expect(one.update("c").digest("hex")).toBe(of(name, "c"));
    }
  });
});

describe("classes", () => {
  test("Bun.SHA1 and others", () => {
    for (const name of ["MD4", "MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512"]) {
      const answer = of(name.toLowerCase(), "abc");
      expect(Bun[name].hash("abc", "hex")).toBe(answer);
      expect(new Bun[name]().update("a").update("bc").digest("hex")).toBe(answer);
      expect(Bun[name].byteLength).toBe(answer.length / 2);
    }
    const hasher = new Bun.SHA1();
    expect(hasher.digest()).toBeInstanceOf(Uint8Array);
    expect(failure(() => hasher.update("a")).code).toBe("ERR_INVALID_STATE");
    expect(failure(() => hasher.digest()).code).toBe("ERR_INVALID_STATE");
  });

  test("Bun.sha", () => {
    expect(Bun.sha("abc", "hex")).toBe(of("sha512-256", "abc"));
    expect(Bun.sha("abc").length).toBe(32);
  });
});
