// postcss with autoprefixer and tailwind 4 (native add-ons: oxide, lightningcss).
import assert from "node:assert";
import path from "node:path";
import tailwind from "@tailwindcss/postcss";
import autoprefixer from "autoprefixer";
import postcss from "postcss";
import { folder } from "./run.mjs";

const plain = await postcss([autoprefixer({ overrideBrowserslist: "safari 8" })])
  .process("a { user-select: none; display: flex }", { from: "a.css", map: { inline: false } });
assert.match(plain.css, /-webkit-user-select: none[^]*display: -webkit-flex/);
assert.deepEqual(JSON.parse(String(plain.map)).sources, ["a.css"]);
assert.deepEqual(plain.warnings(), []);
const upper = () => ({ postcssPlugin: "upper", Declaration(node) { node.value = node.value.replace(/red/g, "#F00"); } });
upper.postcss = true;
assert.equal(postcss([upper]).process("b{color:red}", { from: undefined }).css, "b{color:#F00}");
await assert.rejects(postcss([upper]).process("b { color: ", { from: "x.css" }).async?.() ?? postcss([upper]).process("b { color: ", { from: "x.css" }), {
  name: "CssSyntaxError", reason: "Unclosed block", line: 1,
});

const dir = folder({
  "input.css": '@import "tailwindcss" source(none);\n@source "./page.html";\n@theme { --color-brand: #123456; }',
  "page.html": '<p class="text-brand hover:underline md:p-4 grid-cols-[1fr_2fr] dark:bg-red-500/50">x</p>',
  "node_modules/.keep": "",
});
const fs = await import("node:fs");
fs.symlinkSync(path.dirname(new URL(import.meta.resolve("tailwindcss/package.json")).pathname), path.join(dir, "node_modules/tailwindcss"));
const from = path.join(dir, "input.css");
const made = await postcss([tailwind({ base: dir, optimize: true })]).process(fs.readFileSync(from, "utf8"), { from });
for (const part of [/\.text-brand\{color:var\(--color-brand\)\}/, /hover\\:underline/, /grid-template-columns:1fr 2fr/, /@media \(min-width:48rem\)/, /#fb2c3680/]) {
  assert.match(made.css, part);
}
console.log("ok");
