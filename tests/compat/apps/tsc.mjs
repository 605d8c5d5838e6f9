// TypeScript's compiler as a program and as a library.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { fileOf, folder, run } from "./run.mjs";

const dir = folder({
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      target: "es2022", module: "nodenext", strict: true, declaration: true, outDir: "out",
      sourceMap: true, types: [],
    },
    include: ["src"],
  }),
  "package.json": '{"type":"module"}',
  "src/a.ts": "export enum Color { Red, Green }\nexport const f = <T>(x: T): T[] => [x];\n",
  "src/b.ts": 'import { Color, f } from "./a.js";\nexport const all: Color[] = f(Color.Green);\n',
});
const tsc = fileOf("typescript", "bin/tsc");
let result = run(tsc, ["-p", "."], { cwd: dir });
assert.equal(result.out + result.err, "");
assert.equal(result.status, 0);
assert.match(fs.readFileSync(path.join(dir, "out/a.d.ts"), "utf8"), /declare const f: <T>\(x: T\) => T\[\]/);
const { all } = await import(path.join(dir, "out/b.js"));
assert.deepEqual(all, [1]);
fs.writeFileSync(path.join(dir, "src/b.ts"), 'export const n: number = "text";\n');
result = run(tsc, ["--noEmit", "--pretty", "false"], { cwd: dir });
assert.equal(result.status, 2);
assert.equal(result.out, "src/b.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.\n");
const { outputText } = ts.transpileModule("let x: number = 1; export { x }", {
  compilerOptions: { module: ts.ModuleKind.CommonJS },
});
assert.match(outputText, /exports\.x = x/);
console.log("ok");
