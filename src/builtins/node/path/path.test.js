// Tests of node:path and its two flavours.
const path = require("node:path");
const { posix, win32 } = path;

test("the module is the posix flavour, and both know each other", () => {
  expect(path).toBe(require("node:path/posix"));
  expect(win32).toBe(require("node:path/win32"));
  expect(posix.posix).toBe(posix);
  expect(win32.posix).toBe(posix);
  expect(posix.win32.win32).toBe(win32);
  expect(posix.sep + posix.delimiter + win32.sep + win32.delimiter).toBe("/:\\;");
});

const posixCases = [
  ["normalize", ["/a//b/./c/.."], "/a/b"],
  ["normalize", [""], "."],
  ["normalize", ["./"], "./"],
  ["normalize", ["../../a/.."], "../.."],
  ["normalize", ["/../a"], "/a"],
  ["join", ["a", "", "../..", "b"], "../b"],
  ["join", [], "."],
  ["join", ["/a", "b/"], "/a/b/"],
  ["resolve", ["/a", "b", "../c"], "/a/c"],
  ["resolve", ["/a/b/", "/"], "/"],
  ["resolve", ["/a/.hidden"], "/a/.hidden"],
  ["relative", ["/a/b/c", "/a/d"], "../../d"],
  ["relative", ["/a/b", "/a/b"], ""],
  ["relative", ["/", "/a"], "a"],
  ["relative", ["/a", "/"], ".."],
  ["relative", ["/ab", "/a"], "../a"],
  ["dirname", ["/a/b/"], "/a"],
  ["dirname", ["a"], "."],
  ["dirname", ["//a"], "//"],
  ["basename", ["/a/b.html", ".html"], "b"],
  ["basename", ["bbb", "bbb"], ""],
  ["basename", ["/a/bbb", "bbb"], "bbb"],
  ["basename", ["a//"], "a"],
  ["extname", [".x"], ""],
  ["extname", ["a.b.c"], ".c"],
  ["extname", ["a."], "."],
  ["extname", [".."], ""],
  ["extname", ["..."], "."],
  ["extname", ["a/.b/"], ""],
  ["isAbsolute", ["/"], true],
  ["isAbsolute", [""], false],
];

const win32Cases = [
  ["normalize", ["C:/a//b\\..\\c"], "C:\\a\\c"],
  ["normalize", ["//srv/share"], "\\\\srv\\share\\"],
  ["normalize", ["a/../C:"], ".\\C:"],
  ["normalize", ["C:"], "C:."],
  ["normalize", ["COM1:x"], ".\\COM1:x"],
  ["normalize", ["\\\\?\\C:\\a\\..\\b"], "\\\\?\\C:\\b"],
  ["join", ["c:.", "/"], "c:.\\"],
  ["join", ["//a", "b", "..", "c"], "\\\\a\\b\\c"],
  ["join", ["/", "/foo"], "\\foo"],
  ["join", ["//", "foo"], "\\foo"],
  ["resolve", ["c:/a", "d:/b", "c:x"], "c:\\a\\x"],
  ["resolve", ["//server/share", "..", "x"], "\\\\server\\share\\x"],
  ["relative", ["c:\\a\\B", "C:\\A\\c"], "..\\c"],
  ["relative", ["c:\\a", "d:\\a"], "d:\\a"],
  ["dirname", ["c:\\a\\b"], "c:\\a"],
  ["dirname", ["\\\\a\\b\\c"], "\\\\a\\b\\"],
  ["basename", ["C:base.ext", ".ext"], "base"],
  ["extname", ["c:a.b\\"], ".b"],
  ["isAbsolute", ["C:"], false],
  ["isAbsolute", ["C:/"], true],
  ["toNamespacedPath", ["C:\\a"], "\\\\?\\C:\\a"],
  ["toNamespacedPath", ["\\\\a\\b\\c"], "\\\\?\\UNC\\a\\b\\c"],
];

test("functions of posix paths", () => {
  for (const [name, args, want] of posixCases)
    expect([name, args, posix[name](...args)]).toEqual([name, args, want]);
});

test("functions of paths of Windows", () => {
  for (const [name, args, want] of win32Cases)
    expect([name, args, win32[name](...args)]).toEqual([name, args, want]);
});

test("parse and format", () => {
  expect(posix.parse("/home/u/file.tar.gz")).toEqual({
    root: "/",
    dir: "/home/u",
    base: "file.tar.gz",
    ext: ".gz",
    name: "file.tar",
  });
  expect(posix.parse("a//b")).toEqual({ root: "", dir: "a/", base: "b", ext: "", name: "b" });
  expect(win32.parse("C:\\a\\b.c")).toEqual({
    root: "C:\\",
    dir: "C:\\a",
    base: "b.c",
    ext: ".c",
    name: "b",
  });
  expect(win32.parse("\\\\a\\b\\c").root).toBe("\\\\a\\b\\");
  expect(posix.format({ dir: "/a", name: "b", ext: "c" })).toBe("/a/b.c");
  expect(posix.format({ root: "/", base: "x", ext: ".no" })).toBe("/x");
  expect(() => posix.format(null)).toThrow("ERR_INVALID_ARG_TYPE");
});

test("relative paths start at the current folder", () => {
  expect(posix.resolve()).toBe(process.cwd());
  expect(posix.resolve("a")).toBe(`${process.cwd()}/a`);
  expect(posix.relative("", "a/b")).toBe("a/b");
});

test("what is no string", () => {
  for (const name of ["normalize", "dirname", "basename", "extname", "parse", "join", "resolve"]) {
    expect(() => posix[name](1)).toThrow("ERR_INVALID_ARG_TYPE");
    expect(() => win32[name](null)).toThrow("ERR_INVALID_ARG_TYPE");
  }
  expect(win32.toNamespacedPath(null)).toBe(null);
});

test("glob patterns", () => {
  expect(posix.matchesGlob("/a/b.js", "/a/*.{js,ts}")).toBe(true);
  expect(posix.matchesGlob("a/.b/c", "a/**")).toBe(false);
  expect(posix.matchesGlob("!a", "!a")).toBe(true);
  expect(win32.matchesGlob("a\\b\\c", "a/**")).toBe(true);
  expect(() => posix.matchesGlob("a", 1)).toThrow("ERR_INVALID_ARG_TYPE");
});

test("names and numbers of parameters", () => {
  expect(posix.basename.name + posix.basename.length).toBe("basename2");
  expect(posix.join.length).toBe(0);
  expect(win32.relative.length).toBe(2);
});
