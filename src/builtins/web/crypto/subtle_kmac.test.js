// Vectors: NIST SP 800-185, KMAC samples 1 to 6.
const { subtle } = crypto;
const fromHex = (text) => new Uint8Array(Buffer.from(text, "hex"));
const toHex = (buffer) => Buffer.from(buffer).toString("hex");
const key = Uint8Array.from({ length: 32 }, (_, i) => 0x40 + i);
const short = fromHex("00010203");
const long = Uint8Array.from({ length: 200 }, (_, i) => i);
const tagged = Buffer.from("My Tagged Application");

const samples = [
  ["KMAC128", short, undefined,
    "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"],
  ["KMAC128", short, tagged,
    "3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5"],
  ["KMAC128", long, tagged,
    "1f5b4e6cca02209e0dcb5ca635b89a15e271ecc760071dfd805faa38f9729230"],
  ["KMAC256", short, tagged,
    "20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7" +
    "f69d4cc3de9d104a351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd"],
  ["KMAC256", long, undefined,
    "75358cf39e41494e949707927cee0af20a3ff553904c86b08f21cc414bcfd691" +
    "589d27cf5e15369cbbff8b9a4c2eb17800855d0235ff635da82533ec6b759b69"],
  ["KMAC256", long, tagged,
    "b58618f71f92e1d56c1b8c55ddd7cd188b97b4ca4d99831eb2699a837da2e4d9" +
    "70fbacfde50033aea585f1a2708510c32d07880801bd182898fe476876fc8965"],
];

async function errorOf(promise) {
  try {
    await promise;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
  return undefined;
}

test("samples", async () => {
  for (const [name, data, customization, wanted] of samples) {
    const imported = await subtle.importKey("raw-secret", key, name, false, ["sign", "verify"]);
    const params = { name, outputLength: wanted.length * 4, customization };
    const mac = await subtle.sign(params, imported, data);
    expect(toHex(mac)).toBe(wanted);
    expect(await subtle.verify(params, imported, mac, data)).toBe(true);
    expect(await subtle.verify(params, imported, mac, key)).toBe(false);
  }
});

test("keys: made, imported, exported, refused", async () => {
  const made = await subtle.generateKey("KMAC256", true, ["sign"]);
  expect(made.algorithm).toEqual({ name: "KMAC256", length: 256 });
  const jwk = await subtle.exportKey("jwk", made);
  expect([jwk.kty, jwk.alg, jwk.key_ops]).toEqual(["oct", "K256", ["sign"]]);
  const again = await subtle.importKey("jwk", jwk, "kmac256", true, ["sign"]);
  const params = { name: "KMAC256", outputLength: 128 };
  expect(toHex(await subtle.sign(params, again, short)))
    .toBe(toHex(await subtle.sign(params, made, short)));
  const load = (...args) => errorOf(subtle.importKey(...args));
  expect(await load("jwk", { ...jwk, alg: "K128" }, "KMAC256", true, ["sign"]))
    .toBe('DataError: JWK "alg" does not match the requested algorithm');
  expect(await load("raw", key, "KMAC128", true, ["sign"])).toMatch(/^NotSupportedError/);
  expect(await load("raw-secret", key, "KMAC128", true, [])).toMatch(/^SyntaxError/);
  expect(await load("raw-secret", new Uint8Array(0), "KMAC128", true, ["sign"])).toMatch(/^DataError/);
  expect(await load("raw-secret", key, { name: "KMAC128", length: 9 }, true, ["sign"]))
    .toMatch(/^DataError/);
  expect(await errorOf(subtle.sign({ ...params, outputLength: 7 }, made, short)))
    .toMatch(/^OperationError/);
  expect(await errorOf(subtle.sign("KMAC256", made, short))).toMatch(/outputLength/);
});
