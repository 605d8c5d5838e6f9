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

test("Module.wrap, Module.runMain and require.cache as programs change them", () => {
  const { execFileSync } = require("node:child_process");
  const run = (text, ...flags) =>
    execFileSync(process.execPath, [...flags, "-e", text], { encoding: "utf8" }).trim();
  const fs = require("node:fs");
  const dir = fs.mkdtempSync(require("node:path").join(require("node:os").tmpdir(), "cob-module-"));
  fs.writeFileSync(`${dir}/a.js`, "exports.seen = typeof extra;");
  fs.writeFileSync(`${dir}/patch.js`, "const m = require('module'); const old = m.runMain;" +
    "m.runMain = (...args) => { console.log('patched'); old(...args); };");
  fs.writeFileSync(`${dir}/main.js`, "console.log(1)");
  const seen = (patch) => run(`${patch}; console.log(require(${JSON.stringify(`${dir}/a.js`)}).seen)`);
  expect(seen("require('module').wrapper[0] += 'var extra = 1;'")).toBe("number");
  expect(seen("const m = require('module'), w = m.wrap; m.wrap = (t) => w('var extra = {};' + t)"))
    .toBe("object");
  expect(seen("require('module').wrap('')")).toBe("undefined");
  const out = execFileSync(process.execPath, ["-r", `${dir}/patch.js`, `${dir}/main.js`]);
  expect(`${out}`).toBe("patched\n1\n");
  expect(run("require.cache.fs = { exports: 5 }; console.log(require('fs'), typeof require('node:fs'))"))
    .toBe("5 object");
  expect(() => require("a\0b")).toThrow("Cannot find module 'a\0b'");
  expect(() => require.resolve(".", { paths: [1] })).toThrow(/must be of type string/);
  fs.rmSync(dir, { recursive: true });
});
