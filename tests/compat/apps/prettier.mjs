// prettier: the library with several languages, and the program.
import assert from "node:assert";
import prettier from "prettier";
import { fileOf, folder, run } from "./run.mjs";

const format = (parser, text) => prettier.format(text, { parser });
assert.equal(await format("babel", "const a=()=>{return [1,2]}"), "const a = () => {\n  return [1, 2];\n};\n");
assert.equal(await format("typescript", "type A={b:string}|null"), "type A = { b: string } | null;\n");
assert.equal(await format("css", "a{b:c;d:e}"), "a {\n  b: c;\n  d: e;\n}\n");
assert.equal(await format("markdown", "* a\n* b\n"), "- a\n- b\n");
assert.equal(await format("json", '{"a":1,}'), '{ "a": 1 }\n');
assert.equal(await format("yaml", "a:   1"), "a: 1\n");
assert.equal(await format("html", "<p>a</p  >"), "<p>a</p>\n");
await assert.rejects(format("babel", "let = ="), { name: "SyntaxError" });
const dir = folder({ ".prettierrc": '{"semi":false}', "a.js": "f( 1 );\n", "b.js": "f(1)\n" });
const bin = fileOf("prettier", "bin/prettier.cjs");
let result = run(bin, ["a.js"], { cwd: dir });
assert.equal(result.out, "f(1)\n");
result = run(bin, ["--check", "."], { cwd: dir });
assert.equal(result.status, 1);
assert.match(result.err, /\[warn\] a\.js/);
result = run(bin, ["--stdin-filepath", "x.ts"], { cwd: dir, input: "let a:number=1" });
assert.equal(result.out, "let a: number = 1\n");
console.log("ok");
