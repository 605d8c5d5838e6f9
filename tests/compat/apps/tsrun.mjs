// tsx and ts-node, each as a program and registered from a program.
import assert from "node:assert";
import path from "node:path";
import { fileOf, folder, run } from "./run.mjs";

const dir = folder({
  "tsconfig.json": JSON.stringify({ compilerOptions: { target: "es2022", module: "commonjs", esModuleInterop: true, experimentalDecorators: true, types: [], strict: true } }),
  "main.ts": `
    import path from "path";
    import { Level, log } from "./lib";
    namespace Inner { export const value = 2; }
    class Point { constructor(private x: number, readonly y = Inner.value) {} sum(): number { return this.x + this.y; } }
    log(Level.High, path.basename(__filename), new Point(40).sum(), process.argv.slice(2));`,
  "lib.ts": "declare const console: any; export enum Level { Low, High }; export const log = (...args: unknown[]) => console.log(JSON.stringify(args));",
  "bad.ts": "const x: number = 'text';",
  "broken.ts": "function fails(): never {\n  throw new Error('here');\n}\nfails();",
});
const expected = '[1,"main.ts",42,["a","b"]]\n';
const tsx = fileOf("tsx", "dist/cli.mjs");
const one = run(tsx, ["main.ts", "a", "b"], { cwd: dir });
assert.equal(one.out, expected, one.err);
const thrown = run(tsx, ["broken.ts"], { cwd: dir });
assert.equal(thrown.status, 1);
assert.match(thrown.err, /broken\.ts:2/);
const tsNode = fileOf("ts-node", "dist/bin.js");
const two = run(tsNode, ["-T", "main.ts", "a", "b"], { cwd: dir });
assert.equal(two.out, expected, two.err);
const checked = run(tsNode, ["bad.ts"], { cwd: dir });
assert.equal(checked.status, 1);
assert.match(checked.err, /TS2322/);
const api = folder({
  "use.cjs": `
    require(${JSON.stringify(path.join(fileOf("ts-node", "register/transpile-only.js")))});
    require(${JSON.stringify(path.join(dir, "main.ts"))});`,
});
const three = run(path.join(api, "use.cjs"), ["a", "b"], { cwd: dir });
assert.equal(three.out, expected, three.err);
console.log("ok");
