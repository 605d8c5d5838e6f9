// Tests of small members of the Bun object.
test("text", () => {
  expect(Bun.escapeHTML("<a&\"'>")).toBe("&lt;a&amp;&quot;&#x27;&gt;");
  expect(Bun.stringWidth("\x1b[31m\u4e2da\x1b[0m")).toBe(3);
  expect(Bun.stripANSI("\x1b[31mx\x1b[0m")).toBe("x");
  expect(Bun.indexOfLine(Buffer.from("a\nb\n"), 2)).toBe(3);
});

test("equality", () => {
  expect(Bun.deepEquals({ a: [1] }, { a: [1] })).toBe(true);
  expect(Bun.deepEquals({ a: 1, b: undefined }, { a: 1 })).toBe(true);
  expect(Bun.deepEquals({ a: 1, b: undefined }, { a: 1 }, true)).toBe(false);
  expect([Bun.deepMatch({ a: 1 }, { a: 1, b: 2 }), Bun.deepMatch({ c: 1 }, { a: 1 })]).toEqual([
    true, false,
  ]);
});

test("which", () => {
  expect(Bun.which("sh").endsWith("/sh")).toBe(true);
  expect(Bun.which("cob-no-such-program")).toBe(null);
  expect(Bun.which("sh", { PATH: "" })).toBe(null);
});

test("ids", () => {
  const ids = Array.from({ length: 100 }, () => Bun.randomUUIDv7("hex", 1e12));
  expect(ids.every((id) => /^00e8d4a5-1000-7.{3}-[89ab].{3}-.{12}$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(100);
  expect(Bun.randomUUIDv7("buffer").length).toBe(16);
  expect(Bun.randomUUIDv5("www.example.com", "dns")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});

test("buffers and paths", () => {
  const parts = [new Uint8Array([1]), new Uint8Array([2, 3]).buffer];
  expect(new Uint8Array(Bun.concatArrayBuffers(parts))).toEqual(new Uint8Array([1, 2, 3]));
  expect(Bun.concatArrayBuffers(parts, 2, true)).toEqual(new Uint8Array([1, 2]));
  expect(Bun.allocUnsafe(3).length).toBe(3);
  expect(Bun.fileURLToPath("file:///a%20b")).toBe("/a b");
  expect(Bun.pathToFileURL("/x y").href).toBe("file:///x%20y");
});

test("deepMatch", () => {
  const match = Bun.deepMatch;
  for (const [subset, object, expected] of [
    [{ a: 1 }, { a: 1, b: 2 }, true], [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }, true], [[1, { a: 1 }], [1, { a: 1, b: 2 }], true],
    [[], [undefined], false], [[1], [1, 2], false], [[1, 2], [1], false], [[], {}, false],
    [{ a: undefined }, {}, false], [{}, { a: 1 }, true], [() => 1, () => 2, true],
    [{ d: new Date(0) }, { d: new Date(0) }, true], [{ d: new Date(0) }, { d: new Date(1) }, false],
  ]) {
    expect([subset, object, match(subset, object)]).toEqual([subset, object, expected]);
  }
  const a = { x: 1 };
  a.self = a;
  const b = { x: 1, y: 2 };
  b.self = b;
  expect([match(a, b), match(b, a)]).toEqual([true, false]);
  for (const [x, y] of [[1, 1], [null, {}], [{}, "a"]]) expect(() => match(x, y)).toThrow("2 objects");
});
