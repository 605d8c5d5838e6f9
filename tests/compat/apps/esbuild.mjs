// esbuild: its JavaScript API drives a native process over pipes.
import assert from "node:assert";
import path from "node:path";
import esbuild from "esbuild";
import { folder } from "./run.mjs";

const dir = folder({ "a.ts": 'import { b } from "./b";\nconsole.log(b as number);', "b.ts": "export const b = 1, c = 2;" });
const { code } = await esbuild.transform("let x: number = 1 ?? 2", { loader: "ts", minify: true });
assert.equal(code, "let x=1;\n");
assert.equal(esbuild.transformSync("<a/>", { loader: "jsx" }).code, '/* @__PURE__ */ React.createElement("a", null);\n');
const result = await esbuild.build({
  entryPoints: [path.join(dir, "a.ts")], bundle: true, write: false, format: "esm", metafile: true,
  plugins: [{
    name: "p",
    setup(build) {
      build.onLoad({ filter: /b\.ts$/ }, () => ({ contents: "export const b = 'plugged'", loader: "ts" }));
    },
  }],
});
assert.match(result.outputFiles[0].text, /"plugged"/);
assert.equal(Object.keys(result.metafile.inputs).length, 2);
await assert.rejects(esbuild.build({ stdin: { contents: "let = " }, logLevel: "silent" }), /Expected identifier|Unexpected/);
const context = await esbuild.context({ entryPoints: [path.join(dir, "a.ts")], bundle: true, write: false });
assert.equal((await context.rebuild()).errors.length, 0);
await context.dispose();
await esbuild.stop();
console.log("ok");
