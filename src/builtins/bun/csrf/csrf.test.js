// Tests of Bun.CSRF.
const { generate, verify } = Bun.CSRF;
const { createHmac } = require("node:crypto");

test("tokens are what their secret made", () => {
  const token = generate("secret");
  const bytes = Buffer.from(token, "base64url");
  const mac = createHmac("sha256", "secret").update(bytes.subarray(0, 32)).digest();
  expect([bytes.length, bytes.subarray(32).equals(mac)]).toEqual([64, true]);
  expect([verify(token, { secret: "secret" }), verify(token, { secret: "x" }), verify(token)]).toEqual(
    [true, false, false],
  );
  expect(verify(generate())).toBe(true);
  const forged = Buffer.from(bytes);
  forged[0] ^= 1;
  expect(verify(forged.toString("base64url"), { secret: "secret" })).toBe(false);
});

test("algorithms, encodings, sessions", () => {
  const sizes = { blake2b256: 64, blake2b512: 96, sha256: 64, sha384: 80, sha512: 96, "sha512-256": 64 };
  for (const [algorithm, size] of Object.entries(sizes)) {
    for (const encoding of ["base64", "base64url", "hex"]) {
      const token = generate("s", { algorithm, encoding });
      expect(Buffer.from(token, encoding).length).toBe(size);
      expect(verify(token, { secret: "s", algorithm, encoding })).toBe(true);
    }
  }
  expect(verify(generate("s", { encoding: "hex" }), { secret: "s" })).toBe(false);
  expect(verify(generate("s", { algorithm: "sha512" }), { secret: "s" })).toBe(false);
  const bound = generate("s", { sessionId: "a" });
  expect(verify(bound, { secret: "s", sessionId: "a" })).toBe(true);
  expect(verify(bound, { secret: "s", sessionId: "b" }) || verify(bound, { secret: "s" })).toBe(false);
});

test("time", async () => {
  const short = generate("s", { expiresIn: 1 });
  const long = generate("s", { expiresIn: 0 });
  for (let i = 0; i < 1000 && verify(short, { secret: "s" }); i++) await Bun.sleep(1);
  expect(verify(short, { secret: "s" })).toBe(false);
  expect(verify(long, { secret: "s", maxAge: 0 })).toBe(true);
  for (let i = 0; i < 1000 && verify(long, { secret: "s", maxAge: 1 }); i++) await Bun.sleep(1);
  expect(verify(long, { secret: "s", maxAge: 1 })).toBe(false);
});

test("arguments", () => {
  for (const [run, message] of [
    [() => generate(""), "non-empty"], [() => generate(5), "secret must be a string"],
    [() => generate("s", { algorithm: "md5" }), "not supported"],
    [() => generate("s", { encoding: "x" }), "Invalid format"],
    [() => generate("s", { expiresIn: -1 }), "out of range"],
    [() => generate("s", { expiresIn: "a" }), "type number"],
    [() => generate("s", { sessionId: 5 }), "sessionId must be a string"],
    [() => verify(), "token must be a string"], [() => verify(""), "non-empty"],
    [() => verify("abc", { secret: "" }), "non-empty"],
  ]) {
    expect(run).toThrow(message);
  }
  for (const text of ["abc", "!", "A".repeat(86), "A".repeat(1000)]) {
    expect(verify(text, { secret: "s" })).toBe(false);
  }
});
