// The compiler on a file of its own kind: tree, transpiled text, and types checked.
import ts from "./node_modules/typescript/lib/typescript.js";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const text = readFileSync(process.env.REAL_SOURCE, "utf8");
const hash = (s) => createHash("sha1").update(s).digest("hex");
const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true);
const kinds = {};
(function visit(n) {
  kinds[ts.SyntaxKind[n.kind]] = (kinds[ts.SyntaxKind[n.kind]] ?? 0) + 1;
  ts.forEachChild(n, visit);
})(file);
console.log(JSON.stringify(kinds));
for (const target of ["ES5", "ES2017", "ESNext"]) console.log(target, hash(ts.transpileModule(text, { compilerOptions: { target: ts.ScriptTarget[target], module: ts.ModuleKind.CommonJS } }).outputText));
console.log(hash(ts.createPrinter().printFile(file)));
const small = "interface A { a: number; b?: string }\nconst x: A = { a: '1' };\nfunction f<T extends A>(t: T): T['b'] { return t.a }\nexport const g = f(x)!.length + y;\n";
const host = { ...ts.createCompilerHost({}), getSourceFile: (n, v) => (n === "s.ts" ? ts.createSourceFile(n, small, v, true) : undefined) };
const program = ts.createProgram(["s.ts"], { noLib: true, strict: true }, host);
for (const d of ts.getPreEmitDiagnostics(program)) console.log(d.code, d.start, ts.flattenDiagnosticMessageText(d.messageText, "|"));
