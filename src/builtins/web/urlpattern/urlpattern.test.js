test("groups, wildcards, modifiers", () => {
  const pattern = new URLPattern("https://*.example.com/:kind/:id(\\d+)?");
  expect([pattern.protocol, pattern.hostname, pattern.hasRegExpGroups]).toEqual(
    ["https", "*.example.com", true],
  );
  const found = pattern.exec("https://a.example.com/books/12?x=1");
  expect(found.pathname.groups.kind).toBe("books");
  expect(found.pathname.groups.id).toBe("12");
  expect(found.hostname.groups[0]).toBe("a");
  expect(pattern.test("https://example.org/books/12")).toBe(false);
});

test("objects, base URLs, options", () => {
  expect(new URLPattern({ pathname: "/a{/b}?" }).test({ pathname: "/a/b" })).toBe(true);
  expect(new URLPattern("../c", "https://h/a/b/d").pathname).toBe("/a/c");
  expect(new URLPattern({ pathname: "/A" }, { ignoreCase: true }).test("https://h/a")).toBe(true);
  expect(new URLPattern({ protocol: "https", port: "443" }).port).toBe("");
});

test("what is no pattern", () => {
  for (const text of ["/x", "https://h/(", "https://h/:a/:a", "https://h/{a", "https://h/(?a)"]) {
    expect(() => new URLPattern(text)).toThrow(TypeError);
  }
});
