const { password } = Bun;

const fails = async (fn) => {
  try {
    await fn();
  } catch (error) {
    return error.code;
  }
  return undefined;
};
const fast = { algorithm: "argon2id", memoryCost: 8, timeCost: 1 };
const bcrypt = { algorithm: "bcrypt", cost: 4 };

describe("Bun.password", () => {
  test("hashes that others have made", () => {
    for (const hash of [
      "$argon2d$v=19$m=32,t=3,p=4$c29tZXNhbHQ$2MVNYoPKLcFIQqhQnXyEuRibdik1YNfEd1stHw1pqWg",
      "$argon2i$v=19$m=32,t=3,p=4$c29tZXNhbHQ$vXVJGX0zAxmVS0DF9PoP/nmMoHEzHOyyguwgIIaFDKg",
      "$argon2id$v=19$m=32,t=3,p=4$c29tZXNhbHQ$uwzICj5nEUlSaRVBjG7v52G7GdXS1WegF3A+DOpqsFw",
      "$argon2d$v=19$m=100,t=2,p=3$c29tZXNhbHQ$vPBfXOzpoygifH7jnXSHWtXSWM107L" +
      "VXcYeGMBIWznE2eVtNU5lGSlExOsiteJJ9OyyOyM4+MXYkYXCyTJ7vQg",
    ]) {
      expect(password.verifySync("password", hash)).toBe(true);
      expect(password.verifySync("passwore", hash)).toBe(false);
    }
    for (const [text, hash] of [
      ["a", "$argon2id$v=19$m=64,t=3,p=1$bEWbsPmMZubP1Z7s1txOgVY9QvHU1xC1U3XkstkVAg" +
      "o$ncuI7tsHJx+swmin/BmD4OcsbiF05U2R3xMo7g5mdsw"],
      ["a", "$argon2i$v=19$m=8,t=1,p=1$IXaHXFCiTONYKS5aV7HFIbHJp3JdICyexcVwAPYP/+o$" +
      "/ekyp390T92E6t0Ximf5gvefElaJ0XHvlf2h0DdrtAg"],
      ["a", "$argon2d$v=19$m=1000,t=2,p=1$JHr8RccaM7hdZck1KxOGER7Sa3M1LgchgfoERY782" +
      "Pk$aRfysYOwKW4TGqXgXI1OXWcuE9k5dzCKV6uwGyf+BhU"],
      ["p\u00e4ss\ud83d\ude00", "$2b$04$gJGtPd91oERRjBxB4G306.bU6YHds.L89r7hw7AHtAgK1RxdLhs9a"],
      ["hello".repeat(100), "$2b$04$VevM/53nmb0zoTLsPCIjfOWn7ovRWPNzoCB/8FUOP5dhkriU4a6Z2"],
      ["a\0b", "$2b$04$8aB/f./Do3ebXPt9ADsFvOxwpJLOf50pHvyhH/SD3HLkXjpycTH3u"],
      ["x".repeat(71), "$2b$04$QG0BUY3EQ3S2H5USTNM0Su0hvtilhKyhgLpOiy1gbJfHKZ3Zo/.32"],
      ["x".repeat(72), "$2b$04$LimtL7lp98t1seQ7qIgPyuvBXXblQx2nIIn29EWBASbO7ZfRTPdP2"],
      ["x".repeat(73), "$2b$04$fDvM7mshmu6k2ZlHnnZbieU5CxFYDmbKALiJrJDAwQNycUGmgRyqO"],
    ]) {
      expect(password.verifySync(text, hash)).toBe(true);
      expect(password.verifySync(Buffer.from(text), Buffer.from(hash))).toBe(true);
      expect(password.verifySync(`${text}y`, hash)).toBe(false);
    }
  });

  test("hash and verify, at once and later", async () => {
    for (const options of [fast, bcrypt, { ...fast, algorithm: "argon2i" },
      { ...fast, algorithm: "argon2d", memoryCost: 100, timeCost: 2 }]) {
      const hash = await password.hash("secret", options);
      expect(password.verifySync("secret", hash)).toBe(true);
      expect(await password.verify("secret", hash)).toBe(true);
      expect(await password.verify("other", hash)).toBe(false);
      expect(password.hashSync("secret", options) === hash).toBe(false);
    }
    expect(password.hashSync("a", fast))
      .toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$[\w+/]{43}\$[\w+/]{43}$/);
    expect(password.hashSync("a")).toMatch(/^\$argon2id\$v=19\$m=65536,t=2,p=1\$/);
    expect(password.hashSync("a", bcrypt)).toMatch(/^\$2b\$04\$[\w./]{53}$/);
    expect((await password.hash("a", "bcrypt")).slice(0, 7)).toBe("$2b$10$");
    const many = await Promise.all(Array.from({ length: 20 }, () => password.hash("a", fast)));
    expect(new Set(many).size).toBe(20);
  });

  test("the other forms of bcrypt", () => {
    const hash = password.hashSync("secret", bcrypt);
    for (const form of ["2a", "2x", "2y"]) {
      expect(password.verifySync("secret", `$${form}${hash.slice(3)}`)).toBe(true);
    }
    expect(password.verifySync("secret", hash, "bcrypt")).toBe(true);
    expect(password.verifySync("secret", password.hashSync("secret", fast), "bcrypt")).toBe(false);
  });

  test("what is wrong is said", async () => {
    const invalid = "PASSWORD_INVALID_ENCODING";
    const unsupported = "PASSWORD_UNSUPPORTED_ALGORITHM";
    const hash = password.hashSync("a", fast);
    const short = password.hashSync("a", bcrypt);
    for (const [text, code] of [
      ["garbage", unsupported], ["$argon2x$v=19$m=8", unsupported], ["$2b$garbage", invalid],
      ["$argon2id$garbage", invalid], [short.slice(0, -3), invalid],
      [short.replace("$04", "$32"), invalid],
      [hash.replace("v=19", "v=20"), invalid], [hash.replace("m=8", "m=7"), invalid],
      [hash.replace("m=8", "m=99999999999"), invalid], [hash.replace("p=1", "p=0"), invalid],
      [hash.replace("t=1", "t=0"), invalid], [`${hash}=`, invalid],
      [`${short.slice(0, -1)}!`, invalid],
      ["$argon2id$v=19$m=8,t=1,p=1$$", invalid],
    ]) {
      expect(await fails(() => password.verifySync("a", text))).toBe(code);
      expect(await fails(() => password.verify("a", text))).toBe(code);
    }
    expect(await fails(() => password.verifySync("a", short, "argon2id"))).toBe(invalid);
    expect(password.verifySync("", hash)).toBe(false);
    expect(await password.verify("a", "")).toBe(false);
    for (const bad of [
      () => password.hashSync(""), () => password.hashSync(1), () => password.hashSync("a", 1),
      () => password.hashSync("a", {}), () => password.hashSync("a", "none"),
      () => password.hashSync("a", { ...bcrypt, cost: 3 }),
      () => password.hashSync("a", { ...bcrypt, cost: "5" }),
      () => password.hashSync("a", { ...fast, memoryCost: 7 }),
      () => password.hashSync("a", { ...fast, memoryCost: 2 ** 40 }),
      () => password.hashSync("a", { ...fast, timeCost: 1.5 }),
      () => password.verifySync("a"), () => password.verifySync("a", hash, "none"),
    ]) expect(await fails(bad)).toBe("ERR_INVALID_ARG_TYPE");
  });
});
