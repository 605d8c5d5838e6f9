function thrown(fn) {
  try {
    fn();
  } catch (err) {
    return err;
  }
  return undefined;
}

test("components", () => {
  const url = new URL("../b?q=1#h", "https://u:p@example.com:8080/a/x/y");
  const parts = {
    href: "https://u:p@example.com:8080/a/b?q=1#h", origin: "https://example.com:8080",
    protocol: "https:", username: "u", password: "p", host: "example.com:8080",
    hostname: "example.com", port: "8080", pathname: "/a/b", search: "?q=1", hash: "#h",
  };
  for (const name of Object.keys(parts)) expect(url[name]).toBe(parts[name]);
  expect([`${url}`, url.toJSON(), JSON.stringify({ url })]).toEqual([
    url.href, url.href, `{"url":"${url.href}"}`,
  ]);
});

test("absent components", () => {
  const url = new URL("mailto:a@b");
  expect([url.username, url.password, url.host, url.port, url.search, url.hash]).toEqual([
    "", "", "", "", "", "",
  ]);
  expect(url.origin).toBe("null");
  const empty = new URL("http://h/?#");
  expect([empty.search, empty.hash, empty.href]).toEqual(["", "", "http://h/?#"]);
});

test("failures carry their input", () => {
  const err = thrown(() => new URL("x", "y"));
  expect([err.name, err.code, err.message, err.input, err.base]).toEqual([
    "TypeError", "ERR_INVALID_URL", "Invalid URL", "x", "y",
  ]);
  expect(thrown(() => new URL()).code).toBe("ERR_MISSING_ARGS");
  expect(thrown(() => new URL(Symbol())) instanceof TypeError).toBe(true);
  expect(thrown(() => URL("http://h")) instanceof TypeError).toBe(true);
});

test("statics", () => {
  expect(URL.canParse("http://h")).toBe(true);
  expect(URL.canParse("x", "y")).toBe(false);
  expect(URL.parse("x")).toBe(null);
  const url = URL.parse("x", "http://h/a");
  expect([url.href, url instanceof URL]).toEqual(["http://h/x", true]);
});

test("setters", () => {
  const url = new URL("http://h/");
  url.protocol = "https";
  url.username = "a b";
  url.password = "c";
  url.host = "x:99";
  url.pathname = "p q";
  url.search = "s";
  url.hash = "f";
  expect(url.href).toBe("https://a%20b:c@x:99/p%20q?s#f");
  url.port = "443";
  url.hostname = "\u00fc";
  expect(url.href).toBe("https://a%20b:c@xn--tda/p%20q?s#f");
  expect(thrown(() => (url.href = "nope")).code).toBe("ERR_INVALID_URL");
  url.href = "data:x";
  url.pathname = "y";
  expect(url.href).toBe("data:x");
});

test("searchParams and the URL follow each other", () => {
  const url = new URL("http://h/?a=1&b=2#x");
  const { searchParams } = url;
  expect(url.searchParams).toBe(searchParams);
  searchParams.append("c", "\u00e9 &");
  expect(url.href).toBe("http://h/?a=1&b=2&c=%C3%A9+%26#x");
  expect([url.hash, url.search]).toEqual(["#x", "?a=1&b=2&c=%C3%A9+%26"]);
  url.search = "?z=9";
  expect([...searchParams]).toEqual([["z", "9"]]);
  searchParams.delete("z");
  expect(url.href).toBe("http://h/#x");
  url.href = "http://h/?n";
  expect(searchParams.get("n")).toBe("");
});

test("receivers are checked", () => {
  for (const name of ["href", "host", "searchParams", "origin"]) {
    const { get } = Object.getOwnPropertyDescriptor(URL.prototype, name);
    expect(thrown(() => get.call({})).code).toBe("ERR_INVALID_THIS");
  }
  expect(thrown(() => URLSearchParams.prototype.get.call({}, "a")).code).toBe("ERR_INVALID_THIS");
  const { next } = new URLSearchParams().keys();
  expect(thrown(() => next.call({})).code).toBe("ERR_INVALID_THIS");
});

test("URLSearchParams from everything", () => {
  const text = (init) => new URLSearchParams(init).toString();
  expect(text()).toBe("");
  expect(text("?a=b&&c&=d&e=f=g")).toBe("a=b&c=&=d&e=f%3Dg");
  expect(text("a+b=%41%zz%")).toBe("a+b=A%25zz%25");
  expect(text("%ff=\ud800")).toBe("%EF%BF%BD=%EF%BF%BD");
  expect(text({ a: 1, b: [2, 3] })).toBe("a=1&b=2%2C3");
  expect(text([["a", 1], new Set(["b", "c"])])).toBe("a=1&b=c");
  expect(text(new URLSearchParams("x=y"))).toBe("x=y");
  expect(text(new Map([["m", "n"]]))).toBe("m=n");
  expect(text(null)).toBe("null=");
  expect(text({ "\ud800x": 1, "\udc00x": 2 })).toBe("%EF%BF%BDx=2");
  expect(thrown(() => text([["a"]])).code).toBe("ERR_INVALID_TUPLE");
  expect(thrown(() => text([1])).code).toBe("ERR_INVALID_TUPLE");
  expect(thrown(() => text({ [Symbol.iterator]: 1 })).code).toBe("ERR_ARG_NOT_ITERABLE");
});

test("URLSearchParams methods", () => {
  const params = new URLSearchParams("b=1&a=2&b=3");
  expect(params.getAll("b")).toEqual(["1", "3"]);
  expect([params.get("x"), params.has("a"), params.has("a", "9"), params.size]).toEqual([
    null, true, false, 3,
  ]);
  params.set("b", "4");
  expect(`${params}`).toBe("b=4&a=2");
  params.append("a", "1");
  params.sort();
  expect(`${params}`).toBe("a=2&a=1&b=4");
  params.delete("a", "1");
  expect([...params.keys()]).toEqual(["a", "b"]);
  expect([...params.values()]).toEqual(["2", "4"]);
  const seen = [];
  params.forEach((value, name, self) => seen.push(name, value, self === params));
  expect(seen).toEqual(["a", "2", true, "b", "4", true]);
  expect(params.toJSON()).toEqual({ a: "2", b: "4" });
  expect(new URLSearchParams("a=1&a=2&a=3&__proto__=x").toJSON().a).toEqual(["1", "2", "3"]);
  expect(thrown(() => params.append("a")).code).toBe("ERR_MISSING_ARGS");
  expect(thrown(() => params.forEach(1)).code).toBe("ERR_INVALID_ARG_TYPE");
});

test("iterators are live", () => {
  const params = new URLSearchParams("a=1&b=2");
  const seen = [];
  for (const [name] of params) {
    seen.push(name);
    if (name === "a") params.append("c", "3");
  }
  expect(seen).toEqual(["a", "b", "c"]);
  expect(String(params.entries())).toBe("[object URLSearchParams Iterator]");
  expect(params[Symbol.iterator]).toBe(params.entries);
});
