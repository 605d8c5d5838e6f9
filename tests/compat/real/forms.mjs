// forms.mjs FROM TO FORM -- copies a folder; every source in it goes through the full path. FORM: print, or min
// for all of minification. Names stay, so that imports still find them. Says how many sources there were.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [from, to, form] = process.argv.slice(2);
const all = form === "min" ? { minify: { whitespace: true, syntax: true, identifiers: true } } : { deadCodeElimination: false };
const transpilers = new Map();
let count = 0;

function transpiler(loader) {
  if (!transpilers.has(loader)) transpilers.set(loader, new Bun.Transpiler({ loader, target: "bun", ...all }));
  return transpilers.get(loader);
}

function transform(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) transform(path);
    const kind = /(?<!\.d)\.[mc]?([jt]sx?)$/.exec(entry.name)?.[1];
    if (!entry.isFile() || !kind) continue;
    writeFileSync(path, transpiler(kind).transformSync(readFileSync(path, "utf8")));
    count++;
  }
}

cpSync(from, to, { recursive: true, dereference: true });
transform(to);
console.log(count);
