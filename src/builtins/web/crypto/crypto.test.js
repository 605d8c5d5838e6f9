function thrown(fn) {
  try {
    fn();
  } catch (err) {
    return err;
  }
  return undefined;
}

test("getRandomValues fills integer arrays in place", () => {
  for (const Type of [Int8Array, Uint16Array, Uint8ClampedArray, BigUint64Array]) {
    const array = new Type(64);
    expect(crypto.getRandomValues(array)).toBe(array);
    expect(array.some((x) => x != 0)).toBe(true);
  }
  const buffer = new Uint8Array(300);
  crypto.getRandomValues(buffer.subarray(100, 200));
  expect(buffer.subarray(0, 100).every((x) => x === 0)).toBe(true);
  expect(buffer.subarray(200).every((x) => x === 0)).toBe(true);
  expect(crypto.getRandomValues(new Uint8Array(0)).length).toBe(0);
});

test("getRandomValues refuses the rest", () => {
  for (const bad of [new Float32Array(1), new DataView(new ArrayBuffer(1)), {}, 1, null]) {
    expect(thrown(() => crypto.getRandomValues(bad)).name).toBe("TypeMismatchError");
  }
  expect(crypto.getRandomValues(new Uint8Array(65536)).length).toBe(65536);
  expect(thrown(() => crypto.getRandomValues(new Uint8Array(65537))).code).toBe(22);
  expect(thrown(() => crypto.getRandomValues()).code).toBe("ERR_MISSING_ARGS");
});

test("randomUUID", () => {
  const seen = new Set();
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  for (let i = 0; i < 1000; i++) {
    const uuid = crypto.randomUUID(i % 2 ? { disableEntropyCache: true } : undefined);
    expect(form.test(uuid)).toBe(true);
    seen.add(uuid);
  }
  expect(seen.size).toBe(1000);
});

test("timingSafeEqual", () => {
  const a = Uint8Array.of(1, 2, 3);
  expect(crypto.timingSafeEqual(a, Uint8Array.of(1, 2, 3))).toBe(true);
  expect(crypto.timingSafeEqual(a.buffer, Uint8Array.of(1, 2, 4))).toBe(false);
  expect(thrown(() => crypto.timingSafeEqual(a, new Uint8Array(2))).code).toBe(
    "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH",
  );
  expect(thrown(() => crypto.timingSafeEqual("a", a)).code).toBe("ERR_INVALID_ARG_TYPE");
});

test("the class", () => {
  expect(crypto instanceof Crypto).toBe(true);
  expect(String(crypto)).toBe("[object Crypto]");
  expect(thrown(() => new Crypto()).code).toBe("ERR_ILLEGAL_CONSTRUCTOR");
  expect(thrown(() => Crypto.prototype.randomUUID.call({})).code).toBe("ERR_INVALID_THIS");
});
