const p = cobInternal("internal/primordials");

test("copies survive a program that replaces the originals", () => {
  const { push } = Array.prototype;
  const { get } = Map.prototype;
  try {
    Array.prototype.push = Map.prototype.get = () => {
      throw new Error("replaced");
    };
    const array = [];
    p.ArrayPrototypePush(array, 1, 2);
    expect(array.length).toBe(2);
    expect(new p.SafeMap([[1, 2]]).get(1)).toBe(2);
    expect(p.MapPrototypeGetSize(new Map([[1, 1]]))).toBe(1);
  } finally {
    Array.prototype.push = push;
    Map.prototype.get = get;
  }
});

test("getters and statics are copied too", () => {
  expect(p.TypedArrayPrototypeGetSymbolToStringTag(new Uint8Array(1))).toBe("Uint8Array");
  expect(p.TypedArrayPrototypeGetSymbolToStringTag({})).toBe(undefined);
  expect(p.ArrayIsArray([])).toBe(true);
  expect(p.StringFromCharCode(65)).toBe("A");
});
