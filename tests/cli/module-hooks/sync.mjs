import { registerHooks } from "node:module";
const seen = [];
const first = registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "virtual:x") return { url: "virtual:x", format: "module", shortCircuit: true };
    const result = next(specifier, context);
    if (specifier.startsWith("./")) seen.push([specifier, context.parentURL.split("/").pop(), result.format]);
    return result;
  },
  load(url, context, next) {
    if (url === "virtual:x") return { format: "module", source: "export const x = 'virtual';", shortCircuit: true };
    const result = next(url, context);
    if (!url.endsWith("dep.mjs") && !url.endsWith("dep.cjs")) return result;
    return { ...result, source: `${result.source}`.replace("original", "changed") };
  },
});
console.log((await import("virtual:x")).x, (await import("./dep.mjs")).value);
const require = (await import("node:module")).createRequire(import.meta.url);
console.log(require("./dep.cjs").value, (await import("node:fs")).default === require("fs"));
first.deregister();
console.log((await import("./dep.mjs?again")).value, seen);
