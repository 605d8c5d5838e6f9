test("equal names are combined, cookies stay apart, iteration is sorted", () => {
  const h = new Headers([["X-B", "1"], ["a", "2"], ["Set-Cookie", "x=1"], ["x-b", "3"]]);
  h.append("set-cookie", "y=2");
  expect([...h]).toEqual([
    ["a", "2"], ["set-cookie", "x=1"], ["set-cookie", "y=2"], ["x-b", "1, 3"],
  ]);
  expect(h.getSetCookie()).toEqual(["x=1", "y=2"]);
  expect(h.get("X-b")).toBe("1, 3");
  expect(h.count).toBe(4);
  expect(h.toJSON()["set-cookie"]).toEqual(["x=1", "y=2"]);
});

test("set replaces every value at the place of the first", () => {
  const h = new Headers([["a", "1"], ["b", "2"], ["a", "3"]]);
  h.set("A", "4");
  expect([...h]).toEqual([["a", "4"], ["b", "2"]]);
  h.delete("a");
  expect(h.has("a")).toBe(false);
});

test("an iterator sees changes", () => {
  const h = new Headers({ a: "1", c: "3" });
  const seen = [];
  for (const [name] of h) {
    seen.push(name);
    if (name === "a") h.set("b", "2");
  }
  expect(seen).toEqual(["a", "b", "c"]);
});

test("names and values are checked", () => {
  expect(() => new Headers({ "a b": "1" })).toThrow(TypeError);
  expect(() => new Headers({ a: "x\ny" })).toThrow(TypeError);
  expect(() => new Headers({ a: "\u1234" })).toThrow(TypeError);
  expect(() => new Headers([["a"]])).toThrow(TypeError);
  expect(new Headers({ a: "  b\t" }).get("a")).toBe("b");
});

test("headers made of headers", () => {
  const first = new Headers({ "X-One": "1", two: "2" });
  expect([...new Headers(first)]).toEqual([["two", "2"], ["x-one", "1"]]);
  expect(new Response("", { headers: first }).headers.get("x-one")).toBe("1");
});
