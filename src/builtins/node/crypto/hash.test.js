const crypto = require("node:crypto");

const codeOf = (fn) => {
  try {
    fn();
  } catch (error) {
    return error.code;
  }
  return "no error";
};

describe("createHash", () => {
  test("known answers", () => {
    const of = (name, text) => crypto.createHash(name).update(text).digest("hex");
    expect(of("md5", "abc")).toBe("900150983cd24fb0d6963f7d28e17f72");
    expect(of("sha1", "abc")).toBe("a9993e364706816aba3e25717850c26c9cd0d89d");
    expect(of("sha256", "")).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    expect(of("RSA-SHA256", "")).toBe(of("SHA256", ""));
  });

  test("text in other encodings, bytes, and several pieces", () => {
    const whole = crypto.createHash("sha1").update("h\u00e9llo").digest("base64");
    const bytes = crypto.createHash("sha1").update(Buffer.from("h\u00e9llo")).digest();
    expect(bytes.toString("base64")).toBe(whole);
    const pieces = crypto.createHash("sha1").update("68c3a9", "hex").update("llo", "latin1");
    expect(pieces.digest("base64")).toBe(whole);
  });

  test("a copy goes its own way", () => {
    const hash = crypto.createHash("sha256").update("a");
    const copy = hash.copy().update("b");
    expect(copy.digest("hex")).toBe(crypto.hash("sha256", "ab"));
    expect(hash.digest("hex")).toBe(crypto.hash("sha256", "a"));
    expect(codeOf(() => hash.copy())).toBe("ERR_CRYPTO_HASH_FINALIZED");
    expect(codeOf(() => hash.update("x"))).toBe("ERR_CRYPTO_HASH_FINALIZED");
  });

  test("extendable digests have the length that was asked for", () => {
    const hash = crypto.createHash("shake128", { outputLength: 5 }).update("a");
    expect(hash.digest("hex")).toBe("85c8de88d2");
    expect(crypto.createHash("shake256", { outputLength: 0 }).digest("hex")).toBe("");
    expect(codeOf(() => crypto.createHash("sha256", { outputLength: 5 }))).toBe(
      "ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH",
    );
  });

  test("as a stream", async () => {
    const hash = crypto.createHash("sha256");
    hash.write("a");
    hash.end("b");
    const parts = [];
    for await (const part of hash) parts.push(part);
    expect(Buffer.concat(parts).toString("hex")).toBe(crypto.hash("sha256", "ab"));
  });

  test("refuses what it does not know", () => {
    expect(() => crypto.createHash("nope")).toThrow("Digest method not supported");
    expect(codeOf(() => crypto.createHash(3))).toBe("ERR_INVALID_ARG_TYPE");
    expect(codeOf(() => crypto.createHash("sha1").update(3))).toBe("ERR_INVALID_ARG_TYPE");
    expect(crypto.getHashes().includes("sha256")).toBe(true);
  });
});

describe("createHmac", () => {
  test("known answers, with text, bytes and key objects", () => {
    const wanted = "eNqRUR5nVYf1ud94vt669VYNoqu4gWLuh13N90SVHZ4";
    const of = (key) => crypto.createHmac("sha256", key).update("a").digest("base64url");
    expect(of("k")).toBe(wanted);
    expect(of(Buffer.from("k"))).toBe(wanted);
    expect(of(crypto.createSecretKey("k", "utf8"))).toBe(wanted);
    expect(crypto.createHmac("sha1", "").digest("hex")).toBe(
      "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d",
    );
  });

  test("a second digest is empty", () => {
    const hmac = crypto.createHmac("sha1", "k");
    hmac.digest();
    expect(hmac.digest("hex")).toBe("");
    expect(hmac.digest().length).toBe(0);
    expect(codeOf(() => hmac.update("x"))).toBe("ERR_CRYPTO_HASH_FINALIZED");
  });

  test("refuses what it does not know", () => {
    expect(codeOf(() => crypto.createHmac("nope", "k"))).toBe("ERR_CRYPTO_INVALID_DIGEST");
    expect(codeOf(() => crypto.createHmac("sha1", 3))).toBe("ERR_INVALID_ARG_TYPE");
  });
});
