const { iterateEntries, makePairIterator } = cobInternal("internal/webidl/pairs");

test("a live list is walked as it changes", () => {
  const Iterator = makePairIterator("Things", (list) => list);
  const list = ["a", "1"];
  const keys = new Iterator(list, "keys");
  expect(keys.next()).toEqual({ value: "a", done: false });
  list.push("b", "2");
  expect(keys.next()).toEqual({ value: "b", done: false });
  expect(keys.next()).toEqual({ value: undefined, done: true });
  expect([...new Iterator(list, "values")]).toEqual(["1", "2"]);
  expect([...new Iterator(list, "entries")]).toEqual([["a", "1"], ["b", "2"]]);
});

test("a list that is made is made again when its version has changed", () => {
  let made = 0;
  const target = { version: 0, list: ["a", "1", "b", "2"] };
  const Iterator = makePairIterator("Things", (from) => (made++, [...from.list]),
    (from) => from.version);
  const entries = new Iterator(target, "entries");
  entries.next();
  entries.next();
  expect(made).toBe(1);
  target.list.push("c", "3");
  target.version++;
  expect(entries.next()).toEqual({ value: ["c", "3"], done: false });
  expect(made).toBe(2);
});

test("the shape is that of Web IDL", () => {
  const Iterator = makePairIterator("Things", (list) => list);
  const Other = makePairIterator("Others", (list) => list);
  const { prototype } = Iterator;
  expect(Object.prototype.toString.call(new Iterator([], "keys"))).toBe("[object Things Iterator]");
  expect(Object.keys(prototype)).toEqual(["next"]);
  const arrays = Object.getPrototypeOf([].values());
  expect(Object.getPrototypeOf(prototype)).toBe(Object.getPrototypeOf(arrays));
  expect(() => prototype.next.call(new Other([], "keys"))).toThrow("ThingsIterator");
  class Things {
    entries() {}
  }
  iterateEntries(Things);
  expect(Things.prototype[Symbol.iterator]).toBe(Things.prototype.entries);
});
