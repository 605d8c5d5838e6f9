test("a", () => {
  globalThis.leak = 1;
  const { Set } = globalThis;
  delete globalThis.Set;
  globalThis.Set = Set; // enumerable now, and not the file's all the same
  expect(leak).toBe(1);
  expect(kept).toBe(1);
});
