const crypto = require("node:crypto");

const codeOf = (fn) => {
  try {
    fn();
  } catch (error) {
    return error.code;
  }
  return "no error";
};
const later = (fn, ...args) =>
  new Promise((resolve, reject) => {
    fn(...args, (error, value) => (error ? reject(error) : resolve(value)));
  });

describe("keys from passwords", () => {
  test("pbkdf2", async () => {
    const wanted = "843c87e7eda3ee2f64a61c8d1f997842651ddad0";
    expect(crypto.pbkdf2Sync("p", "s", 1, 20, "sha1").toString("hex")).toBe(wanted);
    const key = await later(crypto.pbkdf2, Buffer.from("p"), "s", 1, 20, "sha1");
    expect(key.toString("hex")).toBe(wanted);
    expect(codeOf(() => crypto.pbkdf2Sync("p", "s", 1, 20, "nope"))).toBe(
      "ERR_CRYPTO_INVALID_DIGEST",
    );
    expect(codeOf(() => crypto.pbkdf2("p", "s", 1, 20, "nope", () => {}))).toBe(
      "ERR_CRYPTO_INVALID_DIGEST",
    );
    expect(codeOf(() => crypto.pbkdf2Sync("p", "s", 0, 20, "sha1"))).toBe("ERR_OUT_OF_RANGE");
  });

  test("scrypt", async () => {
    const wanted = "4329787752e75d1de359a05806e492d4f2062fa4";
    expect(crypto.scryptSync("p", "s", 20).toString("hex")).toBe(wanted);
    const key = await later(crypto.scrypt, "p", "s", 20, { cost: 16384 });
    expect(key.toString("hex")).toBe(wanted);
    expect(crypto.scryptSync("p", "s", 0).length).toBe(0);
    for (const options of [{ N: 3 }, { N: 2 ** 20 }]) {
      expect(codeOf(() => crypto.scryptSync("p", "s", 20, options))).toBe(
        "ERR_CRYPTO_INVALID_SCRYPT_PARAMS",
      );
    }
  });

  test("hkdf", async () => {
    const wanted = "02b0929a9d46e9236e23320ea2a8c3b46b410a54";
    const hex = (buffer) => Buffer.from(buffer).toString("hex");
    expect(hex(crypto.hkdfSync("sha256", "k", "s", "i", 20))).toBe(wanted);
    const key = await later(crypto.hkdf, "sha256", "k", "s", "i", 20);
    expect(key instanceof ArrayBuffer).toBe(true);
    expect(hex(key)).toBe(wanted);
    expect(crypto.hkdfSync("sha256", "", "", "", 8).byteLength).toBe(8);
    expect(codeOf(() => crypto.hkdfSync("nope", "k", "s", "i", 20))).toBe(
      "ERR_CRYPTO_INVALID_DIGEST",
    );
    expect(codeOf(() => crypto.hkdfSync("sha256", "k", "s", "i", 99999))).toBe(
      "ERR_CRYPTO_INVALID_KEYLEN",
    );
  });
});

describe("random", () => {
  test("bytes", async () => {
    for (const size of [0, 1, 32, 256, 257, 100000]) {
      expect(crypto.randomBytes(size).length).toBe(size);
      expect((await later(crypto.randomBytes, size)).length).toBe(size);
    }
    expect(crypto.randomBytes(32).equals(crypto.randomBytes(32))).toBe(false);
    expect(codeOf(() => crypto.randomBytes(-1))).toBe("ERR_OUT_OF_RANGE");
    expect(codeOf(() => crypto.randomBytes("1"))).toBe("ERR_INVALID_ARG_TYPE");
  });

  test("fill", async () => {
    const buffer = Buffer.alloc(40);
    crypto.randomFillSync(buffer, 10, 20);
    expect(buffer.subarray(0, 10).equals(Buffer.alloc(10))).toBe(true);
    expect(buffer.subarray(30).equals(Buffer.alloc(10))).toBe(true);
    expect(buffer.subarray(10, 30).equals(Buffer.alloc(20))).toBe(false);
    const numbers = await later(crypto.randomFill, new Uint32Array(4), 1, 2);
    expect([numbers[0], numbers[3]]).toEqual([0, 0]);
    expect(codeOf(() => crypto.randomFillSync(Buffer.alloc(3), 4))).toBe("ERR_OUT_OF_RANGE");
  });

  test("int", async () => {
    for (let i = 0; i < 1000; i++) {
      const n = crypto.randomInt(-2, 3);
      expect(n >= -2 && n < 3 && Number.isInteger(n)).toBe(true);
    }
    expect(await later(crypto.randomInt, 1)).toBe(0);
    expect(codeOf(() => crypto.randomInt(5, 5))).toBe("ERR_OUT_OF_RANGE");
    expect(codeOf(() => crypto.randomInt(2 ** 50))).toBe("ERR_OUT_OF_RANGE");
  });

  test("timingSafeEqual", () => {
    const equal = (a, b) => crypto.timingSafeEqual(Buffer.from(a), Buffer.from(b));
    expect(equal("abc", "abc")).toBe(true);
    expect(equal("abc", "abd")).toBe(false);
    expect(codeOf(() => equal("a", "ab"))).toBe("ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH");
  });

  test("secret keys", async () => {
    const key = await later(crypto.generateKey, "aes", { length: 256 });
    expect(key.type).toBe("secret");
    expect(key.symmetricKeySize).toBe(32);
    expect(key.equals(crypto.createSecretKey(key.export()))).toBe(true);
    expect(crypto.createSecretKey("abc", "utf8").export({ format: "jwk" })).toEqual({
      kty: "oct", k: "YWJj",
    });
  });
});
