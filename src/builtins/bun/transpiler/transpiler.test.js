const { Transpiler } = Bun;
const js = (code, options) => new Transpiler(options).transformSync(code);
const ts = (code, options) => js(code, { loader: "ts", ...options });
const config = (compilerOptions, options) => ({
  loader: "tsx",
  tsconfig: { compilerOptions },
  ...options,
});

function errorOf(fn) {
  try {
    fn();
  } catch (err) {
    return err;
  }
  throw new Error("nothing thrown");
}

test("loaders", () => {
  expect(ts("let a: number = <any>b")).toBe("let a = b;\n");
  expect(js("let a: B = <b/>", { ...config({ jsx: "react" }), loader: "tsx" })).toBe(
    'let a = /* @__PURE__ */ React.createElement("b", null);\n',
  );
  expect(errorOf(() => js("let a: B")).message).toBe('Expected ";" but found ":"');
  const t = new Transpiler({ loader: "js" });
  expect(t.transformSync("let a: B", "ts")).toBe("let a;\n");
  expect(t.transformSync("a", {})).toBe("a;\n");
  expect(t.transformSync("let a: B", "ts", {})).toBe("let a;\n");
  for (const [loader, text] of [
    ["css", "only JavaScript-like loaders supported for now"],
    ["nope", /^invalid loader - must be js, jsx/],
    [5, "loader must be a string"],
  ]) {
    for (const fn of [() => new Transpiler({ loader }), () => t.transformSync("a", loader)]) {
      const err = errorOf(fn);
      expect([err.name, err.code]).toEqual(["TypeError", "ERR_INVALID_ARG_TYPE"]);
      if (typeof text === "string") expect(err.message).toBe(text);
      else expect(err.message).toMatch(text);
    }
  }
});

test("what code may be", () => {
  const t = new Transpiler({ loader: "ts" });
  const bytes = new TextEncoder().encode("let x: 1 = 1");
  expect(t.transformSync(bytes)).toBe("let x = 1;\n");
  expect(t.transformSync(bytes.buffer)).toBe("let x = 1;\n");
  expect(t.transformSync(bytes.subarray(0, 5))).toBe("let x;\n");
  expect(t.transformSync("")).toBe("");
  expect(t.transformSync("let \u00e9 = '\u{1f600}', b: c")).toBe('let \u00e9 = "\u{1f600}", b;\n');
  for (const method of ["transformSync", "transform", "scan", "scanImports"]) {
    for (const bad of [undefined, null, 5, {}]) {
      const err = errorOf(() => t[method](bad));
      expect(err.message).toBe(`Expected code to be a string or Uint8Array for '${method}'.`);
      expect(err.code).toBe("ERR_INVALID_ARG_TYPE");
    }
  }
});

test("define", () => {
  const define = { "process.env.NODE_ENV": '"production"', FOO: "1", "a.b": "c.d" };
  expect(js("if (process.env.NODE_ENV === 'production') x(FOO, a.b); else y()", { define })).toBe(
    "x(1, c.d);\n",
  );
  expect(errorOf(() => js("", { define: { a: 1 } })).message).toBe('define "a" must be a JSON string');
  expect(errorOf(() => new Transpiler({ define: { a: "{" } })).message).toMatch(/^define "a": /);
});

test("tsconfig", () => {
  const jsx = "x = <b key='k' {...a}>{c}</b>";
  expect(js(jsx, config({ jsx: "react-jsx", jsxImportSource: "preact" }))).toBe(
    'import { jsx as _jsx } from "preact/jsx-runtime";\nx = /* @__PURE__ */ _jsx("b", {\n' +
      '  ...a,\n  children: c\n}, "k");\n',
  );
  expect(js(jsx, config({ jsx: "react", jsxFactory: "h" }))).toBe(
    'x = /* @__PURE__ */ h("b", {\n  key: "k",\n  ...a\n}, c);\n',
  );
  expect(js("x = <b/>", config({ jsx: "preserve" }))).toBe("x = <b></b>;\n");
  expect(js("x = <b/>", config({}))).toMatch(/react\/jsx-dev-runtime/);
  expect(js("x = <b/>", config({}, { autoImportJSX: false }))).not.toMatch(/import/);
  expect(js("x = <b/>", config({}, { define: { "process.env.NODE_ENV": '"production"' } }))).toMatch(
    /react\/jsx-runtime/,
  );
  const text = '// c\n{ "compilerOptions": { "jsx": "react", "jsxFactory": "h", }, /* "x" */ }';
  expect(js("<b/>", { loader: "jsx", tsconfig: text })).toBe('/* @__PURE__ */ h("b", null);\n');
  expect(errorOf(() => new Transpiler({ tsconfig: "{bad" })).name).toBe("BuildMessage");
  expect(ts("class A { a = 1 }", config({ useDefineForClassFields: false }, { loader: "ts" }))).toBe(
    "class A {\n  constructor() {\n    this.a = 1;\n  }\n}\n",
  );
  const legacy = { experimentalDecorators: true, emitDecoratorMetadata: true };
  expect(ts("class A { @d a: B }", config(legacy, { loader: "ts" }))).toMatch(/design:type/);
});

test("imports", () => {
  const code = 'import { a, b } from "x"; import { type c } from "y"; import "z"; b()';
  expect(ts(code)).toBe('import { a, b } from "x";\nimport "z";\nb();\n');
  expect(ts(code, { trimUnusedImports: true })).toBe('import { b } from "x";\nimport "z";\nb();\n');
  const plain = 'import { a } from "x"; import b, * as c from "y"; import {} from "z"; c';
  expect(js(plain)).toBe(
    'import { a } from "x";\nimport b, * as c from "y";\nimport "z";\nc;\n',
  );
  expect(js(plain, { trimUnusedImports: true })).toBe(
    'import * as c from "y";\nimport "z";\nc;\n',
  );
});

test("exports.eliminate", () => {
  const exports = { eliminate: ["loader", "z", "default", "q"] };
  const code = `import { db } from "db"; import { o } from "o";
    export const loader = () => db.x, other = o; export class z {} export default function () {}
    export { other as q, other as r }; export * from "s"`;
  expect(js(code, { exports })).toBe(
    'import { o } from "o";\nexport const other = o;\nexport { other as r };\nexport * from "s";\n',
  );
  expect(errorOf(() => new Transpiler({ exports: { eliminate: 5 } })).message).toBe(
    "exports.eliminate must be an array",
  );
});

test("exports.replace", () => {
  const replace = { a: 'x"\n', b: -5, c: true, d: null, e: undefined, default: 1.5, f: ["g", 2] };
  const code = `export const a = 1, z = 2; export function b() {} export class c {} export let d;
    export var e = 3; export default class {} export const f = 4`;
  expect(js(code, { exports: { replace } })).toBe(
    'export const a = "x\\"\\n", z = 2;\nexport var b = -5;\nexport var c = true;\n' +
      "export let d = null;\nexport var e = undefined;\nexport default 1.5;\nexport const g = 2;\n",
  );
  expect(errorOf(() => new Transpiler({ exports: { replace: { a: {} } } })).message).toBe(
    "exports.replace values can only be string, null, undefined, number or boolean",
  );
});

test("minify", () => {
  const code = "function foo(first) { if (first) return true; else return undefined }";
  expect(js(code, { minify: true })).toBe("function r(e){return e?!0:void 0}");
  expect(js(code, { minifyWhitespace: true })).toBe(
    "function foo(first){if(first)return true;else return undefined}",
  );
  expect(js(code, { minify: { identifiers: true, keepNames: true, whitespace: true } })).toBe(
    "function foo(e){if(e)return true;else return undefined}",
  );
});

test("dead code and inlining", () => {
  const code = "if (false) a(); else b(); c = 1 ? d : e";
  expect(js(code)).toBe("b();\nc = d;\n");
  expect(js(code, { deadCodeElimination: false })).toBe(
    "if (false)\n  a();\nelse\n  b();\nc = 1 ? d : e;\n",
  );
  expect(js("const a = 1; f(a); { const b = 'x'; g(b) }", { inline: true })).toBe(
    'const a = 1;\nf(1);\n{\n  const b = "x";\n  g("x");\n}\n',
  );
});

test("macros run where the text is compiled", async () => {
  const path = require("node:path").join(require("node:os").tmpdir(), `macro-${process.pid}.cjs`);
  const name = JSON.stringify(path);
  const source = "exports.a = (...list) => ({ list }); exports.b = async () => 'later';";
  require("node:fs").writeFileSync(path, source);
  const code = `import { a, b as c } from ${name} with { type: "macro" }; f(a("x", [1]), c(), 1)`;
  expect(ts(code)).toBe('f({ list: ["x", [1]] }, "later", 1);\n');
  expect(await new Transpiler({ loader: "ts" }).transform(code)).toBe(ts(code));
  expect(errorOf(() => js(code, { macro: false })).message).toBe("Macros are disabled");
  const macro = { "react-relay": { a: path } };
  const use = (call) => `import { a, other } from "react-relay"; other(${call})`;
  expect(js(use("a()"), { macro })).toBe(
    'import { other } from "react-relay";\nother({ list: [] });\n',
  );
  expect(errorOf(() => js(use("a`b`"), { macro })).message).toBe(
    "template literal macro invocations are not supported",
  );
  expect(errorOf(() => js(use("a(globalThis.x)"), { macro })).message).toContain("must be known");
  expect(js('import a from "b"; a', { macro })).toBe('import a from "b";\na;\n');
  require("node:fs").rmSync(path);
});

test("other options that are refused", () => {
  for (const options of [5, { define: 5 }, { exports: 5 }, { logLevel: "x" }, { macro: 5 }]) {
    expect(errorOf(() => new Transpiler(options)).code).toBe("ERR_INVALID_ARG_TYPE");
  }
  expect(errorOf(() => new Transpiler({ replMode: true })).message).toMatch(/^not implemented/);
  expect(errorOf(() => Transpiler()).name).toBe("TypeError");
});

test("errors", () => {
  const one = errorOf(() => ts("let a = \nlet b"));
  expect(one instanceof BuildMessage && one instanceof Error).toBe(true);
  expect([one.name, one.level, one.line, one.column]).toEqual(["BuildMessage", "error", 2, 5]);
  expect(one.position).toEqual({
    lineText: "let b",
    file: "input.ts",
    namespace: "file",
    line: 2,
    column: 5,
    length: 1,
    offset: 13,
  });
  expect(String(one)).toBe(`BuildMessage: ${one.message}`);
  expect(JSON.parse(JSON.stringify(one)).message).toBe(one.message);
  const twice = errorOf(() => js("let a, a; let b, b"));
  expect([twice.name, twice.message]).toEqual(["AggregateError", "Parse error"]);
  expect(twice.errors.map((e) => e.message)).toEqual([
    '"a" has already been declared',
    '"b" has already been declared',
  ]);
  expect(twice.errors[0].notes[0].message).toBe('"a" was originally declared here');
});

test("transform works elsewhere and settles later", async () => {
  const t = new Transpiler({ loader: "ts" });
  const many = Array.from({ length: 50 }, (_, i) => t.transform(`let a${i}: number = ${i}`));
  expect(await Promise.all(many)).toEqual(many.map((_, i) => `let a${i} = ${i};\n`));
  const err = await t.transform("let a = ").catch((e) => e);
  expect(err.name).toBe("BuildMessage");
  const bytes = Buffer.from("let x: 1");
  const later = t.transform(bytes);
  bytes.fill(0);
  expect(await later).toBe("let x;\n");
});

test("scan", () => {
  const t = new Transpiler({ loader: "tsx" });
  const { imports, exports } = t.scan(`import a, { type B } from "a"; import type C from "c";
    import "d"; export * from "e"; export { x as y } from "f"; export default 1;
    export const z = a, { k, l: [m] } = q; export * as ns from "g"; require("h"); import("i");
    require.resolve("j"); import("k" + l); export type T = 1; export enum E {}
    export { a as "s t" }; function f(require) { require("no") }`);
  expect(exports).toEqual(["E", "default", "k", "m", "ns", "s t", "y", "z"]);
  expect(imports.map((i) => `${i.kind} ${i.path}`)).toEqual([
    "import-statement a",
    "import-statement d",
    "import-statement e",
    "import-statement f",
    "import-statement g",
    "require-call h",
    "dynamic-import i",
    "require-resolve j",
  ]);
  expect(new Transpiler().scanImports("import a from 'b'; import {} from 'c'")).toEqual([
    { kind: "import-statement", path: "b" },
    { kind: "import-statement", path: "c" },
  ]);
  const trim = new Transpiler({ loader: "ts", trimUnusedImports: true });
  expect(trim.scanImports('import { a } from "a"; import { b } from "b"; a()')).toEqual([
    { kind: "import-statement", path: "a" },
  ]);
  expect(errorOf(() => t.scan("let =")).name).toBe("BuildMessage");
  expect(t.scan("")).toEqual({ exports: [], imports: [] });
});
