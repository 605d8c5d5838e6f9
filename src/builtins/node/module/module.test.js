// Tests of node:module.
const Module = require("node:module");
const { pathToFileURL } = require("node:url");

test("createRequire takes paths and URLs of files", () => {
  for (const from of [__filename, pathToFileURL(__filename), pathToFileURL(__filename).href]) {
    expect(Module.createRequire(from).resolve("./module.test.js")).toBe(__filename);
  }
  for (const bad of ["relative", "http://a/", {}, 1, undefined]) {
    expect(() => Module.createRequire(bad)).toThrow("ERR_INVALID_ARG_VALUE");
  }
});

test("built-in modules", () => {
  expect(Module.builtinModules).toContain("path");
  expect(Module.isBuiltin("node:path")).toBe(true);
  expect(Module.isBuiltin("no-such-module")).toBe(false);
});

test("package.json of a file, or that there is none", () => {
  expect(Module.findPackageJSON("/no/such/folder/x.js")).toBe(undefined);
  expect(() => Module.findPackageJSON()).toThrow("ERR_MISSING_ARGS");
  expect(() => Module.findPackageJSON("x", 1)).toThrow("ERR_INVALID_ARG_TYPE");
  expect(() => Module.findPackageJSON("no-such-package", "/a/b.js")).toThrow(
    "ERR_MODULE_NOT_FOUND",
  );
});

test("source maps", () => {
  const payload = { version: 3, sources: ["a.ts"], names: ["foo"], mappings: "AAAA,IAAIA;;AACA" };
  const map = new Module.SourceMap(payload);
  expect(map.findEntry(0, 5)).toEqual({
    generatedLine: 0,
    generatedColumn: 4,
    originalSource: "a.ts",
    originalLine: 0,
    originalColumn: 4,
    name: "foo",
  });
  expect(map.findOrigin(3, 1)).toMatchObject({ fileName: "a.ts", lineNumber: 2 });
  expect(map.payload).toEqual(payload);
  expect(() => new Module.SourceMap(1)).toThrow("ERR_INVALID_ARG_TYPE");
});

test("settings that change nothing here", () => {
  Module.setSourceMapsSupport(true, { nodeModules: true });
  expect({ ...Module.getSourceMapsSupport() }).toEqual({
    enabled: true,
    nodeModules: true,
    generatedCode: false,
  });
});

test("runMain is there for programs that wrap others", () => {
  expect(typeof require("node:module").runMain).toBe("function");
});
