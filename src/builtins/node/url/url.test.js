// Tests of node:url: files, the old API, domains.
const url = require("node:url");

test("files and their URLs", () => {
  expect(url.pathToFileURL("/a b/%#?[x]").href).toBe("file:///a%20b/%25%23%3F%5Bx%5D");
  expect(url.pathToFileURL("/dir/").href).toBe("file:///dir/");
  expect(url.fileURLToPath("file:///a%20b/%25")).toBe("/a b/%");
  expect(url.fileURLToPath(new URL("file:///%E2%82%AC"))).toBe("/\u20ac");
  expect(url.fileURLToPath("file:///C:/a%20b", { windows: true })).toBe("C:\\a b");
  expect(url.fileURLToPath("file://host/share", { windows: true })).toBe("\\\\host\\share");
  expect(url.pathToFileURL("\\\\srv\\My Docs\\x", { windows: true }).href).toBe(
    "file://srv/My%20Docs/x",
  );
  expect([...url.fileURLToPathBuffer("file:///%FF")]).toEqual([47, 255]);
  expect(() => url.fileURLToPath("http://a/")).toThrow("ERR_INVALID_URL_SCHEME");
  expect(() => url.fileURLToPath("file://host/a")).toThrow("ERR_INVALID_FILE_URL_HOST");
  expect(() => url.fileURLToPath("file:///a%2Fb")).toThrow("ERR_INVALID_FILE_URL_PATH");
  expect(() => url.fileURLToPath(1)).toThrow("ERR_INVALID_ARG_TYPE");
  expect(() => url.pathToFileURL({})).toThrow("ERR_INVALID_ARG_TYPE");
});

process.removeAllListeners("warning"); // of the old API

const shown = (o) => [o.protocol, o.slashes, o.auth, o.host, o.pathname, o.search, o.hash];

test("url.parse", () => {
  expect(shown(url.parse("http://u:p@HOST.com:80/p/a?q=1#h"))).toEqual([
    "http:",
    true,
    "u:p",
    "host.com:80",
    "/p/a",
    "?q=1",
    "#h",
  ]);
  expect(url.parse("/a?b=c&b=d", true).query.b).toEqual(["c", "d"]);
  expect(shown(url.parse("mailto:a@b.c"))).toEqual(["mailto:", null, "a", "b.c", null, null, null]);
  expect(url.parse("//host/path", false, true).host).toBe("host");
  expect(url.parse("http://[::1]:3000").hostname).toBe("::1");
  expect(url.parse("javascript:alert(1)").pathname).toBe("alert(1)");
  expect(url.parse("http:\\\\evil\\a").href).toBe("http://evil/a");
  expect(url.parse("http://b\u00fccher.de/").hostname).toBe("xn--bcher-kva.de");
  expect(url.parse(" http://a/b c ").href).toBe("http://a/b%20c");
  expect(() => url.parse(1)).toThrow("ERR_INVALID_ARG_TYPE");
  expect(() => url.parse("http://a b/")).not.toThrow();
  expect(() => url.parse("http://[::1%]/")).toThrow("ERR_INVALID_URL");
});

test("url.format", () => {
  expect(url.format({ protocol: "http", host: "a.b", pathname: "x?y", query: { c: [1, 2] } })).toBe(
    "http://a.b/x%3Fy?c=1&c=2",
  );
  expect(url.format({ hostname: "::1", port: 8, slashes: true })).toBe("//[::1]:8");
  const whatwg = new URL("http://u:p@xn--bcher-kva.de/p?q#h");
  expect(url.format(whatwg, { auth: false, fragment: false, search: false, unicode: true })).toBe(
    "http://b\u00fccher.de/p",
  );
  expect(() => url.format(1)).toThrow("ERR_INVALID_ARG_TYPE");
});

test("url.resolve", () => {
  const cases = [
    ["/one/two/three", "four", "/one/two/four"],
    ["http://a/b/c", "../d", "http://a/d"],
    ["http://a/b", "//c/d", "http://c/d"],
    ["http://a/b?c", "?d", "http://a/b?d"],
    ["http://a/b", "https:/x/y", "https://x/y"],
    ["mailto:a@b", "c@d", "mailto:c@d"],
    ["http://a", "", "http://a/"],
    [".", "#h", "#h"],
    ["/a/b", "..", "/"],
    ["a/b", "../../c", "../c"],
  ];
  for (const [base, relative, want] of cases)
    expect([base, relative, url.resolve(base, relative)]).toEqual([base, relative, want]);
});

test("options of a request", () => {
  expect({ ...url.urlToHttpOptions(new URL("http://u:%41@[::1]:81/p?q")) }).toMatchObject({
    hostname: "::1",
    port: 81,
    path: "/p?q",
    auth: "u:A",
  });
});

test("domains", () => {
  expect(url.domainToASCII("b\u00fccher.de")).toBe("xn--bcher-kva.de");
  expect(url.domainToUnicode("xn--bcher-kva.de")).toBe("b\u00fccher.de");
  expect(url.domainToASCII("xn--i\u00f1valid.com")).toBe("");
  expect(() => url.domainToASCII()).toThrow("ERR_MISSING_ARGS");
});
