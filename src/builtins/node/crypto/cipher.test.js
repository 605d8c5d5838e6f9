const crypto = require("node:crypto");

const codeOf = (fn) => {
  try {
    fn();
  } catch (error) {
    return error.code ?? error.message;
  }
  return "no error";
};

function seal(name, key, iv, text, options) {
  const cipher = crypto.createCipheriv(name, key, iv, options);
  const data = Buffer.concat([cipher.update(text), cipher.final()]);
  return { data, tag: options || /gcm/.test(name) ? cipher.getAuthTag() : undefined };
}

function open(name, key, iv, { data, tag }, options) {
  const decipher = crypto.createDecipheriv(name, key, iv, options);
  if (tag) decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(data), decipher.final()]).toString();
}

describe("ciphers", () => {
  test("text comes back from every mode", () => {
    for (const [name, key, iv, tag] of [
      ["aes-128-cbc", 16, 16], ["aes-256-ctr", 32, 16], ["aes-192-ecb", 24, 0],
      ["aes-256-gcm", 32, 12], ["chacha20-poly1305", 32, 12, 16], ["aes-128-ocb", 16, 12, 16],
    ]) {
      const options = tag && { authTagLength: tag };
      const args = [name, Buffer.alloc(key, 1), iv ? Buffer.alloc(iv, 2) : null];
      const sealed = seal(...args, "some text that is longer than a block", options);
      expect(open(...args, sealed, options)).toBe("some text that is longer than a block");
    }
  });

  test("known answers", () => {
    const cbc = crypto.createCipheriv("aes-128-cbc", Buffer.alloc(16), Buffer.alloc(16));
    expect(cbc.update("hello", "utf8", "hex") + cbc.final("hex")).toBe(
      "9834ed518cbc8fbe9af3c6ecb75eb8c0",
    );
    const gcm = crypto.createCipheriv("aes-128-gcm", Buffer.alloc(16), Buffer.alloc(12));
    gcm.setAAD(Buffer.from("x"));
    expect(gcm.update("hello", "utf8", "hex") + gcm.final("hex")).toBe("6bedb6a20f");
    expect(gcm.getAuthTag().toString("hex")).toBe("358dc6516cdb189e35b23ea859ebc795");
  });

  test("ccm wants the length first and tells a forgery at the end", () => {
    const key = Buffer.alloc(16);
    const iv = Buffer.alloc(12);
    const options = { authTagLength: 16 };
    const cipher = crypto.createCipheriv("aes-128-ccm", key, iv, options);
    expect(codeOf(() => cipher.setAAD(Buffer.from("aa")))).toBe("ERR_MISSING_ARGS");
    cipher.setAAD(Buffer.from("aa"), { plaintextLength: 5 });
    const data = Buffer.concat([cipher.update("hello"), cipher.final()]);
    const tag = cipher.getAuthTag();
    for (const isForged of [false, true]) {
      const decipher = crypto.createDecipheriv("aes-128-ccm", key, iv, options);
      if (isForged) tag[0] ^= 1;
      decipher.setAuthTag(tag);
      decipher.setAAD(Buffer.from("aa"), { plaintextLength: 5 });
      const text = decipher.update(data).toString();
      if (isForged) expect(() => decipher.final()).toThrow("unable to authenticate data");
      else expect(text + decipher.final()).toBe("hello");
    }
  });

  test("a forged text is refused", () => {
    const args = ["aes-256-gcm", Buffer.alloc(32), Buffer.alloc(12)];
    const sealed = seal(...args, "hello");
    sealed.tag[0] ^= 1;
    expect(() => open(...args, sealed)).toThrow("unable to authenticate data");
    expect(() => open(...args, { data: sealed.data })).toThrow("unable to authenticate data");
  });

  test("wrong keys, vectors, tags and states are told apart", () => {
    const make = (name, key, iv, options) => () =>
      crypto.createCipheriv(name, Buffer.alloc(key), iv === null ? null : Buffer.alloc(iv), options);
    expect(codeOf(make("nope", 16, 16))).toBe("ERR_CRYPTO_UNKNOWN_CIPHER");
    expect(codeOf(make("aes-128-cbc", 15, 16))).toBe("ERR_CRYPTO_INVALID_KEYLEN");
    expect(codeOf(make("aes-128-cbc", 16, 15))).toBe("ERR_CRYPTO_INVALID_IV");
    expect(codeOf(make("aes-128-cbc", 16, null))).toBe("ERR_CRYPTO_INVALID_IV");
    expect(codeOf(make("aes-128-ccm", 16, 12))).toBe("ERR_CRYPTO_INVALID_AUTH_TAG");
    expect(codeOf(make("aes-128-gcm", 16, 12, { authTagLength: 3 }))).toBe(
      "ERR_CRYPTO_INVALID_AUTH_TAG",
    );
    const cipher = make("aes-128-cbc", 16, 16)();
    expect(codeOf(() => cipher.getAuthTag())).toBe("ERR_CRYPTO_INVALID_STATE");
    cipher.final();
    expect(codeOf(() => cipher.final())).toBe("ERR_CRYPTO_INVALID_STATE");
    expect(codeOf(() => cipher.update("x"))).toBe("ERR_CRYPTO_INVALID_STATE");
    expect(codeOf(() => cipher.setAutoPadding(false))).toBe("ERR_CRYPTO_INVALID_STATE");
  });

  test("text that chunks cut is kept together", () => {
    const args = ["aes-128-ctr", Buffer.alloc(16), Buffer.alloc(16)];
    const { data } = seal(...args, "h\u00e9\u20acllo");
    const decipher = crypto.createDecipheriv(...args);
    let text = "";
    for (const byte of data) text += decipher.update(Buffer.from([byte]), undefined, "utf8");
    expect(text + decipher.final("utf8")).toBe("h\u00e9\u20acllo");
  });

  test("getCipherInfo", () => {
    expect(crypto.getCipherInfo("aes-256-gcm")).toEqual({
      mode: "gcm", name: "id-aes256-gcm", nid: 901, blockSize: 1, ivLength: 12, keyLength: 32,
    });
    expect(crypto.getCipherInfo("aes-128-cbc", { keyLength: 12 })).toBe(undefined);
    expect(crypto.getCipherInfo("nope")).toBe(undefined);
    expect(crypto.getCiphers().includes("aes-256-cbc")).toBe(true);
  });
});
