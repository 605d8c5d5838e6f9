// eslint: the program with a flat configuration, and the library; fixes.
import assert from "node:assert";
import fs from "node:fs";
import path from "node:path";
import { ESLint, Linter } from "eslint";
import { fileOf, folder, run } from "./run.mjs";

const config = 'export default [{ rules: { "no-var": "error", semi: "error", "no-undef": "warn" } }];\n';
const dir = folder({
  "package.json": "{}", "eslint.config.mjs": config, "a.js": "var a = 1\nb();\n", "ok.js": "let a = 1;\na;\n",
});
const bin = fileOf("eslint", "bin/eslint.js");
let result = run(bin, ["--format", "json", "."], { cwd: dir });
assert.equal(result.status, 1, result.err);
const found = JSON.parse(result.out).find((file) => file.filePath.endsWith("a.js"));
assert.deepEqual(found.messages.map((m) => m.ruleId).sort(), ["no-undef", "no-var", "semi"]);
result = run(bin, ["ok.js"], { cwd: dir });
assert.equal(result.status, 0, result.out + result.err);
result = run(bin, ["--fix", "a.js"], { cwd: dir });
assert.equal(fs.readFileSync(path.join(dir, "a.js"), "utf8"), "let a = 1;\nb();\n");
const [{ messages }] = await new ESLint({
  overrideConfigFile: true, overrideConfig: { rules: { eqeqeq: 2 } },
}).lintText("a == b");
assert.equal(messages[0].ruleId, "eqeqeq");
assert.equal(new Linter().verify("let a = ;")[0].fatal, true);
console.log("ok");
